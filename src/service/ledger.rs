use std::collections::{HashMap, HashSet};

use super::Pool;
use crate::domain::{PlayerId, Round, Side, Timestamp};
use crate::rating::{Boundaries, Standing, Totals, Window, boundaries, rate, win_probability};
use crate::store::{
    NewEntry, PlayerRecord, PlayerResult, PoolRecord, RecordedRound, StoreError, Tx,
};

/// A locked pool with everything in memory that a few rounds touch, so that they are rated one
/// after another without the database and then written at once.
///
/// What is read and written for each participant does not depend on the window or on the player's
/// history: one player, at most three totals at the ends of the window's halves, one new entry.
#[derive(Debug)]
pub(super) struct Ledger<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    players: HashMap<PlayerId, PlayerRecord>,
    /// Totals by player and entry number; those of the rounds rated here too.
    totals: HashMap<(PlayerId, u64), Totals>,
    rounds: Vec<RecordedRound>,
    entries: Vec<NewEntry>,
}

impl<'pool> Ledger<'pool> {
    /// Reads what `rounds` need; `record` is the pool, locked in `tx`.
    pub(super) async fn open(
        tx: &mut Tx,
        pool: &'pool Pool,
        record: PoolRecord,
        rounds: &[&Round],
    ) -> Result<Self, StoreError> {
        // How often each player is rated; 0 for those who only count into a sum.
        let mut appearances: HashMap<PlayerId, u32> = HashMap::new();
        for (_, entry) in rounds.iter().flat_map(|round| round.entries()) {
            *appearances.entry(entry.id).or_default() += u32::from(entry.participated);
        }
        let ids: Vec<PlayerId> = appearances.keys().copied().collect();
        let known = tx.players(pool.id, &ids).await?;

        let mut wanted = HashSet::new();
        for player in &known {
            for later in 0..appearances.get(&player.id).copied().unwrap_or(0) {
                let ends = boundaries(
                    player.entries + u64::from(later),
                    player.rounds.saturating_add(later),
                    pool.settings.parameters.window,
                );
                wanted.extend(
                    [ends.start, ends.old_end, ends.new_start]
                        .into_iter()
                        .filter(|number| (1..player.entries).contains(number))
                        .map(|number| (player.id, number)),
                );
            }
        }
        let wanted: Vec<(PlayerId, u64)> = wanted.into_iter().collect();
        let found = if wanted.is_empty() {
            Vec::new()
        } else {
            tx.totals(pool.id, &wanted).await?
        };
        let mut totals: HashMap<(PlayerId, u64), Totals> = found
            .into_iter()
            .map(|(player, number, totals)| ((player, number), totals))
            .collect();
        totals.extend(
            known
                .iter()
                .map(|player| ((player.id, player.entries), player.totals)),
        );
        Ok(Self {
            pool,
            record,
            players: known
                .into_iter()
                .map(|player| (player.id, player))
                .collect(),
            totals,
            rounds: Vec::with_capacity(rounds.len()),
            entries: Vec::new(),
        })
    }

