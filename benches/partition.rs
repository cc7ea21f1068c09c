//! How long the splits of a pool take: all sizes together, in one thread, without a wish and with
//! every wish at once.
//!
//! This is no criterion benchmark, because what is asked is the worst of many pools, not the mean
//! of one. The time of a pool is the best of three to twenty, so that a neighbour on the machine does
//! not look like a hard pool; where one takes longer than a tenth of a second, of one.
//!
//! `--slow` compares pools of 28 and 32 with the enumeration too, which takes a minute.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement that cannot be made stops with a message"
)]

#[path = "../tests/it/partition/enumeration.rs"]
mod enumeration;
#[path = "../tests/it/partition/gosper.rs"]
mod gosper;
mod support;

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use enumeration::enumerate;
use rbs::partition::{Limits, Pool, Wishes, solve};
use support::Dice;
use support::pools::{CLASSES, Class, HIGHEST, all_wishes, between, pool_of};

/// The pools that are measured, by their number of players.
const PLAYERS: [usize; 9] = [12, 16, 20, 24, 28, 32, 48, 64, 100];
/// Different pools of each kind: so many, or as many as can be measured in a time, but some.
const POOLS: u64 = 40;
const LEAST_POOLS: u64 = 3;
const TIME_PER_KIND: Duration = Duration::from_millis(800);
/// How often a pool is split: so often at least, and more often up to a time, because a neighbour on the
/// machine makes some of them look slow; but once if that takes long.
const REPEATS: usize = 3;
const MOST_REPEATS: usize = 20;
const TIME_PER_POOL: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(100);

/// Typical pools that the enumeration is asked for too, for comparison.
const COMPARED: [usize; 2] = [20, 24];
const COMPARED_SLOWLY: [usize; 2] = [28, 32];
const COMPARED_POOLS: u64 = 9;

/// Pools from which the climb to the worst sets out in every class, and its steps from there: so
/// many, or as many as can be taken in a time.
const CLIMBED: [usize; 2] = [24, 32];
const STEPS: usize = 300;
const TIME_PER_CLIMB: Duration = Duration::from_secs(6);

/// Pools of which the memory is measured; the first is the process without a pool.
const REMEMBERED: [usize; 4] = [0, 32, 64, 100];
/// What the process that is measured is told, beside the number of players.
const MEMORY: &str = "--memory";

/// Whether nothing is wished, or everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    Everything,
}

impl Asked {
    fn of(self, players: usize, dice: &mut Dice) -> Wishes {
        match self {
            Self::Nothing => Wishes::default(),
            Self::Everything => all_wishes(players, dice),
        }
    }
}

/// The best time in which a pool is split into every size.
fn time(pool: &Pool, wishes: &Wishes, at_least: usize) -> Duration {
    let limits = Limits::default();
    best(at_least, || {
        black_box(solve(black_box(pool), black_box(wishes), &limits));
    })
}

/// The best time of so many repeats at least, or of one that takes long.
fn best(at_least: usize, mut run: impl FnMut()) -> Duration {
    let mut best = Duration::MAX;
    let begun = Instant::now();
    for repeat in 1..=MOST_REPEATS {
        let started = Instant::now();
        run();
        best = best.min(started.elapsed());
        if best > LONG || (repeat >= at_least && begun.elapsed() > TIME_PER_POOL) {
            break;
        }
    }
    best
}

/// What came of the pools of one kind.
#[derive(Debug, Default)]
struct Measured {
    times: Vec<Duration>,
    splits: usize,
    proven: usize,
}

fn measure(players: usize, class: Class, asked: Asked) -> Measured {
    let mut measured = Measured::default();
    let started = Instant::now();
    for seed in 0..POOLS {
        if seed >= LEAST_POOLS && started.elapsed() > TIME_PER_KIND {
            break;
        }
        let mut dice = Dice::new(seed);
        let pool = pool_of(&class.ratings(players, &mut dice));
        let wishes = asked.of(players, &mut dice);
        measured.times.push(time(&pool, &wishes, REPEATS));
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        measured.splits += splits.len();
        measured.proven += splits.iter().filter(|split| split.optimal).count();
    }
    measured.times.sort_unstable();
    measured
}

