//! Checks the dependencies between modules, read from the sources, against the table in ARCHITECTURE.md.

mod architecture;
mod paths;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use paths::{Mention, mentions};

/// A top-level module of the crate, and the paths in other modules that it may name.
struct Room {
    name: String,
    may_know: Vec<String>,
}

/// Every row of the table in ARCHITECTURE.md.
static ROOMS: LazyLock<Vec<Room>> = LazyLock::new(|| {
    let rows = include_str!("../../ARCHITECTURE.md").lines();
    let rows = rows.filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let rooms = rows.map(|(name, rest)| {
        let known = rest.split('|').nth(2).expect("a third column");
        Room {
            name: name.to_owned(),
            may_know: known
                .split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect(),
        }
    });
    rooms.collect()
});

/// Texts that only these modules may contain.
const ONLY_IN: [(&[&str], &[&str]); 5] = [
    (&["sqlx"], &["src/store/"]),
    (&["axum"], &["src/http/"]),
    (&["prometheus_client"], &["src/metrics/"]),
    (&["ureq"], &["src/cli/", "src/webhook.rs"]),
    (&["SystemTime", "now"], &["src/clock.rs"]),
];

/// Maximum number of lines of a file.
const MAX_LINES: usize = 400;

/// Problems of the file at `path`, relative to the crate's root.
fn problems(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for Mention { line, path: named } in &mentions(path, text) {
        if let Some(problem) = wrong_arrow(path, named) {
            problems.push(format!("{path}:{line}: {problem}"));
        }
        for (words, places) in ONLY_IN {
            let said = named
                .windows(words.len())
                .any(|part| part.iter().eq(words.iter()));
            if said && !places.iter().any(|place| path.starts_with(place)) {
                problems.push(format!(
                    "{path}:{line}: only {} may say {}",
                    places.join(" and "),
                    words.join("::")
                ));
            }
        }
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!(
            "{path}: has {lines} lines; split it, at most {MAX_LINES} are read in one go"
        ));
    }
    problems
}

/// Error message if the file at `path` may not name the path `named` of this crate.
fn wrong_arrow(path: &str, named: &[String]) -> Option<String> {
    let (first, named) = named.split_first()?;
    if first != "crate" {
        return None;
    }
    let to = named.first()?;
    let from = room(path);
    let allowed = match from {
        "lib" => return None,
        "main" => &vec!["cli".to_owned()],
        _ => match ROOMS.iter().find(|room| room.name == from) {
            Some(room) => &room.may_know,
            None => {
                return Some(format!(
                    "ARCHITECTURE.md has no row for the room {from}; add it"
                ));
            }
        },
    };
    let may = to == from
        || allowed.iter().any(|allowed| {
            let mut wanted = allowed.split("::");
            let mut said = named.iter();
            wanted.all(|word| said.next().is_some_and(|name| name == word))
        });
    let said = named.join("::");
    (!may).then(|| format!("{from} may not know {said}; it may know {allowed:?}"))
}

fn room(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let end = inside.find(['/', '.']).unwrap_or(inside.len());
    &inside[..end]
}

/// Every Rust file under `folder`, relative to the crate's root.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_knows_only_what_its_room_may_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = files(&root.join("src"));
    assert!(files.len() > 50, "only {} files were found", files.len());
    let mut all = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        let short = path.strip_prefix(root).expect("inside the crate");
        all.extend(problems(&short.to_string_lossy().replace('\\', "/"), &text));
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn every_room_has_rules_and_is_declared() {
    let declared = include_str!("../../src/lib.rs").lines();
    let mut declared: Vec<&str> = declared
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut ruled: Vec<&str> = ROOMS.iter().map(|room| room.name.as_str()).collect();
    declared.sort_unstable();
    ruled.sort_unstable();
    assert_eq!(declared, ruled);
    for known in ROOMS.iter().flat_map(|room| &room.may_know) {
        let room = known.split("::").next().unwrap_or_default();
        assert!(ruled.contains(&room), "{known} is in no room");
    }
}

#[test]
fn the_service_passes_no_record_of_the_store_on() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let passes_on = text.contains("pub use crate::store");
        assert!(
            !passes_on,
            "{}: answer types of `api` instead",
            path.display()
        );
    }
}

