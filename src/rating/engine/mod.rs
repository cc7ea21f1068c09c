//! Engine of ratings: a fold over a pool's log, and the only code that computes ratings and sums from the log. Pure.

mod held_players;
mod in_memory;
mod past_totals;
mod player;
mod records;

use std::collections::{BTreeMap, VecDeque};

use super::{
    Calibration, Conditions, Experience, GroupTotals, InvalidState, LineupMember, Parameters,
    PoolModel, PredictionTotals, Standing, Totals, TotalsStep, Window, lead,
};
use crate::domain::{PlayerId, PlayerMap, Round, Side};
use held_players::HeldPlayer;
use records::groups_of;

pub use in_memory::InMemoryPool;
pub use past_totals::{PackedStep, PastTotals};
pub use records::{
    ChangeKind, Entry, GroupKind, PlayerResult, PlayerState, RoundGroup, RoundResult,
};

/// Error of an [`Engine`] of ratings: a stored figure is unreadable, or the caller did not hand over a needed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Stored state that the pool's rating model cannot read.
    #[error(
        "this version of RBS cannot read the stored rating state of the pool or of one of its players; update RBS, or \
         recompute the state with `rbs rebuild`"
    )]
    State(#[from] InvalidState),
    /// Missing running sums of a player's ratings and scores after an earlier round, which the caller must load before
    /// it rates the player.
    #[error(
        "the stored totals of the player {0} (ratings and results) after an earlier round are missing; recompute \
         them with `rbs rebuild`"
    )]
    MissingTotals(PlayerId),
}

/// Sums of prediction scores, calibration and K-factors over the rounds of a pool, except void rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolSums {
    /// Sums of the Brier scores, log losses and results of the pool's win predictions, over all rounds.
    pub predictions: PredictionTotals,
    /// Sums of team a's predicted win probabilities and scores, in ten bins of probability.
    pub calibration: Calibration,
    /// Sums of the K-factors and convergences (F3) of rated players, by number of earlier rounds.
    pub experience: Experience,
}

/// Engine of ratings: the model, players and sums of prediction scores of a pool in memory, at some position of its
/// log.
///
/// # Design
/// The engine reads nothing itself. Its caller hands over the players ([`Engine::hold`]) and the older rated rounds
/// ([`Engine::add_older`]) that the next rounds need. A live round needs its own players. A replay of the whole log
/// needs none, because all players follow from the log.
#[derive(Debug, Default)]
pub struct Engine {
    model: Box<dyn PoolModel>,
    /// Players in memory. Boxed, because a growing hash map allocates for twice as many players.
    players: PlayerMap<Box<HeldPlayer>>,
    sums: PoolSums,
    groups: BTreeMap<RoundGroup, GroupTotals>,
    /// Length of a player's longest window, in rounds. A player's running sums before this window are dropped.
    longest_window: u32,
    /// Number of last rounds of each player whose end times are kept.
    times: usize,
    clock: u64,
}

/// Results of a round for its participants, and the records (entries) of the round to store.
#[derive(Debug)]
pub struct AppliedRound {
    /// Results of the round's participants, and the pool's sums of prediction scores after the round.
    pub result: RoundResult,
    /// Record of the round for each participant, with rating, win probability and score; empty if the round is void.
    pub entries: Vec<Entry>,
}

impl Engine {
    /// Creates an engine of ratings before the first round, with the model SynElo. For each player it keeps the running
    /// sums of ratings and scores over the last `longest_window` rounds, and the end times of the last `times` rounds.
    #[must_use]
    pub fn new(longest_window: u32, times: usize) -> Self {
        Self {
            longest_window,
            times,
            ..Self::default()
        }
    }

    /// Sets the pool's rating model, with its current state, and the sums of prediction scores and K-factors over
    /// earlier rounds.
    pub fn begin(&mut self, model: Box<dyn PoolModel>, sums: PoolSums) {
        self.model = model;
        self.sums = sums;
    }

    /// Sets the sums over the rounds that were pruned from the log: prediction scores and K-factors of the pool
    /// (`sums`), and predictions and results by map, server, team sizes and lead (`groups`).
    pub fn begin_with(&mut self, sums: PoolSums, groups: BTreeMap<RoundGroup, GroupTotals>) {
        self.sums = sums;
        self.groups = groups;
    }

    /// Returns the pool's rating model with its learnt state.
    #[must_use]
    pub fn model(&self) -> &dyn PoolModel {
        &*self.model
    }

    /// Returns the sums of prediction scores, calibration and K-factors over the pool's rounds so far, except void
    /// rounds.
    #[must_use]
    pub fn sums(&self) -> PoolSums {
        self.sums
    }

