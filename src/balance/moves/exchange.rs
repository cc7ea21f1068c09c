use super::choose::{Candidates, Choice, MoveCount};
use super::closest::Leads;
use crate::balance::policy::{Act, Trigger};
use crate::balance::state::Tally;
use crate::domain::Side;

/// The question which players should change teams.
#[derive(Debug)]
pub(super) struct Exchange<'all> {
    pub(super) trigger: &'all Trigger,
    pub(super) act: Act,
    pub(super) tally: Tally,
    /// The largest lead that is not too much, sizes apart.
    pub(super) most_lead: Option<i64>,
    /// The team that has too many players, or too good ones.
    pub(super) giving: Side,
    /// Who may leave it, who may come from the other team, and by how much it leads.
    pub(super) candidates: Candidates<'all>,
}

/// The answer to that question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    /// The best choices, and whether the teams are balanced after them: those of the fewest players
    /// that balance; where there are none, those that help.
    pub(super) choices: Vec<(Choice, bool)>,
    /// Whether none better is proven to be missing.
    pub(super) proven: bool,
}

/// After how many move counts with neither a choice nor a proof the search ends.
const MAX_UNPROVEN: usize = 4;

impl Exchange<'_> {
    /// The choices of the fewest players after which the teams are balanced, those that leave the
    /// least lead first; where there are none, those that come nearest to it. At most so many.
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

    /// The choices that come nearest to balance: first by the sizes where they are at fault, then by
    /// the lead, then by how few players change teams.
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
            // Those that may come nearest first, so that the others are cut off by what they found.
            let mut level = level.to_vec();
            level.sort_by_key(|(_, count)| self.candidates.reach(*count).nearest());
            let mut here: Vec<(Choice, bool)> = Vec::new();
            for (fault, count) in level {
                let worst = here.get(most - 1).map(|(choice, _)| choice.lead.abs());
                let leads = self.better(fault, now);
                let leads = leads.map(|leads| leads.within(worst.unwrap_or(i64::MAX)));
                let Some(leads) = leads.filter(|_| unproven < MAX_UNPROVEN) else {
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

    /// Every move count that the act allows, the fewest players first.
    fn move_counts(&self) -> Vec<MoveCount> {
        let surplus = self.surplus();
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

    /// How many players swaps should send over first, for the sizes' sake.
    fn surplus(&self) -> usize {
        self.at_fault((self.tally.a.size, self.tally.b.size)) / 2
    }

    /// By how many players sizes differ that are at fault.
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

    /// The leads after which the teams are balanced; none of them flips the favourite beyond the limit.
    /// `None` where the sizes are at fault.
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

    /// The leads that help where sizes are at fault by `fault`, and were by `now`; `None` where none
    /// does. What brings sizes closer must not take the sums farther beyond their limit; what leaves
    /// sizes must bring the sums closer. Neither may flip the favourite beyond the limit.
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
