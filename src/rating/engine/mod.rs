//! Engine of ratings: a fold over a pool's log, and the only code that computes ratings and sums from it. Pure.

mod groups;
mod held_player;
mod held_players;
mod in_memory;
mod past_totals;
mod player;
mod records;

use std::collections::{BTreeMap, VecDeque};

use super::{
    Calibration, Conditions, Experience, GroupTotals, InvalidState, LineupMember, ModelName,
    ModelState, Parameters, PoolModel, PredictionTotals, Standing, Totals, TotalsStep, Window,
    lead,
};
use crate::domain::{PlayerId, PlayerMap, Round, Side};
use groups::groups_of;
use held_player::HeldPlayer;

pub use in_memory::InMemoryPool;
pub use past_totals::{PackedStep, PastTotals};
pub use records::{
    ChangeKind, Entry, GroupKind, PlayerResult, PlayerState, RoundGroup, RoundResult,
};

/// Error of an [`Engine`]: a figure is unreadable, or was not handed to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Stored state that the pool's model cannot read.
    #[error(
        "the stored state of the pool's model or of one of its players is not in the model's format"
    )]
    State(#[from] InvalidState),
    /// Totals at a boundary of a player's window that the caller did not hand to the engine.
    #[error("the totals at an end of the window of the player {0} are missing")]
    MissingTotals(PlayerId),
}

/// Sums over the rounds of a pool that are not void.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolSums {
    /// Sums of the predictions and their scores.
    pub predictions: PredictionTotals,
    /// Sums of predictions and results, in bins.
    pub calibration: Calibration,
    /// Sums of K-factors and convergence, by the player's number of earlier rounds.
    pub experience: Experience,
}

/// State of a pool in memory at some position of its log: the model, the players, and the sums.
///
/// # Design
/// The engine reads nothing itself. Its caller hands over the players ([`Engine::hold`]) and the older entries
/// ([`Engine::add_older`]) that the next rounds need. A live round needs the players of that round. A replay of the
/// whole log needs none, because all players follow from the log.
#[derive(Debug, Default)]
pub struct Engine {
    model: Box<dyn PoolModel>,
    /// Boxed, because a growing hash map reserves room for twice as many players.
    players: PlayerMap<Box<HeldPlayer>>,
    sums: PoolSums,
    groups: BTreeMap<RoundGroup, GroupTotals>,
    /// Length of the longest window, in rounds. Totals before this window are dropped.
    longest_window: u32,
    /// Number of last rounds of each player whose end times are kept.
    times: usize,
    clock: u64,
}

/// Results and entries that a round adds to a pool.
#[derive(Debug)]
pub struct AppliedRound {
    /// Results of the participants, and the pool's sums after the round.
    pub result: RoundResult,
    /// Entries of the participants, one for each; empty if the round is void.
    pub entries: Vec<Entry>,
}

impl Engine {
    /// Creates an engine before the first round, with the model SynElo. For each player it keeps totals for windows of
    /// up to `longest_window` rounds, and the end times of the last `times` rounds.
    #[must_use]
    pub fn new(longest_window: u32, times: usize) -> Self {
        Self {
            longest_window,
            times,
            ..Self::default()
        }
    }

    /// Sets the model to `model` in its stored `state`, and the sums of earlier rounds to `sums`.
    pub fn resume(
        &mut self,
        model: ModelName,
        state: &ModelState,
        sums: PoolSums,
    ) -> Result<(), InvalidState> {
        self.begin(model.resume(state)?, sums);
        Ok(())
    }

    /// Sets the model, with its current state, and the sums of earlier rounds.
    pub fn begin(&mut self, model: Box<dyn PoolModel>, sums: PoolSums) {
        self.model = model;
        self.sums = sums;
    }

    /// Sets the sums to the sums of rounds that were pruned from the log.
    pub fn begin_with(&mut self, sums: PoolSums, groups: BTreeMap<RoundGroup, GroupTotals>) {
        self.sums = sums;
        self.groups = groups;
    }

    /// Returns the model with its learnt state.
    #[must_use]
    pub fn model(&self) -> &dyn PoolModel {
        &*self.model
    }

    /// Returns the sums over the rounds so far that are not void.
    #[must_use]
    pub fn sums(&self) -> PoolSums {
        self.sums
    }

    /// Rates the round at `position` of the log. A void round is only predicted: it changes no player and no sum.
    ///
    /// # Errors
    /// Returns an error if older entries of a participant are missing, or if the model cannot read a state.
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

    /// Applies an admin's change of a player.
    pub fn change(
        &mut self,
        player: PlayerId,
        kind: ChangeKind,
        parameters: &Parameters,
    ) -> Result<(), InvalidState> {
        self.clock += 1;
        let known = self.known(player).cloned();
        let before = known.unwrap_or_else(|| PlayerState::new(player, parameters));
        let after = before.changed(&*self.model, kind, parameters)?;
        self.held(&after).record = after.clone();
        Ok(())
    }

    /// Replaces the state of every held player by the result of `change`.
    ///
    /// # Errors
    /// Returns the first error of `change`. Earlier players stay changed.
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

    /// Returns the state of a player, or `None` if the engine does not hold the player.
    #[must_use]
    pub fn known(&self, id: PlayerId) -> Option<&PlayerState> {
        self.players.get(&id).map(|held| &held.record)
    }

    /// Iterates over the ids of the held players, in arbitrary order.
    pub fn ids(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.players.keys().copied()
    }

    /// Returns the number of held players.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// Returns the sums of groups of rounds since the last call, and clears them.
    pub fn take_groups(&mut self) -> BTreeMap<RoundGroup, GroupTotals> {
        std::mem::take(&mut self.groups)
    }

    /// Returns the lineup of a round, and the states of the rated players before the round. All
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
                None => (
                    PlayerState::new(entry.id, parameters),
                    Window::default(),
                    None,
                ),
            };
            player.rating = self.model.shown(player.profile(), parameters)?;
            lineup.push(LineupMember {
                side,
                in_roster: entry.at_start,
                is_rated,
                presence: entry.presence(round.parts().round_seconds),
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