impl Measured {
    fn median(&self) -> f64 {
        milliseconds(self.times[self.times.len() / 2])
    }

    fn worst(&self) -> f64 {
        milliseconds(self.times[self.times.len() - 1])
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Every number of players and class: median and worst of the pools, and how many splits are
/// proven to be optimal.
fn print_table() {
    println!("Milliseconds for all sizes of one pool; median and worst of several pools");
    println!(
        "{:>3}  {:<12}  {:>31}  {:>31}",
        "", "", "without wishes", "with all wishes"
    );
    let columns = ["pools", "median", "worst", "optimal"];
    let heading = columns.map(|name| format!("{name:>7}")).join(" ");
    println!("{:>3}  {:<12}  {heading}  {heading}", "N", "class");
    for players in PLAYERS {
        for class in CLASSES {
            let cells = [Asked::Nothing, Asked::Everything].map(|asked| {
                let measured = measure(players, class, asked);
                let share = 100 * measured.proven / measured.splits;
                format!(
                    "{:>7} {:>7.3} {:>7.3} {share:>5} %",
                    measured.times.len(),
                    measured.median(),
                    measured.worst()
                )
            });
            println!("{players:>3}  {:<12}  {}", class.name(), cells.join("  "));
        }
    }
}

/// F9, corrected, but else as it is written down: the sums of both teams are made anew for every mask,
/// where [`enumerate`] carries them along. The differences of all sizes together.
fn as_written(points: &[i64]) -> u64 {
    let next = |mask: u64| {
        let lowest = mask & mask.wrapping_neg();
        let carried = mask + lowest;
        ((carried ^ mask) / lowest) >> 2 | carried
    };
    let mut differences = 0;
    for size in 2..=points.len() / 2 {
        let mut best = u64::MAX;
        let mut outer = (1_u64 << (2 * size - 1)) - 1;
        'size: while outer < 1 << (points.len() - 1) {
            let active: Vec<i64> = (0..points.len() - 1)
                .filter(|bit| outer >> bit & 1 == 1)
                .map(|bit| points[bit + 1])
                .collect();
            let mut inner = (1_u64 << size) - 1;
            while inner < 1 << active.len() {
                let (mut a, mut b) = (points[0], 0);
                for (bit, points) in active.iter().enumerate() {
                    *(if inner >> bit & 1 == 1 {
                        &mut b
                    } else {
                        &mut a
                    }) += points;
                }
                best = best.min(a.abs_diff(b));
                if best == 0 {
                    break 'size;
                }
                inner = next(inner);
            }
            outer = next(outer);
        }
        differences += best;
    }
    differences
}

/// How much longer the enumeration takes, over the same pools by turns.
fn print_ratio(players: usize) {
    let (mut enumerated, mut bare, mut full) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = Vec::new();
    for seed in 0..COMPARED_POOLS {
        let mut dice = Dice::new(seed);
        let pool = pool_of(&Class::Typical.ratings(players, &mut dice));
        let mut differences = 0;
        enumerated.push(best(REPEATS, || {
            let splits = pool.sizes().map(|size| {
                let found = black_box(enumerate(black_box(&pool), size, u64::MAX));
                assert!(
                    found.complete,
                    "the enumeration of size {size} is cut short"
                );
                found.best.map_or(0, |split| split.difference)
            });
            differences = splits.sum();
        }));
        let points: Vec<i64> = pool
            .players()
            .iter()
            .map(|player| player.rating.points().into())
            .collect();
        let mut of_written = 0;
        written.push(best(REPEATS, || {
            of_written = as_written(black_box(&points));
        }));
        assert_eq!(of_written, differences, "both enumerations find the least");
        bare.push(time(&pool, &Wishes::default(), REPEATS));
        full.push(time(&pool, &all_wishes(players, &mut dice), REPEATS));
    }
    let [written, enumerated, bare, full] = [written, enumerated, bare, full].map(|mut times| {
        times.sort_unstable();
        milliseconds(times[times.len() / 2])
    });
    println!(
        "{players:>3}  {written:>10.3} {enumerated:>11.3}  {bare:>7.3} {:>10.1} {:>8.1}  {full:>7.3} {:>10.1} {:>8.1}",
        written / bare,
        enumerated / bare,
        written / full,
        enumerated / full
    );
}

/// A few ratings changed, to anything or to nearly what somebody else has.
fn mutated(ratings: &[i32], dice: &mut Dice) -> Vec<i32> {
    let mut changed = ratings.to_vec();
    for _ in 0..=dice.roll(3) {
        let player = dice.roll(changed.len());
        changed[player] = if dice.roll(2) == 0 {
            between(dice, 0..=HIGHEST)
        } else {
            let other = changed[dice.roll(changed.len())];
            (other + between(dice, -3..=3)).clamp(0, HIGHEST)
        };
    }
    changed
}

/// Looks for the pool that takes longest, by steps that make it slower, from every class.
fn climb(players: usize) {
    let (mut worst, mut ratings_of_worst, mut steps) = (Duration::ZERO, Vec::new(), 0);
    let wishes = all_wishes(players, &mut Dice::new(0));
    let measure = |ratings: &[i32]| time(&pool_of(ratings), &wishes, REPEATS);
    for class in CLASSES {
        let mut dice = Dice::new(1);
        let mut ratings = class.ratings(players, &mut dice);
        let mut slowest = measure(&ratings);
        let started = Instant::now();
        for _ in 0..STEPS {
            if started.elapsed() > TIME_PER_CLIMB {
                break;
            }
            let changed = mutated(&ratings, &mut dice);
            let took = measure(&changed);
            if took > slowest {
                (ratings, slowest) = (changed, took);
            }
            steps += 1;
        }
        // A neighbour on the machine may have made it look slow.
        let sure = time(&pool_of(&ratings), &wishes, MOST_REPEATS);
        println!(
            "{players:>3}  {:<12}  {:>8.3}",
            class.name(),
            milliseconds(sure)
        );
        if sure > worst {
            (worst, ratings_of_worst) = (sure, ratings);
        }
    }
    println!(
        "The worst of {steps} pools of {players} takes {:.3} ms: {ratings_of_worst:?}",
        milliseconds(worst)
    );
}

/// Splits one pool; answers the most memory that this process ever had.
fn peak_memory(players: usize) -> String {
    if players > 0 {
        let mut dice = Dice::new(0);
        let pool = pool_of(&Class::Uniform.ratings(players, &mut dice));
        let wishes = all_wishes(players, &mut dice);
        black_box(solve(&pool, &wishes, &Limits::default()));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or("not told by this system", str::trim).to_owned()
}

/// The memory of one solve, each in a process of its own.
fn print_memory() {
    println!("\nPeak memory of a process that splits one uniform pool with all wishes");
    let program = std::env::current_exe().expect("the path of this program");
    for players in REMEMBERED {
        let output = Command::new(&program)
            .args([MEMORY, &players.to_string()])
            .output()
            .expect("this program starts once more");
        assert!(output.status.success(), "{output:?}");
        let peak = String::from_utf8_lossy(&output.stdout);
        println!("{players:>3}  {:>12}", peak.trim());
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == MEMORY) {
        let players = arguments.get(at + 1).and_then(|number| number.parse().ok());
        let players = players.unwrap_or_else(|| panic!("{MEMORY} needs a number of players"));
        println!("{}", peak_memory(players));
        return;
    }
    let slow = arguments.iter().any(|argument| argument == "--slow");

    print_table();

    println!("\nBeside the enumeration: milliseconds, median of {COMPARED_POOLS} typical pools");
    println!(
        "(as F9 is written down; with sums carried along; and how many times as long each takes)"
    );
    println!(
        "  N  as written enumeration  without      ratio    ratio  with all     ratio    ratio"
    );
    let slowly = COMPARED_SLOWLY.into_iter().filter(|_| slow);
    COMPARED.into_iter().chain(slowly).for_each(print_ratio);

    println!("\nA climb to the slowest pool, from every class, with all wishes: milliseconds");
    CLIMBED.into_iter().for_each(climb);

    print_memory();
}
