//! Display names of players: stored as game servers send them, and shown to people.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use serde_json::json;

use crate::api::{
    AdminPlayerAnswer, AliasRequest, ForgetRequest, MovedRatingAnswer, MovedRatingsAnswer,
};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, PoolName, SentName, Timestamp};
use crate::random;
use crate::rating::RatingComparison;
use crate::service::audit::{self, Author};
use crate::service::players::adjust::ChangeNote;
use crate::service::rounds::void_all::VoidRounds;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{AuditEntry, NameRecord, NameSource, StoreError, Tx};

/// Maximum number of stored names of strangers, who have played in no pool. The latest names are kept.
const MAX_STRANGERS: u32 = 5_000;
const STRANGERS_KEPT_FOR: Duration = Duration::from_hours(30 * 24);

#[derive(Clone, Debug, Default)]
pub(crate) struct Names(HashMap<PlayerId, NameRecord>);

impl Names {
    /// Reads the names of `players`, which may contain duplicates, with one query.
    pub(crate) async fn of(tx: &mut Tx, mut players: Vec<PlayerId>) -> Result<Self, StoreError> {
        players.sort_unstable();
        players.dedup();
        if players.is_empty() {
            return Ok(Self::default());
        }
        let found = tx.player_names(&players).await?.into_iter();
        Ok(Self(found.map(|one| (one.player, one)).collect()))
    }

    /// Returns the name to show for the player: the admin's alias, or else the pseudonym of a player whose id is
    /// hidden, or else the last name sent by a game server.
    pub(crate) fn of_player(&self, player: PlayerId) -> Option<PlayerDisplayName> {
        let record = self.0.get(&player)?;
        let pseudonym = record
            .pseudonym
            .and_then(|number| PlayerDisplayName::clean(&format!("forgotten player {number}")));
        record.alias.clone().or(pseudonym).or(record.name.clone())
    }

    /// Returns `true` if the player's id must not be shown to people.
    pub(crate) fn hides_id(&self, player: PlayerId) -> bool {
        let record = self.0.get(&player);
        record.is_some_and(|record| record.pseudonym.is_some())
    }

    pub(crate) fn alias(&self, player: PlayerId) -> Option<PlayerDisplayName> {
        self.0.get(&player)?.alias.clone()
    }

    /// Returns `true` if the player is forgotten, so that no names are stored.
    pub(crate) fn is_forgotten(&self, player: PlayerId) -> bool {
        let record = self.0.get(&player);
        record.is_some_and(|record| record.forgotten_at.is_some())
    }
}

pub(crate) async fn moved_ratings(
    tx: &mut Tx,
    ratings: RatingComparison,
) -> Result<MovedRatingsAnswer, StoreError> {
    let players = ratings.largest.iter().map(|change| change.id).collect();
    let names = Names::of(tx, players).await?;
    Ok(MovedRatingsAnswer {
        players: ratings.moved,
        points: ratings.points,
        largest: ratings
            .largest
            .iter()
            .map(|change| MovedRatingAnswer {
                id: change.id,
                name: names.of_player(change.id),
                id_hidden: names.hides_id(change.id),
                before: change.is,
                after: change.would_be,
            })
            .collect(),
    })
}

impl Service {
    /// Stores the display names of players from a request, each valid from its time on; a newer stored name wins. The
    /// request neither fails nor waits for the disk: a failure is logged, and the next request sends the name again.
    ///
    /// If the `secret` is valid for `own` pools only, the names of players who have played only in other pools are
    /// ignored. Names of strangers, who have played in no pool, are stored for 30 days, and only the last 5,000 of
    /// them.
    pub async fn keep_names(
        &self,
        sent: Vec<SentName>,
        secret: Option<Fingerprint>,
        own: Option<&BTreeSet<PoolName>>,
    ) {
        if sent.is_empty() {
            return;
        }
        if let Err(error) = self.keep_changed_names(sent, secret, own).await {
            tracing::warn!(error = ?error, "Cannot store the names of players");
        }
    }

