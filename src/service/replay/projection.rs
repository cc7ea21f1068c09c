use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::appearances::Appearances;
use super::groups::groups_of;
use super::held::Held;
use super::past_totals::PastTotals;
use super::player::{changed, new_player, result};
use crate::domain::{PlayerId, PlayerMap, PlayerSet, Side, Timestamp};
use crate::rating::{
    Calibration, Conditions, Experience, GroupTotals, ModelState, Parameters, PoolModel,
    PoolModelName, PredictionTotals, Seat, Standing, Step, Totals, Window, lead,
};
use crate::store::{
    ChangeKind, Entry, EntryChunk, LoggedRound, PlayerRecord, PoolRecord, PruneRecord, RoundGroup,
    RoundResult, StoreError,
};

/// Ratings as they are computed from a pool's log, one thing of it after another, in memory: the one
/// place where a round or a change makes figures of figures. An update holds of it the players of its rounds and of
/// rounds before, a replay all of it.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    /// What the players are rated by, with what it has learnt so far.
    model: Box<dyn PoolModel>,
    /// Boxed, for a table that grows has room for twice as many.
    players: PlayerMap<Box<Held>>,
    /// Sums over the rounds that count so far.
    pub(crate) predictions: PredictionTotals,
    /// The predictions against the results so far.
    pub(crate) calibration: Calibration,
    /// What the players were rated by so far.
    pub(crate) experience: Experience,
    /// Sums over the rounds that count and have something in common, since they were last taken out.
    groups: BTreeMap<RoundGroup, GroupTotals>,
    /// The longest window that anything is rated by, where older totals are forgotten.
    longest_window: u32,
    /// Of how many of each player's last rounds it remembers when they ended.
    times: usize,
    /// Counts what was rated or changed.
    clock: u64,
}

/// What a round made.
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) result: RoundResult,
    /// One for each participant; none where the round is void.
    pub(crate) entries: Vec<Entry>,
}

impl Projection {
    /// An empty projection that remembers of each player what windows of up to that many rounds need, and when the
    /// last `times` rounds ended.
    pub(crate) fn remembering(longest_window: u32, times: usize) -> Self {
        Self {
            longest_window,
            times,
            ..Self::default()
        }
    }

    /// Goes on where the pool is: with its sums, and with what its model has learnt.
    ///
    /// # Errors
    /// A state that is not as its model writes it.
    pub(crate) fn continue_from(&mut self, pool: &PoolRecord) -> Result<(), StoreError> {
        self.model = pool.model.resume(&pool.model_state)?;
        self.predictions = pool.predictions;
        self.calibration = pool.calibration;
        self.experience = pool.experience;
        Ok(())
    }

    /// Begins with a model that has learnt nothing yet.
    ///
    /// # Errors
    /// None but a defect's.
    pub(crate) fn begin_by(&mut self, model: PoolModelName) -> Result<(), StoreError> {
        self.model = model.resume(&ModelState::default())?;
        Ok(())
    }

    /// What the players are rated by.
    pub(crate) fn model(&self) -> &dyn PoolModel {
        &*self.model
    }

    /// Takes in the sums of rounds that are pruned.
    pub(crate) fn begin_with(&mut self, predictions: PredictionTotals, pruned: PruneRecord) {
        self.predictions = predictions;
        self.calibration = pruned.calibration;
        self.experience = pruned.experience;
        self.groups = pruned.groups;
    }

    /// Takes in a player, with the totals after the last rounds and when those `ended`.
    pub(crate) fn hold(
        &mut self,
        record: PlayerRecord,
        totals: PastTotals,
        ended: VecDeque<Timestamp>,
    ) {
        let held = Held {
            totals,
            ended,
            used: self.clock,
            record,
        };
        self.players.insert(held.record.id, Box::new(held));
    }

    /// Takes in those of `players` whom it does not hold, as `other` holds them.
    pub(crate) fn adopt(&mut self, players: &PlayerSet, other: &Self) {
        for player in players {
            if let Some(held) = other.players.get(player)
                && !self.players.contains_key(player)
            {
                let (record, totals) = (held.record.clone(), held.totals.clone());
                self.hold(record, totals, held.ended.clone());
            }
        }
    }

    /// Shares with `other` the older rows of those of the players whom both hold, as far as they stand before that
    /// `position` of the log.
    pub(crate) fn share_older(
        &mut self,
        players: impl Iterator<Item = PlayerId>,
        other: &Self,
        position: u64,
    ) {
        for player in players {
            if let Some(held) = self.players.get_mut(&player)
                && let Some(other) = other.players.get(&player)
            {
                held.totals.share_older(&other.totals, position);
            }
        }
    }

