//! Loading, unloading and reloading the plugin, and crashes of the game server.

use super::{Bed, EPOCH, machine};
use sourcemod_bed::game::{Game, Map, Mode, SLOTS};

impl Bed {
    /// Loads the plugin, at the start of the server or during a map.
    pub async fn load(&mut self) {
        assert!(!self.is_loaded, "the plugin is loaded already");
        self.is_loaded = true;
        self.handles = 0;
        if let Some(address) = self.image.variables.get("MaxClients") {
            let stored = self.plugin.memory.store(*address, SLOTS);
            stored.expect("a variable");
        }
        if let Err(why) = self.ask_to_load() {
            panic!("the plugin does not want to be loaded: {why}");
        }
        self.plugin.call_public("OnPluginStart", &[]);
        self.plugin.call_public("OnAllPluginsLoaded", &[]);
        self.begin_map();
        self.pass(0.0).await;
    }

    /// Asks the plugin whether it can run here, as SourceMod does. Returns the plugin's reason if it cannot.
    pub(super) fn ask_to_load(&mut self) -> Result<(), String> {
        for (name, _) in &self.image.publics {
            if name.ends_with("_SetNTVOptional") {
                self.plugin.call_public(name, &[]);
            }
        }
        let plugins = &self.plugin.host.plugins;
        let mut missing = self.plugin.unknown_natives();
        missing.extend(plugins.absent.iter().copied());
        missing.retain(|name| !plugins.optional.contains(*name));
        assert!(missing.is_empty(), "these natives are missing: {missing:?}");
        let late = i32::from(self.plugin.host.game.clients().next().is_some());
        let answer = self.plugin.lending(&[&" ".repeat(255)], |plugin, texts| {
            let answer = plugin.call_public("AskPluginLoad2", &[0, late, texts[0], 255]);
            (answer, plugin.text(texts[0]).expect("a text"))
        });
        match answer.expect("room") {
            (Some(0), _) => Ok(()),
            (_, why) => Err(why),
        }
    }

    /// Unloads the plugin. Convars keep their values.
    pub fn unload(&mut self) {
        self.plugin.call_public("OnPluginEnd", &[]);
        self.look();
        self.is_loaded = false;
        self.forget_plugin();
    }

    pub async fn reload(&mut self) {
        self.unload();
        self.load().await;
    }

    /// Kills the server and starts it again; only files survive.
    pub async fn crash(&mut self) {
        let old = &self.plugin.host.game;
        let now = old.unix_time();
        self.is_loaded = false;
        self.seed += 1;
        self.true_epoch += now - old.epoch;
        let mut game = Game::new(old.map.clone(), now);
        game.engine = old.engine;
        self.plugin = machine(&self.image, game, self.folder.path(), self.seed);
        self.wire.forget();
        self.load().await;
    }

    /// Calls a public function of the plugin, if it is loaded and has the function.
    pub(super) fn public(&mut self, name: &str, arguments: &[i32]) {
        if self.is_loaded {
            self.plugin.call_public(name, arguments);
        }
    }

    /// Replaces the virtual machine; handles and hooks are gone.
    fn forget_plugin(&mut self) {
        self.seed += 1;
        let game = Game::new(Map::new(Mode::Koth), EPOCH);
        let fresh = machine(&self.image, game, self.folder.path(), self.seed);
        let old = std::mem::replace(&mut self.plugin, fresh).host;
        let host = &mut self.plugin.host;
        host.game = old.game;
        host.convars = old.convars;
        host.convars.forget_the_plugin();
        host.console = old.console;
        host.plugins.libraries = old.plugins.libraries;
        host.commands.overrides = old.commands.overrides;
        host.longest_callback = old.longest_callback;
        self.wire.forget();
    }
}
