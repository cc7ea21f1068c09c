//! Commands that ask or change a running service, or its database while it is stopped.

mod asking;
mod changes;
mod confirmations;
mod lists;
mod login_link;
mod looks;
mod lost_answers;
mod season;
mod switch;
mod views;
