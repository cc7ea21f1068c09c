use std::collections::{HashMap, HashSet};

use super::history::changed_ratings;
use super::past_position::{PastPosition, place_at};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::Pool;
use crate::service::seasons::past::Starts;
use crate::store::{ChunksBefore, Entry, PlayerRecord, PoolId, StoreError, Tx};

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
    /// How far its log had come.
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
                // With those who were reset, of whom it is not kept when they played.
                others.push(player.id);
            }
        }
        // Who has rested has every round as of then, whenever it came.
        let is_known = |entry: &Entry| entry.position <= self.end;
        let mut known = self.last_rated(tx, &rested, self.end, is_known).await?;
        let had = |entry: &Entry| self.place.has_round(entry.position, entry.ended_at);
        known.extend(self.last_rated(tx, &others, self.place.last, had).await?);
        if self.place.by_end {
            self.walk_back(tx, others, &mut known).await?;
        }
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

    /// What each of the players was rated after the last round up to the place of the log that is meant, as far as it is in
    /// the row that begins last before.
    async fn last_rated(
        &self,
        tx: &mut Tx,
        players: &[PlayerId],
        position: u64,
        is_meant: impl Fn(&Entry) -> bool,
    ) -> Result<HashMap<PlayerId, RatedAt>, StoreError> {
        let unrated = players.iter().map(|player| (*player, (0, self.initial)));
        let mut known = unrated.collect();
        if !players.is_empty() {
            let entries = tx.entries_around(self.pool, players, position).await?;
            take(&mut known, entries.into_iter().filter(is_meant));
        }
        Ok(known)
    }

    /// Looks further back for the players of whom nothing is known: of rounds that did not come in the order played, one
    /// that ended by then may stand behind many that did not.
    async fn walk_back(
        &self,
        tx: &mut Tx,
        mut players: Vec<PlayerId>,
        known: &mut HashMap<PlayerId, RatedAt>,
    ) -> Result<(), StoreError> {
        let had = |entry: &Entry| self.place.has_round(entry.position, entry.ended_at);
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
                take(known, row.entries.into_iter().filter(had));
            }
            players.retain(|player| {
                known.get(player).is_some_and(|(place, _)| *place == 0)
                    && read.get(player) > read_before.get(player)
            });
            read_before = read;
            rows *= MORE;
        }
        Ok(())
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
