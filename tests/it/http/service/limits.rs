//! Limits on slow, numerous or greedy clients, which do not block others.

use std::time::Duration;

use rbs::config::Settings;
use rbs::http::Limits;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::http::{assert_nothing_stored, raw, round};
use crate::support::{App, Instance, LIMITS, SECRET, answered, refused};

same_on_both_databases!(
    a_head_over_the_limit_is_refused_with_a_bare_status,
    a_body_that_comes_too_slowly_is_given_up,
    an_answer_that_nobody_takes_is_given_up,
    connections_over_the_limit_wait_until_others_end,
    hundreds_of_idle_connections_keep_nobody_out_and_are_let_go,
    an_idle_connection_of_http_2_is_let_go,
    requests_over_the_limit_are_told_to_come_back,
);

/// Longer than any timeout of these tests.
pub(super) const LONG: Duration = Duration::from_secs(30);

pub(super) async fn connect(to: &Instance) -> TcpStream {
    let address = to.address.trim_start_matches("http://");
    TcpStream::connect(address).await.expect("a connection")
}

/// Short timeouts for slow clients, so tests see them end.
const SHORT: Limits = Limits {
    timeout: Duration::from_millis(500),
    ..LIMITS
};

async fn limited(app: &App, limits: Limits) -> Instance {
    Instance::within(limits, app.first.service.clone(), &app.settings).await
}

async fn assert_healthy(app: &App, instance: &Instance) {
    let health = app.bare_to(&instance.address, Method::GET, "/healthz");
    answered(health).await;
}

/// Reads until the server disconnects.
pub(super) async fn until_hung_up(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let _how = tokio::time::timeout(LONG, stream.read_to_end(&mut said))
        .await
        .expect("the connection is not held for ever");
    String::from_utf8_lossy(&said).into_owned()
}

async fn a_head_over_the_limit_is_refused_with_a_bare_status(app: &App) {
    let head = |length| {
        let long = "x".repeat(length);
        format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-long: {long}\r\n\r\n")
    };
    let answer = raw(app, head(60 * 1024)).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let many = "x: y\r\n".repeat(20_000);
    let many = format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{many}\r\n");
    let instance = limited(app, SHORT).await;
    for request in [head(100 * 1024), head(8 * 1024 * 1024), many] {
        let mut stream = connect(&instance).await;
        // The server may disconnect before it has read everything.
        let _taken = stream.write_all(request.as_bytes()).await;
        let answer = until_hung_up(&mut stream).await;
        // A server that disconnects while the client sends may lose its last answer.
        let is_refusal = answer.starts_with("HTTP/1.1 431 ") || answer.is_empty();
        assert!(is_refusal, "{answer}");
    }
    assert_healthy(app, &instance).await;
    instance.stop_serving().await;
}

async fn a_body_that_comes_too_slowly_is_given_up(app: &App) {
    let settings = Settings {
        request_timeout: Duration::from_millis(300),
        ..app.settings.clone()
    };
    let instance = Instance::over(app.first.service.clone(), &settings).await;
    let mut stream = connect(&instance).await;
    let head = format!(
        "POST /v1/update HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {SECRET}\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    let answer = until_hung_up(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("retry-after: "), "{answer}");
    instance.stop_serving().await;
    assert_nothing_stored(app).await;
}

async fn an_answer_that_nobody_takes_is_given_up(app: &App) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let instance = limited(app, SHORT).await;
    let address = instance.address.trim_start_matches("http://");
    let address = address.parse().expect("an address");
    let mut stream = socket.connect(address).await.expect("a connection");
    let request = "GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1000);
    // Fills every buffer on the way, while nothing reads.
    let asking = async { while stream.write_all(request.as_bytes()).await.is_ok() {} };
    tokio::time::timeout(LONG, asking)
        .await
        .expect("who takes no answer is not held for ever");
    assert_healthy(app, &instance).await;
    instance.stop_serving().await;
}

async fn connections_over_the_limit_wait_until_others_end(app: &App) {
    let limits = Limits {
        connections: 3,
        timeout: LONG * 2,
        ..LIMITS
    };
    let instance = limited(app, limits).await;
    let mut idle = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(&instance).await;
        // An answer proves that the connection was accepted.
        let request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
        stream.write_all(request).await.expect("it is sent");
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.expect("an answer");
        assert_eq!(&start, b"HTTP/1.1 200");
        idle.push(stream);
    }
    let mut waiting = connect(&instance).await;
    let request = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    waiting.write_all(request).await.expect("it is sent");
    let mut first = [0; 1];
    let early = tokio::time::timeout(Duration::from_millis(300), waiting.read(&mut first)).await;
    assert!(
        early.is_err(),
        "a fourth connection was served beside three"
    );
    drop(idle.pop());
    let answer = until_hung_up(&mut waiting).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(idle);
    instance.stop_serving().await;
}

async fn hundreds_of_idle_connections_keep_nobody_out_and_are_let_go(app: &App) {
    let instance = limited(app, SHORT).await;
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(connect(&instance).await);
    }
    let sent = round("s", "1", "a", &[1], &[2]);
    let update = app.request_to(&instance.address, Method::POST, "/v1/update");
    let answer = answered(update.json(&sent)).await;
    assert_eq!(answer["duplicate"], false);
    for mut stream in idle {
        assert_eq!(until_hung_up(&mut stream).await, "");
    }
    instance.stop_serving().await;
}

async fn an_idle_connection_of_http_2_is_let_go(app: &App) {
    const PING: u8 = 6;
    let instance = limited(app, SHORT).await;
    let mut stream = connect(&instance).await;
    // The HTTP/2 preface and empty settings.
    let hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    stream.write_all(hello).await.expect("it is sent");
    // A client that answers every ping is alive but still idle.
    let alive = async {
        let mut head = [0; 9];
        while stream.read_exact(&mut head).await.is_ok() {
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut frame = vec![0; usize::try_from(length).expect("a short frame")];
            if stream.read_exact(&mut frame).await.is_err() {
                return;
            }
            if head[3] == PING && head[4] == 0 {
                head[4] = 1;
                let pong = [&head[..], &frame].concat();
                if stream.write_all(&pong).await.is_err() {
                    return;
                }
            }
        }
    };
    tokio::time::timeout(LONG, alive)
        .await
        .expect("an idle connection is not held for ever");
    instance.stop_serving().await;
}

async fn requests_over_the_limit_are_told_to_come_back(app: &App) {
    let limits = Limits {
        requests: 0,
        ..LIMITS
    };
    let instance = limited(app, limits).await;
    let sent = round("s", "1", "a", &[1], &[2]);
    let to = |path| app.request_to(&instance.address, Method::POST, path);
    refused(to("/v1/update").json(&sent), 429).await;
    let queue = json!({"rounds": [sent]});
    refused(to("/v1/updates").json(&queue), 429).await;
    assert_healthy(app, &instance).await;
    instance.stop_serving().await;
    assert_nothing_stored(app).await;
}
