use super::brief::Brief;
use super::split::Seat;

/// Whether a team size has room for all hard wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// More must play than there are seats: so only they play, and some of them wait.
    TooFewSeats,
    /// There is room.
    Enough,
    /// More must wait than can be done without: so only they wait, and some of them play.
    TooFewPlayers,
}

impl Room {
    /// The room in teams of `size`.
    pub(super) fn of(brief: &Brief<'_>, size: usize) -> Self {
        let compulsory = (0..brief.points.len()).filter(|&player| is_compulsory(brief, player));
        let waiting = brief.must_wait.iter().filter(|waits| **waits);
        if compulsory.count() > 2 * size {
            Self::TooFewSeats
        } else if waiting.count() > brief.points.len() - 2 * size {
            Self::TooFewPlayers
        } else {
            Self::Enough
        }
    }

    /// By player, the seats that are open. The hard wishes are kept by whoever takes them, or
    /// broken as seldom as can be.
    ///
    /// Where the sides do not matter the anchor is on team A, which saves finding every split
    /// twice.
    pub(super) fn seats(self, brief: &Brief<'_>) -> Vec<&'static [Seat]> {
        const ANY: [Seat; 3] = [Seat::A, Seat::B, Seat::Waiting];
        const PLAY: [Seat; 2] = [Seat::A, Seat::B];
        let seats = |player: usize| -> &'static [Seat] {
            if brief.anchor == Some(player) {
                return if brief.current.is_some() {
                    &PLAY
                } else {
                    &[Seat::A]
                };
            }
            match self {
                Self::TooFewSeats if is_compulsory(brief, player) => &ANY,
                Self::TooFewSeats => &[Seat::Waiting],
                Self::Enough if is_compulsory(brief, player) => &PLAY,
                Self::Enough if brief.must_wait[player] => &[Seat::Waiting],
                Self::TooFewPlayers if !brief.must_wait[player] => &PLAY,
                Self::Enough | Self::TooFewPlayers => &ANY,
            }
        };
        (0..brief.points.len()).map(seats).collect()
    }
}

fn is_compulsory(brief: &Brief<'_>, player: usize) -> bool {
    brief.must_play[player] || brief.anchor == Some(player)
}

#[cfg(test)]
pub(super) mod generators {
    use proptest::prelude::*;

    use super::Seat;

    /// All of them.
    pub(in super::super) const SEATS: [Seat; 3] = [Seat::A, Seat::B, Seat::Waiting];

    /// Every way to seat so many players in two teams of `size`.
    pub(in super::super) fn all_seats(players: usize, size: usize) -> Vec<Vec<Seat>> {
        let mut all = vec![Vec::new()];
        for _ in 0..players {
            let next = all.iter().flat_map(|seats: &Vec<Seat>| {
                SEATS.map(|seat| [seats.as_slice(), &[seat]].concat())
            });
            all = next.collect();
        }
        let has = |seats: &[Seat], team| seats.iter().filter(|seat| **seat == team).count() == size;
        all.retain(|seats| has(seats, Seat::A) && has(seats, Seat::B));
        all
    }

    /// By player: the open seats; all of them for most, and for some both teams or waiting alone.
    pub(in super::super) fn open_seats(
        players: usize,
    ) -> impl Strategy<Value = Vec<&'static [Seat]>> {
        let seats = (0..8_usize).prop_map(|closed| match closed {
            0 => &SEATS[..2],
            1 => &SEATS[2..],
            _ => &SEATS[..],
        });
        prop::collection::vec(seats, players)
    }
}
