use std::collections::{HashMap, HashSet};

use super::history::changed_ratings;
use super::thin::evenly_spaced;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::Pool;
use crate::service::seasons::past::Starts;
use crate::store::{ChunksBefore, Entry, PlayerRecord, PoolId, RoundPlayed, StoreError, Tx};

/// How many full rows of entries are read of whoever's rounds did not come in the order played, to find the last of then;
/// each further time it is so many times more.
const MORE: u64 = 8;

/// Whether somebody who has played last at that time has not done so since `moment`: then all rounds count as before it,
/// also those that came later, as an import brings them.
pub(crate) fn has_rested(last_played: Option<Timestamp>, moment: Timestamp) -> bool {
    last_played.is_none_or(|last| last <= moment)
}

/// A player as of now, whose rating of earlier is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated {
    pub(crate) id: PlayerId,
    pub(crate) rating: Rating,
    pub(crate) last_played: Option<Timestamp>,
}

impl From<&PlayerRecord> for Rated {
    fn from(player: &PlayerRecord) -> Self {
        Self {
            id: player.id,
            rating: player.rating,
            last_played: player.last_played,
        }
    }
}

/// The place in the log where somebody got a rating, and that rating.
type RatedAt = (u64, Rating);

/// A pool as it was at some moment.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    moment: Timestamp,
    pool: PoolId,
    initial: Rating,
    place: PastPosition,
    starts: Starts,
    /// Whether no season has started since.
    is_same_season: bool,
    /// Whose rating an admin has ever changed.
    changed: HashSet<PlayerId>,
    /// The length of the log up to which players are known.
    end: u64,
}

impl Past {
    /// The pool as it was at `moment`, for players as they were when its log had the length `end`.
    pub(crate) async fn at(
        tx: &mut Tx,
        pool: &Pool,
        moment: Timestamp,
        end: u64,
    ) -> Result<Self, StoreError> {
        let place = place_at(tx, pool, moment).await?;
        let starts = Starts::of(tx, pool.id).await?;
        Ok(Self {
            moment,
            pool: pool.id,
            initial: pool.settings.parameters.initial_rating,
            place,
            is_same_season: starts.all(|position, at| place.has_change(position, at)),
            starts,
            changed: tx.changed_players(pool.id).await?.into_iter().collect(),
            end,
        })
    }

    /// Whether the player is rated as then for certain: who has not played since, and was changed by nobody.
    pub(crate) fn is_as_now(&self, player: &Rated) -> bool {
        self.is_same_season
            && has_rested(player.last_played, self.moment)
            && !self.changed.contains(&player.id)
    }

    /// What the ratings of `players` were: the initial one for whom the pool did not know.
    ///
    /// # Design
    /// A player's entries stand in the order of the log, so the last one up to a place of it is in the last row that
    /// begins before. One query finds it for all, however many rounds were played since.
    pub(crate) async fn ratings(
        &self,
        tx: &mut Tx,
        players: &[Rated],
    ) -> Result<HashMap<PlayerId, Rating>, StoreError> {
        let had_change = |position, at| self.place.has_change(position, at);
        let mut ratings = HashMap::with_capacity(players.len());
        let (mut rested, mut others) = (Vec::new(), Vec::new());
        for player in players {
            if self.is_as_now(player) {
                ratings.insert(player.id, player.rating);
            } else if player.last_played.is_some_and(|last| last <= self.moment) {
                rested.push(player.id);
            } else {
                others.push(player.id);
            }
        }
        let mut known = self.last_of_all(tx, rested).await?;
        known.extend(self.last_of_then(tx, others).await?);
        let changed = players.iter().map(|player| player.id);
        let changed = changed.filter(|player| self.changed.contains(player));
        let changed: Vec<PlayerId> = changed.collect();
        let made = if changed.is_empty() {
            Vec::new()
        } else {
            changed_ratings(tx, self.pool, &changed).await?
        };
        for change in made {
            if let Some(known) = known.get_mut(&change.player)
                && had_change(change.position, change.at)
                && change.position > known.0
            {
                *known = (change.position, change.rating);
            }
        }
        let known = known.into_iter();
        ratings.extend(known.map(|(player, known)| (player, self.starts.after(known, had_change))));
        Ok(ratings)
    }

    /// What each of the players was rated after the latest round, whenever that came up to the end.
    async fn last_of_all(
        &self,
        tx: &mut Tx,
        players: Vec<PlayerId>,
    ) -> Result<HashMap<PlayerId, RatedAt>, StoreError> {
        let mut known = self.unrated(&players);
        if !players.is_empty() {
            let entries = tx.entries_around(self.pool, &players, self.end).await?;
            let entries = entries.into_iter();
            take(
                &mut known,
                entries.filter(|entry| entry.position <= self.end),
            );
        }
        Ok(known)
    }

