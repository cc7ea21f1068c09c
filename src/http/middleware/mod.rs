//! Middleware that every request passes: authentication, limits and logging.

pub(crate) mod arrival;
pub(crate) mod auth;
pub(crate) mod caller;
mod log_in;
pub(crate) mod observe;
pub(crate) mod rate_limit;
pub(crate) mod refusal_log;
pub(crate) mod request_slots;
mod secret_set;
mod session;
