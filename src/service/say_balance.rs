use super::say_odds::say_odds;
use crate::balance::{Fill, Placement, Reason, Suppression, Tally, Verdict};
use crate::domain::Side;

/// Why teams are unbalanced, with the limit, in a clause.
pub(super) fn detail_of(reason: &Reason) -> String {
    match reason {
        Reason::SizeDifference { by, from } => {
            format!("sizes differ by {by} players; {from} are too many")
        }
        Reason::SizePair {
            larger,
            smaller,
            at_least,
            at_most,
        } => format!(
            "{larger} v {smaller}; {at_least} or more against {at_most} or fewer is too uneven"
        ),
        Reason::PowerDifference { by, from } => format!(
            "what the teams weigh differs by {}; {} is too much",
            by.points(),
            from.points()
        ),
        Reason::PowerRatio {
            by: Some(by),
            above,
        } => format!(
            "one team weighs {} more than the other; over {} is too much",
            percent(*by),
            percent(*above)
        ),
        Reason::PowerRatio { by: None, above } => format!(
            "one team weighs nothing; over {} more on the other is too much",
            percent(*above)
        ),
        Reason::WinProbability { is, above } => format!(
            "the favourite wins with a probability of {:.4}; above {} is too much",
            is.get(),
            above.get()
        ),
        Reason::Bots => "there should be other numbers of bots".to_owned(),
    }
}

/// Why teams are left alone, in a clause.
pub(super) fn detail_of_suppression(suppression: &Suppression) -> String {
    match suppression {
        Suppression::Mode(mode) => {
            format!(
                "teams are left alone where the mode is \"{}\"",
                mode.as_str()
            )
        }
        Suppression::Ending {
            seconds_left,
            least,
        } => format!(
            "{seconds_left} seconds are left in the round; with fewer than {least} teams are left \
             alone"
        ),
    }
}

/// A verdict in one sentence for chat or console: ASCII, at most 120 characters.
pub(super) fn say_verdict(verdict: &Verdict, theta: f64) -> String {
    if let Some(suppression) = verdict.suppressions.first() {
        return match suppression {
            Suppression::Mode(mode) => format!("Teams are left alone: {}.", mode.as_str()),
            Suppression::Ending { .. } => {
                "Teams are left alone: the round is nearly over.".to_owned()
            }
        };
    }
    let before = format!(
        "{}, {}",
        sizes(&verdict.before),
        odds(&verdict.before, theta)
    );
    if let Some(fill) = &verdict.fill {
        return format!("{}: {}.", sizes(&verdict.before), say_fill(fill));
    }
    let Some(reason) = verdict.reasons.first() else {
        return format!("{before}: balanced, nobody moves.");
    };
    let why = match reason {
        Reason::SizeDifference { .. } | Reason::SizePair { .. } => sizes(&verdict.before),
        Reason::PowerDifference { .. } | Reason::PowerRatio { .. } => {
            format!("{}, one team is too strong", sizes(&verdict.before))
        }
        Reason::WinProbability { .. } | Reason::Bots => before,
    };
    if verdict.moves.is_empty() {
        return format!("{why}: unbalanced, but no move would help, nobody moves.");
    }
    let action = say_moves(verdict);
    let (sizes, odds) = (sizes(&verdict.after), odds(&verdict.after, theta));
    format!("{why}: {action}, then {sizes}, {odds}.")
}

/// A placement in one sentence for chat or console: ASCII, at most 120 characters.
pub(super) fn say_placement(placement: &Placement, theta: f64) -> String {
    let on = |side: Side| {
        placement
            .placed
            .iter()
            .filter(|placed| placed.team == side)
            .count()
    };
    let join = match (on(Side::A), on(Side::B)) {
        (a, 0) => format!("{} team a", joins(a)),
        (0, b) => format!("{} team b", joins(b)),
        (a, b) => format!("{} team a and {b} team b", joins(a)),
    };
    let (sizes, odds) = (sizes(&placement.after), odds(&placement.after, theta));
    match &placement.fill {
        None => format!("{join}: {sizes}, {odds}."),
        Some(fill) => format!("{join}: {sizes}, {}.", say_fill(fill)),
    }
}

fn joins(count: usize) -> String {
    match count {
        1 => "1 joins".to_owned(),
        several => format!("{several} join"),
    }
}

fn say_moves(verdict: &Verdict) -> String {
    let of = |side: Side| {
        let single = verdict.moves.iter().filter(|one| one.with.is_none());
        single.filter(|one| one.from == side).count()
    };
    let swaps = verdict
        .moves
        .iter()
        .filter(|one| one.with.is_some())
        .count()
        / 2;
    let transfers = [(of(Side::A), 'b'), (of(Side::B), 'a')]
        .into_iter()
        .filter_map(|(count, to)| match count {
            0 => None,
            1 => Some(format!("1 player moves to team {to}")),
            several => Some(format!("{several} players move to team {to}")),
        });
    let swaps = match swaps {
        0 => None,
        1 => Some("1 pair changes places".to_owned()),
        several => Some(format!("{several} pairs change places")),
    };
    transfers.chain(swaps).collect::<Vec<_>>().join(", ")
}

