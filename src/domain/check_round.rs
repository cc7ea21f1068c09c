//! Checks of a round's entries against each other.

use super::{FieldProblem, PlayerEntry, PlayerMap, PlayerSet, RoundParts, Side};

/// Maximum duration of a round in seconds: one day.
const MAX_ROUND: u32 = 86_400;

/// Reports every second entry of a player, unless the player changed sides.
pub(super) fn repeated_players(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let mut first_seen: PlayerMap<(Side, &PlayerEntry)> = PlayerMap::default();
    let (a, b) = (&parts.team_a, &parts.team_b);
    for (side, field, team) in [(Side::A, "/team_a", a), (Side::B, "/team_b", b)] {
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
                        "{} is listed twice; name each player once, or, for a player who changed sides, with \
                         \"participated\": false on the team left and \"at_start\": false on the \
                         team joined",
                        entry.id
                    ),
                ));
            }
        }
    }
}

/// Reports every duration that is out of range or longer than the round.
pub(super) fn impossible_seconds(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let allowed = 1..=MAX_ROUND;
    let is_impossible = |seconds| !allowed.contains(&seconds);
    if parts.round_seconds.is_some_and(is_impossible) {
        problems.push(FieldProblem::new(
            "/round_seconds",
            format!("is out of range; send 1 to {MAX_ROUND}, or leave it out"),
        ));
        return;
    }
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            let detail = match (entry.seconds, parts.round_seconds) {
                (Some(_), None) => {
                    "needs \"round_seconds\"; send the length of the round too".to_owned()
                }
                (Some(seconds), Some(all)) if seconds > all => {
                    format!("is {seconds}, longer than the round; send at most {all}")
                }
                _ => continue,
            };
            let field = format!("{field}/{index}/seconds");
            problems.push(FieldProblem::new(field, detail));
        }
    }
}

/// Reports the second scoreboard line of a player who changed sides, because it is unclear whether the two lines
/// should be added up.
pub(super) fn repeated_stats(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let mut seen: PlayerSet = PlayerSet::default();
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            if entry.stats.is_some() && !seen.insert(entry.id) {
                problems.push(FieldProblem::new(
                    format!("{field}/{index}/stats"),
                    format!(
                        "is sent twice for {}; send the stats of the whole round once, on either team",
                        entry.id
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn a_player_who_changed_sides_may_stand_twice_from_whichever_side() {
        let left = json!([{"id": "[U:1:1]", "participated": false}, "[U:1:2]"]);
        let joined = json!(["[U:1:3]", {"id": "[U:1:1]", "at_start": false}]);
        for (team_a, team_b) in [(&left, &joined), (&joined, &left)] {
            let parts = json!({
                "round_id": "1", "server": "s", "winner": "a", "team_a": team_a, "team_b": team_b,
            });
            let mut problems = Vec::new();
            repeated_players(&from_value(parts).unwrap(), &mut problems);
            assert_eq!(problems, []);
        }
    }
}
