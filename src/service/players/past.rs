use std::collections::{HashMap, HashSet};

use super::history::{ChangedRating, changed_ratings};
use super::last_round::{LastRound, LastRounds, note_last};
use super::past_position::{PastPosition, place_at};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{Entry, PlayerState};
use crate::service::Pool;
use crate::service::seasons::past::Starts;
use crate::store::{ChunksBefore, PoolId, StoreError, Tx};

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
    /// Rated rounds ever.
    pub(crate) entries: u64,
    pub(crate) last_played: Option<Timestamp>,
}

impl From<&PlayerState> for Rated {
    fn from(player: &PlayerState) -> Self {
        Self {
            id: player.id,
            rating: player.rating,
            entries: player.entries,
            last_played: player.last_played,
        }
    }
}

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

    /// Whether all rounds of the player count as of then, whenever they came. Of those who were reset it is not kept
    /// when they played.
    fn counts_all(&self, player: &Rated) -> bool {
        player.last_played.is_some_and(|last| last <= self.moment)
    }

    /// Whether it goes by when rounds ended: rounds that stand further behind may count and others before them not.
    pub(crate) fn goes_by_end(&self) -> bool {
        self.place.by_end
    }

    /// Whether the last round of the player as of another moment is known to be that of this one as well.
    pub(crate) fn is_still_last(&self, round: &LastRound, player: &Rated) -> bool {
        round.is_still_last(player.entries, |(position, ended_at)| {
            if self.counts_all(player) {
                position <= self.end
            } else {
                self.place.has_round(position, ended_at)
            }
        })
    }

    /// What the ratings of `players` were: the initial one for whom the pool did not know.
    pub(crate) async fn ratings(
        &self,
        tx: &mut Tx,
        players: &[Rated],
    ) -> Result<HashMap<PlayerId, Rating>, StoreError> {
        let (as_now, others): (Vec<Rated>, Vec<Rated>) =
            players.iter().partition(|player| self.is_as_now(player));
        let last = self.last_rounds(tx, &others).await?;
        let by_admins = match &*self.changed_of(&last) {
            [] => Vec::new(),
            changed => changed_ratings(tx, self.pool, changed).await?,
        };
        let mut ratings = self.ratings_after(&last, &by_admins);
        ratings.extend(as_now.iter().map(|player| (player.id, player.rating)));
        Ok(ratings)
    }

    /// The last round of each of `players` that counts as of then.
    ///
    /// # Design
    /// A player's entries stand in the order of the log, so the last one up to a place of it is in the last row that
    /// begins before. One query finds it for all, however many rounds were played since.
    pub(crate) async fn last_rounds(
        &self,
        tx: &mut Tx,
        players: &[Rated],
    ) -> Result<LastRounds, StoreError> {
        let (rested, others): (Vec<Rated>, Vec<Rated>) =
            players.iter().partition(|player| self.counts_all(player));
        let is_known = |entry: &Entry| entry.position <= self.end;
        let mut last = self.rounds_around(tx, &rested, self.end, is_known).await?;
        let had = |entry: &Entry| self.place.has_round(entry.position, entry.ended_at);
        let place = self.place.last;
        last.extend(self.rounds_around(tx, &others, place, had).await?);
        if self.place.by_end {
            self.walk_back(tx, &others, &mut last).await?;
        }
        Ok(last)
    }

    /// Which of those players an admin has ever changed.
    pub(crate) fn changed_of(&self, last: &LastRounds) -> Vec<PlayerId> {
        let changed = last.keys().filter(|player| self.changed.contains(player));
        changed.copied().collect()
    }

    /// What the ratings of those players were whose last rounds of then these are; some were given others `by_admins`.
    pub(crate) fn ratings_after(
        &self,
        last: &LastRounds,
        by_admins: &[ChangedRating],
    ) -> HashMap<PlayerId, Rating> {
        let had_change = |position, at| self.place.has_change(position, at);
        let mut known: HashMap<PlayerId, (u64, Rating)> = last
            .iter()
            .map(|(player, round)| (*player, round.rated_at()))
            .collect();
        for change in by_admins {
            if let Some(known) = known.get_mut(&change.player)
                && had_change(change.position, change.at)
                && change.position > known.0
            {
                *known = (change.position, change.rating);
            }
        }
        let known = known.into_iter();
        known
            .map(|(player, known)| (player, self.starts.after(known, had_change)))
            .collect()
    }

    /// The last round of each of the players up to the place of the log that is meant, as far as it is in the row that
    /// begins last before.
    async fn rounds_around(
        &self,
        tx: &mut Tx,
        players: &[Rated],
        position: u64,
        is_meant: impl Fn(&Entry) -> bool,
    ) -> Result<LastRounds, StoreError> {
        let none = |player: &Rated| (player.id, LastRound::none(self.initial));
        let mut last: LastRounds = players.iter().map(none).collect();
        if !players.is_empty() && position > 0 {
            let players: Vec<PlayerId> = players.iter().map(|player| player.id).collect();
            let entries = tx.entries_around(self.pool, &players, position).await?;
            for row in entries.chunk_by(|one, next| one.player == next.player) {
                note_last(&mut last, row, &is_meant);
            }
        }
        Ok(last)
    }

    /// Looks further back for the players of whom nothing is known: of rounds that did not come in the order played, one
    /// that ended by then may stand behind many that did not.
    async fn walk_back(
        &self,
        tx: &mut Tx,
        players: &[Rated],
        last: &mut LastRounds,
    ) -> Result<(), StoreError> {
        let had = |entry: &Entry| self.place.has_round(entry.position, entry.ended_at);
        let is_unknown = |last: &LastRounds, player: &PlayerId| {
            last.get(player)
                .is_some_and(|round| round.rated_at().0 == 0)
        };
        let players = players.iter().map(|player| player.id);
        let mut players: Vec<PlayerId> =
            players.filter(|player| is_unknown(last, player)).collect();
        let end = ChunksBefore {
            position: self.place.last + 1,
            active: tx.pool(self.pool).await?.generation,
            written: None,
        };
        let mut rows = MORE;
        let mut read_before: HashMap<PlayerId, u64> = HashMap::new();
        while !players.is_empty() {
            let mut read: HashMap<PlayerId, u64> = HashMap::new();
            for row in tx.chunks_before(self.pool, &players, end, rows).await? {
                *read.entry(row.player).or_default() += 1;
                note_last(last, &row.entries, had);
            }
            players.retain(|player| {
                is_unknown(last, player) && read.get(player) > read_before.get(player)
            });
            read_before = read;
            rows *= MORE;
        }
        Ok(())
    }
}
