//! KeyValues (`core/smn_keyvalues.cpp`): read access to files of keys and values.

use super::handles::Object;
use super::{Natives, Plugin, complain};
use crate::game::keyvalues::{self, Section};
use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::{cell, real};

/// A parsed file, with the path to the current section.
#[derive(Clone, Debug, Default)]
pub struct Config {
    around: Vec<Section>,
    here: Section,
}

pub const NATIVES: Natives = &[
    ("KeyValues.KeyValues", create),
    ("CreateKeyValues", create),
    ("KeyValues.ImportFromFile", import),
    ("KeyValues.JumpToKey", jump),
    ("KeyValues.GotoFirstSubKey", |_, _| {
        complain("the test bed does not go through all keys of a file")
    }),
    ("KeyValues.GoBack", back),
    ("KeyValues.Rewind", rewind),
    ("KeyValues.GetNum", get_number),
    ("KeyValues.GetFloat", get_real),
    ("KeyValues.GetString", get_text),
];

fn create(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(plugin.host.handles.add(Object::Config(Config::default())))
}

/// Returns `false` if the file is missing or invalid.
fn import(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[1])?;
    let text = std::fs::read_to_string(plugin.host.files.path(&path));
    let config = plugin.host.handles.config_mut(arguments[0])?;
    match text.ok().and_then(|text| keyvalues::parse(&text).ok()) {
        Some(here) => {
            *config = Config {
                around: Vec::new(),
                here,
            };
            Ok(1)
        }
        None => Ok(0),
    }
}

fn jump(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let key = plugin.text(arguments[1])?;
    let config = plugin.host.handles.config_mut(arguments[0])?;
    let Some(section) = config.here.section(&key).cloned() else {
        return Ok(0);
    };
    let around = std::mem::replace(&mut config.here, section);
    config.around.push(around);
    Ok(1)
}

fn back(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let config = plugin.host.handles.config_mut(arguments[0])?;
    let Some(around) = config.around.pop() else {
        return Ok(0);
    };
    config.here = around;
    Ok(1)
}

fn rewind(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    while back(plugin, arguments)? == 1 {}
    Ok(0)
}

fn value(plugin: &Plugin, arguments: &[i32]) -> Result<Option<String>, Fault> {
    let key = plugin.text(arguments[1])?;
    let config = plugin.host.handles.config(arguments[0])?;
    Ok(config.here.value(&key).map(str::to_owned))
}

fn get_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let value = value(plugin, arguments)?;
    Ok(value.map_or(arguments[2], |value| value.trim().parse().unwrap_or(0)))
}

fn get_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let value = value(plugin, arguments)?;
    Ok(cell(value.map_or(real(arguments[2]), |value| {
        value.trim().parse().unwrap_or(0.0)
    })))
}

fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = match value(plugin, arguments)? {
        Some(text) => text,
        None => plugin.text(arguments[4])?,
    };
    plugin.write(arguments[2], arguments[3], &text)?;
    Ok(0)
}
