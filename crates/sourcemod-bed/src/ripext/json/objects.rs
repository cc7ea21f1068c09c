//! Natives of `JSONObject`, and of JSON in general.

use super::{Json, Value};
use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::{cell, real};
use crate::sourcemod::handles::Object;
use crate::sourcemod::{Natives, Plugin};

pub const NATIVES: Natives = &[
    ("JSONObject.JSONObject", |plugin, _| {
        Ok(plugin.add_json(Json::new(Value::Object(Vec::new()))))
    }),
    ("JSONObject.Get", get),
    ("JSONObject.GetBool", |plugin, arguments| {
        Ok(i32::from(must_get(plugin, arguments)?.is_true()))
    }),
    ("JSONObject.GetInt", |plugin, arguments| {
        Ok(must_get(plugin, arguments)?.integer())
    }),
    ("JSONObject.GetFloat", |plugin, arguments| {
        Ok(cell(must_get(plugin, arguments)?.real()))
    }),
    ("JSONObject.GetString", get_text),
    ("JSONObject.IsNull", |plugin, arguments| {
        Ok(i32::from(must_get(plugin, arguments)?.is_null()))
    }),
    ("JSONObject.HasKey", has_key),
    ("JSONObject.Set", set_json),
    ("JSONObject.SetBool", |plugin, arguments| {
        set(plugin, arguments, Value::Bool(arguments[2] != 0))
    }),
    ("JSONObject.SetInt", |plugin, arguments| {
        set(plugin, arguments, Value::Integer(i64::from(arguments[2])))
    }),
    ("JSONObject.SetFloat", |plugin, arguments| {
        set(
            plugin,
            arguments,
            Value::Real(f64::from(real(arguments[2]))),
        )
    }),
    ("JSONObject.SetString", set_text),
    ("JSONObject.Remove", remove),
    ("JSONObject.FromString", from_text),
    ("JSONArray.FromString", from_text),
    ("JSON.ToString", to_text),
];

impl Plugin {
    pub fn add_json(&mut self, json: Json) -> i32 {
        self.host.handles.add(Object::Json(json))
    }
}

fn find(plugin: &Plugin, arguments: &[i32]) -> Result<Option<Json>, Fault> {
    let key = plugin.text(arguments[1])?;
    Ok(plugin.host.handles.json(arguments[0])?.get(&key))
}

fn must_get(plugin: &Plugin, arguments: &[i32]) -> Result<Json, Fault> {
    let key = plugin.text(arguments[1])?;
    plugin.host.handles.json(arguments[0])?.must_get(&key)
}

/// Returns a new handle, which the plugin must close, for `null` values too.
fn get(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let json = must_get(plugin, arguments)?;
    Ok(plugin.add_json(json))
}

/// Returns `false`, and leaves the buffer unchanged, if the key is missing or its value is not a string.
fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(text) = find(plugin, arguments)?.and_then(|json| json.text()) else {
        return Ok(0);
    };
    plugin.write(arguments[2], arguments[3], &text)?;
    Ok(1)
}

fn has_key(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(find(plugin, arguments)?.is_some()))
}

fn set(plugin: &mut Plugin, arguments: &[i32], value: Value) -> Answer {
    let key = plugin.text(arguments[1])?;
    let done = plugin
        .host
        .handles
        .json(arguments[0])?
        .set(&key, Json::new(value));
    Ok(i32::from(done))
}

/// Stores a shared reference to the value.
fn set_json(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let key = plugin.text(arguments[1])?;
    let value = plugin.host.handles.json(arguments[2])?.clone();
    Ok(i32::from(
        plugin.host.handles.json(arguments[0])?.set(&key, value),
    ))
}

/// Returns `false`, and sets nothing, if the text is invalid UTF-8.
fn set_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.json(arguments[0])?;
    let Ok(text) = String::from_utf8(plugin.memory.text(arguments[2])?.to_vec()) else {
        return Ok(0);
    };
    set(plugin, arguments, Value::Text(text))
}

fn remove(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let key = plugin.text(arguments[1])?;
    let json = plugin.host.handles.json(arguments[0])?;
    let is_there = json.get(&key).is_some();
    json.change(|value| {
        if let Value::Object(entries) = value {
            entries.retain(|(known, _)| *known != key);
        }
    });
    Ok(i32::from(is_there))
}

fn from_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let json = Json::parse(plugin.memory.text(arguments[0])?)?;
    Ok(plugin.add_json(json))
}

/// Truncates the text silently to the size of the buffer.
fn to_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let flags = arguments.get(3).copied().unwrap_or(0);
    let text = plugin.host.handles.json(arguments[0])?.dump(flags);
    plugin.write(arguments[1], arguments[2], &text)?;
    Ok(1)
}
