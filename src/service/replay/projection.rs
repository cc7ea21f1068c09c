use std::collections::{BTreeMap, HashMap, VecDeque};

use super::groups::groups_of;
use crate::domain::{PlayerId, Round, Side};
use crate::rating::{
    Boundaries, Calibration, Experience, GroupTotals, Parameters, PredictionTotals, Standing,
    Totals, Window, boundaries, participation_weight, rate, win_probability,
};
use crate::store::{
    ChangeKind, LoggedRound, NewEntry, PlayerRecord, PlayerResult, PoolRecord, RoundGroup,
    RoundResult, StoreError,
};

/// Ratings as they are computed from a pool's log, one thing of it after another, in memory: the one
/// place where a round or a change makes figures of figures. An update holds of it what its rounds
/// touch, a replay all of it.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    players: HashMap<PlayerId, Held>,
    /// Sums over the rounds that count so far.
    pub(crate) predictions: PredictionTotals,
    /// The predictions against the results so far.
    pub(crate) calibration: Calibration,
    /// What the players were rated by so far.
    pub(crate) experience: Experience,
    /// Sums over the rounds that count and have something in common, since they were last taken out.
    groups: BTreeMap<RoundGroup, GroupTotals>,
    /// The longest window that anything is rated by, where older totals are forgotten.
    longest_window: Option<u32>,
}

/// A player, and as many of the totals after earlier entries as are needed, their numbers ascending.
#[derive(Debug)]
struct Held {
    record: PlayerRecord,
    totals: VecDeque<(u64, Totals)>,
}

/// What a round made.
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) result: RoundResult,
    /// One for each participant; none where the round is void.
    pub(crate) entries: Vec<NewEntry>,
}

impl Projection {
    /// A projection with the sums of `pool` that holds `players`, and of each the given totals.
    pub(crate) fn of(
        pool: &PoolRecord,
        players: Vec<PlayerRecord>,
        totals: Vec<(PlayerId, u64, Totals)>,
    ) -> Self {
        let held = |record: PlayerRecord| {
            let totals = VecDeque::new();
            (record.id, Held { record, totals })
        };
        let mut players: HashMap<PlayerId, Held> = players.into_iter().map(held).collect();
        for (player, number, totals) in totals {
            if let Some(held) = players.get_mut(&player) {
                held.totals.push_back((number, totals));
            }
        }
        for held in players.values_mut() {
            let last = (held.record.entries, held.record.totals);
            held.totals.push_back(last);
            held.totals
                .make_contiguous()
                .sort_unstable_by_key(|(number, _)| *number);
        }
        Self {
            players,
            predictions: pool.predictions,
            calibration: pool.calibration,
            experience: pool.experience,
            groups: BTreeMap::new(),
            longest_window: None,
        }
    }

