//! Entities and their properties (`core/smn_entities.cpp`, SDKTools' `vglobals.cpp`, `gamerulesnatives.cpp`). Access to
//! a missing property is a fault.

use super::arguments::{cell, count, real};
use super::{DONE, Natives, Plugin, complain};
use crate::game::{Mode, SLOTS};
use crate::machine::{Answer, Fault};

/// Entity number of the player resource, which holds the scores. It is one above all others.
const RESOURCE: i32 = 2000;

pub const NATIVES: Natives = &[
    ("FindEntityByClassname", find),
    ("IsValidEntity", is_valid),
    ("IsValidEdict", is_valid),
    ("GetEntityClassname", class_name),
    ("GetEdictClassname", class_name),
    ("FindDataMapInfo", data_property),
    ("GetEntityNetClass", net_class),
    ("FindSendPropInfo", network_property),
    ("GetEntProp", get_number),
    ("SetEntProp", set_number),
    ("GetEntPropFloat", get_real),
    ("SetEntPropFloat", set_real),
    ("GetEntPropEnt", get_number),
    ("GetPlayerResourceEntity", |_, _| Ok(RESOURCE)),
    ("GetPlayerWeaponSlot", weapon),
    ("GameRules_GetProp", rule),
    ("GameRules_GetPropFloat", |_, _| Ok(cell(0.0))),
    ("GetEntityCount", |plugin, _| {
        Ok(count(plugin.host.game.entities.len()))
    }),
    ("GetMaxEntities", |_, _| Ok(2048)),
    ("GetCurrentMap", map_name),
    ("GetMapDisplayName", display_name),
    ("AcceptEntityInput", accept_input),
    ("SetVariantInt", |plugin, arguments| {
        plugin.host.variant = arguments[0];
        DONE
    }),
    ("ShowVGUIPanel", show_panel),
];

fn find(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let class = plugin.text(arguments[1])?;
    let all = plugin
        .host
        .game
        .entities
        .range(arguments[0].saturating_add(1)..);
    let matches = |known: &str| match class.strip_suffix('*') {
        Some(start) => known.starts_with(start),
        None => known == class,
    };
    let found = all
        .filter(|(_, entity)| matches(entity.class))
        .map(|(number, _)| *number);
    Ok(found.min().unwrap_or(-1))
}

fn is_valid(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let number = arguments[0];
    let game = &plugin.host.game;
    let is_there = number == 0
        || number == RESOURCE
        || game.client(number).is_some()
        || game.entities.contains_key(&number);
    Ok(i32::from(is_there))
}

fn class_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let class = match (plugin.host.game.entities.get(&arguments[0]), arguments[0]) {
        (Some(entity), _) => entity.class,
        (None, 1..=SLOTS) => "player",
        _ => return Ok(0),
    };
    plugin.write(arguments[1], arguments[2], class)?;
    Ok(1)
}

