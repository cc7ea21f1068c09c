use super::choose::{Choice, Ground, Shape};
use super::closest::Leads;
use super::{Act, Tally, Trigger};
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
    pub(super) ground: Ground<'all>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    /// The best choices, and whether the teams are balanced after them: those of the fewest players
    /// that balance; where there are none, those that help.
    pub(super) choices: Vec<(Choice, bool)>,
    /// Whether none better is proven to be missing.
    pub(super) proven: bool,
}

/// Shapes for which nothing is found or proven before the search ends.
const MOST_UNPROVEN: usize = 4;

impl Exchange<'_> {
    /// The choices of the fewest players after which the teams are balanced, those that leave the
    /// least lead first; where there are none, those that come nearest to it. At most so many.
    pub(super) fn solve(&mut self, most: usize) -> Exchanged {
        let (mut proven, mut unproven) = (true, 0);
        for shape in self.shapes() {
            let Some(leads) = self.balanced(shape) else {
                continue;
            };
            let chosen = self.ground.choose(shape, leads, most);
            proven &= chosen.proven;
            if !chosen.choices.is_empty() {
                let choices = chosen.choices.into_iter();
                return Exchanged {
                    choices: choices.map(|choice| (choice, true)).collect(),
                    proven,
                };
            }
            unproven += usize::from(!chosen.proven);
            if unproven == MOST_UNPROVEN {
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
        let mut shapes: Vec<(usize, Shape)> = self
            .shapes()
            .into_iter()
            .map(|shape| (self.at_fault(self.sizes(shape)), shape))
            .collect();
        shapes.sort_by_key(|(fault, _)| *fault);
        let (mut found, mut unproven) = (Vec::new(), 0);
        for level in shapes.chunk_by(|(one, _), (other, _)| one == other) {
            // The shapes that may come nearest first, so that the others need not be looked at.
            let mut level = level.to_vec();
            level.sort_by_key(|(_, shape)| self.ground.reach(*shape).nearest());
            let mut here: Vec<(Choice, bool)> = Vec::new();
            for (fault, shape) in level {
                let worst = here.get(most - 1).map(|(choice, _)| choice.lead.abs());
                let leads = self.better(fault, now);
                let leads = leads.map(|leads| leads.within(worst.unwrap_or(i64::MAX)));
                let Some(leads) = leads.filter(|_| unproven < MOST_UNPROVEN) else {
                    continue;
                };
                let chosen = self.ground.choose(shape, leads, most);
                unproven += usize::from(!chosen.proven);
                let enough = self.balanced(shape);
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

    /// Every shape, that of the fewest players first.
    fn shapes(&self) -> Vec<Shape> {
        let surplus = self.surplus();
        let (give, take) = self.ground.players();
        match self.act {
            Act::Transfer => (1..=give).map(|give| Shape { give, take: 0 }).collect(),
            Act::Swap => (0..=take)
                .map(|take| Shape {
                    give: surplus + take,
                    take,
                })
                .filter(|shape| (1..=give).contains(&shape.give))
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

    fn sizes(&self, shape: Shape) -> (usize, usize) {
        let giving = self.tally.team(self.giving).size + shape.take - shape.give;
        let other = self.tally.team(self.giving.other()).size + shape.give - shape.take;
        (giving, other)
    }

    /// The leads after which the teams are balanced, never by tipping them over; `None` where the
    /// sizes are at fault.
    fn balanced(&self, shape: Shape) -> Option<Leads> {
        let (a, b) = self.sizes(shape);
        if self.at_fault((a, b)) > 0 {
            return None;
        }
        let Some(most) = self.most_lead else {
            return Some(Leads::ALL);
        };
        Some(
            match (self.trigger.suffices(a, b), self.ground.lead().signum()) {
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
    /// sizes must bring the sums closer. Neither may tip the teams over.
    fn better(&self, fault: usize, now: usize) -> Option<Leads> {
        let lead = self.ground.lead();
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