    /// Stores the player names that differ from the stored ones. Most requests have none, and cost one read and no
    /// write.
    async fn keep_changed_names(
        &self,
        sent: Vec<SentName>,
        secret: Option<Fingerprint>,
        own: Option<&BTreeSet<PoolName>>,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let mut latest: BTreeMap<PlayerId, (Timestamp, PlayerDisplayName)> = BTreeMap::new();
        for SentName { player, name, at } in sent {
            let at = at.map_or(now, |at| at.min(now));
            let known = latest.get(&player);
            if known.is_none_or(|(known, _)| *known <= at) {
                latest.insert(player, (at, name));
            }
        }
        let mut tx = self.store.begin_read().await?;
        let known = Names::of(&mut tx, latest.keys().copied().collect())
            .await?
            .0;
        latest.retain(|player, (at, name)| {
            known.get(player).is_none_or(|known| {
                let is_older = known.name.is_none() || known.named_at <= *at;
                let is_other = known.is_stranger || known.name.as_ref() != Some(name);
                known.forgotten_at.is_none() && is_older && is_other
            })
        });
        if latest.is_empty() {
            return Ok(());
        }
        let (mut of_players, mut of_strangers) = (Vec::new(), Vec::new());
        let mut is_in_own_pool = self.find_known(&mut tx, latest.keys(), own).await?;
        drop(tx);
        for (player, (at, name)) in latest {
            let is_same = |known: &NameRecord| known.name.as_ref() == Some(&name);
            match is_in_own_pool.remove(&player) {
                Some(true) => of_players.push((player, name, at)),
                Some(false) => {}
                None if known.get(&player).is_some_and(is_same) => {}
                None => of_strangers.push((player, name, at)),
            }
        }
        if of_players.is_empty() && of_strangers.is_empty() {
            return Ok(());
        }
        let mut tx = self.store.begin_deferred().await?;
        for (names, are_strangers) in [(&of_players, false), (&of_strangers, true)] {
            let from = NameSource {
                secret,
                received_at: now,
                are_strangers,
            };
            if !names.is_empty() {
                tx.save_player_names(names, from).await?;
            }
        }
        if !of_strangers.is_empty() {
            let cutoff = now.earlier(STRANGERS_KEPT_FOR);
            tx.delete_old_strangers(cutoff, MAX_STRANGERS).await?;
        }
        tx.commit().await
    }

    /// Returns the players who have played in any pool, each with `true` if the caller's secret is valid for one of the
    /// player's pools. `own` contains the pools of the secret (`None` for all pools).
    async fn find_known(
        &self,
        tx: &mut Tx,
        players: impl Iterator<Item = &PlayerId>,
        own: Option<&BTreeSet<PoolName>>,
    ) -> Result<HashMap<PlayerId, bool>, StoreError> {
        let mut pools = self.all_pools();
        let is_own = |pool: &Pool| own.is_none_or(|own| own.contains(&pool.name));
        pools.sort_by_key(|pool| !is_own(pool));
        let mut unknown: Vec<PlayerId> = players.copied().collect();
        let mut known = HashMap::new();
        for pool in pools {
            if unknown.is_empty() {
                break;
            }
            let found = tx.players(pool.id, &unknown).await?.into_iter();
            known.extend(found.map(|found| (found.id, is_own(&pool))));
            unknown.retain(|player| !known.contains_key(player));
        }
        Ok(known)
    }

    /// Sets or removes the alias of a player in every pool. The audit log of `pool` records the change without the
    /// alias.
    ///
    /// # Errors
    /// Returns an error if the alias is for a forgotten player.
    pub async fn set_player_alias(
        &self,
        pool: &Pool,
        id: PlayerId,
        request: AliasRequest,
        by: Author,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let mut tx = self.store.begin().await?;
        let known = Names::of(&mut tx, vec![id]).await?;
        if request.alias.is_some() && known.is_forgotten(id) {
            let problem = format!(
                "belongs to a player who has been forgotten; send {{\"forgotten\": false}} to \
                 /v1/admin/players/{id}/forget first"
            );
            return Err(ServiceError::invalid("/alias", problem));
        }
        let before = known.alias(id);
        if before != request.alias {
            let now = self.clock.now();
            tx.set_player_alias(id, request.alias.as_ref(), now).await?;
            // An alias in the audit log would survive a later request to forget the player.
            let figures = [before.is_some(), request.alias.is_some()]
                .map(|has_alias| json!({"has_alias": has_alias}).to_string());
            let reason = request.reason.map(String::from);
            self.audit_names(&mut tx, pool, Some(id), ("alias", reason, figures), by)
                .await?;
            tx.commit().await?;
        }
        self.get_player_details(pool, id).await
    }

