mod kept;
mod list;
mod summary;
