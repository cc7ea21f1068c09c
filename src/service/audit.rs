use serde_json::{Value, json};

use super::{Service, ServiceError};
use crate::domain::{Fingerprint, PlayerId, PoolName, RoundId, ServerName, Timestamp};
use crate::store::{AuditEntry, PlayerRecord, PoolId};

/// Who does what is noted in the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// Whoever has the secret of that fingerprint.
    Secret(Fingerprint),
    /// A command of the program, such as an import.
    CommandLine,
}

impl Author {
    pub(super) fn fingerprint(self) -> Option<Fingerprint> {
        match self {
            Self::Secret(fingerprint) => Some(fingerprint),
            Self::CommandLine => None,
        }
    }
}

/// Something that an admin did.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    /// When.
    pub made_at: Timestamp,
    /// The secret that was used; `None` where it was done on the command line.
    pub secret: Option<Fingerprint>,
    /// `set`, `reset`, `void`, `unvoid` or `rebuild`.
    pub action: String,
    /// Where.
    pub pool: PoolName,
    /// Whom it concerned.
    pub player: Option<PlayerId>,
    /// Which round it concerned.
    pub round: Option<(ServerName, RoundId)>,
    /// Why, if the admin said so.
    pub reason: Option<String>,
    /// What was before.
    pub before: Value,
    /// What was after.
    pub after: Value,
}

/// A place in the audit: behind the entry of that moment and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPlace(pub Timestamp, pub String);

/// A page of the audit, the latest first, and where the next begins.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    /// What was done.
    pub entries: Vec<Audited>,
    /// Where to go on; `None` at the end.
    pub next: Option<AuditPlace>,
}

impl Service {
    /// Up to `limit` of the things that admins did, the latest first, in the pool named or in all,
    /// from behind `after` on.
    ///
    /// # Errors
    /// A pool that the database does not have.
    pub async fn read_audit(
        &self,
        pool: Option<&PoolName>,
        after: Option<&AuditPlace>,
        limit: u32,
    ) -> Result<AuditPage, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pools = tx.pools().await?;
        let wanted = match pool {
            None => None,
            Some(name) => {
                let found = pools.iter().find(|pool| pool.name == *name);
                Some(
                    found
                        .ok_or_else(|| ServiceError::NoSuchPool(name.clone()))?
                        .id,
                )
            }
        };
        let before = after.map(|AuditPlace(time, id)| (*time, id.as_str()));
        // One more than is shown tells whether there is a next page.
        let mut found = tx.list_audit(wanted, before, limit + 1).await?;
        let is_last = found.len() <= limit as usize;
        found.truncate(limit as usize);
        let last = found.last().filter(|_| !is_last);
        let next = last.map(|entry| AuditPlace(entry.made_at, entry.id.clone()));
        let name_of = |id: PoolId| {
            let pool = pools.iter().find(|pool| pool.id == id);
            pool.map(|pool| pool.name.clone()).unwrap_or_default()
        };
        let entries = found
            .into_iter()
            .map(|entry| {
                Ok(Audited {
                    before: value(&entry.before)?,
                    after: value(&entry.after)?,
                    made_at: entry.made_at,
                    secret: entry.secret,
                    action: entry.action,
                    pool: name_of(entry.pool),
                    player: entry.player,
                    round: entry.round,
                    reason: entry.reason,
                })
            })
            .collect::<Result<_, ServiceError>>()?;
        Ok(AuditPage { entries, next })
    }
}

fn value(text: &str) -> Result<Value, ServiceError> {
    serde_json::from_str(text).map_err(ServiceError::internal)
}

/// What the audit says of a player before or after a change.
pub(super) fn player_figures(player: &PlayerRecord) -> String {
    json!({"rating": player.rating, "rounds": player.rounds}).to_string()
}

/// An entry without whom or what it concerned.
pub(super) fn entry(
    (action, id): (&str, &str),
    by: Author,
    at: Timestamp,
    pool: PoolId,
    (before, after): (String, String),
) -> AuditEntry {
    AuditEntry {
        made_at: at,
        id: id.to_owned(),
        secret: by.fingerprint(),
        action: action.to_owned(),
        pool,
        player: None,
        round: None,
        reason: None,
        before,
        after,
    }
}
