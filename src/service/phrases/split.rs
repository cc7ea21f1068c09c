use std::iter::{once, repeat};

use super::clauses::{
    kept_parties, larger_team, missing_roles, moves, shared_newcomers, some, split_parties,
};
use super::odds::{Excess, excess, odds_for};
use super::{MAX_LENGTH, plural};
use crate::api::TeamSize;
use crate::domain::Probability;
use crate::partition::Split;

/// Explains in one sentence for chat or console why `players` players cannot form two teams of the requested `sizes`.
pub(crate) fn no_split(players: usize, sizes: Option<&[TeamSize]>) -> String {
    let smallest = sizes.and_then(|sizes| sizes.iter().min());
    let size = smallest.map_or(2, |size| size.count());
    let here = match players {
        0 => "nobody is here".to_owned(),
        players => plural(players, "player is here", "players are here"),
    };
    format!(
        "no teams: {here}, and two teams of {size} need {}.",
        2 * size
    )
}

/// Describes a split whose teams were drawn at random, with the win probability of team a.
pub(crate) fn probe_drawn(for_a: Probability) -> String {
    let odds = odds_for(for_a);
    format!("teams drawn at random, to test the odds: {odds}.")
}

/// Describes a split in one sentence for chat or console, ASCII, at most 120 characters: the sizes, the waiting
/// players, the odds, and the outcome of the wishes, good news first. `for_a` is the win probability of team a. `cause`
/// explains a difference above the minimum, whose effect on the odds depends on Θ = `theta`.
///
/// Wishes not made and fulfilled wishes to keep pairs apart are left out. If the sentence is too long, the good news is
/// dropped first, then the least important bad news.
pub(crate) fn split(split: &Split, cause: Excess, for_a: Probability, theta: f64) -> String {
    let outcome = &split.outcome;
    let best = outcome.best_difference;
    let good = [shared_newcomers(split), moves(split), kept_parties(split)];
    let bad = [
        some(
            &outcome.benched,
            "who must play waits",
            "who must play wait",
        ),
        some(
            &outcome.drafted,
            "who must wait plays",
            "who must wait play",
        ),
        split_parties(split),
        best.and_then(|best| excess(cause, best, split.difference, theta)),
        some(
            &outcome.together,
            "pair that should be apart shares a team",
            "pairs that should be apart share a team",
        ),
        missing_roles(split),
        outcome
            .repeats
            .then(|| "these teams are a repeat".to_owned()),
    ];
    let mut good: Vec<String> = good.into_iter().flatten().collect();
    let mut bad: Vec<String> = bad.into_iter().flatten().collect();
    let start = format!("{}: {}", teams(split), odds_for(for_a));
    loop {
        let sentence = sentence(&start, &good, &bad);
        if sentence.len() <= MAX_LENGTH || good.len() + bad.len() == 0 {
            return sentence;
        }
        // The first of the good news and the last of the bad news matter least.
        if good.is_empty() {
            bad.pop();
        } else {
            good.remove(0);
        }
    }
}

fn sentence(start: &str, good: &[String], bad: &[String]) -> String {
    let mut sentence = start.to_owned();
    for news in good {
        sentence.extend([", ", news]);
    }
    for (separator, news) in once("; ").chain(repeat(", ")).zip(bad) {
        sentence.extend([separator, news]);
    }
    sentence + "."
}

