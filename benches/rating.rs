//! CPU time to rate a round, without storage, for the service's rating path and for every model.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rbs::domain::{
    Mutators, PlayerEntry, PlayerId, PoolName, Probability, Rating, Report, Round, RoundParts,
    Score, TeamBots, Timestamp, Winner,
};
use rbs::rating::{
    InMemoryPool, ModelName, Parameters, Rated, Standing, Totals, TotalsStep, Window, boundaries,
    rate, win_probability,
};

const TEAM: usize = 12;
const ROUNDS: u32 = 2000;

/// Data loaded from storage for one player: the rating, and the totals at the boundaries of a window.
#[derive(Clone, Copy)]
struct Loaded {
    rating: Rating,
    totals: [Totals; 4],
}

/// A player with about two thousand rounds, each player with different ones.
fn loaded(player: u32, parameters: &Parameters) -> Loaded {
    let ends = boundaries(ROUNDS.into(), ROUNDS, parameters.window);
    let mut rating = Rating::from_rounded(f64::from(700 + 25 * player));
    let mut running = Totals::default();
    let mut totals = [running; 4];
    for round in 1..=ROUNDS {
        let noise = (round * 7919 + player * 104_729) % 61;
        rating = Rating::from_rounded(f64::from(700 + 25 * player + noise));
        let expected = Probability::new(f64::from(noise) / 60.0).unwrap_or(Probability::HALF);
        let score = if noise.is_multiple_of(2) {
            Score::WIN
        } else {
            Score::LOSS
        };
        running = running.with(TotalsStep::of(rating, expected, score));
        let wanted = [ends.start, ends.old_end, ends.new_start, ROUNDS.into()];
        for (slot, entry) in totals.iter_mut().zip(wanted) {
            if entry == u64::from(round) {
                *slot = running;
            }
        }
    }
    Loaded { rating, totals }
}

fn rate_round(teams: &[[Loaded; TEAM]; 2], parameters: &Parameters) -> [[Rated; TEAM]; 2] {
    let [sum_a, sum_b] = teams.each_ref().map(|team| {
        team.iter()
            .map(|player| i64::from(player.rating.points()))
            .sum()
    });
    let predicted = win_probability(sum_a, sum_b, parameters.theta);
    let ends = boundaries(ROUNDS.into(), ROUNDS, parameters.window);
    let rate_team = |team: &[Loaded; TEAM], expected, score| {
        team.each_ref().map(|player| {
            let [start, old_end, new_start, last] = player.totals;
            let standing = Standing {
                rating: player.rating,
                rounds: ROUNDS,
                window: Window::between(ends, start, old_end, new_start, last),
                since_return: None,
            };
            rate(&standing, expected, score, 1.0, parameters)
        })
    };
    [
        rate_team(&teams[0], predicted, Score::WIN),
        rate_team(&teams[1], predicted.complement(), Score::LOSS),
    ]
}

fn rating(criterion: &mut Criterion) {
    let parameters = Parameters::default();
    let mut numbers = 0..;
    let teams = [(); 2]
        .map(|()| [(); TEAM].map(|()| loaded(numbers.next().unwrap_or_default(), &parameters)));
    criterion.bench_function("rate a round of 12 v 12", |bencher| {
        bencher.iter(|| rate_round(black_box(&teams), black_box(&parameters)));
    });
    criterion.bench_function("one win probability", |bencher| {
        bencher.iter(|| win_probability(black_box(12_345), black_box(11_987), black_box(2400.0)));
    });
}

/// Rounds among sixty-one players, won by alternating teams.
#[expect(clippy::expect_used, reason = "all names and ids are valid")]
fn history(rounds: usize) -> Vec<Round> {
    let entries = |round: usize, from: usize| -> Vec<PlayerEntry> {
        let places = from..from + TEAM;
        places
            .map(|place| {
                let account = 76_561_197_960_265_729 + ((round * 7 + place * 5) % 61) as u64;
                PlayerEntry::present(PlayerId::from_steam_id64(account).expect("an account"))
            })
            .collect()
    };
    let rounds = (0..rounds).map(|round| {
        let ended_at = Timestamp::UNIX_EPOCH;
        let parts = RoundParts {
            round_id: round.to_string().parse().expect("a name"),
            server: "arena".parse().expect("a name"),
            map: None,
            mode: None,
            mutators: Mutators::default(),
            bots: TeamBots::default(),
            ended_at: Some(ended_at),
            pool: None,
            round_seconds: None,
            winner: [Winner::A, Winner::B, Winner::B, Winner::A, Winner::A][round % 5],
            team_a: entries(round, 0),
            team_b: entries(round, TEAM),
        };
        let report = Report::try_from(parts).expect("a round");
        report.settled(ended_at, PoolName::default())
    });
    rounds.collect()
}

/// Measures player updates per second of every model.
#[expect(clippy::expect_used, reason = "a model reads the state that it wrote")]
fn models(criterion: &mut Criterion) {
    let rounds = history(2000);
    let mut group = criterion.benchmark_group("rate 2000 rounds of 12 v 12");
    group.throughput(Throughput::Elements((rounds.len() * 2 * TEAM) as u64));
    group.sample_size(10);
    for name in ModelName::ALL {
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                let mut pool = InMemoryPool::new(name, &Parameters::default());
                for round in &rounds {
                    black_box(pool.rate(round)).expect("a model that reads its own state");
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rating, models);
criterion_main!(benches);
