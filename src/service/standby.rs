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
pub(super) struct Standing {
    standby: Standby,
    health: Arc<Mutex<Health>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Health {
    /// When it was last looked at, and whether it could be read from.
    seen: Option<(Instant, bool)>,
    /// Whether somebody is trying one that could not be read from.
    is_tried: bool,
}

impl Standing {
    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is worth asking. Of one that failed only one request finds out whether it is back, and
    /// waits for that.
    fn is_due(&self) -> bool {
        let mut health = self.health();
        match health.seen {
            Some((at, false)) => {
                let due = !health.is_tried && at.elapsed() >= PAUSE;
                health.is_tried |= due;
                due
            }
            _ => true,
        }
    }

    /// Notes that it was seen to be up or not; answers whether that is new.
    fn note(&self, up: bool) -> bool {
        let mut health = self.health();
        let before = health.seen.replace((Instant::now(), up));
        health.is_tried = false;
        before.is_none_or(|(_, before)| before != up)
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
        self.standby = Some(Standing {
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
        if let Some(standing) = &self.standby {
            if let Some(lag) = self.standby_lag(standing).await {
                let mut reader = self.clone();
                reader.store = standing.standby.store(&self.store);
                reader.standby = None;
                // Boxed, because it is large and stands in the futures of many requests.
                match Box::pin(work(reader)).await {
                    Ok(value) => {
                        let lag = Some(lag);
                        return Ok(Reading { value, lag });
                    }
                    Err(error @ (ServiceError::Unavailable(_) | ServiceError::Internal(_))) => {
                        self.give_up(standing, &error);
                    }
                    // What is not there may only not be there yet.
                    Err(_) => {}
                }
            }
            self.metrics.read_from_primary(standing.standby.server());
        }
        let value = Box::pin(work(self.clone())).await?;
        Ok(Reading { value, lag: None })
    }

    /// Whether the standby can be read from, as known for some seconds; `None` where none is set.
    pub async fn standby_is_up(&self) -> Option<bool> {
        let standing = self.standby.as_ref()?;
        let seen = standing.health().seen;
        match seen {
            Some((at, up)) if at.elapsed() < PAUSE => Some(up),
            _ => Some(self.standby_lag(standing).await.is_some()),
        }
    }

    /// How far the standby is behind; `None` where it cannot be read from.
    async fn standby_lag(&self, standing: &Standing) -> Option<Duration> {
        if !standing.is_due() {
            return None;
        }
        let server = standing.standby.server();
        match standing.standby.lag(&self.store).await {
            Ok(lag) => {
                if standing.note(true) {
                    tracing::info!(server, "The standby is read from");
                }
                self.metrics.set_standby(server, Some(lag));
                Some(lag)
            }
            Err(error) => {
                self.give_up(standing, &error);
                None
            }
        }
    }

    fn give_up(&self, standing: &Standing, error: &dyn std::error::Error) {
        let server = standing.standby.server();
        self.metrics.set_standby(server, None);
        if standing.note(false) {
            tracing::warn!(server, error = ?error, "The standby cannot be read from; the primary is, until it can");
        }
    }
}
