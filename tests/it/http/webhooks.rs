//! Messages to webhooks: each event is told once, is retried, delays nothing, and goes to allowed addresses only.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rbs::config::Settings;
use rbs::service::Declared;
use rbs::webhook::{Client, is_public};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

use super::service::metrics::{scrape, value};
use super::{configuration, id, ids, posted, posted_to, round, set_clock, set_in_arena};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send};

on_both_databases!(
    each_event_is_told_once_by_one_of_all_instances,
    a_receiver_that_is_away_gets_its_message_later,
    a_receiver_that_hangs_delays_nothing,
);
same_on_both_databases!(only_wanted_events_go_to_allowed_addresses_only);

const TAKEN: &str = "204 No Content";

/// A chat of the test, which answers with the given statuses, the last first, and then takes everything.
struct Chat {
    port: u16,
    messages: mpsc::UnboundedReceiver<Value>,
    statuses: Arc<Mutex<Vec<&'static str>>>,
    /// Permits to answer; each answer needs one of them.
    answers: Arc<Semaphore>,
    serving: JoinHandle<()>,
}

impl Chat {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (arrived, messages) = mpsc::unbounded_channel();
        let statuses = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Semaphore::new(1_000));
        let (next, free) = (Arc::clone(&statuses), Arc::clone(&answers));
        let serving = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let (next, free) = (Arc::clone(&next), Arc::clone(&free));
                let arrived = arrived.clone();
                tokio::spawn(async move {
                    let Some(message) = read(&mut stream).await else {
                        return;
                    };
                    let _test_ended = arrived.send(message);
                    free.acquire().await.expect("an open semaphore").forget();
                    let status = next.lock().expect("no panic").pop().unwrap_or(TAKEN);
                    let head = "content-length: 0\r\nconnection: close";
                    let answer = format!("HTTP/1.1 {status}\r\n{head}\r\n\r\n");
                    let _gone = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self {
            port,
            messages,
            statuses,
            answers,
            serving,
        }
    }

    async fn next(&mut self) -> Value {
        let waited = tokio::time::timeout(Duration::from_secs(20), self.messages.recv());
        waited.await.unwrap_or_default().unwrap_or_default()
    }

    /// Asserts that the next message is about `event`, and returns its sentence.
    async fn told(&mut self, event: &str) -> String {
        let message = self.next().await;
        assert_eq!(message["event"], event, "{message}");
        assert_eq!(message["pool"], "arena");
        assert_eq!(message["allowed_mentions"], json!({"parse": []}));
        message["content"].as_str().expect("a sentence").to_owned()
    }
}

