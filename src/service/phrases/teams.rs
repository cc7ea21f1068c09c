//! Sentences about the balance of matches of several teams: ASCII, at most 120 characters.

use super::balance::left_alone;
use super::clauses::points;
use super::{MAX_LENGTH, plural};
use crate::balance::{PlacedInTeam, TeamPlacement, TeamTallies, TeamVerdict};
use crate::domain::TeamLetter;

/// Describes the balance of a match of several teams, after the teams of newly placed players if the length allows it.
pub(crate) fn verdict(verdict: &TeamVerdict, placed: &[PlacedInTeam]) -> String {
    let sentence = judgement(verdict);
    let with_placed = format!("{}; {sentence}", join(placed));
    if placed.is_empty() || with_placed.len() > MAX_LENGTH {
        sentence
    } else {
        with_placed
    }
}

pub(crate) fn placement(found: &TeamPlacement) -> String {
    format!("{}: {}.", join(&found.placed), stand(&found.after))
}

fn judgement(verdict: &TeamVerdict) -> String {
    if let Some(suppression) = verdict.suppressions.first() {
        return left_alone(suppression);
    }
    let before = stand(&verdict.before);
    if let Some(fill) = &verdict.fill {
        let bots: Vec<String> = fill.bots.iter().map(ToString::to_string).collect();
        return format!("{}: {} bots.", sizes(&verdict.before), bots.join(", "));
    }
    let outcome = if verdict.reasons.is_empty() {
        "balanced, nobody moves".to_owned()
    } else if !verdict.moves.is_empty() {
        let moves = plural(
            verdict.moves.len(),
            "player changes teams",
            "players change teams",
        );
        let outcome = format!("{moves}, then {}", stand(&verdict.after));
        let sentence = format!("{}: {outcome}.", sizes(&verdict.before));
        return if sentence.len() > MAX_LENGTH {
            format!("{outcome}.")
        } else {
            sentence
        };
    } else if !verdict.optimal {
        "no move was found that helps enough, so nobody moves".to_owned()
    } else if verdict.runners_up.is_empty() {
        "unbalanced, but no move would help, so nobody moves".to_owned()
    } else {
        "no allowed move is enough, so nobody moves".to_owned()
    };
    format!("{before}: {outcome}.")
}

fn join(placed: &[PlacedInTeam]) -> String {
    let mut counts = [0_usize; crate::balance::MAX_TEAMS];
    for one in placed {
        counts[one.team] += 1;
    }
    let teams: Vec<String> = (0..)
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(team, count)| format!("{} {count}", TeamLetter::at(team)))
        .collect();
    format!(
        "{} ({})",
        plural(placed.len(), "joins", "join"),
        teams.join(", ")
    )
}

fn stand(tallies: &TeamTallies) -> String {
    format!("{}, gap {}", sizes(tallies), points(tallies.gap()))
}

fn sizes(tallies: &TeamTallies) -> String {
    let sizes: Vec<String> = tallies.0.iter().map(|team| team.size.to_string()).collect();
    sizes.join(" v ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{Player, Policies, TeamMatch, balance_teams, place_in_teams};
    use crate::domain::{PlayerId, Rating};

    const THETA: f64 = 2400.0;

    fn players(first: u64, count: usize, rating: i32) -> Vec<Player> {
        let numbers = (first..).take(count);
        let players = numbers.map(|number| {
            Player::rated(
                PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap(),
                Rating::new(rating).unwrap(),
            )
        });
        players.collect()
    }

    fn of(sizes: &[usize], ratings: &[i32]) -> TeamMatch {
        let teams = (0_u64..).zip(sizes.iter().zip(ratings));
        TeamMatch {
            teams: teams
                .map(|(team, (size, rating))| players(1 + 100 * team, *size, *rating))
                .collect(),
            ..TeamMatch::default()
        }
    }

    fn said(policy: &str, state: &TeamMatch, joining: &[Player]) -> (String, String) {
        let policies = Policies::built_in().unwrap();
        let policy = policies.named(&policy.parse().unwrap()).unwrap();
        let placed = place_in_teams(state, joining, policy, THETA).unwrap();
        let found = balance_teams(state, policy, THETA).unwrap();
        let sentences = (verdict(&found, &[]), placement(&placed));
        for sentence in [&sentences.0, &sentences.1, &verdict(&found, &placed.placed)] {
            assert!(sentence.is_ascii() && sentence.len() <= 120, "{sentence}");
        }
        sentences
    }

    #[test]
    fn what_becomes_of_teams_is_put_in_plain_words() {
        let joining = players(900, 3, 1000);
        let even = [1000; 3];
        let (verdict, placement) = said("synelo", &of(&[5, 3, 3], &even), &joining);
        assert_eq!(
            verdict,
            "5 v 3 v 3: 1 player changes teams, then 4 v 4 v 3, gap 1000."
        );
        assert_eq!(placement, "3 join (b 2, c 1): 5 v 5 v 4, gap 1000.");
        let (verdict, _) = said("synelo", &of(&[4, 4, 3], &even), &joining);
        assert_eq!(verdict, "4 v 4 v 3, gap 1000: balanced, nobody moves.");
        let (verdict, _) = said("ns2", &of(&[2, 2, 2], &[3000, 3000, 100]), &joining);
        assert_eq!(
            verdict,
            "2 v 2 v 2, gap 5800: no allowed move is enough, so nobody moves."
        );
        let (verdict, placement) = said("ut2004", &of(&[2, 1, 1], &even), &joining);
        assert_eq!(verdict, "2 v 1 v 1: 1, 2, 2 bots.");
        assert_eq!(placement, "3 join (a 1, b 1, c 1): 3 v 2 v 2, gap 30.");
    }

    #[test]
    fn the_largest_match_fits_into_the_sentence() {
        let state = of(&[64, 9, 9, 9, 9, 9, 9, 10], &[9999; 8]);
        said("synelo", &state, &players(900, 64, 1));
        said("ut2004", &state, &players(900, 64, 1));
    }
}
