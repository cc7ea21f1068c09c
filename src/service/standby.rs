//! What is read from a standby, and from the primary where there is none or it cannot be read from.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Service, ServiceError};
use crate::store::{Connections, Standby};

/// For how long after a failure the standby is left alone, and for how long what is known of it is new.
const PAUSE: Duration = Duration::from_secs(5);

/// What was read, and how old it may have been already.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// What was read.
    pub value: T,
    /// How far the standby that it was read from was behind at most; `None` of the primary.
    pub lag: Option<Duration>,
}

/// The standby, and how it did last.
#[derive(Clone, Debug)]
pub(super) struct WatchedStandby {
    standby: Standby,
    health: Arc<Mutex<Health>>,
}

/// When the standby was last asked, or somebody began to, and whether it could be read from.
#[derive(Clone, Copy, Debug, Default)]
struct Health(Option<(Instant, bool)>);

impl Health {
    /// Whether it is worth asking at `now`. One that failed is asked by one request, which may give up, while
    /// the others go on without it.
    fn is_due(&mut self, now: Instant) -> bool {
        match self.0 {
            Some((at, false)) => {
                let is_due = now.saturating_duration_since(at) >= PAUSE;
                if is_due {
                    self.0 = Some((now, false));
                }
                is_due
            }
            _ => true,
        }
    }

    /// Notes that it was seen to be up or not; answers whether that is new.
    fn note(&mut self, now: Instant, up: bool) -> bool {
        let before = self.0.replace((now, up));
        before.is_none_or(|(_, before)| before != up)
    }

    /// Whether it was up when that was last seen, unless that is too long ago.
    fn recent(&self, now: Instant) -> Option<bool> {
        let (at, up) = self.0?;
        (now.saturating_duration_since(at) < PAUSE).then_some(up)
    }
}

impl WatchedStandby {
    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connections to it that are open.
    pub(super) fn connections(&self) -> Connections {
        self.standby.connections()
    }

    pub(super) async fn close(&self) {
        self.standby.close().await;
    }
}

impl Service {
    /// This service where what need not be the latest is read from `standby`, which is asked whether it can
    /// be; where it cannot, the primary serves.
    pub async fn with_standby(mut self, standby: Standby) -> Self {
        self.standby = Some(WatchedStandby {
            standby,
            health: Arc::default(),
        });
        let _known_from_now_on = self.standby_is_up().await;
        self
    }

    /// What `work` reads by the service that it is given: one that reads from the standby, where there is
    /// one that can be read from. Where the reading fails there, it is done by the primary.
    pub async fn read<T, Work>(
        &self,
        work: impl Fn(Self) -> Work,
    ) -> Result<Reading<T>, ServiceError>
    where
        Work: Future<Output = Result<T, ServiceError>>,
    {
        if let Some(watched) = &self.standby {
            if let Some(lag) = self.standby_lag(watched).await {
                let mut reader = self.clone();
                reader.store = watched.standby.store(&self.store);
                reader.standby = None;
                // Boxed, because it is large and stands in the futures of many requests.
                match Box::pin(work(reader)).await {
                    Ok(value) => {
                        let lag = Some(lag);
                        return Ok(Reading { value, lag });
                    }
                    Err(error @ (ServiceError::Unavailable(_) | ServiceError::Internal(_))) => {
                        self.give_up(watched, &error);
                    }
                    // What is not there may only not be there yet.
                    Err(_) => {}
                }
            }
            self.metrics.read_from_primary(watched.standby.server());
        }
        let value = Box::pin(work(self.clone())).await?;
        Ok(Reading { value, lag: None })
    }

    /// Whether the standby can be read from, as known for some seconds; `None` where none is set.
    pub async fn standby_is_up(&self) -> Option<bool> {
        let watched = self.standby.as_ref()?;
        let recent = watched.health().recent(Instant::now());
        match recent {
            Some(up) => Some(up),
            None => Some(self.standby_lag(watched).await.is_some()),
        }
    }

    /// How far the standby is behind; `None` where it cannot be read from.
    async fn standby_lag(&self, watched: &WatchedStandby) -> Option<Duration> {
        if !watched.health().is_due(Instant::now()) {
            return None;
        }
        let server = watched.standby.server();
        match watched.standby.lag(&self.store).await {
            Ok(lag) => {
                if watched.health().note(Instant::now(), true) {
                    tracing::info!(server, "The standby is read from");
                }
                self.metrics.set_standby(server, Some(lag));
                Some(lag)
            }
            Err(error) => {
                self.give_up(watched, &error);
                None
            }
        }
    }

    fn give_up(&self, watched: &WatchedStandby, error: &dyn std::error::Error) {
        let server = watched.standby.server();
        self.metrics.set_standby(server, None);
        if watched.health().note(Instant::now(), false) {
            tracing::warn!(server, error = ?error, "The standby cannot be read from; the primary is, until it can");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standby_that_failed_is_asked_once_in_a_while_though_who_asks_gives_up() {
        let mut health = Health::default();
        let first = Instant::now();
        assert!(health.is_due(first) && health.recent(first).is_none());
        assert!(health.note(first, false));
        let last = first + PAUSE.saturating_sub(Duration::from_micros(1));
        assert!(!health.is_due(last) && health.recent(last) == Some(false));
        // Whoever asks then is never heard of again.
        let second = first + PAUSE;
        assert!(health.is_due(second) && !health.is_due(second));
        let third = second + PAUSE;
        assert!(health.is_due(third));
        assert!(health.note(third, true), "it is back, which is new");
        assert!(health.is_due(third) && !health.note(third, true));
    }
}
