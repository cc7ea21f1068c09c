//! Upgrades databases of every released version with their content, and runs adjacent versions on one database.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rbs::store::{Store, StoreError, migrations_behind, newest_migration};

use crate::cli::Folder;
use crate::faults::plugin::{Plugins, ask_again};
use crate::faults::site::{Site, plainly};
use crate::faults::verdict::assert_log_equals_ratings;
use crate::support::{Database, Engine};

on_both_engines!(
    a_database_of_every_version_is_upgraded_with_what_is_in_it,
    a_migration_that_fails_leaves_the_database_as_it_was,
    an_upgrade_is_announced_and_refuses_other_migrations,
    an_instance_goes_on_and_starts_over_a_database_that_is_one_migration_ahead,
    an_instance_does_not_start_over_a_database_that_is_two_migrations_ahead,
);

/// Log from which scripts/keep-schema.sh fills every kept database.
const LOG: &str = include_str!("../schemas/log.jsonl");

/// Kept databases of an engine: version and content.
fn kept(engine: Engine) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let suffix = match engine {
        Engine::Sqlite => "-sqlite.sql",
        Engine::Postgres => "-postgres.sql",
    };
    let files = fs::read_dir(folder).expect("a folder");
    let mut kept: Vec<(String, PathBuf)> = files
        .filter_map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name()?.to_str()?;
            Some((name.strip_suffix(suffix)?.to_owned(), path))
        })
        .collect();
    kept.sort();
    kept
}

async fn a_database_of_every_version_is_upgraded_with_what_is_in_it(own: &Database) {
    // The current version comes first: its own new database.
    let folder = Folder::new();
    folder.write("log.jsonl", LOG);
    let imported = folder.run_on(&own.url_text(), &["import", "log.jsonl"]);
    imported.succeeded();
    play_on(own, "the version that is being built").await;

    for (version, file) in kept(own.engine()) {
        let database = Database::create(own.engine()).await;
        fill(&database, &file).await;
        play_on(&database, &version).await;
        database.remove().await;
    }
}

/// Loads a kept database into an empty one.
async fn fill(database: &Database, file: &Path) {
    let mut dump = fs::read_to_string(file).expect("the kept database");
    match database {
        Database::Sqlite { folder } => {
            fs::write(folder.path().join("rbs.db"), "").expect("an empty database");
        }
        Database::Postgres { schema, .. } => {
            dump = dump.replace("public.", &format!("{schema}."));
        }
    }
    database.execute(&dump).await;
}

async fn a_migration_that_fails_leaves_the_database_as_it_was(database: &Database) {
    let url = database.url_text();
    if let Some(path) = url.strip_prefix("sqlite://") {
        fs::write(path, "").expect("an empty database");
    }
    // The migration creates this table after others.
    database
        .execute("create table scoreboards (planted bigint)")
        .await;
    let tables = match database.engine() {
        Engine::Sqlite => "select count(*) from sqlite_master",
        Engine::Postgres => {
            "select count(*) from pg_class where relnamespace = current_schema()::regnamespace"
        }
    };
    let folder = Folder::new();
    for command in ["upgrade", "export", "check"] {
        let failed = folder.run_on(&url, &[command]).failed();
        let says = "cannot bring the tables";
        assert!(failed.stderr.contains(says), "{command}: {failed:#?}");
        assert_eq!(database.count(tables).await, 1, "{command}");
    }
    database.execute("drop table scoreboards").await;
    folder.run_on(&url, &["upgrade"]).succeeded();
    folder.run_on(&url, &["check"]).succeeded();
}

