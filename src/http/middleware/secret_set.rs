//! Accepted secrets, grouped by their permissions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::auth::AuthConfig;
use super::caller::Binding;
use super::rate_limit::Bucket;
use super::secret_use::SecretUse;
use crate::api::{SecretAnswer, SecretKind};
use crate::config::{Candidate, KnownSecret, RateLimit, ReadScope, Secrets};
use crate::domain::Timestamp;
use crate::http::Problem;

#[derive(Debug)]
pub(super) struct SecretSet {
    /// Groups of game servers' secrets: first those for all servers, then those restricted to some.
    pub(super) game: Vec<SecretGroup>,
    pub(super) admin: Option<SecretGroup>,
    pub(super) readers: Option<(SecretGroup, BTreeSet<ReadScope>)>,
    pub(super) metrics_public: bool,
}

/// Secrets with the same permissions.
#[derive(Debug)]
pub(super) struct SecretGroup {
    kind: SecretKind,
    secrets: Secrets,
    pub(super) binding: Option<Arc<Binding>>,
    /// Token bucket of each secret's rate limit, in the order of the secrets; empty without a rate limit.
    buckets: Vec<Bucket>,
    /// Use counter of each secret, in the order of the secrets.
    uses: Vec<Arc<SecretUse>>,
}

/// Use counters by the digest of their secret.
type Uses = Vec<(Candidate, Arc<SecretUse>)>;

impl SecretGroup {
    /// Returns a group of secrets with the same permissions. Secrets in `uses` keep their counters; the others are
    /// added to `uses`.
    fn new(
        kind: SecretKind,
        secrets: Secrets,
        binding: Option<Binding>,
        limit: Option<RateLimit>,
        uses: &mut Uses,
    ) -> Self {
        let use_of = |known: &KnownSecret| {
            let digest = known.digest;
            let before = uses.iter().find(|(secret, _)| secret.is(&digest));
            if let Some((_, earlier)) = before {
                return Arc::clone(earlier);
            }
            let first = Arc::<SecretUse>::default();
            uses.push((digest, Arc::clone(&first)));
            first
        };
        let uses = secrets.known().iter().map(use_of).collect();
        let buckets = limit.map_or_else(Vec::new, |limit| {
            let of_each = |_| Bucket::new(limit);
            (0..secrets.count()).map(of_each).collect()
        });
        Self {
            kind,
            secrets,
            binding: binding.map(Arc::new),
            buckets,
            uses,
        }
    }

    pub(super) fn index_of(&self, secret: &Candidate) -> Option<u32> {
        self.secrets.index_of(secret)
    }

    pub(super) fn note(&self, index: u32, now: Timestamp) {
        if let Some(used) = usize::try_from(index)
            .ok()
            .and_then(|index| self.uses.get(index))
        {
            used.note(now);
        }
    }

    /// Takes a request from the rate limit of the secret at `index`. `now` is the time since the start of the service.
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
    /// Returns the set of secrets that `config` accepts. Secrets that `before` accepted too keep their use counters.
    pub(super) fn new(config: AuthConfig, before: Option<&Self>) -> Self {
        let mut uses: Uses = before.map(Self::uses).unwrap_or_default();
        let uses = &mut uses;
        let limit = config.rate_limit;
        let admin = config
            .admin
            .map(|secrets| SecretGroup::new(SecretKind::Admin, secrets, None, None, uses));
        let mut game = vec![SecretGroup::new(
            SecretKind::Game,
            config.game,
            None,
            limit,
            uses,
        )];
        for bound in config.bound {
            let binding = Some(Binding {
                servers: bound.servers,
                pools: bound.pools,
            });
            let (secrets, limit) = (bound.secrets, bound.rate_limit);
            game.push(SecretGroup::new(
                SecretKind::Bound,
                secrets,
                binding,
                limit,
                uses,
            ));
        }
        let readers = config.read.map(|read| {
            let group = SecretGroup::new(SecretKind::Read, read.secrets, None, limit, uses);
            (group, read.scopes)
        });
        Self {
            game,
            admin,
            readers,
            metrics_public: config.metrics_public,
        }
    }

    fn groups(&self) -> impl Iterator<Item = &SecretGroup> {
        let readers = self.readers.iter().map(|(group, _)| group);
        self.admin.iter().chain(&self.game).chain(readers)
    }

    pub(super) fn known(&self) -> impl Iterator<Item = &KnownSecret> {
        self.groups().flat_map(|group| group.secrets.known())
    }

    fn uses(&self) -> Uses {
        let uses = self.groups().flat_map(|group| &group.uses).cloned();
        self.known().map(|known| known.digest).zip(uses).collect()
    }

    pub(super) fn answers(&self) -> Vec<SecretAnswer> {
        let of_group = |group: &SecretGroup| {
            let kind = group.kind;
            let known = group.secrets.known().iter().zip(&group.uses);
            let answers = known.map(|(known, used)| SecretAnswer {
                fingerprint: known.fingerprint,
                name: known.name.clone(),
                kind,
                last_used: used.last(),
                requests: used.requests(),
            });
            answers.collect::<Vec<_>>()
        };
        self.groups().flat_map(of_group).collect()
    }
}
