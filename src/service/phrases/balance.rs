use super::clauses::{favourite, figure};
use super::{MAX_LENGTH, plural};
use crate::balance::{Fill, Placed, Placement, Policy, Power, Reason, Suppression, Tally, Verdict};
use crate::domain::{PolicyName, Side};

/// Largest share of the stronger team at which a policy that checks only team sizes calls the teams balanced. The
/// share, from 0.5 to 1, is the win probability or the team's part of both teams' power.
const CLOSE: f64 = 0.6;

/// Describes the balance of a match in one sentence for chat, like [`verdict`]. Begins with the teams that the joining
/// players in `placed` got, if the sentence then has at most 120 characters.
pub(crate) fn placed_verdict(
    placed: &[Placed],
    found: &Verdict,
    name: &PolicyName,
    policy: &Policy,
    theta: f64,
) -> String {
    let sentence = verdict(found, name, policy, theta);
    let with_placed = format!("{}; {sentence}", join(placed));
    if placed.is_empty() || with_placed.len() > MAX_LENGTH {
        sentence
    } else {
        with_placed
    }
}

/// Describes the balance of a match by the policy `name` in one sentence for chat: ASCII, at most 120 characters.
pub(crate) fn verdict(verdict: &Verdict, name: &PolicyName, policy: &Policy, theta: f64) -> String {
    if let Some(suppression) = verdict.suppressions.first() {
        return left_alone(suppression);
    }
    let sizes_before = sizes(&verdict.before);
    if let Some(filled) = &verdict.fill {
        if filled.without_teams {
            let players = verdict.before.a.size + verdict.before.b.size;
            let players = plural(players, "player", "players");
            let bots = plural(filled.bots_a + filled.bots_b, "bot", "bots");
            return format!("{players}, no teams: {bots}.");
        }
        return format!("{sizes_before}: {}.", fill(filled, &verdict.after));
    }
    let reason = verdict.reasons.first();
    let describe =
        |tally: &Tally| format!("{}, {}", sizes(tally), figure(tally, reason, policy, theta));
    let (a, b) = (verdict.before.a.size, verdict.before.b.size);
    let outcome = match reason {
        None if !policy.trigger.looks_beyond_sizes(a, b)
            && favourite(&verdict.before, policy, theta) > CLOSE =>
        {
            let before = describe(&verdict.before);
            return by_sizes_alone(&before, a.abs_diff(b), name);
        }
        None => "balanced, nobody moves".to_owned(),
        Some(_) if verdict.moves.is_empty() => nothing_done(verdict, describe),
        Some(_) => format!("{}, then {}", moves(verdict), describe(&verdict.after)),
    };
    let before = match reason {
        Some(Reason::SizeDifference { .. } | Reason::SizePair { .. }) => sizes_before.clone(),
        _ => describe(&verdict.before),
    };
    let sentence = format!("{before}: {outcome}.");
    if sentence.len() <= MAX_LENGTH {
        sentence
    } else {
        format!("{sizes_before}: {outcome}.")
    }
}

/// Describes in a sentence why a balance policy leaves the teams of a match alone.
pub(super) fn left_alone(suppression: &Suppression) -> String {
    let why = match suppression {
        // Chat shows only ASCII characters.
        Suppression::Mode(mode) if mode.as_str().is_ascii() => {
            format!("in the mode {}", mode.as_str())
        }
        Suppression::Mode(_) => "in this mode".to_owned(),
        Suppression::Ending { .. } => "because the round is nearly over".to_owned(),
    };
    format!("Teams are left alone {why}.")
}

/// Explains why nobody moves although one team is much stronger. `differ` is the difference of sizes, in players.
fn by_sizes_alone(before: &str, differ: usize, name: &PolicyName) -> String {
    let sizes = match differ {
        0 => "sizes are even".to_owned(),
        by => format!("sizes differ by {by}"),
    };
    let sentence =
        |policy: &str| format!("{before}: {sizes}, and {policy} checks only sizes; nobody moves.");
    let named = sentence(&format!("the policy {name}"));
    if named.len() <= MAX_LENGTH {
        named
    } else {
        sentence("the policy")
    }
}

/// Explains in a clause why nobody moves although the teams are unbalanced.
fn nothing_done(verdict: &Verdict, describe: impl Fn(&Tally) -> String) -> String {
    let closest = verdict
        .runners_up
        .first()
        .map(|other| format!(" (closest: {})", describe(&other.after)));
    match (verdict.optimal, closest) {
        (true, None) => "unbalanced, but no move would help, so nobody moves".to_owned(),
        (true, Some(closest)) => format!("no allowed move is enough{closest}, so nobody moves"),
        (false, closest) => format!(
            "no move was found that helps enough{}, so nobody moves",
            closest.unwrap_or_default()
        ),
    }
}

