//! Game servers: their last signs of life, and the reasons for which they need attention.

mod list;
mod live;
mod seen;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::domain::{Fingerprint, PluginVersion, ServerName, Timestamp};
use crate::rating::GroupKind;
use crate::service::{Pool, Service};
use crate::store::{Greeting, StoreError, Tx};

pub(super) use seen::{ServersSeen, first_hour};

/// Oldest version of the plugin that is compatible with this service.
pub const MIN_PLUGIN: PluginVersion = PluginVersion::new(0, 1, 0);

/// Maximum number of undeclared game servers whose last greeting and tables of splits stay stored. More may exist until
/// the next deletion.
const MAX_OTHERS: u32 = 1_000;
/// Time for which an undeclared game server is kept after its last greeting or table of splits.
const OTHERS_KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// Approximate number of past tables of splits that are kept, for all game servers together.
const MAX_PAST_TABLES: u32 = 20_000;
/// Mean number of stored greetings and tables of splits between two deletions of old game servers.
const FORGET_EVERY: i64 = 16;

/// Maximum number of undeclared game servers with metrics, per pool: those with the most rounds.
const OTHERS_MEASURED: usize = 50;

impl Service {
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

    /// Records that a game server sent a request with this secret.
    pub fn note_server(&self, server: &ServerName, secret: Fingerprint) {
        let now = self.clock.now();
        self.servers_seen
            .change(server, |seen| seen.last = Some((now, secret)));
    }

    /// Records that a round of the game server was refused.
    pub fn note_refused_round(&self, server: &ServerName) {
        self.servers_seen.note_refused(server, self.clock.now());
    }

    /// Deletes undeclared game servers that were silent for too long or are too many, because the owner of a secret for
    /// all servers can invent names. Only one in [`FORGET_EVERY`] calls, chosen by the microseconds of `now`, does so.
    /// A failure is logged, and a later call tries again.
    pub(super) async fn forget_old_servers(&self, now: Timestamp) {
        if now.unix_micros() % FORGET_EVERY != 0 {
            return;
        }
        let cutoff = now.earlier(OTHERS_KEPT_FOR);
        let forgotten: Result<(), StoreError> = async {
            let mut tx = self.store.begin_deferred().await?;
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
            tracing::warn!(error = ?error, "Cannot delete game servers that have been silent for a long time");
        }
    }

    /// Stores a game server's greeting at the start of a map. The caller's request neither fails nor waits for the
    /// disk: a failure is logged, and the next map brings a new greeting.
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
            let mut tx = self.store.begin_deferred().await?;
            tx.save_greeting(&greeting).await?;
            tx.commit().await
        }
        .await;
        if let Err(error) = written {
            tracing::warn!(error = ?error, %server, "Cannot store what a game server reported about itself");
        }
        self.forget_old_servers(greeting.at).await;
    }
}
