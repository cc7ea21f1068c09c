use super::STEPS;
use super::judge::{Judge, Merit, Sums, common_step};
use crate::balance::policy::Act;

/// Somebody who may change teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mover {
    pub(super) home: usize,
    pub(super) value: i64,
}

/// Movers who change teams, with where they go, in ascending order.
pub(super) type Moves = Vec<(usize, usize)>;

/// What moves are worth, and who makes them.
pub(super) type Choice = (Merit, Moves);

/// Looks for the fewest moves after which teams are balanced.
#[derive(Debug)]
pub(super) struct Moving<'all> {
    pub(super) judge: &'all Judge<'all>,
    pub(super) act: Act,
    /// Those who may be moved, first those who are moved rather than others that are as good.
    pub(super) movers: &'all [Mover],
    pub(super) sums: Sums,
    /// How many choices are wanted.
    pub(super) most: usize,
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The best choices of the fewest moves that balance, else those that help, the best first.
    pub(super) choices: Vec<Choice>,
    /// Whether there is proven to be nothing better than the first or, where none balances, that
    /// nothing does.
    pub(super) proven: bool,
}

/// A search through the moves of so many players.
#[derive(Debug)]
struct Walk<'all> {
    moving: &'all Moving<'all>,
    /// Where each mover may go.
    goals: Vec<Vec<usize>>,
    /// How many go to another team for the sake of the sizes, where players swap.
    transfers: usize,
    /// Whether sizes are at fault.
    by_size: bool,
    sums: Sums,
    moves: Moves,
    best: Vec<Choice>,
}

impl Moving<'_> {
    pub(super) fn solve(&self) -> Found {
        let before = self.judge.moving(&self.sums);
        let needed = self.judge.transfers_needed(&self.sums);
        let swaps = self.act == Act::Swap;
        // Nobody changes places alone.
        let fewest = if swaps && needed == 0 {
            2
        } else {
            needed.max(1)
        };
        // Where fewer may move than have to, nothing balances, and the fewer may help at least.
        let first = if fewest > self.movers.len() {
            1
        } else {
            fewest
        };
        let goals = self.goals();
        let mut helping: Vec<Choice> = Vec::new();
        let mut steps = STEPS;
        for count in first..=self.movers.len() {
            let ways = ways(&goals, count);
            let Some(left) = steps.checked_sub(ways) else {
                return self.climbed(fewest, needed, &goals, helping);
            };
            steps = left;
            let mut walk = self.walk(&goals, needed);
            walk.descend(0, count);
            if walk.best.first().is_some_and(|best| !best.0.fires) {
                walk.best.retain(|choice| !choice.0.fires);
                return Found {
                    choices: walk.best,
                    proven: true,
                };
            }
            let better = walk.best.into_iter();
            helping.extend(better.filter(|choice| choice.0 < before));
            helping.sort_by_key(|choice| choice.0);
            helping.truncate(self.most);
        }
        Found {
            choices: helping,
            proven: true,
        }
    }

    /// Where each mover may go: to teams that have less of what is at fault, or anywhere in a swap.
    fn goals(&self) -> Vec<Vec<usize>> {
        let by_size = self.judge.sizes_fire(&self.sums);
        let goals = self.movers.iter().map(|mover| {
            let teams = (0..self.sums.teams()).filter(|to| *to != mover.home);
            let teams =
                teams.filter(|to| self.act == Act::Swap || self.has_more(by_size, mover.home, *to));
            teams.collect()
        });
        goals.collect()
    }

    /// Whether the first team has more than the second of what is at fault.
    fn has_more(&self, by_size: bool, first: usize, second: usize) -> bool {
        if by_size {
            self.sums.sizes[first] > self.sums.sizes[second]
        } else {
            self.sums.values[first] > self.sums.values[second]
        }
    }

    fn walk(&self, goals: &[Vec<usize>], transfers: usize) -> Walk<'_> {
        Walk {
            moving: self,
            goals: goals.to_vec(),
            by_size: self.judge.sizes_fire(&self.sums),
            transfers,
            sums: self.sums.clone(),
            moves: Vec::new(),
            best: Vec::new(),
        }
    }

    /// What hill climbing finds where there are too many ways: one move or swap more at a time, with
    /// other players in place of those who move wherever that is better.
    fn climbed(
        &self,
        fewest: usize,
        transfers: usize,
        goals: &[Vec<usize>],
        mut helping: Vec<Choice>,
    ) -> Found {
        let mut walk = self.walk(goals, transfers);
        let mut merit = self.judge.moving(&self.sums);
        let before = merit;
        loop {
            while merit.fires {
                let steps = walk
                    .next_steps()
                    .into_iter()
                    .filter_map(|more| Some((walk.judged(&more)?, more)));
                let best = steps.min_by_key(|(after, _)| *after);
                let Some((better, more)) = best.filter(|(after, _)| *after < merit) else {
                    break;
                };
                walk.apply(&more);
                merit = better;
            }
            // Who was best to move first need not be among the best who move together.
            let stuck = merit;
            while let Some((better, moves)) = walk.replacement(merit) {
                walk.set(&moves);
                merit = better;
            }
            if !merit.fires || merit == stuck {
                break;
            }
        }
        walk.moves.sort_unstable();
        let count = walk.moves.len();
        if merit.fires {
            if merit < before {
                helping.insert(0, (merit, walk.moves));
                helping.sort_by_key(|choice| choice.0);
                helping.truncate(self.most);
            }
            return Found {
                choices: helping,
                proven: false,
            };
        }
        let total = self.sums.values.iter().sum();
        let movers = self.movers.iter().map(|mover| mover.value);
        let step = common_step(movers.chain(self.sums.values.iter().copied()));
        let least = Sums::least_spread(self.sums.teams(), total, step);
        let players = self.sums.sizes.iter().sum();
        Found {
            proven: count == fewest
                && merit.spread <= least
                && merit.uneven <= Sums::least_uneven(self.sums.teams(), players),
            choices: vec![(merit, walk.moves)],
        }
    }
}

