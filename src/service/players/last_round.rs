use std::collections::HashMap;

use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::Entry;

/// Last round of each player up to a requested time in the past.
pub(crate) type LastRounds = HashMap<PlayerId, LastRound>;

type Played = (u64, Timestamp);

/// Last round of a player up to a requested time in the past, with the rating after that round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastRound {
    /// Log position and ending time of the player's last round up to the requested time; `None` if there was no round.
    played: Option<Played>,
    rating: Rating,
    /// Number of the player's rated rounds up to the requested time, including rounds before resets.
    number: u64,
    /// Log position and ending time of the player's first round after the requested time; `None` if unknown or missing.
    next: Option<Played>,
}

impl LastRound {
    pub(super) fn none(initial: Rating) -> Self {
        Self {
            played: None,
            rating: initial,
            number: 0,
            next: None,
        }
    }

    /// Returns the log position of a player's last round (0 without a round), and the player's rating after the round.
    pub(super) fn rated_at(&self) -> (u64, Rating) {
        (self.played.map_or(0, |(position, _)| position), self.rating)
    }

    /// Returns `true` if this still is the player's last counted round, judged without reading the player's rounds.
    /// `entries` is the player's present number of rated rounds. Exact only if rounds begin to count in log order.
    pub(super) fn is_still_last(&self, entries: u64, counts: impl Fn(Played) -> bool) -> bool {
        self.played.is_none_or(&counts)
            && match self.next {
                Some(next) => !counts(next),
                None => self.number == entries,
            }
    }
}

/// Updates a player's last round to the last counted round of `row` (consecutive rounds of the player), if later.
pub(super) fn note_last(last: &mut LastRounds, row: &[Entry], counts: impl Fn(&Entry) -> bool) {
    let Some(first) = row.first() else { return };
    let Some(known) = last.get_mut(&first.player) else {
        return;
    };
    let played = |entry: &Entry| (entry.position, entry.ended_at);
    match row.iter().rposition(counts) {
        Some(index) if row[index].number > known.number => {
            *known = LastRound {
                played: Some(played(&row[index])),
                rating: row[index].step.rating,
                number: row[index].number,
                next: row.get(index + 1).map(played),
            };
        }
        // The player's first round has no round before it.
        None if known.number == 0 && first.number == 1 => known.next = Some(played(first)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Probability, Score};
    use crate::rating::{Totals, TotalsStep};
    use crate::store::EntryChunk;

    fn entry(number: u64, position: u64) -> Entry {
        let rating = Rating::new(100 + i32::try_from(number).unwrap()).unwrap();
        Entry {
            player: "76561197960265729".parse().unwrap(),
            number,
            position,
            ended_at: Timestamp::UNIX_EPOCH,
            step: TotalsStep::of(rating, Probability::HALF, Score::WIN),
            totals: Totals::default(),
        }
    }

    /// Returns a player's last round before log position `place`, as found in the database row read for the position:
    /// the last full row that begins before it, unless the row that is not yet full begins before it, too.
    fn look_up(entries: &[Entry], place: u64) -> LastRound {
        let player = entries[0].player;
        let size = usize::try_from(EntryChunk::SIZE).unwrap();
        let (full, rest) = entries.split_at(entries.len() / size * size);
        let begins_before = |row: &&[Entry]| row[0].position <= place;
        let full = || full.chunks(size).rev().find(begins_before);
        let row = Some(rest)
            .filter(|row| !row.is_empty() && begins_before(row))
            .or_else(full)
            .unwrap_or(rest);
        let mut last = LastRounds::from([(player, LastRound::none(Rating::new(1).unwrap()))]);
        note_last(&mut last, row, |entry| entry.position <= place);
        last[&player]
    }

    proptest! {
        #[test]
        fn what_is_still_the_last_is_what_would_be_found(
            gaps in prop::collection::vec(1..4_u64, 1..60),
            known_at in 0..130_u64,
            later in 0..130_u64,
            seen in 1..60_usize,
        ) {
            let mut position = 0;
            let entries: Vec<Entry> = (1..).zip(&gaps).map(|(number, gap)| {
                position += gap;
                entry(number, position)
            }).collect();
            // Rounds were added since, behind all rounds seen here.
            let seen = &entries[..seen.min(entries.len())];
            let known_at = known_at.min(seen[seen.len() - 1].position);
            let known = look_up(seen, known_at);
            let found = look_up(&entries, later);
            let count = entries.len() as u64;
            // Only the last round of a row has an unknown next round.
            let ends_row = known.number.is_multiple_of(EntryChunk::SIZE) || known.number == seen.len() as u64;
            prop_assert!(ends_row || known.next.is_some());
            let is_still_last = known.is_still_last(count, |(position, _)| position <= later);
            if is_still_last {
                prop_assert_eq!(known.rated_at(), found.rated_at());
            } else {
                prop_assert!(known.next.is_none() || known.rated_at() != found.rated_at());
            }
        }
    }
}
