use std::collections::{BTreeMap, HashMap, HashSet};

use super::groups::groups_of;
use super::past_totals::PastTotals;
use crate::domain::{PlayerId, Round, Side};
use crate::rating::{
    Boundaries, Calibration, Experience, GroupTotals, Parameters, PredictionTotals, Standing, Step,
    Totals, Window, boundaries, participation_weight, rate, win_probability,
};
use crate::store::{
    ChangeKind, Entry, LoggedRound, PlayerRecord, PlayerResult, PoolRecord, PruneRecord,
    RoundGroup, RoundResult, StoreError,
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
    /// Counts what was rated or changed.
    clock: u64,
}

/// A player, and as much of the totals after earlier entries as is needed.
#[derive(Debug)]
struct Held {
    record: PlayerRecord,
    totals: PastTotals,
    /// When the player was last of use, by the projection's own clock.
    used: u64,
}

/// What a round made.
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) result: RoundResult,
    /// One for each participant; none where the round is void.
    pub(crate) entries: Vec<Entry>,
}

impl Projection {
    /// A projection with the sums of `pool` that holds `players`, and of each the given totals.
    pub(crate) fn of(
        pool: &PoolRecord,
        players: Vec<PlayerRecord>,
        totals: Vec<(PlayerId, u64, Totals)>,
    ) -> Self {
        let mut known: HashMap<PlayerId, Vec<(u64, Totals)>> = HashMap::new();
        for (player, number, totals) in totals {
            known.entry(player).or_default().push((number, totals));
        }
        let players = players.into_iter().map(|record| {
            let mut totals = known.remove(&record.id).unwrap_or_default();
            totals.push((record.entries, record.totals));
            let held = Held {
                totals: PastTotals::some(totals),
                used: 0,
                record,
            };
            (held.record.id, held)
        });
        let players = players.collect();
        Self {
            players,
            predictions: pool.predictions,
            calibration: pool.calibration,
            experience: pool.experience,
            groups: BTreeMap::new(),
            longest_window: None,
            clock: 0,
        }
    }

    /// An empty projection that remembers of each player what windows of up to that many rounds need.
    pub(crate) fn remembering(longest_window: u32) -> Self {
        Self {
            longest_window: Some(longest_window),
            ..Self::default()
        }
    }

    /// Takes in the sums of rounds that are pruned.
    pub(crate) fn begin_with(&mut self, predictions: PredictionTotals, pruned: PruneRecord) {
        self.predictions = predictions;
        self.calibration = pruned.calibration;
        self.experience = pruned.experience;
        self.groups = pruned.groups;
    }

    /// Takes in a player, with the totals that the longest window needs.
    pub(crate) fn hold(&mut self, record: PlayerRecord, totals: PastTotals) {
        let held = Held {
            totals,
            used: self.clock,
            record,
        };
        self.players.insert(held.record.id, held);
    }

    /// Takes in those of `players` whom it does not hold, as `other` holds them.
    pub(crate) fn adopt(&mut self, players: &HashSet<PlayerId>, other: &Self) {
        for player in players {
            if let Some(held) = other.players.get(player)
                && !self.players.contains_key(player)
            {
                self.hold(held.record.clone(), held.totals.clone());
            }
        }
    }

    /// How many bytes the players take, about.
    pub(crate) fn size(&self) -> usize {
        let totals = self.players.values().map(|held| held.totals.size());
        totals.sum::<usize>() + self.players.len() * size_of::<(PlayerId, Held)>()
    }

    /// Forgets the half of the players that was of use longest ago; answers who they were.
    pub(crate) fn forget_half(&mut self) -> Vec<PlayerRecord> {
        let mut used: Vec<u64> = self.players.values().map(|held| held.used).collect();
        let middle = used.len() / 2;
        let Some((_, middle, _)) = (!used.is_empty()).then(|| used.select_nth_unstable(middle))
        else {
            return Vec::new();
        };
        let middle = *middle;
        let forgotten = self.players.extract_if(|_, held| held.used <= middle);
        forgotten.map(|(_, held)| held.record).collect()
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
            let step = Step::of(rated.rating, expected, score);
            let after = PlayerRecord {
                id: entry.id,
                rating: rated.rating,
                rounds: rated.rounds,
                entries: before.entries + 1,
                last_played: before.last_played.max(Some(round.round.ended_at())),
                totals: before.totals.with(step),
            };
            self.experience =
                self.experience
                    .with(before.rounds, rated.whole_k, rated.convergence.score);
            results.push(result(&before, &after, rated.k, parameters));
            entries.push(Entry {
                player: entry.id,
                number: after.entries,
                position: round.position,
                ended_at: round.round.ended_at(),
                step,
                totals: after.totals,
            });
            self.remember(after, step);
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
        self.clock += 1;
        let after = changed(&self.player(player, parameters), kind, parameters);
        self.held(&after).record = after.clone();
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

    fn window(
        &mut self,
        player: &PlayerRecord,
        parameters: &Parameters,
    ) -> Result<Window, StoreError> {
        let mut totals = self
            .players
            .get_mut(&player.id)
            .map(|held| &mut held.totals);
        window(player, parameters, |number| totals.as_mut()?.at(number))
    }

    fn held(&mut self, record: &PlayerRecord) -> &mut Held {
        let (clock, longest) = (self.clock, self.longest_window);
        let held = self.players.entry(record.id).or_insert_with(|| Held {
            record: record.clone(),
            totals: match longest {
                Some(longest) => PastTotals::recent(longest, 0, Totals::default()),
                None => PastTotals::some(Vec::new()),
            },
            used: clock,
        });
        held.used = clock;
        held
    }

    fn remember(&mut self, after: PlayerRecord, step: Step) {
        let held = self.held(&after);
        held.totals.push(after.entries, after.totals, step);
        held.record = after;
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
    mut totals: impl FnMut(u64) -> Option<Totals>,
) -> Result<Window, StoreError> {
    let ends = window_ends(player, parameters);
    let mut at = |number| match number {
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
