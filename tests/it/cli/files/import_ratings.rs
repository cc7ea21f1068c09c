use std::collections::BTreeMap;
use std::fmt::Write as _;

use rbs::store::Store;
use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::Finished;
use crate::cli::rounds::{line, lines};
use crate::support::{Database, Engine};

on_both_engines!(
    ratings_from_elsewhere_are_set_once_and_taken_back_as_one_change,
    the_log_gives_the_ratings_again_in_another_database,
    where_a_line_is_bad_nothing_is_written,
    a_name_that_was_used_for_other_ratings_is_refused,
    a_placeholder_among_the_ratings_squeezes_nobody,
);

/// Every rating of the pool by account number.
async fn ratings(database: &Database, pool: &str) -> BTreeMap<u64, i32> {
    let store: Store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let pools = tx.pools().await.expect("pools");
    let found = pools.iter().find(|found| found.name.as_str() == pool);
    let players = tx
        .players_after(found.expect("the pool").id, None, 1000)
        .await;
    drop(tx);
    store.close().await;
    let account = |id: u64| id - 76_561_197_960_265_728;
    players
        .expect("players")
        .iter()
        .map(|player| (account(player.id.steam_id64()), player.rating.points()))
        .collect()
}

fn report(finished: Finished) -> Value {
    serde_json::from_str(&finished.succeeded().stdout).expect("an object")
}

async fn audit(database: &Database) -> Vec<(String, Value, Value)> {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let entries = tx.list_audit(None, None, 100).await.expect("entries");
    drop(tx);
    store.close().await;
    let value = |text: &str| serde_json::from_str(text).expect("JSON");
    entries
        .iter()
        .map(|entry| {
            (
                entry.action.clone(),
                value(&entry.before),
                value(&entry.after),
            )
        })
        .collect()
}

