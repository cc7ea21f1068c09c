//! Team changes as in Team Fortress 2 (`game/server/tf/tf_player.cpp`, `player.cpp`), for the natives of SDKTools and
//! of the TF2 extension.

use super::arguments::count;
use super::{DONE, Natives, Plugin, complain};
use crate::game::{RoundState, Team};
use crate::machine::{Answer, Fault};

/// `LIFE_ALIVE`, a value of the property `m_lifeState`.
const ALIVE: i32 = 0;

pub const NATIVES: Natives = &[
    ("ChangeClientTeam", change),
    ("TF2_RespawnPlayer", respawn),
    ("GetTeamClientCount", team_count),
    ("GetTeamCount", |_, _| Ok(4)),
    ("GetTeamName", team_name),
    ("GetTeamScore", |_, _| Ok(0)),
    ("SetTeamScore", |_, _| DONE),
    ("ForcePlayerSuicide", suicide),
    ("TF2_IsPlayerInDuel", |plugin, arguments| {
        Ok(i32::from(plugin.in_game(arguments[0])?.duel.is_some()))
    }),
    ("TF2_IsGameModeHelloween", |_, _| Ok(0)),
];

impl Plugin {
    /// Changes a client's team. The event comes first, and a living player who changes sides dies on the new side,
    /// unless `m_lifeState` says that the player is dead. Follows `CTFPlayer::ChangeTeam` (tf_player.cpp) and
    /// `CBasePlayer::ChangeTeam` (player.cpp).
    pub fn change_team(&mut self, index: i32, team: Team) -> Result<(), Fault> {
        let client = self.in_game(index)?.clone();
        if client.team == team || client.ignores_moves {
            return Ok(());
        }
        self.set_team(index, team, false)?;
        let life = client
            .properties
            .get("m_lifeState")
            .copied()
            .unwrap_or(ALIVE);
        if team == Team::Spectator && client.team != Team::None && self.uses_arena_queue() {
            self.add_to_queue(index);
        }
        if client.team.plays() && team.plays() && client.is_alive && life == ALIVE {
            self.kill(index)?;
        }
        self.end_duel_of(index, team);
        Ok(())
    }

    /// Changes the team of a client without a death, as the game itself does between rounds. Duellists stay. Follows
    /// `CTFPlayer::ForceChangeTeam` (tf_player.cpp).
    pub fn force_change_team(&mut self, index: i32, team: Team) -> Result<(), Fault> {
        let client = self.in_game(index)?;
        if client.team == team || client.duel.is_some() {
            return Ok(());
        }
        self.set_team(index, team, true)?;
        if team == Team::Spectator && self.uses_arena_queue() {
            self.add_to_queue_head(index);
        }
        Ok(())
    }

    /// Switches the sides of both teams; duellists stay. Follows `CTFGameRules::HandleSwitchTeams` (tf_gamerules.cpp).
    pub fn switch_sides(&mut self) -> Result<(), Fault> {
        let players = self.host.game.clients();
        let players = players.filter(|(_, client)| client.in_game && client.team.plays());
        let players: Vec<(i32, Team)> = players.map(|(index, it)| (index, it.team)).collect();
        for (index, team) in players {
            self.force_change_team(index, team.other())?;
        }
        Ok(())
    }

    /// Fires the event, then sets the team. Spectators are dead.
    fn set_team(&mut self, index: i32, team: Team, silent: bool) -> Result<(), Fault> {
        let client = self.in_game(index)?;
        let values = [
            ("userid", client.user_id.into()),
            ("team", (team as i32).into()),
            ("oldteam", (client.team as i32).into()),
            ("disconnect", false.into()),
            ("autoteam", false.into()),
            ("silent", silent.into()),
            ("name", client.name.as_str().into()),
        ];
        self.fire("player_team", &values)?;
        if let Some(client) = self.host.game.client_mut(index) {
            client.team = team;
            client.is_alive &= team.plays();
        }
        Ok(())
    }

    /// Ends the duel of a client who now is on the team of the opponent, watches or leaves. Follows
    /// `DuelMiniGame_NotifyPlayerChangedTeam` (tf_duel.cpp).
    pub fn end_duel_of(&mut self, index: i32, team: Team) {
        let Some(opponent) = self.host.game.client(index).and_then(|client| client.duel) else {
            return;
        };
        let other = self.host.game.client(opponent).map(|client| client.team);
        if !team.plays() || other == Some(team) {
            for index in [index, opponent] {
                if let Some(client) = self.host.game.client_mut(index) {
                    client.duel = None;
                }
            }
        }
    }

