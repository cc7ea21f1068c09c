//! Limits the running requests, in total and by client, and tells the service which request each task works on.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

use super::arrival::forget_one;
use super::caller::Caller;
use crate::domain::Fingerprint;
use crate::http::Problem;
use crate::service::ServiceError;
use crate::turns::Requester;

/// Limit on the running requests, in total and by client. Cheap to clone; clones share the counters.
#[derive(Clone)]
pub(crate) struct RequestSlots(Arc<Mutex<Places>>);

struct Places {
    free: usize,
    of_client: HashMap<Fingerprint, usize>,
}

impl RequestSlots {
    pub(crate) fn new(places: usize) -> Self {
        Self(Arc::new(Mutex::new(Places {
            free: places,
            of_client: HashMap::new(),
        })))
    }

    /// Permits one more running request of the client until the returned guard is dropped. Fails if the client already
    /// runs as many requests as may still begin. So one client leaves half of the limit to others, two leave a third,
    /// and a client's first request is permitted.
    fn enter(&self, client: Fingerprint) -> Option<impl Sized + use<>> {
        let mut places = self.0.lock();
        let own = places.of_client.get(&client).copied().unwrap_or_default();
        if own >= places.free {
            return None;
        }
        places.free -= 1;
        places.of_client.insert(client, own + 1);
        let room = self.clone();
        Some(scopeguard::guard((), move |()| {
            let mut places = room.0.lock();
            places.free += 1;
            forget_one(&mut places.of_client, &client);
        }))
    }
}

/// Runs a request if [`RequestSlots`] permits one more, and refuses it otherwise. A request that waits would be late
/// for its client and delay the next ones. Computations of the accepted requests are scheduled fairly between clients,
/// and within a client between paths.
pub(crate) async fn enter(
    State(room): State<RequestSlots>,
    caller: Caller,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let Some(_place) = room.enter(caller.client) else {
        return Problem::from(ServiceError::Busy).into_response();
    };
    let requester = Requester::new(caller.client, path.as_str());
    requester.does(next.run(request)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(room: &RequestSlots, client: u8) -> Vec<impl Sized + use<>> {
        std::iter::from_fn(|| room.enter(Fingerprint::new([client; 4]))).collect()
    }

    #[test]
    fn a_client_leaves_as_much_room_as_it_takes() {
        let room = RequestSlots::new(12);
        let first = fill(&room, 1);
        let second = fill(&room, 2);
        let third = fill(&room, 3);
        assert_eq!((first.len(), second.len(), third.len()), (6, 3, 2));
        drop(first);
        assert_eq!(fill(&room, 4).len(), 4, "of seven");
        drop((second, third));
        let places = room.0.lock();
        assert_eq!((places.free, places.of_client.len()), (12, 0));
    }

    #[test]
    fn the_only_place_is_everybodys() {
        let room = RequestSlots::new(1);
        for client in 1..=3 {
            assert_eq!(fill(&room, client).len(), 1);
        }
        assert!(fill(&RequestSlots::new(0), 1).is_empty());
    }
}