async fn ratings_from_elsewhere_are_set_once_and_taken_back_as_one_change(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |arguments: &[&str]| folder.run_on(&url, arguments);
    folder.write("rounds.jsonl", lines(20));
    run(&["import", "rounds.jsonl"]).succeeded();
    let before = ratings(database, "default").await;
    // Accounts 1 to 23 have played; account 5 keeps its rating.
    folder.write(
        "old.csv",
        "id,rating,rounds\n[U:1:5],30,100\n[U:1:101],10,100\n[U:1:102],20,9\n[U:1:103],30,10\n",
    );
    let arguments = [
        "import-ratings",
        "old.csv",
        "--mean",
        "1000",
        "--sd",
        "200",
        "--min-rounds",
        "10",
        "--json",
    ];
    let shown = report(run(&[&arguments[..], &["--dry-run"]].concat()));
    assert_eq!(
        (&shown["made"], &shown["changed"]),
        (&json!(false), &json!(2))
    );
    let bins = shown["histogram"].as_array().expect("bins");
    let players = |which: &str| {
        bins.iter()
            .filter_map(|bin| bin[which].as_u64())
            .sum::<u64>()
    };
    assert_eq!(
        (players("before"), players("after")),
        (before.len() as u64, before.len() as u64 + 2)
    );
    assert_eq!(
        ratings(database, "default").await,
        before,
        "nothing is written"
    );
    assert_eq!(audit(database).await.len(), 0);

    let made = report(run(&arguments));
    for (key, expected) in [
        ("made", json!(true)),
        ("ratings", json!(3)),
        ("left_out", json!(1)),
        ("changed", json!(2)),
        ("kept", json!(1)),
        ("change_id", shown["change_id"].clone()),
    ] {
        assert_eq!(made[key], expected, "{key}: {made}");
    }
    // 10, 30 and 30 have the mean 23.3 and the standard deviation 9.43.
    let mut expected = before.clone();
    expected.extend([(101, 717), (103, 1141)]);
    assert_eq!(ratings(database, "default").await, expected);
    let entries = audit(database).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].0, "import_ratings");
    assert_eq!(entries[0].2["changed_ratings"], 2);

    let round = json!({
        "round_id": "after", "server": "public-1", "winner": "a", "team_a": ["[U:1:101]"], "team_b": ["[U:1:1]"],
    });
    folder.write("after.jsonl", round.to_string());
    run(&["import", "after.jsonl"]).succeeded();
    let played = ratings(database, "default").await;
    let won = played[&101] - 717;
    assert!(won > 0, "{played:?}");
    let again = report(run(&arguments));
    assert_eq!(
        (&again["made"], &again["was_made"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(ratings(database, "default").await, played);

    let name = made["change_id"].as_str().expect("a name");
    let undo = ["import-ratings", "--undo", name, "--json"];
    let undone = report(run(&undo));
    assert_eq!(
        (&undone["made"], &undone["changed"]),
        (&json!(true), &json!(2))
    );
    let mut expected = played;
    expected.extend([(101, 1000 + won), (103, 1000)]);
    assert_eq!(ratings(database, "default").await, expected);
    assert_eq!(audit(database).await[0].0, "undo_ratings");
    assert_eq!(report(run(&undo))["was_made"], true);
    assert_eq!(report(run(&arguments))["was_made"], true);
    assert_eq!(ratings(database, "default").await, expected);
    run(&["check"]).succeeded();
    let missing = run(&["import-ratings", "--undo", "nothing"]).failed();
    assert!(
        missing.stderr.contains("under the name \"nothing\""),
        "{missing:?}"
    );
}

async fn the_log_gives_the_ratings_again_in_another_database(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |url: &str, arguments: &[&str]| folder.run_on(url, arguments).succeeded();
    folder.write("rounds.jsonl", lines(20));
    run(&url, &["import", "rounds.jsonl"]);
    let rows = (1..=1100).map(|account| format!("[U:1:{account}],{}", 500 + account % 1000));
    let many = rows.collect::<Vec<String>>().join("\n");
    folder.write("many.csv", many);
    let arguments = [
        "import-ratings",
        "many.csv",
        "--over-rounds",
        "--change-id",
        "ladder",
        "--reason",
        "für alle",
    ];
    let shown = run(&url, &arguments).stdout;
    assert!(
        shown.contains("Pool default, id of the change: ladder\n"),
        "{shown}"
    );
    assert!(shown.contains("1100 ratings set"), "{shown}");
    let more: String = (21..=40)
        .map(|number| line(number, "public-1") + "\n")
        .collect();
    folder.write("more.jsonl", more);
    run(&url, &["import", "more.jsonl"]);
    run(&url, &["import-ratings", "--undo", "ladder"]);
    run(&url, &["check"]);
    let twin = Database::create(Engine::Sqlite).await;
    run(&url, &["export", "--output", "log.jsonl"]);
    run(&twin.url_text(), &["import", "log.jsonl"]);
    for pool in ["default", "arena"] {
        assert_eq!(ratings(database, pool).await, ratings(&twin, pool).await);
    }
    let again = run(&twin.url_text(), &arguments).stdout;
    assert!(again.contains("ladder was already made"), "{again}");
    run(&url, &["rebuild"]);
    assert_eq!(
        ratings(database, "default").await,
        ratings(&twin, "default").await
    );
    twin.remove().await;
}

async fn where_a_line_is_bad_nothing_is_written(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |arguments: &[&str]| folder.run_on(&url, arguments);
    folder.write("bad.csv", "[U:1:1],1700\nrobot,5\n[U:1:3],99\n");
    folder.write("low.csv", "[U:1:1],1700\n[U:1:3],99\n[U:1:4],10001\n");
    for (arguments, parts) in [
        (
            &["bad.csv"][..],
            &[
                "bad.csv:2: the id \"robot\" ",
                "1 line is bad, and nothing was written",
            ][..],
        ),
        (
            &["low.csv"],
            &[
                "low.csv:2: the rating 99 is not between 100 and 10000",
                "low.csv:3: ",
                "2 lines are bad",
            ],
        ),
        (
            &["low.csv", "--min-rounds", "5"],
            &["low.csv:1: has no number of rounds", "3 lines are bad"],
        ),
        (&["none.csv"], &["none.csv: the file cannot be read"]),
        (
            &["low.csv", "--pool", "nowhere"],
            &["there is no pool \"nowhere\""],
        ),
        (&["low.csv", "--mean", "many"], &["must be a number"]),
        (&["low.csv", "--undo", "x"], &["cannot be used with"]),
        (&["low.csv", "--change-id", "a/b"], &["'/' at position 2"]),
    ] {
        let failed = run(&[&["import-ratings"], arguments].concat()).failed();
        for part in parts {
            assert!(failed.stderr.contains(part), "{part}: {failed:#?}");
        }
    }
    assert_eq!(ratings(database, "default").await, BTreeMap::new());
    let scaled = report(run(&[
        "import-ratings",
        "low.csv",
        "--mean",
        "1000",
        "--json",
    ]));
    assert_eq!(
        (&scaled["at_bounds"], &scaled["changed"]),
        (&json!(2), &json!(3))
    );
    let found = ratings(database, "default").await;
    assert_eq!(found, BTreeMap::from([(1, 100), (3, 100), (4, 7068)]));
}

async fn a_name_that_was_used_for_other_ratings_is_refused(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |arguments: &[&str]| folder.run_on(&url, arguments);
    folder.write("one.csv", "[U:1:1],1700\n[U:1:2],800\n");
    folder.write("other.csv", "[U:1:1],1600\n[U:1:3],800\n");
    run(&["import-ratings", "one.csv", "--change-id", "ladder"]).succeeded();
    let before = ratings(database, "default").await;
    for pool in ["default", "arena"] {
        let arguments = [
            "import-ratings",
            "other.csv",
            "--change-id",
            "ladder",
            "--pool",
            pool,
        ];
        let refused = run(&arguments).failed();
        assert!(
            refused
                .stderr
                .contains("\"ladder\" was already used for another change"),
            "{refused:#?}"
        );
    }
    assert_eq!(ratings(database, "default").await, before);
    assert_eq!(ratings(database, "arena").await, BTreeMap::new());
    let set = json!({"change": "set", "change_id": "hand", "pool": "default", "id": "[U:1:1]", "rating": 1234,
        "reason": null, "at": "2026-11-20T12:00:00Z"});
    folder.write("set.jsonl", set.to_string());
    run(&["import", "set.jsonl"]).succeeded();
    let undone = report(run(&["import-ratings", "--undo", "ladder", "--json"]));
    assert_eq!(
        (&undone["changed"], &undone["kept"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        ratings(database, "default").await,
        BTreeMap::from([(1, 1234), (2, 1000)])
    );
    run(&["check"]).succeeded();
}

async fn a_placeholder_among_the_ratings_squeezes_nobody(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let mut table = "SteamID;lastName;skill\n".to_owned();
    for account in 1..=58 {
        let rating = 700 + 12 * account;
        writeln!(table, "[U:1:{account}];Duke, the;{rating},5").expect("a text grows");
    }
    table += "[U:1:99];new;9999\n";
    folder.write("hlstats.csv", table);
    let run = |further: &[&str]| {
        let arguments = [
            "import-ratings",
            "hlstats.csv",
            "--mean",
            "1000",
            "--sd",
            "250",
            "--over-rounds",
        ];
        folder.run_on(&url, &[&arguments[..], further].concat())
    };
    let best = async |further: &[&str]| {
        let made = report(run(&[further, &["--json"][..]].concat()));
        let found = ratings(database, "default").await;
        (made["outliers"].clone(), found[&1], found[&58])
    };
    let shown = run(&["--dry-run"]).succeeded().stdout;
    assert!(
        shown.contains("  line 60: 9999 of 76561197960265827\n"),
        "{shown}"
    );
    let (outliers, worst_rating, best_rating) = best(&[]).await;
    assert_eq!(
        outliers,
        json!([{"line": 60, "id": "76561197960265827", "rating": 9999.0}])
    );
    assert_eq!((worst_rating, best_rating), (574, 1426));
    let (outliers, worst_rating, best_rating) = best(&["--keep-outliers"]).await;
    assert_eq!(outliers, json!([]));
    assert!(
        best_rating - worst_rating < 200,
        "{worst_rating} to {best_rating}"
    );
}
