//! External requirements of some tests. Plain `cargo test` skips tests with missing requirements and prints a notice;
//! under scripts/test.sh they fail with a message.

use std::io::Write as _;
use std::sync::Once;

use super::Engine;

/// Set by scripts/test.sh: no test is skipped.
const EVERYTHING: &str = "RBS_TEST_EVERYTHING";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A PostgreSQL server on which schemas can be created.
    Postgres,
    /// The server programs of PostgreSQL.
    PostgresPrograms,
    Program(&'static str),
}

const NEEDS: [Need; 7] = [
    Need::Postgres,
    Need::PostgresPrograms,
    Need::Program("curl"),
    Need::Program("openssl"),
    Need::Program("sqlite3"),
    Need::Program("pgbouncer"),
    Need::Program("python3"),
];

impl Need {
    fn is_there(self) -> bool {
        match self {
            Self::Postgres => std::env::var_os("RBS_TEST_DATABASE_URL").is_some(),
            Self::PostgresPrograms => std::env::var_os("RBS_POSTGRES_BIN").is_some(),
            Self::Program(name) => std::env::var_os("PATH")
                .is_some_and(|path| std::env::split_paths(&path).any(|at| at.join(name).is_file())),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Postgres => "a PostgreSQL",
            Self::PostgresPrograms => "initdb and pg_ctl",
            Self::Program(name) => name,
        }
    }

    pub fn is_left_out(self) -> bool {
        static NAMED: Once = Once::new();
        let left_out = std::env::var_os(EVERYTHING).is_none() && !self.is_there();
        if left_out {
            NAMED.call_once(name_what_is_left_out);
        }
        left_out
    }
}

impl Engine {
    pub fn is_left_out(self) -> bool {
        self == Self::Postgres && Need::Postgres.is_left_out()
    }
}

/// Prints the missing requirements, bypassing the test runner's capture of passing tests.
pub fn name_what_is_left_out() {
    let missing: Vec<&str> = NEEDS
        .into_iter()
        .filter(|need| !need.is_there())
        .map(Need::name)
        .collect();
    if !missing.is_empty() && std::env::var_os(EVERYTHING).is_none() {
        let line = format!(
            "\nLEFT OUT: tests that need {}; scripts/test.sh runs everything.\n",
            missing.join(", ")
        );
        std::io::stderr()
            .write_all(line.as_bytes())
            .expect("standard error");
    }
}
