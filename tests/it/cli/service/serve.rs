use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::Value;

use super::welcome::MAX_LINES;
use crate::cli::process::{Process, Stream};
use crate::cli::rounds::line;
use crate::cli::running::Running;
use crate::cli::{Folder, clean};

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
    let mut running = Running::of(Folder::new(), Vec::new());
    let (folder, service) = (&running.folder, &mut running.service);
    let address = &running.address;
    let curl = service.wait_for(Stream::Out, "curl ");
    let path = folder.path("rbs.secret");
    let secret = std::fs::read_to_string(&path).expect("the secret lies next to the database");
    let secret = secret.trim();
    assert!(secret.len() >= 32, "a short secret of {}", secret.len());
    let mode = path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others can read the secret");
    service.wait_for(Stream::Out, "/rbs.secret, made just now");
    service.wait_for(Stream::Out, "Admin secret:   the same");
    let database = folder.path("rbs.db").display().to_string();
    service.wait_for(Stream::Out, &format!("Database:       the file {database}"));
    let dashboard = service.wait_for(Stream::Out, "Dashboard:");
    let how = format!("http://{address}/ in a browser, with the admin secret");
    assert!(dashboard.ends_with(&how), "{dashboard}");
    for database in ["rbs.db", "rbs.db-wal", "rbs.db-shm"] {
        let found = folder.path(database).metadata().expect("a database");
        assert_eq!(found.permissions().mode() & 0o777, 0o600, "{database}");
    }

    // A shell runs the printed command unchanged.
    let mut bash = clean("bash", std::path::Path::new("/"));
    let tried = Process::start(bash.args(["-c", &curl])).finish();
    let needs = "this test needs curl and bash";
    assert_ne!(tried.code, Some(127), "{needs}: {tried:#?}");
    let player = tried.succeeded().json();
    assert_eq!(player["id"], "76561197960265729");
    assert_eq!(player["rating"], 1000);

    let request = format!(
        "GET /v1/players/76561197960265729 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Authorization: Bearer not-{secret}\r\n\r\n"
    );
    assert!(exchange(address, &request).starts_with("HTTP/1.1 401 "));
    let ended = running.stop();
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.contains(secret), "the secret was printed: {text}");
    }
    let is_at_a_terminal = ended.stdout.contains("/enter/");
    assert!(!is_at_a_terminal, "no link is for logs: {ended:#?}");
    assert!(ended.stdout.lines().count() <= MAX_LINES, "{ended:#?}");
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
    let mut running = Running::of(Folder::new(), Vec::new());
    let address = &running.address;
    let idle = connect(address);
    let mut round: Value = serde_json::from_str(&line(1, "public-1")).expect("a line");
    round.as_object_mut().expect("a round").remove("ended_at");
    let body = round.to_string();
    let head = format!(
        "POST /v1/update HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        running.secret(),
        body.len()
    );
    let mut stream = connect(address);
    stream.write_all(head.as_bytes()).expect("it is sent");
    // After this response the service waits for the body of the request.
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("go on");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert_eq!(answer, "HTTP/1.1 100");
    running.service.signal("TERM");
    running.service.wait_for(Stream::Err, "Stopping");
    stream.write_all(body.as_bytes()).expect("it is sent");
    let mut rest = String::new();
    stream.read_to_string(&mut rest).expect("an answer");
    assert!(rest.contains("HTTP/1.1 200 "), "{rest}");
    assert!(rest.contains("\"round_id\":\"public-1:1\""), "{rest}");
    running.service.finish().succeeded();
    drop(idle);
    let exported = running.folder.run(&["export"]).succeeded();
    assert_eq!(exported.stdout.lines().count(), 1, "{exported:#?}");
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
        let mut running = Running::of(folder, Vec::new());
        let mut stream = connect(&running.address);
        stream.write_all(sent.as_bytes()).expect("it is sent");
        // Connections are accepted in order: once this one is answered, the other is known.
        let closing = first.replace("rbs\r\n", "rbs\r\nConnection: close\r\n");
        exchange(&running.address, &closing);
        running.service.signal("TERM");
        running.service.wait_for(Stream::Err, "Stopping");
        let ended = running.service.finish();
        assert_eq!(ended.code, Some(0), "{sent:?}: {ended:#?}");
        drop(stream);
    }
}

#[test]
fn its_log_is_json_and_names_the_request() {
    let running = Running::of(Folder::new(), Vec::new());
    let request = "GET /healthz HTTP/1.1\r\nHost: rbs\r\nX-Request-Id: test-17\r\n\
                   Connection: close\r\n\r\n";
    exchange(&running.address, request);
    let ended = running.stop();
    let lines: Vec<Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    let about: Vec<&Value> = lines
        .iter()
        .filter(|line| line["span"]["id"] == "test-17")
        .collect();
    assert_eq!(about.len(), 1, "one line a request: {lines:#?}");
    assert_eq!(about[0]["status"], 200);
    assert_eq!(about[0]["span"]["path"], "/healthz");
    assert_eq!(about[0]["level"], "INFO");
    let microseconds = about[0]["milliseconds"].as_f64().expect("a duration") * 1e3;
    let is_whole = (microseconds - microseconds.round()).abs() < 1e-6;
    assert!(is_whole, "{about:?}");
    assert!(lines.iter().all(|line| line["timestamp"].is_string()));
}

#[test]
fn an_admin_secret_that_game_servers_have_stops_the_start() {
    let folder = Folder::new();
    folder.write("rbs.secret", "0123456789abcdef\n");
    let mut command = folder.serve();
    command.env("RBS_ADMIN_SECRET", "0123456789abcdef");
    let refused = Process::start(&mut command).finish().failed();
    refused.says("in common");
    assert!(!refused.stdout.contains("listens"), "{refused:#?}");
    assert!(!format!("{refused:?}").contains("0123"), "{refused:#?}");
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
        refused.says(&format!(
            "a secret of {setting} opens everything and has fewer than 16"
        ));
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
    tried.shows("\"rating\":1000");
    let ended = service.stop();
    assert!(!format!("{ended:?}").contains("hunter"), "{ended:#?}");
    assert!(!folder.path("rbs.secret").exists(), "no secret was needed");
}
