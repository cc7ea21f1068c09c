//! Tests of who may do what: secrets, logins, refusals of strangers, and servers that are not configured.

mod bound_secrets;
mod log_in;
mod read_secrets;
mod refusals;
mod secrets;
mod unknown_servers;

use reqwest::Method;

use super::service::description;

/// Method and path of every operation that requires a secret, with all parameters filled in.
fn operations() -> Vec<(Method, String)> {
    let description = description::description();
    let mut closed = description::operations(&description);
    closed.retain(|(_, _, operation)| !operation["security"].is_array());
    closed
        .into_iter()
        .map(|(path, method, _)| {
            let method = method.parse().expect("a method");
            (method, description::filled(&path))
        })
        .collect()
}
