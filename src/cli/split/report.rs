use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use super::list::ListedPlayer;
use crate::api::{
    DrawnSplitAnswer, MissingRoleAnswer, NewcomersAnswer, RolesAnswer, SplitAnswer, SpreadAnswer,
};
use crate::cli::terminal::columns::{USUAL_WIDTH, wrap};
use crate::cli::terminal::figures::percent;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::domain::{PlayerId, Probability, SplitMethod};
use crate::service::DescribedSplits;

const INDENT: usize = 9;

/// Splits of a list of players. The JSON has the same fields as the answer to a scramble.
#[derive(Serialize)]
pub(super) struct Report<'list> {
    eligible: usize,
    theta: u32,
    splits: Vec<ListedSplit<'list>>,
    alternatives: Vec<ListedSplit<'list>>,
    drawn: Option<DrawnSplitAnswer>,
}

/// A split like [`SplitAnswer`], with the players of the list, and without wishes that a list cannot contain.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    newcomers: Option<NewcomersAnswer>,
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
            newcomers: split.newcomers,
            spread: split.spread,
        }
    }
}

impl<'list> Report<'list> {
    pub(super) fn new(players: &'list [ListedPlayer], theta: u32, found: DescribedSplits) -> Self {
        let listed = |split| ListedSplit::new(split, players);
        Self {
            eligible: players.len(),
            theta,
            splits: found.splits.into_iter().map(listed).collect(),
            alternatives: found.alternatives.into_iter().map(listed).collect(),
            drawn: found.drawn,
        }
    }

    /// Prints a table of the splits' figures, and then the teams. If alternatives were requested, prints these instead
    /// of the splits.
    pub(super) fn text(&self, text: &mut Output) -> fmt::Result {
        let (splits, are_choices) = if self.alternatives.is_empty() {
            (&self.splits, false)
        } else {
            (&self.alternatives, true)
        };
        let players = plural(self.eligible as u64, "player");
        if splits.is_empty() {
            return writeln!(text, "{players}: two teams need at least four");
        }
        let teams: Vec<String> = (1..)
            .zip(splits)
            .map(|(number, split)| {
                let choice = are_choices.then_some(number);
                heading(split, choice)
                    + &team("a", &split.a)
                    + &team("b", &split.b)
                    + &team("waits", &split.waiting)
            })
            .collect();
        write!(text, "{players}, theta {}", self.theta)?;
        if let Some(DrawnSplitAnswer { rank, of, .. }) = self.drawn {
            write!(text, ", drawn: number {rank} of the best {of}")?;
        }
        writeln!(text, "\n")?;
        text.table(figures(splits));
        write!(text, "\n{}", teams.join("\n"))
    }
}

/// Returns the line above a split's teams: the size, the excess over the closest split, and the roles with missing
/// players.
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
    let newcomers = split.newcomers.map_or(String::new(), |shared| {
        let cost = shared.cost.filter(|cost| *cost > 0);
        let cost = cost.map_or(String::new(), |cost| {
            format!(" for {}", plural(cost, "point"))
        });
        format!(", newcomers {} and {}{cost}", shared.a, shared.b)
    });
    let larger = split.a.len().max(split.b.len());
    format!("{size} v {larger}{choice}{price}{missing}{newcomers}\n")
}

/// Returns the table of the splits' figures; sd is the standard deviation of a team's ratings.
fn figures<'all, 'list>(splits: &'all [ListedSplit<'list>]) -> Table<'all, ListedSplit<'list>> {
    Table::new(splits)
        .right("size", |split| split.size)
        .right("difference", |split| split.difference)
        .right("sum a", |split| split.sum_a)
        .right("sum b", |split| split.sum_b)
        .right("odds of a", |split| {
            percent(Some(split.win_probability_a.get()))
        })
        .right("sd a", |split| format!("{:.0}", split.spread.a))
        .right("sd b", |split| format!("{:.0}", split.spread.b))
        .right("method", |split| split.method)
        .right("optimal", |split| if split.optimal { "yes" } else { "no" })
}

