//! `rbs demo`: made-up data, which it plays on and removes.

use std::time::Duration;

use serde_json::{Value, json};

use super::welcome::ask;
use crate::cli::Folder;
use crate::cli::process::{Process, Stream};

#[test]
fn the_demo_plays_on_and_leaves_nothing() {
    let folder = Folder::new();
    folder.write("config/rbs.toml", "database_url = \"sqlite://real.db\"");
    let temporary = folder.path("temporary");
    std::fs::create_dir(&temporary).expect("a folder");
    let options = ["--rounds", "300", "--every", "1", "--bind", "127.0.0.1:0"];
    let mut command = folder.rbs(&[&["demo"][..], &options].concat());
    command
        .env("TMPDIR", &temporary)
        .env("DATABASE_URL", "sqlite://real.db")
        .env("RBS_CONFIG", "config/rbs.toml")
        .env("RBS_SECRET", "real".repeat(9))
        .env("RBS_ADMIN_SECRET", "admin".repeat(9));
    let mut demo = Process::start(&mut command);
    let printed = demo.wait_for(Stream::Out, "/#/enter/");
    let link = printed.split_whitespace().nth(1).expect("a link");
    let (url, token) = link.split_once("/#/enter/").expect("a token");
    let jar = folder.path("cookies");
    let (code, answer) = ask(
        &format!("{url}/session"),
        &jar,
        Some(&json!({"token": token})),
    );
    assert_eq!(code, Some(0), "{answer}");
    let get = |path: &str| -> Value {
        let (code, answer) = ask(&format!("{url}{path}"), &jar, None);
        assert_eq!(code, Some(0), "{path}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    };
    for (pool, past) in [("demo-arena", 100), ("demo-public", 200)] {
        let path = format!("/v1/admin/quality?pool={pool}");
        let quality = get(&path);
        assert!(quality["verdict"]["word"].is_string(), "{quality}");
        let rounds = |quality: &Value| quality["rounds"].as_u64().expect("a number");
        let deadline = std::time::Instant::now() + Duration::from_mins(1);
        // A void takes one or two of them away.
        while rounds(&get(&path)) < past + 5 {
            assert!(std::time::Instant::now() < deadline, "{quality}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let (code, page) = ask(&format!("{url}/leaderboard?pool=demo-public"), &jar, None);
    assert_eq!(code, Some(0), "{page}");
    assert!(page.contains("(demo)"), "{page}");
    demo.stop();
    let left = std::fs::read_dir(&temporary).expect("the folder").count();
    assert_eq!(left, 0, "the demo removes its folder");
    assert!(!folder.path("real.db").exists(), "no real database is used");
}
