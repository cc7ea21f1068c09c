//! The extension ripext, 1.3.2: requests and JSON. Its rules were read in its source (`http_natives.cpp`,
//! `httprequestcontext.cpp`, `json_natives.cpp`, `extension.cpp`), those of JSON in jansson's.

pub mod json;
pub mod requests;
