//! The secrets that are accepted, and what each is for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::auth::AuthConfig;
use super::caller::Binding;
use super::rate_limit::Bucket;
use crate::config::{Candidate, KnownSecret, RateLimit, ReadScope, Secrets};
use crate::domain::{Fingerprint, SecretName};
use crate::http::Problem;

#[derive(Debug)]
pub(super) struct SecretSet {
    /// The game servers' secrets, then the bound ones.
    pub(super) game: Vec<SecretGroup>,
    pub(super) admin: Option<Secrets>,
    pub(super) readers: Option<(SecretGroup, BTreeSet<ReadScope>)>,
    pub(super) metrics_public: bool,
}

/// What signs a session: a secret, or what the link to log in by stands for.
pub(super) struct Signer {
    pub(super) digest: Candidate,
    pub(super) fingerprint: Fingerprint,
    pub(super) name: Option<SecretName>,
}

impl From<&KnownSecret> for Signer {
    fn from(known: &KnownSecret) -> Self {
        Self {
            digest: known.digest,
            fingerprint: known.fingerprint,
            name: known.name.clone(),
        }
    }
}

impl From<(Candidate, Fingerprint)> for Signer {
    fn from((digest, fingerprint): (Candidate, Fingerprint)) -> Self {
        Self {
            digest,
            fingerprint,
            name: None,
        }
    }
}

/// Secrets that are for the same.
#[derive(Debug)]
pub(super) struct SecretGroup {
    pub(super) secrets: Secrets,
    pub(super) binding: Option<Arc<Binding>>,
    /// One for each of the secrets, where they are limited.
    buckets: Vec<Bucket>,
}

impl SecretGroup {
    fn new(secrets: Secrets, binding: Option<Binding>, limit: Option<RateLimit>) -> Self {
        let buckets = limit.map_or_else(Vec::new, |limit| {
            let of_each = |_| Bucket::new(limit);
            (0..secrets.count()).map(of_each).collect()
        });
        Self {
            secrets,
            binding: binding.map(Arc::new),
            buckets,
        }
    }

    /// Takes one of the requests that the secret at `index` may send at `now`.
    pub(super) fn take(&self, index: u32, now: Duration) -> Result<(), Problem> {
        let bucket = usize::try_from(index)
            .ok()
            .and_then(|index| self.buckets.get(index));
        bucket.map_or(Ok(()), |bucket| {
            bucket.take(now).map_err(Problem::too_many_requests)
        })
    }
}

impl SecretSet {
    pub(super) fn new(config: AuthConfig) -> Self {
        let common = SecretGroup::new(config.game, None, config.rate_limit);
        let bound = config.bound.into_iter().map(|bound| {
            let binding = Binding {
                servers: bound.servers,
                pools: bound.pools,
            };
            SecretGroup::new(bound.secrets, Some(binding), bound.rate_limit)
        });
        let readers = config.read.map(|read| {
            let group = SecretGroup::new(read.secrets, None, config.rate_limit);
            (group, read.scopes)
        });
        Self {
            game: std::iter::once(common).chain(bound).collect(),
            admin: config.admin,
            readers,
            metrics_public: config.metrics_public,
        }
    }

    pub(super) fn known(&self) -> impl Iterator<Item = &KnownSecret> {
        let game = self.game.iter().map(|group| &group.secrets);
        let readers = self.readers.iter().map(|(group, _)| &group.secrets);
        let all = self.admin.iter().chain(game).chain(readers);
        all.flat_map(Secrets::known)
    }
}
