use std::collections::BTreeMap;
use std::fmt::Write as _;

use rbs::store::Store;
use serde_json::json;

use crate::cli::rounds::{change, line};
use crate::cli::{Folder, fields, words};
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

async fn ratings_from_elsewhere_are_set_once_and_taken_back_as_one_change(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |line: &str| folder.run_on(&url, &words(line)).succeeded();
    folder.import_lines_on(&url, 20);
    let before = ratings(database, "default").await;
    // Accounts 1 to 23 have played; account 5 keeps its rating.
    folder.write(
        "old.csv",
        "id,rating,rounds\n[U:1:5],30,100\n[U:1:101],10,100\n[U:1:102],20,9\n[U:1:103],30,10\n",
    );
    let import = "import-ratings old.csv --mean 1000 --sd 200 --min-rounds 10 --json";
    let shown = run(&format!("{import} --dry-run")).json();
    assert_eq!(fields(&shown, ["made", "changed"]), json!([false, 2]));
    let bins = shown["histogram"].as_array().expect("bins").iter();
    let players = |which: &str| bins.clone().filter_map(|bin| bin[which].as_u64()).sum();
    let (had, has): (u64, u64) = (players("before"), players("after"));
    assert_eq!((had, has), (before.len() as u64, before.len() as u64 + 2));
    let now = ratings(database, "default").await;
    assert_eq!(now, before, "nothing is written");
    let audit = "select count(*) from audit";
    assert_eq!(database.count(audit).await, 0);

    let made = run(import).json();
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
    let entry = "where action = 'import_ratings' and after like '%\"changed_ratings\":2%'";
    assert_eq!(database.count(audit).await, 1);
    assert_eq!(database.count(&format!("{audit} {entry}")).await, 1);

    let round = json!({
        "round_id": "after", "server": "public-1", "winner": "a", "team_a": ["[U:1:101]"], "team_b": ["[U:1:1]"],
    });
    folder.write("after.jsonl", round.to_string());
    run("import after.jsonl");
    let played = ratings(database, "default").await;
    let won = played[&101] - 717;
    assert!(won > 0, "{played:?}");
    let again = run(import).json();
    assert_eq!(fields(&again, ["made", "was_made"]), json!([false, true]));
    assert_eq!(ratings(database, "default").await, played);

    let name = made["change_id"].as_str().expect("a name");
    let undo = format!("import-ratings --undo {name} --json");
    let undone = run(&undo).json();
    assert_eq!(fields(&undone, ["made", "changed"]), json!([true, 2]));
    let mut expected = played;
    expected.extend([(101, 1000 + won), (103, 1000)]);
    assert_eq!(ratings(database, "default").await, expected);
    let entry = "where action = 'undo_ratings'";
    assert_eq!(database.count(&format!("{audit} {entry}")).await, 1);
    assert_eq!(run(&undo).json()["was_made"], true);
    assert_eq!(run(import).json()["was_made"], true);
    assert_eq!(ratings(database, "default").await, expected);
    run("check");
    let missing = folder.run_on(&url, &words("import-ratings --undo nothing"));
    missing.failed().says("under the name \"nothing\"");
}

async fn the_log_gives_the_ratings_again_in_another_database(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |url: &str, line: &str| folder.run_on(url, &words(line)).succeeded();
    folder.import_lines_on(&url, 20);
    let rows = (1..=1100).map(|account| format!("[U:1:{account}],{}", 500 + account % 1000));
    let many = rows.collect::<Vec<String>>().join("\n");
    folder.write("many.csv", many);
    let import = "import-ratings many.csv --over-rounds --change-id ladder --reason für";
    let made = run(&url, import);
    made.shows("Pool default, id of the change: ladder\n")
        .shows("1100 ratings set");
    let more = (21..=40).map(|number| line(number, "public-1") + "\n");
    folder.write("more.jsonl", more.collect::<String>());
    run(&url, "import more.jsonl");
    run(&url, "import-ratings --undo ladder");
    run(&url, "check");
    let twin = Database::create(Engine::Sqlite).await;
    run(&url, "export --output log.jsonl");
    run(&twin.url_text(), "import log.jsonl");
    for pool in ["default", "arena"] {
        assert_eq!(ratings(database, pool).await, ratings(&twin, pool).await);
    }
    let again = run(&twin.url_text(), import);
    again.shows("ladder was already made");
    run(&url, "rebuild");
    let rebuilt = ratings(database, "default").await;
    assert_eq!(rebuilt, ratings(&twin, "default").await);
    twin.remove().await;
}

