use super::choose::{Candidates, Choice, MoveCount};
use super::closest::Leads;
use crate::balance::policy::{Act, Trigger};
use crate::balance::state::Tally;
use crate::domain::Side;

/// Search for the players who should change teams in an unbalanced match.
#[derive(Debug)]
pub(super) struct Exchange<'all> {
    pub(super) trigger: &'all Trigger,
    pub(super) act: Act,
    pub(super) tally: Tally,
    /// Largest tolerated lead of a team in weight, in billionths of a point, at any team sizes; `None` for no limit.
    pub(super) most_lead: Option<i64>,
    /// Team that players should leave, because it has too many or too strong players.
    pub(super) giving: Side,
    /// Players who may leave either team, and the weight by which the team that gives players leads.
    pub(super) candidates: Candidates<'all>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    /// Best choices of players to move, each with `true` if it balances the teams. All balance with the fewest players;
    /// if no choice balances the teams, all only reduce the imbalance.
    pub(super) choices: Vec<(Choice, bool)>,
    pub(super) proven: bool,
}

/// Number of searches (one for each number of players) without a proven result after which the search ends.
const MAX_UNPROVEN: usize = 4;

impl Exchange<'_> {
    /// Returns at most `most` choices of the fewest players whose moves balance the teams, the smallest lead first. If
    /// no choice balances the teams, returns the choices closest to balance.
    pub(super) fn solve(&mut self, most: usize) -> Exchanged {
        let (mut proven, mut unproven) = (true, 0);
        for count in self.move_counts() {
            let Some(leads) = self.balanced(count) else {
                continue;
            };
            let chosen = self.candidates.choose(count, leads, most);
            proven &= chosen.proven;
            if !chosen.choices.is_empty() {
                let choices = chosen.choices.into_iter();
                return Exchanged {
                    choices: choices.map(|choice| (choice, true)).collect(),
                    proven,
                };
            }
            unproven += usize::from(!chosen.proven);
            if unproven == MAX_UNPROVEN {
                break;
            }
        }
        let helpful = self.helpful(most);
        Exchanged {
            proven: proven && helpful.proven,
            ..helpful
        }
    }

    /// Returns the choices of players to move that come closest to balance. They are ordered by team sizes if sizes
    /// break a limit, then by lead in weight, then by number of players.
    fn helpful(&mut self, most: usize) -> Exchanged {
        let now = self.at_fault((self.tally.a.size, self.tally.b.size));
        let mut move_counts: Vec<(usize, MoveCount)> = self
            .move_counts()
            .into_iter()
            .map(|count| (self.at_fault(self.sizes(count)), count))
            .collect();
        move_counts.sort_by_key(|(fault, _)| *fault);
        let (mut found, mut unproven) = (Vec::new(), 0);
        for level in move_counts.chunk_by(|(one, _), (other, _)| one == other) {
            // Counts that may come closest go first, so that their results exclude the others.
            let mut level = level.to_vec();
            level.sort_by_key(|(_, count)| self.candidates.reach(*count).nearest());
            let mut here: Vec<(Choice, bool)> = Vec::new();
            for (fault, count) in level {
                let worst = here.get(most - 1).map(|(choice, _)| choice.lead.abs());
                let leads = self
                    .better(fault, now)
                    .map(|leads| leads.within(worst.unwrap_or(i64::MAX)))
                    .filter(|_| unproven < MAX_UNPROVEN);
                let Some(leads) = leads else {
                    continue;
                };
                let chosen = self.candidates.choose(count, leads, most);
                unproven += usize::from(!chosen.proven);
                let enough = self.balanced(count);
                here.extend(chosen.choices.into_iter().map(|choice| {
                    let balances = enough.is_some_and(|leads| leads.contain(choice.lead));
                    (choice, balances)
                }));
                here.sort_by_key(|(choice, balances)| {
                    let players = choice.give.len() + choice.take.len();
                    (!balances, choice.lead.unsigned_abs(), players)
                });
            }
            found.append(&mut here);
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        Exchanged {
            choices: found,
            proven: unproven == 0,
        }
    }

    /// Returns the possible numbers of players to move from each team, the fewest players first.
    fn move_counts(&self) -> Vec<MoveCount> {
        // Players who change teams without a partner in exchange, to correct the team sizes.
        let surplus = self.at_fault((self.tally.a.size, self.tally.b.size)) / 2;
        let (give, take) = self.candidates.players();
        match self.act {
            Act::Transfer => (1..=give).map(|give| MoveCount { give, take: 0 }).collect(),
            Act::Swap => (0..=take)
                .map(|take| MoveCount {
                    give: surplus + take,
                    take,
                })
                .filter(|count| (1..=give).contains(&count.give))
                .collect(),
            Act::Fill(_) => Vec::new(),
        }
    }

    /// Returns the difference of the team sizes if it breaks a limit of the policy, else 0.
    fn at_fault(&self, (a, b): (usize, usize)) -> usize {
        if self.trigger.size_reasons(a, b).is_empty() {
            0
        } else {
            a.abs_diff(b)
        }
    }

    fn sizes(&self, count: MoveCount) -> (usize, usize) {
        let giving = self.tally.team(self.giving).size + count.take - count.give;
        let other = self.tally.team(self.giving.other()).size + count.give - count.take;
        (giving, other)
    }

    /// Returns the range of leads with which the teams are balanced after `count` moves, as weight by which the team
    /// that gives players leads, in billionths of a point. `None` if the team sizes then break a limit of the policy.
    ///
    /// If the team sizes alone make the teams balanced, the team that leads now may keep any lead, and the other team
    /// may lead up to the limit.
    fn balanced(&self, count: MoveCount) -> Option<Leads> {
        let (a, b) = self.sizes(count);
        if self.at_fault((a, b)) > 0 {
            return None;
        }
        let Some(most) = self.most_lead else {
            return Some(Leads::ALL);
        };
        Some(
            match (self.trigger.suffices(a, b), self.candidates.lead().signum()) {
                (false, _) => Leads { least: -most, most },
                (true, 1) => Leads {
                    least: -most,
                    ..Leads::ALL
                },
                (true, -1) => Leads { most, ..Leads::ALL },
                (true, _) => Leads::ALL,
            },
        )
    }

    /// Returns the range of leads that improve the balance, as weight by which the team that gives players leads, in
    /// billionths of a point. `None` if no lead does. `fault` and `now` are the differences of the team sizes after and
    /// before the moves, in players, or 0 if they break no limit of the policy.
    ///
    /// Moves that improve sizes may raise the lead to its limit or its present size, whichever is larger. Other moves
    /// must reduce the lead. No moves may give the other team a lead beyond the limit.
    fn better(&self, fault: usize, now: usize) -> Option<Leads> {
        let lead = self.candidates.lead();
        let apart = lead.abs();
        let (limit, farthest) = match (self.most_lead, fault < now) {
            (None, true) => return Some(Leads::ALL),
            (Some(limit), true) => (limit, apart.max(limit)),
            (Some(limit), false) if fault == now && apart > 0 => (limit, apart - 1),
            _ => return None,
        };
        let (same, other) = (farthest, farthest.min(limit));
        Some(if lead < 0 {
            Leads {
                least: -same,
                most: other,
            }
        } else {
            Leads {
                least: -other,
                most: same,
            }
        })
    }
}
