//! The release binary, run in child processes.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, fs};

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::history::{History, player};
use super::timing::milliseconds;
use super::{Dice, SECRET};

/// Poll interval, and maximum wait for the service.
const PAUSE: Duration = Duration::from_millis(10);
const LIMIT: Duration = Duration::from_mins(30);
/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(25);

#[derive(Debug)]
pub struct Program {
    database_url: String,
}

impl Program {
    pub fn new(database_url: String) -> Self {
        Self { database_url }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rbs"));
        command
            .args(arguments)
            .env("DATABASE_URL", &self.database_url)
            .env("RBS_SECRET", SECRET)
            .env("RBS_LOG", "warn")
            .stdout(Stdio::null());
        command
    }

    pub fn time(&self, arguments: &[&str]) -> Duration {
        let started = Instant::now();
        let status = self.command(arguments).status().expect("the program runs");
        assert!(status.success(), "rbs {arguments:?} failed: {status}");
        started.elapsed()
    }

    pub async fn serve(&self) -> Service {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = free.local_addr().expect("an address").to_string();
        drop(free);
        let process = self.command(&["serve"]).env("RBS_BIND", &address).spawn();
        let service = Service {
            process: process.expect("the program runs"),
            url: format!("http://{address}"),
            client: Client::builder().no_proxy().build().expect("a client"),
        };
        let deadline = Instant::now() + LIMIT;
        let ready = format!("{}/readyz", service.url);
        while !matches!(service.client.get(&ready).send().await, Ok(answer) if answer.status().is_success())
        {
            assert!(Instant::now() < deadline, "the service is not ready");
            tokio::time::sleep(PAUSE).await;
        }
        service
    }
}

/// A running service in a child process.
#[derive(Debug)]
pub struct Service {
    process: Child,
    url: String,
    client: Client,
}

impl Drop for Service {
    fn drop(&mut self) {
        let stopped = self.process.kill().and_then(|()| self.process.wait());
        stopped.expect("the service stops");
    }
}

impl Service {
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> (StatusCode, String) {
        ask(&self.client, method, &format!("{}{path}", self.url), body).await
    }

    /// Measures each list of the dashboard on its first request.
    pub async fn time_lists(&self) -> Vec<(String, Duration)> {
        let busy = player(0);
        let paths = [
            "/v1/admin/pools".to_owned(),
            "/v1/leaderboard?limit=100".to_owned(),
            "/v1/admin/quality".to_owned(),
            "/v1/admin/quality/history?points=500".to_owned(),
            "/v1/admin/activity?hours=336".to_owned(),
            "/v1/admin/audit?limit=500".to_owned(),
            "/v1/admin/interventions?limit=500".to_owned(),
            "/v1/admin/interventions/summary?days=90".to_owned(),
            "/v1/admin/rounds?limit=500".to_owned(),
            "/v1/admin/rounds?server=server-7&limit=500".to_owned(),
            format!("/v1/admin/rounds?player={busy}&limit=500"),
            format!("/v1/admin/rounds?player={busy}&server=server-7&limit=500"),
            format!("/v1/admin/rounds?player={}&limit=500", player(30_000)),
            format!("/v1/admin/players/{busy}"),
            format!("/v1/admin/players/{busy}/history?points=2000"),
            format!("/v1/admin/players/{busy}/powers"),
            format!("/v1/players/{busy}/profile"),
            "/v1/admin/players?limit=50".to_owned(),
            "/v1/admin/players?sort=-change_30_days&limit=50".to_owned(),
            "/v1/admin/players?search=7656&limit=8".to_owned(),
            "/v1/admin/servers".to_owned(),
            "/v1/admin/seasons".to_owned(),
            "/v1/admin/models".to_owned(),
            "/v1/admin/imports".to_owned(),
            "/v1/admin/rebuild".to_owned(),
            "/v1/admin/refusals".to_owned(),
            "/v1/admin/settings".to_owned(),
            "/v1/admin/diagnostics".to_owned(),
        ];
        let mut times = Vec::new();
        for path in paths {
            let started = Instant::now();
            let (status, body) = self.ask(Method::GET, &path, None).await;
            assert!(status.is_success(), "{path}: {status} {body}");
            times.push((path, started.elapsed()));
        }
        times
    }

