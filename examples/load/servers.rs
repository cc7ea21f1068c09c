//! Many game servers, each of which ends a round from time to time. Requests are sent at their due time, however long
//! earlier requests take, and latency is counted from the due time. A service that delays its clients therefore cannot
//! hide the delay.

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};

use crate::dice::{Dice, count};
use crate::memory;
use crate::report::{Ended, Report};
use crate::service::{Outcome, Service};

/// First SteamID64 of individual accounts.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;
/// Number of players who join and leave during a round, and are looked up.
const CONNECTS: usize = 4;
/// Maximum number of failed rounds that a plugin keeps.
const MAX_QUEUE: usize = 8;
/// One answer in this many is lost, and the round sent again.
const ONE_LOST_OF: usize = 50;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Number of game servers
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    servers: u64,
    /// Players per server, half of them in each team
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u64).range(4..=100))]
    players: u64,
    /// Duration in seconds and rate in rounds per second of a phase; repeatable, in order
    #[arg(long = "phase", required = true, value_name = "SECONDS:ROUNDS")]
    phases: Vec<Phase>,
    /// Process id of the service, to sample its memory
    #[arg(long)]
    pid: Option<u32>,
    /// Seed of the random players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
struct Phase {
    seconds: f64,
    rate: f64,
}

impl FromStr for Phase {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (seconds, rate) = text.split_once(':').context("write it as SECONDS:ROUNDS")?;
        let phase = Self {
            seconds: seconds.parse()?,
            rate: rate.parse()?,
        };
        ensure!(
            (1.0..=86_400.0).contains(&phase.seconds) && (0.1..=100_000.0).contains(&phase.rate),
            "from 1 to 86400 seconds, from 0.1 to 100000 rounds a second"
        );
        Ok(phase)
    }
}

#[derive(Debug)]
struct Server {
    name: String,
    players: Vec<String>,
    dice: Dice,
    played: u64,
    /// Rounds that the service did not accept.
    queue: Vec<Value>,
}

