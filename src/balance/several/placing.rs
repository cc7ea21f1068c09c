use super::STEPS;
use super::judge::{Judge, Penalty, Sums, common_step};
use crate::balance::sums::{Item, SubsetSums, TableBudget};

/// Maximum number of passes of hill climbing that redistribute the players of all pairs of teams.
const PASSES: usize = 4;

/// Assignment of joining players to teams: its penalty, and the team index of each party or single player.
pub(super) type Seating = (Penalty, Vec<usize>);

#[derive(Debug)]
pub(super) struct Placing<'all> {
    judge: &'all Judge<'all>,
    /// Parties and single players to place. Their weights are less the bots that they replace.
    items: &'all [Item],
    sums: Sums,
    seats: Vec<usize>,
    /// Best assignments of players to teams so far, the best first; at most `most`.
    best: Vec<Seating>,
    most: usize,
    steps: usize,
    /// Number of players who are not placed yet, by the number of placed items (parties or single players).
    left: Vec<usize>,
    /// Total weight of all teams after the placement, in billionths of a point.
    total: i64,
    /// Lower bound of the penalty of every complete assignment of players to teams.
    ideal: Penalty,
    /// `true` if no placed player or party has a negative weight, so that team weights only grow.
    only_grows: bool,
}

impl<'all> Placing<'all> {
    /// Creates a search that adds `items` (parties or single players) to teams with these sizes and weights. The search
    /// is fastest with the heaviest items first.
    pub(super) fn new(
        judge: &'all Judge<'all>,
        items: &'all [Item],
        sums: Sums,
        most: usize,
    ) -> Self {
        let values = || items.iter().map(|item| item.value);
        let left = |placed: usize| items[placed..].iter().map(|item| item.players).sum();
        let left: Vec<usize> = (0..=items.len()).map(left).collect();
        let players = left[0];
        let total = sums.values.iter().sum::<i64>() + values().sum::<i64>();
        let step = common_step(values().chain(sums.values.iter().copied()));
        let all = players + sums.sizes.iter().sum::<usize>();
        Self {
            ideal: Penalty {
                fires: false,
                over: 0,
                size_fault: if judge.sizes_first {
                    sums.least_size_squares(players)
                } else {
                    0
                },
                gap: Sums::least_gap(sums.teams(), total, step),
                rough: 0,
                uneven: Sums::least_uneven(sums.teams(), all),
            },
            only_grows: values().all(|value| value >= 0),
            seats: Vec::with_capacity(items.len()),
            best: Vec::with_capacity(most + 1),
            steps: STEPS,
            left,
            judge,
            items,
            sums,
            most,
            total,
        }
    }

    /// Returns the best assignments of players, best first, and `true` if the first is proven to be the best of all.
    pub(super) fn solve(mut self) -> (Vec<Seating>, bool) {
        self.descend();
        if self.steps == 0 {
            let best = self.best.first().map(|(_, seats)| seats.clone());
            if let Some(seats) = best {
                let climbed = self.climbed(seats);
                self.keep(climbed);
            }
        }
        let is_ideal = self.best.first().is_some_and(|best| best.0 <= self.ideal);
        (self.best, self.steps > 0 || is_ideal)
    }

    fn descend(&mut self) {
        if self.steps == 0 || self.is_settled() {
            return;
        }
        self.steps -= 1;
        let Some(item) = self.items.get(self.seats.len()).copied() else {
            self.keep((self.judge.placing(&self.sums), self.seats.clone()));
            return;
        };
        let mut teams: Vec<usize> = (0..self.sums.teams()).collect();
        let sizes_first = self.judge.sizes_first;
        let key = |sums: &Sums, team: usize| {
            let (value, size) = (sums.values[team], sums.sizes[team]);
            (if sizes_first { size } else { 0 }, value, size)
        };
        teams.sort_by_key(|team| key(&self.sums, *team));
        // Identical teams are tried once.
        teams.dedup_by_key(|team| key(&self.sums, *team));
        for team in teams {
            self.sums.add(team, item.players, item.value);
            self.seats.push(team);
            if !self.is_hopeless(team) {
                self.descend();
            }
            self.seats.pop();
            self.sums.remove(team, item.players, item.value);
        }
    }

    /// Returns `true` if `most` assignments are found, the first with the lowest possible penalty.
    fn is_settled(&self) -> bool {
        self.best.len() == self.most && self.best.first().is_some_and(|best| best.0 <= self.ideal)
    }

    /// Returns `true` if no completion of this partial assignment, in which `team` grew last, can beat those found.
    fn is_hopeless(&self, team: usize) -> bool {
        let Some((worst, _)) = self.best.get(self.most - 1) else {
            return false;
        };
        if worst.fires || worst.over > 0 {
            return false;
        }
        let least_fault = if self.judge.sizes_first {
            let left = self.left[self.seats.len()];
            self.sums.least_size_squares(left)
        } else {
            0
        };
        if self.sums.sizes[team] > self.judge.most || least_fault > worst.size_fault {
            return true;
        }
        // The other teams get the rest, and the lightest of them at most an equal part.
        let top = self.sums.values[team];
        let others = i64::try_from(self.sums.teams() - 1).unwrap_or(i64::MAX);
        let least = top - (self.total - top).div_euclid(others);
        self.only_grows
            && least_fault == worst.size_fault
            && (least > worst.gap || least == worst.gap && worst.uneven <= self.ideal.uneven)
    }