async fn an_upgrade_is_announced_and_refuses_other_migrations(database: &Database) {
    let folder = Folder::new();
    let url = database.url_text();
    if let Some(path) = url.strip_prefix("sqlite://") {
        fs::write(path, "").expect("an empty database");
    }
    let check = |more: &[&str]| {
        let command = [&["upgrade", "--check"], more].concat();
        folder.run_on(&url, &command).succeeded().stdout
    };
    let said = check(&[]);
    for part in ["has no tables of RBS yet", "0 rounds", "  1  tables"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let json: serde_json::Value = serde_json::from_str(&check(&["--json"])).expect("an object");
    let known = newest_migration();
    assert_eq!(
        (&json["found"], &json["known"]),
        (&serde_json::Value::Null, &known.into())
    );
    assert_eq!(
        json["migrations"].as_array().map(Vec::len),
        Some(migrations_behind(0).len())
    );
    folder.run_on(&url, &["upgrade"]).succeeded();
    assert!(check(&[]).contains("nothing to do"));

    migrate_ahead(database, 1).await;
    assert!(check(&[]).contains("nothing to do"));
    let backup = folder.run_on(&url, &["backup", "ahead.backup.gz"]).failed();
    assert!(backup.stderr.contains("newer version"), "{backup:?}");

    let other = "update _sqlx_migrations set checksum = '0' where version = 1";
    database.execute(other).await;
    for command in [&["upgrade", "--check"][..], &["upgrade"]] {
        let refused = folder.run_on(&url, command).failed();
        let reason = "migration 1 of the database is not the one of this program";
        assert!(refused.stderr.contains(reason), "{refused:?}");
    }
}

/// Starts the service on a database with the log, plays rounds, and checks that old data is unchanged and matches the
/// log.
async fn play_on(database: &Database, version: &str) {
    let url = database.url_text();
    let site = Site::open(&url, 1, plainly);
    let unrated = database.count("select count(*) from unrated_players").await;
    let expected = LOG.matches("\"participated\": false").count();
    assert_eq!(unrated, i64::try_from(expected).unwrap(), "{version}");
    let folder = Folder::new();
    let here = folder.run_on(&url, &["export"]).succeeded().stdout;
    folder.write("log.jsonl", LOG);
    let fresh = format!("sqlite://{}", folder.path("fresh.db").display());
    folder.run_on(&fresh, &["import", "log.jsonl"]).succeeded();
    let expected = folder.run_on(&fresh, &["export"]).succeeded().stdout;
    assert_eq!(here, expected, "the log of {version} has changed");

    let plugins = Plugins::start(1, &site.addresses());
    tokio::time::sleep(Duration::from_millis(500)).await;
    let played = plugins.stop().await;
    ask_again(&played, &site.addresses()).await;
    site.stop();
    let compared = assert_log_equals_ratings(&folder, &url).await;
    let rounds = LOG.matches("\"round_id\"").count() + played.acknowledged.len();
    assert_eq!(compared.rounds, rounds, "{version}");
}

/// Simulated future versions: each adds a column and a table.
async fn migrate_ahead(database: &Database, by: u32) {
    for _ in 0..by {
        for statement in [
            "create table if not exists remarks (id bigint not null primary key)",
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             select version + 1, 'the next', success, checksum, 0 from _sqlx_migrations
             order by version desc limit 1",
        ] {
            database.execute(statement).await;
        }
    }
    for table in ["pools", "players", "rounds", "entries", "changes"] {
        let statement = format!("alter table {table} add column remark text");
        database.execute(&statement).await;
    }
}

async fn an_instance_goes_on_and_starts_over_a_database_that_is_one_migration_ahead(
    database: &Database,
) {
    let url = database.url_text();
    let mut site = Site::open(&url, 2, plainly);
    let plugins = Plugins::start(2, &site.addresses());
    tokio::time::sleep(Duration::from_millis(300)).await;
    migrate_ahead(database, 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    site.kill_and_start(0);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let played = plugins.stop().await;
    ask_again(&played, &site.addresses()).await;
    site.stop();
    assert_log_equals_ratings(&Folder::new(), &url).await;
}

async fn an_instance_does_not_start_over_a_database_that_is_two_migrations_ahead(
    database: &Database,
) {
    database.store().await.close().await;
    migrate_ahead(database, 2).await;
    let store = Store::connect(&database.url()).await.expect("a database");
    let refused = store.migrate().await;
    assert!(
        matches!(refused, Err(StoreError::Newer { .. })),
        "{refused:?}"
    );
    store.close().await;
    let said = Folder::new()
        .run_on(&database.url_text(), &["export"])
        .failed();
    assert!(said.stderr.contains("newer version of RBS"), "{said:#?}");
}
