//! Posts as many rounds as a number of clients can, each client with one request in flight.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::json;
use tokio::task::JoinSet;

use crate::dice::{Dice, count};
use crate::service::{Outcome, Service};

/// Pause after a failed request, so that an unavailable service is not hammered.
const PAUSE: Duration = Duration::from_millis(10);
/// First SteamID64 of individual accounts.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Number of clients that post at the same time
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// Duration of the load in seconds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Players per round, half of them in each team
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u64).range(2..=128))]
    players: u64,
    /// Number of players from which rounds are drawn
    #[arg(long, default_value_t = 1_000)]
    population: u64,
    /// Spread the clients over the pools load-1 to load-N, which must be configured
    #[arg(long, conflicts_with = "servers", value_parser = clap::value_parser!(u64).range(1..))]
    pools: Option<u64>,
    /// Spread the clients over the servers load-1 to load-N
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    servers: u64,
    /// Seed of the random players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Results of one client.
#[derive(Debug, Default)]
struct Seen {
    /// Latency of each round that counted.
    latencies: Vec<Duration>,
    /// Number of other outcomes, by status or kind of failure.
    failures: BTreeMap<String, u64>,
}

/// Posts rounds until the time is over, and prints the results.
pub(crate) async fn run(options: Options, service: Service) -> anyhow::Result<()> {
    ensure!(
        options.population >= options.players,
        "--population must be at least --players"
    );
    let run = rbs::random::hex::<4>().context("no random bits")?;
    let options = Arc::new(options);
    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let mut clients = JoinSet::new();
    for number in 0..options.clients {
        clients.spawn(post_rounds(
            options.clone(),
            service.clone(),
            format!("{run}:{number}"),
            number,
            end,
        ));
    }
    let mut seen = Seen::default();
    while let Some(one) = clients.join_next().await {
        let one = one.context("a client broke")?;
        seen.latencies.extend(one.latencies);
        for (kind, count) in one.failures {
            *seen.failures.entry(kind).or_default() += count;
        }
    }
    print(seen, started.elapsed());
    Ok(())
}

/// Posts one round after another until `end`.
async fn post_rounds(
    options: Arc<Options>,
    service: Service,
    name: String,
    number: u64,
    end: Instant,
) -> Seen {
    let mut seen = Seen::default();
    let server = format!("load-{}", number % options.servers + 1);
    let pool = options
        .pools
        .map(|pools| format!("load-{}", number % pools + 1));
    let mut dice = Dice::new(options.seed.wrapping_mul(1_000_003).wrapping_add(number));
    let mut population: Vec<u64> = (FIRST_ACCOUNT..).take(count(options.population)).collect();
    let mut posted = 0_u64;
    while Instant::now() < end {
        posted += 1;
        // Makes the first of the population a random selection.
        dice.draw(&mut population, count(options.players));
        let chosen = population.get(..count(options.players)).unwrap_or_default();
        let ids: Vec<String> = chosen.iter().map(u64::to_string).collect();
        let (a, b) = ids.split_at(ids.len() / 2);
        let round = json!({
            "round_id": format!("{name}:{posted}"), "server": server, "map": "arena_well",
            "pool": pool, "winner": if dice.below(2) == 0 { "a" } else { "b" },
            "team_a": a, "team_b": b,
        });
        let sent = Instant::now();
        match service.post("/v1/update", &round).await {
            Outcome::Served(_) => seen.latencies.push(sent.elapsed()),
            Outcome::Shed => failed(&mut seen, "shed").await,
            Outcome::Failed(kind) => failed(&mut seen, &kind).await,
        }
    }
    seen
}

async fn failed(seen: &mut Seen, kind: &str) {
    *seen.failures.entry(kind.to_owned()).or_default() += 1;
    tokio::time::sleep(PAUSE).await;
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn print(mut seen: Seen, took: Duration) {
    seen.latencies.sort_unstable();
    let rounds = seen.latencies.len();
    let percentile = |percent: usize| {
        let index = (rounds * percent / 100).min(rounds.saturating_sub(1));
        let latency = seen.latencies.get(index).copied().unwrap_or_default();
        latency.as_secs_f64() * 1_000.0
    };
    println!("Rounds:     {rounds} in {:.1} s", took.as_secs_f64());
    println!(
        "Rate:       {:.0} rounds/s",
        rounds as f64 / took.as_secs_f64()
    );
    println!("Median:     {:.2} ms", percentile(50));
    println!("99th:       {:.2} ms", percentile(99));
    let failed: u64 = seen.failures.values().sum();
    println!("Failures:   {failed}");
    for (kind, times) in seen.failures {
        println!("  {kind}: {times}");
    }
}
