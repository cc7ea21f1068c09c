//! Time to split a pool into all team sizes, in one thread: without wishes, with every kind of wish at once, and with
//! random wishes.
//!
//! Criterion is unsuitable, because the figure of interest is the worst of many pools rather than the mean of one. The
//! time of a pool is the best of three to twenty runs, to exclude interference from other processes. A pool that takes
//! more than a tenth of a second runs once.
//!
//! `--slow` also runs the enumeration on pools of 28 and 32 players, which takes a minute.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot run stops with a message"
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
use rbs::partition::Wishes;
use support::Dice;
use support::pools::{CLASSES, Class, MAX_RATING, all_wishes, between, pool_of};
use support::requests::{Request, random};
use support::timing::{MAX_REPEATS, Measured, REPEATS, best, milliseconds, time};

const PLAYERS: [usize; 9] = [12, 16, 20, 24, 28, 32, 48, 64, 100];
/// Target and minimum number of pools of each kind, and time limit per kind.
const POOLS: u64 = 40;
const MIN_POOLS: usize = 3;
const TIME_PER_KIND: Duration = Duration::from_millis(800);

/// Pool sizes with random wishes, over all classes in turn, with the same kind of limits as above.
const RANDOM_PLAYERS: [usize; 11] = [24, 25, 26, 27, 28, 29, 30, 31, 32, 48, 64];
const RANDOM_POOLS: u64 = 500;
const MIN_RANDOM_POOLS: usize = 50;
const TIME_PER_RANDOM: Duration = Duration::from_secs(10);
/// Sizes of typical pools that the enumeration also splits, for comparison.
const COMPARED: [usize; 2] = [20, 24];
const COMPARED_SLOWLY: [usize; 2] = [28, 32];
const COMPARED_POOLS: u64 = 9;

/// Pool sizes from which the search for the worst case starts in every class, and limits on the number of its steps.
const CLIMBED: [usize; 2] = [24, 32];
const STEPS: usize = 300;
const TIME_PER_CLIMB: Duration = Duration::from_secs(6);

/// First argument of a child process whose memory is measured. A [`Request`] follows.
const MEMORY: &str = "--memory";
/// Pool sizes whose memory is measured, with all wishes, for every class; and number of random pairs apart.
const REMEMBERED: [usize; 3] = [32, 64, 100];
const WEBS: [(usize, usize); 4] = [(24, 12), (32, 16), (32, 32), (64, 32)];

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

/// Prints the median and worst time and the number of proven splits, for every pool size and class.
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
                let limits = (MIN_POOLS, TIME_PER_KIND);
                let measured = Measured::of(0..POOLS, limits, |seed| {
                    let mut dice = Dice::new(seed);
                    let pool = pool_of(&class.ratings(players, &mut dice));
                    (pool, asked.of(players, &mut dice))
                });
                format!(
                    "{:>7} {:>7.3} {:>7.3} {:>5} %",
                    measured.pools(),
                    measured.percentile(50),
                    measured.percentile(100),
                    measured.proven()
                )
            });
            println!("{players:>3}  {:<12}  {}", class.name(), cells.join("  "));
        }
    }
}

/// Prints the distribution of times for every pool size. Returns the slowest request of each size.
fn print_random_table() -> Vec<Request> {
    println!("\nWishes drawn at random: milliseconds for all sizes of one pool");
    let columns = ["pools", "median", "p90", "p99", "worst", "optimal"];
    let heading = columns.map(|name| format!("{name:>8}")).join(" ");
    println!("{:>3}  {heading}", "N");
    let rows = RANDOM_PLAYERS.into_iter().map(|players| {
        let limits = (MIN_RANDOM_POOLS, TIME_PER_RANDOM);
        let measured = Measured::of(0..RANDOM_POOLS, limits, |seed| random(players, seed));
        let times = [50, 90, 99, 100].map(|percent| measured.percentile(percent));
        let times = times.map(|time| format!("{time:>8.3}")).join(" ");
        println!(
            "{players:>3}  {:>8} {times} {:>6} %",
            measured.pools(),
            measured.proven()
        );
        Request::Random(players, measured.seed_of_worst())
    });
    rows.collect()
}

/// Sum of the differences of all team sizes by formula F9 (corrected), evaluated literally: both team sums are
/// recomputed for every mask. [`enumerate`] updates the sums incrementally.
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

/// Prints the ratio of the enumeration times, alternating between both programs over the same pools.
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
                found.best.map_or(0, |teams| teams.difference)
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
        // The enumeration does not compare the likeness of teams either.
        let bare_wishes = Wishes {
            spread: false,
            ..Wishes::default()
        };
        bare.push(time(&pool, &bare_wishes, REPEATS));
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

/// Copies `ratings` with a few values changed, to arbitrary values or to nearly another player's rating.
fn mutated(ratings: &[i32], dice: &mut Dice) -> Vec<i32> {
    let mut changed = ratings.to_vec();
    for _ in 0..=dice.roll(3) {
        let player = dice.roll(changed.len());
        changed[player] = if dice.roll(2) == 0 {
            between(dice, 0..=MAX_RATING)
        } else {
            let other = changed[dice.roll(changed.len())];
            (other + between(dice, -3..=3)).clamp(0, MAX_RATING)
        };
    }
    changed
}

/// Searches for the slowest pool by hill climbing, from every class.
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
        // Interference may have inflated the time, so it is measured again.
        let sure = time(&pool_of(&ratings), &wishes, MAX_REPEATS);
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

/// Answers the request, and prints its time, the share of proven splits and the peak memory of this process.
fn print_peak_memory(request: Request) {
    if let Some((pool, wishes)) = request.draw() {
        let measured = Measured::of(0..1, (1, Duration::ZERO), |_| {
            (pool.clone(), wishes.clone())
        });
        print!(
            "{:>9.3} ms  {:>3} % ",
            measured.percentile(100),
            measured.proven()
        );
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("{:>12}", peak.map_or("unknown", str::trim));
}

/// Prints the peak memory of single requests, each in its own process.
fn print_memory(slowest: Vec<Request>) {
    println!("\nTime, proven splits and peak memory of a process that answers one request");
    let program = std::env::current_exe().expect("the path of this program");
    let uniform = REMEMBERED.map(Request::Everything);
    let webs = WEBS.map(|(players, pairs)| Request::Web(players, pairs));
    let requests = [Request::Nothing].into_iter().chain(uniform).chain(webs);
    for request in requests.chain(slowest) {
        let output = Command::new(&program)
            .arg(MEMORY)
            .args(request.arguments())
            .output()
            .expect("this program starts once more");
        assert!(output.status.success(), "{output:?}");
        let measured = String::from_utf8_lossy(&output.stdout);
        println!("{:<34} {:>34}", request.name(), measured.trim());
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == MEMORY) {
        let request = Request::parse(&arguments[at + 1..]);
        print_peak_memory(request.unwrap_or_else(|| panic!("{MEMORY} needs a request")));
        return;
    }
    let slow = arguments.iter().any(|argument| argument == "--slow");

    print_table();
    let slowest = print_random_table();

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

    print_memory(slowest);
}
