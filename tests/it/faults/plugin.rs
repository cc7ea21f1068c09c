//! Simulated plugins, which resend a round until it is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rbs::clock::Clock;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::support::{Dice, SECRET};

/// Number of concurrent plugins.
const PLUGINS: usize = 16;
/// Few players, so that rounds share players.
const PLAYERS: usize = 40;
/// Request timeout of a plugin.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than the service takes to recover from the last fault.
const BACK: Duration = Duration::from_mins(1);

/// Current addresses of the service instances.
pub type Addresses = watch::Receiver<Vec<String>>;

pub struct Plugins {
    stop: Arc<AtomicBool>,
    playing: JoinSet<Played>,
}

#[derive(Debug, Default)]
pub struct Played {
    /// Rounds with their answers.
    pub acknowledged: Vec<(Value, Value)>,
    /// Rounds given up without an answer.
    pub abandoned: Vec<Value>,
    /// Number of refused or unanswered requests.
    pub failures: usize,
    /// Number of rounds whose first received answer was "duplicate", because the original answer was lost.
    pub answers_lost: usize,
}

impl Plugins {
    pub fn start(seed: u64, addresses: &Addresses) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let mut playing = JoinSet::new();
        for number in 0..PLUGINS {
            let plugin = Plugin::new(seed, number, addresses.clone());
            playing.spawn(plugin.play(Arc::clone(&stop)));
        }
        Self { stop, playing }
    }

    /// Stops once every plugin's last round is answered.
    pub async fn stop(self) -> Played {
        self.stop.store(true, Ordering::Relaxed);
        let all = tokio::time::timeout(BACK, self.playing.join_all()).await;
        let all = all.unwrap_or_else(|_| panic!("a round is still not answered after {BACK:?}"));
        let mut together = Played::default();
        for one in all {
            together.acknowledged.extend(one.acknowledged);
            together.abandoned.extend(one.abandoned);
            together.failures += one.failures;
            together.answers_lost += one.answers_lost;
        }
        together
    }
}

/// Resends every acknowledged round. Each must get its original answer, as a duplicate.
pub async fn ask_again(played: &Played, addresses: &Addresses) {
    let mut asking = JoinSet::new();
    let share = played.acknowledged.len().div_ceil(PLUGINS).max(1);
    for (number, rounds) in played.acknowledged.chunks(share).enumerate() {
        let mut plugin = Plugin::new(0, number, addresses.clone());
        let rounds = rounds.to_vec();
        asking.spawn(async move {
            for (round, answer) in rounds {
                plugin.repeat(&round, &answer).await;
            }
        });
    }
    asking.join_all().await;
}

struct Plugin {
    number: usize,
    seed: u64,
    dice: Dice,
    client: Client,
    addresses: Addresses,
    attempts: usize,
    played: Played,
}

impl Plugin {
    fn new(seed: u64, number: usize, addresses: Addresses) -> Self {
        let client = Client::builder().no_proxy().timeout(TIMEOUT).build();
        Self {
            number,
            seed,
            dice: Dice::new(seed.wrapping_mul(1_000_003) + number as u64),
            client: client.expect("a client"),
            addresses,
            attempts: number,
            played: Played::default(),
        }
    }

    async fn play(mut self, stop: Arc<AtomicBool>) -> Played {
        let mut number = 0;
        while !stop.load(Ordering::Relaxed) {
            number += 1;
            let round = self.next_round(number);
            let Some(answer) = self.post(&round, &stop).await else {
                self.played.abandoned.push(round);
                continue;
            };
            self.played.answers_lost += usize::from(answer["duplicate"] == true);
            if self.dice.one_in(4) {
                self.repeat(&round, &answer).await;
            }
            self.played.acknowledged.push((round, answer));
            tokio::time::sleep(Duration::from_millis(self.dice.below(40) as u64)).await;
        }
        self.played
    }

    /// Sends the round until it is answered. Returns `None` if the plugin forgets it, as after a restart.
    async fn post(&mut self, round: &Value, stop: &AtomicBool) -> Option<Value> {
        loop {
            if let Some(answer) = self.attempt(round).await {
                return Some(answer);
            }
            self.played.failures += 1;
            // The last round is never given up, so the service must recover in the end.
            if self.dice.one_in(24) && !stop.load(Ordering::Relaxed) {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(10 + self.dice.below(40) as u64)).await;
        }
    }

    /// Resends an acknowledged round until it gets its original answer.
    async fn repeat(&mut self, round: &Value, answer: &Value) {
        loop {
            if let Some(mut again) = self.attempt(round).await {
                assert_eq!(again["duplicate"], true, "counted twice: {round}");
                again["duplicate"] = answer["duplicate"].clone();
                assert_eq!(&again, answer, "a retry is answered otherwise: {round}");
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Sends one request to one instance. Returns `None` without a final answer.
    async fn attempt(&mut self, round: &Value) -> Option<Value> {
        let address = {
            let addresses = self.addresses.borrow();
            self.attempts += 1;
            addresses[self.attempts % addresses.len()].clone()
        };
        let request = self.client.post(format!("http://{address}/v1/update"));
        let response = request.bearer_auth(SECRET).json(round).send().await.ok()?;
        let status = response.status();
        let body = response.text().await.ok()?;
        match status {
            StatusCode::OK => {
                let answer = serde_json::from_str(&body);
                Some(answer.unwrap_or_else(|error| panic!("{error}: {body}")))
            }
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => None,
            _ => panic!("{round} is answered {status}: {body}"),
        }
    }

    fn next_round(&mut self, number: u32) -> Value {
        let mut players: Vec<usize> = (1..=PLAYERS).collect();
        for place in 0..6 {
            let other = place + self.dice.below(PLAYERS - place);
            players.swap(place, other);
        }
        let team = |of: &[usize]| -> Vec<String> {
            of.iter().map(|player| format!("[U:1:{player}]")).collect()
        };
        let winner = ["a", "b", "draw"][self.dice.below(3)];
        let server = format!("server-{}", self.number);
        let mut round = json!({
            "round_id": format!("{}:{number}", self.seed), "server": server,
            "winner": winner,
            "pool": if self.number.is_multiple_of(4) { "arena" } else { "default" },
            "team_a": team(&players[..3]), "team_b": team(&players[3..6]),
        });
        if self.dice.one_in(2) {
            // The service refuses old rounds.
            let now = Clock::System.now().unix_micros() / 1_000_000;
            round["ended_at"] = json!(now - i64::from(number % 60) * 60);
        }
        round
    }
}
