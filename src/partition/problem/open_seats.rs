//! The hard wishes, as the seats that they leave open.

use super::Problem;
use super::seat::Seat;

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
