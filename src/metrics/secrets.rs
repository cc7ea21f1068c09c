//! When secrets were last used.

use std::sync::PoisonError;

use super::registry::labels;
use super::{Metrics, unix_seconds};
use crate::domain::{Fingerprint, Timestamp};

impl Metrics {
    /// The secrets that are accepted, and when a request last came with each; `None` where that was not since the
    /// start.
    pub fn set_secrets(&self, secrets: impl Iterator<Item = (Fingerprint, Option<Timestamp>)>) {
        let family = &self.0.metrics.secret_last_used_timestamp;
        // No code that could panic runs under the lock.
        let mut shown = self
            .0
            .secrets_shown
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *shown);
        for (fingerprint, last) in secrets {
            let labels = labels([("fingerprint", &*fingerprint.to_string())]);
            family
                .get_or_create(&labels)
                .set(last.map_or(0.0, unix_seconds));
            shown.push(labels);
        }
        for gone in before.iter().filter(|labels| !shown.contains(labels)) {
            family.remove(gone);
        }
    }
}
