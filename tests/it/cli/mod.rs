//! Tests of the command line, which run the `rbs` binary in temporary folders.

mod backup;
mod completions;
mod doctor;
mod files;
mod manual;
pub mod process;
mod prune;
mod rebuild;
mod rebuild_ended;
mod remote;
mod rounds;
mod running;
mod service;
mod terminal;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use process::{Finished, Process};

const CONFIGURATION: &str = include_str!("../../schemas/rbs.toml");

/// A folder to run the program in, with an almost empty environment.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        let folder = path.parent().expect("inside the folder");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(path, text).expect("a file is written");
    }

    pub fn rbs(&self, arguments: &[&str]) -> Command {
        let mut command = clean(env!("CARGO_BIN_EXE_rbs"), self.0.path());
        command.args(arguments);
        command
    }

    pub fn pipe(&self, arguments: &[&str], text: &str) -> Finished {
        let mut child = self
            .rbs(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        // A command that refuses its options does not read its input.
        let _read_or_not = input.write_all(text.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        Finished {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    pub fn run(&self, arguments: &[&str]) -> Finished {
        Process::start(&mut self.rbs(arguments)).finish()
    }

    /// Runs the program on the database at `url`, with the pools of the tests.
    pub fn run_on(&self, url: &str, arguments: &[&str]) -> Finished {
        Process::start(&mut self.rbs_on(url, arguments)).finish()
    }

    pub fn rbs_on(&self, url: &str, arguments: &[&str]) -> Command {
        self.write("config/rbs.toml", CONFIGURATION);
        let mut command = self.rbs(arguments);
        command.env("DATABASE_URL", url);
        command
    }

    /// Starts the service on a free port.
    pub fn serve(&self) -> Command {
        let mut command = self.rbs(&[]);
        command.env("RBS_BIND", "127.0.0.1:0");
        command
    }
}

/// A command in `folder` whose environment contains only `PATH`.
pub fn clean(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder);
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}

#[test]
fn help_names_every_command_and_setting_and_the_version_is_the_crates() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).succeeded();
    for word in [
        "serve",
        "demo",
        "import",
        "import-ratings",
        "backup",
        "restore",
        "upgrade",
        "doctor",
        "export",
        "evaluate",
        "health",
        "rebuild",
        "prune",
        "season",
        "switch",
        "check",
        "settings",
        "reload",
        "secret",
        "split",
        "openapi",
        "player",
        "players",
        "quality",
        "models",
        "rounds",
        "void",
        "unvoid",
        "correct",
        "leaderboard",
        "interventions",
        "pools",
        "servers",
        "audit",
        "refusals",
        "scramble",
        "config",
        "completions",
        "man",
        "RBS_URL",
        "RBS_CA_FILE",
        "Exit codes:",
        "--config",
        "--database-url",
        "--bind",
        "RBS_SECRET ",
        "RBS_SECRET_FILE",
        "RBS_ADMIN_SECRET ",
        "RBS_ADMIN_SECRET_FILE",
        "RBS_READ_SECRET ",
        "RBS_READ_SECRET_FILE",
        "RBS_LOG",
    ] {
        assert!(help.stdout.contains(word), "{word}: {}", help.stdout);
    }
    for command in ["import", "export"] {
        let help = folder.run(&[command, "--help"]).succeeded();
        assert!(!help.stdout.contains("--bind"), "{}", help.stdout);
    }
    let version = folder.run(&["--version"]).succeeded();
    let expected = format!("rbs {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(version.stdout, expected);
    let described = folder.run(&["openapi"]).succeeded();
    assert_eq!(described.stdout, rbs::http::openapi_json());
    let unknown = folder.run(&["exprot"]).failed();
    assert!(unknown.stderr.contains("exprot"), "{}", unknown.stderr);
    let left = std::fs::read_dir(folder.0.path())
        .expect("a folder")
        .count();
    assert_eq!(left, 0, "asking for help makes no database");
}
