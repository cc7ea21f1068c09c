//! JSON output of commands.

use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::{Finished, Process};
use crate::cli::rounds::lines;
use crate::cli::running::Running;
use crate::support::Database;

on_both_engines!(import_export_check_and_rebuild_tell_programs_what_they_did);

fn report(finished: &Finished) -> Value {
    assert_eq!(finished.stdout.lines().count(), 1, "{finished:#?}");
    let read = serde_json::from_str(&finished.stdout);
    read.unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// Removes `keys`, whose values vary and must be numbers.
fn timeless(mut report: Value, keys: &[&str]) -> Value {
    let forget = |object: &mut Value| {
        for key in keys {
            if let Some(seconds) = object.get_mut(key) {
                assert!(seconds.is_number(), "{key} is {seconds}");
                *seconds = Value::Null;
            }
        }
    };
    forget(&mut report);
    for pool in report["pools"].as_array_mut().into_iter().flatten() {
        forget(pool);
    }
    report
}

async fn import_export_check_and_rebuild_tell_programs_what_they_did(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(40) + "{}\n");
    let stopped = run(&["import", "rounds.jsonl", "--json"]).failed();
    let output = timeless(report(&stopped), &["seconds"]);
    assert_eq!(
        output,
        json!({"counted": 40, "duplicates": 0, "changes": 0, "bad": 1, "unread": 0,
               "seconds": null, "preview": null, "skipped": {}, "pools": null, "warning": null})
    );
    let again = run(&["import", "rounds.jsonl", "--json", "--keep-going"]).succeeded();
    let output = timeless(report(&again), &["seconds"]);
    assert_eq!(
        (&output["duplicates"], &output["bad"]),
        (&json!(40), &json!(1))
    );
    let pools = output["pools"].as_array().expect("a list");
    let names: Vec<_> = pools
        .iter()
        .map(|pool| (&pool["pool"], &pool["rounds"]))
        .collect();
    assert_eq!(
        names,
        [
            (&json!("arena"), &json!(8)),
            (&json!("default"), &json!(32))
        ]
    );
    let default = &pools[1];
    for key in ["draws", "players", "theta", "window"] {
        assert!(default[key].is_number(), "{key}: {default}");
    }
    for key in ["brier", "log_loss", "accuracy"] {
        for over in ["window", "all"] {
            assert!(default[key][over].is_number(), "{key} {over}: {default}");
        }
    }

    let exported = json!({"output": null, "lines": 40,
                          "pools": [{"pool": "arena", "lines": 8}, {"pool": "default", "lines": 32}]});
    let streamed = run(&["export", "--json"]).succeeded();
    assert_eq!(streamed.stdout.lines().count(), 40, "the rounds alone");
    let last = streamed.stderr.lines().last().unwrap_or_default();
    let output: Value = serde_json::from_str(last).expect("the report");
    assert_eq!(output, exported);
    let to_file = run(&["export", "--json", "--output", "all.jsonl"]).succeeded();
    let mut expected = exported;
    expected["output"] = json!("all.jsonl");
    assert_eq!(report(&to_file), expected);

    let found = |differences: u32, like: &Value| {
        json!({"pool": "arena", "rounds": 8, "players": counted(&like["players"]),
               "entries": like["entries"], "differences": differences,
               "named": like["named"], "seconds": null})
    };
    for (arguments, damage) in [(&["check"][..], true), (&["rebuild", "--check"], false)] {
        let arguments = [arguments, &["--pool", "arena", "--json"]].concat();
        let output = timeless(report(&run(&arguments).succeeded()), &["seconds"]);
        let pool = &output["pools"][0];
        assert_eq!(*pool, found(0, pool));
        assert_eq!(pool["named"], json!([]));
        assert_eq!(output.get("damage"), damage.then_some(&json!([])));
    }
    let statement = "update players set rating = rating + 1 where rating < 1000";
    database.execute(statement).await;
    let differs = run(&["check", "--json"]).failed();
    assert_eq!(differs.code, Some(1));
    let output = report(&differs);
    let pool = &output["pools"][1];
    assert!(pool["differences"].as_u64() > Some(0), "{output}");
    let first = pool["named"][0].as_str().unwrap_or_default();
    assert!(first.contains("the player 7656"), "{output}");

    let times = ["seconds", "seconds_until_cleared"];
    let rebuilt = timeless(report(&run(&["rebuild", "--json"]).succeeded()), &times);
    let pool = |name: &str, computed: u32| json!({"pool": name, "computed": computed, "seconds": null, "seconds_until_cleared": null});
    assert_eq!(
        rebuilt,
        json!({"pools": [pool("arena", 8), pool("default", 32)]})
    );
    let arguments = [
        "rebuild",
        "--dry-run",
        "--set",
        "theta=1800",
        "--json",
        "--pool",
        "default",
    ];
    let tried = report(&run(&arguments).succeeded());
    assert_eq!(tried["pools"][0]["pool"], "default");
    let found = &tried["pools"][0]["comparison"];
    assert_eq!(
        (&found["rounds"], &found["window"]),
        (&32.into(), &500.into())
    );
    let [is, would_be] = ["is", "would_be"].map(|side| &found[side]["all"]["brier"]);
    assert!(is.is_number() && would_be.is_number(), "{tried}");
    assert_ne!(is, would_be);
}

fn counted(count: &Value) -> &Value {
    assert!(count.as_u64() > Some(0), "{count} is no count");
    count
}

#[test]
fn health_tells_programs_whether_the_service_is_ready() {
    let running = Running::start();
    let ready = running.run(&["health", "--json"]).succeeded();
    assert_eq!(
        report(&ready),
        json!({"ready": true, "address": running.address, "reason": null})
    );
    let port = running.address.rsplit(':').next().expect("a port");
    // Nothing can listen here, because the port is held on another address.
    let nobody = format!("127.0.0.2:{port}");
    let mut command = running.folder.rbs(&["health", "--json"]);
    let absent = Process::start(command.env("RBS_BIND", &nobody))
        .finish()
        .failed();
    let output = report(&absent);
    assert_eq!(
        (&output["ready"], &output["address"]),
        (&json!(false), &json!(nobody))
    );
    let reason = output["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("nothing listens"), "{output}");
    running.stop();
}
