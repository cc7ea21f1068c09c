use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::Value;

use crate::cli::process::{Process, Stream};
use crate::cli::rounds::line;
use crate::cli::{Folder, clean};

/// Starts the service. Returns the process, the address, and the printed curl command.
fn start(folder: &Folder) -> (Process, String, String) {
    let mut service = Process::start(&mut folder.serve());
    let listens = service.wait_for(Stream::Out, "listens on http://");
    let address = listens.rsplit("//").next().expect("an address").to_owned();
    let line = service.wait_for(Stream::Out, "curl ");
    (service, address, line)
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the service listens");
    let timeout = Some(Duration::from_secs(30));
    stream.set_read_timeout(timeout).expect("a timeout");
    stream
}

/// Sends a raw request and reads the entire response.
fn exchange(address: &str, request: &str) -> String {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_starts_without_any_configuration_and_says_how_to_use_it() {
    let folder = Folder::new();
    let (mut service, address, curl) = start(&folder);
    let path = folder.path("rbs.secret");
    let secret = std::fs::read_to_string(&path).expect("the secret lies next to the database");
    let secret = secret.trim();
    assert!(secret.len() >= 32, "a short secret of {}", secret.len());
    let mode = path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others can read the secret");
    service.wait_for(Stream::Out, "/rbs.secret, made just now");
    service.wait_for(Stream::Out, "Admin secret:   the same");
    let dashboard = service.wait_for(Stream::Out, "Dashboard:");
    assert!(
        dashboard.contains(&format!("http://{address}/ ")),
        "{dashboard}"
    );
    for database in ["rbs.db", "rbs.db-wal", "rbs.db-shm"] {
        let found = folder.path(database).metadata().expect("a database");
        assert_eq!(found.permissions().mode() & 0o777, 0o600, "{database}");
    }

    // A shell runs the printed command unchanged.
    let mut bash = clean("bash", std::path::Path::new("/"));
    let tried = Process::start(bash.args(["-c", &curl])).finish();
    assert_ne!(
        tried.code,
        Some(127),
        "this test needs curl and bash: {tried:#?}"
    );
    let tried = tried.succeeded();
    let player: Value = serde_json::from_str(&tried.stdout)
        .unwrap_or_else(|error| panic!("{curl}: {error}: {tried:#?}"));
    assert_eq!(player["id"], "76561197960265729");
    assert_eq!(player["rating"], 1000);

    let request = format!(
        "GET /v1/players/76561197960265729 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Authorization: Bearer not-{secret}\r\n\r\n"
    );
    assert!(exchange(&address, &request).starts_with("HTTP/1.1 401 "));
    service.signal("TERM");
    let ended = service.finish().succeeded();
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.contains(secret), "the secret was printed: {text}");
    }
    assert!(!curl.contains(secret), "{curl}");
}

#[test]
fn the_secret_stays_the_same_at_the_next_start() {
    let folder = Folder::new();
    let mut secrets = Vec::new();
    for _ in 0..2 {
        let (service, _, _) = start(&folder);
        secrets.push(std::fs::read_to_string(folder.path("rbs.secret")).expect("a secret"));
        service.signal("TERM");
        service.finish().succeeded();
    }
    assert_eq!(secrets[0], secrets[1]);
}

#[test]
fn a_signal_ends_it_in_order_as_soon_as_it_has_spoken() {
    for signal in ["TERM", "INT"] {
        let folder = Folder::new();
        let mut service = Process::start(&mut folder.serve());
        service.wait_for(Stream::Out, "listens on http://");
        service.signal(signal);
        let ended = service.finish();
        assert_eq!(ended.code, Some(0), "SIG{signal}: {ended:#?}");
        assert!(ended.stderr.contains("Stopped"), "SIG{signal}: {ended:#?}");
        let log = folder.path("rbs.db-wal");
        assert!(!log.exists(), "SIG{signal}: the database was not closed");
    }
}

#[test]
fn a_request_in_flight_is_still_answered() {
    for signal in ["TERM", "INT"] {
        let folder = Folder::new();
        let (mut service, address, _) = start(&folder);
        let secret = std::fs::read_to_string(folder.path("rbs.secret")).expect("a secret");
        let idle = connect(&address);
        let mut round: Value = serde_json::from_str(&line(1, "public-1")).expect("a line");
        round.as_object_mut().expect("a round").remove("ended_at");
        let body = round.to_string();
        let head = format!(
            "POST /v1/update HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
            secret.trim(),
            body.len()
        );
        let mut stream = connect(&address);
        stream.write_all(head.as_bytes()).expect("it is sent");
        // After this response the service waits for the body of the request.
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("go on");
        assert_eq!(
            &answer,
            b"HTTP/1.1 100",
            "{}",
            String::from_utf8_lossy(&answer)
        );
        service.signal(signal);
        service.wait_for(Stream::Err, "Stopping");
        stream.write_all(body.as_bytes()).expect("it is sent");
        let mut rest = String::new();
        stream.read_to_string(&mut rest).expect("an answer");
        assert!(rest.contains("HTTP/1.1 200 "), "SIG{signal}: {rest}");
        assert!(rest.contains("\"round_id\":\"public-1:1\""), "{rest}");
        let ended = service.finish();
        assert_eq!(ended.code, Some(0), "SIG{signal}: {ended:#?}");
        drop(idle);
        let exported = folder.run(&["export"]).succeeded();
        assert_eq!(exported.stdout.lines().count(), 1, "{exported:#?}");
    }
}

