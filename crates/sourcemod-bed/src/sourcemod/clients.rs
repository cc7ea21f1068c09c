//! Natives about clients (`core/logic/smn_players.cpp`, `core/PlayerManager.cpp`). An invalid or unused client index is
//! a fault.

use super::arguments::{cell, count};
use super::{Natives, Plugin, complain};
use crate::game::{Client, SLOTS};
use crate::machine::{Answer, Fault};

impl Plugin {
    pub fn connected(&self, index: i32) -> Result<&Client, Fault> {
        slot(index)?;
        let client = self.host.game.client(index);
        client.map_or_else(|| complain(format!("Client {index} is not connected")), Ok)
    }

    pub fn in_game(&self, index: i32) -> Result<&Client, Fault> {
        slot(index)?;
        let client = self.host.game.client(index).filter(|client| client.in_game);
        client.map_or_else(|| complain(format!("Client {index} is not in game")), Ok)
    }

    /// Shows a message to a client.
    pub fn print_to(&mut self, index: i32, text: String) {
        if let Some(client) = self.host.game.client_mut(index) {
            client.heard.push(text);
        }
    }
}

fn slot(index: i32) -> Result<(), Fault> {
    if (1..=SLOTS).contains(&index) {
        return Ok(());
    }
    complain(format!("Client index {index} is invalid"))
}

pub const NATIVES: Natives = &[
    ("GetMaxClients", |_, _| Ok(SLOTS)),
    ("GetMaxHumanPlayers", |_, _| Ok(SLOTS)),
    ("GetClientCount", client_count),
    ("GetClientName", name),
    ("GetClientIP", address),
    ("GetClientAuthId", auth_id),
    ("GetSteamAccountID", account),
    ("GetClientUserId", user_id),
    ("GetClientSerial", user_id),
    ("GetClientOfUserId", of_user_id),
    ("GetClientFromSerial", of_user_id),
    ("IsClientConnected", is_connected),
    ("IsClientInGame", is_in_game),
    ("IsClientAuthorized", is_authorized),
    ("IsFakeClient", is_bot),
    ("IsClientSourceTV", is_tv),
    ("IsClientReplay", |plugin, arguments| {
        plugin.connected(arguments[0])?;
        Ok(0)
    }),
    ("IsClientInKickQueue", |plugin, arguments| {
        plugin.connected(arguments[0])?;
        Ok(0)
    }),
    ("IsClientObserver", is_observer),
    ("IsPlayerAlive", is_alive),
    ("GetClientTeam", team),
    ("GetClientHealth", health),
    ("GetClientFrags", frags),
    ("GetClientTime", connected_for),
    ("GetClientInfo", |plugin, arguments| {
        plugin.connected(arguments[0])?;
        Ok(0)
    }),
];

fn client_count(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let all = plugin.host.game.clients();
    Ok(count(
        all.filter(|(_, client)| client.in_game || arguments[0] == 0)
            .count(),
    ))
}

fn name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = match arguments[0] {
        0 => b"A server".to_vec(),
        index => {
            let client = plugin.connected(index)?;
            let broken = client.broken_name.clone();
            broken.unwrap_or_else(|| client.name.clone().into_bytes())
        }
    };
    plugin
        .memory
        .write_text(arguments[1], arguments[2], &name)?;
    Ok(1)
}

fn address(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.connected(arguments[0])?;
    plugin.write(arguments[1], arguments[2], "192.0.2.1")?;
    Ok(1)
}

/// Returns `false`, and a placeholder id, for bots and before Steam has confirmed the account.
fn auth_id(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [index, kind, buffer, size, validate] = arguments[..5] else {
        return complain("GetClientAuthId has five arguments");
    };
    plugin.write(buffer, size, "STEAM_ID_STOP_IGNORING_RETVALS")?;
    let client = plugin.connected(index)?;
    if validate != 0 && !client.is_authorized || client.is_bot && kind == 3 {
        return Ok(0);
    }
    let id = match kind {
        0 | 2 => client.steam3(),
        1 => client.steam2(),
        _ => client.steam64(),
    };
    plugin.write(buffer, size, &id)?;
    Ok(1)
}

/// Returns 0 for bots, and for unconfirmed accounts if confirmation is required.
fn account(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.connected(arguments[0])?;
    let is_known = client.is_authorized || arguments[1] == 0;
    Ok(if is_known {
        client.account.cast_signed()
    } else {
        0
    })
}

fn user_id(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(plugin.connected(arguments[0])?.user_id)
}

/// Returns 0 if the client has left.
fn of_user_id(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let mut all = plugin.host.game.clients();
    let found = all.find(|(_, client)| client.user_id == arguments[0]);
    Ok(found.map_or(0, |(index, _)| index))
}

fn is_connected(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    slot(arguments[0])?;
    Ok(i32::from(plugin.host.game.client(arguments[0]).is_some()))
}

fn is_in_game(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    slot(arguments[0])?;
    let client = plugin.host.game.client(arguments[0]);
    Ok(i32::from(client.is_some_and(|client| client.in_game)))
}

fn is_authorized(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    slot(arguments[0])?;
    let client = plugin.host.game.client(arguments[0]);
    Ok(i32::from(client.is_some_and(|client| client.is_authorized)))
}

fn is_bot(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(plugin.connected(arguments[0])?.is_bot))
}

fn is_tv(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(plugin.connected(arguments[0])?.is_tv))
}

/// Returns 1 for an observer, as `CPlayerInfo::IsObserver` (player.cpp) does.
fn is_observer(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.in_game(arguments[0])?;
    Ok(i32::from(!client.team.plays() || !client.is_alive))
}

fn is_alive(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(plugin.in_game(arguments[0])?.is_alive))
}

fn team(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(plugin.in_game(arguments[0])?.team as i32)
}

/// Assumption: 125, the health of most classes; no test depends on it.
fn health(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.in_game(arguments[0])?;
    Ok(if client.is_alive { 125 } else { 0 })
}

/// Returns the frags of a client, as `CPlayerInfo::GetFragCount` (player.cpp) does.
fn frags(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(plugin.in_game(arguments[0])?.score)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the game's clock is a float"
)]
fn connected_for(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.connected(arguments[0])?;
    if client.is_bot {
        return complain(format!("Client {} is a bot", arguments[0]));
    }
    Ok(cell((plugin.host.game.now() - client.since) as f32))
}
