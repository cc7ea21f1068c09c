//! A standby that is read from: it falls behind, goes away and comes back, and the service goes on.

use std::time::Duration;

use rbs::clock::Clock;
use rbs::config::Settings;
use rbs::store::{Standby, StandbyError, StandbyUrl, Store};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use super::cluster::Cluster;
use crate::support::{ADMIN_SECRET, Instance, Need, SECRET, settings};

/// What is read from the standby.
const FROM_STANDBY: [&str; 11] = [
    "/v1/leaderboard",
    "/v1/admin/quality",
    "/v1/admin/quality/history",
    "/v1/admin/models",
    "/v1/admin/activity",
    "/v1/admin/pools",
    "/v1/admin/servers",
    "/v1/admin/rounds",
    "/v1/admin/audit",
    "/v1/admin/interventions",
    "/v1/admin/interventions/summary",
];

/// What is not, because it decides something or follows a change.
const FROM_PRIMARY: [&str; 4] = [
    "/v1/players/76561197960265729",
    "/v1/admin/players/76561197960265729",
    "/v1/admin/players/76561197960265729/history",
    "/v1/admin/rounds/s/1",
];

/// Longer than the service leaves a standby alone that failed.
const BACK_WITHIN: Duration = Duration::from_secs(20);

/// A service that reads from a standby.
struct Site {
    primary: Cluster,
    standby: Cluster,
    instance: Instance,
    client: Client,
}

impl Site {
    async fn start() -> Self {
        let primary = Cluster::start();
        let standby = primary.standby();
        // A round is acknowledged whatever becomes of the standby.
        primary.wait_for_nobody();
        let settings = Settings {
            read_database: Some(standby.url().parse().expect("an address")),
            ..settings(&primary.url())
        };
        Self {
            primary,
            standby,
            instance: Instance::start(&settings, Clock::System).await,
            client: Client::builder().no_proxy().build().expect("a client"),
        }
    }

    async fn play(&self, round_id: &str) {
        let round = json!({
            "round_id": round_id, "server": "s", "winner": "a",
            "team_a": ["76561197960265729"], "team_b": ["76561197960265730"],
        });
        let request = self.request(Method::POST, "/v1/update", SECRET);
        let answer = request.json(&round).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(lag(&answer), None, "a round is counted by the primary");
    }

