use super::{GroupKind, RoundGroup};
use crate::domain::{Probability, Round, Side};
use crate::rating::{GroupTotals, lead_bin};

/// Returns the groups (map, server, team sizes, lead) that a round belongs to, each with the round's prediction and
/// score to add to the group's sums. `lead` is team a's lead in rating points, and `for_a` team a's predicted win
/// probability.
pub(super) fn groups_of(
    round: &Round,
    lead: i64,
    for_a: Probability,
) -> Vec<(RoundGroup, GroupTotals)> {
    let parts = round.parts();
    let seen_from = |side| {
        let lead = if side == Side::A { lead } else { -lead };
        GroupTotals::of(lead, for_a.of(side), parts.winner.score(side))
    };
    let group = |kind, name: String| RoundGroup { kind, name };
    let size = |side| {
        round
            .entries()
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    let (size_a, size_b) = (size(Side::A), size(Side::B));
    let (smaller, sizes) = if size_a <= size_b {
        (Side::A, format!("{size_a} v {size_b}"))
    } else {
        (Side::B, format!("{size_b} v {size_a}"))
    };
    let from_favourite = GroupTotals::of_favourite(lead, for_a, parts.winner.score(Side::A));
    let mut groups = vec![
        (
            group(GroupKind::Server, parts.server.as_str().to_owned()),
            seen_from(Side::A),
        ),
        (group(GroupKind::TeamSize, sizes), seen_from(smaller)),
        (
            group(GroupKind::Lead, lead_bin(lead).to_string()),
            from_favourite,
        ),
    ];
    if let Some(map) = &parts.map {
        let map = group(GroupKind::Map, map.as_str().to_owned());
        groups.push((map, seen_from(Side::A)));
    }
    groups
}
