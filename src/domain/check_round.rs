//! What can be wrong with the entries of a round beside each other.

use std::collections::HashMap;

use super::{FieldProblem, PlayerEntry, PlayerId, RoundParts, Side};

/// The longest round, in seconds: a day.
const LONGEST_ROUND: u32 = 86_400;

/// Names every player who stands twice without having changed sides.
pub(super) fn repeated_players(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let mut first_seen: HashMap<PlayerId, (Side, &PlayerEntry)> = HashMap::new();
    for (side, field, team) in [
        (Side::A, "/team_a", &parts.team_a),
        (Side::B, "/team_b", &parts.team_b),
    ] {
        for (index, entry) in team.iter().enumerate() {
            let Some(&(first_side, first)) = first_seen.get(&entry.id) else {
                first_seen.insert(entry.id, (side, entry));
                continue;
            };
            let changed_sides = first_side != side
                && ((!first.participated && !entry.at_start)
                    || (!entry.participated && !first.at_start));
            if !changed_sides {
                problems.push(FieldProblem::new(
                    format!("{field}/{index}"),
                    format!(
                        "{} stands twice; name a player once, or, for one who changed sides, with \
                         \"participated\": false on the team left and \"at_start\": false on the \
                         team joined",
                        entry.id
                    ),
                ));
            }
        }
    }
}

/// Names every length of time that cannot be.
pub(super) fn impossible_seconds(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let allowed = 1..=LONGEST_ROUND;
    if parts
        .round_seconds
        .is_some_and(|seconds| !allowed.contains(&seconds))
    {
        problems.push(FieldProblem::new(
            "/round_seconds",
            format!("is out of range; send 1 to {LONGEST_ROUND}, or leave it out"),
        ));
        return;
    }
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            let detail = match (entry.seconds, parts.round_seconds) {
                (Some(_), None) => {
                    "has no meaning without \"round_seconds\"; send how long the round took too"
                        .to_owned()
                }
                (Some(seconds), Some(all)) if seconds > all => {
                    format!("is {seconds}, longer than the round; send at most {all}")
                }
                _ => continue,
            };
            problems.push(FieldProblem::new(
                format!("{field}/{index}/seconds"),
                detail,
            ));
        }
    }
}
