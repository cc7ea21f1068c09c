use super::*;
use crate::domain::Probability;
use crate::random::Dice;
use crate::rating::samples::{id, watched};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Simulated habit: players 0, 1 and 2 always share a team.
    Friends,
    /// Simulated habit: player 0 leaves lost rounds early.
    Leaver,
    /// Simulated habit: player 0 is new and 700 points better than others.
    Smurf,
}

const PLAYERS: u32 = 60;
const THETA: f64 = 1200.0;

fn skill(number: u32, fault: Fault) -> f64 {
    if number == 0 && fault == Fault::Smurf {
        return 700.0;
    }
    200.0 * Dice(900 + u64::from(number)).normal()
}

/// Returns 12 random players of 60, each with a team, 6 a side.
fn teams(fault: Fault, dice: &mut Dice) -> Vec<(u32, Side)> {
    let mut lobby: Vec<u32> = (0..PLAYERS).collect();
    for place in 0..12 {
        let from = place + dice.below(PLAYERS - place);
        lobby.swap(place as usize, from as usize);
    }
    if fault == Fault::Friends && dice.below(2) == 0 {
        // The friends come together, on the seats of team a.
        lobby.retain(|player| *player > 2);
        lobby.splice(0..0, [0, 1, 2]);
    } else if fault == Fault::Friends {
        lobby.retain(|player| *player > 2);
    }
    let side = |seat: usize| if seat < 6 { Side::A } else { Side::B };
    let seats = lobby.into_iter().take(12).enumerate();
    seats.map(|(seat, player)| (player, side(seat))).collect()
}

fn round(fault: Fault, played: &mut [u32], dice: &mut Dice) -> WatchedRound {
    let teams = teams(fault, dice);
    let sum = |of: Side| -> f64 {
        let members = teams.iter().filter(|(_, side)| *side == of);
        members.map(|(player, _)| skill(*player, fault)).sum()
    };
    let odds = 1.0 / (1.0 + libm::exp(-(sum(Side::A) - sum(Side::B)) / THETA));
    let score = if dice.roll() < odds {
        Score::WIN
    } else {
        Score::LOSS
    };
    let points: Vec<f64> = teams
        .iter()
        .map(|(player, _)| skill(*player, fault) + 250.0 * dice.normal())
        .collect();
    let players = teams.iter().zip(&points).map(|((player, side), own)| {
        let lost = (score == Score::LOSS) == (*side == Side::A);
        let leaves = fault == Fault::Leaver && *player == 0 && lost;
        let lower = points.iter().filter(|points| *points < own).count();
        played[*player as usize] += 1;
        WatchedPlayer {
            id: id(u64::from(*player)),
            side: *side,
            at_start: true,
            presence: Some(if leaves || dice.below(20) == 0 {
                0.5
            } else {
                1.0
            }),
            standing: Some(number(lower as u64) / 11.0),
            rounds: played[*player as usize] - 1,
        }
    });
    WatchedRound {
        players: players.collect(),
        ..watched(Probability::HALF, score)
    }
}

/// Simulates rounds, and returns the habits reported at the end. Also returns the number of rounds that player 0 had
/// played at the first report.
fn play(fault: Fault, rounds: u32, seed: u64) -> (Vec<NamedHabit>, Option<u32>) {
    let mut dice = Dice(seed);
    let mut people = People::default();
    let mut played = [0; PLAYERS as usize];
    // All others are known already.
    played[1..].fill(NEW);
    if fault != Fault::Smurf {
        played[0] = NEW;
    }
    let mut first = None;
    for _ in 0..rounds {
        people.add(&round(fault, &mut played, &mut dice));
        if first.is_none() && !people.named().is_empty() {
            first = Some(played[0]);
        }
    }
    (people.named(), first)
}

#[test]
fn nobody_is_named_in_forty_pools_without_a_habit() {
    for seed in 0..40 {
        let (named, first) = play(Fault::None, 2000, 5_000 + seed);
        assert_eq!((named, first), (Vec::new(), None), "seed {seed}");
    }
}

#[test]
fn a_new_pool_names_none_of_its_best_players() {
    for seed in 0..10 {
        let mut people = People::default();
        let mut played = [0; PLAYERS as usize];
        let mut dice = Dice(6_000 + seed);
        for _ in 0..1500 {
            people.add(&round(Fault::None, &mut played, &mut dice));
        }
        assert_eq!(people.named(), [], "seed {seed}");
    }
}

#[test]
fn each_habit_is_named_within_the_rounds_that_the_documentation_states() {
    for (fault, habit, players, within) in [
        (Fault::Friends, Habit::ShareTeam, vec![0, 1, 2], 60),
        (Fault::Leaver, Habit::LeaveWhenLosing, vec![0], 40),
        (Fault::Smurf, Habit::AboveRating, vec![0], 100),
    ] {
        for seed in 0..10 {
            let rounds = if fault == Fault::Friends { 200 } else { 600 };
            let (named, first) = play(fault, rounds, 7_000 + seed);
            let expected: Vec<PlayerId> = players.iter().map(|number| id(*number)).collect();
            let found = named.iter().find(|one| one.habit == habit);
            assert_eq!(found.map(|one| &one.players), Some(&expected), "{named:?}");
            let known = if fault == Fault::Smurf { 0 } else { NEW };
            let rounds = first.map(|first| first - known);
            assert!(
                rounds.is_some_and(|rounds| rounds <= within),
                "{habit:?}: {rounds:?}"
            );
        }
    }
}
