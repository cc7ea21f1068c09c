//! What can be wished of a split.

use std::collections::BTreeMap;

use super::Problem;
use super::seat::Seat;
use crate::domain::PlayerId;

/// The rating points of extra difference that keeping parties together may cost unless a request
/// says otherwise: about one percent of win probability at Θ = 2400.
pub const DEFAULT_PARTY_PRICE: u32 = 100;

/// Two teams as they stand or stood, in any order; which is a and which is b does not matter.
///
/// Players who are not in the pool are passed over. A player who is named on both teams stands on
/// neither.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Current {
    /// One team.
    pub a: Vec<PlayerId>,
    /// The other.
    pub b: Vec<PlayerId>,
}

/// What players and admins would like of a split besides closeness. All of it is optional.
///
/// The hard wishes (`sizes`, `bench`, `must_play`, `must_wait`, `anchor`) come first, in this order. Then the
/// difference must be the least possible or at most `tolerance` more; among the splits where it is,
/// the wishes are served in this order: turns on the bench, parties, pairs apart, roles, newcomers,
/// few moves, no repeats, spread. Where there are newcomers to be shared out, those down to the newcomers have
/// the larger of `tolerance` and `newcomers_price`; the others then choose among the splits that differ by up to
/// `tolerance` more than the closest that is left. Parties alone may raise the difference further, by `party_price`: where fewer of
/// them have to be split so than within the tolerance, they come before the turns.
///
/// Players who are not in the pool are passed over wherever they are named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wishes {
    /// The teams as they stand, from which few should have to move.
    pub current: Option<Current>,
    /// Groups who want to be on one team or wait together; nobody is in two.
    pub parties: Vec<Vec<PlayerId>>,
    /// The rating points by which keeping parties together may raise the difference, added to the
    /// `tolerance`.
    pub party_price: u32,
    /// Pairs who should not be on one team.
    pub apart: Vec<[PlayerId; 2]>,
    /// What each team should have of some players, at most 8.
    pub roles: Vec<Role>,
    /// Players whose ratings are guesses: each team should have as many as the other.
    pub newcomers: Vec<PlayerId>,
    /// The rating points by which that may raise the difference, unless the `tolerance` is more; with 0
    /// newcomers are not shared out.
    pub newcomers_price: u32,
    /// Who should be on a team, as far as there are places.
    pub must_play: Vec<PlayerId>,
    /// Who should wait, as far as teams can be filled without them.
    pub must_wait: Vec<PlayerId>,
    /// For how many rounds in a row a player has waited; 0 for those who are not named.
    pub waited: BTreeMap<PlayerId, u32>,
    /// The rating points above the least difference within which wishes decide.
    pub tolerance: u32,
    /// Whether teams should be alike in standard deviation and the two best players apart, where
    /// that costs nothing.
    pub spread: bool,
    /// Splits not to repeat.
    pub recent: Vec<Current>,
    /// The team sizes asked for; every one from 2 where this is `None`.
    pub sizes: Option<Vec<usize>>,
    /// Whether the highest-rated player always plays (F7), unless `must_wait` names this player or
    /// `must_play` takes all places.
    pub anchor: bool,
    /// Whether players may wait. If not, everybody is split, an odd number into teams whose sizes
    /// differ by one.
    pub bench: bool,
    /// Several splits of one size, to choose from.
    pub alternatives: Option<Alternatives>,
}

/// Players of whom each team should have some, such as medics.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// What it is called.
    pub name: String,
    /// Who can take it.
    pub players: Vec<PlayerId>,
    /// How many of them each team should have at least.
    pub each: usize,
}

/// Several splits of one size, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alternatives {
    /// Players a team.
    pub size: usize,
    /// How many, where there are that many.
    pub count: usize,
}

impl Default for Wishes {
    /// No wishes: anchored, and spread where it costs nothing.
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
    /// Whether any of them may close a seat to somebody.
    pub(crate) fn has_hard_ones(&self) -> bool {
        !(self.must_play.is_empty() && self.must_wait.is_empty())
    }

    /// Whether nothing is wished for that may stand against another wish or the difference.
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

    /// The same request without its wishes, but for those that say who plays at all.
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

/// By player: the seats that are open in teams of `size`; where nobody may wait, those of the teams.
/// Whoever takes them keeps the hard wishes, or breaks as few of them as can be.
///
/// Where the sides do not matter the anchor is on team A, which saves finding every split twice.
pub(crate) fn open_seats(problem: &Problem<'_>, size: usize) -> Vec<&'static [Seat]> {
    let players = problem.points.len();
    let has_bench = problem.wishes.bench;
    let places = if has_bench { 2 * size } else { players };
    let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count();
    // Those who must play come before the anchor.
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