    /// Rates the round at `position` of the log. A void round is only predicted: it changes no player and no sum.
    ///
    /// # Errors
    /// Returns an error if earlier rounds of a participant are missing, or if the model cannot read a state.
    pub fn rate(
        &mut self,
        position: u64,
        round: &Round,
        is_void: bool,
        parameters: &Parameters,
    ) -> Result<AppliedRound, EngineError> {
        self.clock += 1;
        let winner = round.parts().winner;
        let (mut lineup, before) = self.lineup(round, is_void, parameters)?;
        let conditions = Conditions::of(round, parameters);
        let lead = lead(&lineup) + conditions.ahead();
        let mut results = Vec::with_capacity(before.len());
        let mut entries = Vec::new();
        let for_a = if is_void {
            let unmoved = before.iter();
            results.extend(unmoved.map(|player| PlayerResult::of(player, player, 0.0, parameters)));
            self.model.predict(&lineup, &conditions)?
        } else {
            let rated = self.model.rate(&mut lineup, winner, &conditions)?;
            let for_a = rated.win_probability;
            let rated_members = lineup.into_iter().filter(|member| member.is_rated);
            for ((before, member), rated) in
                before.into_iter().zip(rated_members).zip(rated.players)
            {
                let score = winner.score(member.side);
                let step = TotalsStep::of(rated.rating, for_a.of(member.side), score);
                let after = PlayerState {
                    id: before.id,
                    rating: rated.rating,
                    rounds: rated.rounds,
                    entries: before.entries + 1,
                    last_played: before.last_played.max(Some(conditions.at)),
                    totals: before.totals.with(step),
                    model_state: member.state,
                };
                let (rounds, convergence) = (before.rounds, rated.convergence.score);
                self.sums.experience =
                    self.sums
                        .experience
                        .with(rounds, rated.whole_k, convergence);
                results.push(PlayerResult::of(&before, &after, rated.k, parameters));
                entries.push(Entry {
                    player: before.id,
                    number: after.entries,
                    position,
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
            self.sums.predictions = self.sums.predictions.with(for_a, score);
            self.sums.calibration = self.sums.calibration.with(for_a, score);
            for (group, totals) in groups_of(round, lead, for_a) {
                let sums = self.groups.entry(group).or_default();
                *sums = sums.plus(totals);
            }
        }
        Ok(AppliedRound {
            result: RoundResult {
                position,
                players: results,
                win_probability: for_a,
                theta: parameters.theta,
                predictions: self.sums.predictions,
            },
            entries,
        })
    }

    /// Applies an admin's change of a player: a set or reset rating.
    pub fn change(
        &mut self,
        player: PlayerId,
        kind: ChangeKind,
        parameters: &Parameters,
    ) -> Result<(), InvalidState> {
        self.clock += 1;
        let before = self.known_or_new(player, parameters);
        let after = before.changed(&*self.model, kind, parameters)?;
        self.held(&after).record = after.clone();
        Ok(())
    }

    /// Replaces the state of every player in memory by the result of `change`.
    ///
    /// # Errors
    /// Returns the first error of `change`. Players before that one stay changed.
    pub fn change_all(
        &mut self,
        mut change: impl FnMut(&dyn PoolModel, &PlayerState) -> Result<PlayerState, InvalidState>,
    ) -> Result<(), InvalidState> {
        self.clock += 1;
        for held in self.players.values_mut() {
            held.record = change(&*self.model, &held.record)?;
        }
        Ok(())
    }

    /// Returns the state of a player in the pool, or `None` if the player is not in memory.
    #[must_use]
    pub fn known(&self, id: PlayerId) -> Option<&PlayerState> {
        self.players.get(&id).map(|held| &held.record)
    }

    fn known_or_new(&self, id: PlayerId, parameters: &Parameters) -> PlayerState {
        let known = self.known(id).cloned();
        known.unwrap_or_else(|| PlayerState::new(id, parameters))
    }

    /// Iterates over the ids of the players in memory, in arbitrary order.
    pub fn ids(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.players.keys().copied()
    }

    /// Returns the number of players in memory.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// Returns the sums of predicted win probabilities and scores by map, server, team sizes and lead, over the rounds
    /// since the last call. Clears the sums.
    pub fn take_groups(&mut self) -> BTreeMap<RoundGroup, GroupTotals> {
        std::mem::take(&mut self.groups)
    }

    /// Returns the lineup (players of both teams) of a round, and the states of the rated players before the round. All
    /// ratings are as the model shows them.
    fn lineup(
        &mut self,
        round: &Round,
        is_void: bool,
        parameters: &Parameters,
    ) -> Result<(Vec<LineupMember>, Vec<PlayerState>), EngineError> {
        let (mut lineup, mut rated) = (Vec::new(), Vec::new());
        for (side, entry) in round.entries() {
            let is_rated = entry.is_rated();
            let counts = is_rated && !is_void;
            let at = round.ended_at();
            let (window, since_return) = match self.players.get_mut(&entry.id) {
                Some(held) if counts => {
                    (held.window(parameters)?, held.since_return(at, parameters))
                }
                _ => (Window::default(), None),
            };
            let mut player = self.known_or_new(entry.id, parameters);
            player.rating = self.model.shown(player.profile(), parameters)?;
            let member = player.member(side);
            lineup.push(LineupMember {
                in_roster: entry.at_start,
                is_rated,
                presence: entry.presence(round.parts().round_seconds),
                commands: entry.commands(),
                standing: Standing {
                    window,
                    since_return,
                    ..member.standing
                },
                ..member
            });
            if is_rated {
                rated.push(player);
            }
        }
        Ok((lineup, rated))
    }

    fn held(&mut self, record: &PlayerState) -> &mut HeldPlayer {
        let (clock, longest) = (self.clock, self.longest_window);
        let held = self.players.entry(record.id).or_insert_with(|| {
            Box::new(HeldPlayer {
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
