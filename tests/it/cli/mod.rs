//! Tests of the command line, which run the `rbs` binary in temporary folders.

mod backup;
mod doctor;
mod files;
mod help;
pub mod process;
mod prune;
mod rebuild;
mod remote;
mod rounds;
mod running;
mod service;
mod terminal;

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
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

    /// Imports [`rounds::lines`] into the database of the folder.
    pub fn import_lines(&self, count: usize) {
        self.write("rounds.jsonl", rounds::lines(count));
        self.run(&["import", "rounds.jsonl"]).succeeded();
    }

    /// Imports [`rounds::lines`] into the database at `url`, with the pools of the tests.
    pub fn import_lines_on(&self, url: &str, count: usize) {
        self.write("rounds.jsonl", rounds::lines(count));
        self.run_on(url, &["import", "rounds.jsonl"]).succeeded();
    }

    pub fn set_mode(&self, name: &str, mode: u32) {
        let mode = Permissions::from_mode(mode);
        std::fs::set_permissions(self.path(name), mode).expect("permissions");
    }

    /// Makes a named pipe.
    pub fn make_pipe(&self, name: &str) -> PathBuf {
        let pipe = self.path(name);
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        pipe
    }

    /// Number of files and folders in it.
    pub fn count(&self) -> usize {
        let entries = std::fs::read_dir(self.0.path());
        entries.expect("a folder").count()
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

/// Arguments of a command line without quotes.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Array of the values of these keys.
pub fn fields<const N: usize>(object: &Value, keys: [&str; N]) -> Value {
    keys.map(|key| object[key].clone()).to_vec().into()
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