    /// Voids a round, or restores it, depending on `change`. Returns the time until the new ratings count.
    pub async fn change(&self, (server, round_id): &(String, String), change: &str) -> Duration {
        let round = format!("/v1/admin/rounds/{server}/{round_id}");
        let started = Instant::now();
        let path = format!("{round}/{change}");
        let (status, body) = self
            .ask(Method::POST, &path, Some(&json!({"reason": "measured"})))
            .await;
        assert!(status.is_success(), "{status}: {body}");
        while started.elapsed() < LIMIT {
            let (status, body) = self.ask(Method::GET, &round, None).await;
            assert!(status.is_success(), "{status}: {body}");
            let answer: Value = serde_json::from_str(&body).expect("JSON");
            if answer["in_progress"].is_null() {
                let is_void = answer["void"].is_object();
                assert_eq!(is_void, change == "void", "{round}: {answer}");
                return started.elapsed();
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("there was no {change} of {round} in {LIMIT:?}");
    }

    /// Memory of the process in MiB.
    pub fn memory(&self) -> u64 {
        self.memory_of("VmRSS:")
    }

    /// Peak memory in MiB since [`Service::forget_peak`].
    pub fn peak_memory(&self) -> u64 {
        self.memory_of("VmHWM:")
    }

    pub fn forget_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.process.id());
        fs::write(path, "5").expect("Linux forgets the peak");
    }

    fn memory_of(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(path).expect("Linux has it");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
        let kibibytes: u64 = number.expect("a size").parse().expect("a number");
        kibibytes / 1024
    }
}

/// Rounds posted one after another at fixed times.
#[derive(Debug)]
pub struct Updates {
    stop: oneshot::Sender<()>,
    posting: JoinHandle<Latencies>,
}

impl Updates {
    /// Starts posting rounds numbered from `first`.
    pub fn post(history: History, first: u64, service: &Service) -> Self {
        let (client, url) = (service.client.clone(), format!("{}/v1/update", service.url));
        let (stop, mut stopped) = oneshot::channel();
        let posting = tokio::spawn(async move {
            let mut dice = Dice::new(first);
            let mut latencies = Latencies::default();
            let mut due = tokio::time::interval(INTERVAL);
            for number in first.. {
                let due = due.tick().await;
                if stopped.try_recv().is_ok() {
                    break;
                }
                let round = history.round(number, &mut dice);
                let (status, _) = ask(&client, Method::POST, &url, Some(&round)).await;
                latencies.refused += usize::from(!status.is_success());
                latencies.times.push(due.elapsed());
            }
            latencies
        });
        Self { stop, posting }
    }

    /// Stops posting and returns the latencies.
    pub async fn stop(self) -> Latencies {
        self.stop.send(()).expect("it goes on until it is stopped");
        self.posting.await.expect("nothing panics")
    }
}

/// Latencies of updates since they were due, and the number of refused updates.
#[derive(Debug, Default)]
pub struct Latencies {
    times: Vec<Duration>,
    refused: usize,
}

impl Latencies {
    pub fn count(&self) -> usize {
        self.times.len()
    }

    pub fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.refused += other.refused;
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.times.clone();
        times.sort_unstable();
        let percentile = |percent: usize| milliseconds(times[(times.len() - 1) * percent / 100]);
        write!(
            formatter,
            "{} updates, {} refused, median {:.1} ms, 99th percentile {:.1} ms",
            times.len(),
            self.refused,
            percentile(50),
            percentile(99),
        )
    }
}

async fn ask(
    client: &Client,
    method: Method,
    url: &str,
    body: Option<&Value>,
) -> (StatusCode, String) {
    let mut request = client.request(method, url).bearer_auth(SECRET);
    if let Some(body) = body {
        request = request.json(body);
    }
    let response = request.send().await.expect("an answer");
    let status = response.status();
    (status, response.text().await.expect("a body"))
}
