use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::attempt::{Attempt, are_dear, is_small, is_worth_narrow_tables};
use super::bit_table::{Block, Made};
use super::brief::Brief;
use super::close::{Close, CloseSplits};
use super::cost::Width;
use super::differences::Differences;
use super::halves::{Halving, thousandfold_mean};
use super::laid_out::LaidOut;
use super::least::Least;
use super::linked::{Linked, linked};
use super::prices::{Detail, Order, Prices, pairs_apart};
use super::room::Room;
use super::rules::{Parties, Rules};
use super::run::{Choice, Found, Goal, Run};
use super::slack::Slack;
use super::split::Seat;
use super::work::Work;

/// What all runs over the sizes with the same room have in common.
pub(super) struct Plan<'plan> {
    pub(super) brief: &'plan Brief<'plan>,
    /// By player: the open seats.
    pub(super) seats: Vec<&'static [Seat]>,
    /// By player, in units.
    points: Vec<i64>,
    /// What all differences are multiples of.
    pub(super) unit: i64,
    /// How many of the pairs apart count.
    pub(super) pairs: usize,
    /// Who is linked by these and by parties, and everybody else alone.
    linked: Vec<Linked>,
    /// How the players are parted for the tables, once that was looked into for large ones: what is better for
    /// some is seldom worse for others.
    halving: Cell<Option<Halving>>,
}

/// Who may not be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    Nobody,
    AllParties,
}

/// Which tables a run is to have.
#[derive(Debug)]
pub(super) struct Tables<'prices> {
    pub(super) order: Order,
    /// The prices in that order, which tell all wishes apart.
    pub(super) prices: &'prices Prices,
    pub(super) keep: Keep,
    /// The greatest differences, in units, that are looked for.
    pub(super) slack: Slack,
    /// How wide their costs are and what these tell, at least: where they are few, they tell everything.
    pub(super) attempt: Attempt,
}

impl<'plan> Plan<'plan> {
    pub(super) fn new(brief: &'plan Brief<'plan>, room: Room) -> Option<Self> {
        let (points, unit) = in_units(&brief.points);
        let (pairs, linked) = simply_linked(brief)?;
        Some(Self {
            brief,
            seats: room.seats(brief),
            points,
            unit,
            pairs,
            linked,
            halving: Cell::new(None),
        })
    }

    pub(super) fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    /// Whether tables for these sizes are probably so large that narrow ones are tried first. Their costs are
    /// about four thirds of the players times the pairs of counts times the highest rating, in units: a factor
    /// that was measured where ratings lie anywhere.
    pub(super) fn has_large_tables(&self, sizes: &[usize]) -> bool {
        let most = sizes.iter().copied().max().unwrap_or_default();
        let highest = self.points.iter().copied().max().unwrap_or_default();
        let times = (most * most * self.points.len()) as u64;
        is_worth_narrow_tables(highest.unsigned_abs().saturating_mul(4 * times) / 3)
    }

    /// By size: a close split that keeps these parties, where one is at hand. One of a difference, in
    /// units, up to what is `enough` for the size need not be the closest.
    pub(super) fn close_splits(
        &self,
        kept: &[Vec<usize>],
        sizes: &[usize],
        enough: impl Fn(usize) -> i64,
    ) -> BTreeMap<usize, Close> {
        let mut splits = CloseSplits::new(&self.points, &self.seats, kept);
        // Larger teams have more close splits, and leave more to do where none is found.
        let found = sizes
            .iter()
            .rev()
            .filter_map(|&size| Some((size, splits.find(size, enough(size))?)));
        found.collect()
    }

    /// The least difference, in units, of splits that keep these parties, by size, for as many of the
    /// `sizes`, which ascend, as there is work left. Where it is above what `at_most` says for the
    /// size, it need not be found.
    ///
    /// Most are seen to be the least by the split at hand in `close`. The others are no greater than
    /// that of theirs, so there need be room only for these. Whether somebody `goes_back` through the tables must
    /// be known.
    pub(super) fn least_differences(
        &self,
        kept: &[Vec<usize>],
        goes_back: bool,
        sizes: &[usize],
        close: &BTreeMap<usize, Close>,
        at_most: impl Fn(usize) -> Option<i64>,
        work: &mut Work,
    ) -> Least {
        let is_proven = |size: &usize| close.get(size).is_some_and(|close| close.is_proven);
        let (proven, mut open): (Vec<usize>, Vec<usize>) =
            sizes.iter().partition(|size| is_proven(size));
        let proven = proven.into_iter();
        let mut found = Least {
            by_size: proven.map(|size| (size, close[&size].difference)).collect(),
            tables: None,
        };
        while !open.is_empty() {
            let slack = open.iter().map(|&size| {
                let at_hand = close.get(&size).map(|close| close.difference);
                Some((size, [at_hand, at_most(size)].into_iter().flatten().min()?))
            });
            let slack: Option<Vec<(usize, i64)>> = slack.collect();
            let slack = slack.map(Slack::new);
            if let Some(differences) =
                self.differences(kept, &open, slack.as_ref(), goes_back, work)
            {
                let least = open.iter().filter_map(|&size| {
                    let at_hand = close.get(&size).map(|close| close.difference);
                    let beyond = at_most(size).map(|at_most| at_most + 1);
                    let known = [at_hand, beyond].into_iter().flatten().min();
                    let least = differences.next(size, 0, known)?;
                    (Some(least) != beyond).then_some((size, least))
                });
                found.by_size.extend(least);
                found.tables = Some(differences);
                break;
            }
            open.truncate(open.len() / 2);
        }
        found
    }