    /// Kills a client, without an attacker. Follows `CTFGameRules::DeathNotice` (tf_gamerules.cpp).
    pub fn kill(&mut self, index: i32) -> Result<(), Fault> {
        let Some(client) = self
            .host
            .game
            .client_mut(index)
            .filter(|client| client.is_alive)
        else {
            return Ok(());
        };
        client.is_alive = false;
        client.deaths += 1;
        let user_id = client.user_id;
        self.fire(
            "player_death",
            &[
                ("userid", user_id.into()),
                ("attacker", 0.into()),
                ("death_flags", 0.into()),
            ],
        )?;
        Ok(())
    }

    /// Spawns a client who has chosen a class. Follows `CTFPlayer::ForceRespawn` and `CTFPlayer::Spawn`
    /// (tf_player.cpp).
    pub fn spawn(&mut self, index: i32) -> Result<(), Fault> {
        let client = self.host.game.client_mut(index);
        let Some(client) = client.filter(|client| client.is_ready_to_play()) else {
            return Ok(());
        };
        client.is_alive = true;
        if client.class == 0 {
            client.class = client.desired_class();
        }
        client.properties.insert("m_lifeState", ALIVE);
        let values = [
            ("userid", client.user_id.into()),
            ("team", (client.team as i32).into()),
            ("class", client.class.into()),
        ];
        self.fire("player_spawn", &values)?;
        Ok(())
    }

    /// Spawns a dead client who may spawn now. Assumption: outside arena this is at once, without waiting for a wave of
    /// respawns. Follows `CTFPlayer::HandleCommand_JoinClass` (tf_player.cpp) for arena, where nobody spawns after the
    /// doors have opened.
    fn spawn_if_allowed(&mut self, index: i32) -> Result<(), Fault> {
        let is_late = self.is_arena() && self.host.game.state == RoundState::Running;
        let is_alive = self.in_game(index)?.is_alive;
        if is_late || is_alive {
            return Ok(());
        }
        self.spawn(index)
    }

    /// Chooses a class. In arena, a player without a place thereby enters the queue. Follows
    /// `CTFPlayer::HandleCommand_JoinClass` (tf_player.cpp).
    pub fn choose_class(&mut self, index: i32, class: i32) -> Result<(), Fault> {
        if self.uses_arena_queue() && !self.in_game(index)?.team.plays() {
            self.add_to_queue(index);
        }
        let Some(client) = self.host.game.client_mut(index) else {
            return Ok(());
        };
        client.properties.insert("m_iDesiredPlayerClass", class);
        let values = [("userid", client.user_id.into()), ("class", class.into())];
        self.fire("player_changeclass", &values)?;
        self.spawn_if_allowed(index)
    }

    /// Shows the class menu, in which most players choose at once.
    pub fn show_class_menu(&mut self, index: i32) -> Result<(), Fault> {
        let client = self.in_game(index)?;
        if client.picks_class && client.desired_class() == 0 {
            self.choose_class(index, 1)?;
        }
        Ok(())
    }

    /// The smaller team. For equal teams the game draws lots, or chooses the attackers. Follows
    /// `CTFPlayer::GetAutoTeam` (tf_player.cpp).
    pub(crate) fn auto_team(&self) -> Team {
        let size = |team| self.host.game.on_team(team).count();
        let (red, blue) = (size(Team::Red), size(Team::Blue));
        if blue < red || blue == red && self.host.game.map.has_setup() {
            Team::Blue
        } else {
            Team::Red
        }
    }
}

impl Plugin {
    /// Returns whether the game chooses a joining player's team. Follows CTFPlayer::ShouldForceAutoTeam
    /// (tf_player.cpp). CTFPlayer::ClientCommand asks it at the commands `show_motd`, `closedwelcomemenu` and
    /// `team_ui_setup`.
    fn forces_teams(&self) -> bool {
        let convar = self.host.convars.get("mp_forceautoteam");
        convar.is_some_and(|convar| convar.value != "0")
    }