#[test]
fn a_request_that_never_ends_does_not_keep_it_from_ending() {
    let first = "GET /healthz HTTP/1.1\r\nHost: rbs\r\n\r\n";
    for sent in [
        format!("{first}GET /hea"),
        "GET /healthz HTTP/1.1\r\nHo".to_owned(),
        "POST /v1/update HTTP/1.1\r\nHost: rbs\r\nContent-Length: 9\r\n\r\n{".to_owned(),
    ] {
        let folder = Folder::new();
        folder.write("config/rbs.toml", "request_timeout = 1\n");
        let (mut service, address, _) = start(&folder);
        let mut stream = connect(&address);
        stream.write_all(sent.as_bytes()).expect("it is sent");
        // Connections are accepted in order: once this one is answered, the other is known.
        exchange(
            &address,
            &first.replace("rbs\r\n", "rbs\r\nConnection: close\r\n"),
        );
        service.signal("TERM");
        service.wait_for(Stream::Err, "Stopping");
        let ended = service.finish();
        assert_eq!(ended.code, Some(0), "{sent:?}: {ended:#?}");
        drop(stream);
    }
}

#[test]
fn its_log_is_json_and_names_the_request() {
    let folder = Folder::new();
    let (mut service, address, _) = start(&folder);
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: {address}\r\nX-Request-Id: test-17\r\n\
         Connection: close\r\n\r\n"
    );
    let answer = exchange(&address, &request).to_lowercase();
    assert!(answer.contains("x-request-id: test-17"), "{answer}");
    let request = request.replace("X-Request-Id: test-17\r\n", "");
    let answer = exchange(&address, &request).to_lowercase();
    let made = answer
        .split("x-request-id: ")
        .nth(1)
        .expect("an id is made");
    let made = made.lines().next().expect("an id").to_owned();
    service.wait_for(Stream::Err, &made);
    service.signal("TERM");
    let ended = service.finish().succeeded();
    let lines: Vec<Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    for id in ["test-17", &made] {
        let about: Vec<&Value> = lines
            .iter()
            .filter(|line| line["span"]["id"] == id)
            .collect();
        assert_eq!(about.len(), 1, "one line a request: {lines:#?}");
        assert_eq!(about[0]["status"], 200);
        assert_eq!(about[0]["span"]["path"], "/healthz");
        assert_eq!(about[0]["level"], "INFO");
        let microseconds = about[0]["milliseconds"].as_f64().expect("a duration") * 1e3;
        assert!(
            (microseconds - microseconds.round()).abs() < 1e-6,
            "{about:?}"
        );
    }
    assert!(lines.iter().all(|line| line["timestamp"].is_string()));
}

#[test]
fn an_admin_secret_that_game_servers_have_stops_the_start() {
    let folder = Folder::new();
    folder.write("rbs.secret", "0123456789abcdef\n");
    for secret in [None, Some("one,0123456789abcdef")] {
        let mut command = folder.serve();
        command.env("RBS_ADMIN_SECRET", "0123456789abcdef");
        if let Some(secret) = secret {
            command.env("RBS_SECRET", secret);
        }
        let refused = Process::start(&mut command).finish().failed();
        assert!(refused.stderr.contains("in common"), "{refused:#?}");
        assert!(!refused.stdout.contains("listens"), "{refused:#?}");
        assert!(!format!("{refused:?}").contains("0123"), "{refused:#?}");
    }
}

#[test]
fn a_secret_in_the_environment_is_named_and_not_told() {
    let folder = Folder::new();
    let with = |variables: &[(&str, &str)]| {
        let mut command = folder.serve();
        command.envs(variables.iter().copied());
        command
    };
    let admin = ("RBS_ADMIN_SECRET", "hunter4");
    for (variables, setting) in [
        (
            &[("RBS_SECRET", "0123456789abcdef"), admin][..],
            "RBS_ADMIN_SECRET",
        ),
        (&[("RBS_SECRET", "hunter4")], "RBS_SECRET"),
    ] {
        let refused = Process::start(&mut with(variables)).finish().failed();
        let says = format!("a secret of {setting} opens everything and has fewer than 16");
        assert!(refused.stderr.contains(&says), "{refused:#?}");
        assert!(!refused.stderr.contains("hunter"), "{refused:#?}");
    }
    folder.write("config/rbs.toml", "allow_short_admin_secrets = true\n");
    let mut service = Process::start(&mut with(&[
        ("RBS_SECRET", "hunter2,hunter3"),
        admin,
        ("RBS_READ_SECRET", "hunter5"),
    ]));
    service.wait_for(Stream::Out, "RBS_SECRET");
    for setting in [
        "\"RBS_SECRET\"",
        "\"RBS_ADMIN_SECRET\"",
        "\"RBS_READ_SECRET\"",
    ] {
        let warning = service.wait_for(Stream::Err, setting);
        assert!(warning.contains("can be guessed"), "{warning}");
    }
    let curl = service.wait_for(Stream::Out, "curl ");
    let mut bash = clean("bash", folder.0.path());
    bash.env("RBS_SECRET", "hunter2,hunter3")
        .args(["-c", &curl]);
    let tried = Process::start(&mut bash).finish().succeeded();
    assert!(tried.stdout.contains("\"rating\":1000"), "{tried:#?}");
    service.signal("TERM");
    let ended = service.finish().succeeded();
    assert!(!format!("{ended:?}").contains("hunter"), "{ended:#?}");
    assert!(!folder.path("rbs.secret").exists(), "no secret was needed");
}
