use std::array;
use std::iter::once;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::api::{MethodName, MissingRoleAnswer};
use crate::cli::terminal::words::plural;
use crate::service::{ListedPlayer, ListedSplit, ListedSplits};

/// Columns of a terminal that nobody has made wider.
const WIDTH: usize = 80;
/// Where the players of a team begin.
const INDENT: usize = 9;

const COLUMNS: usize = 9;
/// Numbers stand below the end of their heading; sd is the standard deviation of a team's ratings.
const HEADINGS: [&str; COLUMNS] = [
    "size",
    "difference",
    "sum a",
    "sum b",
    "odds of a",
    "sd a",
    "sd b",
    "method",
    "optimal",
];

/// `--json`: what it has in common with the answer to a scramble has the same names there.
#[derive(Serialize)]
struct ListAnswer<'list> {
    eligible: usize,
    theta: u32,
    #[serde(flatten)]
    found: &'list ListedSplits<'list>,
}

/// The splits of `eligible` players as one JSON object, in one line.
pub(super) fn json(
    eligible: usize,
    theta: u32,
    found: &ListedSplits<'_>,
) -> serde_json::Result<String> {
    let answer = ListAnswer {
        eligible,
        theta,
        found,
    };
    serde_json::to_string(&answer).map(|line| line + "\n")
}

/// The splits for people: a table of the figures, then who plays where. Of the size that
/// alternatives were asked for, these.
pub(super) fn text(players: usize, theta: u32, found: &ListedSplits<'_>) -> String {
    let (splits, are_choices) = if found.alternatives.is_empty() {
        (&found.splits, false)
    } else {
        (&found.alternatives, true)
    };
    if splits.is_empty() {
        let players = plural(players as u64, "player");
        return format!("{players}: no teams, which take four players or more\n");
    }
    let figures = table(splits.iter().map(cells).collect());
    let teams = (1..).zip(splits).map(|(number, split)| {
        let choice = are_choices.then_some(number);
        heading(split, choice)
            + &team("a", &split.a)
            + &team("b", &split.b)
            + &team("waits", &split.waiting)
    });
    let parts: Vec<String> = once(figures).chain(teams).collect();
    format!("{players} players, theta {theta}\n\n{}", parts.join("\n"))
}

/// What stands above the teams: the size, the price of a split that is not the closest, and the roles
/// that players are missing for.
fn heading(split: &ListedSplit<'_>, choice: Option<usize>) -> String {
    let (size, difference, best) = (split.size, split.difference, split.best_difference);
    let choice = choice.map_or(String::new(), |number| format!(", choice {number}"));
    let price = match best {
        Some(best) if best < difference => {
            let points = plural(difference, "point");
            format!(", {points} apart, {best} possible")
        }
        _ => String::new(),
    };
    let roles = split.roles.missing.iter();
    let missing = |role: &MissingRoleAnswer| {
        let players = plural(role.missing as u64, "player");
        format!(", the role {} lacks {players}", role.name)
    };
    let missing: String = roles.map(missing).collect();
    let larger = split.a.len().max(split.b.len());
    format!("{size} v {larger}{choice}{price}{missing}\n")
}

/// What stands below the headings.
fn cells(split: &ListedSplit<'_>) -> [String; COLUMNS] {
    let method = match split.method {
        MethodName::Exact => "exact",
        MethodName::Greedy => "greedy",
    };
    [
        split.size.to_string(),
        split.difference.to_string(),
        split.sum_a.to_string(),
        split.sum_b.to_string(),
        format!("{:.1} %", 100.0 * split.win_probability_a.get()),
        format!("{:.0}", split.spread.a),
        format!("{:.0}", split.spread.b),
        method.to_owned(),
        if split.optimal { "yes" } else { "no" }.to_owned(),
    ]
}

/// Columns as wide as what stands in them.
fn table(rows: Vec<[String; COLUMNS]>) -> String {
    let mut lines = vec![HEADINGS.map(str::to_owned)];
    lines.extend(rows);
    let widths: [usize; COLUMNS] = array::from_fn(|column| {
        let cells = lines.iter().map(|line| line[column].len());
        cells.max().unwrap_or_default()
    });
    let line = |cells: &[String; COLUMNS]| {
        let cells = cells.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ") + "\n"
    };
    lines.iter().map(line).collect()
}

