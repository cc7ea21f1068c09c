//! Clients with one secret that send as many requests as they can, next to game servers with their own secrets that
//! play as usual. Measures the effect on the game servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::dice::Dice;
use crate::memory;
use crate::report::{Ended, Report};
use crate::service::{Outcome, Service};

/// Maximum number of players of a split.
const MAX: u64 = 128;
/// Players of each other server, half of them in each team.
const PLAYERS: u64 = 24;
/// Number of servers that request the largest splits.
const SERVERS: u64 = 4;
/// Interval at which each other server ends a round and requests splits.
const EVERY: Duration = Duration::from_secs(1);
/// Interval between two bytes of a slow body.
const TRICKLE: Duration = Duration::from_secs(1);
const PHASES: [&str; 3] = ["before", "during", "after"];

/// Load to generate. The first line of the secret file is the secret of the flooding clients, which must also be an
/// admin's; each other line is the secret of another server.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Number of clients that request the largest splits, each the next as soon as one is answered
    #[arg(long, default_value_t = 16)]
    scramblers: u64,
    /// Number of connections that send the body of a round so slowly that it never ends
    #[arg(long, default_value_t = 0)]
    tricklers: u64,
    /// Duration of the flood in seconds
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Seconds before and after the flood in which only the others play
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    quiet: u64,
    /// Process id of the service, to sample its memory
    #[arg(long)]
    pid: Option<u32>,
}

