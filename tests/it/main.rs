//! Everything that is tested from outside the crate, in one binary, because one links faster than
//! many.
mod rating;