fn teams(split: &Split) -> String {
    let teams = format!("{} v {}", split.size, larger_team(split));
    match split.waiting.len() {
        0 => teams,
        waiting => format!("{teams}, {}", plural(waiting, "waits", "wait")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{PlayerId, Rating, SplitMethod};
    use crate::partition::{Candidate, MissingRole, Outcome, SharedNewcomers};

    const THETA: f64 = 2400.0;

    fn sentence_on(split: &Split, cause: Excess, theta: f64) -> String {
        let for_a = crate::rating::win_probability(split.sum_a, split.sum_b, theta);
        super::split(split, cause, for_a, theta)
    }

    fn id(account: usize) -> PlayerId {
        format!("[U:1:{}]", account + 1).parse().unwrap()
    }

    fn ids(count: usize) -> Vec<PlayerId> {
        (0..count).map(id).collect()
    }

    fn parties(count: usize, members: usize) -> Vec<Vec<PlayerId>> {
        vec![ids(members); count]
    }

    fn split(size: usize, waiting: usize, difference: u32, outcome: Outcome) -> Split {
        let player = |account| Candidate {
            id: id(account),
            rating: Rating::new(1000).unwrap(),
        };
        Split {
            size,
            a: (0..size).map(player).collect(),
            b: (0..size).map(player).collect(),
            waiting: (0..waiting).map(player).collect(),
            sum_a: 0,
            sum_b: i64::from(difference),
            difference: u64::from(difference),
            method: SplitMethod::Exact,
            optimal: true,
            outcome,
        }
    }

    /// Returns the sentence on a split for a request with wishes that can raise the difference between the teams.
    fn sentence(size: usize, waiting: usize, difference: u32, outcome: Outcome) -> String {
        let split = split(size, waiting, difference, outcome);
        sentence_on(&split, Excess::Wishes, THETA)
    }

    fn news(outcome: Outcome) -> String {
        let sentence = sentence(12, 0, 0, outcome);
        let news = sentence.strip_prefix("12 v 12: even odds");
        news.unwrap().to_owned()
    }

    #[test]
    fn without_wishes_it_is_the_size_and_the_odds() {
        for (size, waiting, difference, expected) in [
            (12, 0, 0, "12 v 12: even odds."),
            (2, 1, 60, "2 v 2, 1 waits: even odds (50.6 %)."),
            (11, 2, 2400, "11 v 11, 2 wait: odds of 73.1 % to 26.9 %."),
        ] {
            let sentence = sentence(size, waiting, difference, Outcome::default());
            assert_eq!(sentence, expected);
        }
    }

    #[test]
    fn of_uneven_teams_the_smaller_is_named_first() {
        let outcome = Outcome {
            split_parties: parties(1, 9),
            ..Outcome::default()
        };
        let mut uneven = split(8, 0, 0, outcome);
        uneven.a.push(uneven.b[0]);
        for larger in ["a", "b"] {
            let sentence = sentence_on(&uneven, Excess::Unasked, THETA);
            let expected = "8 v 9: even odds; the party is split.";
            assert_eq!(sentence, expected, "{larger}");
            std::mem::swap(&mut uneven.a, &mut uneven.b);
        }
    }

    #[test]
    fn parties_are_named_as_a_whole() {
        for (kept, broken, members, expected) in [
            (1, 0, 2, ", the party together."),
            (2, 0, 2, ", both parties together."),
            (5, 0, 2, ", all 5 parties together."),
            (0, 1, 2, "; the party is split."),
            (1, 1, 2, "; one of two parties is split."),
            (2, 1, 2, "; 1 of 3 parties is split."),
            (0, 2, 2, "; both parties are split."),
            (0, 3, 2, "; all 3 parties are split."),
            (2, 3, 2, "; 3 of 5 parties are split."),
            (0, 1, 12, "; the party is split."),
            (0, 1, 13, "; the party is too large for a team."),
            (1, 2, 13, "; 2 of 3 parties are too large for a team."),
        ] {
            let outcome = Outcome {
                kept_parties: parties(kept, 2),
                split_parties: parties(broken, members),
                ..Outcome::default()
            };
            assert_eq!(news(outcome), expected);
        }
        let mixed = Outcome {
            split_parties: [parties(1, 13), parties(1, 2)].concat(),
            ..Outcome::default()
        };
        assert_eq!(news(mixed), "; both parties are split.");
    }

    fn pairs(count: usize) -> Vec<[PlayerId; 2]> {
        vec![[id(1), id(2)]; count]
    }

    #[test]
    fn moves_pairs_and_repeats_are_named() {
        let pairs_and_a_repeat =
            "; 2 pairs that should be apart share a team, these teams are a repeat.";
        for (moves, together, repeats, expected) in [
            (Some(1), 0, false, ", 1 player changes teams."),
            (Some(3), 0, false, ", 3 players change teams."),
            (None, 2, true, pairs_and_a_repeat),
        ] {
            let outcome = Outcome {
                moves,
                together: pairs(together),
                repeats,
                ..Outcome::default()
            };
            assert_eq!(news(outcome), expected);
        }
    }

    #[test]
    fn what_needs_no_doing_gives_way_first_and_broken_promises_last() {
        let outcome = Outcome {
            moves: Some(12),
            kept_parties: parties(2, 2),
            benched: ids(10),
            drafted: ids(10),
            together: pairs(10),
            ..Outcome::default()
        };
        assert_eq!(
            sentence(11, 10, 2400, outcome),
            "11 v 11, 10 wait: odds of 73.1 % to 26.9 %; 10 who must play wait, 10 who must wait \
             play."
        );
    }

    proptest! {
        #[test]
        fn it_always_fits_and_is_plain(
            (size, waiting, difference, best) in (2..=64_usize, 0..=124_usize, 0..100_000_u32, proptest::option::of(0..100_000_u64)),
            cause in prop::sample::select(vec![Excess::Unasked, Excess::Wishes, Excess::Newcomers, Excess::Alternative]),
            moves in proptest::option::of(0..=64_usize),
            (kept, broken, members) in (0..=64_usize, 0..=64_usize, 2..=64_usize),
            (benched, drafted, together) in (0..=128_usize, 0..=128_usize, 0..=64_usize),
            (roles, lacking) in (0..=8_usize, 1..=16_usize),
            newcomers in proptest::option::of((0..=64_usize, 0..=64_usize)),
            repeats: bool,
        ) {
            let role = MissingRole { name: "m".repeat(32), missing: lacking };
            let outcome = Outcome {
                best_difference: best,
                moves,
                kept_parties: parties(kept, 2),
                split_parties: parties(broken, members),
                together: pairs(together),
                missing_roles: vec![role.clone(); roles],
                newcomers: newcomers.map(|(a, b)| SharedNewcomers { a, b, cost: None }),
                benched: ids(benched),
                drafted: ids(drafted),
                repeats,
                ..Outcome::default()
            };
            let sentence = sentence_on(&split(size, waiting, difference, outcome), cause, THETA);
            prop_assert!(sentence.len() <= MAX_LENGTH && sentence.is_ascii(), "{}", sentence);
            let start = format!("{size} v {size}");
            prop_assert!(sentence.starts_with(&start) && sentence.ends_with('.'));
            prop_assert_eq!(sentence.contains("who must play"), benched > 0, "{}", sentence);
        }
    }
}
