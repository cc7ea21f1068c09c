//! pgbouncer between RBS and PostgreSQL. Session pooling works; transaction pooling is refused.

use std::fs;
use std::time::Duration;

use rbs::clock::Clock;
use rbs::store::{Store, StoreError};
use reqwest::{Client, StatusCode};
use serde_json::json;
use tempfile::TempDir;

use super::cluster::{Cluster, folder, is_root};
use crate::cli::clean;
use crate::cli::process::Process;
use crate::support::{Instance, Need, SECRET, settings};

/// Session settings that a pooler does not pass on.
const ROLE: [&str; 3] = [
    "alter role rbs set enable_seqscan = off",
    "alter role rbs set jit = off",
    "alter role rbs set plan_cache_mode = force_generic_plan",
];

struct Pooler {
    folder: TempDir,
    _process: Process,
}

impl Pooler {
    fn start(cluster: &Cluster, mode: &str) -> Self {
        let folder = folder();
        let path = folder.path().display();
        // pgbouncer started by root switches to the user that can enter the server's folder.
        let user = if is_root() { "user = postgres" } else { "" };
        let configuration = format!(
            "[databases]\npostgres = host={} user=rbs\n[pgbouncer]\nlisten_addr =\n\
             listen_port = 5432\nunix_socket_dir = {path}\nauth_type = any\npool_mode = {mode}\n\
             ignore_startup_parameters = extra_float_digits,options\n{user}\n",
            cluster.socket().display()
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, configuration).expect("the configuration");
        let process = Process::start(clean("pgbouncer", folder.path()).arg(&file));
        let socket = folder.path().join(".s.PGSQL.5432");
        for _ in 0..200 {
            if socket.exists() {
                return Self {
                    folder,
                    _process: process,
                };
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("pgbouncer does not listen: {:#?}", process.finish());
    }

    fn url(&self) -> String {
        let socket = self.folder.path().to_str().expect("a plain path");
        format!("postgres://rbs@{}/postgres", socket.replace('/', "%2F"))
    }

    async fn connect(&self) -> Result<Store, StoreError> {
        Store::connect(&self.url().parse().expect("an address")).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_by_the_transaction_is_refused_and_one_by_the_session_serves() {
    if Need::PostgresPrograms.is_left_out() || Need::Program("pgbouncer").is_left_out() {
        return;
    }
    let cluster = Cluster::start();
    for statement in ROLE {
        cluster.ask(statement);
    }
    for mode in ["transaction", "statement"] {
        let refused = Pooler::start(&cluster, mode).connect().await;
        let refused = refused.expect_err("a session of its own for each transaction");
        assert!(matches!(refused, StoreError::Pooled), "{mode}: {refused:?}");
        assert!(refused.to_string().contains("pool_mode = session"));
    }

    let pooler = Pooler::start(&cluster, "session");
    let instance = Instance::start(&settings(&pooler.url()), Clock::System).await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let sent = json!({
        "round_id": "1", "server": "s", "winner": "a",
        "team_a": ["76561197960265729"], "team_b": ["76561197960265730"],
    });
    let request = client.post(format!("{}/v1/update", instance.address));
    let answer = request.bearer_auth(SECRET).json(&sent).send().await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    instance.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_drops_the_options_is_refused() {
    if Need::PostgresPrograms.is_left_out() || Need::Program("pgbouncer").is_left_out() {
        return;
    }
    let cluster = Cluster::start();
    let refused = Pooler::start(&cluster, "session").connect().await;
    let refused = refused.expect_err("the options are lost");
    assert!(matches!(refused, StoreError::OptionsLost), "{refused:?}");
    assert!(refused.to_string().contains("enable_seqscan"));
}
