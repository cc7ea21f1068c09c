//! `rbs season`: a season is tried, started, listed and undone.

use crate::cli::{Folder, words};
use crate::support::Database;

on_both_engines!(a_season_is_tried_started_listed_and_undone);

async fn a_season_is_tried_started_listed_and_undone(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.import_lines_on(&database.url_text(), 40);
    let ratings = async || {
        database
            .count("select cast(sum(rating * rounds) as bigint) from players")
            .await
    };
    let before = ratings().await;

    let start = "season start --name Winter --keep 0.25";
    let trying = format!("{start} --dry-run --since 2000-01-01T00:00:00Z --rounds 20");
    let tried = run(&trying).succeeded();
    tried
        .shows("Pool default: Winter would move")
        .shows("If the season had started on 2000-01-01")
        .shows("20 rounds");
    let json = run(&format!("{trying} --json")).succeeded().json();
    // No player was rated before the first round, so both predictions are equal.
    assert_eq!(json["predictions"]["gain"], 0.0, "{json}");
    let middle = run(&format!("{start} --dry-run --since 1763641200 --json"));
    let json = middle.succeeded().json();
    assert_ne!(json["predictions"]["gain"], 0.0, "{json}");
    assert_eq!(ratings().await, before, "it was only tried");
    run("season start --name Winter --keep 2").failed();
    run("season start --name Winter --keep 0.5 --rounds 5").failed();

    let started = run(&format!("{start} --change-id winter")).succeeded();
    started.shows("Winter");
    assert_ne!(ratings().await, before);
    let again = run(start).failed();
    again.says("already has a season \"Winter\"");
    let list = run("season list --csv").succeeded();
    assert_eq!(list.stdout.lines().count(), 3, "{}", list.stdout);
    let results = run("season results --season 0 --csv").succeeded();
    results.shows("rank,player,");
    let none = run("season results --season 7").failed();
    none.says("its seasons are 0 to 1");

    // Importing the log starts the season again, once.
    folder.write("log.jsonl", run("export").succeeded().stdout);
    for command in ["import log.jsonl", "import log.jsonl", "check"] {
        folder.run(&words(command)).succeeded();
    }
    let copied = folder.run(&words("season list --csv")).succeeded();
    assert_eq!(copied.stdout, list.stdout);

    run("season undo winter").succeeded();
    assert_eq!(ratings().await, before, "it was undone");
    run("season undo winter").succeeded();
    run("check").succeeded();
    let unknown = run("season undo summer").failed();
    unknown.says("no season of the pool was started by the change");
}
