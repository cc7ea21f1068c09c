use std::io;
use std::io::Write as _;
use std::net::SocketAddr;

use super::local_address;
use crate::cli::database::{absolute, configuration};
use crate::config::{SecretSource, Settings};
use crate::store::DatabaseUrl;

/// Prints how to use the started service, in at most ten lines. `link` is the token of a link that opens the dashboard
/// once.
pub(super) fn print(
    address: SocketAddr,
    source: &SecretSource,
    settings: &Settings,
    link: Option<&str>,
) {
    let (place, shell) = match source {
        SecretSource::Variable(name) => (
            format!("from {name} in the environment"),
            format!("${{{name}%%,*}}"),
        ),
        SecretSource::File(path) | SecretSource::NewFile(path) => {
            // Absolute paths let the printed commands work in any folder.
            let path = absolute(path);
            (
                format!("in the file {path}"),
                format!("$(head -n 1 '{path}')"),
            )
        }
    };
    let made = match source {
        SecretSource::NewFile(_) => ", made just now",
        SecretSource::File(_) | SecretSource::Variable(_) => "",
    };
    let database = match &settings.database {
        DatabaseUrl::Sqlite { path } => format!("the file {}", absolute(path)),
        server @ DatabaseUrl::Postgres(_) => server.to_string(),
    };
    let apart = match settings.admin_secrets {
        Some(_) => "separate, as configured",
        None => "the same",
    };
    let local = local_address(&address.to_string());
    let dashboard = match link {
        Some(token) => format!(
            "http://{local}/#/enter/{token} (this link works once, within 5 minutes); later open http://{local}/ with \
             the admin secret"
        ),
        None => format!("http://{local}/ in a browser, with the admin secret"),
    };
    let text = format!(
        "RBS listens on http://{address}\n\
         Configuration:  {}\n\
         Database:       {database}\n\
         Secret:         {place}{made}\n\
         Admin secret:   {apart}\n\
         Dashboard:      {dashboard}\n\
         API reference:  http://{local}/docs\n\
         Game servers:   set rbs_url to the address, and put the secret in configs/rbs_secret.txt; to try it:\n\
         curl -w '\\n' -H \"Authorization: Bearer {shell}\" http://{local}/v1/players/76561197960265729\n",
        configuration(settings),
    );
    // The service runs even if standard output is closed.
    if let Err(error) = io::stdout().write_all(text.as_bytes()) {
        tracing::debug!(%error, "Cannot print the welcome message");
    }
}
