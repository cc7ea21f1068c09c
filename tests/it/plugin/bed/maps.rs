//! Map changes, and the configuration executed with each.

use super::players::team_in_turn;
use super::{Bed, done};
use sourcemod_bed::game::{Map, Mode};
use sourcemod_bed::sourcemod::convars::DONT_RECORD;

impl Bed {
    /// Changes the map. All clients stay connected, leave the game and join again. Assumption: so does the engine,
    /// whose source is not published; the order of the calls follows SourceMod's `PlayerManager.cpp`.
    pub async fn change_map(&mut self, mode: Mode) {
        self.end_map();
        self.plugin.host.game.enter(Map::new(mode));
        self.begin_map();
        for index in self.everybody() {
            self.enter_game(index);
        }
        self.pass(0.0).await;
    }

    /// Changes the map, and puts the players on the teams in turn.
    pub async fn change_map_and_teams(&mut self, mode: Mode) {
        self.change_map(mode).await;
        for (place, index) in self.everybody().into_iter().enumerate() {
            self.place(index, team_in_turn(place));
        }
    }

    fn end_map(&mut self) {
        let mut in_game = self.everybody();
        in_game.retain(|index| self.client(*index).in_game);
        for index in in_game {
            self.public("OnClientDisconnect", &[index]);
            if let Some(client) = self.plugin.host.game.client_mut(index) {
                client.in_game = false;
            }
            self.public("OnClientDisconnect_Post", &[index]);
        }
        self.public("OnMapEnd", &[]);
        self.plugin.end_timers_of_map();
        self.look();
    }

    /// Runs the start of a map, or a late load of the plugin during a map.
    pub(super) fn begin_map(&mut self) {
        self.public("OnMapStart", &[]);
        self.execute_configs();
        self.public("OnAutoConfigsBuffered", &[]);
        self.public("OnConfigsExecuted", &[]);
        self.look();
    }

    /// Executes server.cfg, then the plugins' configuration files, which are created if missing.
    fn execute_configs(&mut self) {
        self.execute("cfg/server.cfg");
        for (path, is_made) in self.plugin.host.convars.configs.clone() {
            if is_made && !self.path(&path).exists() {
                let convars = self.plugin.host.convars.of_the_plugin();
                let written = convars.filter(|(_, convar)| convar.flags & DONT_RECORD == 0);
                let lines = written.map(|(name, convar)| {
                    format!("// {}\n{name} \"{}\"\n", convar.text, convar.default)
                });
                let text: String = lines.collect();
                self.write_file(&path, &text);
            }
            self.execute(&path);
        }
    }

    fn execute(&mut self, path: &str) {
        for line in self.file(path).lines() {
            let line = line.trim();
            let Some((name, value)) = line.split_once(' ').filter(|_| !line.starts_with("//"))
            else {
                continue;
            };
            // Unknown convars are reported on the console.
            if self.plugin.host.convars.get(name).is_some() {
                let value = value.trim().trim_matches('"');
                done(self.plugin.set_convar(name, value));
            }
        }
    }
}