#[test]
fn a_wrong_arrow_is_seen_however_it_is_written() {
    for (path, text, room) in [
        ("src/domain/rating.rs", "use crate::store::Tx;", "store"),
        ("src/domain/mod.rs", "pub use crate::rating;", "rating"),
        (
            "src/rating/evaluation/scores.rs",
            "fn f(x: crate::api::Json) {}",
            "api",
        ),
        ("src/rating/mod.rs", "use super::store::Tx;", "store"),
        (
            "src/rating/evaluation/scores.rs",
            "use super::super::super::store;",
            "store",
        ),
        ("src/clock.rs", "use super::rating::Totals;", "rating"),
        (
            "src/partition/pool.rs",
            "mod tests { use super::super::super::store::Tx; }",
            "store",
        ),
        (
            "src/api/json/mod.rs",
            "use crate::{\n  domain::PlayerId,\n  service::{self, Pool},\n};",
            "service",
        ),
        (
            "src/api/json/mod.rs",
            "use crate::{domain, http as web};",
            "http",
        ),
        ("src/api/json/mod.rs", "use crate :: /* so */ http;", "http"),
        ("src/http/mod.rs", "use crate::store::Store;", "store"),
        ("src/http/mod.rs", "use crate::config::Settings;", "config"),
        ("src/http/mod.rs", "use crate::config;", "config"),
        (
            "src/config/mod.rs",
            "use crate::store::{DatabaseUrl, Store};",
            "Store",
        ),
        (
            "src/telemetry.rs",
            "let a = 'a'; crate::domain::f('{');",
            "domain",
        ),
        ("src/main.rs", "fn main() { rbs::http::serve() }", "http"),
        ("src/dashboard/mod.rs", "use crate::service;", "dashboard"),
        ("src/domain/a.rs", "pub(in crate::store) fn f() {}", "store"),
        ("src/http/mod.rs", "use sqlx::Row as _;", "sqlx"),
        ("src/service/mod.rs", "fn f(row: &sqlx::Row) {}", "sqlx"),
        ("src/service/mod.rs", "use axum::Json;", "axum"),
        (
            "src/cli/mod.rs",
            "use std::time::SystemTime; SystemTime::now();",
            "SystemTime",
        ),
        (
            "src/cli/mod.rs",
            "std::time::SystemTime::now();",
            "SystemTime",
        ),
    ] {
        let found = problems(path, text);
        assert!(
            !found.is_empty() && found.iter().all(|problem| problem.contains(room)),
            "{path}: {text}: {found:?}"
        );
    }
}

#[test]
fn a_right_arrow_passes_and_so_does_what_is_no_code() {
    for (path, text) in [
        (
            "src/rating/evaluation/scores.rs",
            "use crate::domain::{Probability, Score};",
        ),
        (
            "src/rating/evaluation/scores.rs",
            "use super::{Parameters, Window};",
        ),
        (
            "src/rating/evaluation/scores.rs",
            "mod tests { use super::super::window::Window; }",
        ),
        (
            "src/store/sql/pools.rs",
            "use super::Row; pub(in crate::store) fn f() {}",
        ),
        ("src/store/postgres.rs", "use sqlx::PgPool;"),
        ("src/config/mod.rs", "use crate::store::DatabaseUrl;"),
        (
            "src/http/auth.rs",
            "use crate::config::Secrets; use axum::Json;",
        ),
        ("src/clock.rs", "SystemTime::now()"),
        ("src/main.rs", "fn main() { rbs::cli::run() }"),
        ("src/lib.rs", "pub mod store; //! [`store`]"),
        (
            "src/domain/a.rs",
            "// use crate::store::Tx;\n/* /* sqlx::x */ axum::x */",
        ),
        (
            "src/domain/a.rs",
            "let a = \"crate::store::Tx \\\" sqlx::a\";",
        ),
        ("src/domain/a.rs", "let a = r#\"\"crate::store::Tx\"#;"),
        (
            "src/domain/a.rs",
            "fn f<'a>(a: &'a str) -> &'a str { '\\'' }",
        ),
        ("src/http/a.rs", "let clock = Clock::now();"),
    ] {
        assert_eq!(problems(path, text), [""; 0], "{path}: {text}");
    }
}

#[test]
fn a_long_file_is_seen() {
    let line = "\n".repeat(MAX_LINES);
    assert_eq!(problems("src/clock.rs", &line), [""; 0]);
    let found = problems("src/clock.rs", &format!("{line}\n"));
    assert!(
        found.len() == 1 && found[0].contains("401 lines"),
        "{found:?}"
    );
}