    /// All differences, in units, that splits of these sizes that keep these parties can have up to
    /// the `slack`; `None` where there are no sizes or where that takes more work than is left.
    pub(super) fn differences(
        &self,
        kept: &[Vec<usize>],
        sizes: &[usize],
        slack: Option<&Slack>,
        goes_back: bool,
        work: &mut Work,
    ) -> Option<Differences> {
        let most = sizes.iter().copied().max()?;
        let mut upper = self.blocks(kept);
        let lower = upper.split_off(upper.len().div_ceil(2));
        let halves = [upper, lower];
        work.spend(Differences::words(&halves, most).saturating_mul(8))?;
        Some(Differences::new(halves, sizes, slack, goes_back))
    }

    /// Who takes a seat together, the best first.
    fn blocks(&self, kept: &[Vec<usize>]) -> Vec<Block> {
        let mut groups: Vec<Vec<usize>> =
            (0..self.points.len()).map(|player| vec![player]).collect();
        for party in kept {
            let is_in = |group: &mut Vec<usize>| group.iter().any(|player| party.contains(player));
            let joined: Vec<Vec<usize>> = groups.extract_if(.., is_in).collect();
            groups.push(joined.concat());
        }
        let blocks = groups.iter().map(|group| {
            let points: Vec<i64> = group.iter().map(|&player| self.points[player]).collect();
            let (count, sum) = (points.len(), points.iter().sum::<i64>());
            let seats = [Seat::A, Seat::B, Seat::Waiting].into_iter();
            // What one way round can have the other can too, so the anchor need not be on both.
            let is_anchors = self
                .brief
                .anchor
                .is_some_and(|anchor| group.contains(&anchor));
            let open = seats.filter(|seat| {
                let mut players = group.iter().map(|&player| &self.seats[player]);
                players.all(|open| open.contains(seat)) && !(is_anchors && *seat == Seat::B)
            });
            let made = |seat: Seat| Made {
                a: if seat == Seat::A { count } else { 0 },
                b: if seat == Seat::B { count } else { 0 },
                difference: seat.weight() * sum,
            };
            let open = open.map(|seat| (seat, made(seat)));
            Block {
                open: open.collect(),
                players: group.clone(),
                points,
            }
        });
        let mut blocks: Vec<Block> = blocks.collect();
        blocks.sort_by_key(|block| Reverse(thousandfold_mean(block.points.iter().copied())));
        blocks
    }

    fn rules(&self, tables: &Tables<'_>, prices: Prices, most: usize) -> Rules {
        Rules {
            points: self.points.clone(),
            seats: self.seats.clone(),
            parties: match tables.keep {
                Keep::Nobody => Parties::MaySplit(prices.party),
                Keep::AllParties => Parties::MustKeep,
            },
            prices,
            most,
            slack: tables.slack.clone(),
        }
    }

    /// What is found for the goals, for as many as there is work left, the smaller sizes first. The `tables`
    /// are those in which their least differences were looked up.
    ///
    /// Where few splits are as close, these are looked at one by one.
    /// Most of the best splits leave few wishes open, and narrow tables are faster. So what they
    /// can tell is looked for in those first, unless the best splits are dear. Those of small teams
    /// often are, but then few are as good but for the less important wishes.
    pub(super) fn run(
        &self,
        order: Order,
        keep: Keep,
        goals: &[Goal],
        tables: Option<&Differences>,
        work: &mut Work,
    ) -> BTreeMap<usize, Found> {
        if goals.is_empty() {
            return BTreeMap::new();
        }
        let prices = Prices::new(self.brief, order, self.pairs);
        let widest = Width::of(prices.total);
        let mut found = BTreeMap::new();
        if let Some(differences) = tables {
            found.extend(self.of_few(&prices, goals, differences));
        }
        let rest = goals.iter().filter(|goal| !found.contains_key(&goal.size));
        let all_are_dear = are_dear(rest.map(|goal| goal.least));
        for attempt in Attempt::all(widest, self.points.len()) {
            let is_open = |goal: &&Goal| {
                let is_dear = all_are_dear && !attempt.is_for_small_teams();
                let is_worth_a_try = goal.choice == Choice::Best && !is_dear;
                !found.contains_key(&goal.size) && (is_worth_a_try || attempt.width == widest)
            };
            let open: Vec<Goal> = goals.iter().filter(is_open).copied().collect();
            let may_do = || !attempt.is_for_small_teams() || self.have_few(order, keep, &open);
            if !open.is_empty() && may_do() {
                found.extend(self.run_in(attempt, order, &prices, keep, open, work));
            }
        }
        found
    }