/// Value of a property; `None` if the entity lacks it. The names follow the send tables of `CTFPlayerResource`
/// (tf_player_resource.cpp), `CTFPlayer` (tf_player.cpp), `CTFPlayerShared` (tf_player_shared.cpp) and
/// `CTFPlayerClassShared` (tf_playerclass_shared.cpp).
fn property(plugin: &Plugin, number: i32, name: &str, element: i32) -> Result<Option<i32>, Fault> {
    let game = &plugin.host.game;
    if number == RESOURCE {
        let client = game.client(element);
        return Ok(match name {
            "m_iTotalScore" => Some(client.map_or(0, |client| client.shown_score)),
            "m_iTeam" => Some(client.map_or(0, |client| client.team as i32)),
            "m_bArenaSpectator" => {
                Some(client.map_or(0, |client| i32::from(client.is_arena_spectator())))
            }
            // Follows CTFPlayerResource::UpdateConnectedPlayer (tf_player_resource.cpp).
            "m_iActiveDominations" => {
                let known = client.and_then(|client| client.properties.get(name));
                Some(known.copied().unwrap_or(0))
            }
            _ => None,
        });
    }
    if let 1..=SLOTS = number {
        let client = plugin.in_game(number)?;
        return Ok(match name {
            "m_lifeState" => {
                let alive = if client.is_alive { 0 } else { 2 };
                Some(
                    client
                        .properties
                        .get(name)
                        .copied()
                        .filter(|_| client.is_alive)
                        .unwrap_or(alive),
                )
            }
            "m_iClass" => Some(client.class),
            "m_iTeamNum" => Some(client.team as i32),
            "m_hItem" | "m_hObserverTarget" | "m_hActiveWeapon" => {
                Some(client.properties.get(name).copied().unwrap_or(-1))
            }
            "m_bArenaSpectator"
            | "m_iDesiredPlayerClass"
            | "m_iFrags"
            | "m_iHealth"
            | "m_bIsCoaching"
            | "m_nPlayerCond"
            | "m_bUseClassAnimations" => Some(client.properties.get(name).copied().unwrap_or(0)),
            _ => None,
        });
    }
    match game.entities.get(&number) {
        Some(entity) => Ok(entity.numbers.get(name).copied()),
        None => complain(format!("Entity {number} ({number}) is invalid")),
    }
}

fn missing<T>(number: i32, name: &str) -> Result<T, Fault> {
    complain(format!("Property \"{name}\" not found (entity {number})"))
}

/// Returns a dummy offset, or -1 if the entity lacks the property.
fn data_property(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[1])?;
    let entity = plugin.host.game.entities.get(&arguments[0]);
    let is_real = entity.is_some_and(|entity| entity.reals.contains_key(name.as_str()));
    Ok(
        if is_real || property(plugin, arguments[0], &name, 0)?.is_some() {
            1
        } else {
            -1
        },
    )
}

/// Network class of an entity; the bed uses the class name of the map.
fn net_class(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let class = match (plugin.host.game.entities.get(&arguments[0]), arguments[0]) {
        (Some(entity), _) => entity.class,
        (None, 1..=SLOTS) => "CTFPlayer",
        _ => return Ok(0),
    };
    plugin.write(arguments[1], arguments[2], class)?;
    Ok(1)
}

fn network_property(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (class, name) = (plugin.text(arguments[0])?, plugin.text(arguments[1])?);
    let game = &plugin.host.game;
    let found = if class == "CTFPlayer" {
        let somebody = game
            .clients()
            .find(|(_, client)| client.in_game)
            .map(|(index, _)| index);
        somebody
            .map(|index| property(plugin, index, &name, 0))
            .transpose()?
            .flatten()
            .is_some()
    } else {
        let mut all = game
            .entities
            .values()
            .filter(|entity| entity.class == class);
        all.any(|entity| {
            entity.numbers.contains_key(name.as_str()) || entity.reals.contains_key(name.as_str())
        })
    };
    Ok(if found { 1 } else { -1 })
}

fn get_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[2])?;
    let element = arguments.last().copied().unwrap_or(0);
    let value = property(plugin, arguments[0], &name, element)?;
    value.map_or_else(|| missing(arguments[0], &name), Ok)
}

fn set_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (number, name) = (arguments[0], plugin.text(arguments[2])?);
    if property(plugin, number, &name, 0)?.is_none() {
        return missing(number, &name);
    }
    if let Some(client) = plugin.host.game.client_mut(number) {
        let name = match name.as_str() {
            "m_lifeState" => "m_lifeState",
            "m_iDesiredPlayerClass" => "m_iDesiredPlayerClass",
            "m_bArenaSpectator" => "m_bArenaSpectator",
            _ => return complain(format!("the test bed does not set {name} of a player")),
        };
        client.properties.insert(name, arguments[3]);
        return DONE;
    }
    let entity = plugin.host.game.entities.get_mut(&number);
    let value = entity.and_then(|entity| entity.numbers.get_mut(name.as_str()));
    let value = value
        .ok_or_else(|| Fault::error(format!("the test bed does not set {name} of {number}")))?;
    *value = arguments[3];
    DONE
}

