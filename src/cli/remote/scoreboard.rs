use std::collections::BTreeSet;

use crate::api::WholeRoundAnswer;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::domain::{PlayerEntry, Side, StatCount, StatName, Stats};

/// A player of the round of whom the scoreboard said something.
type Row<'round> = (Side, &'round PlayerEntry, &'round Stats);

/// One of the counts that every pool has.
type Count = fn(&Stats) -> Option<StatCount>;

/// The scoreboard of the round as a table, in which numbers that nobody has have no column; `None` where nothing was
/// reported.
pub(super) fn scoreboard(whole: &WholeRoundAnswer) -> Option<Output> {
    let teams = [(Side::A, &whole.team_a), (Side::B, &whole.team_b)];
    let entries = teams
        .into_iter()
        .flat_map(|(side, team)| team.iter().map(move |entry| (side, entry)));
    let rows: Vec<Row<'_>> = entries
        .filter_map(|(side, entry)| Some((side, entry, entry.stats.as_deref()?)))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut table = Table::new(&rows)
        .left("team", |(side, _, _)| side)
        .left("player", |(_, entry, _)| entry.id);
    if rows.iter().any(|(_, _, stats)| stats.score.is_some()) {
        table = table.right("score", |(_, _, stats)| shown(stats.score));
    }
    let counts: [(&str, Count); 3] = [
        ("kills", |stats| stats.kills),
        ("deaths", |stats| stats.deaths),
        ("assists", |stats| stats.assists),
    ];
    for (name, count) in counts {
        if rows.iter().any(|(_, _, stats)| count(stats).is_some()) {
            table = table.right(name, |(_, _, stats)| shown(count(stats)));
        }
    }
    let named: BTreeSet<&StatName> = rows
        .iter()
        .flat_map(|(_, _, stats)| stats.named.keys())
        .collect();
    for name in named {
        table = table.right(name.as_str(), |(_, _, stats)| {
            shown(stats.named.get(name).copied())
        });
    }
    let mut output = Output::new();
    output.table(table);
    Some(output)
}

fn shown<Number: ToString>(number: Option<Number>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_nobody_has_has_no_column() {
        let players = json!({
            "round_id": "1", "server": "s", "pool": "p", "map": null, "mode": null, "ended_at": 0,
            "received_at": 0, "winner": "a", "win_probability": {"a": 0.5, "b": 0.5}, "void": null,
            "theta": 400, "under_way": null, "progress": null, "players": [],
            "team_a": [{"id": "[U:1:1]", "stats": {"score": -2, "damage": 0.5}}, "[U:1:2]"],
            "team_b": [{"id": "[U:1:3]", "stats": {"score": 12, "kills": 7}}],
        });
        let mut whole: WholeRoundAnswer = serde_json::from_value(players).unwrap();
        let text = scoreboard(&whole).unwrap().to_string();
        let expected = "\
team  player             score  kills  damage
a     76561197960265729     -2            0.5
b     76561197960265731     12      7\n";
        assert_eq!(text, expected);
        whole.team_a.clear();
        whole.team_b.clear();
        assert!(scoreboard(&whole).is_none());
    }
}
