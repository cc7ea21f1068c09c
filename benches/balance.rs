//! Time to judge a match and to place joining players: every built-in policy, small and large teams, real ratings, and
//! weights that defeat small tables. Runs without a database, in one thread.
//!
//! As in the split benchmark, the figure of interest is the worst of many matches. The time of a match is the best of
//! three.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rbs::balance::{Match, Player, Policies, Policy, Power, balance, place};
use rbs::domain::{PlayerId, Rating};
use support::Dice;
use support::pools::{Class, between};

const SIZES: [(usize, usize); 6] = [(6, 3), (12, 9), (16, 16), (32, 24), (64, 32), (64, 64)];
const JOINING: [usize; 5] = [1, 4, 12, 24, 64];
const MATCHES: u64 = 40;
const REPEATS: usize = 3;
const THETA: f64 = 2400.0;

#[derive(Clone, Copy, Debug)]
enum Spread {
    Ratings(Class),
    /// Uniform from 0 to the maximum, in thousandths.
    Anything,
    /// One player in twenty has many times the weight of the others, so the subset-sum tables are large and sparse.
    Giants,
}

const SPREADS: [Spread; 4] = [
    Spread::Ratings(Class::Typical),
    Spread::Ratings(Class::Uniform),
    Spread::Anything,
    Spread::Giants,
];

impl fmt::Display for Spread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Ratings(class) => class.name(),
            Self::Anything => "anything",
            Self::Giants => "giants",
        })
    }
}

impl Spread {
    /// Returns `count` players numbered from `first`.
    fn players(self, first: u64, count: usize, dice: &mut Dice) -> Vec<Player> {
        let ratings = match self {
            Self::Ratings(class) if count > 1 => class.ratings(count, dice),
            Self::Ratings(_) => (0..count).map(|_| between(dice, 100..=4000)).collect(),
            Self::Anything => (0..count).map(|_| between(dice, 0..=1_000_000)).collect(),
            Self::Giants => (0..count)
                .map(|_| match dice.roll(20) {
                    0 => between(dice, 8900..=9100),
                    _ => between(dice, 100..=300),
                })
                .collect(),
        };
        let ids = support::players(first, count as u64);
        let players = ids.into_iter().zip(ratings).map(|(id, rating)| {
            let id = PlayerId::from_steam_id64(id).expect("an account");
            let weight = f64::from(rating) / 1000.0;
            Player {
                weight: Power::new(weight),
                points: Some(between(dice, 0..=100)),
                ..Player::rated(id, Rating::new(rating).expect("a rating"))
            }
        });
        players.collect()
    }

    fn state(self, (a, b): (usize, usize), dice: &mut Dice) -> Match {
        Match {
            team_a: self.players(0, a, dice),
            team_b: self.players(1000, b, dice),
            ..Match::default()
        }
    }
}

/// Prints the median and worst time over several matches, and how many answers are proven optimal.
fn measure(name: &str, what: &str, spread: Spread, task: impl Fn(&mut Dice) -> (Duration, bool)) {
    let mut all: Vec<(Duration, bool)> = (0..MATCHES)
        .map(|seed| task(&mut Dice::new(seed)))
        .collect();
    all.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let proven = all.iter().filter(|(_, proven)| *proven).count();
    println!(
        "{name:<22} {what:>8} {spread:<10} {:>9.3} {:>9.3} {:>8}",
        milliseconds(all[all.len() / 2].0),
        milliseconds(all[all.len() - 1].0),
        format!("{} %", 100 * proven / all.len()),
    );
}

fn timed<T>(task: impl Fn() -> T) -> (Duration, T) {
    let result = task();
    let times = (0..REPEATS).map(|_| {
        let started = Instant::now();
        black_box(task());
        started.elapsed()
    });
    (times.min().unwrap_or_default(), result)
}

fn judge(policy: &Policy, state: &Match) -> (Duration, bool) {
    let (time, verdict) = timed(|| balance(black_box(state), policy, THETA));
    (time, verdict.expect("everybody has a weight").optimal)
}

fn seat(policy: &Policy, state: &Match, joining: &[Player]) -> (Duration, bool) {
    let (time, placement) = timed(|| place(black_box(state), joining, policy, THETA));
    (time, placement.expect("everybody has a weight").optimal)
}

fn header(task: &str, what: &str) {
    println!(
        "{task:<22} {what:>8} {:<10} {:>9} {:>9} {:>8}",
        "spread", "median ms", "worst ms", "optimal"
    );
}

fn main() {
    header("balance", "teams");
    let policies = Policies::built_in().expect("the built-in policies");
    for (name, policy) in policies.iter() {
        for size in SIZES {
            for spread in SPREADS {
                let teams = format!("{} v {}", size.0, size.1);
                measure(name.as_str(), &teams, spread, |dice| {
                    judge(policy, &spread.state(size, dice))
                });
            }
        }
    }
    println!();
    header("place", "joining");
    let name = "synelo".parse().expect("a name");
    let policy = policies.named(&name).expect("a built-in policy");
    for count in JOINING {
        for spread in SPREADS {
            measure(name.as_str(), &count.to_string(), spread, |dice| {
                let state = spread.state((10, 10), dice);
                seat(policy, &state, &spread.players(2000, count, dice))
            });
        }
    }
}
