//! Posts rounds to a running service as fast as a number of clients can, and says how it went:
//!
//! ```sh
//! cargo run --release --example load -- --url http://127.0.0.1:8080 --secret-file rbs.secret \
//!     --clients 32 --seconds 10 --players 24
//! ```
//!
//! Every client keeps its connection and has one round under way at a time. The rounds count: use
//! a database made for the purpose. Every run gives its rounds ids of their own, so that none is a
//! duplicate of an earlier run's.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool that prints figures, and stops where it cannot"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Parser;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, Url};
use serde_json::json;
use tokio::task::JoinSet;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// After a request that failed, a client waits this long, so that a service that is gone is not
/// hammered.
const PAUSE: Duration = Duration::from_millis(10);
/// SteamID64s of individual accounts count up from here.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;

/// Posts rounds to a running service on this machine and measures it.
#[derive(Debug, Parser)]
struct Options {
    /// The service; on this machine alone, because nobody else's should be loaded by mistake
    #[arg(long)]
    url: Url,
    /// A file with the secret in its first line
    #[arg(long)]
    secret_file: PathBuf,
    /// How many clients post at the same time
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// For how long
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Players in a round, half of them a team
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u64).range(2..=128))]
    players: u64,
    /// From how many players those of a round are drawn
    #[arg(long, default_value_t = 1_000)]
    population: u64,
    /// Spread the clients over the pools load-1 to load-N, which must be configured
    #[arg(long, conflicts_with = "servers", value_parser = clap::value_parser!(u64).range(1..))]
    pools: Option<u64>,
    /// Spread the clients over the servers load-1 to load-N
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    servers: u64,
    /// Draws other players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What one client saw.
#[derive(Debug, Default)]
struct Seen {
    /// How long each round that counted took.
    latencies: Vec<Duration>,
    /// How often something else came back, by status or kind of failure.
    failures: BTreeMap<String, u64>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let host = options.url.host_str().unwrap_or_default();
    ensure!(
        matches!(host, "localhost" | "[::1]") || host.starts_with("127."),
        "{host} is not this machine; load a service on 127.0.0.1"
    );
    ensure!(
        options.population >= options.players,
        "--population must be at least --players"
    );
    let secret = std::fs::read_to_string(&options.secret_file)
        .with_context(|| format!("cannot read {}", options.secret_file.display()))?;
    let secret = secret.lines().next().unwrap_or_default().trim();
    let authorization = format!("Bearer {secret}");
    let client = Client::builder()
        .pool_max_idle_per_host(usize::MAX)
        .timeout(PATIENCE)
        .no_proxy()
        .build()?;
    let run = rbs::random::hex::<4>().context("no random bits")?;

    let options = Arc::new(options);
    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let mut clients = JoinSet::new();
    for number in 0..options.clients {
        clients.spawn(post_rounds(
            options.clone(),
            client.clone(),
            authorization.clone(),
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

/// One client: a round after the other until `end`.
async fn post_rounds(
    options: Arc<Options>,
    client: Client,
    authorization: String,
    name: String,
    number: u64,
    end: Instant,
) -> Seen {
    let mut seen = Seen::default();
    let mut url = options.url.clone();
    url.set_path("/v1/update");
    let server = format!("load-{}", number % options.servers + 1);
    let pool = options
        .pools
        .map(|pools| format!("load-{}", number % pools + 1));
    let mut state = options.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let mut population: Vec<u64> = (FIRST_ACCOUNT..).take(count(options.population)).collect();
    let mut posted = 0_u64;
    while Instant::now() < end {
        posted += 1;
        // The first of the population become a random choice of it.
        for index in 0..count(options.players) {
            let other = index + below(&mut state, population.len() - index);
            population.swap(index, other);
        }
        let chosen = population.get(..count(options.players)).unwrap_or_default();
        let ids: Vec<String> = chosen.iter().map(u64::to_string).collect();
        let (a, b) = ids.split_at(ids.len() / 2);
        let round = json!({
            "round_id": format!("{name}:{posted}"), "server": server, "map": "arena_well",
            "pool": pool, "winner": if below(&mut state, 2) == 0 { "a" } else { "b" },
            "team_a": a, "team_b": b,
        });
        let request = client
            .post(url.clone())
            .header(AUTHORIZATION, &authorization)
            .header(CONTENT_TYPE, "application/json")
            .body(round.to_string());
        let sent = Instant::now();
        let failure = match request.send().await {
            Ok(response) => {
                let status = response.status();
                match response.bytes().await {
                    Ok(_) if status.is_success() => {
                        seen.latencies.push(sent.elapsed());
                        continue;
                    }
                    Ok(_) => status.to_string(),
                    Err(_) => "answer broken off".to_owned(),
                }
            }
            Err(error) if error.is_timeout() => "no answer in time".to_owned(),
            Err(_) => "no connection".to_owned(),
        };
        *seen.failures.entry(failure).or_default() += 1;
        tokio::time::sleep(PAUSE).await;
    }
    seen
}

fn count(number: u64) -> usize {
    usize::try_from(number).expect("a small number")
}

/// The next number below `sides` of a sequence that is the same for the same seed (splitmix64).
fn below(state: &mut u64, sides: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    count(mixed % sides as u64)
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
