use std::collections::VecDeque;
use std::sync::Arc;

use super::Entry;
use crate::domain::{Rating, Score};
use crate::rating::{Totals, TotalsStep};

/// Minimum growth of the buffer of a player's rounds, in rounds. Large buffers grow by an eighth.
const ROOM: usize = 16;

/// Running sums ([`Totals`]) of a player's ratings, win probabilities and scores after each of the last rated rounds,
/// and after some older rounds. Clones share memory.
#[derive(Clone, Debug)]
pub struct PastTotals {
    recent: RecentSteps,
    older: Vec<OlderSteps>,
}

impl PastTotals {
    /// Creates a history of a player's running sums of ratings and scores, which starts with `totals` after rated round
    /// `number`. Keeps the last `longest` rounds.
    #[must_use]
    pub fn behind(longest: u32, (number, totals): (u64, Totals)) -> Self {
        Self {
            recent: RecentSteps {
                longest,
                first: (number, totals),
                shared: Arc::default(),
                skipped: 0,
                steps: VecDeque::new(),
                latest: (number, totals),
            },
            older: Vec::new(),
        }
    }

    /// Creates a history of a player's running sums of ratings and scores from `entries`, the last rated rounds without
    /// a gap. If `entries` is empty, the history starts with the number of the `latest` round and the sums after it.
    pub fn of<'entries>(
        longest: u32,
        entries: impl IntoIterator<Item = &'entries Entry>,
        latest: (u64, Totals),
    ) -> Self {
        let mut entries = entries.into_iter().peekable();
        let mut totals = Self::behind(
            longest,
            entries.peek().map_or(latest, |first| before(first)),
        );
        for entry in entries {
            totals.push(entry.step);
        }
        Self {
            recent: totals.recent.shared(),
            older: totals.older,
        }
    }

    /// Returns the player's running sums of ratings and scores after rated round `number`, or `None` if they are not in
    /// memory.
    pub fn at(&mut self, number: u64) -> Option<Totals> {
        let recent = self.recent.at(number);
        recent.or_else(|| self.older.iter().find_map(|older| older.at(number)))
    }

    /// Returns `true` if the player's running sums of ratings and scores after rated round `number` are in memory, or
    /// will be once this round is rated.
    #[must_use]
    pub fn holds(&self, number: u64) -> bool {
        let older = || self.older.iter().any(|older| older.holds(number));
        number >= self.recent.first.0 || older()
    }

    /// Inserts a run of consecutive older rated rounds, and drops runs that no window reaches any more.
    pub fn add_older(&mut self, entries: &[Entry]) {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return;
        };
        let steps = entries.iter().map(|entry| PackedStep::of(entry.step));
        self.push_older(OlderSteps {
            first: before(first),
            steps: steps.collect(),
            last_position: last.position,
        });
    }

    /// Takes over the player's older rated rounds before `position` of the log from `other`, without a copy.
    pub fn share_older(&mut self, other: &Self, position: u64) {
        let reached = self.reached();
        for older in &other.older {
            let (before, _) = older.first;
            let is_held = self.holds(before) && self.holds(before + 1);
            let is_reached = older.last_number() >= reached;
            if older.last_position < position && is_reached && !is_held {
                self.push_older(older.clone());
            }
        }
    }

    fn push_older(&mut self, older: OlderSteps) {
        let reached = self.reached();
        self.older.retain(|older| older.last_number() >= reached);
        self.older.push(older);
    }

    /// Returns the smallest number of a rated round at which the player's window may start.
    fn reached(&self) -> u64 {
        let longest = u64::from(self.recent.longest);
        self.recent.last_number().saturating_sub(longest)
    }

    /// Appends the player's next rated round. `step` has the rating, win probability and score to add to the running
    /// sums.
    pub fn push(&mut self, step: TotalsStep) {
        self.recent.push(step);
    }

    /// Estimates the maximum memory of a player's history of running sums, in bytes, with `longest` recent rounds and
    /// as many older ones.
    #[must_use]
    pub fn largest_size(longest: u32) -> u64 {
        2 * u64::from(longest) * size_of::<PackedStep>() as u64
    }

    /// Estimates the memory of the player's history of running sums, in bytes. Memory that clones of the history share
    /// is divided among them.
    #[must_use]
    pub fn size(&self) -> usize {
        let part = |steps: &Arc<[PackedStep]>| steps.len() / Arc::strong_count(steps);
        let recent = part(&self.recent.shared) + self.recent.steps.capacity();
        let older: usize = self.older.iter().map(|older| part(&older.steps)).sum();
        (recent + older) * size_of::<PackedStep>() + self.older.capacity() * size_of::<OlderSteps>()
    }
}