impl Walk<'_> {
    /// Looks through all ways in which `count` more of the movers from `first` on change teams.
    fn descend(&mut self, first: usize, count: usize) {
        if count == 0 {
            if self.swaps_evenly() {
                self.keep();
            }
            return;
        }
        let last = self.goals.len() + 1 - count;
        for mover in first..last {
            for goal in 0..self.goals[mover].len() {
                let to = self.goals[mover][goal];
                self.shift(mover, to);
                self.moves.push((mover, to));
                self.descend(mover + 1, count - 1);
                self.moves.pop();
                self.shift_back(mover, to);
            }
        }
    }

    /// Whether no more than are needed for the sizes go to a team without somebody coming from there,
    /// where players swap.
    fn swaps_evenly(&self) -> bool {
        if self.moving.act != Act::Swap {
            return true;
        }
        let before = self.moving.sums.sizes.iter();
        let more = before
            .zip(&self.sums.sizes)
            .map(|(before, after)| after.saturating_sub(*before));
        more.sum::<usize>() == self.transfers
    }

    /// What the moves so far are worth; nothing where somebody's new team ends above the old one by
    /// more than a limit.
    fn merit(&self) -> Option<Merit> {
        let is_flipped = self.moves.iter().any(|(mover, to)| {
            let home = self.moving.movers[*mover].home;
            self.moving.has_more(self.by_size, home, *to)
                && self.moving.judge.is_above(&self.sums, home, *to)
        });
        (!is_flipped).then(|| self.moving.judge.moving(&self.sums))
    }

    fn keep(&mut self) {
        let Some(merit) = self.merit() else {
            return;
        };
        let place = self.best.partition_point(|kept| kept.0 <= merit);
        if place < self.moving.most {
            self.best.insert(place, (merit, self.moves.clone()));
            self.best.truncate(self.moving.most);
        }
    }

    fn shift(&mut self, mover: usize, to: usize) {
        let Mover { home, value } = self.moving.movers[mover];
        self.sums.remove(home, 1, value);
        self.sums.add(to, 1, value);
    }

    fn shift_back(&mut self, mover: usize, to: usize) {
        let Mover { home, value } = self.moving.movers[mover];
        self.sums.remove(to, 1, value);
        self.sums.add(home, 1, value);
    }

    fn apply(&mut self, more: &[(usize, usize)]) {
        for (mover, to) in more {
            self.shift(*mover, *to);
        }
        self.moves.extend(more);
    }

    fn set(&mut self, moves: &[(usize, usize)]) {
        let old = std::mem::take(&mut self.moves);
        for (mover, to) in old {
            self.shift_back(mover, to);
        }
        self.apply(moves);
    }

    /// What `more` moves besides those that are made would be worth.
    fn judged(&mut self, more: &[(usize, usize)]) -> Option<Merit> {
        let made = self.moves.len();
        self.apply(more);
        let merit = self.merit();
        for (mover, to) in self.moves.split_off(made) {
            self.shift_back(mover, to);
        }
        merit
    }

    fn stays(&self, mover: usize) -> bool {
        self.moves.iter().all(|(moved, _)| *moved != mover)
    }

    /// Every move that could come next: of one player, or of two who change places where no more are
    /// to leave for the sake of the sizes.
    fn next_steps(&self) -> Vec<Moves> {
        let staying: Vec<usize> = (0..self.goals.len())
            .filter(|one| self.stays(*one))
            .collect();
        if self.moving.act == Act::Swap && self.moves.len() >= self.transfers {
            let home = |mover: usize| self.moving.movers[mover].home;
            let pairs = staying
                .iter()
                .flat_map(|one| {
                    let others = staying.iter().filter(move |other| *other < one);
                    others.map(move |other| (*other, *one))
                })
                .filter(|(one, other)| home(*one) != home(*other));
            return pairs
                .map(|(one, other)| vec![(one, home(other)), (other, home(one))])
                .collect();
        }
        let singles = staying
            .into_iter()
            .flat_map(|mover| self.goals[mover].iter().map(move |to| vec![(mover, *to)]));
        singles.collect()
    }

    /// The best way to let somebody else of the same team move in place of one who moves, or to let two
    /// who move go to each other's goals, if that is better.
    fn replacement(&mut self, merit: Merit) -> Option<Choice> {
        let home = |mover: usize| self.moving.movers[mover].home;
        let moves = self.moves.clone();
        let mut others: Vec<Moves> = Vec::new();
        for (place, &(mover, to)) in moves.iter().enumerate() {
            for other in (0..self.goals.len()).filter(|other| self.stays(*other)) {
                if home(other) == home(mover) && self.goals[other].contains(&to) {
                    let mut changed = moves.clone();
                    changed[place] = (other, to);
                    others.push(changed);
                }
            }
            for (behind, &(second, goal)) in moves.iter().enumerate().skip(place + 1) {
                if goal != to
                    && self.goals[mover].contains(&goal)
                    && self.goals[second].contains(&to)
                {
                    let mut changed = moves.clone();
                    changed[place] = (mover, goal);
                    changed[behind] = (second, to);
                    others.push(changed);
                }
            }
        }
        let judged = others.into_iter().filter_map(|changed| {
            self.set(&changed);
            Some((self.merit()?, changed))
        });
        let better = judged.filter(|(after, _)| *after < merit);
        let best = better.min_by_key(|(after, _)| *after);
        self.set(&moves);
        best
    }
}

/// In how many ways so many movers change teams; at most [`usize::MAX`].
fn ways(goals: &[Vec<usize>], count: usize) -> usize {
    // One after another: those of the movers so far of whom 0, 1, 2, ... change.
    let mut ways = vec![0_usize; count + 1];
    ways[0] = 1;
    for goals in goals {
        for moved in (1..=count).rev() {
            let more = ways[moved - 1].saturating_mul(goals.len());
            ways[moved] = ways[moved].saturating_add(more);
        }
    }
    ways[count]
}
