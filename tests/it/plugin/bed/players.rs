//! People who come, choose teams, speak and go.

use super::Bed;
use sourcemod_bed::game::{Client, Team};

impl Bed {
    /// Somebody connects and comes into the game, known to Steam; answers the slot.
    pub fn connect(&mut self, account: u32) -> i32 {
        let index = self.connect_unknown(account);
        self.authorize(index);
        index
    }

    /// Somebody connects and comes into the game, whom Steam has not confirmed yet.
    pub fn connect_unknown(&mut self, account: u32) -> i32 {
        let name = format!("player{account}");
        let index = self.plugin.host.game.add_client(&name, account);
        self.enter_game(index);
        index
    }

    /// Steam confirms who somebody is.
    pub fn authorize(&mut self, index: i32) {
        let client = self.client_mut(index);
        client.is_authorized = true;
        let id = client.steam2();
        if self.is_loaded {
            let written = self.plugin.lending(&[&id], |plugin, texts| {
                plugin.call_public("OnClientAuthorized", &[index, texts[0]]);
            });
            written.expect("room for an id");
        }
        self.public("OnClientPostAdminCheck", &[index]);
        self.look();
    }

    /// A bot comes into the game.
    pub fn connect_bot(&mut self) -> i32 {
        let index = self.plugin.host.game.add_client("Bot", 0);
        self.client_mut(index).is_authorized = true;
        self.enter_game(index);
        index
    }

    pub(super) fn enter_game(&mut self, index: i32) {
        let was_known = self.client(index).is_authorized;
        self.public("OnClientConnected", &[index]);
        self.client_mut(index).in_game = true;
        self.public("OnClientPutInServer", &[index]);
        if was_known {
            self.authorize(index);
        }
        self.look();
    }

    /// Somebody leaves the server.
    pub fn leave(&mut self, index: i32) {
        let client = self.client(index).clone();
        let values = [
            ("userid", client.user_id.into()),
            ("reason", "Disconnect by user.".into()),
            ("name", client.name.as_str().into()),
            ("networkid", client.steam3().as_str().into()),
            ("bot", client.is_bot.into()),
        ];
        self.fire("player_disconnect", &values);
        self.public("OnClientDisconnect", &[index]);
        if client.team != Team::None {
            let values = [
                ("userid", client.user_id.into()),
                ("team", 0.into()),
                ("oldteam", (client.team as i32).into()),
                ("disconnect", true.into()),
            ];
            self.fire("player_team", &values);
        }
        self.plugin.host.game.remove_client(index);
        self.public("OnClientDisconnect_Post", &[index]);
        self.look();
    }

    /// Somebody chooses a team in the game's menu, and a class; the plugin may have a word in it.
    pub fn join(&mut self, index: i32, team: Team) {
        let name = match team {
            Team::Red => "red",
            Team::Blue => "blue",
            _ => "spectate",
        };
        self.enter_command(index, &format!("jointeam {name}"));
    }

    /// So many people with accounts from `first` on, on both teams in turn.
    pub fn fill(&mut self, first: u32, count: u32) -> Vec<i32> {
        let places = (0..count).map(|place| {
            let index = self.connect(first + place);
            let team = if place.is_multiple_of(2) {
                Team::Red
            } else {
                Team::Blue
            };
            self.place(index, team);
            index
        });
        places.collect()
    }

    /// Somebody is on a team, past everything that the plugin could say.
    pub fn place(&mut self, index: i32, team: Team) {
        self.plugin
            .change_team(index, team)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.plugin
            .spawn(index)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    /// Somebody enters a command, as on the console of the game.
    pub fn enter_command(&mut self, index: i32, line: &str) {
        self.plugin
            .client_does(index, line)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    /// The server's own console.
    pub fn console(&mut self, line: &str) -> Vec<String> {
        let before = self.plugin.host.console.printed.len();
        self.plugin
            .command(0, line)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
        self.plugin.host.console.printed[before..].to_vec()
    }

    /// Somebody writes in chat.
    pub fn say(&mut self, index: i32, text: &str) {
        self.plugin
            .say(index, text)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    /// Somebody dies.
    pub fn kill(&mut self, index: i32) {
        self.plugin
            .kill(index)
            .unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    pub fn client(&self, index: i32) -> &Client {
        self.plugin.host.game.client(index).expect("somebody there")
    }

    pub fn client_mut(&mut self, index: i32) -> &mut Client {
        self.plugin
            .host
            .game
            .client_mut(index)
            .expect("somebody there")
    }

    /// What somebody has heard since the last time that a test asked.
    pub fn heard(&mut self, index: i32) -> Vec<String> {
        std::mem::take(&mut self.client_mut(index).heard)
    }

    /// The slots of a team.
    pub fn team(&self, team: Team) -> Vec<i32> {
        self.plugin
            .host
            .game
            .on_team(team)
            .map(|(index, _)| index)
            .collect()
    }

    /// The accounts of a team, in their order.
    pub fn accounts(&self, team: Team) -> Vec<u32> {
        let mut accounts: Vec<u32> = self
            .plugin
            .host
            .game
            .on_team(team)
            .map(|(_, client)| client.account)
            .collect();
        accounts.sort_unstable();
        accounts
    }
}
