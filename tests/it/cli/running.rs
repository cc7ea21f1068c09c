use std::process::Command;

use serde_json::Value;

use super::Folder;
use super::process::{Finished, Process, Stream};
use super::rounds::lines;
use crate::support::Database;

/// A running service in a folder.
pub struct Running {
    pub folder: Folder,
    /// Host and port of the service.
    pub address: String,
    /// Environment of the service and of the commands.
    variables: Vec<(&'static str, String)>,
    pub service: Process,
}

impl Running {
    pub fn start() -> Self {
        Self::start_with(super::CONFIGURATION)
    }

    pub fn start_with(configuration: &str) -> Self {
        Self::start_in(configuration, Vec::new())
    }

    pub fn start_on(database: &Database) -> Self {
        let variables = vec![
            ("DATABASE_URL", database.url_text()),
            ("RBS_SECRET", "of-everybody".repeat(3)),
        ];
        Self::start_in(super::CONFIGURATION, variables)
    }

    fn start_in(configuration: &str, variables: Vec<(&'static str, String)>) -> Self {
        let folder = Folder::new();
        folder.write("config/rbs.toml", configuration);
        folder.write("rounds.jsonl", lines(40));
        let mut import = folder.rbs(&["import", "rounds.jsonl"]);
        Process::start(import.envs(variables.clone()))
            .finish()
            .succeeded();
        Self::of(folder, variables)
    }

    pub fn of(folder: Folder, variables: Vec<(&'static str, String)>) -> Self {
        let mut service = Process::start(folder.serve().envs(variables.clone()));
        let listens = service.wait_for(Stream::Out, "listens on http://");
        let address = listens.rsplit("//").next().expect("an address").to_owned();
        // The secret file is complete once this line is printed.
        service.wait_for(Stream::Out, "curl ");
        Self {
            folder,
            address,
            variables,
            service,
        }
    }

    /// Runs a command in the service's folder, with no address except the port in the environment.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        let mut command = self.folder.rbs(arguments);
        command.env("RBS_BIND", &self.address);
        Process::start(command.envs(self.variables.clone())).finish()
    }

    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let finished = self.run(&[arguments, &["--json"]].concat());
        finished.succeeded().json()
    }

    /// Sends `body` as a game server does, and returns the status.
    pub fn post(&self, path: &str, body: &Value) -> String {
        self.post_with(&self.secret(), path, body)
    }

    pub fn post_with(&self, secret: &str, path: &str, body: &Value) -> String {
        let url = format!("http://{}{path}", self.address);
        let authorization = format!("Authorization: Bearer {secret}");
        let mut curl = Command::new("curl");
        curl.args(["-sS", "-o", "/dev/null", "-w", "%{http_code}", &url])
            .args(["-H", &authorization, "-H", "Content-Type: application/json"])
            .args(["-d", &body.to_string()]);
        Process::start(&mut curl).finish().succeeded().stdout
    }

    pub fn secret(&self) -> String {
        let mut variables = self.variables.iter();
        match variables.find(|(name, _)| *name == "RBS_SECRET") {
            Some((_, secret)) => secret.clone(),
            None => std::fs::read_to_string(self.folder.path("rbs.secret"))
                .expect("a secret")
                .trim()
                .to_owned(),
        }
    }

    pub fn stop(self) -> Finished {
        self.service.stop()
    }
}