    /// Rates one round, which ended at `ended_at` and was taken at `received_at`.
    ///
    /// # Errors
    /// Where the store lacks totals that it must have.
    pub(super) fn rate(
        &mut self,
        round: Round,
        ended_at: Timestamp,
        received_at: Timestamp,
    ) -> Result<RecordedRound, StoreError> {
        let parameters = &self.pool.settings.parameters;
        let sum = |side| -> i64 {
            let roster = round
                .entries()
                .filter(|(of, entry)| *of == side && entry.at_start);
            roster
                .map(|(_, entry)| i64::from(self.player(entry.id).rating.points()))
                .sum()
        };
        let for_a = win_probability(sum(Side::A), sum(Side::B), parameters.theta);
        let winner = round.parts().winner;
        self.record.log_length += 1;
        let position = self.record.log_length;

        let mut results = Vec::new();
        for (side, entry) in round.entries().filter(|(_, entry)| entry.participated) {
            let before = self.player(entry.id);
            let standing = Standing {
                rating: before.rating,
                rounds: before.rounds,
                window: self.window(&before)?,
            };
            let expected = match side {
                Side::A => for_a,
                Side::B => for_a.complement(),
            };
            let score = winner.score(side);
            let rated = rate(&standing, expected, score, parameters);
            let after = PlayerRecord {
                id: entry.id,
                rating: rated.rating,
                rounds: rated.rounds,
                entries: before.entries + 1,
                last_played: before.last_played.max(Some(ended_at)),
                totals: before.totals.with(rated.rating, expected, score),
            };
            results.push(PlayerResult {
                before: before.rating,
                after: rated.rating,
                k: rated.k,
                rounds: rated.rounds,
                visible: rated.rounds >= parameters.shadow_rounds,
            });
            self.entries.push(NewEntry {
                player: entry.id,
                number: after.entries,
                position,
                totals: after.totals,
            });
            self.totals.insert((entry.id, after.entries), after.totals);
            self.players.insert(entry.id, after);
        }

        let score = winner.score(Side::A);
        self.record.predictions = self.record.predictions.with(for_a, score);
        self.record.calibration = self.record.calibration.with(for_a, score);
        let recorded = RecordedRound {
            position,
            round: round.settled(ended_at, self.pool.name.clone()),
            ended_at,
            received_at,
            results,
            win_probability: for_a,
            theta: parameters.theta,
            predictions: self.record.predictions,
        };
        self.rounds.push(recorded.clone());
        Ok(recorded)
    }

    /// Writes everything that was rated.
    pub(super) async fn save(mut self, tx: &mut Tx) -> Result<(), StoreError> {
        if self.rounds.is_empty() {
            return Ok(());
        }
        let touched: HashSet<PlayerId> = self.entries.iter().map(|entry| entry.player).collect();
        let players: Vec<PlayerRecord> = self
            .players
            .into_values()
            .filter(|player| touched.contains(&player.id))
            .collect();
        // Two instances that insert the same names into different pools wait for each other; in the
        // same order, they cannot do so for ever.
        self.rounds.sort_by_cached_key(|recorded| {
            let parts = recorded.round.parts();
            (parts.server.clone(), parts.round_id.clone())
        });
        tx.insert_rounds(self.pool.id, &self.rounds).await?;
        tx.insert_entries(self.pool.id, &self.entries).await?;
        tx.save_players(self.pool.id, &players).await?;
        tx.save_pool(&self.record).await
    }

    fn player(&self, id: PlayerId) -> PlayerRecord {
        self.players
            .get(&id)
            .cloned()
            .unwrap_or_else(|| self.pool.new_player(id))
    }

    fn window(&self, player: &PlayerRecord) -> Result<Window, StoreError> {
        let known = |number| self.totals.get(&(player.id, number)).copied();
        self.pool.window(player, known)
    }
}

impl Pool {
    /// The window of `player`, from the totals after the player's entries of those numbers.
    ///
    /// # Errors
    /// Where the totals at one of its ends are not known.
    pub(super) fn window(
        &self,
        player: &PlayerRecord,
        totals: impl Fn(u64) -> Option<Totals>,
    ) -> Result<Window, StoreError> {
        let ends = self.window_ends(player);
        let at = |number| match number {
            0 => Ok(Totals::default()),
            _ => totals(number).ok_or(StoreError::Corrupt {
                table: "entries",
                column: "number",
            }),
        };
        let (start, old_end) = (at(ends.start)?, at(ends.old_end)?);
        let new_start = at(ends.new_start)?;
        Ok(Window::between(
            ends,
            start,
            old_end,
            new_start,
            player.totals,
        ))
    }

    /// Where the window of `player` and its halves end.
    pub(super) fn window_ends(&self, player: &PlayerRecord) -> Boundaries {
        boundaries(
            player.entries,
            player.rounds,
            self.settings.parameters.window,
        )
    }

    /// A player whom the pool has never heard of.
    pub(super) fn new_player(&self, id: PlayerId) -> PlayerRecord {
        PlayerRecord {
            id,
            rating: self.settings.parameters.initial_rating,
            rounds: 0,
            entries: 0,
            last_played: None,
            totals: Totals::default(),
        }
    }
}
