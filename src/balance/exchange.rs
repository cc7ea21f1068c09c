use super::choose::{Choice, Ground, Leads, Shape};
use super::{Act, Tally, Trigger};
use crate::domain::Side;

/// The question which players should change teams.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange<'all> {
    pub(super) trigger: &'all Trigger,
    pub(super) act: Act,
    pub(super) tally: Tally,
    pub(super) theta: f64,
    /// The team that has too many players, or too good ones.
    pub(super) giving: Side,
    /// What those weigh who may leave it.
    pub(super) give: &'all [i64],
    /// What those weigh who may come from the other team.
    pub(super) take: &'all [i64],
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    /// The best choice, and whether the teams are balanced after it.
    pub(super) best: Option<(Shape, Choice, bool)>,
    /// Whether no choice of as few players is proven to be closer, or none at all to balance.
    pub(super) proven: bool,
}

/// Shapes that may fail for want of tables before the search ends.
const MOST_UNPROVEN: usize = 2;
/// Shapes with as many ways are looked through without end.
const FEW_PLAYERS: usize = 12;
/// With more players, so many shapes.
const MOST_SHAPES: usize = 3;

impl Exchange<'_> {
    /// The choice of the fewest players after which the teams are balanced; of those, the one that
    /// leaves the least lead. Where there is none, the one that comes nearest, if it helps at all.
    pub(super) fn solve(&self) -> Exchanged {
        let mut proven = true;
        let (mut unproven, mut tried) = (0, 0);
        let few = self.give.len() + self.take.len() <= FEW_PLAYERS;
        for shape in self.shapes() {
            let (a, b) = self.sizes(shape);
            if !self.trigger.size_reasons(a, b).is_empty() {
                continue;
            }
            let leads = self.allowed(shape);
            let reach = self.ground().reach(shape);
            if reach.least > leads.most || reach.most < leads.least {
                continue;
            }
            if unproven == MOST_UNPROVEN || (tried == MOST_SHAPES && !few) {
                proven = false;
                break;
            }
            tried += 1;
            let (choice, is_proven) = self.ground().choose(shape, leads);
            proven &= is_proven;
            unproven += usize::from(!is_proven);
            if let Some(choice) = choice {
                return Exchanged {
                    best: Some((shape, choice, true)),
                    proven,
                };
            }
        }
        Exchanged {
            best: self.nearest(),
            proven,
        }
    }

    /// The best choice of this shape without some of the players, and whether it balances.
    pub(super) fn without(
        &self,
        shape: Shape,
        give: &[i64],
        take: &[i64],
    ) -> Option<(Choice, bool)> {
        let ground = Ground {
            give,
            take,
            ..self.ground()
        };
        if give.len() < shape.give || take.len() < shape.take {
            return None;
        }
        let (a, b) = self.sizes(shape);
        if self.trigger.size_reasons(a, b).is_empty()
            && let (Some(choice), _) = ground.choose(shape, self.allowed(shape))
        {
            return Some((choice, true));
        }
        let (choice, _) = ground.choose(shape, Leads::ALL);
        choice.map(|choice| (choice, false))
    }

    fn ground(&self) -> Ground<'_> {
        let lead = self.tally.lead().steps();
        Ground {
            give: self.give,
            take: self.take,
            lead: match self.giving {
                Side::A => lead,
                Side::B => -lead,
            },
        }
    }

    /// Every shape, that of the fewest players first.
    fn shapes(&self) -> impl Iterator<Item = Shape> {
        let surplus = self.surplus();
        let (give, take) = (self.give.len(), self.take.len());
        let transfers = (1..=give).map(|give| Shape { give, take: 0 });
        let swaps = (0..=take)
            .map(move |take| Shape {
                give: surplus + take,
                take,
            })
            .filter(move |shape| (1..=give).contains(&shape.give));
        let (transfers, swaps) = match self.act {
            Act::Transfer => (Some(transfers), None),
            Act::Swap => (None, Some(swaps)),
            Act::Fill(_) => (None, None),
        };
        transfers
            .into_iter()
            .flatten()
            .chain(swaps.into_iter().flatten())
    }

    /// How many players swaps should send over first, for the sizes' sake.
    fn surplus(&self) -> usize {
        let (a, b) = (self.tally.a.size, self.tally.b.size);
        if self.trigger.size_reasons(a, b).is_empty() {
            0
        } else {
            a.abs_diff(b) / 2
        }
    }

    fn sizes(&self, shape: Shape) -> (usize, usize) {
        let giving = self.tally.team(self.giving).size + shape.take - shape.give;
        let other = self.tally.team(self.giving.other()).size + shape.give - shape.take;
        (giving, other)
    }

    /// The leads after which the teams are balanced, never by tipping them over.
    fn allowed(&self, shape: Shape) -> Leads {
        let Some(most) = self.trigger.most_lead(self.tally.total(), self.theta) else {
            return Leads::ALL;
        };
        let (a, b) = self.sizes(shape);
        let lead = self.ground().lead;
        match (self.trigger.suffices(a, b), lead.signum()) {
            (false, _) => Leads { least: -most, most },
            (true, 1) => Leads {
                least: -most,
                ..Leads::ALL
            },
            (true, -1) => Leads { most, ..Leads::ALL },
            (true, _) => Leads::ALL,
        }
    }

    /// The choice that comes nearest to balance without reaching it: first by the sizes where they
    /// are at fault, then by the lead.
    fn nearest(&self) -> Option<(Shape, Choice, bool)> {
        let at_fault = |a: usize, b: usize| {
            let reasons = self.trigger.size_reasons(a, b);
            if reasons.is_empty() { 0 } else { a.abs_diff(b) }
        };
        let before = (
            at_fault(self.tally.a.size, self.tally.b.size),
            self.ground().lead.unsigned_abs(),
        );
        let best = self.shapes().min_by_key(|shape| {
            let (a, b) = self.sizes(*shape);
            let reach = self.ground().reach(*shape);
            let least = reach
                .least
                .max(0)
                .unsigned_abs()
                .max(reach.most.min(0).unsigned_abs());
            (at_fault(a, b), least, shape.give)
        })?;
        let (a, b) = self.sizes(best);
        let (choice, _) = self.ground().choose(best, Leads::ALL);
        let choice = choice?;
        let helps = (at_fault(a, b), choice.lead.unsigned_abs()) < before;
        helps.then_some((best, choice, false))
    }
}
