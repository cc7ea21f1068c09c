use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;

use tokio::sync::Semaphore;

use super::describe_split::describe_split;
use super::wishes::wishes_of;
use super::{Service, ServiceError};
use crate::domain::{PlayerId, Rating, ServerName};
use crate::partition::{self, Candidate, Limits, Split, SplitTable, Wishes, solve};
use crate::store::StoreError;
use crate::wire::{ScrambleRequest, SplitAnswer, SplitTableAnswer};

/// Requests that may wait for each one that is being solved. Each takes about a tenth of a second
/// at most, so nobody who is let in waits for long.
const WAITING_PER_RUNNING: usize = 4;

/// Keeps the solving, which is all computation, off the threads that answer requests, and bounded:
/// half of the processors solve, a few requests wait, the rest are told to come back.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl Solver {
    pub(super) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let running = (processors / 2).max(1);
        Self {
            admitted: Arc::new(Semaphore::new(running * (1 + WAITING_PER_RUNNING))),
            running: Arc::new(Semaphore::new(running)),
        }
    }

    async fn solve(
        &self,
        pool: partition::Pool,
        wishes: Wishes,
        limits: Limits,
    ) -> Result<SplitTable, ServiceError> {
        let _admitted = self
            .admitted
            .try_acquire()
            .map_err(|_| ServiceError::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|_| ServiceError::Busy)?;
        let solving = tokio::task::spawn_blocking(move || {
            // Held here, because the computation goes on even where nobody waits for it any more.
            let _running = running;
            solve(&pool, &wishes, &limits)
        });
        solving.await.map_err(ServiceError::internal)
    }
}

impl Service {
    /// The best split of every team size for the players of a request, kept as the server's last.
    ///
    /// # Errors
    /// The database's; too many requests at once.
    pub async fn propose_splits(
        &self,
        request: ScrambleRequest,
    ) -> Result<SplitTableAnswer, ServiceError> {
        let wishes = wishes_of(&request);
        let ScrambleRequest {
            server, players, ..
        } = request;
        let pool = self.pool(None, Some(&server))?;
        let mut tx = self.store.begin_read().await?;
        let known: HashMap<PlayerId, Rating> = tx
            .players(pool.id, &players)
            .await?
            .into_iter()
            .map(|player| (player.id, player.rating))
            .collect();
        drop(tx);

        let initial = pool.settings.parameters.initial_rating;
        let candidates = players.iter().map(|id| Candidate {
            id: *id,
            rating: known.get(id).copied().unwrap_or(initial),
        });
        let candidates = partition::Pool::new(candidates).map_err(ServiceError::internal)?;
        let limits = Limits {
            max_exact_pool: pool.settings.max_exact_pool,
            ..Limits::default()
        };
        let solved = self.solver.solve(candidates, wishes, limits).await?;

        let theta = pool.settings.parameters.theta;
        let described = |splits: Vec<Split>| -> Vec<SplitAnswer> {
            let splits = splits.iter();
            splits.map(|split| describe_split(split, theta)).collect()
        };
        let table = SplitTableAnswer {
            server,
            pool: pool.name.clone(),
            eligible: players.len(),
            computed_at: self.clock.now(),
            splits: described(solved.splits),
            alternatives: described(solved.alternatives),
        };
        let mut tx = self.store.begin().await?;
        let kept = serde_json::to_string(&table).map_err(unreadable)?;
        tx.save_split_table(&table.server, table.computed_at, &kept)
            .await?;
        tx.commit().await?;
        Ok(table)
    }

    /// The last table of splits that was computed for `server`.
    ///
    /// # Errors
    /// Where there is none; the database's.
    pub async fn last_splits(&self, server: &ServerName) -> Result<SplitTableAnswer, ServiceError> {
        let kept = self.store.begin_read().await?.split_table(server).await?;
        let kept = kept.ok_or_else(|| ServiceError::NoSplitTable(server.clone()))?;
        Ok(serde_json::from_str(&kept).map_err(unreadable)?)
    }
}

fn unreadable(_: serde_json::Error) -> StoreError {
    StoreError::Corrupt {
        table: "split_tables",
        column: "answer",
    }
}
