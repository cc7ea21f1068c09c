//! Receives request bodies before the requests count as running, so that slow uploads do not use up the limit on
//! running requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use parking_lot::Mutex;

use super::caller::Caller;
use crate::domain::Fingerprint;
use crate::http::connection::Peer;
use crate::http::{MAX_BODY, Problem, refused};

/// Maximum numbers of request bodies received at once: from one client, from one address, and in total. An address may
/// be a proxy that many clients share, so it may have twice as many as a client. The total takes at most 256 MiB: a
/// buffer may have twice the capacity of the bytes received.
const OF_CLIENT: usize = 128;
const FROM_ADDRESS: usize = 256;
const IN_ALL: usize = 512;

/// Maximum size in bytes of a request body sent without a secret.
pub(crate) const MAX_OPEN_BODY: usize = 1024;

/// Counters of the request bodies that are being received. Cheap to clone; clones share the counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    of_client: HashMap<Fingerprint, usize>,
    from_address: HashMap<IpAddr, usize>,
    in_all: usize,
}

impl Arrivals {
    /// Counts one more request body as being received until the returned guard is dropped. Returns `None` if a maximum
    /// is reached.
    fn begin(&self, client: Fingerprint, address: Option<IpAddr>) -> Option<impl Sized + use<>> {
        let mut counts = self.0.lock();
        let of_client = counts.of_client.get(&client);
        let from_address = address.and_then(|address| counts.from_address.get(&address));
        if of_client >= Some(&OF_CLIENT)
            || from_address >= Some(&FROM_ADDRESS)
            || counts.in_all >= IN_ALL
        {
            return None;
        }
        *counts.of_client.entry(client).or_default() += 1;
        if let Some(address) = address {
            *counts.from_address.entry(address).or_default() += 1;
        }
        counts.in_all += 1;
        let arrivals = self.clone();
        Some(scopeguard::guard((), move |()| {
            let mut counts = arrivals.0.lock();
            forget_one(&mut counts.of_client, &client);
            if let Some(address) = &address {
                forget_one(&mut counts.from_address, address);
            }
            counts.in_all -= 1;
        }))
    }
}

/// Lowers the count of `key` in a map by one, and removes a count of 0.
pub(super) fn forget_one<Key: Hash + Eq>(counts: &mut HashMap<Key, usize>, key: &Key) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

pub(crate) async fn await_body(
    State(arrivals): State<Arrivals>,
    caller: Caller,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let address = request
        .extensions()
        .get::<Peer>()
        .map(|Peer(address)| *address);
    let Some(arriving) = arrivals.begin(caller.client, address) else {
        let detail = "you or other clients are still sending too many request bodies; send each body all at \
                      once, and send this request again later";
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, detail);
        return problem.again_after(1).into_response();
    };
    let most = if caller.is_anonymous() {
        MAX_OPEN_BODY
    } else {
        MAX_BODY
    };
    let (head, body) = request.into_parts();
    let body = match read(body, most).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    drop(arriving);
    let body = Bytes::from(body);
    let mut response = next
        .run(Request::from_parts(head, Body::from(body.clone())))
        .await;
    refused::name_server(&mut response, &body);
    response
}

/// Reads the body of a request, and stops once it exceeds `most` bytes. The handler refuses a body of that size.
async fn read(mut body: Body, most: usize) -> Result<Vec<u8>, Problem> {
    let mut read = Vec::new();
    while read.len() <= most
        && let Some(frame) = body.frame().await
    {
        let frame = frame.map_err(|_| Problem::broken_off())?;
        if let Some(data) = frame.data_ref() {
            read.extend_from_slice(data);
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn fill(arrivals: &Arrivals, client: u8, address: u8) -> Vec<impl Sized + use<>> {
        let address = Ipv4Addr::new(127, 0, 0, address).into();
        let begin = || arrivals.begin(Fingerprint::new([client; 4]), Some(address));
        std::iter::from_fn(begin).collect()
    }

    #[test]
    fn no_client_or_address_takes_all_of_the_room() {
        let arrivals = Arrivals::default();
        let first = fill(&arrivals, 1, 1);
        assert_eq!(first.len(), OF_CLIENT);
        assert!(fill(&arrivals, 1, 2).is_empty());
        let second = fill(&arrivals, 2, 1);
        assert_eq!(second.len(), FROM_ADDRESS - OF_CLIENT);
        let third = fill(&arrivals, 3, 2);
        let fourth = fill(&arrivals, 4, 3);
        assert_eq!(third.len() + fourth.len(), IN_ALL - FROM_ADDRESS);
        assert!(fill(&arrivals, 5, 5).is_empty());
        drop((first, second, third, fourth));
        let counts = arrivals.0.lock();
        assert!(counts.of_client.is_empty() && counts.from_address.is_empty());
        assert_eq!(counts.in_all, 0);
    }
}