fn get_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[2])?;
    let entity = plugin.host.game.entities.get(&arguments[0]);
    let value = entity.and_then(|entity| entity.reals.get(name.as_str()));
    value.map_or_else(|| missing(arguments[0], &name), |value| Ok(cell(*value)))
}

fn set_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[2])?;
    let entity = plugin.host.game.entities.get_mut(&arguments[0]);
    let Some(value) = entity.and_then(|entity| entity.reals.get_mut(name.as_str())) else {
        return missing(arguments[0], &name);
    };
    *value = real(arguments[3]);
    DONE
}

/// Weapon in a slot, -1 for none (`CBaseCombatCharacter::Weapon_GetSlot`); tests set the properties `m_hWeapon0` and so
/// on.
fn weapon(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.in_game(arguments[0])?;
    let name =
        ["m_hWeapon0", "m_hWeapon1", "m_hWeapon2"].get(usize::try_from(arguments[1]).unwrap_or(9));
    Ok(name
        .and_then(|name| client.properties.get(name))
        .copied()
        .unwrap_or(-1))
}

/// Round state of the game rules. The names follow the send tables of `CTeamplayRoundBasedRules`
/// (teamplayroundbased_gamerules.cpp) and `CTFGameRules` (tf_gamerules.cpp).
fn rule(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    let game = &plugin.host.game;
    match name.as_str() {
        "m_bInWaitingForPlayers" => Ok(i32::from(game.waits_for_players)),
        "m_bInSetup" => Ok(i32::from(game.is_in_setup)),
        "m_bPlayingMannVsMachine" => Ok(i32::from(game.map.mode == Mode::Mvm)),
        "m_bPlayingKoth" => Ok(i32::from(game.map.mode == Mode::Koth)),
        "m_bTeamsSwitched" => Ok(0),
        _ => complain(format!(
            "Property \"{name}\" not found on the gamerules proxy"
        )),
    }
}

/// Of all inputs, only the setup time of a round timer has an effect. Follows CTeamRoundTimer::InputSetSetupTime
/// (teamplay_round_timer.cpp).
#[expect(clippy::cast_precision_loss, reason = "seconds of a setup are few")]
fn accept_input(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let input = plugin.text(arguments[1])?;
    let (now, seconds) = (plugin.host.game.time(), plugin.host.variant);
    let Some(entity) = plugin.host.game.entities.get_mut(&arguments[0]) else {
        return complain(format!("Entity {} is invalid", arguments[0]));
    };
    if entity.class == "team_round_timer" && input == "SetSetupTime" {
        let length = entity.numbers.entry("m_nSetupTimeLength").or_default();
        if seconds >= 0 {
            *length = seconds;
        }
        let seconds = *length;
        if entity.numbers["m_bIsDisabled"] == 0 && entity.numbers["m_nState"] == 0 {
            entity
                .reals
                .insert("m_flTimerEndTime", now + seconds as f32);
        }
    }
    Ok(1)
}

fn map_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.game.map.name.clone();
    plugin.write(arguments[0], arguments[1], &name)
}

/// Strips the workshop number from the name of a map.
fn display_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    let name = name.trim_start_matches("workshop/");
    let name = name.split(".ugc").next().unwrap_or(name).to_owned();
    plugin.write(arguments[1], arguments[2], &name)?;
    Ok(1)
}

/// Shows a menu of the game, as `CBasePlayer::ShowViewPortPanel` (player.cpp) does; players choose in the class menu,
/// whose names are in tf_shareddefs.h.
fn show_panel(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.in_game(arguments[0])?;
    let name = plugin.text(arguments[1])?;
    plugin.print_to(arguments[0], format!("[panel {name}]"));
    if name.starts_with("class_") {
        plugin.show_class_menu(arguments[0])?;
    }
    DONE
}
