//! Game events (`core/EventManager.cpp`, `core/smn_events.cpp`). An unknown event or key is an error here; SourceMod
//! would silently return 0.

use std::collections::HashMap;

use super::arguments::{cell, real};
use super::handles::Object;
use super::{DONE, Natives, Plugin, complain};
use crate::machine::{Answer, Fault};

/// Value of an event key.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(i32),
    Real(f32),
    Text(String),
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Number(i32::from(value))
    }
}

impl From<f32> for Value {
    fn from(real: f32) -> Self {
        Self::Real(real)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[derive(Clone, Debug)]
pub struct Event {
    pub name: &'static str,
    pub values: HashMap<&'static str, Value>,
    /// `true` if clients do not receive the event.
    pub silent: bool,
}

/// The plugin's event hooks, by event and mode (0 pre, 1 post, 2 post without a copy).
#[derive(Debug, Default)]
pub struct Events {
    hooks: Vec<(&'static str, i32, i32)>,
    /// Events that the plugin fired.
    pub fired: Vec<Event>,
}

/// Events of the game that concern teams and rounds, with their keys. A comment names the function of Valve's source
/// that fires the event. Assumption: the keys that no function sets come from `resource/modevents.res`.
const KNOWN: &[(&str, &[&str])] = &[
    // CBasePlayer::ChangeTeam (player.cpp)
    (
        "player_team",
        &[
            "userid",
            "team",
            "oldteam",
            "disconnect",
            "autoteam",
            "silent",
            "name",
        ],
    ),
    // CTFPlayer::Spawn (tf_player.cpp)
    ("player_spawn", &["userid", "team", "class"]),
    // CTFGameRules::DeathNotice (tf_gamerules.cpp)
    (
        "player_death",
        &[
            "userid",
            "attacker",
            "assister",
            "weapon",
            "death_flags",
            "victim_entindex",
            "inflictor_entindex",
            "weaponid",
            "damagebits",
            "customkill",
            "stun_flags",
            "silent_kill",
        ],
    ),
    // CTFPlayer::OnTakeDamage_Alive (tf_player.cpp)
    (
        "player_hurt",
        &[
            "userid",
            "health",
            "attacker",
            "damageamount",
            "custom",
            "showdisguisedcrit",
            "crit",
            "minicrit",
            "allseecrit",
            "weaponid",
            "bonuseffect",
        ],
    ),
    // CTFPlayerShared::ConditionGameRulesThink (tf_player_shared.cpp), CHealthKit::MyTouch (entity_healthkit.cpp)
    ("player_healed", &["patient", "healer", "amount"]),
    // Assumption: fired by the engine, whose source is not published.
    (
        "player_disconnect",
        &["userid", "reason", "name", "networkid", "bot"],
    ),
    // Assumption: fired by the engine, whose source is not published.
    (
        "player_connect",
        &["name", "index", "userid", "networkid", "address", "bot"],
    ),
    // CTFGameRules::ChangePlayerName (tf_gamerules.cpp)
    ("player_changename", &["userid", "oldname", "newname"]),
    // CTFPlayer::HandleCommand_JoinClass (tf_player.cpp)
    ("player_changeclass", &["userid", "class"]),
    // CWeaponMedigun::SecondaryAttack (tf_weapon_medigun.cpp)
    ("player_chargedeployed", &["userid", "targetid"]),
    // CTFGameRules::CalcDominationAndRevenge (tf_gamerules.cpp)
    (
        "player_domination",
        &["dominator", "dominated", "dominations"],
    ),
    // CTeamplayRoundBasedRules::State_Enter_PREROUND (teamplayroundbased_gamerules.cpp)
    ("teamplay_round_start", &["full_reset"]),
    // CTeamplayRoundBasedRules::State_Enter_RND_RUNNING
    ("teamplay_round_active", &[]),
    // CTeamplayRoundBasedRules::SetWinningTeam, CTFGameRules::FillOutTeamplayRoundWinEvent
    (
        "teamplay_round_win",
        &[
            "team",
            "winreason",
            "flagcaplimit",
            "full_round",
            "round_time",
            "losing_team_num_caps",
            "was_sudden_death",
        ],
    ),
    // CTeamplayRoundBasedRules::SetStalemate
    ("teamplay_round_stalemate", &["reason"]),
    // CTeamplayRoundBasedRules::CheckRestartRound
    ("teamplay_round_restart_seconds", &["seconds"]),
    // CTeamplayRoundBasedRules::State_Enter_RESTART
    ("teamplay_restart_round", &[]),
    // CTeamplayRoundBasedRules::CheckRestartRound
    ("teamplay_ready_restart", &[]),
    // CTeamRoundTimer::RoundTimerSetupThink (teamplay_round_timer.cpp)
    ("teamplay_setup_finished", &[]),
    // CTeamplayRoundBasedRules::CheckTimeLimit
    ("teamplay_game_over", &["reason"]),
    // CTFGameRules::CheckWinLimit (tf_gamerules.cpp)
    ("tf_game_over", &["reason"]),
    // CTeamControlPoint::SendCapString (team_control_point.cpp), for points with a name
    (
        "teamplay_point_captured",
        &["cp", "cpname", "team", "cappers"],
    ),
    // CTeamControlPoint::CaptureBlocked (team_control_point.cpp)
    (
        "teamplay_capture_blocked",
        &["cp", "cpname", "blocker", "victim"],
    ),
    // CCaptureFlag::PickUp and Capture (entity_capture_flag.cpp)
    (
        "teamplay_flag_event",
        &["player", "carrier", "eventtype", "home", "team"],
    ),
    // CCaptureZone::Capture (func_capture_zone.cpp)
    (
        "ctf_flag_captured",
        &["capping_team", "capping_team_score", "capper"],
    ),
    // CTFGameRules::SendWinPanelInfo (tf_gamerules.cpp)
    (
        "teamplay_win_panel",
        &["panel_style", "winning_team", "winreason"],
    ),
    // CTeamplayRoundBasedRules::BalanceTeams, CTFAutobalance::PlayerChangeTeam (tf_autobalance.cpp)
    ("teamplay_teambalanced_player", &["player", "team"]),
    // CTFGameRulesProxy::TeamPlayerCountChanged (tf_gamerules.cpp)
    ("teams_changed", &[]),
    // CTFGameRules::SetupOnStalemateStart (tf_gamerules.cpp)
    ("arena_round_start", &[]),
    // CTFGameRules::SendArenaWinPanelInfo (tf_gamerules.cpp)
    (
        "arena_win_panel",
        &["panel_style", "winning_team", "winreason"],
    ),
    // CTFGameRules::Arena_RunTeamLogic (tf_gamerules.cpp)
    ("arena_match_maxstreak", &["team", "streak"]),
    // CTriggerAreaCapture::StartTouch (trigger_area_capture.cpp)
    ("controlpoint_starttouch", &["player", "area"]),
    // CBaseObject::Killed (tf_obj.cpp)
    ("object_destroyed", &["userid", "attacker", "objecttype"]),
    // CBaseObject::StartBuilding (tf_obj.cpp)
    ("player_builtobject", &["userid", "object", "index"]),
    // UpdateDuelScore (tf_duel.cpp)
    (
        "duel_status",
        &[
            "killer",
            "score_type",
            "initiator",
            "target",
            "initiator_score",
            "target_score",
        ],
    ),
    // CTFGameRules::RoundRespawn (tf_gamerules.cpp)
    ("scorestats_accumulated_update", &[]),
    // Assumption: fired by the engine, whose source is not published.
    ("server_cvar", &["cvarname", "cvarvalue"]),
    // CVoteController::TryCastVote (vote_controller.cpp)
    ("vote_cast", &["vote_option", "team", "entityid", "voteidx"]),
    // Assumption: the events of Counter-Strike: Source and Day of Defeat: Source, whose sources are not published;
    // names and keys as SourceMod's documentation lists them.
    ("round_start", &["timelimit", "fraglimit", "objective"]),
    ("round_end", &["winner", "reason", "message"]),
    ("round_freeze_end", &[]),
    ("dod_round_start", &[]),
    ("dod_round_active", &[]),
    ("dod_round_win", &["team"]),
];

fn known(name: &str) -> Result<(&'static str, &'static [&'static str]), Fault> {
    let known = KNOWN.iter().find(|(known, _)| *known == name);
    known.copied().map_or_else(
        || complain(format!("Game event \"{name}\" does not exist")),
        Ok,
    )
}

impl Plugin {
    /// Fires an event of the game. Pre hooks may block it; post hooks see it afterwards.
    pub fn fire(&mut self, name: &str, values: &[(&'static str, Value)]) -> Result<bool, Fault> {
        let (name, keys) = known(name)?;
        for (key, _) in values {
            assert!(keys.contains(key), "the event {name} has no key {key}");
        }
        let event = Event {
            name,
            values: values.iter().cloned().collect(),
            silent: false,
        };
        self.dispatch(event)
    }

    fn dispatch(&mut self, event: Event) -> Result<bool, Fault> {
        let name = event.name;
        let handle = self.host.handles.add(Object::Event(event));
        let mut passes = true;
        for mode in [0, 1, 2] {
            let hooks = self
                .host
                .events
                .hooks
                .iter()
                .filter(|(hooked, _, wanted)| *hooked == name && *wanted == mode);
            let hooks: Vec<i32> = hooks.map(|(_, function, _)| *function).collect();
            for hook in hooks {
                let silent = i32::from(self.host.handles.event(handle)?.silent);
                let seen = if mode == 2 { 0 } else { handle };
                let answer = self.lending(&[name], |plugin, texts| {
                    plugin.call(hook, &[seen, texts[0], silent])
                })?;
                passes &= mode != 0 || answer.is_none_or(|answer| answer < 3);
            }
            if !passes {
                break;
            }
        }
        self.host.handles.remove(handle);
        Ok(passes)
    }
}

pub const NATIVES: Natives = &[
    ("HookEvent", hook),
    ("HookEventEx", hook_if_it_exists),
    ("UnhookEvent", unhook),
    ("CreateEvent", create),
    ("Event.Fire", fire),
    ("Event.FireToClient", |_, _| DONE),
    ("Event.Cancel", cancel),
    ("Event.GetInt", get_number),
    ("Event.GetBool", get_number),
    ("Event.GetFloat", get_real),
    ("Event.GetString", get_text),
    ("Event.SetInt", set_number),
    ("Event.SetBool", set_number),
    ("Event.SetString", set_text),
    ("Event.GetName", get_name),
    ("Event.BroadcastDisabled.set", set_silent),
];

fn hook_if_it_exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (name, _) = known(&plugin.text(arguments[0])?)?;
    if plugin.host.game.engine.has_event(name) {
        return hook(plugin, arguments);
    }
    Ok(0)
}

fn hook(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (name, _) = known(&plugin.text(arguments[0])?)?;
    if !plugin.host.game.engine.has_event(name) {
        return complain(format!("Game event \"{name}\" does not exist"));
    }
    let hooks = &mut plugin.host.events.hooks;
    hooks.push((name, arguments[1], arguments[2]));
    Ok(1)
}

fn unhook(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (name, _) = known(&plugin.text(arguments[0])?)?;
    let hooks = &mut plugin.host.events.hooks;
    let place = hooks
        .iter()
        .position(|hook| *hook == (name, arguments[1], arguments[2]));
    let Some(place) = place else {
        return complain(format!("Game event \"{name}\" has no active hook"));
    };
    hooks.remove(place);
    DONE
}

fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (name, _) = known(&plugin.text(arguments[0])?)?;
    let event = Event {
        name,
        values: HashMap::new(),
        silent: false,
    };
    Ok(plugin.host.handles.add(Object::Event(event)))
}

fn fire(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.event(arguments[0])?;
    if let Some(Object::Event(event)) = plugin.host.handles.remove(arguments[0]) {
        plugin.host.events.fired.push(event.clone());
        plugin.dispatch(event)?;
    }
    DONE
}

fn cancel(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.event(arguments[0])?;
    plugin.host.handles.remove(arguments[0]);
    DONE
}

/// Value of a key of the event; `None` if the key is valid but unset.
fn value(plugin: &Plugin, arguments: &[i32]) -> Result<Option<Value>, Fault> {
    let key = plugin.text(arguments[1])?;
    let event = plugin.host.handles.event(arguments[0])?;
    let (name, keys) = known(event.name)?;
    if !keys.contains(&key.as_str()) {
        return complain(format!("the event {name} has no key {key}"));
    }
    Ok(event.values.get(key.as_str()).cloned())
}

#[expect(clippy::cast_possible_truncation, reason = "same as the engine")]
fn get_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(match value(plugin, arguments)? {
        Some(Value::Number(number)) => number,
        Some(Value::Real(real)) => real as i32,
        _ => arguments[2],
    })
}

#[expect(clippy::cast_precision_loss, reason = "same as the engine")]
fn get_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(match value(plugin, arguments)? {
        Some(Value::Real(real)) => cell(real),
        Some(Value::Number(number)) => cell(number as f32),
        _ => cell(real(arguments[2])),
    })
}

fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = match value(plugin, arguments)? {
        Some(Value::Text(text)) => text,
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    plugin.write(arguments[2], arguments[3], &text)?;
    DONE
}

fn set(plugin: &mut Plugin, arguments: &[i32], value: Value) -> Answer {
    let key = plugin.text(arguments[1])?;
    let event = plugin.host.handles.event_mut(arguments[0])?;
    let (name, keys) = known(event.name)?;
    let Some(key) = keys.iter().find(|known| **known == key) else {
        return complain(format!("the event {name} has no key {key}"));
    };
    event.values.insert(key, value);
    DONE
}

fn set_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    set(plugin, arguments, Value::Number(arguments[2]))
}

fn set_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[2])?;
    set(plugin, arguments, Value::Text(text))
}

fn get_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.handles.event(arguments[0])?.name;
    plugin.write(arguments[1], arguments[2], name)?;
    DONE
}

fn set_silent(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.event_mut(arguments[0])?.silent = arguments[1] != 0;
    DONE
}
