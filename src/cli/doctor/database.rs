//! The database: whether it answers and takes writes, its version, settings and clock.

use std::time::Duration;

use super::finding::Finding;
use crate::cli::database::connect;
use crate::cli::failure::explain;
use crate::clock::Clock;
use crate::domain::{PluginVersion, ServerName, Timestamp};
use crate::service::LEAST_PLUGIN;
use crate::store::{
    DatabaseUrl, Greeting, ServerState, Store, StoreError, migrations_behind, newest_migration,
};

const DATABASE: &str = "database";
const TABLES: &str = "tables";
const CLOCK: &str = "clock";
const POSTGRES: &str = "PostgreSQL";
const PLUGINS: &str = "plugins";
/// Of servers that said hello longer ago, the plugins do not matter any more.
const HEARD_OF_WITHIN: Duration = Duration::from_hours(30 * 24);
/// How far two clocks may lie apart.
pub(super) const APART: Duration = Duration::from_mins(1);
/// The earliest version of PostgreSQL that its makers still mend.
const LEAST_POSTGRES: u32 = 14;
/// The connections of two instances, and some for whoever looks.
const LEAST_CONNECTIONS: u32 = 40;

pub(super) async fn look(database: &DatabaseUrl) -> Vec<Finding> {
    if let DatabaseUrl::Sqlite { path } = database
        && !path.exists()
    {
        // Looking would make it.
        return Vec::new();
    }
    let store = match connect(database).await {
        Ok(store) => store,
        Err(error) => {
            let remedy =
                "mend that, then run `rbs doctor` again; backups are restored by `rbs restore`";
            return vec![Finding::problem(DATABASE, explain(&error), remedy)];
        }
    };
    let mut findings = Vec::new();
    if let Err(error) = look_into(&store, &mut findings).await {
        findings.push(Finding::problem(
            DATABASE,
            explain(&error.into()),
            "see whether it is the database that is meant (DATABASE_URL), and run `rbs check`",
        ));
    }
    store.close().await;
    findings
}

async fn look_into(store: &Store, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
    let now = Clock::System.now();
    let mut tx = store.begin_read().await?;
    let found = tx.migration().await?;
    findings.push(tables(found));
    if let Some(server) = tx.server_state().await? {
        findings.extend(postgres(&server));
        findings.push(clock(now, server.now, "PostgreSQL"));
    }
    if found.is_none() {
        return Ok(());
    }
    findings.extend(last_round(now, tx.newest_arrival().await?));
    if found.is_some_and(|found| migrations_behind(found).is_empty()) {
        findings.extend(plugins(now, &tx.greetings().await?));
    }
    drop(tx);
    findings.push(match store.check_room().await {
        Ok(()) => Finding::good(DATABASE, "it answers and takes writes"),
        Err(error) => Finding::problem(
            DATABASE,
            explain(&error.into()),
            "let the user who runs RBS write it; of a PostgreSQL server name the primary in DATABASE_URL",
        ),
    });
    Ok(())
}

/// Whether the tables are of this version.
fn tables(found: Option<i64>) -> Finding {
    let known = newest_migration();
    match found {
        None => Finding::good(TABLES, "there are none yet; the first start makes them"),
        Some(found) if found > known + 1 => Finding::problem(
            TABLES,
            format!("a newer version of RBS made them (migration {found}; this one knows {known})"),
            "run that version, or restore a backup of before into a new database",
        ),
        Some(found) => match migrations_behind(found).len() {
            0 => Finding::good(
                TABLES,
                format!("they are of this version (migration {found})"),
            ),
            behind => Finding::warning(
                TABLES,
                format!(
                    "they are {behind} migrations behind this version; the next start upgrades them"
                ),
                "see what that takes with `rbs upgrade --check`, and make a backup with `rbs backup FILE`",
            ),
        },
    }
}

/// Whether two clocks agree.
pub(super) fn clock(here: Timestamp, there: Timestamp, whose: &str) -> Finding {
    let apart = here.duration_since(there).max(there.duration_since(here));
    if apart <= APART {
        return Finding::good(CLOCK, format!("it agrees with that of {whose}"));
    }
    let which = if here > there { "ahead of" } else { "behind" };
    Finding::problem(
        CLOCK,
        format!(
            "this machine's is {} s {which} that of {whose}",
            apart.as_secs()
        ),
        "set both by the network time (`timedatectl set-ntp true`); rounds are placed by their times",
    )
}

/// Whether a round came in the future.
fn last_round(now: Timestamp, arrived: Option<Timestamp>) -> Option<Finding> {
    let ahead = arrived?.duration_since(now);
    (ahead > APART).then(|| {
        Finding::problem(
            CLOCK,
            format!("by this machine's, the last round came {} s from now", ahead.as_secs()),
            "set the clock by the network time (`timedatectl set-ntp true`); it is wrong now, or was then",
        )
    })
}

/// Whether this version works with the plugins of the servers that said hello lately; `None` where none named its
/// plugin.
fn plugins(now: Timestamp, greetings: &[Greeting]) -> Option<Finding> {
    let lately = now.earlier(HEARD_OF_WITHIN);
    let lately = greetings.iter().filter(|greeting| greeting.at >= lately);
    let versions: Vec<(&ServerName, PluginVersion)> = lately
        .filter_map(|greeting| Some((&greeting.server, greeting.plugin?)))
        .collect();
    let outdated = versions
        .iter()
        .filter(|(_, version)| *version < LEAST_PLUGIN);
    let outdated: Vec<String> = outdated
        .map(|(server, version)| format!("{server} ({version})"))
        .collect();
    if versions.is_empty() {
        return None;
    }
    Some(if outdated.is_empty() {
        let finding =
            format!("those that servers named in the last 30 days are {LEAST_PLUGIN} or later");
        Finding::good(PLUGINS, finding)
    } else {
        Finding::warning(
            PLUGINS,
            format!(
                "older than {LEAST_PLUGIN}, the earliest that this version works with: {}",
                outdated.join(", ")
            ),
            "install the plugin of this version there, as plugin/README.md describes",
        )
    })
}

