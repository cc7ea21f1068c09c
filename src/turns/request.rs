//! Task-local request, so that code far below HTTP can wait for the request's turn in the fair queue.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::task_local;

use super::{Crowded, Requester, Scheduler, Turn};

task_local! {
    static REQUEST: Request;
}

struct Request {
    requester: Requester,
    /// Turn (right to a processor or connection) that the request has now, as long as anything holds it.
    held: Mutex<Weak<Turn>>,
}

impl Requester {
    /// Runs `work` as a request of this client and lane. Spawned tasks count as the service's own work.
    pub(crate) async fn does<T>(self, work: impl Future<Output = T>) -> T {
        let request = Request {
            requester: self,
            held: Mutex::default(),
        };
        REQUEST.scope(request, work).await
    }
}

impl Scheduler {
    /// Waits for a turn of the current task's request on a processor or connection. Returns `None` for the service's
    /// own work, which takes no turns.
    ///
    /// A request that has a turn gets the same turn again: waiting for a second one could deadlock.
    pub(crate) async fn of_request(&self) -> Result<Option<Arc<Turn>>, Crowded> {
        let known = REQUEST.try_with(|request| {
            let held = request.held.lock().upgrade();
            (request.requester.clone(), held)
        });
        match known {
            Err(_) => Ok(None),
            Ok((_, Some(held))) => Ok(Some(held)),
            Ok((requester, None)) => {
                let turn = Arc::new(self.begin(requester).await?);
                REQUEST.with(|request| *request.held.lock() = Arc::downgrade(&turn));
                Ok(Some(turn))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Fingerprint;
    use crate::turns::QueueLimits;

    #[tokio::test]
    async fn a_request_has_one_turn_and_the_service_needs_none() {
        let requester = || Requester::new(Fingerprint::new([1; 4]), "lane");
        let turns = Scheduler::new(QueueLimits {
            places: 1,
            waiting: 1,
            begun: 1,
            begun_of_client: 1,
            begun_of_lane: 1,
        });
        let work = async {
            let first = turns.of_request().await.unwrap().unwrap();
            let second = turns.of_request().await.unwrap().unwrap();
            assert!(Arc::ptr_eq(&first, &second));
            drop(first);
            let own = tokio::spawn({
                let turns = turns.clone();
                async move { turns.of_request().await.unwrap().is_none() }
            });
            assert!(own.await.unwrap());
            drop(second);
            // Nothing holds the turn any more, so the next request can have it.
            drop(turns.begin(requester()).await.unwrap());
            assert!(turns.of_request().await.unwrap().is_some());
        };
        requester().does(work).await;
        assert!(turns.of_request().await.unwrap().is_none());
    }
}
