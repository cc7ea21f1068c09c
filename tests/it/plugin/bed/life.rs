//! Loading, unloading and reloading the plugin, and crashes of the game server.

use super::{Bed, EPOCH, machine};
use sourcemod_bed::game::{Game, Map, Mode, SLOTS};

impl Bed {
    /// Loads the plugin, at the start of the server or during a map.
    pub async fn load(&mut self) {
        assert!(!self.is_loaded, "the plugin is loaded already");
        self.is_loaded = true;
        self.handles = 0;
        let unknown: Vec<String> = self
            .plugin
            .unknown_natives()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let names = self.image.publics.iter().map(|(name, _)| name.clone());
        if let Some(address) = self.image.variables.get("MaxClients") {
            self.plugin
                .memory
                .store(*address, SLOTS)
                .expect("a variable");
        }
        for name in names
            .filter(|name| name.ends_with("_SetNTVOptional"))
            .collect::<Vec<_>>()
        {
            self.plugin.call_public(&name, &[]);
        }
        let optional = &self.plugin.host.plugins.optional;
        let missing: Vec<&String> = unknown
            .iter()
            .filter(|name| !optional.contains(*name))
            .collect();
        assert!(
            missing.is_empty(),
            "the plugin uses natives that the test bed does not have: {missing:?}"
        );
        let late = i32::from(self.plugin.host.game.clients().next().is_some());
        let room = self.plugin.lending(&[&" ".repeat(255)], |plugin, texts| {
            plugin.call_public("AskPluginLoad2", &[0, late, texts[0], 255])
        });
        assert_eq!(
            room.expect("room"),
            Some(0),
            "the plugin does not want to be loaded"
        );
        self.plugin.call_public("OnPluginStart", &[]);
        self.plugin.call_public("OnAllPluginsLoaded", &[]);
        self.begin_map();
        self.pass(0.0).await;
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
        let (map, now) = (
            self.plugin.host.game.map.clone(),
            self.plugin.host.game.unix_time(),
        );
        self.is_loaded = false;
        self.seed += 1;
        self.true_epoch += now - self.plugin.host.game.epoch;
        let mut game = Game::new(
            map,
            self.plugin.host.game.epoch + now - self.plugin.host.game.epoch,
        );
        game.engine = self.plugin.host.game.engine;
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
        let fresh = machine(
            &self.image,
            Game::new(Map::new(Mode::Koth), EPOCH),
            self.folder.path(),
            self.seed,
        );
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
