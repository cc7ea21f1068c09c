//! Menus: the admin menu, and votes in a menu.

pub mod admin;
pub mod votes;
