use super::cost::Width;
use super::prices::Detail;

/// From how many costs on narrow tables are tried first, which may be in vain. The unit tests try them at
/// once, because their pools are small.
const MANY: u64 = if cfg!(test) { 1 << 8 } else { 1 << 26 };

/// One move for so many players is told apart by the narrowest tables where wishes of all kinds do not fit,
/// so that pairs apart, and with them what is more important, cost less. A team has no more moves than players. The best splits of larger
/// teams mostly give up no pair for few moves, or some and have many; what else may be better is looked at.
const PLAYERS_FOR_A_MOVE: u64 = if cfg!(test) { 8 } else { 12 };

/// Teams of up to one in so many players can be made in so few ways that the best of the closest often give
/// up much: more than narrow tables hold that tell of less important wishes too. But seldom are there many
/// that give up no more turns and parties.
const SMALL: usize = if cfg!(test) { 3 } else { 6 };

/// How wide the costs of tables are, and what these tell apart. What is dearer than they hold is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) width: Width,
    pub(super) detail: Detail,
}

impl Attempt {
    /// Costs of that width that tell all wishes apart.
    pub(super) fn with_all(width: Width) -> Self {
        Self {
            width,
            detail: Detail::Everything,
        }
    }

    /// What is tried one after another for what nothing before has told of so many players, where the
    /// `widest` costs hold all prices.
    pub(super) fn all(widest: Width, players: usize) -> impl Iterator<Item = Self> {
        let narrow = |detail| Self {
            width: Width::One,
            detail,
        };
        let all = [
            narrow(Detail::Moves(players as u64 / PLAYERS_FOR_A_MOVE)),
            narrow(Detail::TurnsAndParties),
            Self::with_all(Width::One),
            Self::with_all(Width::Two),
            Self::with_all(Width::Four),
        ];
        let is_tried = move |attempt: &Self| {
            // The narrowest tell less, unless they are wide enough.
            let tells_all = attempt.width == widest || attempt.width > Width::One;
            attempt.width <= widest && attempt.tells_all() == tells_all
        };
        all.into_iter().filter(is_tried)
    }

    /// Whether it tells all wishes apart.
    pub(super) fn tells_all(self) -> bool {
        self.detail == Detail::Everything
    }

    /// Whether it tells of turns and parties alone, which is seldom enough but for small teams.
    pub(super) fn is_for_small_teams(self) -> bool {
        self.detail == Detail::TurnsAndParties
    }

    /// What is tried instead where there are so many `costs`: where they are few, the `widest` at once, but for
    /// those for small teams, which have few anyway.
    pub(super) fn for_so_many(self, costs: u64, widest: Width) -> Self {
        if is_worth_narrow_tables(costs) || self.is_for_small_teams() {
            self
        } else {
            Self::with_all(widest)
        }
    }
}

/// Whether narrow tables are tried where there are so many `costs`.
pub(super) fn is_worth_narrow_tables(costs: u64) -> bool {
    costs >= MANY
}

/// Whether teams of `size` are small among so many players.
pub(super) fn is_small(size: usize, players: usize) -> bool {
    SMALL * size <= players
}

/// Whether the best splits are dear, because those with the `least` differences are few: they often
/// split parties, and their costs seldom fit narrow tables. A least difference above the 1 that an odd
/// sum leaves is a sign of that; teams of two show it in most pools, hence a quarter of the sizes.
pub(super) fn are_dear(least: impl Iterator<Item = i64> + Clone) -> bool {
    4 * least.clone().filter(|least| *least > 1).count() > least.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_tell_all_only_where_nothing_wider_is_needed() {
        let told = |widest| -> Vec<(Width, bool)> {
            let all = Attempt::all(widest, 32);
            all.map(|attempt| (attempt.width, attempt.tells_all()))
                .collect()
        };
        let narrow = (Width::One, false);
        assert_eq!(told(Width::One), [(Width::One, true)]);
        assert_eq!(told(Width::Two), [narrow, narrow, (Width::Two, true)]);
        let wide = [(Width::Two, true), (Width::Four, true)];
        assert_eq!(told(Width::Four), [&[narrow, narrow], &wide[..]].concat());
    }

    #[test]
    fn where_costs_are_few_the_widest_are_tried_instead_but_for_small_teams() {
        let widths = |costs| -> Vec<Width> {
            let all = Attempt::all(Width::Four, 32);
            let attempts = all.map(|attempt| attempt.for_so_many(costs, Width::Four));
            attempts.map(|attempt| attempt.width).collect()
        };
        let (one, two, four) = (Width::One, Width::Two, Width::Four);
        assert_eq!(widths(MANY), [one, one, two, four]);
        assert_eq!(widths(MANY - 1), [four, one, four, four]);
    }
}
