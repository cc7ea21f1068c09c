//! The documents' own examples, and players for the tests of this folder.

use super::*;
use crate::domain::{PlayerId, Rating, Side};

const THETA: f64 = 2400.0;

/// The player with account number `number`.
pub(super) fn player(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap()
}

/// Somebody of whom only the rating is known.
pub(super) fn rated(number: u64, points: i32) -> Player {
    Player::rated(player(number), Rating::new(points).unwrap())
}

/// Players with these ratings, numbered from `first`.
fn team(first: u64, ratings: &[i32]) -> Vec<Player> {
    (first..)
        .zip(ratings)
        .map(|(number, points)| rated(number, *points))
        .collect()
}

/// Players with these weights, numbered from `first`; the first so many are a party.
fn weighed(first: u64, friends: usize, weights: &[f64]) -> Vec<Player> {
    let numbered = (first..).zip(weights).enumerate();
    let players = numbered.map(|(place, (number, weight))| Player {
        weight: Power::new(*weight),
        party: (place < friends).then(|| "friends".parse().unwrap()),
        ..rated(number, 1000)
    });
    players.collect()
}

fn state(team_a: Vec<Player>, team_b: Vec<Player>) -> Match {
    Match {
        team_a,
        team_b,
        ..Match::default()
    }
}

fn judged(preset: Preset, team_a: Vec<Player>, team_b: Vec<Player>) -> Verdict {
    balance(&state(team_a, team_b), &preset.policy(), THETA).unwrap()
}

fn moved(verdict: &Verdict) -> Vec<PlayerId> {
    verdict.moves.iter().map(|one| one.id).collect()
}

mod synelo {
    use super::*;

    #[test]
    fn the_player_nearest_to_the_target_rating_moves() {
        // T = (4600 - 1800)/2 = 1400.
        let verdict = judged(
            Preset::SynElo,
            team(1, &[900, 1300, 1450, 950]),
            team(10, &[1000, 800]),
        );
        assert_eq!(moved(&verdict), [player(3)]);
        assert_eq!(verdict.moves[0].from, Side::A);
        assert_eq!(verdict.before.lead().points(), 2800.0);
        // Moving a rating r changes the difference by exactly 2 r.
        assert_eq!(verdict.after.lead().points(), 2800.0 - 2.0 * 1450.0);
        assert_eq!(verdict.moves[0].alone, verdict.after);
        // The next nearest are 1300, 950 and 900.
        let others: Vec<_> = verdict
            .runners_up
            .iter()
            .map(|other| other.moves[0].id)
            .collect();
        assert_eq!(others, [player(2)]);
    }

    /// As printed, T = |Σ_A - Σ_B|/2 = 600 would move the 550; the larger team is the weaker one, and
    /// loses least by its worst player.
    #[test]
    fn where_the_larger_team_is_the_weaker_its_worst_player_moves() {
        let verdict = judged(
            Preset::SynElo,
            team(1, &[500, 550, 400, 450]),
            team(10, &[1500, 1600]),
        );
        assert_eq!(moved(&verdict), [player(3)]);
        assert_eq!(verdict.after.lead().points(), -2000.0);
    }

    /// One by one, T = 2000 would take the 2000 first, and the second move would leave 800.
    #[test]
    fn several_moves_are_chosen_together() {
        let ratings = [2000, 1100, 900, 1600, 400];
        let verdict = judged(Preset::SynElo, team(1, &ratings), team(10, &[2000]));
        // Σ = 6000 v 2000: two moves worth 2000 together even it out exactly.
        assert_eq!(verdict.after.lead(), Power::ZERO);
        let mut ids = moved(&verdict);
        ids.sort_unstable();
        assert!(
            ids == [player(2), player(3)] || ids == [player(4), player(5)],
            "{ids:?}"
        );
        assert_eq!(verdict.after.size_difference(), 0);
    }

    #[test]
    fn sizes_that_differ_by_one_are_left_alone() {
        let verdict = judged(Preset::SynElo, team(1, &[3000, 3000]), team(10, &[100]));
        assert!(verdict.reasons.is_empty() && verdict.moves.is_empty());
    }

    #[test]
    fn the_odd_player_goes_where_the_sums_end_closer() {
        let preset = Preset::SynElo.policy();
        for (rating, expected) in [(500, Side::B), (3000, Side::B)] {
            let even = state(team(1, &[1500, 1200]), team(10, &[1300, 1000]));
            let placement = place(&even, &[rated(20, rating)], &preset).unwrap();
            assert_eq!(placement.placed[0].team, expected);
        }
        // With sizes of three to two there is no odd player: the smaller team has the place.
        let uneven = state(team(1, &[1000, 1000, 1000]), team(10, &[3000, 3000]));
        let placement = place(&uneven, &[rated(20, 1000)], &preset).unwrap();
        assert_eq!(placement.placed[0].team, Side::B);
        assert_eq!(placement.runners_up[0].team_a, [player(20)]);
    }
}

mod sectors_edge {
    use super::*;

