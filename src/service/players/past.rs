use std::collections::{HashMap, HashSet};

use super::history::{ChangedRating, changed_ratings};
use super::last_round::{LastRound, LastRounds, note_last};
use super::past_position::{PastPosition, place_at};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{Entry, PlayerState};
use crate::service::Pool;
use crate::service::seasons::past::Starts;
use crate::store::{ChunksBefore, PoolId, StoreError, Tx};

/// Number of database rows read per player in the first step of a search back in the log, and factor by which this
/// number grows with each step.
const MORE: u64 = 8;

/// Present state of a player whose past rating is requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated {
    pub(crate) id: PlayerId,
    pub(crate) rating: Rating,
    /// Number of the player's rated rounds, including rounds before resets.
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

/// State of a pool at `moment`, a requested time in the past, from which the ratings at that time are computed.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    moment: Timestamp,
    pool: PoolId,
    initial: Rating,
    place: PastPosition,
    starts: Starts,
    /// `true` if no season of the pool has started since the requested time in the past.
    is_same_season: bool,
    /// Players of the pool whose rating an admin has ever changed.
    changed: HashSet<PlayerId>,
    /// Length of the pool's log, in positions, when the players' present state was read.
    end: u64,
}

impl Past {
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

    /// Returns `true` if the player's rating has certainly not changed since the requested time in the past: no rounds
    /// and no season since then, and no change by an admin ever. Rounds that ended by that time count as earlier, even
    /// if they arrived later, as in an import.
    pub(crate) fn is_as_now(&self, player: &Rated) -> bool {
        self.is_same_season
            && player.last_played.is_none_or(|last| last <= self.moment)
            && !self.changed.contains(&player.id)
    }

    /// Returns `true` if all rounds of the player ended by the requested time in the past, and therefore count whenever
    /// they arrived. Always `false` for players who were reset, because a reset clears the time of the last round.
    fn counts_all(&self, player: &Rated) -> bool {
        player.last_played.is_some_and(|last| last <= self.moment)
    }

    /// Returns `true` if a round's ending time, not its arrival, decides if the round was played by the requested time
    /// in the past. Then a later round in the log may count while an earlier one does not.
    pub(crate) fn goes_by_end(&self) -> bool {
        self.place.by_end
    }

    /// Returns `true` if `round`, found for another time in the past, is certainly the player's last round up to this
    /// time, too.
    pub(crate) fn is_still_last(&self, round: &LastRound, player: &Rated) -> bool {
        round.is_still_last(player.entries, |(position, ended_at)| {
            if self.counts_all(player) {
                position <= self.end
            } else {
                self.place.has_round(position, ended_at)
            }
        })
    }

    /// Returns the ratings of `players` at the requested time in the past. Players unknown at that time get the initial
    /// rating.
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

    /// Returns the last round of each of `players` up to the requested time in the past.
    ///
    /// # Design
    /// A player's rounds are stored in log order, several to a database row. So the last round up to a log
    /// position is in the last row that begins before the position. One query finds these rows for all players, however
    /// many rounds were played since.
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

    /// Returns the players whose rating an admin has ever changed, among the keys of `last`, which holds each player's
    /// last round up to the requested time in the past.
    pub(crate) fn changed_of(&self, last: &LastRounds) -> Vec<PlayerId> {
        let changed = last.keys().filter(|player| self.changed.contains(player));
        changed.copied().collect()
    }

    /// Returns the rating that each player in `last` had at the requested time in the past. Computes it from the
    /// player's last round up to this time, later rating changes `by_admins`, and later season starts.
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
        known
            .into_iter()
            .map(|(player, known)| (player, self.starts.after(known, had_change)))
            .collect()
    }

    /// Returns each player's last round that satisfies `is_meant`. Searches only the player's last database row that
    /// begins before log position `position`.
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

    /// Reads further back in the log for players whose last round up to the requested time in the past is not found
    /// yet. If rounds arrived out of order, a round that ended by that time may precede many rounds that ended later.
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
