//! Convars (`core/ConVarManager.cpp`, `core/smn_console.cpp`, and the engine's `ConVar`).

use std::collections::BTreeMap;

use super::arguments::{cell, real};
use super::{DONE, Natives, Plugin, complain};
use crate::machine::{Answer, Fault};

/// `FCVAR_PROTECTED`: hides the value from clients.
pub const PROTECTED: i32 = 1 << 5;
/// `FCVAR_DONTRECORD`: keeps the convar out of the configuration file.
pub const DONT_RECORD: i32 = 1 << 17;

#[derive(Clone, Debug)]
pub struct ConVar {
    pub value: String,
    pub default: String,
    pub text: String,
    pub flags: i32,
    pub least: Option<f32>,
    pub most: Option<f32>,
    hooks: Vec<i32>,
    /// `true` if the plugin created the convar.
    pub is_the_plugins: bool,
}

#[derive(Debug)]
pub struct ConVars {
    all: BTreeMap<String, ConVar>,
    /// Calls of `AutoExecConfig`: the file, and whether it is created.
    pub configs: Vec<(String, bool)>,
}

/// Convars of Team Fortress 2 that concern teams, with the default values of tf_gamerules.cpp,
/// teamplayroundbased_gamerules.cpp, gamevars_shared.cpp, tf_voteissues.cpp and tf_bot_manager.cpp (`tf_bot_quota`).
/// Assumption: those of the engine (`hostname`, `sv_cheats`, `sv_password`, `sv_tags`), and a time limit as operators
/// set it.
const OF_THE_GAME: &[(&str, &str)] = &[
    ("hostname", "A server"),
    ("mp_allowspectators", "1"),
    ("mp_autoteambalance", "1"),
    ("mp_scrambleteams_auto", "1"),
    ("mp_scrambleteams_auto_windifference", "2"),
    ("mp_teams_unbalance_limit", "1"),
    ("mp_tournament", "0"),
    ("mp_timelimit", "30"),
    ("mp_maxrounds", "0"),
    ("mp_winlimit", "0"),
    ("mp_bonusroundtime", "15"),
    ("mp_waitingforplayers_time", "30"),
    ("mp_disable_respawn_times", "0"),
    ("mp_stalemate_enable", "0"),
    ("mp_forceautoteam", "0"),
    ("sv_vote_issue_scramble_teams_allowed", "1"),
    ("sv_vote_issue_autobalance_allowed", "0"),
    ("sv_tags", ""),
    ("sv_cheats", "0"),
    ("sv_password", ""),
    ("tf_arena_max_streak", "3"),
    ("tf_arena_use_queue", "1"),
    ("tf_arena_force_class", "0"),
    ("tf_arena_override_team_size", "0"),
    ("tf_gamemode_arena", "0"),
    ("tf_gamemode_mvm", "0"),
    ("tf_bot_quota", "0"),
];

impl ConVars {
    pub fn of_the_game() -> Self {
        let all = OF_THE_GAME.iter().map(|(name, value)| {
            let convar = ConVar {
                value: (*value).to_owned(),
                default: (*value).to_owned(),
                text: String::new(),
                flags: 0,
                least: None,
                most: None,
                hooks: Vec::new(),
                is_the_plugins: false,
            };
            ((*name).to_owned(), convar)
        });
        Self {
            all: all.collect(),
            configs: Vec::new(),
        }
    }

    pub fn get(&self, name: &str) -> Option<&ConVar> {
        self.all.get(name)
    }

    /// Convars that the plugin created.
    pub fn of_the_plugin(&self) -> impl Iterator<Item = (&String, &ConVar)> {
        self.all.iter().filter(|(_, convar)| convar.is_the_plugins)
    }

    /// Removes the plugin's hooks at a map change.
    pub fn forget_the_plugin(&mut self) {
        for convar in self.all.values_mut() {
            convar.hooks.clear();
        }
        self.configs.clear();
    }
}

impl Plugin {
    /// Sets a convar as the console does: clamps the value, and calls the hooks.
    pub fn set_convar(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(convar) = self.host.convars.all.get_mut(name) else {
            return complain(format!("there is no convar {name}"));
        };
        let number = value.trim().parse::<f32>().unwrap_or(0.0);
        let bounded = convar.least.map_or(number, |least| number.max(least));
        let bounded = convar.most.map_or(bounded, |most| bounded.min(most));
        let value = if bounded == number {
            value.to_owned()
        } else {
            format!("{bounded:.6}")
        };
        let before = std::mem::replace(&mut convar.value, value.clone());
        if before == value {
            return Ok(());
        }
        let hooks = convar.hooks.clone();
        let handle = self.host.handles.of_convar(name);
        for hook in hooks {
            self.lending(&[&before, &value], |plugin, texts| {
                plugin.call(hook, &[handle, texts[0], texts[1]])
            })?;
        }
        Ok(())
    }

    fn convar(&self, handle: i32) -> Result<&ConVar, Fault> {
        let name = self.host.handles.convar(handle)?;
        Ok(&self.host.convars.all[name])
    }

    fn set_by_handle(&mut self, handle: i32, value: &str) -> Answer {
        let name = self.host.handles.convar(handle)?.clone();
        self.set_convar(&name, value)?;
        DONE
    }
}

