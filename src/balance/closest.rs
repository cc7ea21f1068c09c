/// The leads that the giving team may be left with; even is always one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leads {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Leads {
    pub(super) const ALL: Self = Self {
        least: i64::MIN,
        most: i64::MAX,
    };

    pub(super) fn contain(&self, lead: i64) -> bool {
        (self.least..=self.most).contains(&lead)
    }

    /// Those that are no farther than `far` from even.
    pub(super) fn within(&self, far: i64) -> Self {
        Self {
            least: self.least.max(-far),
            most: self.most.min(far),
        }
    }

    /// How far from even the nearest of them is.
    pub(super) fn nearest(&self) -> i64 {
        self.least.max(0).max(-self.most)
    }
}

/// What a pair of sums is judged by, the less the better: the lead left, whether the other team has
/// it, and the sum given.
type Key = (u64, bool, i64);

/// The sums given and taken, out of these ascending ones, that leave the least of `leads`, the best
/// first.
pub(super) fn closest(
    lead: i64,
    given: &[i64],
    taken: &[i64],
    leads: Leads,
    most: usize,
) -> Vec<(i64, i64)> {
    let mut best: Vec<(Key, (i64, i64))> = Vec::with_capacity(most + 1);
    // Whether what lies farther out may be good enough still.
    let mut offer = |give: i64, take: i64| {
        let left = left(lead, give - take);
        let key = (left.unsigned_abs(), flips(lead, left), give);
        let is_full = best.len() == most;
        let worst = best.last().filter(|_| is_full);
        if !leads.contain(left) || worst.is_some_and(|(worst, _)| key >= *worst) {
            return false;
        }
        let place = best.partition_point(|(other, _)| *other < key);
        best.insert(place, (key, (give, take)));
        best.truncate(most);
        true
    };
    let mut from = 0;
    for &give in given {
        // The first sum taken with which the giving team is not behind.
        while from < taken.len() && left(lead, give - taken[from]) < 0 {
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

/// The lead that is left once so much has moved.
pub(super) fn left(lead: i64, moved: i64) -> i64 {
    lead - 2 * moved
}

/// Whether the other team leads afterwards.
pub(super) fn flips(before: i64, after: i64) -> bool {
    before.signum() * after.signum() < 0
}