    /// An empty projection that remembers of each player what windows of up to that many rounds need.
    pub(crate) fn remembering(longest_window: u32) -> Self {
        Self {
            longest_window: Some(longest_window),
            ..Self::default()
        }
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
        let lead = self.lead(&round.round, parameters);
        let for_a = win_probability(lead, 0, parameters.theta);
        let winner = round.round.parts().winner;
        let is_void = round.voided_at.is_some();
        let mut results = Vec::new();
        let mut entries = Vec::new();
        for (side, entry) in round.round.participants() {
            let before = self.player(entry.id, parameters);
            if is_void {
                results.push(result(&before, &before, 0.0, parameters));
                continue;
            }
            let standing = Standing {
                rating: before.rating,
                rounds: before.rounds,
                window: self.window(&before, parameters)?,
            };
            let expected = for_a.of(side);
            let score = winner.score(side);
            let presence = entry.presence(round.round.parts().round_seconds);
            let weight = presence.map_or(1.0, |presence| {
                participation_weight(presence, parameters.participation_half_life)
            });
            let rated = rate(&standing, expected, score, weight, parameters);
            let after = PlayerRecord {
                id: entry.id,
                rating: rated.rating,
                rounds: rated.rounds,
                entries: before.entries + 1,
                last_played: before.last_played.max(Some(round.round.ended_at())),
                totals: before.totals.with(rated.rating, expected, score),
            };
            self.experience =
                self.experience
                    .with(before.rounds, rated.whole_k, rated.convergence.score);
            results.push(result(&before, &after, rated.k, parameters));
            entries.push(NewEntry {
                player: entry.id,
                number: after.entries,
                position: round.position,
                totals: after.totals,
            });
            self.remember(after);
        }
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

    /// Changes a player; answers who that is now.
    pub(crate) fn change(
        &mut self,
        player: PlayerId,
        kind: ChangeKind,
        parameters: &Parameters,
    ) -> PlayerRecord {
        let after = changed(&self.player(player, parameters), kind, parameters);
        if let Some(held) = self.players.get_mut(&player) {
            held.record = after.clone();
        } else {
            let held = Held {
                record: after.clone(),
                totals: VecDeque::new(),
            };
            self.players.insert(player, held);
        }
        after
    }

    /// The player, whom the projection may not know.
    pub(crate) fn known(&self, id: PlayerId) -> Option<&PlayerRecord> {
        self.players.get(&id).map(|held| &held.record)
    }

    /// How many players it knows.
    pub(crate) fn len(&self) -> usize {
        self.players.len()
    }

    /// The sums of groups of rounds that were not taken out yet.
    pub(crate) fn take_groups(&mut self) -> BTreeMap<RoundGroup, GroupTotals> {
        std::mem::take(&mut self.groups)
    }

    /// What team a's roster is ahead by.
    fn lead(&self, round: &Round, parameters: &Parameters) -> i64 {
        let sum = |side| -> i64 {
            let roster = round
                .entries()
                .filter(|(of, entry)| *of == side && entry.at_start);
            roster
                .map(|(_, entry)| match self.known(entry.id) {
                    Some(player) => i64::from(player.rating.points()),
                    None => i64::from(parameters.initial_rating.points()),
                })
                .sum()
        };
        sum(Side::A) - sum(Side::B)
    }

    fn player(&self, id: PlayerId, parameters: &Parameters) -> PlayerRecord {
        let known = self.known(id).cloned();
        known.unwrap_or_else(|| new_player(id, parameters))
    }

    fn window(&self, player: &PlayerRecord, parameters: &Parameters) -> Result<Window, StoreError> {
        window(player, parameters, |number| {
            let totals = &self.players.get(&player.id)?.totals;
            let index = totals.binary_search_by_key(&number, |(number, _)| *number);
            totals.get(index.ok()?).map(|(_, totals)| *totals)
        })
    }

    fn remember(&mut self, after: PlayerRecord) {
        let last = (after.entries, after.totals);
        let held = self.players.entry(after.id).or_insert_with(|| Held {
            record: after.clone(),
            totals: VecDeque::new(),
        });
        held.record = after;
        held.totals.push_back(last);
        if let Some(longest) = self.longest_window {
            let first_needed = last.0.saturating_sub(u64::from(longest));
            while held
                .totals
                .front()
                .is_some_and(|(number, _)| *number < first_needed)
            {
                held.totals.pop_front();
            }
        }
    }
}

fn result(
    before: &PlayerRecord,
    after: &PlayerRecord,
    k: f64,
    parameters: &Parameters,
) -> PlayerResult {
    PlayerResult {
        before: before.rating,
        after: after.rating,
        k,
        rounds: after.rounds,
        visible: after.rounds >= parameters.shadow_rounds,
    }
}

/// A player of whom nothing is known.
pub(crate) fn new_player(id: PlayerId, parameters: &Parameters) -> PlayerRecord {
    PlayerRecord {
        id,
        rating: parameters.initial_rating,
        rounds: 0,
        entries: 0,
        last_played: None,
        totals: Totals::default(),
    }
}

/// What an admin's change makes of a player.
pub(crate) fn changed(
    before: &PlayerRecord,
    kind: ChangeKind,
    parameters: &Parameters,
) -> PlayerRecord {
    match kind {
        ChangeKind::Set(rating) => PlayerRecord {
            rating,
            ..before.clone()
        },
        // The entries stay, as history; none of them counts into the window any more.
        ChangeKind::Reset => PlayerRecord {
            entries: before.entries,
            totals: before.totals,
            ..new_player(before.id, parameters)
        },
    }
}

/// Where the window of `player` and its halves end.
pub(crate) fn window_ends(player: &PlayerRecord, parameters: &Parameters) -> Boundaries {
    boundaries(player.entries, player.rounds, parameters.window)
}

/// The window of `player`, from the totals after the player's entries of those numbers.
///
/// # Errors
/// Where the totals at one of its ends are not known.
pub(crate) fn window(
    player: &PlayerRecord,
    parameters: &Parameters,
    totals: impl Fn(u64) -> Option<Totals>,
) -> Result<Window, StoreError> {
    let ends = window_ends(player, parameters);
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
