use std::collections::{BTreeMap, BTreeSet};

use super::brief::Brief;
use super::rules::Parties;
use super::split::Seat;

/// The most that there may be to remember between two players: every one is a table of its own.
const MEMORIES: usize = 400;

/// So few players cannot have more than that between them: at most one thing for each way to seat all
/// but the last.
const FEW: usize = 6;

/// Players whose seats cost something together, because a party or a pair apart links them; or one
/// player alone.
#[derive(Debug)]
pub(super) struct Linked {
    /// Who, ascending.
    pub(super) players: Vec<usize>,
    /// The parties among them.
    parties: Vec<Vec<usize>>,
    /// The pairs apart among them, the better player first.
    apart: Vec<(usize, usize)>,
}

/// What the seats taken so far, in the order of the players, leave to be known by the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Memory {
    /// By party: where those who have a seat sit, while others have none.
    parties: Vec<Party>,
    /// The seats of those from whom somebody without a seat should be apart.
    seats: Vec<(usize, Seat)>,
}

/// A party as far as it has seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Party {
    /// Nobody has one, or everybody: nothing to remember.
    Settled,
    /// All of those who have one have this one.
    AllIn(Seat),
    /// They sit apart, which is paid already.
    Split,
}

/// The players of a brief, linked where they must be, by parties and these pairs apart.
pub(super) fn linked(brief: &Brief<'_>, apart: &[(usize, usize)]) -> Vec<Linked> {
    let players = brief.points.len();
    // Everybody's group, by the index of its first member.
    let mut group: Vec<usize> = (0..players).collect();
    let parties = brief.parties.iter();
    let neighbours = parties.flat_map(|party| party.windows(2).map(|pair| (pair[0], pair[1])));
    for (one, other) in apart.iter().copied().chain(neighbours) {
        let (from, to) = (group[one].max(group[other]), group[one].min(group[other]));
        for member in &mut group {
            if *member == from {
                *member = to;
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (player, first) in group.iter().enumerate() {
        members.entry(*first).or_default().push(player);
    }
    members
        .into_values()
        .map(|players| {
            let has = |player: &usize| players.binary_search(player).is_ok();
            let parties = brief.parties.iter();
            let apart = apart.iter();
            Linked {
                parties: parties.filter(|party| has(&party[0])).cloned().collect(),
                apart: apart.filter(|(one, _)| has(one)).copied().collect(),
                players,
            }
        })
        .collect()
}

impl Linked {
    /// Before anybody has a seat.
    pub(super) fn start(&self) -> Memory {
        Memory {
            parties: vec![Party::Settled; self.parties.len()],
            seats: Vec::new(),
        }
    }

    /// What is to be known after the next player, the one at `position`, takes `seat`, and what
    /// that costs beyond the seat itself, where these pairs `apart` have a price; `None` where it would
    /// split a party that must be kept.
    pub(super) fn seat(
        &self,
        memory: &Memory,
        position: usize,
        seat: Seat,
        parties: Parties,
        apart: &[(usize, usize, u64)],
    ) -> Option<(Memory, u64)> {
        let player = self.players[position];
        let mut after = memory.clone();
        let mut price = 0;
        for (party, state) in self.parties.iter().zip(&mut after.parties) {
            if party.binary_search(&player).is_err() {
                continue;
            }
            *state = match *state {
                Party::Settled => Party::AllIn(seat),
                Party::AllIn(others) if others != seat => {
                    let Parties::MaySplit(price_of_party) = parties else {
                        return None;
                    };
                    price += price_of_party;
                    Party::Split
                }
                state => state,
            };
            if party.last() == Some(&player) {
                *state = Party::Settled;
            }
        }
        for (one, other, price_of_pair) in apart {
            if *other == player && seat != Seat::Waiting && memory.seats.contains(&(*one, seat)) {
                price += price_of_pair;
            }
        }
        let matters = |one| {
            let mut pairs = self.apart.iter();
            pairs.any(|pair| pair.0 == one && pair.1 > player)
        };
        after.seats.retain(|(one, _)| matters(*one));
        // Whoever waits is on nobody's team.
        if seat != Seat::Waiting && matters(player) {
            after.seats.push((player, seat));
        }
        Some((after, price))
    }

    /// Whether there is never much to remember.
    pub(super) fn is_simple(&self) -> bool {
        if self.players.len() <= FEW {
            return true;
        }
        let mut memories = BTreeSet::from([self.start()]);
        for position in 0..self.players.len() {
            let seats = [Seat::A, Seat::B, Seat::Waiting];
            let next = memories.iter().flat_map(|memory| {
                seats.map(|seat| self.seat(memory, position, seat, Parties::MaySplit(0), &[]))
            });
            memories = next.flatten().map(|(memory, _)| memory).collect();
            if memories.len() > MEMORIES {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_seats_are_remembered_that_matter_to_somebody_behind() {
        let linked = Linked {
            players: vec![0, 1, 2, 3],
            parties: Vec::new(),
            apart: vec![(0, 2), (1, 3)],
        };
        let prices = [(0, 2, 5), (1, 3, 7)];
        let seats = [Seat::A, Seat::Waiting, Seat::A, Seat::A];
        let mut memory = linked.start();
        let mut remembered = Vec::new();
        for (position, seat) in seats.into_iter().enumerate() {
            let seated = linked.seat(&memory, position, seat, Parties::MustKeep, &prices);
            let (after, price) = seated.unwrap_or_else(|| panic!("{position} may sit there"));
            remembered.push((after.seats.clone(), price));
            memory = after;
        }
        // Who waits is on nobody's team, and of whom nobody behind should be apart is forgotten.
        let first = vec![(0, Seat::A)];
        assert_eq!(
            remembered,
            [(first.clone(), 0), (first, 0), (vec![], 5), (vec![], 0)]
        );
    }
}
