use std::collections::BTreeMap;

use super::differences::Differences;
use super::plan::Plan;
use super::prices::Prices;
use super::run::{Choice, Found, Goal};
use super::split::Seat;
use super::spread::make_alike;

/// Up to so many splits of one size are looked at one by one, if no others are as close, each way round being one
/// unless an anchor is always on team A: tables that tell which is the best take longer. The unit tests look at few,
/// because their pools are small.
const FEW: usize = if cfg!(test) { 2 } else { 256 };

impl Plan<'_> {
    /// Whether only splits of the least difference matter: within a tolerance there are others.
    pub(super) fn may_look_at_few(&self) -> bool {
        self.in_units(self.brief.wishes.tolerance) == 0
    }

    /// The best splits for those of the goals of which the `differences` tell that few have the least.
    ///
    /// That is how it is where ratings lie far apart, or in clusters: then the best are dear, so that no narrow
    /// table holds what they cost.
    pub(super) fn of_few(
        &self,
        prices: &Prices,
        goals: &[Goal],
        differences: &Differences,
    ) -> BTreeMap<usize, Found> {
        if !self.may_look_at_few() {
            return BTreeMap::new();
        }
        let may_be_few = |goal: &&Goal| goal.choice == Choice::Best && differences.tells(goal.size);
        let found = goals.iter().filter(may_be_few).filter_map(|goal| {
            let splits = differences.few(goal.size, goal.least, FEW)?;
            Some((goal.size, self.chosen(prices, splits, goal.least)?))
        });
        found.collect()
    }

    /// The best of these splits, either way round; all of them have the `least` difference, in units.
    fn chosen(&self, prices: &Prices, splits: Vec<Vec<Seat>>, least: i64) -> Option<Found> {
        let brief = self.brief;
        let both = splits.into_iter().flat_map(|seats| {
            let other = seats.iter().map(|seat| seat.opposite()).collect();
            [seats, other]
        });
        let mut seats = both.min_by_key(|seats| prices.rank(brief, seats))?;
        if brief.wishes.spread {
            make_alike(&mut seats, brief, prices, &self.seats);
        }
        let cost = prices.of_seats(brief, &seats);
        Some(Found { seats, least, cost })
    }
}