/// Result of a request: phase, kind, latency and outcome.
type Note = (usize, &'static str, Duration, Ended);

#[derive(Clone, Debug)]
struct Stage {
    service: Service,
    notes: mpsc::UnboundedSender<Note>,
    phase: usize,
}

/// Plays the servers and prints the results.
pub(crate) async fn run(options: Options, service: Service) -> anyhow::Result<()> {
    let run = rbs::random::hex::<4>().context("no random bits")?;
    let servers: Vec<_> = (0..options.servers)
        .map(|number| Arc::new(Mutex::new(server(&run, number, &options))))
        .collect();
    let all: f64 = options.phases.iter().map(|phase| phase.seconds).sum();
    let started = Instant::now();
    let watching = tokio::spawn(memory::watch(
        options.pid,
        started + Duration::from_secs_f64(all),
    ));
    let (notes, mut inbox) = mpsc::unbounded_channel();
    let counting = tokio::spawn(async move {
        let mut report = Report::default();
        while let Some((phase, kind, took, ended)) = inbox.recv().await {
            report.note(phase, kind, took, ended);
        }
        report
    });

    let mut turns = servers.iter().cycle();
    let mut begun = started;
    for (number, phase) in options.phases.iter().enumerate() {
        let stage = Stage {
            service: service.clone(),
            notes: notes.clone(),
            phase: number,
        };
        let end = begun + Duration::from_secs_f64(phase.seconds);
        let mut due = begun;
        while due < end {
            tokio::time::sleep_until(due.into()).await;
            // The generator's own lag shows how much of a latency it caused.
            stage.note("(own lag)", due, Ended::Served);
            let server = turns.next().expect("at least one server");
            tokio::spawn(play(stage.clone(), server.clone(), due, phase.rate));
            due += Duration::from_secs_f64(1.0 / phase.rate);
        }
        begun = end;
    }
    drop(notes);
    let report = counting.await.context("counting broke")?;
    let names = options.phases.iter().map(|phase| {
        format!(
            "{:.0} s at {} rounds a second of {} servers with {} players:",
            phase.seconds, phase.rate, options.servers, options.players
        )
    });
    report.print(&names.collect::<Vec<_>>());
    memory::print(&watching.await.context("watching broke")?, options.pid);
    Ok(())
}

fn server(run: &str, number: u64, options: &Options) -> Server {
    // Neighboring servers share some players.
    let first = FIRST_ACCOUNT + number * (options.players / 2);
    Server {
        name: format!("load-{run}-{number}"),
        players: (first..)
            .take(count(options.players))
            .map(|id| id.to_string())
            .collect(),
        dice: Dice::new(options.seed.wrapping_mul(1_000_003).wrapping_add(number)),
        played: 0,
        queue: Vec::new(),
    }
}

impl Stage {
    fn note(&self, kind: &'static str, due: Instant, ended: Ended) {
        // The receiver is gone only after the end of the run.
        let _over = self.notes.send((self.phase, kind, due.elapsed(), ended));
    }

    /// Records the outcome of a request due at `due`, and returns its answer.
    fn noted(&self, kind: &'static str, due: Instant, outcome: Outcome) -> Option<Value> {
        let (ended, answer) = match outcome {
            Outcome::Served(answer) => (Ended::Served, Some(answer)),
            Outcome::Shed => (Ended::Shed, None),
            Outcome::Failed(what) => (Ended::Failed(what), None),
        };
        self.note(kind, due, ended);
        answer
    }
}

/// Plays the end of one server's round, and the players who join before the next.
async fn play(stage: Stage, server: Arc<Mutex<Server>>, due: Instant, rate: f64) {
    let mut server = server.lock().await;
    server.played += 1;
    let in_update = server.dice.below(2) == 0;
    let round = next_round(&mut server, in_update);
    let counted = if server.queue.is_empty() {
        post_round(&stage, &mut server, &round, due).await
    } else {
        drain(&stage, &mut server, round.clone(), due).await
    };
    if counted && !in_update {
        let table = json!({"server": server.name, "players": server.players});
        let due = Instant::now();
        let outcome = stage.service.post("/v1/scramble", &table).await;
        stage.noted("scramble", due, outcome);
    }
    if server.dice.below(20) == 0 {
        let due = Instant::now();
        let path = format!("/v1/scramble?server={}", server.name);
        match stage.service.get(&path).await {
            // A server whose first split was shed has no table.
            Outcome::Failed(what) if what.starts_with("404") => {}
            outcome => drop(stage.noted("last", due, outcome)),
        }
    }
    let name = server.name.clone();
    let joined: Vec<String> = server.players.iter().take(CONNECTS).cloned().collect();
    drop(server);
    for (number, id) in (1_u32..).zip(joined) {
        let stage = stage.clone();
        let path = format!("/v1/players/{id}?server={name}");
        // Spreads the lookups, so that those of many servers do not coincide with their rounds.
        let due = due + Duration::from_secs_f64(1.0 / rate) / 5 * number;
        tokio::spawn(async move {
            tokio::time::sleep_until(due.into()).await;
            let due = due.max(Instant::now());
            let outcome = stage.service.get(&path).await;
            stage.noted("lookup", due, outcome);
        });
    }
}

fn next_round(server: &mut Server, in_update: bool) -> Value {
    let all = server.players.len();
    let mut players = std::mem::take(&mut server.players);
    server.dice.draw(&mut players, all);
    server.players = players;
    let winner = if server.dice.below(2) == 0 { "a" } else { "b" };
    let (a, b) = server.players.split_at(all / 2);
    let scramble = in_update.then(|| json!({"players": server.players}));
    json!({
        "round_id": server.played.to_string(), "server": server.name, "map": "arena_well",
        "winner": winner, "team_a": a, "team_b": b, "scramble": scramble,
    })
}

/// Posts a round, or queues it if the service does not accept it. Returns `true` if accepted.
async fn post_round(stage: &Stage, server: &mut Server, round: &Value, due: Instant) -> bool {
    let outcome = stage.service.post("/v1/update", round).await;
    let Some(answer) = stage.noted("update", due, outcome) else {
        server.queue.push(round.clone());
        return false;
    };
    if answer["splits_error"].is_object() {
        stage.note("update", due, Ended::Failed("no splits".to_owned()));
    }
    if server.dice.below(ONE_LOST_OF) == 0 {
        let due = Instant::now();
        let outcome = stage.service.post("/v1/update", round).await;
        if let Some(again) = stage.noted("retry", due, outcome)
            && again["duplicate"] != true
        {
            stage.note("retry", due, Ended::Failed("counted twice".to_owned()));
        }
    }
    true
}

/// Sends the queued rounds and this one. Returns `true` if all were accepted.
async fn drain(stage: &Stage, server: &mut Server, round: Value, due: Instant) -> bool {
    server.queue.push(round);
    let outcome = stage
        .service
        .post("/v1/updates", &json!({"rounds": server.queue}))
        .await;
    let answer = stage.noted("updates", due, outcome);
    let answers = answer
        .as_ref()
        .and_then(|answer| answer["answers"].as_array());
    let all = answers.is_some_and(|all| all.iter().all(|one| one["status"] == 200));
    if all {
        server.queue.clear();
    } else {
        // Like the plugin, drops the oldest rounds of a full queue.
        let over = server.queue.len().saturating_sub(MAX_QUEUE);
        server.queue.drain(..over);
    }
    all
}