    fn request(&self, method: Method, path: &str, secret: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.instance.address);
        self.client.request(method, url).bearer_auth(secret)
    }

    /// What the path answers, and how far the standby was behind that it was read from.
    async fn get(&self, path: &str) -> (Value, Option<f64>) {
        let answer = self.request(Method::GET, path, ADMIN_SECRET).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let lag = lag(&answer);
        (answer.json().await.expect("JSON"), lag)
    }

    async fn metric(&self, name: &str) -> f64 {
        let answer = self.request(Method::GET, "/metrics", SECRET).send().await;
        let text = answer.expect("an answer").text().await.expect("a text");
        let line = text.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.rsplit_once(' '));
        let (_, value) = value.unwrap_or_else(|| panic!("no {name}: {text}"));
        value.parse().expect("a number")
    }

    /// Waits until so many rounds are read from the standby, and it is not behind.
    async fn wait_for_rounds(&self, rounds: u64) {
        let waiting = async {
            loop {
                let (quality, lag) = self.get("/v1/admin/quality").await;
                if quality["rounds"] == rounds && lag == Some(0.0) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let waited = tokio::time::timeout(BACK_WITHIN, waiting).await;
        waited.expect("the standby catches up");
    }
}

fn lag(answer: &reqwest::Response) -> Option<f64> {
    let lag = answer.headers().get("rbs-standby-lag")?;
    Some(lag.to_str().expect("a text").parse().expect("seconds"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_is_read_from_with_its_lag_and_may_go_away() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let site = Site::start().await;
    site.play("1").await;
    site.wait_for_rounds(1).await;
    for path in FROM_STANDBY {
        assert!(site.get(path).await.1.is_some(), "{path} has no lag");
    }
    for path in FROM_PRIMARY {
        assert_eq!(site.get(path).await.1, None, "{path}");
    }

    site.standby.ask("select pg_wal_replay_pause()");
    site.play("2").await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let (quality, behind) = site.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 1, "it is read from the standby");
    assert!(behind.is_some_and(|lag| lag >= 1.0), "{behind:?}");
    let (player, _) = site.get("/v1/players/76561197960265729").await;
    assert_eq!(player["rounds"], 2, "it is read from the primary");
    assert!(site.metric("rbs_standby_lag_seconds").await >= 1.0);

    site.standby.ask("select pg_wal_replay_resume()");
    site.wait_for_rounds(2).await;
    // Nothing happens on the primary, which is no lag.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(site.get("/v1/admin/quality").await.1, Some(0.0));
    assert_eq!(site.get("/readyz").await.0["standby"], "up");

    site.standby.crash();
    // What was counted of the activity is kept for ten seconds, and stands with the servers too.
    let kept = |path: &&str| path.ends_with("/activity") || path.ends_with("/servers");
    for path in FROM_STANDBY.into_iter().filter(|path| !kept(path)) {
        assert_eq!(site.get(path).await.1, None, "{path}");
    }
    site.play("3").await;
    assert_eq!(site.get("/v1/admin/quality").await.0["rounds"], 3);
    let ready = json!({"status": "ready", "standby": "down"});
    assert_eq!(site.get("/readyz").await.0, ready);
    assert!(site.metric("rbs_standby_up").await < 0.5);
    assert!(site.metric("rbs_standby_fallbacks_total").await >= 8.0);

    site.standby.start_server();
    site.wait_for_rounds(3).await;
    assert!(site.metric("rbs_standby_up").await > 0.5);
    site.instance.stop().await;
    drop((site.primary, site.standby));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_the_primarys_standby_is_not_read_from() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let primary = Cluster::start();
    let standby = primary.standby();
    primary.wait_for_nobody();
    primary.ask("create schema other");
    let schema = |url: String, schema: &str| format!("{url}?options=-csearch_path%3D{schema}");
    let open = async |url: String| {
        let store = Store::connect(&url.parse().expect("an address")).await;
        let store = store.expect("a database");
        store.migrate().await.expect("tables");
        store
    };
    let store = open(primary.url()).await;
    let other = open(schema(primary.url(), "other")).await;
    let look = async |url: String| {
        let url: StandbyUrl = url.parse().expect("an address");
        let standby = Standby::new(&url);
        let lag = standby.lag(&store).await;
        standby.close().await;
        lag
    };
    let has_no_tables = async |url: String| matches!(look(url).await, Err(StandbyError::Store(_)));
    let caught_up = async {
        while look(standby.url()).await.is_err()
            || has_no_tables(schema(standby.url(), "other")).await
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let caught_up = tokio::time::timeout(BACK_WITHIN, caught_up).await;
    caught_up.expect("the standby has the tables");

    let is_primary = look(primary.url()).await;
    assert!(
        matches!(is_primary, Err(StandbyError::NoStandby)),
        "{is_primary:?}"
    );
    let of_others = look(schema(standby.url(), "other")).await;
    assert!(
        matches!(of_others, Err(StandbyError::OtherTables)),
        "{of_others:?}"
    );
    let of_nobody = look(schema(standby.url(), "nothing")).await;
    assert!(
        matches!(of_nobody, Err(StandbyError::Store(_))),
        "{of_nobody:?}"
    );
    // As while the standby has not replayed a migration yet.
    primary.ask("delete from _sqlx_migrations where version > 3");
    let behind = async {
        loop {
            match look(standby.url()).await {
                Err(StandbyError::OtherMigration { found: 3, .. }) => break,
                other => assert!(other.is_ok(), "{other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let behind = tokio::time::timeout(BACK_WITHIN, behind).await;
    behind.expect("the older migration is noticed");
    store.close().await;
    other.close().await;
}
