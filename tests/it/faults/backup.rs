//! `rbs backup` under load, and the commands for other backups in docs/backups.md.

use std::process::Command;
use std::time::Duration;

use super::cluster::Cluster;
use super::longest;
use super::plugin::{Plugins, ask_again};
use super::site::{Site, plainly};
use super::verdict::assert_log_equals_ratings;
use crate::cli::process::Process;
use crate::cli::{Folder, clean};
use crate::support::{Database, Need};

on_both_engines!(what_rbs_backs_up_under_load_holds_every_round_that_was_acknowledged_before);

async fn what_rbs_backs_up_under_load_holds_every_round_that_was_acknowledged_before(
    database: &Database,
) {
    let url = database.url_text();
    let site = Site::open(&url, 2, plainly);
    let before = Plugins::start(12, &site.addresses());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = before.stop().await;
    let meanwhile = Plugins::start(13, &site.addresses());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let backed_up = site.folder.run_on(&url, &["backup", "rbs.backup.gz"]);
    backed_up.succeeded();
    let meanwhile = meanwhile.stop().await;
    assert_eq!(meanwhile.failures, 0, "a backup kept somebody waiting");

    let elsewhere = Folder::new();
    let (from, to) = ("rbs.backup.gz", elsewhere.path("rbs.backup.gz"));
    std::fs::copy(site.folder.path(from), to).expect("a backup");
    site.stop();
    elsewhere.run_on(&url, &["check", from]).succeeded();
    let restored = Database::create(database.engine()).await;
    let url = restored.url_text();
    elsewhere.run_on(&url, &["restore", from]).succeeded();
    elsewhere.run_on(&url, &["check"]).succeeded();
    let compared = assert_log_equals_ratings(&elsewhere, &url).await;
    let rounds = before.acknowledged.len();
    assert!(compared.rounds >= rounds, "{compared:?} of {rounds}");
    let site = Site::open_in(elsewhere, &url, 1, plainly);
    ask_again(&before, &site.addresses()).await;
    // Later rounds count once, if they are in the backup or not.
    let later = Plugins::start(14, &site.addresses());
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(later.stop().await.failures, 0);
    let folder = Folder::new();
    site.stop();
    assert_log_equals_ratings(&folder, &url).await;
    restored.remove().await;
}

const BACKUPS: &str = include_str!("../../../docs/backups.md");

/// Fenced block of the page that begins with `start`.
fn block(start: &str) -> &'static str {
    let mut blocks = BACKUPS.split("\n```").skip(1).step_by(2);
    let found =
        blocks.find_map(|block| block.strip_prefix("sh\n").filter(|b| b.starts_with(start)));
    found.unwrap_or_else(|| panic!("docs/backups.md has no block that begins with {start:?}"))
}

fn run(folder: &Folder, url: &str, block: &str) {
    let mut command: Command = clean("bash", &folder.path("."));
    command.args(["-euc", block]).env("DATABASE_URL", url);
    if let Some(programs) = std::env::var_os("RBS_POSTGRES_BIN") {
        let mut path = programs;
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        command.env("PATH", path);
    }
    Process::start(&mut command).finish().succeeded();
}

/// Copies files whose names begin with "backup-".
fn copy_backups(from: &Folder, to: &Folder) {
    let mut copied = 0;
    for file in std::fs::read_dir(from.path(".")).expect("a folder") {
        let file = file.expect("a file");
        let name = file.file_name().into_string().expect("a name");
        if name.starts_with("backup-") {
            std::fs::copy(file.path(), to.path(&name)).expect("a backup");
            copied += 1;
        }
    }
    assert_eq!(
        copied, 2,
        "a backup is made again without touching the first"
    );
}

/// Plays, backs the database at `url` up twice under load, and restores it in another folder with `restored`. All
/// rounds from before the backup must be present, with their original answers.
async fn back_up(
    folder: Folder,
    url: &str,
    back_up: &str,
    restored: impl FnOnce(&Folder, &Folder) -> String,
) {
    let site = Site::open_in(folder, url, 1, plainly);
    let before = Plugins::start(10, &site.addresses());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = before.stop().await;
    let meanwhile = Plugins::start(11, &site.addresses());
    tokio::time::sleep(Duration::from_millis(300)).await;
    run(&site.folder, url, back_up);
    // Backup names have a resolution of one second.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    run(&site.folder, url, back_up);
    let meanwhile = meanwhile.stop().await;
    assert_eq!(meanwhile.failures, 0, "a backup kept somebody waiting");

    let elsewhere = Folder::new();
    let url = restored(&site.folder, &elsewhere);
    site.stop();
    let compared = assert_log_equals_ratings(&elsewhere, &url).await;
    let rounds = before.acknowledged.len();
    assert!(compared.rounds >= rounds, "{compared:?} of {rounds}");
    let site = Site::open_in(elsewhere, &url, 1, plainly);
    ask_again(&before, &site.addresses()).await;
    site.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_sqlite_under_load_is_whole() {
    if Need::Program("sqlite3").is_left_out() {
        return;
    }
    let folder = Folder::new();
    let url = |folder: &Folder| format!("sqlite://{}", folder.path("rbs.db").display());
    let here = url(&folder);
    let testing = back_up(folder, &here, block("sqlite3 rbs.db"), |from, to| {
        copy_backups(from, to);
        to.write("rbs.db", "broken");
        to.write("rbs.db-wal", "broken");
        run(to, &url(to), block("rm -f rbs.db-wal"));
        url(to)
    });
    tokio::time::timeout(longest(), testing)
        .await
        .expect("the test ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_postgresql_under_load_is_whole() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let (cluster, another) = (Cluster::start(), Cluster::start());
    let here = cluster.url();
    let testing = back_up(Folder::new(), &here, block("pg_dump"), |from, to| {
        copy_backups(from, to);
        run(to, &another.url(), block("pg_restore"));
        another.url()
    });
    tokio::time::timeout(longest(), testing)
        .await
        .expect("the test ends");
}
