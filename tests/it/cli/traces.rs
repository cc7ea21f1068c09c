//! Traces on their way to a collector, which may be there, away, or silent.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::Folder;
use super::process::{Finished, Process, Stream};

/// Longer than a batch of spans is kept.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A request that a collector took: its first line, its headers, and the body.
struct Taken {
    head: String,
    body: Vec<u8>,
}

/// A collector that takes everything; answers its address, and what it took.
fn collector() -> (String, Receiver<Taken>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let (sender, taken) = channel();
    // It ends with whoever waits for what it takes, or with the tests.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let one = take(stream.expect("a connection"));
            if sender.send(one).is_err() {
                break;
            }
        }
    });
    (endpoint, taken)
}

fn take(stream: TcpStream) -> Taken {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).expect("a line"), 0, "{head}");
    }
    let lower = head.to_ascii_lowercase();
    let length = lower
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
        .expect("a length");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    reader.get_mut().write_all(answer).expect("it is answered");
    Taken { head, body }
}

/// Whether `bytes` hold `text`.
fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|part| part == text)
}

/// The trace that the request says it belongs to, and the span in it that it was sent in.
const TRACE: [u8; 16] = *b"0123456789abcdef";
const PARENT: [u8; 8] = *b"a parent";

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Starts the service with that collector and asks it something.
fn ask(folder: &Folder, endpoint: &str) -> (Process, String) {
    let mut service = Process::start(folder.serve().env("RBS_OTLP_ENDPOINT", endpoint));
    let listens = service.wait_for(Stream::Out, "listens on http://");
    let address = listens.rsplit("//").next().expect("an address").to_owned();
    let mut stream = TcpStream::connect(&address).expect("the service listens");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    let request = format!(
        "GET /v1/players/17 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         X-Request-Id: traced-17\r\nTraceparent: 00-{}-{}-01\r\n\r\n",
        hex(&TRACE),
        hex(&PARENT)
    );
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    (service, answer)
}

fn stop(service: Process) -> (Finished, Duration) {
    let began = Instant::now();
    service.signal("TERM");
    (service.finish().succeeded(), began.elapsed())
}

#[test]
fn a_collector_gets_the_span_of_a_request_at_the_latest_when_the_service_stops() {
    let (endpoint, taken) = collector();
    let folder = Folder::new();
    let (service, answer) = ask(&folder, &endpoint);
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let (ended, _) = stop(service);
    let all: Vec<Taken> = taken.try_iter().collect();
    assert!(!all.is_empty(), "no span has come: {ended:#?}");
    for one in &all {
        assert!(
            one.head.starts_with("POST /v1/traces HTTP/1.1\r\n"),
            "{}",
            one.head
        );
        let head = one.head.to_ascii_lowercase();
        assert!(
            head.contains("content-type: application/x-protobuf"),
            "{head}"
        );
    }
    let has = |texts: &[&str]| {
        all.iter()
            .any(|one| texts.iter().all(|text| holds(&one.body, text.as_bytes())))
    };
    assert!(has(&[
        "service.name",
        "rbs",
        "GET /v1/players/{id}",
        "/v1/players/17",
        "traced-17"
    ]));
    let is_in_trace = |one: &Taken| holds(&one.body, &TRACE) && holds(&one.body, &PARENT);
    assert!(
        all.iter().any(is_in_trace),
        "the caller's trace is not taken up"
    );
    assert!(!ended.stderr.contains("takes no traces"), "{ended:#?}");
}

#[test]
fn a_collector_that_is_away_or_silent_neither_slows_nor_stops_the_service() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let silent_at = format!("http://{}", silent.local_addr().expect("an address"));
    let away = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let away_at = format!("http://{}", away.local_addr().expect("an address"));
    drop(away);
    for endpoint in [silent_at, away_at] {
        let folder = Folder::new();
        let (service, answer) = ask(&folder, &endpoint);
        assert!(answer.starts_with("HTTP/1.1 401 "), "{endpoint}: {answer}");
        let (ended, took) = stop(service);
        assert!(
            took < Duration::from_secs(20),
            "{endpoint}: a stop took {took:?}"
        );
        assert!(
            ended.stderr.contains("takes no traces"),
            "{endpoint}: {ended:#?}"
        );
    }
}