/// Returns the number of the player's rated round before `entry`, and the player's running sums of ratings and scores
/// after that earlier round.
fn before(entry: &Entry) -> (u64, Totals) {
    (entry.number - 1, entry.totals.without(entry.step))
}

#[derive(Clone, Debug)]
struct OlderSteps {
    /// Number of the player's rated round just before this run of older rounds, and the running sums of ratings and
    /// scores after that round.
    first: (u64, Totals),
    steps: Arc<[PackedStep]>,
    last_position: u64,
}

impl OlderSteps {
    fn last_number(&self) -> u64 {
        self.first.0 + self.steps.len() as u64
    }

    fn holds(&self, number: u64) -> bool {
        (self.first.0..=self.last_number()).contains(&number)
    }

    fn at(&self, number: u64) -> Option<Totals> {
        if !self.holds(number) {
            return None;
        }
        let (first, totals) = self.first;
        let steps = self.steps.iter().zip(first..number);
        Some(steps.fold(totals, |totals, (step, _)| totals.with(step.unpack())))
    }
}

/// Ratings, win probabilities and scores of a player's last rated rounds, from which running sums are computed.
///
/// # Design
/// Running sums take 32 bytes a round, the packed terms of a round take 8. Rating a player needs the sums at the middle
/// of the player's window of latest rounds, which advances by one round with every round. These sums are computed from
/// the result of the last lookup, one or two rounds away. If a rebuild changes a round, the old and the new computation
/// share the memory of the rounds before.
#[derive(Clone, Debug)]
struct RecentSteps {
    longest: u32,
    first: (u64, Totals),
    /// Packed ratings, win probabilities and scores of the oldest rounds, shared by clones. The first `skipped` rounds
    /// are dropped.
    shared: Arc<[PackedStep]>,
    skipped: usize,
    steps: VecDeque<PackedStep>,
    /// Number of the player's rated round in the last lookup, and the player's running sums after this round.
    latest: (u64, Totals),
}

impl RecentSteps {
    fn at(&mut self, number: u64) -> Option<Totals> {
        let (first, _) = self.first;
        let index = usize::try_from(number.checked_sub(first)?).ok()?;
        if index > self.len() {
            return None;
        }
        // Lookups of a window's start leave `latest` at the window's middle, one step away from the next middle.
        if index == 0 {
            return Some(self.first.1);
        }
        if self.latest.0 < first {
            self.latest = self.first;
        }
        // The sums are exact integers: neither the order nor the direction of the steps changes them.
        let (from, mut totals) = self.latest;
        let from = usize::try_from(from - first).ok()?;
        if index >= from {
            self.each(from, index, |step| totals = totals.with(step.unpack()));
        } else if from - index <= index {
            self.each(index, from, |step| totals = totals.without(step.unpack()));
        } else {
            totals = self.first.1;
            self.each(0, index, |step| totals = totals.with(step.unpack()));
        }
        self.latest = (number, totals);
        Some(totals)
    }

    fn push(&mut self, step: TotalsStep) {
        // A doubled capacity would be the larger part of the memory of many players.
        if self.steps.len() == self.steps.capacity() {
            self.steps.reserve_exact(ROOM.max(self.steps.len() / 8));
        }
        self.steps.push_back(PackedStep::of(step));
        while self.len() as u64 > u64::from(self.longest) {
            let Some(oldest) = self.pop() else {
                break;
            };
            let (number, totals) = self.first;
            self.first = (number + 1, totals.with(oldest.unpack()));
        }
    }

    fn pop(&mut self) -> Option<PackedStep> {
        let Some(oldest) = self.shared.get(self.skipped).copied() else {
            return self.steps.pop_front();
        };
        self.skipped += 1;
        if self.skipped == self.shared.len() {
            (self.shared, self.skipped) = (Arc::default(), 0);
        }
        Some(oldest)
    }

    fn last_number(&self) -> u64 {
        self.first.0 + self.len() as u64
    }

    fn len(&self) -> usize {
        self.shared.len() - self.skipped + self.steps.len()
    }

    fn each(&self, from: usize, to: usize, mut visit: impl FnMut(PackedStep)) {
        let shared = &self.shared[self.skipped..];
        let within = |index: usize| index.min(shared.len());
        let behind = |index: usize| index.saturating_sub(shared.len());
        for step in &shared[within(from)..within(to)] {
            visit(*step);
        }
        for step in self.steps.range(behind(from)..behind(to)) {
            visit(*step);
        }
    }

    fn shared(self) -> Self {
        let mut shared = Vec::with_capacity(self.len());
        self.each(0, self.len(), |step| shared.push(step));
        Self {
            shared: shared.into(),
            skipped: 0,
            steps: VecDeque::new(),
            ..self
        }
    }
}

