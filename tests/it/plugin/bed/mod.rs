//! A simulated game server with the plugin, connected to a real service.
//!
//! After every step the bed checks for faults, leaked handles and callbacks with too many instructions; each of them
//! fails the test.

mod checks;
mod folder;
mod games;
mod life;
mod maps;
mod players;
mod rounds;
mod wire;

pub use rounds::Win;
pub use wire::Trouble;

use std::path::Path;
use std::sync::Arc;

use rbs::clock::Clock;
use rbs::domain::Timestamp;
use tempfile::TempDir;

use crate::faults::plugin::Addresses;
use crate::support::{App, SECRET};
use folder::game_folder;
use sourcemod_bed::compiler;
use sourcemod_bed::game::{Game, Map, Mode};
use sourcemod_bed::machine::{Fault, Image, Machine};
use sourcemod_bed::sourcemod::files::Files;
use sourcemod_bed::sourcemod::{Plugin, SourceMod, natives};
use wire::Wire;

/// Instruction limit of a callback with 32 players: about a millisecond on an interpreting server.
pub const MAX_INSTRUCTIONS: u64 = 300_000;
/// Seconds per frame of the bed. Real servers have 0.015, but the plugin's shortest timer is 0.1.
const FRAME: f64 = 0.1;
/// Start of the game clock in unix seconds, equal to the clock of the test services.
const EPOCH: i64 = 1_795_176_000;
/// Game time runs fast in tests, and the service refuses rounds from the future.
const DAY: i64 = 86_400;

pub struct Bed {
    plugin: Plugin,
    image: Arc<Image>,
    folder: TempDir,
    wire: Wire,
    /// Clock of the service, which follows the game clock.
    clock: Option<Clock>,
    /// Unix time at game time 0; differs from the game's own clock if that was changed.
    true_epoch: i64,
    /// Number of handles at the last check; leaks are searched for only if it grew.
    handles: usize,
    is_loaded: bool,
    seed: u64,
}

impl Bed {
    /// A freshly started server with the plugin configured for `app` and a running map, without players.
    pub async fn start(app: &App, mode: Mode) -> Self {
        Self::start_as("arena-1", app, mode).await
    }

    /// A server with another name than the one that the test service knows.
    pub async fn start_as(server: &str, app: &App, mode: Mode) -> Self {
        let mut bed = Self::without_plugin(mode);
        bed.connect_to(app);
        bed.set_up(server);
        bed.load().await;
        bed
    }

    /// A server without the plugin, and without a service.
    pub fn without_plugin(mode: Mode) -> Self {
        Self::of(compiler::plugin(), Game::new(Map::new(mode), EPOCH))
    }

    fn of(image: Arc<Image>, game: Game) -> Self {
        let folder = game_folder();
        let plugin = machine(&image, game, folder.path(), 1);
        Self {
            plugin,
            image,
            folder,
            wire: Wire::new("http://127.0.0.1:9"),
            clock: None,
            true_epoch: EPOCH,
            handles: 0,
            is_loaded: false,
            seed: 1,
        }
    }

    /// Connects to a service, and synchronizes its clock.
    pub fn connect_to(&mut self, app: &App) {
        self.connect_to_address(&app.first.address);
        let now = app.clock.now().unix_micros() / 1_000_000;
        self.true_epoch = now;
        self.plugin.host.game.epoch = now;
        self.clock = Some(app.clock.clone());
    }

    /// Follows a service that is killed and restarted at changing addresses, with the machine's clock.
    pub fn follow(&mut self, addresses: Addresses) {
        self.wire.addresses = Some(addresses);
        self.plugin.host.game.epoch = Clock::System.now().unix_micros() / 1_000_000 - DAY;
    }

    /// Moves the service to another address, or to none.
    pub fn connect_to_address(&mut self, address: &str) {
        address.clone_into(&mut self.wire.address);
    }

    /// Writes the operator's settings into server.cfg, with the settings of the game that the plugin's page recommends.
    pub fn set_up(&mut self, server: &str) {
        let lines = format!(
            "rbs_url \"http://rbs.test\"\nrbs_secret \"{SECRET}\"\nrbs_server \"{server}\"\n\
             tf_arena_override_team_size 18\nmp_teams_unbalance_limit 0\n"
        );
        self.write_file("cfg/server.cfg", &lines);
    }

