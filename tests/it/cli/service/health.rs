use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::json;

use crate::cli::process::{Finished, Process};
use crate::cli::running::Running;
use crate::cli::{Folder, fields};

fn health(folder: &Folder, bind: &str, further: &[&str]) -> Finished {
    let mut command = folder.rbs(&[&["health"], further].concat());
    Process::start(command.env("RBS_BIND", bind)).finish()
}

#[test]
fn health_succeeds_exactly_while_the_service_is_ready() {
    let running = Running::of(Folder::new(), Vec::new());
    let (folder, address) = (&running.folder, &running.address);
    let ready = health(folder, address, &[]).succeeded();
    assert_eq!(ready.stdout, "ready\n");
    let ready = health(folder, address, &["--json"]).succeeded().json();
    let expected = json!({"ready": true, "address": address, "reason": null});
    assert_eq!(ready, expected);
    let port = address.rsplit(':').next().expect("a port");
    // The service listens on IPv4 only; the name may resolve to IPv6 first.
    health(folder, &format!("localhost:{port}"), &[]).succeeded();
    health(folder, &format!("0.0.0.0:{port}"), &[]).succeeded();
    let url = format!("http://{address}");
    let elsewhere = ["health", "--bind", "127.0.0.2:1"];
    let named = |arguments: &[&str], by: &str| {
        Process::start(folder.rbs(arguments).env("RBS_URL", by)).finish()
    };
    let nobody = "http://127.0.0.2:1";
    named(&["health"], &url).succeeded();
    named(&["health", "--url", &url], nobody).succeeded();
    for (arguments, by) in [
        (&["health"][..], nobody),
        (&["health", "--url", nobody], &url),
        (&elsewhere, &url),
    ] {
        let ended = named(arguments, by).failed();
        assert_eq!(ended.code, Some(5), "{arguments:?}: {ended:#?}");
        ended.says("127.0.0.2:1");
    }
    running.stop();
}

#[test]
fn health_fails_where_the_service_is_not_ready_or_not_there() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = [0; 4096];
        let read = stream.read(&mut request).expect("a request");
        let unready = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
        stream.write_all(unready).expect("an answer is sent");
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        (request, listener)
    });
    let unready = health(&folder, &address.to_string(), &[]).failed();
    unready.says("503");
    assert_eq!(unready.code, Some(5), "{unready:#?}");
    let (request, listener) = answering.join().expect("no panic");
    assert!(request.starts_with("GET /readyz "), "{request}");
    // Nothing can listen here, because the port is held on another address.
    let nobody = format!("127.0.0.2:{}", address.port());
    let absent = health(&folder, &nobody, &[]).failed();
    absent.says(&nobody).says("start the service");
    let absent = health(&folder, &nobody, &["--json"]).failed().json();
    assert_eq!(
        fields(&absent, ["ready", "address"]),
        json!([false, nobody])
    );
    let reason = absent["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("nothing listens"), "{absent}");
    drop(listener);
    assert_eq!(folder.count(), 0, "asking makes no database");
}
