//! Natives of the methodmap `JSONArray`.

use super::{Json, Value};
use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::{cell, count};
use crate::sourcemod::{Natives, Plugin};

pub const NATIVES: Natives = &[
    ("JSONArray.JSONArray", |plugin, _| {
        Ok(plugin.add_json(Json::new(Value::Array(Vec::new()))))
    }),
    ("JSONArray.Length.get", length),
    ("JSONArray.Get", get),
    ("JSONArray.GetBool", |plugin, arguments| {
        Ok(i32::from(must_get(plugin, arguments)?.is_true()))
    }),
    ("JSONArray.GetInt", |plugin, arguments| {
        Ok(must_get(plugin, arguments)?.integer())
    }),
    ("JSONArray.GetFloat", |plugin, arguments| {
        Ok(cell(must_get(plugin, arguments)?.real()))
    }),
    ("JSONArray.GetString", get_text),
    ("JSONArray.IsNull", |plugin, arguments| {
        Ok(i32::from(must_get(plugin, arguments)?.is_null()))
    }),
    ("JSONArray.Set", set_json),
    ("JSONArray.Push", push_json),
    ("JSONArray.PushString", push_text),
    ("JSONArray.Remove", remove),
];

fn must_get(plugin: &Plugin, arguments: &[i32]) -> Result<Json, Fault> {
    plugin
        .host
        .handles
        .json(arguments[0])?
        .must_be_at(arguments[1])
}

fn length(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(count(plugin.host.handles.json(arguments[0])?.len()))
}

/// Returns a new handle, which the plugin must close.
fn get(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let json = must_get(plugin, arguments)?;
    Ok(plugin.add_json(json))
}

/// A missing element is a fault, unlike in an object. An element that is not a string is not.
fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(text) = must_get(plugin, arguments)?.text() else {
        return Ok(0);
    };
    plugin.write(arguments[2], arguments[3], &text)?;
    Ok(1)
}

fn set_json(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let new = plugin.host.handles.json(arguments[2])?.clone();
    let place = usize::try_from(arguments[1]).unwrap_or(usize::MAX);
    let done = plugin
        .host
        .handles
        .json(arguments[0])?
        .change(|value| match value {
            Value::Array(elements) if place < elements.len() => {
                elements[place] = new;
                true
            }
            _ => false,
        });
    Ok(i32::from(done))
}

fn push(plugin: &mut Plugin, arguments: &[i32], value: Value) -> Answer {
    Ok(i32::from(
        plugin
            .host
            .handles
            .json(arguments[0])?
            .push(Json::new(value)),
    ))
}

fn push_json(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let value = plugin.host.handles.json(arguments[1])?.clone();
    Ok(i32::from(
        plugin.host.handles.json(arguments[0])?.push(value),
    ))
}

fn push_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.json(arguments[0])?;
    let Ok(text) = String::from_utf8(plugin.memory.text(arguments[1])?.to_vec()) else {
        return Ok(0);
    };
    push(plugin, arguments, Value::Text(text))
}

fn remove(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let place = usize::try_from(arguments[1]).unwrap_or(usize::MAX);
    let done = plugin
        .host
        .handles
        .json(arguments[0])?
        .change(|value| match value {
            Value::Array(elements) if place < elements.len() => {
                elements.remove(place);
                true
            }
            _ => false,
        });
    Ok(i32::from(done))
}