    /// Advances time, with timers, frames, requests and answers. On an empty server only the clock advances.
    pub async fn pass(&mut self, seconds: f64) {
        self.look();
        let end = self.plugin.host.game.now() + seconds;
        while self.plugin.host.game.now() < end - FRAME / 2.0 {
            let everybody = self.everybody();
            if everybody.iter().all(|index| self.client(*index).is_bot) {
                self.hibernate(end - self.plugin.host.game.now());
                break;
            }
            self.frame().await;
        }
    }

    /// Advances time until no request is in flight: at least half a second, because a finished round is sent after 0.3
    /// seconds, and at most a minute.
    pub async fn settle(&mut self) {
        for frame in 1..=600 {
            self.frame().await;
            if frame >= 5 && self.wire.is_idle() && self.plugin.host.requests.is_idle() {
                return;
            }
        }
    }

    async fn frame(&mut self) {
        self.plugin.host.game.pass(FRAME);
        self.set_clock();
        let now = self.plugin.host.game.now();
        for request in self.plugin.host.requests.start() {
            self.wire.send(request, now).await;
        }
        for (request, response) in self.wire.arrived(now) {
            self.plugin.host.requests.answer(request, response);
        }
        self.plugin.deliver();
        self.look();
        self.plugin.run_frame(now);
        self.think_preround();
        self.look();
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    /// Assumption: an empty server hibernates, so that no frame runs until somebody connects.
    fn hibernate(&mut self, seconds: f64) {
        self.plugin.host.game.epoch += seconds as i64;
        self.true_epoch += seconds as i64;
        self.set_clock();
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "microseconds of this century"
    )]
    fn set_clock(&self) {
        if let Some(clock) = &self.clock {
            let now = self.true_epoch * 1_000_000 + (self.plugin.host.game.now() * 1e6) as i64;
            clock.set(Timestamp::from_unix_micros(now).expect("a time"));
        }
    }

    /// Changes the machine's clock by that number of seconds.
    pub fn set_machine_clock(&mut self, by: i64) {
        self.plugin.host.game.epoch += by;
    }

    /// Sets the network trouble from now on.
    pub fn trouble(&mut self, trouble: Trouble) {
        self.wire.trouble = trouble;
    }

    pub fn set(&mut self, convar: &str, value: &str) {
        done(self.plugin.set_convar(convar, value));
        self.look();
    }

    pub fn value(&self, convar: &str) -> &str {
        let convar = self.plugin.host.convars.get(convar);
        &convar.expect("a convar").value
    }

    pub fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    pub fn plugin_mut(&mut self) -> &mut Plugin {
        &mut self.plugin
    }

    /// Number of lines with `part` in the log so far.
    pub fn logged(&self, part: &str) -> usize {
        let lines = self.plugin.host.console.log.iter();
        lines.filter(|line| line.contains(part)).count()
    }

    /// Errors in the log so far.
    pub fn errors(&self) -> Vec<&str> {
        self.plugin.host.console.errors().collect()
    }

    /// Names of the plugin's commands.
    pub fn commands(&self) -> Vec<String> {
        let commands = self.plugin.host.commands.all.iter();
        commands.map(|command| command.name.clone()).collect()
    }

    /// Bodies of all requests to a path so far, as JSON.
    pub fn requests(&self, path: &str) -> Vec<serde_json::Value> {
        let all = self.plugin.host.requests.log.iter();
        let found = all.filter(|(line, _)| line.split(' ').nth(1) == Some(path));
        found
            .map(|(_, body)| serde_json::from_str(body.as_deref().unwrap_or("null")).expect("JSON"))
            .collect()
    }
}

/// Panics with the fault of a step in the virtual machine.
fn done<T>(step: Result<T, Fault>) -> T {
    step.unwrap_or_else(|fault| panic!("{fault}"))
}

fn machine(image: &Arc<Image>, game: Game, folder: &Path, seed: u64) -> Plugin {
    let host = SourceMod::new(game, Files::new(folder.to_owned()), seed);
    Machine::new(Arc::clone(image), &natives(), host)
}