    /// The same by one attempt.
    fn run_in(
        &self,
        attempt: Attempt,
        order: Order,
        prices: &Prices,
        keep: Keep,
        mut goals: Vec<Goal>,
        work: &mut Work,
    ) -> BTreeMap<usize, Found> {
        goals.sort_by_key(|goal| goal.size);
        // Smaller teams take smaller tables.
        while !goals.is_empty() {
            let sizes: Vec<usize> = goals.iter().map(|goal| goal.size).collect();
            let slack = goals.iter().map(|goal| (goal.size, self.slack(goal)));
            let tables = Tables {
                order,
                prices,
                keep,
                slack: Slack::new(slack),
                attempt,
            };
            if let Some(found) = self.with_run(&tables, &sizes, work, |run| run.find(&goals)) {
                return found;
            }
            goals.truncate(goals.len() / 2);
        }
        BTreeMap::new()
    }

    /// Whether tables that tell of turns and parties alone are probably enough for all of these goals. If they
    /// are not for one, the wider tables that it needs serve all smaller sizes as well.
    fn have_few(&self, order: Order, keep: Keep, goals: &[Goal]) -> bool {
        let is_small = |goal: &Goal| is_small(goal.size, self.points.len());
        let most = || {
            let prices = Prices::telling(Detail::TurnsAndParties, self.brief, order, self.pairs);
            match (keep, order) {
                (Keep::AllParties, Order::PartiesFirst) => prices.party,
                _ => prices.total,
            }
        };
        goals.iter().all(is_small) && Width::of(most()) == Width::One
    }

    /// The greatest difference, in units, that a split with that goal has.
    fn slack(&self, goal: &Goal) -> i64 {
        let wishes = self.brief.wishes;
        let price = match goal.choice {
            Choice::Best => 0,
            Choice::KeepMore => self.in_units(wishes.party_price),
        };
        goal.least + price + self.in_units(wishes.tolerance)
    }

    /// What `answer` makes of a run over `sizes` with such tables, or `None` where these take more
    /// work than is left.
    pub(super) fn with_run<T>(
        &self,
        tables: &Tables<'_>,
        sizes: &[usize],
        work: &mut Work,
        answer: impl FnOnce(&Run<'_>) -> T,
    ) -> Option<T> {
        let most = sizes.iter().copied().max().unwrap_or_default();
        let rules = self.rules(tables, tables.prices.clone(), most);
        let left = work.left();
        let Some(laid_out) = LaidOut::new(&self.linked, &rules, sizes, left, &self.halving) else {
            // More than all work would be too little.
            return work.spend(u64::MAX).and(None);
        };
        let costs = laid_out.costs;
        let widest = Width::of(tables.prices.total);
        let Attempt { width, detail } = tables.attempt.for_so_many(costs, widest);
        work.spend(costs.saturating_mul(width.bytes()))?;
        let (rules, laid_out) = if detail == Detail::Everything {
            (rules, laid_out)
        } else {
            let prices = Prices::telling(detail, self.brief, tables.order, self.pairs);
            let rules = self.rules(tables, prices, most);
            let laid_out = laid_out.priced(&self.linked, &rules);
            (rules, laid_out)
        };
        Some(answer(&Run {
            brief: self.brief,
            rules,
            exact: tables.prices,
            members: laid_out.members,
            cut: laid_out.cut,
            layouts: laid_out.layouts,
            width,
            unit: self.unit,
        }))
    }
}

/// How many of the pairs apart count, and who is linked then: all count, unless they are such a web
/// that it would take too many tables; `None` where parties alone do that.
fn simply_linked(brief: &Brief<'_>) -> Option<(usize, Vec<Linked>)> {
    (0..=brief.apart.len()).rev().find_map(|pairs| {
        let linked = linked(brief, &pairs_apart(brief, pairs));
        linked
            .iter()
            .all(Linked::is_simple)
            .then_some((pairs, linked))
    })
}

/// The ratings less the lowest, in units of what divides all of these, and the unit.
fn in_units(points: &[i64]) -> (Vec<i64>, i64) {
    let lowest = points.iter().copied().min().unwrap_or_default();
    let above = points.iter().map(|points| points - lowest);
    let unit = above.clone().fold(0, greatest_common_divisor).max(1);
    (above.map(|points| points / unit).collect(), unit)
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}
