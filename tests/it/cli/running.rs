use serde_json::Value;

use super::Folder;
use super::process::{Finished, Process, Stream};
use super::rounds::lines;

/// The service of a folder with forty rounds in it, and its address.
pub struct Running {
    pub folder: Folder,
    /// Its host and port.
    pub address: String,
    service: Process,
}

impl Running {
    pub fn start() -> Self {
        Self::start_with(super::CONFIGURATION)
    }

    /// The same with these settings.
    pub fn start_with(configuration: &str) -> Self {
        let folder = Folder::new();
        folder.write("config/rbs.toml", configuration);
        folder.write("rounds.jsonl", lines(40));
        folder.run(&["import", "rounds.jsonl"]).succeeded();
        let mut service = Process::start(&mut folder.serve());
        let listens = service.wait_for(Stream::Out, "listens on http://");
        let address = listens.rsplit("//").next().expect("an address").to_owned();
        // The secret is there only after that line has been written whole.
        service.wait_for(Stream::Out, "curl ");
        Self {
            folder,
            address,
            service,
        }
    }

    /// Runs a command where the service was started, with nothing said of secret or address but
    /// where it listens.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        let mut command = self.folder.rbs(arguments);
        Process::start(command.env("RBS_BIND", &self.address)).finish()
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let finished = self.run(&[arguments, &["--json"]].concat()).succeeded();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {finished:#?}"))
    }

    pub fn stop(self) {
        self.service.signal("TERM");
        self.service.finish().succeeded();
    }
}