/// Describes the placement of joining players in one sentence for chat or console: ASCII, at most 120 characters.
pub(crate) fn placement(placement: &Placement, policy: &Policy, theta: f64) -> String {
    let join = join(&placement.placed);
    let after = &placement.after;
    let figures = match &placement.fill {
        None => figure(after, None, policy, theta),
        Some(filled) => fill(filled, after),
    };
    format!("{join}: {}, {figures}.", sizes(after))
}

/// Counts the joining players per team, such as "2 join team a and 1 team b".
fn join(placed: &[Placed]) -> String {
    let on = |side: Side| placed.iter().filter(|placed| placed.team == side).count();
    let join = |count| plural(count, "joins", "join");
    match (on(Side::A), on(Side::B)) {
        (a, 0) => format!("{} team a", join(a)),
        (0, b) => format!("{} team b", join(b)),
        (a, b) => format!("{} team a and {b} team b", join(a)),
    }
}

fn moves(verdict: &Verdict) -> String {
    let from = |side: Side| {
        let single = verdict.moves.iter().filter(|one| one.with.is_none());
        single.filter(|one| one.from == side).count()
    };
    let swapped = verdict.moves.iter().filter(|one| one.with.is_some());
    let clauses = [
        (
            from(Side::A),
            "player moves to team b",
            "players move to team b",
        ),
        (
            from(Side::B),
            "player moves to team a",
            "players move to team a",
        ),
        (
            swapped.count() / 2,
            "pair changes places",
            "pairs change places",
        ),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, several)| plural(count, one, several));
    clauses.collect::<Vec<_>>().join(", ")
}

fn fill(fill: &Fill, after: &Tally) -> String {
    let bots = match (fill.bots_a, fill.bots_b) {
        (0, 0) => "no bots".to_owned(),
        (a, b) => format!("{} for team a, {b} for team b", plural(a, "bot", "bots")),
    };
    let advantage = match &fill.advantage {
        None if after.lead() == Power::ZERO => "both weigh the same".to_owned(),
        None if after.lead() > Power::ZERO => "all weights of team b are 0".to_owned(),
        None => "all weights of team a are 0".to_owned(),
        Some(advantage) if advantage.factor < 1.005 => "both weigh about the same".to_owned(),
        Some(advantage) => {
            let stronger = match advantage.team {
                Side::A => 'b',
                Side::B => 'a',
            };
            format!("team {stronger} is {:.2} times as strong", advantage.factor)
        }
    };
    format!("{bots}, {advantage}")
}

