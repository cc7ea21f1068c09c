//! The game servers: who they are, when they were last heard of, and which of them need somebody's attention.

mod list;
mod seen;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::domain::{Fingerprint, PluginVersion, ServerName, Timestamp};
use crate::rating::GroupKind;
use crate::service::{Pool, Service};
use crate::store::{Greeting, StoreError, Tx};

pub(super) use seen::ServersSeen;

/// The earliest plugin whose requests this service reads, and that reads its answers.
pub const MIN_PLUGIN: PluginVersion = PluginVersion::new(0, 1, 0);

/// Approximate number of undeclared servers whose greetings and tables of splits are kept.
const MAX_OTHERS: u32 = 1_000;
/// How long after its last greeting or table an undeclared server is kept.
const OTHERS_KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// Approximate number of past tables of splits that are kept for all servers together.
const MAX_PAST_TABLES: u32 = 20_000;
/// One write in this many deletes old servers.
const FORGET_EVERY: i64 = 16;

/// How many of the servers that the configuration does not name are measured in each pool: those with the most rounds.
const OTHERS_MEASURED: usize = 50;

impl Service {
    /// When the last round in `pool` ended of each server that is measured.
    pub(super) async fn measured_last_rounds(
        &self,
        tx: &mut Tx,
        pool: &Pool,
    ) -> Result<Vec<(ServerName, Timestamp)>, StoreError> {
        let pools = self.pools.now();
        let by_rounds = tx
            .groups(pool.id, GroupKind::Server, u32::MAX)
            .await?
            .into_iter()
            .filter_map(|(server, _)| server.parse().ok());
        let others: BTreeSet<ServerName> = by_rounds
            .filter(|server| !pools.is_declared(server))
            .take(OTHERS_MEASURED)
            .collect();
        let mut ended = tx.last_rounds(pool.id).await?;
        ended.retain(|(server, _)| pools.is_declared(server) || others.contains(server));
        Ok(ended)
    }

    /// Remembers that a game server has sent a request with that secret.
    pub fn note_server(&self, server: &ServerName, secret: Fingerprint) {
        self.servers_seen.note(server, secret, self.clock.now());
    }

    /// Remembers that a round of the server was refused.
    pub fn note_refused_round(&self, server: &ServerName) {
        self.servers_seen.note_refused(server, self.clock.now());
    }

    /// Forgets undeclared servers that were silent for too long or are too many, since a secret for every server can make
    /// names up. Only one write in [`FORGET_EVERY`], chosen by the microseconds of `now`, does so. A failure is logged, and
    /// a later write tries again.
    pub(super) async fn forget_old_servers(&self, now: Timestamp) {
        if now.unix_micros() % FORGET_EVERY != 0 {
            return;
        }
        let cutoff = now.earlier(OTHERS_KEPT_FOR);
        let forgotten: Result<(), StoreError> = async {
            let mut tx = self.store.begin_ahead().await?;
            for server in tx.old_servers(cutoff, MAX_OTHERS).await? {
                if !self.is_declared(&server) {
                    tx.forget_server(&server).await?;
                }
            }
            tx.delete_past_split_tables(MAX_PAST_TABLES).await?;
            tx.commit().await
        }
        .await;
        if let Err(error) = forgotten {
            tracing::warn!(error = ?error, "Servers of long ago cannot be forgotten");
        }
    }

    /// Keeps what a server says of itself at the start of a map. Nothing that was asked for waits for the disk, or
    /// fails, for want of it: where it cannot be written that is logged, and the next map brings it again.
    pub async fn keep_greeting(
        &self,
        server: &ServerName,
        plugin: Option<PluginVersion>,
        secret: Fingerprint,
    ) {
        let greeting = Greeting {
            server: server.clone(),
            plugin,
            secret,
            at: self.clock.now(),
        };
        let written: Result<(), StoreError> = async {
            let mut tx = self.store.begin_ahead().await?;
            tx.save_greeting(&greeting).await?;
            tx.commit().await
        }
        .await;
        if let Err(error) = written {
            tracing::warn!(error = ?error, %server, "What a game server said of itself cannot be kept");
        }
        self.forget_old_servers(greeting.at).await;
    }
}
