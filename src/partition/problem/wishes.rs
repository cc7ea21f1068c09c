//! Wishes about a split, besides even teams.

use std::collections::BTreeMap;

use super::Problem;
use super::seat::Seat;
use crate::domain::PlayerId;

/// Default for [`Wishes::party_price`], the rating points by which keeping parties together may make teams less even.
/// It is about one percent of win probability at Θ = 2400.
pub const DEFAULT_PARTY_PRICE: u32 = 100;

/// Two teams of a current or past split. The order of the teams does not matter.
///
/// Players who are not present are ignored. A player who is listed on both teams counts for neither.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Current {
    /// Ids of the players of one team.
    pub a: Vec<PlayerId>,
    /// Ids of the players of the second team.
    pub b: Vec<PlayerId>,
}

/// Wishes of players and admins about a split, besides even teams. All wishes are optional.
///
/// - Hard wishes come first, in this order: `sizes`, `bench`, `must_play`, `must_wait`, `anchor`.
/// - The difference of the teams' rating sums comes next. It must be within `tolerance` of the minimum.
/// - Among the splits within the tolerance, wishes are served in this order: turns on the bench, parties, pairs
///   apart, roles, newcomers, few moves, no repeats, spread.
/// - If newcomers are shared out, the wishes down to newcomers may use the larger of `tolerance` and
///   `newcomers_price`. The later wishes then decide within `tolerance` of the closest split that remains.
/// - Parties may raise the difference by a further `party_price`. If this keeps more parties together than the
///   tolerance does, parties come before turns.
///
/// Players who are not present are ignored in all wishes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wishes {
    /// Current teams, from which few players should have to move.
    pub current: Option<Current>,
    /// Groups of players who want to play on one team or wait together. A player is in at most one group.
    pub parties: Vec<Vec<PlayerId>>,
    /// Rating points, on top of `tolerance`, by which keeping parties together may raise the difference of the teams'
    /// rating sums.
    pub party_price: u32,
    /// Pairs of players who should not be on one team.
    pub apart: Vec<[PlayerId; 2]>,
    /// Roles, such as medic, with the minimum number of players per team; at most 8 roles.
    pub roles: Vec<Role>,
    /// Players whose ratings are guesses, to be shared evenly between the teams.
    pub newcomers: Vec<PlayerId>,
    /// Rating points by which sharing newcomers may raise the difference of the teams' rating sums, if more than
    /// `tolerance`. With 0, newcomers are not shared out.
    pub newcomers_price: u32,
    /// Players who should play, as far as the teams have places.
    pub must_play: Vec<PlayerId>,
    /// Players who should wait, as far as the teams can be filled without them.
    pub must_wait: Vec<PlayerId>,
    /// Number of rounds in a row that each player has waited; 0 for players not listed.
    pub waited: BTreeMap<PlayerId, u32>,
    /// Rating points by which wishes may raise the difference of the teams' rating sums above the minimum of all
    /// splits.
    pub tolerance: u32,
    /// `true` to prefer teams whose ratings have similar standard deviations, and to put the two best players apart, if
    /// that costs nothing.
    pub spread: bool,
    /// Past splits that should not be repeated.
    pub recent: Vec<Current>,
    /// Requested team sizes, in players, or `None` for all sizes from 2.
    pub sizes: Option<Vec<usize>>,
    /// `true` if the highest-rated player always plays (F7), unless `must_wait` names this player or `must_play`
    /// takes all places.
    pub anchor: bool,
    /// `true` if players may wait. If `false`, everybody plays, and an odd number of players makes teams whose
    /// sizes differ by one.
    pub bench: bool,
    /// Request for several splits of one team size, if any.
    pub alternatives: Option<Alternatives>,
}

/// A role, such as medic, that each team needs a minimum number of players for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// Name of the role.
    pub name: String,
    /// Players who can take the role.
    pub players: Vec<PlayerId>,
    /// Minimum number of players with this role per team.
    pub each: usize,
}

/// A request for several splits of one size, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alternatives {
    /// Number of players per team.
    pub size: usize,
    /// Maximum number of splits to return.
    pub count: usize,
}

impl Default for Wishes {
    /// Returns no wishes: the anchor plays, players may wait, and ratings are spread evenly if that costs nothing.
    fn default() -> Self {
        Self {
            current: None,
            parties: Vec::new(),
            party_price: DEFAULT_PARTY_PRICE,
            apart: Vec::new(),
            roles: Vec::new(),
            newcomers: Vec::new(),
            newcomers_price: 0,
            must_play: Vec::new(),
            must_wait: Vec::new(),
            waited: BTreeMap::new(),
            tolerance: 0,
            spread: true,
            recent: Vec::new(),
            sizes: None,
            anchor: true,
            bench: true,
            alternatives: None,
        }
    }
}

impl Wishes {
    /// Returns `true` if a wish may exclude a player from a team or from the bench.
    pub(crate) fn has_hard_ones(&self) -> bool {
        !(self.must_play.is_empty() && self.must_wait.is_empty())
    }

    /// Returns `true` if no wish can conflict with another wish or with the minimum difference of rating sums.
    pub(crate) fn are_none(&self) -> bool {
        let none = Self {
            spread: self.spread,
            sizes: self.sizes.clone(),
            alternatives: self.alternatives,
            party_price: self.party_price,
            bench: self.bench,
            ..Self::default()
        };
        *self == none
    }

    /// Returns a copy with only `anchor` and `bench`, which decide who plays at all.
    pub(crate) fn without_wishes(&self) -> Self {
        Self {
            anchor: self.anchor,
            bench: self.bench,
            spread: false,
            ..Self::default()
        }
    }
}

const ANY: &[Seat] = &[Seat::A, Seat::B, Seat::Waiting];
const PLAYS: &[Seat] = &[Seat::A, Seat::B];
const LEADS: &[Seat] = &[Seat::A];
const WAITS: &[Seat] = &[Seat::Waiting];

/// Returns the open seats (A, B, waiting) by player for teams of `size`. Any choice of open seats keeps the hard
/// wishes, or breaks as few as possible.
///
/// The anchor's only open seat is on team A if the sides do not matter, so that no split is found twice.
pub(crate) fn open_seats(problem: &Problem<'_>, size: usize) -> Vec<&'static [Seat]> {
    let players = problem.points.len();
    let has_bench = problem.wishes.bench;
    let places = if has_bench { 2 * size } else { players };
    let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count();
    // Players who must play take precedence over the anchor.
    let has_place =
        |anchor: &usize| problem.must_play[*anchor] || count(&problem.must_play) < places;
    let anchor = problem.anchor.filter(has_place);
    let anchor_seats = if problem.current.is_some() {
        PLAYS
    } else {
        LEADS
    };
    let too_few_places = count(&problem.must_play) > places;
    let too_few_players = count(&problem.must_wait) > players - places;
    let seats = |player: usize| match (problem.must_play[player], problem.must_wait[player]) {
        _ if anchor == Some(player) => anchor_seats,
        _ if !has_bench => PLAYS,
        (true, _) if too_few_places => ANY,
        (true, _) => PLAYS,
        _ if too_few_places => WAITS,
        (_, true) if too_few_players => ANY,
        (_, true) => WAITS,
        _ if too_few_players => PLAYS,
        _ => ANY,
    };
    (0..players).map(seats).collect()
}
