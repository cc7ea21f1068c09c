//! Players who connect, choose teams, chat and leave.

use super::{Bed, done};
use sourcemod_bed::game::{Client, Entity, Team};

impl Bed {
    /// Connects a confirmed player, and returns the slot.
    pub fn connect(&mut self, account: u32) -> i32 {
        let index = self.connect_unknown(account);
        self.authorize(index);
        index
    }

    /// Connects a player whom Steam has not confirmed yet.
    pub fn connect_unknown(&mut self, account: u32) -> i32 {
        let name = format!("player{account}");
        let index = self.plugin.host.game.add_client(&name, account);
        self.enter_game(index);
        index
    }

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

    /// Disconnects a client. The game first takes the client out of the queue and the duel, then off the team. Follows
    /// `CTFGameRules::ClientDisconnected`, `CTFPlayer::TeamFortress_ClientDisconnected` and
    /// `CTeamplayRules::ClientDisconnected`. Assumption: the engine fires `player_disconnect` before that.
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
        self.plugin.remove_from_queue(index);
        self.plugin.end_duel_of(index, Team::None);
        done(self.plugin.fill_after_leaving());
        if client.team != Team::None {
            let values = [
                ("userid", client.user_id.into()),
                ("team", 0.into()),
                ("oldteam", (client.team as i32).into()),
                ("disconnect", true.into()),
                ("autoteam", false.into()),
                ("silent", false.into()),
                ("name", client.name.as_str().into()),
            ];
            self.fire("player_team", &values);
        }
        self.plugin.host.game.remove_client(index);
        self.public("OnClientDisconnect_Post", &[index]);
        self.look();
    }

    /// Chooses a team and a class in the game's menu; the plugin may intervene.
    pub fn join(&mut self, index: i32, team: Team) {
        let name = match team {
            Team::Red => "red",
            Team::Blue => "blue",
            _ => "spectate",
        };
        self.enter_command(index, &format!("jointeam {name}"));
    }

    /// Connects `count` players with accounts from `first`, alternating between the teams.
    pub fn fill(&mut self, first: u32, count: u32) -> Vec<i32> {
        let places = (0..count).map(|place| {
            let team = team_in_turn(place as usize);
            self.connect_to_team(first + place, team)
        });
        places.collect()
    }

    /// Connects a confirmed player, who is put on a team without asking the plugin.
    pub fn connect_to_team(&mut self, account: u32, team: Team) -> i32 {
        let index = self.connect(account);
        self.place(index, team);
        index
    }

    /// Puts a player, who gets a class, on a team directly, without asking the plugin.
    pub fn place(&mut self, index: i32, team: Team) {
        let placed = self.plugin.change_team(index, team);
        let placed = placed.and_then(|()| {
            if self.client(index).desired_class() == 0 {
                self.plugin.choose_class(index, 1)
            } else {
                self.plugin.spawn(index)
            }
        });
        done(placed);
        self.look();
    }

    pub fn enter_command(&mut self, index: i32, line: &str) {
        done(self.plugin.client_does(index, line));
        self.look();
    }

    pub fn console(&mut self, line: &str) -> Vec<String> {
        let before = self.plugin.host.console.printed.len();
        done(self.plugin.command(0, line));
        self.look();
        self.plugin.host.console.printed[before..].to_vec()
    }

    pub fn say(&mut self, index: i32, text: &str) {
        done(self.plugin.say(index, text));
        self.look();
    }

    pub fn kill(&mut self, index: i32) {
        done(self.plugin.kill(index));
        self.look();
    }

    pub fn client(&self, index: i32) -> &Client {
        self.plugin.host.game.client(index).expect("somebody there")
    }

    pub fn client_mut(&mut self, index: i32) -> &mut Client {
        let client = self.plugin.host.game.client_mut(index);
        client.expect("somebody there")
    }

    /// Messages to a client since the last call.
    pub fn heard(&mut self, index: i32) -> Vec<String> {
        std::mem::take(&mut self.client_mut(index).heard)
    }

    /// `true` if the client got a message with `part` since the last call.
    pub fn hears(&mut self, index: i32, part: &str) -> bool {
        self.heard(index).iter().any(|line| line.contains(part))
    }

    /// All clients, bots and spectators too.
    pub fn everybody(&self) -> Vec<i32> {
        let clients = self.plugin.host.game.clients();
        clients.map(|(index, _)| index).collect()
    }

    pub fn team(&self, team: Team) -> Vec<i32> {
        let players = self.plugin.host.game.on_team(team);
        players.map(|(index, _)| index).collect()
    }

    /// The players of RED, then those of BLU.
    pub fn players(&self) -> Vec<i32> {
        [self.team(Team::Red), self.team(Team::Blue)].concat()
    }

    /// Numbers of players of RED and of BLU.
    pub fn sizes(&self) -> (usize, usize) {
        (self.team(Team::Red).len(), self.team(Team::Blue).len())
    }

    /// Players whom the plugin has moved more than `moves` times.
    pub fn moved_more_than(&self, moves: usize) -> Vec<i32> {
        let mut players = self.everybody();
        players.retain(|index| self.client(*index).moves > moves);
        players
    }

    /// Gives the player a medigun with this charge, and makes the player a medic. Returns the medigun.
    pub fn make_medic(&mut self, index: i32, charge: f32) -> i32 {
        let gun = Entity::new("tf_weapon_medigun", &[], &[("m_flChargeLevel", charge)]);
        let gun = self.plugin.host.game.add_entity(gun);
        let client = self.client_mut(index);
        client.class = 5;
        client.properties.insert("m_hWeapon1", gun);
        gun
    }

    /// Makes the player an engineer with a building.
    pub fn make_engineer(&mut self, index: i32, building: &'static str) {
        let building = Entity::new(building, &[("m_hBuilder", index)], &[]);
        self.plugin.host.game.add_entity(building);
        self.client_mut(index).class = 9;
    }

    pub fn accounts(&self, team: Team) -> Vec<u32> {
        let players = self.plugin.host.game.on_team(team);
        let mut accounts: Vec<u32> = players.map(|(_, client)| client.account).collect();
        accounts.sort_unstable();
        accounts
    }
}

/// RED for the first player, BLU for the second, and so on.
pub(super) fn team_in_turn(place: usize) -> Team {
    if place.is_multiple_of(2) {
        Team::Red
    } else {
        Team::Blue
    }
}
