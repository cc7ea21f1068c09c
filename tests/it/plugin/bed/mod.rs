//! A game server with the plugin on it, from its start to its end, on the wire to a real service.
//!
//! After whatever happens the bed looks whether a callback was stopped, a handle leaked, or anything took too many
//! instructions; each of them fails the test.

mod checks;
mod folder;
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
use sourcemod_bed::machine::{Image, Machine};
use sourcemod_bed::sourcemod::files::Files;
use sourcemod_bed::sourcemod::{Plugin, SourceMod, natives};
use wire::Wire;

/// The most instructions that a callback may take with 32 players: about a millisecond on a server that interprets.
pub const MAX_INSTRUCTIONS: u64 = 300_000;
/// Seconds of a frame of the bed; a real server's are 0.015, and nothing that the plugin does asks for less than 0.1.
const FRAME: f64 = 0.1;
/// When the game's clock begins: the tests' services stand at that moment.
const EPOCH: i64 = 1_795_176_000;
/// The game's time flies in tests, and the service takes no round from the future.
const DAY: i64 = 86_400;

pub struct Bed {
    plugin: Plugin,
    image: Arc<Image>,
    folder: TempDir,
    wire: Wire,
    /// The service's clock, which goes with the game's.
    clock: Option<Clock>,
    /// Seconds that the true time is ahead of the game's own clock at its second 0.
    true_epoch: i64,
    /// Handles at the last look, so that leaks are only looked for where there are more.
    handles: usize,
    is_loaded: bool,
    seed: u64,
}

impl Bed {
    /// A server that has just been started, with the plugin set up for `app` and a map that has begun; nobody is on it.
    pub async fn start(app: &App, mode: Mode) -> Self {
        Self::start_as("arena-1", app, mode).await
    }

    /// The same with another name than that of the server that the tests' service knows.
    pub async fn start_as(server: &str, app: &App, mode: Mode) -> Self {
        let mut bed = Self::without_plugin(mode);
        bed.connect_to(app);
        bed.set_up(server);
        bed.load().await;
        bed
    }

    /// A server whose plugin is not loaded yet, and whose service is nowhere.
    pub fn without_plugin(mode: Mode) -> Self {
        let image = compiler::plugin();
        let folder = game_folder();
        let game = Game::new(Map::new(mode), EPOCH);
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

    /// From now on the service is that one, and it is as late there as here.
    pub fn connect_to(&mut self, app: &App) {
        self.connect_to_address(&app.first.address);
        let now = app.clock.now().unix_micros() / 1_000_000;
        self.true_epoch = now;
        self.plugin.host.game.epoch = now;
        self.clock = Some(app.clock.clone());
    }

    /// The service is killed and started, each time at another address; the time is the machine's.
    pub fn follow(&mut self, addresses: Addresses) {
        self.wire.addresses = Some(addresses);
        self.plugin.host.game.epoch = Clock::System.now().unix_micros() / 1_000_000 - DAY;
    }

    /// The service is to be found at another address, or nowhere.
    pub fn connect_to_address(&mut self, address: &str) {
        address.clone_into(&mut self.wire.address);
    }

    /// Writes what an operator writes into server.cfg.
    pub fn set_up(&mut self, server: &str) {
        let lines = format!(
            "rbs_url \"http://rbs.test\"\nrbs_secret \"{SECRET}\"\nrbs_server \"{server}\"\n"
        );
        self.write_file("cfg/server.cfg", &lines);
    }

    /// Time passes, with all that it brings: timers, frames, requests and their answers. On a server without people
    /// nothing happens but that it gets later.
    pub async fn pass(&mut self, seconds: f64) {
        self.look();
        let end = self.plugin.host.game.now() + seconds;
        while self.plugin.host.game.now() < end - FRAME / 2.0 {
            if self
                .plugin
                .host
                .game
                .clients()
                .all(|(_, client)| client.is_bot)
            {
                self.hibernate(end - self.plugin.host.game.now());
                break;
            }
            self.frame().await;
        }
    }

    /// Passes time until nothing is on its way any more, up to a minute.
    pub async fn settle(&mut self) {
        for _ in 0..600 {
            self.frame().await;
            if self.wire.is_idle() && self.plugin.host.requests.is_idle() {
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
        self.look();
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
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

    /// The machine's clock is set, by so many seconds.
    pub fn set_machine_clock(&mut self, by: i64) {
        self.plugin.host.game.epoch += by;
    }

    /// What goes wrong on the wire from now on.
    pub fn trouble(&mut self, trouble: Trouble) {
        self.wire.trouble = trouble;
    }

    pub fn set(&mut self, convar: &str, value: &str) {
        self.plugin
            .set_convar(convar, value)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    pub fn value(&self, convar: &str) -> &str {
        &self
            .plugin
            .host
            .convars
            .get(convar)
            .expect("a convar")
            .value
    }

    pub fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    pub fn plugin_mut(&mut self) -> &mut Plugin {
        &mut self.plugin
    }

    /// The requests to a path so far, as JSON.
    pub fn requests(&self, path: &str) -> Vec<serde_json::Value> {
        let all = self.plugin.host.requests.log.iter();
        let found = all.filter(|(line, _)| line.split(' ').nth(1) == Some(path));
        found
            .map(|(_, body)| serde_json::from_str(body.as_deref().unwrap_or("null")).expect("JSON"))
            .collect()
    }
}

/// A machine with the plugin in a fresh SourceMod.
fn machine(image: &Arc<Image>, game: Game, folder: &Path, seed: u64) -> Plugin {
    let host = SourceMod::new(game, Files::new(folder.to_owned()), seed);
    Machine::new(Arc::clone(image), &natives(), host)
}
