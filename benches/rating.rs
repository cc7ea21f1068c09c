//! What rating a round costs, storage aside, by what the service rates with and by every model.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rbs::domain::{
    PlayerEntry, PlayerId, Probability, Rating, Report, Round, RoundParts, Score, Timestamp, Winner,
};
use rbs::rating::{
    ModelName, Parameters, Rated, Standing, Step, Totals, Window, boundaries, rate, win_probability,
};

const TEAM: usize = 12;
const ROUNDS: u32 = 2000;

/// What storage hands over for one player: the rating and the totals at a window's boundaries.
#[derive(Clone, Copy)]
struct Loaded {
    rating: Rating,
    totals: [Totals; 4],
}

/// A player with some two thousand rounds, unlike those of the others.
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
        running = running.with(Step::of(rating, expected, score));
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

/// The round of that number between 24 of 600 players, a minute after the one before.
fn round(number: usize) -> Option<Round> {
    let entry = |place: usize| {
        let account = 1 + (number * 131 + place * 25) % 600;
        Some(PlayerEntry {
            id: PlayerId::from_steam_id64(76_561_197_960_265_728 + u64::try_from(account).ok()?)
                .ok()?,
            at_start: true,
            participated: true,
            seconds: None,
        })
    };
    let seconds = 1_763_640_000 + 60 * i64::try_from(number).ok()?;
    let ended_at = Timestamp::from_unix_seconds(seconds).ok()?;
    let report = Report::try_from(RoundParts {
        round_id: number.to_string().parse().ok()?,
        server: "arena".parse().ok()?,
        map: Some(format!("map-{}", number % 20).parse().ok()?),
        ended_at: Some(ended_at),
        pool: None,
        round_seconds: None,
        winner: if number % 7 < 3 { Winner::A } else { Winner::B },
        team_a: (0..TEAM).map(entry).collect::<Option<_>>()?,
        team_b: (TEAM..2 * TEAM).map(entry).collect::<Option<_>>()?,
    });
    Some(report.ok()?.settled(ended_at, "default".parse().ok()?))
}

/// What a challenger costs, the reading of the log aside.
fn models(criterion: &mut Criterion) {
    let rounds: Vec<Round> = (0..2000).filter_map(round).collect();
    assert_eq!(rounds.len(), 2000, "a round was refused");
    for name in ModelName::ALL {
        let mut model = name.start(&Parameters::default());
        let mut next = rounds.iter().cycle();
        criterion.bench_function(&format!("a round of 12 v 12 by {name}"), |bencher| {
            bencher.iter(|| next.next().map(|round| model.rate(black_box(round))));
        });
    }
}

criterion_group!(benches, rating, models);
criterion_main!(benches);
