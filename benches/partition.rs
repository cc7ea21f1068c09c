//! How long the splits of a pool take: all sizes together, in one thread.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rbs::domain::{PlayerId, Rating};
use rbs::partition::{Candidate, Limits, Pool, Wishes, greedy, solve};

/// SteamID64s of individual accounts count up from here.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;

/// Ratings that are about normal with mean 1000 and standard deviation 300, the same every time.
fn typical(players: usize) -> Vec<i32> {
    let mut state: u64 = 1;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((state >> 33) % 601).unwrap_or_default() - 300
    };
    // The sum of twelve such numbers has a standard deviation of 600.
    (0..players)
        .map(|_| 1000 + (0..12).map(|_| uniform()).sum::<i32>() / 2)
        .collect()
}

/// One player above all others together: no difference is 0, so that no search ends early.
fn without_zeros(players: usize) -> Vec<i32> {
    let mut ratings = vec![0; players - 1];
    ratings.push(1_000_000);
    ratings
}

#[expect(
    clippy::expect_used,
    reason = "a benchmark without a pool measures nothing"
)]
fn pool_of(ratings: Vec<i32>) -> Pool {
    let players = (FIRST_ACCOUNT..).zip(ratings);
    let candidates = players.filter_map(|(id, points)| {
        let id = PlayerId::from_steam_id64(id).ok()?;
        let rating = Rating::new(points)?;
        Some(Candidate { id, rating })
    });
    Pool::new(candidates).expect("ids count up")
}

fn partition(criterion: &mut Criterion) {
    let limits = Limits::default();
    for players in [12, 20] {
        let pool = pool_of(typical(players));
        criterion.bench_function(&format!("solve, typical, {players} players"), |bencher| {
            bencher.iter(|| solve(black_box(&pool), &Wishes::default(), &limits));
        });
    }
    let pool = pool_of(without_zeros(32));
    let mut group = criterion.benchmark_group("whole budget");
    group.sample_size(10);
    group.bench_function("solve, no early exit, 32 players", |bencher| {
        bencher.iter(|| solve(black_box(&pool), &Wishes::default(), &limits));
    });
    group.finish();
    for players in [32, 64, 128] {
        let pool = pool_of(typical(players));
        criterion.bench_function(&format!("greedy, typical, {players} players"), |bencher| {
            bencher.iter(|| {
                let sizes = black_box(&pool).sizes();
                sizes
                    .filter_map(|size| greedy(&pool, size, None))
                    .collect::<Vec<_>>()
            });
        });
    }
}

criterion_group!(benches, partition);
criterion_main!(benches);