fn say_fill(fill: &Fill) -> String {
    let bots = match (fill.bots_a, fill.bots_b) {
        (0, 0) => "no bots".to_owned(),
        (a, b) => format!("{a} bots for team a, {b} for team b"),
    };
    match &fill.advantage {
        None => format!("{bots}, both weigh the same"),
        Some(advantage) => {
            let team = match advantage.team {
                Side::A => 'a',
                Side::B => 'b',
            };
            format!(
                "{bots}, team {team} should be {:.2} times as strong",
                advantage.factor
            )
        }
    }
}

fn sizes(tally: &Tally) -> String {
    format!("{} v {}", tally.a.size, tally.b.size)
}

fn odds(tally: &Tally, theta: f64) -> String {
    say_odds(tally.a.rating.abs_diff(tally.b.rating), theta)
}

/// Hundredths of a percent in words.
fn percent(hundredths: u32) -> String {
    format!("{} %", f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{Bots, Match, Player, Power, Preset, balance, place};
    use crate::domain::{PlayerId, Rating};

    const THETA: f64 = 2400.0;

    fn team(first: u64, ratings: &[i32]) -> Vec<Player> {
        let numbered = (first..).zip(ratings);
        let players = numbered.map(|(number, points)| Player {
            weight: Power::new(f64::from(*points) / 100.0),
            ..Player::rated(
                PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap(),
                Rating::new(*points).unwrap(),
            )
        });
        players.collect()
    }

    fn said(preset: Preset, a: &[i32], b: &[i32], modes: &[&str]) -> String {
        let state = Match {
            team_a: team(1, a),
            team_b: team(50, b),
            modes: modes.iter().map(|mode| mode.parse().unwrap()).collect(),
            ..Match::default()
        };
        let said = say_verdict(&balance(&state, &preset.policy(), THETA).unwrap(), THETA);
        assert!(said.is_ascii() && said.len() <= 120, "{said}");
        said
    }

    #[test]
    fn a_verdict_is_said_in_plain_words() {
        let even = [1000; 6];
        for (preset, a, b, modes, expected) in [
            (
                Preset::SynElo,
                &even[..],
                &even[..3],
                &[][..],
                "6 v 3: 1 player moves to team b, then 5 v 4, odds of 60.3 % to 39.7 %.",
            ),
            (
                Preset::SynElo,
                &even[..2],
                &even[..6],
                &[],
                "2 v 6: 2 players move to team a, then 4 v 4, even odds.",
            ),
            (
                Preset::SynElo,
                &even[..5],
                &even[..4],
                &[],
                "5 v 4, odds of 60.3 % to 39.7 %: balanced, nobody moves.",
            ),
            (
                Preset::SynElo,
                &even,
                &[],
                &["tournament"],
                "Teams are left alone: tournament.",
            ),
            (
                Preset::Ns2,
                &[2000, 1500],
                &[1000, 500],
                &[],
                "2 v 2, odds of 69.7 % to 30.3 %: 1 pair changes places, then 2 v 2, even odds.",
            ),
            (
                Preset::Ns2,
                &[4000],
                &[1000],
                &[],
                "1 v 1, odds of 77.7 % to 22.3 %: unbalanced, but no move would help, nobody moves.",
            ),
            (
                Preset::SectorsEdgeWeights,
                &[1000, 1000, 1000],
                &[1000],
                &[],
                "3 v 1, one team is too strong: 1 player moves to team b, then 2 v 2, even odds.",
            ),
            (
                Preset::Ut2004,
                &[1000, 1000],
                &[500],
                &[],
                "2 v 1: 2 bots for team a, 3 for team b, team a should be 1.08 times as strong.",
            ),
        ] {
            assert_eq!(said(preset, a, b, modes), expected);
        }
    }

    #[test]
    fn a_placement_is_said_in_plain_words() {
        for (preset, joining, expected) in [
            (
                Preset::SynElo,
                &[900][..],
                "1 joins team b: 2 v 2, even odds (51.0 %).",
            ),
            (
                Preset::SynElo,
                &[900, 800, 700],
                "1 joins team a and 2 team b: 3 v 3, even odds.",
            ),
            (
                Preset::Ut2004,
                &[900],
                "1 joins team b: 2 v 2, 2 bots for team a, 2 for team b, team b should be 1.02 times as strong.",
            ),
        ] {
            let state = Match {
                team_a: team(1, &[1000, 1000]),
                team_b: team(50, &[1000]),
                bots: Bots::default(),
                ..Match::default()
            };
            let policy = preset.policy();
            let placement = place(&state, &team(90, joining), &policy, THETA).unwrap();
            let said = say_placement(&placement, THETA);
            assert!(said.is_ascii() && said.len() <= 120, "{said}");
            assert_eq!(said, expected);
        }
    }
}
