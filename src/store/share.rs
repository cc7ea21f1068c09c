//! Fair queue of requests for database connections.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::StoreError;
use crate::turns::{QueueLimits, Scheduler, Turn};

/// Fair queue of requests for a limited number of database connections. Rounds, and the service's own work, do not
/// queue: the other connections are their reserve.
///
/// # Design
/// A transaction cannot be interrupted. A client with all connections would make everybody wait for its longest query.
/// So a client may use half of the connections, and each lane (server or request path) half of that. Another client, or
/// another kind of request, then finds a connection at once.
#[derive(Clone, Debug)]
pub(super) struct Share {
    turns: Scheduler,
    /// Time at which a database transaction last failed to begin.
    failed_at: Arc<Mutex<Option<Instant>>>,
}

impl Share {
    pub(super) fn of(connections: usize) -> Self {
        let begun_of_client = (connections / 2).max(1);
        Self {
            turns: Scheduler::new(QueueLimits {
                places: connections,
                // HTTP limits the number of waiting requests.
                waiting: usize::MAX,
                begun: connections,
                begun_of_client,
                begun_of_lane: (begun_of_client / 2).max(1),
            }),
            failed_at: Arc::default(),
        }
    }

    /// Waits until the current task's request may use a connection. Returns `None` if the task works on no request.
    ///
    /// # Errors
    /// Returns [`StoreError::Crowded`] if no connection became free in time. Returns [`StoreError::TimedOut`] if the
    /// database failed during the wait: otherwise each waiting request would wait for the timeouts of those before it.
    pub(super) async fn turn(&self) -> Result<Option<Arc<Turn>>, StoreError> {
        let asked_at = Instant::now();
        let turn = self.turns.of_request().await;
        let turn = turn.map_err(|_| StoreError::Crowded)?;
        match *self.failed_at.lock() {
            Some(failed_at) if failed_at >= asked_at => Err(StoreError::TimedOut),
            _ => Ok(turn),
        }
    }

    /// Returns `begun`, the result of beginning a transaction, and records the time if it is an error.
    pub(super) fn noted<T>(&self, begun: Result<T, StoreError>) -> Result<T, StoreError> {
        if begun.is_err() {
            *self.failed_at.lock() = Some(Instant::now());
        }
        begun
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::task::JoinSet;
    use tokio::time::timeout;

    use super::*;
    use crate::domain::Fingerprint;
    use crate::store::Store;
    use crate::turns::Requester;

    async fn store(folder: &tempfile::TempDir) -> Store {
        let url = format!("sqlite://{}", folder.path().join("rbs.db").display());
        Store::connect(&url.parse().unwrap()).await.unwrap()
    }

    fn requester(client: u8, lane: &str) -> Requester {
        Requester::new(Fingerprint::new([client; 4]), lane)
    }

    #[tokio::test]
    async fn whoever_reads_all_the_time_keeps_nobody_else_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder).await;
        let begun = Arc::new(AtomicUsize::new(0));
        let mut flood = JoinSet::new();
        for lane in ["profile", "leaderboard", "player"] {
            for _ in 0..40 {
                let (store, begun) = (store.clone(), Arc::clone(&begun));
                flood.spawn(requester(1, lane).does(async move {
                    let _kept = store.begin_read().await.unwrap();
                    begun.fetch_add(1, Ordering::Relaxed);
                    pending::<()>().await;
                }));
            }
        }
        // All tasks have asked for a connection, and the client has its maximum.
        let share = crate::store::sqlite::client_readers();
        while begun.load(Ordering::Relaxed) < share / 2 {
            tokio::task::yield_now().await;
        }
        for client in 2..=9 {
            let other = Box::pin(requester(client, "profile").does(store.begin_read()));
            other
                .await
                .expect("a connection, though nobody gave one back");
        }
        store.begin_read().await.expect("the service's own");
        assert_eq!(begun.load(Ordering::Relaxed), share / 2);
    }

    #[tokio::test]
    async fn a_round_is_written_next_however_many_requests_wait_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder).await;
        let (order, first) = (
            Arc::new(Mutex::new(Vec::new())),
            store.begin().await.unwrap(),
        );
        let mut writers = JoinSet::new();
        for _ in 0..24 {
            let (store, order) = (store.clone(), Arc::clone(&order));
            writers.spawn(requester(1, "hello").does(async move {
                let tx = store.begin().await.unwrap();
                order.lock().push("names");
                tx.commit().await.unwrap();
            }));
        }
        // One task waits for the writer, and the others for their turn.
        while !store.has_waiters() {
            tokio::task::yield_now().await;
        }
        let round = tokio::spawn({
            let (store, order) = (store.clone(), Arc::clone(&order));
            async move {
                let tx = store.begin().await.unwrap();
                order.lock().push("round");
                tx.commit().await.unwrap();
            }
        });
        tokio::task::yield_now().await;
        first.commit().await.unwrap();
        round.await.unwrap();
        writers.join_all().await;
        let order = order.lock();
        assert_eq!(
            (order[..2].to_vec(), order.len()),
            (vec!["names", "round"], 25)
        );
    }

    #[tokio::test]
    async fn who_waited_while_the_database_failed_fails_at_once() {
        let share = Share::of(1);
        let held = requester(1, "lane").does(share.turn()).await.unwrap();
        let mut waiting = Box::pin(requester(2, "lane").does(share.turn()));
        assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
        let failed: Result<(), _> = share.noted(Err(StoreError::TimedOut));
        assert!(failed.is_err());
        drop(held);
        assert!(matches!(waiting.await, Err(StoreError::TimedOut)));
        assert!(requester(2, "lane").does(share.turn()).await.is_ok());
    }
}