    /// Deletes the names of a player and stores none from then on, or ends that state, which restores no names. The
    /// audit log of `pool` records the change.
    pub async fn forget_player(
        &self,
        pool: &Pool,
        id: PlayerId,
        request: ForgetRequest,
        by: Author,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let mut tx = self.store.begin().await?;
        let known = Names::of(&mut tx, vec![id]).await?;
        let before = (known.is_forgotten(id), known.hides_id(id));
        let is_forgotten = request.forgotten.unwrap_or(true);
        let hide_id = request.hide_id.unwrap_or_default();
        let after = (is_forgotten, is_forgotten && hide_id);
        let has_name = known.of_player(id).is_some();
        if before != after || (is_forgotten && has_name && !known.hides_id(id)) {
            if is_forgotten {
                tx.forget_player(id, hide_id, self.clock.now())
                    .await
                    .map_err(|error| match error {
                        // A concurrent request took the same number for another pseudonym.
                        StoreError::Duplicate(error) => StoreError::Unavailable(error),
                        error => error,
                    })?;
            } else {
                tx.remember_player(id).await?;
            }
            let figures = [before, after].map(|(is_forgotten, hides_id)| {
                json!({"forgotten": is_forgotten, "id_hidden": hides_id}).to_string()
            });
            let reason = request.reason.map(String::from);
            self.audit_names(&mut tx, pool, Some(id), ("forget", reason, figures), by)
                .await?;
            tx.commit().await?;
        }
        self.get_player_details(pool, id).await
    }

    /// Deletes the player names that arrived with the secret and in the time range of `which`, records that in the
    /// audit log, and returns the number of names. Without an author, only counts the names. The players have no names
    /// until game servers send them again.
    pub async fn take_back_names(
        &self,
        which: &VoidRounds,
        note: ChangeNote,
        by: Option<Author>,
    ) -> Result<u64, ServiceError> {
        let Some(secret) = which.secret else {
            return Ok(0);
        };
        let received = (which.received_since, which.received_until);
        let Some(by) = by else {
            let mut tx = self.store.begin_read().await?;
            return Ok(tx.count_names_of_secret(secret, received).await?);
        };
        let mut tx = self.store.begin().await?;
        let names = tx.count_names_of_secret(secret, received).await?;
        if names > 0 {
            tx.delete_names_of_secret(secret, received).await?;
            // Names belong to no pool, but every audit entry needs a pool.
            let pool = self
                .all_pools()
                .into_iter()
                .next()
                .ok_or_else(|| ServiceError::NoSuchPool(PoolName::default()))?;
            let mut after = which.shown();
            after["names"] = json!(0);
            let figures = [json!({"names": names}).to_string(), after.to_string()];
            let change = ("take_back_names", note.reason, figures);
            self.audit_names(&mut tx, &pool, None, change, by).await?;
            tx.commit().await?;
        }
        Ok(names)
    }

    async fn audit_names(
        &self,
        tx: &mut Tx,
        pool: &Pool,
        player: Option<PlayerId>,
        (action, reason, [before, after]): (&str, Option<String>, [String; 2]),
        by: Author,
    ) -> Result<(), ServiceError> {
        let name = random::hex::<16>().map_err(ServiceError::internal)?;
        let now = self.clock.now();
        let entry = AuditEntry {
            player,
            reason,
            ..audit::entry((action, &name), by, now, pool.id, (before, after))
        };
        Ok(tx.insert_audit(&entry).await?)
    }
}
