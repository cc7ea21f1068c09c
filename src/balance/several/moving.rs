use super::STEPS;
use super::judge::{Judge, Penalty, Sums, common_step};
use crate::balance::policy::Act;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mover {
    pub(super) home: usize,
    pub(super) value: i64,
}

/// Moves of players, as pairs of a movable player's index and the new team's index, ascending.
pub(super) type Moves = Vec<(usize, usize)>;

pub(super) type Choice = (Penalty, Moves);

/// Search for the fewest moves after which the teams are balanced.
#[derive(Debug)]
pub(super) struct Moving<'all> {
    pub(super) judge: &'all Judge<'all>,
    pub(super) act: Act,
    /// Players who may be moved; among equally good choices, earlier players are preferred.
    pub(super) movers: &'all [Mover],
    pub(super) sums: Sums,
    /// Maximum number of alternative sets of moves to return.
    pub(super) most: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Sets of moves, the best first: the fewest that balance the teams, else sets that only reduce the imbalance.
    pub(super) choices: Vec<Choice>,
    /// `true` if it is proven that no set of moves is better than the first, or that none balances the teams.
    pub(super) proven: bool,
}

#[derive(Debug)]
struct Walk<'all> {
    moving: &'all Moving<'all>,
    /// Indices of the possible new teams of each movable player.
    goals: Vec<Vec<usize>>,
    /// Number of players who move without an exchange to fix the sizes, if the policy swaps.
    transfers: usize,
    /// `true` if the team sizes break a limit of the policy.
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
        // A swap takes at least two players.
        let fewest = if swaps && needed == 0 {
            2
        } else {
            needed.max(1)
        };
        // With fewer movers than necessary nothing balances, but fewer moves may still help.
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

    /// Returns the possible new teams of each movable player: every other team in a swap, else teams with fewer players
    /// if sizes break a limit, else teams with less weight.
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

    /// Returns `true` if the first team has more players (`by_size`) or more weight than the second.
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

    /// Finds moves by hill climbing if there are too many combinations. Adds one move or swap at a time, and replaces
    /// moved players by other players if that is better.
    fn climbed(
        &self,
        fewest: usize,
        transfers: usize,
        goals: &[Vec<usize>],
        mut helping: Vec<Choice>,
    ) -> Found {
        let mut walk = self.walk(goals, transfers);
        let mut penalty = self.judge.moving(&self.sums);
        let before = penalty;
        loop {
            while penalty.fires {
                let steps = walk
                    .next_steps()
                    .into_iter()
                    .filter_map(|more| Some((walk.judged(&more)?, more)));
                let best = steps.min_by_key(|(after, _)| *after);
                let Some((better, more)) = best.filter(|(after, _)| *after < penalty) else {
                    break;
                };
                walk.apply(&more);
                penalty = better;
            }
            // The best single mover may not be among the best group of movers.
            let stuck = penalty;
            while let Some((better, moves)) = walk.replacement(penalty) {
                walk.set(&moves);
                penalty = better;
            }
            if !penalty.fires || penalty == stuck {
                break;
            }
        }
        walk.moves.sort_unstable();
        let count = walk.moves.len();
        if penalty.fires {
            if penalty < before {
                helping.insert(0, (penalty, walk.moves));
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
        let least = Sums::least_gap(self.sums.teams(), total, step);
        let players = self.sums.sizes.iter().sum();
        Found {
            proven: count == fewest
                && penalty.gap <= least
                && penalty.uneven <= Sums::least_uneven(self.sums.teams(), players),
            choices: vec![(penalty, walk.moves)],
        }
    }
}

impl Walk<'_> {
    /// Enumerates all ways in which `count` movable players, from index `first` on, change teams.
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

    /// Returns `true` unless the policy swaps and a wrong number of players move without an exchange.
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

    /// Rates the teams after the moves so far; a lower penalty is better. `None` if a player's new team, which had less
    /// before, outweighs the old team by more than the policy allows.
    fn penalty(&self) -> Option<Penalty> {
        let is_flipped = self.moves.iter().any(|(mover, to)| {
            let home = self.moving.movers[*mover].home;
            self.moving.has_more(self.by_size, home, *to)
                && self.moving.judge.is_above(&self.sums, home, *to)
        });
        (!is_flipped).then(|| self.moving.judge.moving(&self.sums))
    }

    fn keep(&mut self) {
        let Some(penalty) = self.penalty() else {
            return;
        };
        let place = self.best.partition_point(|kept| kept.0 <= penalty);
        if place < self.moving.most {
            self.best.insert(place, (penalty, self.moves.clone()));
            self.best.truncate(self.moving.most);
        }
    }

    fn shift(&mut self, mover: usize, to: usize) {
        let Mover { home, value } = self.moving.movers[mover];
        self.sums.shift((home, to), 1, value);
    }

    fn shift_back(&mut self, mover: usize, to: usize) {
        let Mover { home, value } = self.moving.movers[mover];
        self.sums.shift((to, home), 1, value);
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

    fn judged(&mut self, more: &[(usize, usize)]) -> Option<Penalty> {
        let made = self.moves.len();
        self.apply(more);
        let penalty = self.penalty();
        for (mover, to) in self.moves.split_off(made) {
            self.shift_back(mover, to);
        }
        penalty
    }

    fn stays(&self, mover: usize) -> bool {
        self.moves.iter().all(|(moved, _)| *moved != mover)
    }

    /// Returns every next step of hill climbing: one move, or a swap of two players once team sizes are corrected.
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

    /// Finds the best change of the moves so far that lowers `penalty`: a teammate moves in place of a moved player, or
    /// two moved players exchange their new teams.
    fn replacement(&mut self, penalty: Penalty) -> Option<Choice> {
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
            Some((self.penalty()?, changed))
        });
        let better = judged.filter(|(after, _)| *after < penalty);
        let best = better.min_by_key(|(after, _)| *after);
        self.set(&moves);
        best
    }
}

/// Returns the number of ways in which `count` of the movable players change teams; at most [`usize::MAX`].
fn ways(goals: &[Vec<usize>], count: usize) -> usize {
    // Adds one mover at a time: `ways[n]` counts the ways in which n of the movers so far change teams.
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