    fn keep(&mut self, seating: Seating) {
        let place = self.best.partition_point(|kept| kept.0 <= seating.0);
        if place < self.most && self.best.iter().all(|kept| kept.1 != seating.1) {
            self.best.insert(place, seating);
            self.best.truncate(self.most);
        }
    }

    /// Improves an assignment of players to teams by hill climbing, in three phases.
    ///
    /// The first phase minimizes the sum of squared weights, which distinguishes assignments with the same strongest
    /// and weakest team. The second phase redistributes pairs of teams by tables of all sums. The third phase improves
    /// the penalty.
    fn climbed(&self, seats: Vec<usize>) -> Seating {
        let evenly = |sums: &Sums| {
            let penalty = self.judge.placing(sums);
            (
                penalty.fires,
                penalty.over,
                penalty.size_fault,
                sums.squares(),
            )
        };
        let mut seats = self.climb(seats, evenly);
        let teams = 0..self.sums.teams();
        let pairs: Vec<(usize, usize)> = teams
            .flat_map(|one| (0..one).map(move |other| (one, other)))
            .collect();
        for _ in 0..PASSES {
            let mut is_closer = false;
            for pair in &pairs {
                if let Some(closer) = self.divided(&seats, *pair) {
                    seats = closer;
                    is_closer = true;
                }
            }
            if !is_closer {
                break;
            }
        }
        let seats = self.climb(seats, |sums| self.judge.placing(sums));
        (self.judge.placing(&self.seated(&seats)), seats)
    }

    /// Redistributes the placed players of two teams so that their weights are as close as possible, with unchanged
    /// numbers of players. `None` if the weights come no closer, or if there are too many sums to examine.
    fn divided(&self, seats: &[usize], (one, other): (usize, usize)) -> Option<Vec<usize>> {
        let now = self.seated(seats);
        let of_both: Vec<usize> = (0..seats.len())
            .filter(|item| [one, other].contains(&seats[*item]))
            .collect();
        let items: Vec<Item> = of_both.iter().map(|item| self.items[*item]).collect();
        let players = now.sizes[one] - self.sums.sizes[one];
        // Weight of items on the first team with which both teams weigh the same.
        let both = now.values[one] + now.values[other];
        let target = both.div_euclid(2) - self.sums.values[one];
        let mut tables = SubsetSums::of(&items, players, TableBudget::STANDARD)?;
        let lead = |sum: i64| (2 * (self.sums.values[one] + sum) - both).abs();
        let near = tables.around(players, target, 1).into_iter();
        let sum = near.min_by_key(|sum| lead(*sum))?;
        if lead(sum) >= (now.values[one] - now.values[other]).abs() {
            return None;
        }
        let chosen = tables.first_subsets(players, sum, 1).pop()?;
        let mut closer = seats.to_vec();
        for item in &of_both {
            closer[*item] = other;
        }
        for place in chosen {
            closer[of_both[place]] = one;
        }
        Some(closer)
    }

    fn seated(&self, seats: &[usize]) -> Sums {
        let mut sums = self.sums.clone();
        for (item, team) in self.items.iter().zip(seats) {
            sums.add(*team, item.players, item.value);
        }
        sums
    }

    /// Improves an assignment until no move of a party or player, and no exchange of two, lowers `key`.
    fn climb<Key: Ord>(&self, mut seats: Vec<usize>, key: impl Fn(&Sums) -> Key) -> Vec<usize> {
        let mut sums = self.seated(&seats);
        loop {
            let changes = self.changes(&seats).into_iter().map(|change| {
                let mut changed = sums.clone();
                for (item, team) in &change {
                    let Item { players, value } = self.items[*item];
                    changed.shift((seats[*item], *team), players, value);
                }
                (key(&changed), change)
            });
            let best = changes.min_by(|one, other| one.0.cmp(&other.0));
            let Some((_, change)) = best.filter(|(better, _)| *better < key(&sums)) else {
                return seats;
            };
            for (item, team) in change {
                let Item { players, value } = self.items[item];
                sums.shift((seats[item], team), players, value);
                seats[item] = team;
            }
        }
    }

    /// Returns every move of one party or player and every exchange of two, as pairs of item index and new team index.
    fn changes(&self, seats: &[usize]) -> Vec<Vec<(usize, usize)>> {
        let single = (0..seats.len()).flat_map(|item| {
            let teams = (0..self.sums.teams()).filter(move |team| *team != seats[item]);
            teams.map(move |team| vec![(item, team)])
        });
        let pairs = (0..seats.len()).flat_map(|one| {
            let others = (0..one).filter(move |other| seats[*other] != seats[one]);
            others.map(move |other| vec![(one, seats[other]), (other, seats[one])])
        });
        single.chain(pairs).collect()
    }
}
