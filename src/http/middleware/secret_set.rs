//! Accepted secrets, grouped by their permissions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use parking_lot::Mutex;

use super::auth::AuthConfig;
use super::caller::Binding;
use super::rate_limit::Bucket;
use crate::api::{SecretAnswer, SecretKind};
use crate::config::{Candidate, KnownSecret, RateLimit, ReadScope, Secrets};
use crate::domain::Timestamp;
use crate::http::Problem;
use crate::http::resources::metrics;

pub(super) struct SecretSet {
    /// Groups of game servers' secrets: first those for all servers, then those restricted to some.
    pub(super) game: Vec<SecretGroup>,
    pub(super) admin: Option<SecretGroup>,
    pub(super) readers: Option<(SecretGroup, BTreeSet<ReadScope>)>,
    pub(super) metrics_public: bool,
}

/// Secrets with the same permissions.
pub(super) struct SecretGroup {
    kind: SecretKind,
    pub(super) secrets: Secrets,
    pub(super) binding: Option<Arc<Binding>>,
    /// Token bucket of each secret's rate limit, in the order of the secrets; empty without a rate limit.
    buckets: Vec<Bucket>,
    /// Use counter of each secret, in the order of the secrets.
    uses: Vec<Arc<Mutex<SecretUse>>>,
}

/// Number of requests with a secret, and the time of the last one. Shows the secrets that nobody uses any more.
#[derive(Default)]
struct SecretUse {
    last: Option<Timestamp>,
    requests: u64,
}

/// Use counters by the digest of their secret.
type Uses = Vec<(Candidate, Arc<Mutex<SecretUse>>)>;

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
            let first = Arc::<Mutex<SecretUse>>::default();
            uses.push((digest, Arc::clone(&first)));
            first
        };
        let uses = secrets.known.iter().map(use_of).collect();
        let buckets = limit.map_or_else(Vec::new, |limit| {
            let of_each = |_| Bucket::new(limit);
            (0..secrets.known.len()).map(of_each).collect()
        });
        Self {
            kind,
            secrets,
            binding: binding.map(Arc::new),
            buckets,
            uses,
        }
    }

    pub(super) fn note(&self, index: u32, now: Timestamp) {
        if let Some(used) = self.uses.get(index as usize) {
            let mut used = used.lock();
            used.last = used.last.max(Some(now));
            used.requests += 1;
        }
    }

    /// Takes a request from the rate limit of the secret at `index`. `now` is the time since the start of the service.
    pub(super) fn take(&self, index: u32, now: Duration) -> Result<(), Problem> {
        match self.buckets.get(index as usize) {
            Some(bucket) => bucket.take(now).map_err(Problem::too_many_requests),
            None => Ok(()),
        }
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
        self.groups().flat_map(|group| &group.secrets.known)
    }

    fn uses(&self) -> Uses {
        let uses = self.groups().flat_map(|group| &group.uses).cloned();
        self.known().map(|known| known.digest).zip(uses).collect()
    }

    pub(super) fn answers(&self) -> Vec<SecretAnswer> {
        let of_group = |group: &SecretGroup| {
            let kind = group.kind;
            let known = group.secrets.known.iter().zip(&group.uses);
            let answers = known.map(|(known, used)| {
                let SecretUse { last, requests } = *used.lock();
                SecretAnswer {
                    fingerprint: known.fingerprint,
                    name: known.name.clone(),
                    kind,
                    last_used: last,
                    requests,
                }
            });
            answers.collect::<Vec<_>>()
        };
        self.groups().flat_map(of_group).collect()
    }
}

/// Returns the paths that a scope of a read-only secret opens. The scope of figures includes no round, and no player
/// except those on the leaderboard.
fn paths(scope: ReadScope) -> &'static [&'static str] {
    match scope {
        ReadScope::Metrics => &[metrics::PATH],
        ReadScope::Figures => &[
            "/v1/leaderboard",
            "/v1/admin/quality",
            "/v1/admin/quality/history",
            "/v1/admin/models",
            "/v1/admin/pools",
            "/v1/admin/activity",
            "/v1/admin/interventions/summary",
        ],
    }
}

/// Returns an error for a request that the `scopes` of a read-only secret do not cover.
pub(super) fn check_scopes(
    scopes: &BTreeSet<ReadScope>,
    method: &Method,
    path: &str,
) -> Result<(), Problem> {
    let open: Vec<&str> = scopes
        .iter()
        .flat_map(|scope| paths(*scope))
        .copied()
        .collect();
    let reads = [Method::GET, Method::HEAD].contains(method);
    if reads && open.contains(&path) {
        Ok(())
    } else {
        Err(Problem::read_only(&open.join(", ")))
    }
}