    /// What each of the players was rated after the last round that had been counted by then.
    async fn last_of_then(
        &self,
        tx: &mut Tx,
        mut players: Vec<PlayerId>,
    ) -> Result<HashMap<PlayerId, RatedAt>, StoreError> {
        let mut known = self.unrated(&players);
        if players.is_empty() {
            return Ok(known);
        }
        let had = |entry: &Entry| self.place.has_round(entry.position, entry.ended_at);
        let entries = tx
            .entries_around(self.pool, &players, self.place.last)
            .await?;
        take(&mut known, entries.into_iter().filter(had));
        if !self.place.by_end {
            return Ok(known);
        }
        // Rounds that did not come in the order played: one that ended by then may stand further ahead.
        players.retain(|player| known.get(player).is_some_and(|(place, _)| *place == 0));
        let end = ChunksBefore {
            position: self.place.last + 1,
            active: tx.pool(self.pool).await?.generation.unwrap_or_default(),
            written: None,
        };
        let mut rows = MORE;
        let mut read_before: HashMap<PlayerId, u64> = HashMap::new();
        while !players.is_empty() {
            let mut read: HashMap<PlayerId, u64> = HashMap::new();
            for row in tx.chunks_before(self.pool, &players, end, rows).await? {
                *read.entry(row.player).or_default() += 1;
                take(&mut known, row.entries.into_iter().filter(had));
            }
            players.retain(|player| {
                known.get(player).is_some_and(|(place, _)| *place == 0)
                    && read.get(player) > read_before.get(player)
            });
            read_before = read;
            rows *= MORE;
        }
        Ok(known)
    }

    fn unrated(&self, players: &[PlayerId]) -> HashMap<PlayerId, RatedAt> {
        let players = players.iter();
        players.map(|player| (*player, (0, self.initial))).collect()
    }
}

/// Keeps the last entry of each player.
fn take(known: &mut HashMap<PlayerId, RatedAt>, entries: impl IntoIterator<Item = Entry>) {
    for entry in entries {
        if let Some(known) = known.get_mut(&entry.player)
            && entry.position > known.0
        {
            *known = (entry.position, entry.step.rating);
        }
    }
}

/// How many places of the log one step looks at: four steps find one of sixteen million.
const PLACES_PROBED: u64 = 64;

/// How far a pool's log had come at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PastPosition {
    moment: Timestamp,
    /// The place of the last round of then; 0 for none.
    last: u64,
    /// The place of the first round since; `None` where none has come.
    next: Option<u64>,
    /// Whether it goes by when rounds ended, since nothing had come by then.
    by_end: bool,
}

impl PastPosition {
    /// Whether a round that stands at `position` and ended at that time was counted by then.
    pub(crate) fn has_round(&self, position: u64, ended_at: Timestamp) -> bool {
        position <= self.last && (!self.by_end || ended_at <= self.moment)
    }

    /// Whether an admin's change that stands at `position` had been made by then. While no round came,
    /// the time of the change itself decides.
    pub(crate) fn has_change(&self, position: u64, made_at: Timestamp) -> bool {
        let before_next = self.next.is_none_or(|next| position < next);
        position <= self.last || (before_next && made_at <= self.moment)
    }
}

/// How far the pool's log had come at `moment`.
///
/// # Design
/// What had come by then is what the service showed then, so a round that is sent or imported late
/// counts to the time since it came, whenever it was played. Where nothing had come by then, the
/// history was imported since, and has when each round was played: it had come as far as its last round
/// that had ended by then, whatever a first few rounds are that were played before it was imported. Rounds that are
/// pruned are older than any moment that is asked for. Each is searched for by steps: exact as far as rounds came in
/// the order played.
pub(crate) async fn place_at(
    tx: &mut Tx,
    pool: &Pool,
    moment: Timestamp,
) -> Result<PastPosition, StoreError> {
    let pruned = tx.last_prune(pool.id).await?;
    let whole = PastPosition {
        moment,
        last: pruned.as_ref().map_or(0, |prune| prune.position),
        next: None,
        by_end: false,
    };
    let end = tx.pool(pool.id).await?.log_length + 1;
    let came = narrow(tx, pool, whole, end, |round| round.received_at > moment).await?;
    if came.last > whole.last || pruned.is_some_and(|prune| prune.last_received_at <= moment) {
        return Ok(came);
    }
    let by_end = PastPosition {
        by_end: true,
        ..came
    };
    narrow(tx, pool, by_end, end, |round| round.ended_at > moment).await
}

/// Looks between `known.last` and `end` for the last round that is not yet `is_since`.
async fn narrow(
    tx: &mut Tx,
    pool: &Pool,
    known: PastPosition,
    end: u64,
    is_since: impl Fn(&RoundPlayed) -> bool,
) -> Result<PastPosition, StoreError> {
    let mut found = PastPosition {
        next: None,
        ..known
    };
    // The first round that stands here or behind, if there is one, is since then.
    let mut high = end;
    loop {
        let probes = evenly_spaced(found.last + 1, high - 1, PLACES_PROBED);
        if probes.is_empty() {
            return Ok(found);
        }
        let rounds = tx.rounds_from(pool.id, &probes).await?;
        let rounds: HashMap<u64, RoundPlayed> = rounds.into_iter().collect();
        let behind = (high, found.next);
        let mut first_since = None;
        for probe in probes {
            match rounds.get(&probe) {
                Some(round) if !is_since(round) => {
                    found.last = round.position;
                    first_since = None;
                }
                since_or_none => {
                    let next = since_or_none.map(|round| round.position);
                    first_since = first_since.or(Some((probe, next)));
                }
            }
        }
        (high, found.next) = first_since.unwrap_or(behind);
        high = high.max(found.last + 1);
    }
}
