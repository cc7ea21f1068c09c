use crate::domain::{PlayerId, Round, Side};

/// Maximum time between the ends of a round and its copy, in seconds.
const MAX_SECONDS: u64 = 15;

/// Returns `true` if `later` repeats `earlier` under another id: the server, map, winner and both teams are equal, and
/// the ends are at most 15 seconds apart, and less than the round lasted.
#[must_use]
pub fn is_copy(earlier: &Round, later: &Round) -> bool {
    let (one, other) = (earlier.parts(), later.parts());
    let last_end = earlier.ended_at().max(later.ended_at());
    let apart = last_end.duration_since(earlier.ended_at().min(later.ended_at()));
    let shorter_than =
        |seconds: Option<u32>| seconds.is_none_or(|all| apart.as_secs() < u64::from(all));
    one.server == other.server
        && one.round_id != other.round_id
        && one.map == other.map
        && one.winner == other.winner
        && apart.as_secs() <= MAX_SECONDS
        && shorter_than(other.round_seconds)
        && roster(earlier) == roster(later)
}

fn roster(round: &Round) -> Vec<(PlayerId, Side)> {
    let mut roster: Vec<(PlayerId, Side)> = round
        .entries()
        .map(|(side, entry)| (entry.id, side))
        .collect();
    roster.sort_unstable_by_key(|(player, side)| (*player, *side == Side::B));
    roster
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{RoundParts, Winner};
    use crate::rating::samples::{parts, settled, team};

    #[test]
    fn a_copy_has_another_id_and_everything_else_alike() {
        let (a, b) = (Winner::A, Winner::B);
        let round = |id: &str, winner, second: i64, team_a: [u64; 2], seconds: u32| {
            settled(RoundParts {
                round_id: id.parse().unwrap(),
                map: Some("m".parse().unwrap()),
                round_seconds: Some(seconds),
                ..parts(1_000_000 + second, winner, team(&team_a), team(&[3, 4]))
            })
        };
        let first = round("1", a, 0, [1, 2], 300);
        for (later, expected) in [
            (round("2", a, 1, [2, 1], 300), true),
            (round("2", a, -15, [1, 2], 300), true),
            (round("1", a, 1, [1, 2], 300), false),
            (round("2", b, 1, [1, 2], 300), false),
            (round("2", a, 16, [1, 2], 300), false),
            (round("2", a, 1, [1, 5], 300), false),
            // Arena rounds of ten seconds, one after the other.
            (round("2", a, 12, [1, 2], 10), false),
        ] {
            assert_eq!(is_copy(&first, &later), expected, "{later:?}");
        }
    }
}
