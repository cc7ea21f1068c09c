//! `rbs demo`: the service with made-up data, which it removes at the end.

mod play;
mod world;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::arguments::whole;
use super::config::all_settings;
use super::environment;
use super::import::Import;
use super::remote::{Address, Client};
use super::serve::{local_address, start};
use super::signals::{at_each, hangups, stop_signal};
use super::terminal::output::print;
use crate::clock::Clock;
use crate::config::{Flags, SecretToSend};
use world::World;

const SETTINGS: &str = include_str!("demo.toml");

#[derive(Debug, Args)]
#[command(after_long_help = "\
Players, rounds and faults are made up and the same in every run. All names say \"demo\". The database is
in a new folder below TMPDIR, which is removed at the end. RBS_BIND and RBS_LOG are the only settings
that the demo takes from the environment.

Examples:
  rbs demo
  rbs demo --bind 127.0.0.1:8081 --every 30")]
pub(super) struct Demo {
    /// Number of made-up past rounds that the demo starts with
    #[arg(long, value_name = "N", default_value_t = 1800, value_parser = whole(0..=100_000_u32))]
    rounds: u32,
    /// Seconds between new rounds
    #[arg(long, value_name = "SECONDS", default_value_t = 4, value_parser = whole(1..=3600_u32))]
    every: u32,
}

/// Looks up an environment variable. The settings of a real service are left out.
fn variable(name: &str) -> Option<String> {
    let is_read = matches!(name, "RBS_BIND" | "RBS_LOG");
    is_read.then(|| environment::variable(name)).flatten()
}

impl Demo {
    pub(super) async fn run(self, bind: Option<String>) -> anyhow::Result<()> {
        let stop = CancellationToken::new();
        let (signal, signalled) = (stop_signal()?, stop.clone());
        tokio::spawn(async move {
            signal.await;
            signalled.cancel();
        });
        // The terminal may be closed.
        let hung_up = stop.clone();
        at_each(hangups()?, move || hung_up.cancel());
        let folder = tempfile::Builder::new()
            .prefix("rbs-demo-")
            .tempdir()
            .context("cannot make a temporary folder; set TMPDIR to another one")?;
        let path = folder.path().display();
        let write = |name: &str, text: &str| -> anyhow::Result<PathBuf> {
            let file = folder.path().join(name);
            fs::write(&file, text).with_context(|| format!("cannot write {name} into {path}"))?;
            Ok(file)
        };
        let flags = Flags {
            config: Some(write("demo.toml", SETTINGS)?),
            database_url: Some(format!("sqlite://{path}/demo.db")),
            bind,
        };
        let (settings, shown) = all_settings(&flags, variable)?;
        let mut world = World::new();
        let history = world.history(self.rounds, Clock::System.now());
        let import = Import {
            files: vec![write("history.jsonl", &history)?],
            is_silent: true,
            ..Import::default()
        };
        Box::pin(import.run(settings.clone())).await?;
        let read_again = move || all_settings(&flags, variable);
        let started = Box::pin(start(settings, shown, read_again)).await?;
        let local = local_address(&started.address.to_string());
        let link = started.log_in_link()?;
        let text = format!(
            "RBS demo: all players and rounds are made up. Ctrl-C stops it and removes everything.\n\
             Dashboard:      http://{local}/#/enter/{link} (this link works once, within 5 minutes)\n\
             Secret:         in the file {path}/rbs.secret\n\
             Public pages:   http://{local}/leaderboard?pool=demo-public\n\
             API reference:  http://{local}/docs\n"
        );
        print(text.as_bytes())?;
        let secret = SecretToSend::of_file(&folder.path().join("rbs.secret"))?;
        let client = Client::new(Address::local(&local), secret, true, None);
        let every = Duration::from_secs(self.every.into());
        let stopped = stop.clone();
        let playing = spawn_blocking(move || {
            let _at_end = stopped.clone().drop_guard();
            let played = play::play(&client, &mut world, every, &stopped);
            // A stopped service refuses requests.
            if stopped.is_cancelled() {
                Ok(())
            } else {
                played
            }
        });
        let _at_end = stop.clone().drop_guard();
        started.serve(stop.cancelled_owned()).await?;
        playing.await.context("the made-up game servers crashed")?
    }
}