/// Who is on a team, in as many lines as it takes; no player is broken over two.
fn team(label: &str, players: &[&ListedPlayer]) -> String {
    let mut text = format!("  {label:<width$}", width = INDENT - 2);
    let mut column = INDENT;
    for (index, player) in players.iter().enumerate() {
        let comma = if index + 1 < players.len() { "," } else { "" };
        // What would steer the terminal is not sent there.
        let name = player.name.replace(char::is_control, "\u{fffd}");
        let entry = format!("{} {name}{comma}", player.rating);
        if column > INDENT && column + 1 + entry.width() > WIDTH {
            text += "\n";
            text += &" ".repeat(INDENT);
            column = INDENT;
        } else if column > INDENT {
            text.push(' ');
            column += 1;
        }
        column += entry.width();
        text += &entry;
    }
    if players.is_empty() {
        text += "nobody";
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{RolesAnswer, SpreadAnswer};
    use crate::domain::{Probability, Rating};

    fn player(line: usize, points: i32, name: &str) -> ListedPlayer {
        ListedPlayer {
            line,
            rating: Rating::new(points).unwrap(),
            name: name.to_owned(),
        }
    }

    /// Two against two, the last player waiting.
    fn split(players: &[ListedPlayer; 5]) -> ListedSplit<'_> {
        let [one, two, three, four, five] = players;
        ListedSplit {
            size: 2,
            a: vec![one, four],
            b: vec![two, three],
            waiting: vec![five],
            sum_a: 2010,
            sum_b: 2000,
            difference: 10,
            win_probability_a: Probability::new(0.751_04).unwrap(),
            method: MethodName::Exact,
            optimal: true,
            best_difference: Some(10),
            roles: RolesAnswer::default(),
            spread: SpreadAnswer {
                a: 505.0,
                b: 0.0,
                top_two_apart: true,
            },
        }
    }

    fn five() -> [ListedPlayer; 5] {
        [
            player(2, 1510, "Roger"),
            player(3, 1000, "Roger"),
            player(5, 1000, "Peter \"Pan\" Griffin"),
            player(4, 500, "\u{1b}[2J"),
            player(1, 1, "李"),
        ]
    }

    #[test]
    fn the_figures_stand_in_columns_and_the_players_below() {
        let players = five();
        let found = ListedSplits {
            splits: vec![split(&players)],
            alternatives: Vec::new(),
        };
        let expected = "\
5 players, theta 2400

size  difference  sum a  sum b  odds of a  sd a  sd b  method  optimal
   2          10   2010   2000     75.1 %   505     0   exact      yes

2 v 2
  a      1510 Roger, 500 \u{fffd}[2J
  b      1000 Roger, 1000 Peter \"Pan\" Griffin
  waits  1 李
";
        assert_eq!(text(5, 2400, &found), expected);
    }

    #[test]
    fn choices_are_numbered_and_a_price_is_told() {
        let players = five();
        let first = split(&players);
        let second = ListedSplit {
            best_difference: Some(0),
            waiting: Vec::new(),
            method: MethodName::Greedy,
            optimal: false,
            ..first.clone()
        };
        let found = ListedSplits {
            splits: vec![first.clone()],
            alternatives: vec![first, second],
        };
        let text = text(5, 2400, &found);
        assert!(text.contains("\n2 v 2, choice 1\n"), "{text}");
        let line = "\n2 v 2, choice 2, 10 points apart, 0 possible\n";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("  greedy       no\n"), "{text}");
        let unknown = ListedSplit {
            best_difference: None,
            ..split(&players)
        };
        assert_eq!(heading(&unknown, None), "2 v 2\n");
        let missing = [("medic", 1), ("pilot", 2)].map(|(name, missing)| MissingRoleAnswer {
            name: name.to_owned(),
            missing,
        });
        let roles = RolesAnswer {
            missing: missing.into(),
        };
        let lacking = ListedSplit { roles, ..unknown };
        let expected = "2 v 2, the role medic lacks 1 player, the role pilot lacks 2 players\n";
        assert_eq!(heading(&lacking, None), expected);
        assert!(text.ends_with("\n  waits  nobody\n"), "{text}");
        assert_eq!(text.matches("2 v 2").count(), 2, "{text}");
    }

    #[test]
    fn of_uneven_teams_the_smaller_is_named_first() {
        let players = five();
        let mut uneven = split(&players);
        uneven.a.append(&mut uneven.waiting);
        assert_eq!(heading(&uneven, None), "2 v 3\n");
    }

    #[test]
    fn everything_fits_a_terminal_of_80_columns() {
        let name =
            |index: usize| ["x", "Foogilicious", "李小龙李小龙"][index % 3].repeat(1 + index % 2);
        let crowd: Vec<ListedPlayer> = (0..128)
            .map(|index| player(index, 1_000_000, &name(index)))
            .collect();
        let (a, b) = crowd.split_at(64);
        let players = five();
        let largest = ListedSplit {
            size: 64,
            a: a.iter().collect(),
            b: b.iter().collect(),
            waiting: Vec::new(),
            sum_a: 64_000_000,
            sum_b: 64_000_000,
            difference: 64_000_000,
            win_probability_a: Probability::new(1.0).unwrap(),
            method: MethodName::Greedy,
            spread: SpreadAnswer {
                a: 500_000.0,
                b: 500_000.0,
                top_two_apart: true,
            },
            ..split(&players)
        };
        let found = ListedSplits {
            splits: vec![largest],
            alternatives: Vec::new(),
        };
        let text = text(128, 1_000_000_000, &found);
        let widths: Vec<usize> = text.lines().map(str::width).collect();
        assert_eq!(widths.iter().max(), Some(&80), "{text}");
        let lines = text.lines().filter(|line| line.starts_with("         "));
        assert!(lines.clone().count() > 20, "{text}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
        assert_eq!(text.matches("1000000 ").count(), 128, "{text}");
    }

    #[test]
    fn a_name_that_is_wider_than_the_terminal_has_a_line_of_its_own() {
        let long = "x".repeat(100);
        let players = [player(1, 3, "a"), player(2, 2, &long), player(3, 1, "b")];
        let listed: Vec<&ListedPlayer> = players.iter().collect();
        let gap = " ".repeat(9);
        let expected = format!("  a      3 a,\n{gap}2 {long},\n{gap}1 b\n");
        assert_eq!(team("a", &listed), expected);
    }

    #[test]
    fn nothing_to_split_is_said_and_is_an_empty_list() {
        let none = ListedSplits::default();
        let said = text(3, 2400, &none);
        assert_eq!(
            said,
            "3 players: no teams, which take four players or more\n"
        );
        assert_eq!(
            json(3, 2400, &none).unwrap(),
            "{\"eligible\":3,\"theta\":2400,\"splits\":[],\"alternatives\":[]}\n"
        );
    }

    #[test]
    fn the_json_has_every_key_and_the_names_as_they_were_given() {
        let players = five();
        let found = ListedSplits {
            splits: vec![split(&players)],
            alternatives: vec![split(&players)],
        };
        let line = json(5, 2400, &found).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
        let split = serde_json::json!({
            "size": 2,
            "a": [
                {"line": 2, "rating": 1510, "name": "Roger"},
                {"line": 4, "rating": 500, "name": "\u{1b}[2J"},
            ],
            "b": [
                {"line": 3, "rating": 1000, "name": "Roger"},
                {"line": 5, "rating": 1000, "name": "Peter \"Pan\" Griffin"},
            ],
            "waiting": [{"line": 1, "rating": 1, "name": "李"}],
            "sum_a": 2010, "sum_b": 2000, "difference": 10, "win_probability_a": 0.751_04,
            "method": "exact", "optimal": true, "best_difference": 10, "roles": {"missing": []},
            "spread": {"a": 505.0, "b": 0.0, "top_two_apart": true},
        });
        let expected = serde_json::json!({
            "eligible": 5, "theta": 2400, "splits": [split], "alternatives": [split],
        });
        assert_eq!(answer, expected);
        assert_eq!(line.matches('\n').count(), 1, "one line");
    }
}
