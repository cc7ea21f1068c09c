use serde_json::Value;

use crate::cli::Folder;
use crate::cli::rounds::lines;
use crate::support::Database;

on_both_engines!(a_season_is_tried_started_listed_and_undone);

async fn a_season_is_tried_started_listed_and_undone(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(40));
    run(&["import", "rounds.jsonl"]).succeeded();
    let ratings = async || {
        database
            .count("select cast(sum(rating * rounds) as bigint) from players")
            .await
    };
    let before = ratings().await;

    let start = ["season", "start", "--name", "Winter", "--keep", "0.25"];
    let trying = [
        "--dry-run",
        "--since",
        "2000-01-01T00:00:00Z",
        "--rounds",
        "20",
    ];
    let tried = run(&[&start[..], &trying].concat()).succeeded();
    for words in [
        "Pool default: Winter would move",
        "If the season had started on 2000-01-01",
        "20 rounds",
    ] {
        assert!(tried.stdout.contains(words), "{words}: {}", tried.stdout);
    }
    let json = run(&[&start[..], &trying, &["--json"]].concat()).succeeded();
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    // No player was rated before the first round, so both predictions are equal.
    assert_eq!(json["predictions"]["gain"], 0.0, "{json}");
    let middle = ["--dry-run", "--since", "1763641200", "--json"];
    let json = run(&[&start[..], &middle].concat()).succeeded();
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_ne!(json["predictions"]["gain"], 0.0, "{json}");
    assert_eq!(ratings().await, before, "it was only tried");
    for wrong in [
        &["season", "start", "--name", "Winter", "--keep", "2"][..],
        &[
            "season", "start", "--name", "Winter", "--keep", "0.5", "--rounds", "5",
        ],
    ] {
        run(wrong).failed();
    }

    let started = run(&[&start[..], &["--change-id", "winter"]].concat()).succeeded();
    assert!(started.stdout.contains("Winter"), "{started:?}");
    assert_ne!(ratings().await, before);
    run(&["check"]).succeeded();
    let again = run(&start).failed();
    assert!(
        again.stderr.contains("already has a season \"Winter\""),
        "{again:?}"
    );
    let list = run(&["season", "list", "--csv"]).succeeded();
    assert_eq!(list.stdout.lines().count(), 3, "{}", list.stdout);

    let results = run(&["season", "results", "--season", "0", "--csv"]).succeeded();
    assert!(
        results.stdout.starts_with("rank,player,"),
        "{}",
        results.stdout
    );
    let none = run(&["season", "results", "--season", "7"]).failed();
    assert!(none.stderr.contains("its seasons are 0 to 1"), "{none:?}");

    // Importing the log starts the season again.
    folder.write("log.jsonl", run(&["export"]).succeeded().stdout);
    let copy = |arguments: &[&str]| folder.run(arguments);
    copy(&["import", "log.jsonl"]).succeeded();
    copy(&["import", "log.jsonl"]).succeeded();
    copy(&["check"]).succeeded();
    let copied = copy(&["season", "list", "--csv"]).succeeded();
    assert_eq!(copied.stdout, list.stdout);

    run(&["season", "undo", "winter"]).succeeded();
    assert_eq!(ratings().await, before, "it was undone");
    run(&["season", "undo", "winter"]).succeeded();
    run(&["check"]).succeeded();
    let unknown = run(&["season", "undo", "summer"]).failed();
    assert!(
        unknown
            .stderr
            .contains("no season of the pool was started by the change"),
        "{unknown:?}"
    );
}
