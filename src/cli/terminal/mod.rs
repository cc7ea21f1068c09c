//! Output of commands, and questions to the user.

pub(crate) mod columns;
pub mod figures;
pub mod output;
pub mod progress;
pub(crate) mod screen;
pub mod table;
pub mod words;