    /// Takes in the players of `other` and leaves it without any. Whom it holds itself it keeps.
    pub(crate) fn take_in(&mut self, other: &mut Self) {
        for (player, mut held) in other.players.drain() {
            held.used = self.clock;
            self.players.entry(player).or_insert(held);
        }
    }

    /// The rows of older entries that it takes to rate those who are held, by player and row, ascending.
    pub(crate) fn missing_rows(&self, appearances: &Appearances) -> BTreeSet<(PlayerId, u64)> {
        let mut missing = BTreeSet::new();
        for (player, rated) in appearances.rated() {
            if let Some(held) = self.players.get(&player) {
                for window in appearances.windows() {
                    let rows = held.missing_rows(rated, window, self.times);
                    missing.extend(rows.map(|row| (player, row)));
                }
            }
        }
        missing
    }

    /// Takes in rows of older entries.
    pub(crate) fn add_older(&mut self, mut rows: Vec<EntryChunk>) {
        rows.sort_unstable_by_key(|row| Reverse((row.player, row.chunk)));
        for row in rows {
            if let Some(held) = self.players.get_mut(&row.player) {
                held.add_older(&row, self.times);
            }
        }
    }

    /// How many bytes the players take, about.
    pub(crate) fn size(&self) -> usize {
        let held = self.players.values().map(|held| held.size());
        held.sum::<usize>() + self.players.capacity() * size_of::<(PlayerId, Box<Held>)>()
    }

    /// How many bytes a player may come to take, about, once the longest window is held.
    pub(crate) fn largest_player(&self) -> u64 {
        let ended = self.times * size_of::<Timestamp>();
        (size_of::<Held>() + ended) as u64 + PastTotals::largest_size(self.longest_window)
    }

    /// What its own clock shows, which counts rounds and changes.
    pub(super) fn clock(&self) -> u64 {
        self.clock
    }

    /// Forgets the half of the players that was of use longest ago; answers who they were. What else was held of them is
    /// freed one by one, as they are taken from the iterator.
    pub(crate) fn forget_half(&mut self) -> impl ExactSizeIterator<Item = PlayerRecord> + use<> {
        self.forget_half_until(self.clock)
    }

    /// The same, but for those who were of use later than that by its own clock.
    pub(super) fn forget_half_until(
        &mut self,
        last: u64,
    ) -> impl ExactSizeIterator<Item = PlayerRecord> + use<> {
        let mut used: Vec<u64> = self.players.values().map(|held| held.used).collect();
        let middle = used.len() / 2;
        let last = if used.is_empty() {
            last
        } else {
            last.min(*used.select_nth_unstable(middle).1)
        };
        let forgotten = self.players.extract_if(|_, held| held.used <= last);
        let forgotten: Vec<(PlayerId, Box<Held>)> = forgotten.collect();
        forgotten.into_iter().map(|(_, held)| held.record)
    }

    /// Rates a round, or, where it is void, notes that it moves nobody.
    ///
    /// # Errors
    /// Where totals that the store must have are not held.
    pub(crate) fn rate(
        &mut self,
        round: &LoggedRound,
        parameters: &Parameters,
    ) -> Result<Rated, StoreError> {
        self.clock += 1;
        let parts = round.round.parts();
        let (winner, is_void) = (parts.winner, round.voided_at.is_some());
        let (mut seats, before) = self.seats(round, parameters)?;
        let conditions = Conditions::of(&round.round, parameters);
        let lead = lead(&seats) + conditions.ahead();
        let mut results = Vec::with_capacity(before.len());
        let mut entries = Vec::new();
        let for_a = if is_void {
            let unmoved = before.iter();
            results.extend(unmoved.map(|player| result(player, player, 0.0, parameters)));
            self.model.predict(&seats, &conditions)?
        } else {
            let rated = self.model.rate(&mut seats, winner, &conditions)?;
            let for_a = rated.win_probability;
            let seats = seats.into_iter().filter(|seat| seat.is_rated);
            for ((before, seat), rated) in before.into_iter().zip(seats).zip(rated.players) {
                let score = winner.score(seat.side);
                let step = Step::of(rated.rating, for_a.of(seat.side), score);
                let after = PlayerRecord {
                    id: before.id,
                    rating: rated.rating,
                    rounds: rated.rounds,
                    entries: before.entries + 1,
                    last_played: before.last_played.max(Some(conditions.at)),
                    totals: before.totals.with(step),
                    model_state: seat.state,
                };
                let (rounds, convergence) = (before.rounds, rated.convergence.score);
                self.experience = self.experience.with(rounds, rated.whole_k, convergence);
                results.push(result(&before, &after, rated.k, parameters));
                entries.push(Entry {
                    player: before.id,
                    number: after.entries,
                    position: round.position,
                    ended_at: conditions.at,
                    step,
                    totals: after.totals,
                });
                let times = self.times;
                self.held(&after).take(after, step, conditions.at, times);
            }
            for_a
        };
        if !is_void {
            let score = winner.score(Side::A);
            self.predictions = self.predictions.with(for_a, score);
            self.calibration = self.calibration.with(for_a, score);
            for (group, totals) in groups_of(&round.round, lead, for_a) {
                let sums = self.groups.entry(group).or_default();
                *sums = sums.plus(totals);
            }
        }
        Ok(Rated {
            result: RoundResult {
                position: round.position,
                players: results,
                win_probability: for_a,
                theta: parameters.theta,
                predictions: self.predictions,
            },
            entries,
        })
    }

