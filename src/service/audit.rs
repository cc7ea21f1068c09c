use serde_json::{Map, Value, json};

use super::players::names::Names;
use super::{Service, ServiceError};
use crate::api::pagination::{AuditPlace, Count, Cursor, page};
use crate::api::{AuditAnswer, AuditQuery, AuditedAnswer};
use crate::domain::{Fingerprint, PlayerId, Timestamp};
use crate::rating::PlayerState;
use crate::store::{AuditEntry, PoolId, PoolRecord, corrupt};

/// Author of an admin's change, as the audit log records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// Admin whose request carried the secret with this fingerprint, as the author of a change.
    Secret(Fingerprint),
    /// Command-line program itself, as the author of a change such as an import of ratings.
    CommandLine,
    /// Calendar of the configuration that starts a pool's seasons, as the author of a season start.
    Calendar,
}

impl Author {
    pub(super) fn fingerprint(self) -> Option<Fingerprint> {
        match self {
            Self::Secret(fingerprint) => Some(fingerprint),
            Self::CommandLine | Self::Calendar => None,
        }
    }
}

impl Service {
    /// Lists the admins' changes in one pool or in all pools, newest first.
    pub async fn list_audit(&self, query: AuditQuery) -> Result<AuditAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pools = tx.pools().await?;
        let wanted = match query.pool {
            None => None,
            Some(name) => {
                let found = pools.iter().find(|pool| pool.name == name);
                Some(found.ok_or(ServiceError::NoSuchPool(name))?.id)
            }
        };
        let after = query.after.as_ref();
        let before = after.map(|Cursor(AuditPlace(time, id))| (*time, id.as_str()));
        let Count(limit) = query.limit;
        let found = tx.list_audit(wanted, before, limit + 1).await?;
        let (found, next) = page(found, limit, |last| {
            AuditPlace(last.made_at, last.id.clone())
        });
        let mut entries: Vec<AuditedAnswer> = found
            .into_iter()
            .map(|entry| answer(entry, &pools))
            .collect::<Result<_, _>>()?;
        let mut players: Vec<PlayerId> = entries.iter().filter_map(|entry| entry.player).collect();
        for entry in &mut entries {
            let listed = listed_players(entry).filter_map(|(player, _)| player);
            players.extend(listed);
        }
        let names = Names::of(&mut tx, players).await?;
        for entry in &mut entries {
            entry.player_name = entry.player.and_then(|player| names.of_player(player));
            for (player, figures) in listed_players(entry) {
                let name = player.and_then(|player| names.of_player(player));
                figures.insert("name".to_owned(), json!(name));
            }
        }
        Ok(AuditAnswer { entries, next })
    }
}

/// Iterates over the players listed in an audit entry's figures before and after the change, with the JSON object of
/// each player.
fn listed_players(
    entry: &mut AuditedAnswer,
) -> impl Iterator<Item = (Option<PlayerId>, &mut Map<String, Value>)> {
    let figures = [&mut entry.before, &mut entry.after].into_iter();
    let lists = figures.filter_map(|figures| figures.get_mut("players")?.as_array_mut());
    let players = lists.flatten().filter_map(Value::as_object_mut);
    players
        .filter(|player| player.contains_key("id"))
        .map(|player| {
            let id = player.get("id").and_then(Value::as_str);
            (id.and_then(|id| id.parse().ok()), player)
        })
}

fn answer(entry: AuditEntry, pools: &[PoolRecord]) -> Result<AuditedAnswer, ServiceError> {
    let pool = pools
        .iter()
        .find(|pool| pool.id == entry.pool)
        .ok_or_else(|| corrupt("audit", "pool_id"))?;
    let (server, round_id) = entry.round.unzip();
    Ok(AuditedAnswer {
        at: entry.made_at,
        secret: entry.secret,
        action: entry.action,
        pool: pool.name.clone(),
        player: entry.player,
        player_name: None,
        server,
        round_id,
        reason: entry.reason,
        before: value(&entry.before)?,
        after: value(&entry.after)?,
    })
}

fn value(text: &str) -> Result<Value, ServiceError> {
    serde_json::from_str(text).map_err(ServiceError::internal)
}

/// Returns a player's rating and rounds before or after a change, as JSON for the audit log.
pub(super) fn player_figures(player: &PlayerState) -> String {
    json!({"rating": player.rating, "rounds": player.rounds}).to_string()
}

/// Creates an audit entry without a player, round or reason.
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
