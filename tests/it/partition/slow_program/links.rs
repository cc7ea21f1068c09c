//! Groups of players with a joint cost, and their state during the search.

use super::super::merits::Case;
use super::prices::{Cost, Prices};

/// A group of players with a joint cost.
#[derive(Clone, Debug)]
pub(super) enum Link {
    Party(Vec<usize>),
    Pair([usize; 2], Cost),
    Role(Vec<usize>, usize),
    Newcomers(Vec<usize>),
}

/// State of the seated members of a link: for a party their common seat, for a pair the seat of the first, for a role
/// and for newcomers the number on each team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkState {
    /// No member is seated, or the remaining members change nothing.
    Idle,
    Seat(i64),
    Count(usize, usize),
}

impl Link {
    pub(super) fn members(&self) -> &[usize] {
        match self {
            Self::Party(members) | Self::Role(members, _) | Self::Newcomers(members) => members,
            Self::Pair(members, _) => members,
        }
    }
}

/// Links of the wishes that have a price.
pub(super) fn links(case: &Case, prices: &Prices) -> Vec<Link> {
    let parties = case.parties.iter().cloned().map(Link::Party);
    let apart = case.apart.iter();
    let apart = apart.map(|pair| Link::Pair(*pair, prices.together));
    let top_two = case.spread.then_some(Link::Pair([0, 1], prices.top_two));
    let roles = case.roles.iter();
    let roles = roles.map(|(members, each)| Link::Role(members.clone(), *each));
    let shared = Some(case.shared()).filter(|shared| !shared.is_empty());
    let newcomers = shared.map(Link::Newcomers);
    let links = parties.chain(apart).chain(top_two).chain(roles);
    links.chain(newcomers).collect()
}

/// Orders the players to keep few links open: next comes the player who leaves the fewest open, players without links
/// last; ties by the most extreme rating.
pub(super) fn order_of_players(x: &[i64], links: &[Link]) -> Vec<usize> {
    let mut seated: Vec<usize> = Vec::new();
    while seated.len() < x.len() {
        let open_after = |player: usize| {
            let is_in = |member: &usize| seated.contains(member) || *member == player;
            let open = links.iter().filter(|link| {
                let members = link.members();
                members.iter().any(is_in) && !members.iter().all(is_in)
            });
            open.count()
        };
        let is_linked = |player: usize| links.iter().any(|link| link.members().contains(&player));
        let left = (0..x.len()).filter(|player| !seated.contains(player));
        let next =
            left.min_by_key(|player| (!is_linked(*player), open_after(*player), -x[*player].abs()));
        seated.extend(next);
    }
    seated
}

/// State of the links after `player` takes `seat`, and the cost of that step.
pub(super) fn advance(
    links: &[Link],
    states: &[LinkState],
    (seated, player, seat): (&[usize], usize, i64),
    (case, prices): (&Case, &Prices),
) -> (Vec<LinkState>, Cost) {
    let (mut states, mut cost) = (states.to_vec(), 0);
    for (link, state) in links.iter().zip(&mut states) {
        if !link.members().contains(&player) {
            continue;
        }
        let is_seated = |member: &&usize| seated.contains(*member);
        let before = link.members().iter().filter(is_seated).count();
        let is_last = before + 1 == link.members().len();
        match link {
            Link::Party(_) => {
                let is_split = match state {
                    LinkState::Seat(other) => *other != seat,
                    _ => false,
                };
                // Idle with seated members: already split and paid for.
                cost += if is_split { prices.split } else { 0 };
                let is_open = !is_split && (before == 0 || *state != LinkState::Idle);
                *state = if is_open && !is_last {
                    LinkState::Seat(seat)
                } else {
                    LinkState::Idle
                };
            }
            Link::Pair(_, price) => {
                cost += if *state == LinkState::Seat(seat) {
                    *price
                } else {
                    0
                };
                *state = if is_last || seat == 0 {
                    LinkState::Idle
                } else {
                    LinkState::Seat(seat)
                };
            }
            Link::Role(_, each) => {
                let (a, b) = match state {
                    LinkState::Count(a, b) => (*a, *b),
                    _ => (0, 0),
                };
                let a = (a + usize::from(seat == 1)).min(*each);
                let b = (b + usize::from(seat == -1)).min(*each);
                *state = LinkState::Count(a, b);
                if is_last {
                    cost += prices.missing * (2 * each - a - b) as Cost;
                    *state = LinkState::Idle;
                }
            }
            Link::Newcomers(_) => {
                let (a, b) = match state {
                    LinkState::Count(a, b) => (*a, *b),
                    _ => (0, 0),
                };
                let (a, b) = (a + usize::from(seat == 1), b + usize::from(seat == -1));
                *state = LinkState::Count(a, b);
                if is_last {
                    let lead = i64::try_from(a.abs_diff(b)).unwrap();
                    cost += prices.newcomer * case.excess(lead) as Cost;
                    *state = LinkState::Idle;
                }
            }
        }
    }
    (states, cost)
}
