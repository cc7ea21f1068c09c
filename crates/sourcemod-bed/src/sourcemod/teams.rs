//! Team changes as in Team Fortress 2 (`game/server/tf/tf_player.cpp`, `player.cpp`), for the natives of SDKTools and
//! of the TF2 extension.

use super::arguments::count;
use super::{DONE, Natives, Plugin, complain};
use crate::game::{RoundState, Team};
use crate::machine::{Answer, Fault};

/// `LIFE_ALIVE`, a value of the property `m_lifeState`.
const ALIVE: i32 = 0;

/// Seconds for which the game ignores `jointeam` after another one (`CTFPlayer::ClientCommand`, tf_player.cpp).
const TEAM_CHANGE_SECONDS: f64 = 2.0;

/// Keys of the event of a change of teams.
#[derive(Clone, Copy)]
struct HowTeamChanges {
    auto: bool,
    silent: bool,
}

pub const NATIVES: Natives = &[
    ("ChangeClientTeam", change),
    ("TF2_RespawnPlayer", respawn),
    ("GetTeamClientCount", team_count),
    ("GetTeamCount", |_, _| Ok(4)),
    ("GetTeamName", team_name),
    // Assumption: no team has a score; no test depends on it.
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
        self.change_team_as(index, team, false)
    }

    /// Changes a client's team, with `auto` if the game has chosen it.
    fn change_team_as(&mut self, index: i32, team: Team, auto: bool) -> Result<(), Fault> {
        let client = self.in_game(index)?.clone();
        if client.team == team || client.ignores_moves {
            return Ok(());
        }
        self.set_team(
            index,
            team,
            HowTeamChanges {
                auto,
                silent: false,
            },
        )?;
        self.end_dominations(index, team);
        let life = client
            .properties
            .get("m_lifeState")
            .copied()
            .unwrap_or(ALIVE);
        if team == Team::Spectator && client.team != Team::None && self.uses_arena_queue() {
            self.add_to_queue(index);
        }
        if client.team.plays() && team.plays() && client.is_alive && life == ALIVE {
            self.suicide(index)?;
        }
        self.end_duel_of(index, team);
        Ok(())
    }

    /// Changes the team of a client without a death, as the game itself does between rounds. Duellists stay. Follows
    /// `CTFPlayer::ForceChangeTeam` (tf_player.cpp).
    pub fn force_change_team(&mut self, index: i32, team: Team) -> Result<(), Fault> {
        if self.force_team(index, team)? {
            self.end_dominations(index, team);
        }
        Ok(())
    }

    /// Returns `true` if the team changes.
    fn force_team(&mut self, index: i32, team: Team) -> Result<bool, Fault> {
        let client = self.in_game(index)?;
        if client.team == team || client.duel.is_some() {
            return Ok(false);
        }
        self.set_team(
            index,
            team,
            HowTeamChanges {
                auto: false,
                silent: true,
            },
        )?;
        if team == Team::Spectator && self.uses_arena_queue() {
            self.add_to_queue_head(index);
        }
        Ok(true)
    }

    /// The player dominates nobody any more. In arena only a player on a team loses that. Follows
    /// `CTFPlayer::RemoveNemesisRelationships` (tf_player.cpp); dominations of the player by others are left out.
    fn end_dominations(&mut self, index: i32, team: Team) {
        let ends = !self.is_arena() || team.plays();
        if let Some(client) = self.host.game.client_mut(index).filter(|_| ends) {
            client.properties.insert("m_iActiveDominations", 0);
        }
    }

    /// Switches the sides of both teams; duellists stay, and dominations go on. Follows
    /// `CTFGameRules::HandleSwitchTeams` (tf_gamerules.cpp).
    pub fn switch_sides(&mut self) -> Result<(), Fault> {
        let players = self.host.game.clients();
        let players = players.filter(|(_, client)| client.in_game && client.team.plays());
        let players: Vec<(i32, Team)> = players.map(|(index, it)| (index, it.team)).collect();
        for (index, team) in players {
            self.force_team(index, team.other())?;
        }
        Ok(())
    }

    /// Fires the event, then sets the team. Spectators are dead.
    fn set_team(&mut self, index: i32, team: Team, how: HowTeamChanges) -> Result<(), Fault> {
        let client = self.in_game(index)?;
        let values = [
            ("userid", client.user_id.into()),
            ("team", (team as i32).into()),
            ("oldteam", (client.team as i32).into()),
            ("disconnect", false.into()),
            ("autoteam", how.auto.into()),
            ("silent", how.silent.into()),
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

    /// Kills a client by the world, as a fall does.
    pub fn kill(&mut self, index: i32) -> Result<(), Fault> {
        self.die(index, 0, -1)
    }

    /// The client dies by an own hand. Follows `CBasePlayer::CommitSuicide` (player.cpp) with force. A suicide after
    /// damage, which `CTFGameRules::GetDeathScorer` (tf_gamerules.cpp) credits to an opponent, is left out.
    pub(super) fn suicide(&mut self, index: i32) -> Result<(), Fault> {
        let user_id = self.in_game(index)?.user_id;
        self.die(index, user_id, -1)
    }

    /// A living client dies. The event comes while the victim is still alive, and names the attacker and the assister
    /// by their user ids. Follows `CTFGameRules::DeathNotice` (tf_gamerules.cpp) and `CBasePlayer::Event_Dying`
    /// (player.cpp).
    pub fn die(&mut self, index: i32, attacker: i32, assister: i32) -> Result<(), Fault> {
        let victim = self.host.game.client(index);
        let Some(victim) = victim.filter(|client| client.is_alive) else {
            return Ok(());
        };
        let values = [
            ("userid", victim.user_id.into()),
            ("attacker", attacker.into()),
            ("assister", assister.into()),
            ("death_flags", 0.into()),
        ];
        self.fire("player_death", &values)?;
        if let Some(client) = self.host.game.client_mut(index) {
            client.is_alive = false;
            client.deaths += 1;
        }
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

    /// Chooses a class; choosing the same one again does nothing. In arena, a player without a place thereby enters the
    /// queue; elsewhere only a player on a team may choose. Follows `CTFPlayer::HandleCommand_JoinClass`
    /// (tf_player.cpp).
    pub fn choose_class(&mut self, index: i32, class: i32) -> Result<(), Fault> {
        let client = self.in_game(index)?;
        let may_choose = client.team.plays() || client.team == Team::Spectator && self.is_arena();
        if !may_choose || client.desired_class() == class {
            return Ok(());
        }
        if self.uses_arena_queue() && !client.team.plays() {
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

    /// Shows the class menu (`CBasePlayer::ShowViewPortPanel`, player.cpp), in which most players choose at once.
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

    /// Runs a client command. Of the game's own commands, only the choices of team and class have an effect. After a
    /// `jointeam`, the game ignores others for two seconds. Follows `CTFPlayer::ClientCommand` (tf_player.cpp).
    pub fn client_does(&mut self, index: i32, line: &str) -> Result<(), Fault> {
        if !self.command(index, line)? {
            return Ok(());
        }
        let line = line.to_ascii_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["jointeam", ..] if self.is_too_soon(index) => Ok(()),
            ["jointeam", team, ..] => self.join_team(index, team),
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

    /// Returns `true` if the client's last `jointeam` is too fresh, else notes this one.
    fn is_too_soon(&mut self, index: i32) -> bool {
        let now = self.host.game.now();
        let Some(client) = self.host.game.client_mut(index) else {
            return true;
        };
        if client.next_team_change > now {
            return true;
        }
        client.next_team_change = now + TEAM_CHANGE_SECONDS;
        false
    }

    /// Follows `CTFPlayer::ClientCommand` (tf_player.cpp): the game chooses the team.
    fn join_auto(&mut self, index: i32) -> Result<(), Fault> {
        self.take_side(index, self.auto_team(), true)
    }

    /// Goes to a team, with a class.
    fn take_side(&mut self, index: i32, team: Team, auto: bool) -> Result<(), Fault> {
        self.change_team_as(index, team, auto)?;
        self.show_class_menu(index)?;
        self.spawn_if_allowed(index)
    }

    /// Team that a word of the console names. The game takes words that it does not know for RED, and ignores
    /// "unassigned".
    fn named_team(&self, word: &str) -> Option<Team> {
        match word {
            "auto" => Some(self.auto_team()),
            "spectate" | "spectatearena" | "spectator" => Some(Team::Spectator),
            "unassigned" => None,
            "blue" => Some(Team::Blue),
            _ => Some(Team::Red),
        }
    }

    /// Joins the named team, as `CTFPlayer::HandleCommand_JoinTeam` (tf_player.cpp) does. In arena, whoever has no
    /// place waits among the spectators.
    fn join_team(&mut self, index: i32, word: &str) -> Result<(), Fault> {
        let Some(wish) = self.named_team(word) else {
            return Ok(());
        };
        let from = self.in_game(index)?.team;
        let has_to_wait = self.uses_arena_queue() && !from.plays();
        if wish.plays() && !has_to_wait {
            if wish == from || self.would_unbalance(wish, from) {
                return Ok(());
            }
            return self.take_side(index, wish, word == "auto");
        }
        let may_watch = self.game_number("mp_allowspectators") != 0;
        if may_watch || self.is_arena() {
            self.join_spectators(index, may_watch && word == "spectatearena")?;
        }
        Ok(())
    }

    /// Follows `CTFPlayer::HandleCommand_JoinTeam` (tf_player.cpp). In arena, watching by choice is another state than
    /// waiting.
    fn join_spectators(&mut self, index: i32, by_choice: bool) -> Result<(), Fault> {
        if self.in_game(index)?.team != Team::None {
            self.suicide(index)?;
        }
        self.set_property(index, "m_bArenaSpectator", i32::from(by_choice));
        self.change_team(index, Team::Spectator)?;
        if by_choice {
            self.set_property(index, "m_iDesiredPlayerClass", 0);
            self.fill_after_leaving()?;
            self.remove_from_queue(index);
            return Ok(());
        }
        if self.is_arena() {
            self.show_class_menu(index)?;
        }
        Ok(())
    }

    fn set_property(&mut self, index: i32, name: &'static str, value: i32) {
        if let Some(client) = self.host.game.client_mut(index) {
            client.properties.insert(name, value);
        }
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

/// Follows `CTFPlayer::CommitSuicide` (tf_player.cpp), which SourceMod's native calls.
fn suicide(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.suicide(arguments[0])?;
    DONE
}

fn team_count(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(team) = Team::of(arguments[0]) else {
        return complain(format!("Team index {} is invalid", arguments[0]));
    };
    Ok(count(plugin.host.game.on_team(team).count()))
}

/// Assumption: the names of the teams in the game's files.
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
