use strsim::osa_distance;

use super::pools::Pools;
use super::{Service, ServiceError};
use crate::api::NoticeAnswer;
use crate::config::UnknownServers;
use crate::domain::{NoticeKind, NoticeName, ServerName};

/// Maximum edit distance at which a known server name is suggested in place of an unknown one.
const NEARLY: usize = 3;
const MAX_NAMES: usize = 3;

impl Service {
    /// Returns an error if the configuration does not name the server and unknown servers are to be refused.
    pub fn check_known(&self, server: &ServerName) -> Result<(), ServiceError> {
        let pools = self.pools.now();
        if pools.unknown_servers != UnknownServers::Refuse || pools.is_declared(server) {
            return Ok(());
        }
        let detail = format!(
            "is \"{server}\", which the configuration names neither in [servers.NAME] nor in \
             [[game_servers]], and unknown_servers = \"refuse\" is set; {}",
            advice(&pools, server)
        );
        Err(ServiceError::invalid("/server", detail))
    }

    /// Returns a notice, and logs a warning, if the configuration does not name the server and warnings are on.
    pub(super) fn unknown_server(
        &self,
        server: &ServerName,
    ) -> Result<Option<NoticeAnswer>, ServiceError> {
        let pools = self.pools.now();
        if pools.unknown_servers != UnknownServers::Warn || pools.is_declared(server) {
            return Ok(None);
        }
        let message = format!(
            "The configuration does not name the server \"{server}\", so each of its rounds \
             counts in the pool that the round names, or in \"default\"; {}.",
            advice(&pools, server)
        );
        tracing::warn!(%server, "{message}");
        let name: Result<NoticeName, _> = NoticeKind::UnknownServer.to_string().parse();
        Ok(Some(NoticeAnswer {
            name: name.map_err(ServiceError::internal)?,
            kind: NoticeKind::UnknownServer,
            player: None,
            rating: None,
            made_at: self.clock.now(),
            expires_at: None,
            message,
        }))
    }
}

fn advice(pools: &Pools, server: &ServerName) -> String {
    let near = nearest(server, pools.declared_servers());
    if near.is_empty() {
        return format!("add [servers.{server}] to the configuration, or correct the name");
    }
    let near: Vec<String> = near.iter().map(|name| format!("\"{name}\"")).collect();
    format!(
        "correct the name to {}, or add [servers.{server}]",
        near.join(" or ")
    )
}

/// Returns the configured server names most similar to `server`, best first.
fn nearest<'known>(
    server: &ServerName,
    known: impl Iterator<Item = &'known ServerName>,
) -> Vec<&'known ServerName> {
    let written = server.as_str().to_ascii_lowercase();
    let mut measured: Vec<(usize, &ServerName)> = known
        .map(|name| {
            let known = name.as_str().to_ascii_lowercase();
            (osa_distance(&written, &known), name)
        })
        .filter(|(letters, name)| *letters <= NEARLY && *letters < name.as_str().len())
        .collect();
    measured.sort_unstable();
    let names = measured.into_iter().map(|(_, name)| name);
    names.take(MAX_NAMES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_names_that_were_perhaps_meant() {
        let known: Vec<ServerName> = ["arena-1", "arena-2", "koth-eu", "x", "arena-10"]
            .map(|name| name.parse().unwrap())
            .to_vec();
        let near = |name: &str| {
            let name = name.parse().unwrap();
            let found = nearest(&name, known.iter());
            found.iter().map(|name| name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(near("arean-1"), ["arena-1", "arena-10", "arena-2"]);
        assert_eq!(near("KOTH-EU"), ["koth-eu"]);
        assert_eq!(near("payload"), [""; 0]);
        assert_eq!(near("y"), [""; 0]);
    }
}
