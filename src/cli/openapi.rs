use anyhow::Context as _;

use super::output::print;
use crate::http::openapi_json;

/// Prints the description of the API.
pub(super) fn run() -> anyhow::Result<()> {
    print(openapi_json().as_bytes()).context("cannot write the description")
}
