//! Latency seen by a game server that sends one request after another over a persistent connection, on both databases.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use rbs::http::{App, AuthConfig, Authenticator, Limits, Reloader};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use support::{Database, Dice, ENGINES, Engine, SECRET};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// Players of a round, and number of players they are drawn from.
const PLAYERS: usize = 24;
const POPULATION: u64 = 1_000;
/// Rounds played before the measurement, so that every player has a history.
const EARLIER: usize = 2_000;

async fn ask(client: &Client, method: Method, url: &str, body: Option<&Value>) {
    let mut request = client.request(method, url).bearer_auth(SECRET);
    if let Some(body) = body {
        request = request.json(body);
    }
    let response = request.send().await.expect("an answer");
    let status = response.status();
    let body = response.text().await.expect("a body");
    assert!(status.is_success(), "{status}: {body}");
}

fn measure(criterion: &mut Criterion, runtime: &Runtime, engine: Engine) {
    let database = runtime.block_on(Database::create(engine));
    let settings = database.settings("");
    let service = runtime.block_on(support::open(&settings));
    let listener = runtime
        .block_on(TcpListener::bind("127.0.0.1:0"))
        .expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let authenticator = Authenticator::new(AuthConfig {
        game: settings.secrets.clone().expect("a secret").0,
        admin: None,
        bound: Vec::new(),
        read: None,
        rate_limit: None,
        metrics_public: false,
    });
    let (serving, accepting) = (service.clone(), authenticator.clone());
    let unchanged = || Err("a measurement has no configuration".to_owned());
    let app = App {
        service: service.clone(),
        authenticator,
        reloader: Reloader::new(serving, accepting, Vec::new(), unchanged),
        request_timeout: settings.request_timeout,
        limits: Limits::default(),
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = runtime.spawn(rbs::http::serve(listener, app, async {
        let _told_or_gone = stopped.await;
    }));

    let mut dice = Dice::new(1);
    let mut population = support::players(0, POPULATION);
    let mut played = 0;
    let mut next_round = || {
        played += 1;
        dice.shuffle(&mut population, PLAYERS);
        let chosen = population.get(..PLAYERS).expect("enough players");
        let pool = "default";
        support::round_json(pool, &played.to_string(), chosen, &mut dice)
    };
    let client = Client::builder().no_proxy().build().expect("a client");
    runtime.block_on(async {
        for _ in 0..EARLIER {
            let round = next_round();
            ask(
                &client,
                Method::POST,
                &format!("{url}/update"),
                Some(&round),
            )
            .await;
        }
    });

    let mut group = criterion.benchmark_group(engine.name());
    group.bench_function("update, 24 players", |bencher| {
        bencher.to_async(runtime).iter_batched(
            &mut next_round,
            async |round| {
                ask(
                    &client,
                    Method::POST,
                    &format!("{url}/update"),
                    Some(&round),
                )
                .await;
            },
            criterion::BatchSize::SmallInput,
        );
    });
    let one = population.first().expect("a player");
    group.bench_function("player", |bencher| {
        bencher.to_async(runtime).iter(async || {
            ask(&client, Method::GET, &format!("{url}/players/{one}"), None).await;
        });
    });
    group.finish();
    measure_splits(
        criterion,
        runtime,
        engine,
        &client,
        &format!("{url}/scramble"),
    );

    drop(stop);
    drop(client);
    runtime.block_on(async {
        serving
            .await
            .expect("serving ends")
            .expect("serving ends well");
        service.close().await;
        database.remove().await;
    });
}

/// Measures splits of a server: computed, answered from the cache, and read back.
fn measure_splits(
    criterion: &mut Criterion,
    runtime: &Runtime,
    engine: Engine,
    client: &Client,
    url: &str,
) {
    let mut dice = Dice::new(2);
    let mut crowd = support::players(0, POPULATION);
    let mut another = || {
        dice.shuffle(&mut crowd, PLAYERS);
        let chosen = crowd.iter().take(PLAYERS);
        let ids: Vec<String> = chosen.map(u64::to_string).collect();
        json!({"server": "default-1", "players": ids})
    };
    let known = another();
    let mut group = criterion.benchmark_group(engine.name());
    group.bench_function("scramble, 24 players, another each time", |bencher| {
        bencher.to_async(runtime).iter_batched(
            &mut another,
            async |body| ask(client, Method::POST, url, Some(&body)).await,
            criterion::BatchSize::SmallInput,
        );
    });
    group.bench_function("scramble, 24 players, computed before", |bencher| {
        bencher
            .to_async(runtime)
            .iter(async || ask(client, Method::POST, url, Some(&known)).await);
    });
    let last = format!("{url}?server=default-1");
    group.bench_function("last scramble, 24 players", |bencher| {
        bencher
            .to_async(runtime)
            .iter(async || ask(client, Method::GET, &last, None).await);
    });
    group.finish();
}

fn http(criterion: &mut Criterion) {
    support::postgres_server().unwrap_or_else(|advice| panic!("{advice}"));
    let runtime = Runtime::new().expect("a runtime");
    for engine in ENGINES {
        measure(criterion, &runtime, engine);
    }
}

criterion_group!(benches, http);
criterion_main!(benches);
