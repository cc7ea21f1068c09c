//! The extension ripext 1.3.2: HTTP requests and JSON. The behavior follows its source (`http_natives.cpp`,
//! `httprequestcontext.cpp`, `json_natives.cpp`, `extension.cpp`) and the source of jansson.

pub mod json;
pub mod requests;