/// Formats the players of a team behind the `label`. No player is broken over two lines.
fn team(label: &str, players: &[&ListedPlayer]) -> String {
    let mut entries = players
        .iter()
        .map(|player| format!("{} {}", player.rating, visible(&player.name)))
        .collect::<Vec<_>>()
        .join(",\n");
    if players.is_empty() {
        entries += "nobody";
    }
    let mut text = String::new();
    wrap(&mut text, entries.lines(), INDENT, USUAL_WIDTH);
    format!("  {label:<width$}{}", text.trim_start(), width = INDENT - 2)
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::api::ScrambleRequest;
    use crate::cli::split::list;
    use crate::service::split_offline;

    const FIVE: &str =
        "1 李\n1510 Roger\n1000 Roger\n500 \u{202e}\u{1b}[2J\u{200b}\n1000 Peter \"Pan\" Griffin\n";

    fn players(text: &str) -> Vec<ListedPlayer> {
        list::players(text.as_bytes()).unwrap()
    }

    fn report(players: &[ListedPlayer]) -> Report<'_> {
        let ratings = players.iter().map(|player| (player.id, player.rating));
        let found = split_offline(&ScrambleRequest::default(), ratings, Vec::new(), 2400.0, 0);
        Report::new(players, 2400, found.unwrap())
    }

    fn text(report: &Report<'_>) -> String {
        let mut text = Output::default();
        report.text(&mut text).unwrap();
        text.to_string()
    }

    #[test]
    fn the_figures_stand_in_columns_and_the_players_below() {
        let players = players(FIVE);
        let expected = "\
5 players, theta 2400

size  difference  sum a  sum b  odds of a  sd a  sd b  method  optimal
   2          10   2010   2000     50.1 %   505     0   exact      yes

2 v 2
  a      1510 Roger, 500 \u{fffd}[2J
  b      1000 Roger, 1000 Peter \"Pan\" Griffin
  waits  1 李
";
        assert_eq!(text(&report(&players)), expected);
    }

    #[test]
    fn the_alternatives_take_the_place_of_the_splits_of_their_size() {
        let players = players(FIVE);
        let mut report = report(&players);
        let greedy = ListedSplit {
            method: SplitMethod::Greedy,
            optimal: false,
            ..report.splits[0].clone()
        };
        report.alternatives = vec![report.splits[0].clone(), greedy];
        let text = text(&report);
        assert!(text.contains("\n2 v 2, choice 2\n"), "{text}");
        assert!(text.contains("  greedy       no\n"), "{text}");
        assert_eq!(text.matches("2 v 2").count(), 2, "{text}");
    }

    #[test]
    fn everything_fits_a_terminal_of_80_columns() {
        let names = "1000000 x\n1000000 FoogiliciousFoogilicious\n1000000 李小龙李小龙\n";
        let crowd = players(&(names.repeat(42) + "1000000 y\n1000000 z\n"));
        let (a, b) = crowd.split_at(64);
        let five = players(FIVE);
        let mut report = report(&five);
        report.splits[0] = ListedSplit {
            size: 64,
            a: a.iter().collect(),
            b: b.iter().collect(),
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
            ..report.splits[0].clone()
        };
        let text = text(&report);
        let widths: Vec<usize> = text.lines().map(str::width).collect();
        assert_eq!(widths.iter().max(), Some(&80), "{text}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
        assert_eq!(text.matches("1000000 ").count(), 128, "{text}");
    }

    #[test]
    fn a_name_that_is_wider_than_the_terminal_has_a_line_of_its_own() {
        let long = "x".repeat(100);
        let players = players(&format!("3 a\n2 {long}\n1 b\n"));
        let listed: Vec<&ListedPlayer> = players.iter().collect();
        let gap = " ".repeat(9);
        let expected = format!("  a      3 a,\n{gap}2 {long},\n{gap}1 b\n");
        assert_eq!(team("a", &listed), expected);
    }

    #[test]
    fn the_json_has_every_key_and_the_names_as_they_were_given() {
        let players = players(FIVE);
        let mut report = report(&players);
        report.alternatives = report.splits.clone();
        let line = serde_json::to_string(&report).unwrap() + "\n";
        let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
        let split = serde_json::json!({
            "size": 2,
            "a": [
                {"line": 2, "rating": 1510, "name": "Roger"},
                {"line": 4, "rating": 500, "name": "\u{202e}\u{1b}[2J\u{200b}"},
            ],
            "b": [
                {"line": 3, "rating": 1000, "name": "Roger"},
                {"line": 5, "rating": 1000, "name": "Peter \"Pan\" Griffin"},
            ],
            "waiting": [{"line": 1, "rating": 1, "name": "李"}],
            "sum_a": 2010, "sum_b": 2000, "difference": 10,
            "win_probability_a": report.splits[0].win_probability_a, "method": "exact", "optimal": true, "best_difference": 10,
            "roles": {"missing": []}, "spread": {"a": 505.0, "b": 0.0, "top_two_apart": true},
        });
        let expected = serde_json::json!({
            "eligible": 5, "theta": 2400, "splits": [split], "alternatives": [split], "drawn": null,
        });
        assert_eq!(answer, expected);
        assert_eq!(line.matches('\n').count(), 1, "one line");
    }
}
