//! The limit on failed log-ins to the dashboard.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use axum::http::HeaderMap;
use parking_lot::Mutex;

use super::rate_limit::Bucket;
use super::refusal_log::last_forwarded;
use crate::config::RateLimit;

/// Maximum rate of failed log-ins from one address: ten at once, and one more every ten seconds.
const FAILURES: RateLimit = RateLimit {
    per_second: 0.1,
    burst: 10,
};
/// Maximum number of addresses whose failed log-ins are counted. The address with the oldest attempt is evicted.
const MAX_ADDRESSES: usize = 1024;

/// Failed log-ins that each address may still make, and the time of its last attempt since the start of the service.
#[derive(Default)]
pub(super) struct LogIns(Mutex<HashMap<IpAddr, (Bucket, Duration)>>);

impl LogIns {
    /// Counts a log-in from `address` as failed until [`LogIns::forgive`] is called, so concurrent attempts count too.
    /// `now` is the time since the start of the service.
    ///
    /// # Errors
    /// Returns the number of seconds until the next attempt if too many have failed.
    pub(super) fn begin_attempt(&self, address: IpAddr, now: Duration) -> Result<(), u32> {
        let mut tries = self.0.lock();
        if tries.len() >= MAX_ADDRESSES && !tries.contains_key(&address) {
            let oldest = tries.iter().min_by_key(|(_, (_, at))| *at);
            if let Some(oldest) = oldest.map(|(address, _)| *address) {
                tries.remove(&oldest);
            }
        }
        let new = || (Bucket::new(FAILURES), now);
        let (left, last) = tries.entry(address).or_insert_with(new);
        *last = now;
        left.take(now)
    }

    pub(super) fn forgive(&self, address: IpAddr) {
        if let Some((left, _)) = self.0.lock().get(&address) {
            left.give_back();
        }
    }
}

/// Returns the IP address that a log-in counts for: the peer's, or the last of `X-Forwarded-For` if the peer may be a
/// proxy. A peer in a loopback or private network may be one. An IPv6 address counts as its /64 network, since one
/// client has all of it.
pub(super) fn address_of(peer: Option<IpAddr>, headers: &HeaderMap) -> IpAddr {
    let peer = peer
        .unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
        .to_canonical();
    let may_be_proxy = match peer {
        IpAddr::V4(peer) => peer.is_loopback() || peer.is_private(),
        IpAddr::V6(peer) => peer.is_loopback() || peer.is_unique_local(),
    };
    let named = last_forwarded(headers).filter(|_| may_be_proxy);
    match named.map_or(peer, |named| named.to_canonical()) {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [first, second, third, fourth, ..] = address.segments();
            Ipv6Addr::new(first, second, third, fourth, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_fails_too_often_waits_and_who_does_not_is_let_in() {
        let log_ins = LogIns::default();
        let (guesser, other) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        let at = Duration::from_secs;
        for _ in 0..3 {
            for _ in 0..FAILURES.burst - 1 {
                log_ins.begin_attempt(other, at(0)).unwrap();
                log_ins.forgive(other);
            }
        }
        for _ in 0..FAILURES.burst {
            log_ins.begin_attempt(guesser, at(0)).unwrap();
        }
        assert_eq!(log_ins.begin_attempt(guesser, at(0)), Err(10));
        assert_eq!(log_ins.begin_attempt(guesser, at(4)), Err(6));
        assert_eq!(log_ins.begin_attempt(other, at(4)), Ok(()));
        assert_eq!(log_ins.begin_attempt(guesser, at(10)), Ok(()));
        assert_eq!(log_ins.begin_attempt(guesser, at(10)), Err(10));
        for number in 0..2 * u32::try_from(MAX_ADDRESSES).unwrap() {
            let address = Ipv4Addr::from_bits(number).into();
            log_ins.begin_attempt(address, at(20)).unwrap();
        }
        assert_eq!(log_ins.0.lock().len(), MAX_ADDRESSES);
    }

    #[test]
    fn a_proxy_names_who_it_is_and_nobody_else_does() {
        for (peer, forwarded, counted) in [
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("127.0.0.1", "10.0.0.1, 198.51.100.1", "198.51.100.1"),
            ("::ffff:172.18.0.2", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "nobody", "127.0.0.1"),
            ("2001:db8:1:2:3:4:5:6", "198.51.100.1", "2001:db8:1:2::"),
            ("fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", forwarded.parse().unwrap());
            let counted: IpAddr = counted.parse().unwrap();
            let peer = Some(peer.parse().unwrap());
            assert_eq!(address_of(peer, &headers), counted, "{peer:?}");
        }
    }
}
