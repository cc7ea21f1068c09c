//! Memory of a running service while it computes the largest split tables.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::cli::Folder;
use crate::cli::process::Process;
use crate::cli::running::Running;

/// Setting `solver_memory`, in MiB.
const BUDGET: u64 = 64;
/// Allowance in MiB for everything else at that number of concurrent requests.
const ALL_ELSE: u64 = 200;
const CLIENTS: usize = 4;

#[derive(Clone)]
struct Target {
    client: Client,
    url: String,
    secret: String,
}

impl Target {
    async fn send(&self, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let answer = request.bearer_auth(&self.secret).json(body).send().await;
        let answer = answer.expect("an answer");
        let status = answer.status();
        (status, answer.json().await.expect("JSON"))
    }

    /// Gives players 1 to 128 evenly spread ratings from 100 to 10,000.
    async fn rate(&self) {
        for number in 1..=128_u64 {
            let path = format!("/v1/admin/players/{}", 76_561_197_960_265_728 + number);
            let rating = json!({"rating": 100 + number * 7919 % 9901});
            let (status, answer) = self.send(Method::PUT, &path, &rating).await;
            assert_eq!(status, StatusCode::OK, "{answer}");
        }
    }
}

fn players(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let numbers = numbers.into_iter();
    numbers.map(|number| format!("[U:1:{number}]")).collect()
}

/// Pairs apart that form a connected web of `count` players.
fn web(count: usize) -> Vec<Vec<String>> {
    let steps = [1, count / 3, count / 2 - 1].into_iter();
    let pairs = steps.flat_map(|step| (0..count).map(move |one| (one, (one + step) % count)));
    let pairs = pairs.take(64);
    pairs
        .map(|(one, other)| players([one + 1, other + 1]))
        .collect()
}

/// Wishes of every kind for `count` players from `first`.
fn all_wishes(first: usize, count: usize) -> Value {
    let last = first + count;
    let group = |size: usize, groups: usize| {
        let starts = (first..last).step_by(size).take(groups);
        starts.map(move |start| players(start..(start + size).min(last)))
    };
    let waited: serde_json::Map<String, Value> = (first..last)
        .map(|number| (format!("[U:1:{number}]"), json!(number % 5)))
        .collect();
    let middle = first + count / 2;
    let apart = (0..8).map(|step| players([first + 4 * step, last - 1 - 3 * step]));
    json!({
        "players": players(first..last), "parties": group(3, 8).collect::<Vec<_>>(),
        "apart": apart.collect::<Vec<_>>(), "waited": waited, "tolerance": 100,
        "roles": group(6, 4).zip(["a", "b", "c", "d"])
            .map(|(players, name)| json!({"name": name, "players": players, "each": 2}))
            .collect::<Vec<_>>(),
        "current": {"a": players(first..middle), "b": players(middle..last)},
        "recent": [{"a": players(middle..last), "b": players(first..middle)}],
        "sizes": [count / 2 - 1], "alternatives": {"size": count / 2 - 1, "count": 20},
    })
}

/// Two of the largest tables for each client.
fn requests(client: usize) -> [Value; 2] {
    let webbed = |count: usize| json!({"players": players(1..=count), "apart": web(count)});
    let halves = |count: usize| json!({"players": players(1..=count), "sizes": [count / 2]});
    let mut requests = match client {
        0 => [webbed(32), halves(128)],
        1 => [all_wishes(1, 128), webbed(28)],
        2 => [halves(126), webbed(24)],
        _ => [webbed(31), all_wishes(1, 64)],
    };
    for request in &mut requests {
        request["server"] = json!(format!("server-{client}"));
    }
    requests
}

/// A value of `/proc/PID/status`, such as `VmHWM`, in MiB.
fn memory(process: &Process, line: &str) -> u64 {
    let path = format!("/proc/{}/status", process.id());
    let status = std::fs::read_to_string(path).expect("the process runs");
    let found = status.lines().find_map(|status| status.strip_prefix(line));
    let kibibytes = found.and_then(|rest| rest.split_whitespace().nth(1));
    let kibibytes: u64 = kibibytes
        .and_then(|text| text.parse().ok())
        .expect("a size");
    kibibytes / 1024
}

#[tokio::test(flavor = "multi_thread")]
async fn many_large_tables_at_once_keep_to_the_memory_that_is_set() {
    let folder = Folder::new();
    let configuration = format!("solver_memory = {BUDGET}\nrequest_timeout = 300\n");
    folder.write("config/rbs.toml", configuration);
    let running = Running::of(folder, Vec::new());
    let target = Target {
        client: Client::builder().no_proxy().build().expect("a client"),
        url: format!("http://{}", running.address),
        secret: running.secret(),
    };
    target.rate().await;
    let small = json!({"server": "s", "players": players(1..=12)});
    let (status, _) = target.send(Method::POST, "/v1/scramble", &small).await;
    assert_eq!(status, StatusCode::OK);
    let before = memory(&running.service, "VmRSS");

    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let target = target.clone();
        clients.spawn(async move {
            let mut answers = Vec::new();
            for request in requests(client) {
                answers.push(target.send(Method::POST, "/v1/scramble", &request).await);
            }
            answers
        });
    }
    let mut unproven = 0;
    for (status, answer) in clients.join_all().await.into_iter().flatten() {
        if status == StatusCode::TOO_MANY_REQUESTS {
            continue;
        }
        assert_eq!(status, StatusCode::OK, "{answer:.300}");
        let splits = answer["splits"].as_array().expect("splits");
        assert!(!splits.is_empty(), "{answer:.300}");
        unproven += splits
            .iter()
            .filter(|split| split["optimal"] == false)
            .count();
    }
    assert!(
        unproven > 0,
        "a web of 32 players does not fit {BUDGET} MiB"
    );
    let most = memory(&running.service, "VmHWM");
    assert!(
        most <= before + BUDGET + ALL_ELSE,
        "{before} MiB before, {most} MiB at most"
    );
    running.stop();
}