fn sizes(tally: &Tally) -> String {
    format!("{} v {}", tally.a.size, tally.b.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{Act, Match, Player, Policies, balance, place};
    use crate::domain::{PlayerId, Rating};

    const THETA: f64 = 2400.0;

    fn built_in(name: &str) -> Policy {
        Policies::built_in()
            .unwrap()
            .named(&name.parse().unwrap())
            .unwrap()
            .clone()
    }

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

    fn match_of(a: &[i32], b: &[i32], modes: &[&str]) -> Match {
        Match {
            team_a: team(1, a),
            team_b: team(50, b),
            modes: modes.iter().map(|mode| mode.parse().unwrap()).collect(),
            ..Match::default()
        }
    }

    fn checked(sentence: String) -> String {
        assert!(sentence.is_ascii() && sentence.len() <= 120, "{sentence}");
        sentence
    }

    fn verdict_by(name: &str, state: &Match, policy: &Policy) -> String {
        let found = balance(state, policy, THETA).unwrap();
        checked(verdict(&found, &name.parse().unwrap(), policy, THETA))
    }

    #[test]
    fn a_verdict_is_put_in_plain_words() {
        let sentence = |policy, a: &[i32], b: &[i32], modes: &[&str]| {
            verdict_by(policy, &match_of(a, b, modes), &built_in(policy))
        };
        let even = [1000; 6];
        assert_eq!(
            sentence("synelo", &even[..2], &even, &[]),
            "2 v 6: 2 players move to team a, then 4 v 4, even odds."
        );
        assert_eq!(
            sentence("synelo", &even[..5], &even[..4], &[]),
            "5 v 4, odds of 60.3 % to 39.7 %: sizes differ by 1, and the policy synelo checks only \
             sizes; nobody moves."
        );
        assert_eq!(
            sentence("synelo", &[1500, 1000], &[1000, 1000], &[]),
            "2 v 2, odds of 55.2 % to 44.8 %: balanced, nobody moves."
        );
        assert_eq!(
            sentence("synelo", &even, &[], &["tournament"]),
            "Teams are left alone in the mode tournament."
        );
        assert_eq!(
            sentence("ns2", &[2000, 1500], &[1000, 500], &[]),
            "2 v 2, odds of 69.7 % to 30.3 %: 1 pair changes places, then 2 v 2, even odds."
        );
        assert_eq!(
            sentence("ns2", &[4000], &[1000], &[]),
            "1 v 1, odds of 77.7 % to 22.3 %: unbalanced, but no move would help, so nobody moves."
        );
        assert_eq!(
            sentence("ns2", &[3000; 3], &[1000; 3], &[]),
            "3 v 3, odds of 92.4 % to 7.6 %: no allowed move is enough \
             (closest: 3 v 3, odds of 69.7 % to 30.3 %), so nobody moves."
        );
        assert_eq!(
            sentence("sectors-edge-weights", &[1000; 3], &[1000], &[]),
            "3 v 1, power 30 to 10: 1 player moves to team b, then 2 v 2, power 20 to 20."
        );
        assert_eq!(
            sentence("sectors-edge", &[1000, 1001, 1002], &[1003], &[]),
            "3 v 1: 1 player moves to team b, then 2 v 2, power 13 to 13."
        );
        assert_eq!(
            sentence("ut2004", &[1000], &[996], &[]),
            "1 v 1: 3 bots for team a, 3 for team b, both weigh about the same."
        );
        assert_eq!(
            sentence("ut2004", &[1000, 1000], &[500], &["ffa"]),
            "3 players, no teams: 5 bots."
        );
        assert_eq!(
            sentence("ut2004", &[1000, 1000], &[500], &[]),
            "2 v 1: 2 bots for team a, 3 for team b, team b is 1.08 times as strong."
        );
    }

    #[test]
    fn what_is_not_proven_is_not_called_impossible() {
        let policy = built_in("ns2");
        let found = Verdict {
            optimal: false,
            ..balance(&match_of(&[4000], &[1000], &[]), &policy, THETA).unwrap()
        };
        assert_eq!(
            verdict(&found, &"ns2".parse().unwrap(), &policy, THETA),
            "1 v 1, odds of 77.7 % to 22.3 %: no move was found that helps enough, so nobody moves."
        );
    }

    #[test]
    fn a_policy_that_looks_at_sizes_alone_calls_no_team_balanced_that_is_far_stronger() {
        let strong = match_of(&[3000; 4], &[1000; 4], &[]);
        let says = "checks only sizes; nobody moves.";
        assert_eq!(
            verdict_by("synelo", &strong, &built_in("synelo")),
            format!("4 v 4, odds of 96.6 % to 3.4 %: sizes are even, and the policy synelo {says}")
        );
        let ranked = verdict_by("sectors-edge", &strong, &built_in("sectors-edge"));
        let ending = format!("power 42 to 26: sizes are even, and the policy sectors-edge {says}");
        assert!(ranked.ends_with(&ending), "{ranked}");
        let crowd = match_of(&[10_000; 64], &[100; 64], &[]);
        let sentence = verdict_by(&"x".repeat(64), &crowd, &built_in("synelo"));
        assert!(
            sentence.ends_with(&format!("and the policy {says}")),
            "{sentence}"
        );
    }

    #[test]
    fn the_heaviest_teams_fit_into_the_sentence() {
        let heavy = |first: u64, count: usize, weight: f64| -> Vec<Player> {
            let players = team(first, &vec![1000; count]).into_iter();
            let weight = Power::new(weight);
            players.map(|player| Player { weight, ..player }).collect()
        };
        let mut policy = built_in("sectors-edge-weights");
        policy.trigger.size_difference = Some(2);
        policy.trigger.even_sizes_suffice = false;
        policy.act = Act::Swap;
        for (a, b) in [(64, 64), (64, 62), (64, 0)] {
            let state = Match {
                team_a: heavy(1, a, 1_000_000.0),
                team_b: heavy(100, b, 400_000.0),
                ..Match::default()
            };
            let sentence = verdict_by("house", &state, &policy);
            assert!(sentence.contains("power"), "{sentence}");
        }
    }

    #[test]
    fn one_bot_is_singular() {
        let one = Fill {
            bots_a: 1,
            bots_b: 2,
            bot_weight: Power::ZERO,
            advantage: None,
            without_teams: false,
        };
        let sentence = fill(&one, &Tally::default());
        assert_eq!(
            sentence,
            "1 bot for team a, 2 for team b, both weigh the same"
        );
    }

    #[test]
    fn a_placement_is_put_in_plain_words() {
        let state = match_of(&[1000, 1000], &[1000], &[]);
        for (policy, expected) in [
            ("synelo", "even odds (51.0 %)."),
            ("sectors-edge-weights", "power 20 to 19."),
            (
                "ut2004",
                "2 bots for team a, 2 for team b, team a is 1.02 times as strong.",
            ),
        ] {
            let policy = built_in(policy);
            let placed = place(&state, &team(90, &[900]), &policy, THETA).unwrap();
            let sentence = checked(placement(&placed, &policy, THETA));
            assert_eq!(sentence, format!("1 joins team b: 2 v 2, {expected}"));
        }
    }
}
