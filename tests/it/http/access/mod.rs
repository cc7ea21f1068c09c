//! Tests of who may do what: secrets, logins, refusals of strangers, and servers that are not configured.

mod bound_secrets;
mod log_in;
mod read_secrets;
mod refusals;
mod secrets;
mod unknown_servers;