async fn where_a_line_is_bad_nothing_is_written(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |line: &str| folder.run_on(&url, &words(&format!("import-ratings {line}")));
    folder.write("bad.csv", "[U:1:1],1700\nrobot,5\n[U:1:3],99\n");
    folder.write("low.csv", "[U:1:1],1700\n[U:1:3],99\n[U:1:4],10001\n");
    for (line, parts) in [
        (
            "bad.csv",
            &[
                "bad.csv:2: the id \"robot\" ",
                "1 line is bad, and nothing was written",
            ][..],
        ),
        (
            "low.csv",
            &[
                "low.csv:2: the rating 99 is not between 100 and 10000",
                "low.csv:3: ",
                "2 lines are bad",
            ],
        ),
        (
            "low.csv --min-rounds 5",
            &["low.csv:1: has no number of rounds", "3 lines are bad"],
        ),
        ("none.csv", &["none.csv: the file cannot be read"]),
        ("low.csv --pool nowhere", &["there is no pool \"nowhere\""]),
        ("low.csv --mean many", &["must be a number"]),
        ("low.csv --undo x", &["cannot be used with"]),
        ("low.csv --change-id a/b", &["'/' at position 2"]),
    ] {
        let failed = run(line).failed();
        for part in parts {
            failed.says(part);
        }
    }
    assert_eq!(ratings(database, "default").await, BTreeMap::new());
    let scaled = run("low.csv --mean 1000 --json").succeeded().json();
    assert_eq!(fields(&scaled, ["at_bounds", "changed"]), json!([2, 3]));
    let found = ratings(database, "default").await;
    assert_eq!(found, BTreeMap::from([(1, 100), (3, 100), (4, 7068)]));
}

async fn a_name_that_was_used_for_other_ratings_is_refused(database: &Database) {
    let (folder, url) = (Folder::new(), database.url_text());
    let run = |line: &str| folder.run_on(&url, &words(line));
    folder.write("one.csv", "[U:1:1],1700\n[U:1:2],800\n");
    folder.write("other.csv", "[U:1:1],1600\n[U:1:3],800\n");
    run("import-ratings one.csv --change-id ladder").succeeded();
    let before = ratings(database, "default").await;
    for pool in ["default", "arena"] {
        let other = format!("import-ratings other.csv --change-id ladder --pool {pool}");
        let refused = run(&other).failed();
        refused.says("\"ladder\" was already used for another change");
    }
    assert_eq!(ratings(database, "default").await, before);
    assert_eq!(ratings(database, "arena").await, BTreeMap::new());
    folder.write("set.jsonl", change("hand", 1, Some(1234)));
    run("import set.jsonl").succeeded();
    let undone = run("import-ratings --undo ladder --json");
    let undone = undone.succeeded().json();
    assert_eq!(fields(&undone, ["changed", "kept"]), json!([1, 1]));
    let expected = BTreeMap::from([(1, 1234), (2, 1000)]);
    assert_eq!(ratings(database, "default").await, expected);
    run("check").succeeded();
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
    let run = |further: &str| {
        let import = "import-ratings hlstats.csv --mean 1000 --sd 250 --over-rounds";
        let line = format!("{import} {further}");
        folder.run_on(&url, &words(&line)).succeeded()
    };
    run("--dry-run").shows("  line 60: 9999 of 76561197960265827\n");
    let made = run("--json").json();
    let placeholder = json!([{"line": 60, "id": "76561197960265827", "rating": 9999.0}]);
    assert_eq!(made["outliers"], placeholder);
    let found = ratings(database, "default").await;
    assert_eq!((found[&1], found[&58]), (574, 1426));
    let squeezed = run("--keep-outliers --json").json();
    assert_eq!(squeezed["outliers"], json!([]));
    let found = ratings(database, "default").await;
    assert!(found[&58] - found[&1] < 200, "{found:?}");
}
