//! Other games than Team Fortress 2, and the plugin that only rates.

use super::{Bed, EPOCH};
use crate::support::App;
use sourcemod_bed::compiler;
use sourcemod_bed::game::{Engine, Game, Map, Mode, Team};

impl Bed {
    /// A server of another game, with the plugin that only rates.
    pub async fn start_reporter(app: &App, engine: Engine) -> Self {
        let mut bed = Self::with_reporter(engine);
        bed.connect_to(app);
        bed.set_up("arena-1");
        bed.load().await;
        bed
    }

    /// A server without a service, and without the plugin until it is loaded.
    pub fn with_reporter(engine: Engine) -> Self {
        let mut map = Map::new(Mode::Ctf);
        "de_dust2".clone_into(&mut map.name);
        let mut game = Game::new(map, EPOCH);
        game.engine = engine;
        Self::of(compiler::reporter(), game)
    }

    /// Loads the plugin for Team Fortress 2 in another game.
    pub fn of_game(engine: Engine) -> Self {
        let mut bed = Self::without_plugin(Mode::Koth);
        bed.plugin.host.game.engine = engine;
        bed
    }

    /// Takes a native from the game, as where an extension is missing.
    pub fn lacks(&mut self, native: &'static str) {
        self.plugin.host.plugins.absent.insert(native);
    }

    /// Loads the plugin as SourceMod does, and returns why it does not run.
    pub fn refusal(&mut self) -> Option<String> {
        if let Err(why) = self.ask_to_load() {
            return Some(why);
        }
        self.plugin.call_public("OnPluginStart", &[]);
        self.plugin.call_public("OnAllPluginsLoaded", &[]);
        let fault = self.plugin.host.faults.first();
        fault.map(|fault| fault.message.clone())
    }

    /// Starts a round of Counter-Strike: Source, with its freeze time. Assumption: in this order, and 5 seconds long.
    pub async fn begin_counter_strike(&mut self) {
        self.fire("round_start", &[("timelimit", 150.into())]);
        self.pass(5.0).await;
        self.fire("round_freeze_end", &[]);
    }

    /// Ends a round of Counter-Strike: Source. Assumption: without a winner it is a draw.
    pub fn end_counter_strike(&mut self, winner: Team) {
        let winner = if winner.plays() { winner as i32 } else { 0 };
        self.fire(
            "round_end",
            &[("winner", winner.into()), ("reason", 8.into())],
        );
    }
}