    /// Changes a player.
    ///
    /// # Errors
    /// A state that is not as the model writes it.
    pub(crate) fn change(
        &mut self,
        player: PlayerId,
        kind: ChangeKind,
        parameters: &Parameters,
    ) -> Result<(), StoreError> {
        self.clock += 1;
        let known = self.known(player).cloned();
        let before = known.unwrap_or_else(|| new_player(player, parameters));
        let after = changed(&*self.model, &before, kind, parameters)?;
        self.held(&after).record = after.clone();
        Ok(())
    }

    /// Makes of every player whom it holds what `change` makes of one.
    ///
    /// # Errors
    /// Those of `change`.
    pub(crate) fn change_all(
        &mut self,
        mut change: impl FnMut(&dyn PoolModel, &PlayerRecord) -> Result<PlayerRecord, StoreError>,
    ) -> Result<(), StoreError> {
        self.clock += 1;
        for held in self.players.values_mut() {
            held.record = change(&*self.model, &held.record)?;
        }
        Ok(())
    }

    /// The player, whom the projection may not know.
    pub(crate) fn known(&self, id: PlayerId) -> Option<&PlayerRecord> {
        self.players.get(&id).map(|held| &held.record)
    }

    /// Whom it knows, in no particular order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.players.keys().copied()
    }

    /// How many players it knows.
    pub(crate) fn len(&self) -> usize {
        self.players.len()
    }

    /// The sums of groups of rounds that were not taken out yet.
    pub(crate) fn take_groups(&mut self) -> BTreeMap<RoundGroup, GroupTotals> {
        std::mem::take(&mut self.groups)
    }

    /// Everybody of a round as the model sees them, and those who are rated as they are before it; a rating is
    /// the one that is shown.
    fn seats(
        &mut self,
        round: &LoggedRound,
        parameters: &Parameters,
    ) -> Result<(Vec<Seat>, Vec<PlayerRecord>), StoreError> {
        let (mut seats, mut rated) = (Vec::new(), Vec::new());
        for (side, entry) in round.round.entries() {
            let is_rated = entry.is_rated();
            let counts = is_rated && round.voided_at.is_none();
            let at = round.round.ended_at();
            let (mut player, window, since_return) = match self.players.get_mut(&entry.id) {
                Some(held) if counts => {
                    let window = held.window(parameters)?;
                    (
                        held.record.clone(),
                        window,
                        held.since_return(at, parameters),
                    )
                }
                Some(held) => (held.record.clone(), Window::default(), None),
                None => (new_player(entry.id, parameters), Window::default(), None),
            };
            player.rating = self.model.shown(player.profile(), parameters)?;
            seats.push(Seat {
                side,
                in_roster: entry.at_start,
                is_rated,
                presence: entry.presence(round.round.parts().round_seconds),
                commands: entry.commands(),
                standing: Standing {
                    rating: player.rating,
                    rounds: player.rounds,
                    window,
                    since_return,
                },
                state: player.model_state.clone(),
            });
            if is_rated {
                rated.push(player);
            }
        }
        Ok((seats, rated))
    }

    fn held(&mut self, record: &PlayerRecord) -> &mut Held {
        let (clock, longest) = (self.clock, self.longest_window);
        let held = self.players.entry(record.id).or_insert_with(|| {
            Box::new(Held {
                record: record.clone(),
                totals: PastTotals::behind(longest, (0, Totals::default())),
                ended: VecDeque::new(),
                used: clock,
            })
        });
        held.used = clock;
        held
    }
}