/// Rating, win probability and score that a round adds to a player's running sums ([`TotalsStep`]), as a mixed-radix
/// number in 8 bytes. The digits are win probability in units of 2^-42, score in halves, and rating in points above the
/// smallest one. The largest digits (2^42, 2 and 1,100,000) give 1.45 · 10^19, and 64 bits hold 1.84 · 10^19.
#[derive(Clone, Copy, Debug)]
pub struct PackedStep(u64);

/// Numbers of possible ratings in whole points, and of possible scores (loss, draw, win): the radices of the
/// mixed-radix number in [`PackedStep`].
const RATINGS: u64 = Rating::MAX.points().abs_diff(Rating::MIN.points()) as u64 + 1;
const SCORES: u64 = Score::WIN.halves() as u64 + 1;

impl PackedStep {
    /// Packs the rating, win probability and score that a round adds to a player's running sums into 8 bytes.
    #[must_use]
    pub fn of(step: TotalsStep) -> Self {
        let score = u64::from(step.score.halves());
        let rating = u64::from(step.rating.points().abs_diff(Rating::MIN.points()));
        Self((step.expected * SCORES + score) * RATINGS + rating)
    }

    /// Unpacks the rating, win probability and score that a round adds to a player's running sums.
    #[must_use]
    pub fn unpack(self) -> TotalsStep {
        let (rest, rating) = (self.0 / RATINGS, self.0 % RATINGS);
        TotalsStep {
            rating: i32::try_from(rating)
                .ok()
                .and_then(|above| Rating::new(Rating::MIN.points() + above))
                .unwrap_or(Rating::MAX),
            expected: rest / SCORES,
            score: match rest % SCORES {
                0 => Score::LOSS,
                1 => Score::DRAW,
                _ => Score::WIN,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{PlayerId, Probability, Timestamp};

    proptest! {
        #[test]
        fn the_totals_of_the_longest_window_and_of_older_rows_are_found_in_any_order(
            steps in prop::collection::vec((-100_000..=1_000_000_i32, 0.0..=1.0, 0..=2_u8), 1..60),
            longest in 1..20_u32,
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
            (from, read_at) in any::<(prop::sample::Index, prop::sample::Index)>(),
            (older_from, older_to) in any::<(prop::sample::Index, prop::sample::Index)>(),
            shared_to in 0..60_u64,
        ) {
            let player = PlayerId::from_steam_id64(76_561_197_960_265_729).unwrap();
            let mut all = vec![Totals::default()];
            let mut entries = Vec::new();
            for (number, (points, expected, halves)) in (1..).zip(steps) {
                let rating = Rating::new(points).unwrap();
                let expected = Probability::new(expected).unwrap();
                let step = TotalsStep::of(rating, expected, Score::of_halves(halves).unwrap());
                let totals = all[all.len() - 1].with(step);
                prop_assert_eq!(totals.without(step), all[all.len() - 1]);
                all.push(totals);
                let ended_at = Timestamp::UNIX_EPOCH;
                entries.push(Entry { player, number, position: number, ended_at, step, totals });
            }
            // The totals start with the entries `from..read_at` and an older run. Later entries are pushed.
            let read_at = read_at.index(entries.len());
            let from = from.index(read_at + 1);
            let older_to = older_to.index(from + 1);
            let older_from = older_from.index(older_to + 1);
            let latest = (read_at as u64, all[read_at]);
            let mut held = PastTotals::of(longest, &entries[from..read_at], latest);
            let mut sharing = held.clone();
            held.add_older(&entries[older_from..older_to]);
            sharing.share_older(&held, shared_to);
            let reached = (read_at as u64).saturating_sub(longest.into());
            let is_shared = (older_to as u64) < shared_to && older_to as u64 >= reached;
            let is_older = |number| {
                older_from < older_to && (older_from..=older_to).contains(&number)
            };
            for count in read_at..=entries.len() {
                let oldest = from.max(count.saturating_sub(longest as usize));
                for asked in &asked {
                    let number = asked.index(count + 1);
                    let is_held = number >= oldest || is_older(number);
                    prop_assert_eq!(held.holds(number as u64), is_held);
                    let is_held_by_both = number >= oldest || is_shared && is_older(number);
                    prop_assert_eq!(sharing.holds(number as u64), is_held_by_both);
                    prop_assert_eq!(sharing.at(number as u64), is_held_by_both.then_some(all[number]));
                    prop_assert_eq!(held.at(number as u64), is_held.then_some(all[number]));
                }
                if let Some(next) = entries.get(count) {
                    held.push(next.step);
                    sharing.push(next.step);
                }
            }
        }
    }
}