#[derive(Clone, Debug)]
struct Stage {
    service: Service,
    notes: mpsc::UnboundedSender<(usize, &'static str, Duration, Ended)>,
    /// Start of each phase, and end of the last.
    times: [Instant; 4],
    /// Counter that makes every question distinct.
    asked: Arc<AtomicU64>,
}

/// Runs the phases and prints the results of the other servers in each.
pub(crate) async fn run(options: Options, service: Service) -> anyhow::Result<()> {
    let others: Vec<Service> = service.others().collect();
    ensure!(
        !others.is_empty(),
        "the secret file needs a line for each of the other servers"
    );
    rate_players(&service).await?;
    let (quiet, seconds) = (
        Duration::from_secs(options.quiet),
        Duration::from_secs(options.seconds),
    );
    let begin = Instant::now();
    let times = [
        begin,
        begin + quiet,
        begin + quiet + seconds,
        begin + quiet + seconds + quiet,
    ];
    let watching = tokio::spawn(memory::watch(options.pid, times[3]));
    let (notes, mut inbox) = mpsc::unbounded_channel();
    let stage = Stage {
        service,
        notes,
        times,
        asked: Arc::default(),
    };
    let run = rbs::random::hex::<4>().context("no random bits")?;
    for (number, service) in (0..).zip(others.iter().cloned()) {
        let stage = Stage {
            service,
            ..stage.clone()
        };
        tokio::spawn(play(stage, format!("{run}-{number}"), number));
    }
    for _ in 0..options.scramblers {
        tokio::spawn(scramble(stage.clone()));
    }
    for _ in 0..options.tricklers {
        tokio::spawn(trickle(stage.clone()));
    }
    drop(stage);
    let mut report = Report::default();
    while let Some((phase, kind, took, ended)) = inbox.recv().await {
        report.note(phase, kind, took, ended);
    }
    let names = PHASES.map(|phase| {
        format!(
            "{phase}, {} scramblers and {} tricklers next to {} servers:",
            options.scramblers,
            options.tricklers,
            others.len()
        )
    });
    report.print(&names);
    memory::print(&watching.await.context("watching broke")?, options.pid);
    Ok(())
}

/// Gives players 1 to 128 evenly spread ratings, because pools of equal ratings are split at once.
async fn rate_players(service: &Service) -> anyhow::Result<()> {
    for number in 1..=MAX {
        let rating = json!({"rating": 100 + number * 7919 % 9901});
        let path = format!("/v1/admin/players/[U:1:{number}]");
        if let Outcome::Served(_) = service.put(&path, &rating).await {
            continue;
        }
        anyhow::bail!(
            "the first secret cannot rate players; start the service without RBS_ADMIN_SECRET"
        );
    }
    Ok(())
}

impl Stage {
    fn note(&self, kind: &'static str, due: Instant, outcome: &Outcome) {
        let phase = self.times[1..]
            .iter()
            .filter(|begin| due >= **begin)
            .count();
        let ended = match outcome {
            Outcome::Served(_) => Ended::Served,
            Outcome::Shed => Ended::Shed,
            Outcome::Failed(what) => Ended::Failed(what.clone()),
        };
        // The receiver is gone only after the end of the run.
        let _over = self.notes.send((phase, kind, due.elapsed(), ended));
    }
}

/// Plays as one of the other servers: a round and splits repeatedly, each sent at its due time.
async fn play(stage: Stage, server: String, number: u64) {
    let mut due = stage.times[0] + EVERY / 10 * u32::try_from(number % 10).unwrap_or_default();
    let mut dice = Dice::new(number);
    let mut ids = players(1000 * (number + 1), PLAYERS);
    let mut played = 0;
    while due < stage.times[3] {
        tokio::time::sleep_until(due.into()).await;
        played += 1;
        dice.draw(&mut ids, usize::MAX);
        let (a, b) = ids.split_at(ids.len() / 2);
        let round = json!({
            "round_id": played.to_string(), "server": server, "map": "arena_well",
            "winner": if dice.below(2) == 0 { "a" } else { "b" }, "team_a": a, "team_b": b,
        });
        let table = json!({"server": server, "players": ids});
        let stage = stage.clone();
        tokio::spawn(async move {
            let outcome = stage.service.post("/v1/update", &round).await;
            stage.note("update", due, &outcome);
            let due = Instant::now();
            let outcome = stage.service.post("/v1/scramble", &table).await;
            stage.note("scramble", due, &outcome);
        });
        due += EVERY;
    }
}

/// Requests the most expensive splits until the flood is over.
async fn scramble(stage: Stage) {
    tokio::time::sleep_until(stage.times[1].into()).await;
    while Instant::now() < stage.times[2] {
        let question = question(stage.asked.fetch_add(1, Ordering::Relaxed));
        let due = Instant::now();
        let outcome = stage.service.post("/v1/scramble", &question).await;
        stage.note("(flood)", due, &outcome);
    }
}

/// One of the largest questions, distinct for each number.
fn question(number: u64) -> Value {
    let apart = |steps: [u64; 3], count: u64| {
        let pairs = steps.into_iter().flat_map(|step| {
            (0..count).map(move |one| [id(one + 1), id((one + step) % count + 1)])
        });
        pairs.take(64).collect::<Vec<_>>()
    };
    let groups = |size: u64| {
        let starts = (0..MAX / size).map(|group| 1 + size * group);
        let groups = starts.map(|first| players(first, size)).take(64);
        groups.collect::<Vec<_>>()
    };
    let mut question = match number % 6 {
        0 => json!({"players": players(1, MAX)}),
        1 => json!({"players": players(1, MAX), "apart": apart([2, 3, 5], MAX)}),
        2 => {
            json!({"players": players(1, MAX), "parties": groups(8), "apart": apart([43, 63, 1], MAX)})
        }
        3 => json!({"players": players(1, 24), "apart": apart([1, 8, 11], 24)}),
        4 => {
            json!({"players": players(1, 64), "parties": groups(2), "apart": apart([21, 31, 1], 64)})
        }
        _ => {
            json!({"players": players(1, MAX), "parties": groups(32), "must_play": players(1, 40)})
        }
    };
    question["server"] = json!(format!("flood-{}", number / 6 % SERVERS));
    question["tolerance"] = json!(number % 1001);
    question["party_price"] = json!(number / 1001);
    question["alternatives"] = json!({"size": 8, "count": 20});
    question
}

fn id(number: u64) -> String {
    format!("[U:1:{number}]")
}

fn players(first: u64, count: u64) -> Vec<String> {
    (first..first + count).map(id).collect()
}

/// Sends the body of a round one byte at a time, and restarts after the service refuses it, until the flood is over.
async fn trickle(stage: Stage) {
    tokio::time::sleep_until(stage.times[1].into()).await;
    while Instant::now() < stage.times[2] {
        let due = Instant::now();
        let outcome =
            match tokio::time::timeout_at(stage.times[2].into(), send_slowly(&stage)).await {
                // The end of the flood cut the body off.
                Err(_) => return,
                Ok(Ok(status)) if status == "429" || status == "503" => Outcome::Shed,
                Ok(Ok(status)) => Outcome::Failed(status),
                Ok(Err(error)) => Outcome::Failed(error.kind().to_string()),
            };
        stage.note("(trickle)", due, &outcome);
        tokio::time::sleep(TRICKLE).await;
    }
}

/// Returns the status that answers an endless body.
async fn send_slowly(stage: &Stage) -> std::io::Result<String> {
    let (address, authorization) = stage.service.bare();
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "POST /v1/update HTTP/1.1\r\nhost: x\r\nauthorization: {authorization}\r\n\
         content-type: application/json\r\ncontent-length: 200000\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await?;
    let mut status = [0; 12];
    loop {
        tokio::select! {
            read = stream.read_exact(&mut status) => {
                read?;
                return Ok(String::from_utf8_lossy(&status[9..]).into_owned());
            }
            () = tokio::time::sleep(TRICKLE) => stream.write_all(b" ").await?,
        }
    }
}
