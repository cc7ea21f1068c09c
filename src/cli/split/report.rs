use std::iter::once;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::list::ListedPlayer;
use crate::api::{MissingRoleAnswer, RolesAnswer, SplitAnswer, SpreadAnswer};
use crate::cli::terminal::table::{Side, Table, visible};
use crate::cli::terminal::words::plural;
use crate::domain::{PlayerId, Probability, SplitMethod};

/// Columns of a terminal that nobody has made wider.
const WIDTH: usize = 80;
/// Where the players of a team begin.
const INDENT: usize = 9;

/// What stands above the figures; sd is the standard deviation of a team's ratings.
const HEADINGS: [&str; 9] = [
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

/// The splits of a list; in JSON with the names of the answer to a scramble.
#[derive(Serialize)]
pub(super) struct Report<'list> {
    eligible: usize,
    theta: u32,
    splits: Vec<ListedSplit<'list>>,
    alternatives: Vec<ListedSplit<'list>>,
}

/// A [`SplitAnswer`] whose players are those of the list, without the wishes that a list cannot have.
#[derive(Clone, Serialize)]
struct ListedSplit<'list> {
    size: usize,
    a: Vec<&'list ListedPlayer>,
    b: Vec<&'list ListedPlayer>,
    waiting: Vec<&'list ListedPlayer>,
    sum_a: i64,
    sum_b: i64,
    difference: u64,
    win_probability_a: Probability,
    method: SplitMethod,
    optimal: bool,
    best_difference: Option<u64>,
    roles: RolesAnswer,
    spread: SpreadAnswer,
}

impl<'list> ListedSplit<'list> {
    fn new(split: SplitAnswer, list: &'list [ListedPlayer]) -> Self {
        let player = |id: &PlayerId| list.iter().find(|player| player.id == *id);
        let players = |ids: &[PlayerId]| ids.iter().filter_map(player).collect();
        Self {
            size: split.size,
            a: players(&split.a),
            b: players(&split.b),
            waiting: players(&split.waiting),
            sum_a: split.sum_a,
            sum_b: split.sum_b,
            difference: split.difference,
            win_probability_a: split.win_probability_a,
            method: split.method,
            optimal: split.optimal,
            best_difference: split.best_difference,
            roles: split.roles,
            spread: split.spread,
        }
    }
}

impl<'list> Report<'list> {
    /// The splits that were found for these players, and the alternatives.
    pub(super) fn new(
        players: &'list [ListedPlayer],
        theta: u32,
        found: (Vec<SplitAnswer>, Vec<SplitAnswer>),
    ) -> Self {
        let listed = |split| ListedSplit::new(split, players);
        Self {
            eligible: players.len(),
            theta,
            splits: found.0.into_iter().map(listed).collect(),
            alternatives: found.1.into_iter().map(listed).collect(),
        }
    }

    /// One JSON object, in one line.
    pub(super) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|line| line + "\n")
    }

    /// For people: a table of the figures, then who plays where. Of the size that alternatives were
    /// asked for, these.
    pub(super) fn text(&self) -> String {
        let (splits, are_choices) = if self.alternatives.is_empty() {
            (&self.splits, false)
        } else {
            (&self.alternatives, true)
        };
        let players = plural(self.eligible as u64, "player");
        if splits.is_empty() {
            return players + ": no teams, which take four players or more\n";
        }
        let mut figures = Table::new(HEADINGS.map(|heading| (heading, Side::Right)));
        for split in splits {
            figures.row(cells(split));
        }
        let teams = (1..).zip(splits).map(|(number, split)| {
            let choice = are_choices.then_some(number);
            heading(split, choice)
                + &team("a", &split.a)
                + &team("b", &split.b)
                + &team("waits", &split.waiting)
        });
        let parts: Vec<String> = once(figures.text()).chain(teams).collect();
        format!("{players}, theta {}\n\n{}", self.theta, parts.join("\n"))
    }
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
fn cells(split: &ListedSplit<'_>) -> [String; HEADINGS.len()] {
    [
        split.size.to_string(),
        split.difference.to_string(),
        split.sum_a.to_string(),
        split.sum_b.to_string(),
        format!("{:.1} %", 100.0 * split.win_probability_a.get()),
        format!("{:.0}", split.spread.a),
        format!("{:.0}", split.spread.b),
        split.method.as_str().to_owned(),
        if split.optimal { "yes" } else { "no" }.to_owned(),
    ]
}

/// Who is on a team, in as many lines as it takes; no player is broken over two.
fn team(label: &str, players: &[&ListedPlayer]) -> String {
    let mut text = format!("  {label:<width$}", width = INDENT - 2);
    let mut column = INDENT;
    for (index, player) in players.iter().enumerate() {
        let comma = if index + 1 < players.len() { "," } else { "" };
        let name = visible(&player.name);
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
    use crate::domain::Rating;

    fn player(line: usize, points: i32, name: &str) -> ListedPlayer {
        ListedPlayer {
            id: format!("[U:1:{}]", line + 1).parse().unwrap(),
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
            method: SplitMethod::Exact,
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

    fn report<'a>(splits: Vec<ListedSplit<'a>>, others: Vec<ListedSplit<'a>>) -> Report<'a> {
        Report {
            eligible: 5,
            theta: 2400,
            splits,
            alternatives: others,
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
        let expected = "\
5 players, theta 2400

size  difference  sum a  sum b  odds of a  sd a  sd b  method  optimal
   2          10   2010   2000     75.1 %   505     0   exact      yes

2 v 2
  a      1510 Roger, 500 \u{fffd}[2J
  b      1000 Roger, 1000 Peter \"Pan\" Griffin
  waits  1 李
";
        assert_eq!(report(vec![split(&players)], Vec::new()).text(), expected);
    }

    #[test]
    fn choices_are_numbered_and_a_price_is_named() {
        let players = five();
        let first = split(&players);
        let second = ListedSplit {
            best_difference: Some(0),
            waiting: Vec::new(),
            method: SplitMethod::Greedy,
            optimal: false,
            ..first.clone()
        };
        let text = report(vec![first.clone()], vec![first, second]).text();
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
            method: SplitMethod::Greedy,
            spread: SpreadAnswer {
                a: 500_000.0,
                b: 500_000.0,
                top_two_apart: true,
            },
            ..split(&players)
        };
        let text = Report {
            eligible: 128,
            theta: 1_000_000_000,
            ..report(vec![largest], Vec::new())
        }
        .text();
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
    fn nothing_to_split_is_named_and_is_an_empty_list() {
        let none = Report {
            eligible: 3,
            ..report(Vec::new(), Vec::new())
        };
        assert_eq!(
            none.text(),
            "3 players: no teams, which take four players or more\n"
        );
        assert_eq!(
            none.json().unwrap(),
            "{\"eligible\":3,\"theta\":2400,\"splits\":[],\"alternatives\":[]}\n"
        );
    }

    #[test]
    fn the_json_has_every_key_and_the_names_as_they_were_given() {
        let players = five();
        let line = report(vec![split(&players)], vec![split(&players)]).json();
        let line = line.unwrap();
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