    #[test]
    fn two_to_none_three_to_one_and_four_to_two_end_even() {
        for (larger, smaller) in [(2, 0), (3, 1), (4, 2)] {
            let ratings: Vec<i32> = (0..larger).map(|n| 1000 + 10 * n).collect();
            let verdict = judged(
                Preset::SectorsEdge,
                team(1, &ratings),
                team(10, &vec![900; smaller]),
            );
            assert_eq!(verdict.moves.len(), 1, "{larger} v {smaller}");
            assert_eq!(verdict.after.size_difference(), 0);
            assert!(matches!(verdict.reasons[0], Reason::SizePair { .. }));
        }
    }

    #[test]
    fn players_move_until_the_powers_differ_by_less_than_ten() {
        // Places 5 to 14; the six best against the four worst: 69 v 26.
        let a: Vec<i32> = (0..6).map(|n| 1500 + n).collect();
        let verdict = judged(
            Preset::SectorsEdge,
            team(1, &a),
            team(10, &[1000, 1001, 1002, 1003]),
        );
        assert_eq!(verdict.before.lead().points(), 69.0 - 26.0);
        assert!(matches!(
            verdict.reasons[..],
            [Reason::PowerDifference { .. }]
        ));
        // One move makes sizes even, which is enough; the best of them leaves 43 - 2 x 14.
        assert_eq!(moved(&verdict), [player(6)]);
        assert_eq!(verdict.after.lead().points(), 15.0);
        // With points told, the two best on the board stay.
        let a = a.iter().zip(1..).map(|(rating, number)| Player {
            points: Some(i32::try_from(number).unwrap()),
            ..rated(number, *rating)
        });
        let verdict = judged(
            Preset::SectorsEdge,
            a.collect(),
            team(10, &[1000, 1001, 1002, 1003]),
        );
        assert_eq!(moved(&verdict), [player(4)]);
        assert_eq!(
            verdict.ineligible,
            [(player(5), Ineligible::Best), (player(6), Ineligible::Best)]
        );
    }

    #[test]
    fn nobody_moves_where_that_would_tip_the_teams_over() {
        let verdict = judged(
            Preset::SectorsEdge,
            team(1, &[1900, 1901, 1902]),
            team(10, &[1000, 1001, 1002, 1003, 1004, 1005]),
        );
        // 36 v 45: balanced as it is, though sizes differ by three.
        assert!(verdict.reasons.is_empty(), "{verdict:?}");
    }
}

mod weights {
    use super::*;

    /// Three friends of 7, 6 and 5.5 weigh 18.5 x 1.2 = 22.2; the document says 22.5.
    #[test]
    fn the_normal_game_ends_with_29_to_29_but_for_the_documents_slip() {
        let preset = Preset::SectorsEdgeWeights.policy();
        let everybody = [
            7.0, 6.0, 5.5, 5.5, 5.0, 5.0, 5.0, 5.0, 3.0, 2.0, 2.0, 1.5, 0.5, 0.5, 0.5,
        ];
        let empty = Match::default();
        let placement = place(&empty, &weighed(1, 3, &everybody), &preset).unwrap();
        let mut sums = [
            placement.after.a.power.points(),
            placement.after.b.power.points(),
        ];
        sums.sort_by(f64::total_cmp);
        assert_eq!(sums, [28.7, 29.0]);
        let friends: Vec<Side> = placement.placed[..3]
            .iter()
            .map(|placed| placed.team)
            .collect();
        assert!(friends.iter().all(|team| *team == friends[0]));
    }

    #[test]
    fn the_latecomer_of_the_normal_game_joins_team_a() {
        // The teams as the document lists them.
        let a = weighed(1, 3, &[7.0, 6.0, 5.5, 3.0, 2.0, 0.5, 0.5, 0.5]);
        let b = weighed(20, 0, &[5.5, 5.0, 5.0, 5.0, 5.0, 2.0, 1.5]);
        let preset = Preset::SectorsEdgeWeights.policy();
        let teams = state(a, b);
        let verdict = balance(&teams, &preset, THETA).unwrap();
        assert!(verdict.reasons.is_empty());
        assert_eq!(verdict.before.a.power.points(), 28.7);
        assert_eq!(verdict.before.b.power.points(), 29.0);
        let placement = place(&teams, &weighed(40, 0, &[1.0]), &preset).unwrap();
        assert_eq!(placement.placed[0].team, Side::A);
    }

    #[test]
    fn the_superteam_of_three_stands_against_twelve() {
        let preset = Preset::SectorsEdgeWeights.policy();
        let everybody = [
            11.0, 11.0, 10.0, 5.0, 5.0, 5.0, 3.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0,
        ];
        let placement = place(&Match::default(), &weighed(1, 3, &everybody), &preset).unwrap();
        let friends = placement.placed[0].team;
        let of = |side: Side| *placement.after.team(side);
        assert_eq!((of(friends).size, of(friends).power.points()), (3, 38.4));
        assert_eq!(
            (of(friends.other()).size, of(friends.other()).power.points()),
            (12, 32.0)
        );
        let (super_team, others) = everybody.split_at(3);
        let teams = state(weighed(1, 3, super_team), weighed(10, 0, others));
        let latecomer = weighed(40, 0, &[2.0]);
        let placement = place(&teams, &latecomer, &preset).unwrap();
        assert_eq!(placement.placed[0].team, Side::B);
        // 38.4 is a fifth more than 32, and not more than a fifth.
        let verdict = balance(&teams, &preset, THETA).unwrap();
        assert!(verdict.reasons.is_empty(), "{:?}", verdict.reasons);
    }

