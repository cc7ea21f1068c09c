//! The address of a webhook stays a secret, and a wrong table is refused with what to do.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::cli::Folder;
use crate::cli::process::Stream;
use crate::cli::running::Running;

#[test]
fn the_address_is_shown_nowhere() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    // The service connects once, and gets an answer that refuses the message.
    let chat = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut text = [0; 4096];
        let _count = stream.read(&mut text).expect("a request");
        let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).expect("an answer");
        // Read on until the client has the answer.
        let _gone = stream.read_to_end(&mut Vec::new());
    });
    let configuration = |token: &str| {
        format!("[webhook]\nurl = \"http://{address}/{token}\"\nallow_private = true\n")
    };
    let folder = Folder::new();
    folder.write("config/rbs.toml", configuration("token-of-the-chat"));
    let shown = folder.run(&["config"]).succeeded();
    shown.shows("not shown, fingerprint");
    let variables = vec![("RBS_LOG", "trace".to_owned())];
    let mut running = Running::of(folder, variables);
    let given_up = running
        .service
        .wait_for(Stream::Err, "Gave up sending a message");
    assert!(given_up.contains("404"), "{given_up}");
    chat.join().expect("no panic");
    let settings = running.run(&["settings", "--json"]).succeeded();
    let other = configuration("token-of-another-chat");
    running.folder.write("config/rbs.toml", other);
    let reloaded = running.run(&["reload"]).succeeded();
    assert!(reloaded.stdout.contains("webhook.url"), "{reloaded:#?}");
    let ended = running.stop();
    for finished in [shown, settings, reloaded, ended] {
        assert!(
            !format!("{finished:?}").contains("token-of"),
            "{finished:#?}"
        );
    }
}

#[test]
fn a_wrong_table_is_refused_with_what_to_do() {
    let folder = Folder::new();
    folder.write("empty", "\n");
    for (table, expected) in [
        (
            "url = \"http://token.example.org/a\"",
            "webhook.url must begin with https://",
        ),
        (
            "url = \"token\"",
            "webhook.url: must hold the address of a webhook",
        ),
        ("url = 7", "webhook.url: must be a text"),
        (
            "url = \"https://token.org/a\"\nurl_file = \"empty\"",
            "webhook: url and url_file are both set",
        ),
        ("url_file = \"missing\"", "missing cannot be read"),
        (
            "url_file = \"empty\"",
            "webhook: empty must hold the address",
        ),
        (
            "events = [\"silence\"]",
            "\"silence\" is not known here; choose from server_silent, rounds_refused",
        ),
    ] {
        folder.write("config/rbs.toml", format!("[webhook]\n{table}\n"));
        let refused = folder.run(&["config"]).failed();
        refused.says(expected);
        assert!(!refused.stderr.contains("token"), "{refused:#?}");
    }
    folder.write("url", "https://token.example.org/a\n");
    folder.write(
        "config/rbs.toml",
        "[pools.arena.webhook]\nurl_file = \"url\"\nevents = []\n",
    );
    folder.run(&["config"]).succeeded();
}
