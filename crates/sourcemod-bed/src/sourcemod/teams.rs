//! Team changes as in Team Fortress 2 (`game/server/tf/tf_player.cpp`, `player.cpp`), for the natives of SDKTools and
//! of the TF2 extension.

use super::arguments::count;
use super::{DONE, Natives, Plugin, complain};
use crate::game::Team;
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
        Ok(i32::from(plugin.in_game(arguments[0])?.ignores_moves))
    }),
    ("TF2_IsGameModeHelloween", |_, _| Ok(0)),
];

impl Plugin {
    /// Changes a client's team. A living player dies, unless `m_lifeState` says that the player is dead. The event
    /// comes first. The game ignores the change for some clients.
    pub fn change_team(&mut self, index: i32, team: Team) -> Result<(), Fault> {
        let client = self.in_game(index)?.clone();
        if client.team == team || client.ignores_moves {
            return Ok(());
        }
        let life = client
            .properties
            .get("m_lifeState")
            .copied()
            .unwrap_or(ALIVE);
        if client.is_alive && client.team.plays() && life == ALIVE {
            self.kill(index)?;
        }
        let (to, from) = (team as i32, client.team as i32);
        self.fire(
            "player_team",
            &[
                ("userid", client.user_id.into()),
                ("team", to.into()),
                ("oldteam", from.into()),
                ("disconnect", false.into()),
                ("autoteam", false.into()),
                ("silent", false.into()),
                ("name", client.name.as_str().into()),
            ],
        )?;
        if let Some(client) = self.host.game.client_mut(index) {
            client.team = team;
            client.is_alive &= team.plays();
        }
        Ok(())
    }

    /// Kills a client, without an attacker.
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

    /// Spawns a client, with the given class or one of the game's choice.
    pub fn spawn(&mut self, index: i32) -> Result<(), Fault> {
        let Some(client) = self
            .host
            .game
            .client_mut(index)
            .filter(|client| client.in_game && client.team.plays())
        else {
            return Ok(());
        };
        client.is_alive = true;
        if client.class == 0 {
            client.class = client
                .properties
                .get("m_iDesiredPlayerClass")
                .copied()
                .filter(|class| *class > 0)
                .unwrap_or(1);
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
}

impl Plugin {
    /// Returns whether the game chooses a joining player's team. Follows CTFPlayer::ShouldForceAutoTeam
    /// (tf_player.cpp). CTFPlayer::ClientCommand asks it at the commands `show_motd`, `closedwelcomemenu` and
    /// `team_ui_setup`.
    fn forces_teams(&self) -> bool {
        let convar = self.host.convars.get("mp_forceautoteam");
        convar.is_some_and(|convar| convar.value != "0")
    }

    /// Runs a client command. Of the game's own commands, only the choice of a team has an effect.
    pub fn client_does(&mut self, index: i32, line: &str) -> Result<(), Fault> {
        if !self.command(index, line)? {
            return Ok(());
        }
        let words: Vec<String> = line
            .split_whitespace()
            .map(str::to_ascii_lowercase)
            .collect();
        let smaller = || {
            let size = |team| self.host.game.on_team(team).count();
            if size(Team::Blue) < size(Team::Red) {
                Team::Blue
            } else {
                Team::Red
            }
        };
        let team = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["jointeam", "red"] => Team::Red,
            ["jointeam", "blue"] => Team::Blue,
            ["jointeam", "spectate" | "spectator"] | ["spectate"] => Team::Spectator,
            ["jointeam", "auto"] | ["autoteam"] => smaller(),
            ["show_motd" | "team_ui_setup"] if self.forces_teams() => smaller(),
            ["closedwelcomemenu"]
                if self.forces_teams() && self.in_game(index)?.team == Team::None =>
            {
                smaller()
            }
            _ => return Ok(()),
        };
        self.change_team(index, team)?;
        self.spawn(index)
    }
}

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
