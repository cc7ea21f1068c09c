/// Range of leads in weight of the team that gives players over the other, in steps of a
/// [`Power`](crate::balance::Power) (billionths of a point). Ranges of allowed leads contain zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leads {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Leads {
    pub(crate) const ALL: Self = Self {
        least: i64::MIN,
        most: i64::MAX,
    };

    pub(super) fn contain(&self, lead: i64) -> bool {
        (self.least..=self.most).contains(&lead)
    }

    pub(super) fn within(&self, far: i64) -> Self {
        Self {
            least: self.least.max(-far),
            most: self.most.min(far),
        }
    }

    /// Returns the distance of this range of leads (in strength) from zero; 0 if the range contains zero.
    pub(super) fn nearest(&self) -> i64 {
        self.least.max(0).max(-self.most)
    }
}

/// Sort key of a pair of weight sums that two teams exchange, lower is better: remaining lead, `true` if the favourite
/// changes, and sum given.
type Key = (u64, bool, i64);

/// Returns the `most` best pairs of weight sums for the teams to exchange, as sum given and sum taken, the best first.
/// The pairs leave the smallest leads within `leads`. Both lists of sums must be ascending.
pub(crate) fn closest(
    lead: i64,
    given: &[i64],
    taken: &[i64],
    leads: Leads,
    most: usize,
) -> Vec<(i64, i64)> {
    let mut best: Vec<(Key, (i64, i64))> = Vec::with_capacity(most + 1);
    // Returns `true` if pairs of sums still farther out may be good enough.
    let mut offer = |give: i64, take: i64| {
        let after = lead_after(lead, give - take);
        let key = (after.unsigned_abs(), flips(lead, after), give);
        let is_full = best.len() == most;
        let worst = best.last().filter(|_| is_full);
        if !leads.contain(after) || worst.is_some_and(|(worst, _)| key >= *worst) {
            return false;
        }
        let place = best.partition_point(|(other, _)| *other < key);
        best.insert(place, (key, (give, take)));
        best.truncate(most);
        true
    };
    let mut from = 0;
    for &give in given {
        // The first taken sum that does not leave the giving team behind.
        while from < taken.len() && lead_after(lead, give - taken[from]) < 0 {
            from += 1;
        }
        let (behind, ahead) = taken.split_at(from);
        for take in ahead {
            if !offer(give, *take) {
                break;
            }
        }
        for take in behind.iter().rev() {
            if !offer(give, *take) {
                break;
            }
        }
    }
    best.into_iter().map(|(_, sums)| sums).collect()
}

pub(super) fn lead_after(lead: i64, moved: i64) -> i64 {
    lead - 2 * moved
}

pub(super) fn flips(before: i64, after: i64) -> bool {
    before.signum() * after.signum() < 0
}