    /// Runs a client command. Of the game's own commands, only the choices of team and class have an effect. Follows
    /// `CTFPlayer::ClientCommand` (tf_player.cpp).
    pub fn client_does(&mut self, index: i32, line: &str) -> Result<(), Fault> {
        if !self.command(index, line)? {
            return Ok(());
        }
        let line = line.to_ascii_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["jointeam", team] => self.join_team(index, team),
            ["spectate"] => self.join_team(index, "spectate"),
            ["autoteam"] => self.join_auto(index),
            ["show_motd" | "team_ui_setup"] if self.forces_teams() => self.join_auto(index),
            ["closedwelcomemenu"]
                if self.forces_teams() && self.in_game(index)?.team == Team::None =>
            {
                self.join_auto(index)
            }
            ["joinclass", _] => self.choose_class(index, 1),
            _ => Ok(()),
        }
    }

    /// Follows `CTFPlayer::ClientCommand` (tf_player.cpp): the game chooses the team.
    fn join_auto(&mut self, index: i32) -> Result<(), Fault> {
        self.change_team(index, self.auto_team())?;
        self.show_class_menu(index)?;
        self.spawn_if_allowed(index)
    }

    /// Joins the named team, as `CTFPlayer::HandleCommand_JoinTeam` (tf_player.cpp) does.
    fn join_team(&mut self, index: i32, name: &str) -> Result<(), Fault> {
        let by_choice = name == "spectatearena" && self.game_number("mp_allowspectators") != 0;
        let team = match name {
            "auto" => self.auto_team(),
            "spectate" | "spectatearena" | "spectator" => Team::Spectator,
            "blue" => Team::Blue,
            _ => Team::Red,
        };
        let client = self.in_game(index)?.clone();
        if team == Team::Spectator || self.uses_arena_queue() && !client.team.plays() {
            if self.game_number("mp_allowspectators") == 0 && !self.is_arena() {
                return Ok(());
            }
            return self.join_spectators(index, by_choice);
        }
        if team == client.team || self.would_unbalance(team, client.team) {
            return Ok(());
        }
        self.end_duel_of(index, team);
        self.change_team(index, team)?;
        self.show_class_menu(index)?;
        self.spawn_if_allowed(index)
    }

    fn join_spectators(&mut self, index: i32, by_choice: bool) -> Result<(), Fault> {
        if self.in_game(index)?.team != Team::None {
            self.kill(index)?;
        }
        if let Some(client) = self.host.game.client_mut(index) {
            let value = i32::from(by_choice);
            client.properties.insert("m_bArenaSpectator", value);
        }
        self.end_duel_of(index, Team::Spectator);
        self.change_team(index, Team::Spectator)?;
        if by_choice {
            if let Some(client) = self.host.game.client_mut(index) {
                client.properties.insert("m_iDesiredPlayerClass", 0);
            }
            self.fill_after_leaving()?;
            self.remove_from_queue(index);
        } else if self.is_arena() {
            self.show_class_menu(index)?;
        }
        Ok(())
    }

    /// Returns `true` if the game refuses the change of teams. Follows
    /// `CTeamplayRoundBasedRules::WouldChangeUnbalanceTeams` (teamplayroundbased_gamerules.cpp).
    fn would_unbalance(&self, to: Team, from: Team) -> bool {
        let limit = self.game_number("mp_teams_unbalance_limit");
        if limit <= 0 || !to.plays() || self.game_number("mp_tournament") != 0 {
            return false;
        }
        let size = |team| i64::from(count(self.host.game.on_team(team).count()));
        let left = i64::from(from == to.other());
        size(to) + 1 - (size(to.other()) - left).max(0) > limit
    }
}

/// Follows `CPlayerInfo::ChangeTeam` (player.cpp), which SourceMod's native calls.
fn change(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (index, team) = (arguments[0], Team::of(arguments[1]));
    plugin.in_game(index)?;
    let Some(team) = team else {
        return complain(format!("Team index {} is invalid", arguments[1]));
    };
    if let Some(client) = plugin.host.game.client_mut(index) {
        client.moves += 1;
    }
    plugin.change_team(index, team)?;
    DONE
}

/// Follows `CTFPlayer::ForceRespawn` (tf_player.cpp), which SourceMod's native calls.
fn respawn(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.in_game(arguments[0])?;
    plugin.spawn(arguments[0])?;
    DONE
}

fn suicide(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.in_game(arguments[0])?;
    plugin.kill(arguments[0])?;
    DONE
}

fn team_count(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(team) = Team::of(arguments[0]) else {
        return complain(format!("Team index {} is invalid", arguments[0]));
    };
    Ok(count(plugin.host.game.on_team(team).count()))
}

fn team_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = match Team::of(arguments[0]) {
        Some(Team::None) => "Unassigned",
        Some(Team::Spectator) => "Spectator",
        Some(Team::Red) => "Red",
        Some(Team::Blue) => "Blue",
        None => return complain(format!("Team index {} is invalid", arguments[0])),
    };
    plugin.write(arguments[1], arguments[2], name)?;
    DONE
}