    #[test]
    fn who_brings_the_weights_closest_moves_unless_in_a_party() {
        let a = weighed(1, 2, &[10.0, 10.0, 8.0, 6.0, 1.0]);
        let b = weighed(10, 0, &[9.0, 9.0]);
        // (20 x 1.15 + 15) - 18 = 20: the friends of 11.5 each would fit better than the 8.
        let verdict = judged(Preset::SectorsEdgeWeights, a, b);
        assert_eq!(moved(&verdict), [player(3)]);
        assert_eq!(verdict.after.lead().points(), 4.0);
    }
}

mod ns2 {
    use super::*;

    #[test]
    fn the_best_pair_changes_places() {
        let verdict = judged(
            Preset::Ns2,
            team(1, &[2000, 1800, 1500, 1000]),
            team(10, &[1200, 1100, 900, 800]),
        );
        // The lead of 2300 takes a pair whose ratings differ by 1150.
        assert_eq!(verdict.moves.len(), 2);
        assert_eq!(verdict.moves[0].with, Some(verdict.moves[1].id));
        assert_eq!(verdict.after.lead().points().abs(), 100.0);
        assert_eq!(verdict.after.size_difference(), 0);
        assert_eq!(verdict.moves[0].alone, verdict.after);
    }

    #[test]
    fn more_pairs_than_one_where_one_is_not_enough() {
        let verdict = judged(
            Preset::Ns2,
            team(1, &[3000, 3000, 3000]),
            team(10, &[1000, 1000, 1000]),
        );
        // Each pair takes 4000 off the lead of 6000.
        assert!(verdict.moves.is_empty() && !verdict.balanced_after);
        assert_eq!(verdict.runners_up[0].after.lead().points().abs(), 2000.0);
        let verdict = judged(
            Preset::Ns2,
            team(1, &[3000, 3000, 3000, 3000]),
            team(10, &[1000, 1000, 1000, 1000]),
        );
        assert_eq!(verdict.moves.len(), 4);
        assert_eq!(verdict.after.lead(), Power::ZERO);
    }
}

mod ut2004 {
    use super::*;

    const EXAMPLE: [f64; 17] = [
        5.0, 3.0, 2.0, 7.0, 23.0, 92.0, 93.0, 95.0, 27.0, 56.0, 28.0, 99.0, 1.0, 23.0, 83.0, 41.0,
        49.0,
    ];

    fn map(least: usize, most: usize) -> Bots {
        Bots {
            map_players: Some((least, most)),
            ..Bots::default()
        }
    }

    #[test]
    fn the_seventeen_players_of_the_example_stand_nine_to_eight_and_a_bot() {
        let empty = Match {
            bots: map(6, 12),
            ..Match::default()
        };
        let policy = Preset::Ut2004.policy();
        let placement = place(&empty, &weighed(1, 0, &EXAMPLE), &policy).unwrap();
        let after = placement.after;
        // The players weigh 727, the one bot 20: no nearer than 373 to 374.
        assert_eq!(after.a.size + after.a.bots, 9);
        assert_eq!(after.b.size + after.b.bots, 9);
        assert_eq!(after.a.bots + after.b.bots, 1);
        assert_eq!(after.total().points(), 747.0);
        assert_eq!(after.lead().abs().points(), 1.0);
        let advantage = placement.fill.unwrap().advantage.unwrap();
        assert_eq!(advantage.factor, 374.0 / 373.0);
        assert_eq!(advantage.team, after.stronger().other());
        assert!(placement.optimal);
    }

    #[test]
    fn bots_fill_up_and_nobody_moves() {
        let state = Match {
            bots: Bots { b: 2, ..map(6, 12) },
            ..state(weighed(1, 0, &[60.0, 40.0, 30.0]), weighed(10, 0, &[50.0]))
        };
        let verdict = balance(&state, &Preset::Ut2004.policy(), THETA).unwrap();
        assert_eq!(verdict.reasons, [Reason::Bots]);
        let fill = verdict.fill.unwrap();
        assert_eq!((fill.bots_a, fill.bots_b), (1, 3));
        // 130 + 20 against 50 + 60.
        assert_eq!(verdict.after.a.power.points(), 150.0);
        let advantage = fill.advantage.unwrap();
        assert_eq!((advantage.team, advantage.factor), (Side::B, 150.0 / 110.0));
        assert!(verdict.moves.is_empty() && verdict.balanced_after);
    }

    #[test]
    fn somebody_without_a_weight_counts_the_default() {
        let verdict = judged(Preset::Ut2004, team(1, &[1000]), team(10, &[2000]));
        assert_eq!(verdict.before.a.power.points(), 50.0);
        assert_eq!(verdict.before.lead(), Power::ZERO);
    }
}