pub const NATIVES: Natives = &[
    ("CreateConVar", create),
    ("FindConVar", find),
    ("HookConVarChange", hook),
    ("ConVar.AddChangeHook", hook),
    ("ConVar.RemoveChangeHook", unhook),
    ("ConVar.BoolValue.get", get_bool),
    ("ConVar.BoolValue.set", set_number),
    ("ConVar.IntValue.get", get_number),
    ("ConVar.IntValue.set", set_number),
    ("ConVar.FloatValue.get", get_real),
    ("ConVar.FloatValue.set", set_real),
    ("ConVar.SetBool", set_number),
    ("ConVar.SetInt", set_number),
    ("ConVar.SetFloat", set_real),
    ("ConVar.SetString", set_text),
    ("ConVar.GetString", get_text),
    ("ConVar.GetDefault", get_default),
    ("ConVar.RestoreDefault", restore),
    ("ConVar.GetName", get_name),
    ("ConVar.GetBounds", get_bound),
    ("ConVar.Flags.get", |plugin, arguments| {
        Ok(plugin.convar(arguments[0])?.flags)
    }),
    ("ConVar.Flags.set", set_flags),
    ("AutoExecConfig", auto_exec),
];

/// Returns the existing convar of that name, if there is one.
fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [name, default, text, flags, has_least, least, has_most, most] = arguments[..8] else {
        return complain("CreateConVar has eight arguments");
    };
    let (name, default, text) = (
        plugin.name(name)?,
        plugin.text(default)?,
        plugin.text(text)?,
    );
    let convars = &mut plugin.host.convars.all;
    let convar = convars.entry(name.clone()).or_insert_with(|| ConVar {
        value: default.clone(),
        default,
        text,
        flags,
        least: (has_least != 0).then(|| real(least)),
        most: (has_most != 0).then(|| real(most)),
        hooks: Vec::new(),
        is_the_plugins: true,
    });
    convar.is_the_plugins = true;
    Ok(plugin.host.handles.of_convar(&name))
}

fn find(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    if !plugin.host.convars.all.contains_key(&name) {
        return Ok(0);
    }
    Ok(plugin.host.handles.of_convar(&name))
}

fn hook(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.handles.convar(arguments[0])?.clone();
    let convar = plugin
        .host
        .convars
        .all
        .get_mut(&name)
        .expect("a convar that is there");
    convar.hooks.push(arguments[1]);
    DONE
}

fn unhook(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.handles.convar(arguments[0])?.clone();
    let convar = plugin
        .host
        .convars
        .all
        .get_mut(&name)
        .expect("a convar that is there");
    let Some(place) = convar.hooks.iter().position(|hook| *hook == arguments[1]) else {
        return complain("Invalid hook callback specified for convar");
    };
    convar.hooks.remove(place);
    DONE
}

/// Parses the number at the start of the text, as C does.
fn value(plugin: &Plugin, handle: i32) -> Result<f32, Fault> {
    let text = plugin.convar(handle)?.value.trim();
    let mut longest = (0..=text.len())
        .rev()
        .filter(|end| text.is_char_boundary(*end));
    Ok(longest
        .find_map(|end| text[..end].parse().ok())
        .unwrap_or(0.0))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the integer value of a convar is the whole part of its float value"
)]
fn get_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(value(plugin, arguments[0])? as i32)
}

fn get_bool(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(get_number(plugin, arguments)? != 0))
}

fn get_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(cell(value(plugin, arguments[0])?))
}

fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.convar(arguments[0])?.value.clone();
    plugin.write(arguments[1], arguments[2], &text)?;
    DONE
}

fn get_default(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.convar(arguments[0])?.default.clone();
    plugin.write(arguments[1], arguments[2], &text)
}

fn get_name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.handles.convar(arguments[0])?.clone();
    plugin.write(arguments[1], arguments[2], &name)?;
    DONE
}

/// `ConVarBound_Upper` is 0, `ConVarBound_Lower` is 1.
fn get_bound(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let convar = plugin.convar(arguments[0])?;
    let bound = if arguments[1] == 0 {
        convar.most
    } else {
        convar.least
    };
    plugin
        .memory
        .store(arguments[2], cell(bound.unwrap_or(0.0)))?;
    Ok(i32::from(bound.is_some()))
}

fn set_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.set_by_handle(arguments[0], &arguments[1].to_string())
}

fn set_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.set_by_handle(arguments[0], &format!("{:.6}", real(arguments[1])))
}

fn set_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[1])?;
    plugin.set_by_handle(arguments[0], &text)
}

fn restore(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let default = plugin.convar(arguments[0])?.default.clone();
    plugin.set_by_handle(arguments[0], &default)
}

fn set_flags(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.handles.convar(arguments[0])?.clone();
    let convar = plugin
        .host
        .convars
        .all
        .get_mut(&name)
        .expect("a convar that is there");
    convar.flags = arguments[1];
    DONE
}

fn auto_exec(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (name, folder) = (plugin.text(arguments[1])?, plugin.text(arguments[2])?);
    let name = if name.is_empty() {
        "plugin.rbs".to_owned()
    } else {
        name
    };
    plugin
        .host
        .convars
        .configs
        .push((format!("cfg/{folder}/{name}.cfg"), arguments[0] != 0));
    DONE
}
