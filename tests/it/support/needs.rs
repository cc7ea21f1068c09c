//! What some tests need besides Rust. On its own, `cargo test` leaves those out whose needs the machine
//! lacks, and says so; under scripts/test.sh they fail instead, each with a sentence.

use std::io::Write as _;
use std::sync::Once;

use super::Engine;

/// Set by scripts/test.sh: nothing is left out.
const EVERYTHING: &str = "RBS_TEST_EVERYTHING";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A PostgreSQL where schemas can be made.
    Postgres,
    /// The programs of PostgreSQL, to start one.
    PostgresPrograms,
    /// A program on the `PATH`.
    Program(&'static str),
}

/// All that may be missing.
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

    /// Whether a test that needs this is to be left out.
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
    /// Whether a test on this engine is to be left out.
    pub fn is_left_out(self) -> bool {
        self == Self::Postgres && Need::Postgres.is_left_out()
    }
}

/// Says what is missing, past what the tests' runner keeps to itself of a test that passes.
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