fn postgres(server: &ServerState) -> Vec<Finding> {
    let mut findings = Vec::new();
    let version = server.version / 10_000;
    if version < LEAST_POSTGRES {
        findings.push(Finding::warning(
            POSTGRES,
            format!("its version {version} is mended no longer"),
            format!("upgrade it to {LEAST_POSTGRES} or later with pg_upgrade"),
        ));
    }
    let setting = |name: &str| {
        let found = server.settings.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    for (name, lost) in [
        ("fsync", "a power cut may destroy the database"),
        ("full_page_writes", "a power cut may destroy pages"),
        (
            "synchronous_commit",
            "a power cut may lose rounds that were acknowledged",
        ),
    ] {
        if setting(name) == "off" {
            findings.push(Finding::problem(
                POSTGRES,
                format!("{name} is off: {lost}"),
                format!("alter system set {name} = on; select pg_reload_conf();"),
            ));
        }
    }
    if setting("server_encoding") != "UTF8" {
        findings.push(Finding::problem(
            POSTGRES,
            format!(
                "the database is encoded in {}, and names are not",
                setting("server_encoding")
            ),
            "make one with encoding 'UTF8' template template0, and restore a backup into it",
        ));
    }
    let connections: u32 = setting("max_connections").parse().unwrap_or(u32::MAX);
    if connections < LEAST_CONNECTIONS {
        findings.push(Finding::warning(
            POSTGRES,
            format!("it takes {connections} connections, and each instance uses up to 16"),
            format!("alter system set max_connections = {LEAST_CONNECTIONS}; and restart it"),
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::good(
            POSTGRES,
            format!("version {version}, whose commits reach the disk"),
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::Status;
    use crate::domain::Fingerprint;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(seconds).unwrap()
    }

    #[test]
    fn clocks_may_lie_a_minute_apart() {
        for (here, there, says) in [
            (1000, 1060, "agrees"),
            (1000, 1061, "61 s behind"),
            (1061, 1000, "61 s ahead of"),
        ] {
            let found = clock(at(here), at(there), "somebody");
            assert!(found.says.contains(says), "{found:?}");
            let is_good = found.status == Status::Good;
            assert_eq!(is_good, says == "agrees", "{found:?}");
        }
        assert_eq!(last_round(at(1000), Some(at(1060))), None);
        assert_eq!(last_round(at(1000), None), None);
        let found = last_round(at(1000), Some(at(1061))).unwrap();
        assert!(found.says.contains("61 s from now"), "{found:?}");
    }

    #[test]
    fn plugins_that_are_too_old_are_named_unless_their_server_is_gone() {
        let greeting = |server: &str, plugin: Option<&str>, at: Timestamp| Greeting {
            server: server.parse().unwrap(),
            plugin: plugin.map(|version| version.parse().unwrap()),
            secret: Fingerprint::new([0; 4]),
            at,
        };
        let now = at(31 * 86_400);
        let gone = greeting("gone", Some("0.0.1"), at(0));
        let unnamed = greeting("unnamed", None, now);
        assert_eq!(plugins(now, &[gone.clone(), unnamed.clone()]), None);
        let good = greeting("good", Some("0.1.0"), now);
        let found = plugins(now, &[gone.clone(), good.clone()]).unwrap();
        assert_eq!(found.status, Status::Good);
        let old = greeting("old", Some("0.0.9"), now);
        let found = plugins(now, &[gone, good, old, unnamed]).unwrap();
        assert_eq!(found.status, Status::Warning);
        assert!(found.says.ends_with("works with: old (0.0.9)"), "{found:?}");
    }

    #[test]
    fn a_server_is_judged_by_its_version_and_settings() {
        let good = [
            ("fsync", "on"),
            ("full_page_writes", "on"),
            ("synchronous_commit", "on"),
            ("server_encoding", "UTF8"),
            ("max_connections", "100"),
        ];
        let judged = |version, changed: Option<(&str, &str)>| {
            let value = |(name, value): (&str, &str)| match changed {
                Some((of, changed)) if of == name => (name.to_owned(), changed.to_owned()),
                _ => (name.to_owned(), value.to_owned()),
            };
            let settings = good.into_iter().map(value).collect();
            let now = at(0);
            let found = postgres(&ServerState {
                version,
                settings,
                now,
            });
            assert_eq!(found.len(), 1, "{found:?}");
            (found[0].status, found[0].says.clone())
        };
        assert_eq!(judged(150_012, None).0, Status::Good);
        for (version, changed, status, says) in [
            (130_020, None, Status::Warning, "version 13"),
            (150_012, Some(("fsync", "off")), Status::Problem, "destroy"),
            (
                150_012,
                Some(("full_page_writes", "off")),
                Status::Problem,
                "pages",
            ),
            (
                150_012,
                Some(("synchronous_commit", "off")),
                Status::Problem,
                "acknowledged",
            ),
            (
                150_012,
                Some(("server_encoding", "LATIN1")),
                Status::Problem,
                "LATIN1",
            ),
            (
                150_012,
                Some(("max_connections", "20")),
                Status::Warning,
                "20 connections",
            ),
        ] {
            let (found, finding) = judged(version, changed);
            assert_eq!(found, status, "{finding}");
            assert!(finding.contains(says), "{finding}");
        }
    }
}