impl Drop for Chat {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Reads a request, and returns its JSON; `None` if it is no POST with a body.
async fn read(stream: &mut TcpStream) -> Option<Value> {
    let mut text = Vec::new();
    while stream.read_buf(&mut text).await.ok()? > 0 {
        let whole = String::from_utf8_lossy(&text);
        let (head, body) = whole.split_once("\r\n\r\n").unwrap_or_default();
        if let Ok(message) = serde_json::from_str(body) {
            assert!(head.starts_with("POST /hooks/a-secret "), "{head}");
            return Some(message);
        }
    }
    None
}

fn settings(app: &App, webhook: &str) -> Settings {
    let text = format!(
        "void_own_minutes = 10\nmax_round_age_days = 0\n[pools.arena.leaderboard]\npublic = \"ratings\"\nnames = true\n\
         [pools.arena.webhook]\n{webhook}"
    );
    configuration(app.settings.database.clone(), &text)
}

fn allowed(chat: &Chat) -> String {
    format!(
        "url = \"http://127.0.0.1:{}/hooks/a-secret\"\nallow_private = true",
        chat.port
    )
}

async fn instance(app: &App, webhook: &str) -> Instance {
    let instance = Instance::start(&settings(app, webhook), app.clock.clone()).await;
    instance.service.tell_webhooks(&Client::default());
    instance
}

async fn look(instances: &[&Instance]) {
    for instance in instances {
        instance.service.look_for_news().await.expect("a look");
    }
}

/// Asks for the odds of uneven teams, as the plugin does after a round.
async fn ask_for_odds(app: &App, to: &Instance, secret: &str, limit: f64) {
    let request = app.bare_to(&to.address, Method::POST, "/v1/balance");
    let body = json!({
        "server": "arena-1", "team_a": ids([1, 2]), "team_b": ids([3, 4]), "modes": ["tournament"],
        "scramble_above": limit,
    });
    let (status, answer) = send(request.bearer_auth(secret).json(&body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
}

async fn count(app: &App, to: &Instance, result: &str) -> f64 {
    let request = app.request_to(&to.address, Method::GET, "/metrics");
    let name = format!("rbs_webhook_messages_total{{pool=\"arena\",result=\"{result}\"}}");
    value(&scrape(request).await, &name).expect("a count")
}

async fn each_event_is_told_once_by_one_of_all_instances(app: &App) {
    let mut chat = Chat::open().await;
    let one = instance(app, &allowed(&chat)).await;
    let other = instance(app, &allowed(&chat)).await;
    let both = [&one, &other];
    let greeting = chat.next().await;
    let expected = "RBS will post news about the pool `arena` in this chat.";
    let found = (&greeting["content"], &greeting["text"]);
    assert_eq!(found, (&json!(expected), &json!(expected)));
    let silent = chat.told("server_silent").await;
    let says = "`arena-1` (pool `arena`): it has never sent";
    assert!(silent.starts_with(says), "{silent}");

    let hello = json!({"server": "arena-1", "plugin": "1.2.3+tf2"});
    posted_to(app, &one.address, "/v1/hello", &hello).await;
    look(&both).await;
    let back = chat.told("server_silent").await;
    assert_eq!(back, "`arena-1` (pool `arena`): it is back.");

    let refuse = async || {
        let odd = round("arena-1", "x", "red", &[1], &[2]);
        let request = app.request_to(&one.address, Method::POST, "/v1/update");
        refused(request.json(&odd), 422).await;
        look(&both).await;
    };
    refuse().await;
    refuse().await;
    let lost = chat.told("rounds_refused").await;
    assert!(lost.contains("1 of its rounds was refused"), "{lost}");
    set_clock(app, "2026-11-20T13:00:00Z");
    refuse().await;
    let lost = chat.told("rounds_refused").await;
    assert!(lost.contains("3 of its rounds were refused"), "{lost}");

    for number in 0..3 {
        let mut played = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        played["team_a"] = json!([{"id": id(1), "name": "[TF] <@1> Bob"}]);
        app.counted(&played).await;
    }
    let new_season = json!({"name": "Winter", "keep": 0.5});
    let request = app.admin(Method::POST, "/v1/admin/seasons?pool=arena");
    assert_eq!(send(request.json(&new_season)).await.0, StatusCode::OK);
    look(&both).await;
    let ended = chat.told("season_ended").await;
    let best = format!("\n1. \\[TF\\] 1 Bob\n2. {}", id(2));
    assert!(ended.ends_with(&best), "{ended}");

    let rounds = (0..512).map(|number| {
        let (a, b) = (1000 + 2 * number, 1001 + 2 * number);
        let winner = if number % 2 == 0 { "a" } else { "b" };
        round("arena-1", &format!("e{number}"), winner, &[a], &[b])
    });
    let rounds: Vec<Value> = rounds.collect();
    for chunk in rounds.chunks(64) {
        posted(app, "/v1/updates", &json!({"rounds": chunk})).await;
    }
    set_clock(app, "2026-11-21T14:00:00Z");
    look(&both).await;
    let word = app.get("/v1/admin/quality?pool=arena").await["verdict"]["word"].clone();
    let word = word.as_str().expect("a word").replace('_', " ");
    let says = format!("from \"too few rounds\" to \"{word}\"");
    let silent = chat.told("server_silent").await;
    assert!(silent.contains("nothing for 1 day"), "{silent}");
    let verdict = chat.told("verdict_changed").await;
    assert!(verdict.contains(&says), "{verdict}");

    let restarted = instance(app, &allowed(&chat)).await;
    look(&[&restarted, &one]).await;
    set_in_arena(app, 1, 1900).await;
    ask_for_odds(app, &one, SECRET, 0.99).await;
    // An admin who tries a request tells nobody.
    ask_for_odds(app, &one, ADMIN_SECRET, 0.6).await;
    ask_for_odds(app, &one, SECRET, 0.6).await;
    let odds = chat.told("scramble_by_odds").await;
    assert!(odds.contains("teams are uneven, with odds of"), "{odds}");
    for instance in [one, other, restarted] {
        instance.stop().await;
    }
    let more = chat.messages.try_recv();
    assert!(more.is_err(), "everything was told once: {more:?}");
}

async fn a_receiver_that_is_away_gets_its_message_later(app: &App) {
    let mut chat = Chat::open().await;
    let away = "503 Service Unavailable";
    let busy = "429 Too Many Requests\r\nretry-after: 1";
    let statuses = ["404 Not Found", TAKEN, TAKEN, busy, away, away];
    *chat.statuses.lock().expect("no panic") = statuses.to_vec();
    let one = instance(app, &allowed(&chat)).await;
    let greeting = chat.next().await;
    for retry in 1..=3 {
        assert_eq!(chat.next().await, greeting, "retry {retry}");
    }
    chat.told("server_silent").await;
    set_in_arena(app, 1, 1900).await;
    ask_for_odds(app, &one, SECRET, 0.6).await;
    ask_for_odds(app, &one, SECRET, 0.6).await;
    chat.told("scramble_by_odds").await;
    chat.told("scramble_by_odds").await;
    while count(app, &one, "sent").await < 3.0 {
        tokio::task::yield_now().await;
    }
    let failed = count(app, &one, "failed").await;
    assert_eq!(failed, 1.0, "a 404 is not tried again");
    one.stop().await;
    assert!(chat.messages.try_recv().is_err());
}

async fn a_receiver_that_hangs_delays_nothing(app: &App) {
    let mut chat = Chat::open().await;
    chat.answers.forget_permits(1_000);
    let one = instance(app, &allowed(&chat)).await;
    look(&[&one]).await;
    chat.next().await;
    set_in_arena(app, 1, 1900).await;
    // The greeting is in flight, and the silence of arena-1 waits.
    for number in 0..70 {
        ask_for_odds(app, &one, SECRET, 0.6).await;
        let played = round("arena-1", &number.to_string(), "a", &[5], &[6]);
        app.counted(&played).await;
    }
    chat.answers.add_permits(1);
    chat.told("scramble_by_odds").await;
    let dropped = count(app, &one, "dropped").await;
    assert_eq!(dropped, 7.0, "64 messages wait at most");
    // The chat has not answered the message when the service has stopped.
    one.stop().await;
}

async fn only_wanted_events_go_to_allowed_addresses_only(app: &App) {
    let mut chat = Chat::open().await;
    let events = "events = [\"scramble_by_odds\"]";
    let address = format!("https://localhost:{}/hooks/a-secret", chat.port);
    let hidden = format!("url = \"{address}\"\n{events}");
    let one = instance(app, &hidden).await;
    while count(app, &one, "failed").await == 0.0 {
        tokio::task::yield_now().await;
    }
    let reloaded = settings(app, &format!("{}\n{events}", allowed(&chat)));
    one.service.declare(&Declared {
        pools: reloaded.pools,
        servers: reloaded.servers,
        ..Declared::default()
    });
    look(&[&one]).await;
    let greeting = chat.next().await;
    assert_eq!(greeting["event"], Value::Null, "another address is greeted");
    set_in_arena(app, 1, 1900).await;
    ask_for_odds(app, &one, SECRET, 0.6).await;
    chat.told("scramble_by_odds").await;
    one.stop().await;
}

#[test]
fn only_addresses_of_the_internet_are_public() {
    let public = "1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 198.20.0.1 \
                  223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2a00::1 ::ffff:8.8.8.8 64:ff9b::808:808";
    let others = "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.169.254 \
                  172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 \
                  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 \
                  ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::7f00:1 \
                  64:ff9b::a00:1 64:ff9b:1::808:808 100::1 2001::1 2001:2::1 2001:db8::1 2002:7f00:1:: 3fff::1 \
                  fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 4000::1";
    for (texts, is_expected) in [(public, true), (others, false)] {
        for text in texts.split(' ') {
            let address: IpAddr = text.parse().expect("an address");
            assert_eq!(is_public(address), is_expected, "{text}");
        }
    }
}
