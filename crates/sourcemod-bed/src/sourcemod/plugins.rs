//! Other plugins, and calls between functions (`core/logic/smn_functions.cpp`, `smn_core.cpp`, `NativeInvoker.cpp`).

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::count;
use super::forwards::Pushed;
use super::{DONE, Natives, Plugin, complain};
use crate::machine::Answer;

#[derive(Debug, Default)]
pub struct Plugins {
    /// Names of the other plugins and extensions that are loaded.
    pub libraries: BTreeSet<String>,
    /// Natives that the plugin exports, with their functions.
    pub natives: BTreeMap<String, i32>,
    pub optional: BTreeSet<String>,
    /// Natives that this game does not have.
    pub absent: BTreeSet<&'static str>,
    /// Arguments of the exported native that another plugin calls.
    called_with: Vec<i32>,
    /// The call under construction.
    call: Option<Call>,
}

#[derive(Clone, Debug)]
struct Call {
    function: Option<i32>,
    forward: i32,
    arguments: Vec<Pushed>,
}

pub const NATIVES: Natives = &[
    ("CreateNative", create_native),
    ("MarkNativeAsOptional", mark_optional),
    ("RegPluginLibrary", |_, _| DONE),
    ("LibraryExists", library_exists),
    ("GetFeatureStatus", feature_status),
    ("GetNativeCell", native_cell),
    ("ThrowNativeError", throw),
    ("ThrowError", throw_plain),
    ("SetFailState", fail),
    ("GetPluginFilename", plugin_file),
    ("GetEngineVersion", |plugin, _| {
        Ok(plugin.host.game.engine.version())
    }),
    ("GetGameFolderName", folder),
    ("VerifyCoreVersion", |_, _| Ok(0)),
    ("GetExtensionFileStatus", |_, _| Ok(1)),
];

pub const CALLS: Natives = &[
    ("Call_StartFunction", start_function),
    ("Call_StartForward", start_forward),
    ("Call_PushCell", push_cell),
    ("Call_PushFloat", push_cell),
    ("Call_PushCellRef", push_reference),
    ("Call_PushFloatRef", push_reference),
    ("Call_PushString", push_text),
    ("Call_PushStringEx", push_text_back),
    ("Call_PushArray", push_array),
    ("Call_Finish", finish),
    ("Call_Cancel", cancel),
];

impl Plugin {
    /// Calls a native of the plugin, as another plugin does.
    pub fn call_native_of_plugin(&mut self, name: &str, given: Vec<i32>) -> Result<i32, String> {
        let Some(function) = self.host.plugins.natives.get(name).copied() else {
            return Err(format!("the plugin has no native {name}"));
        };
        let arguments = count(given.len());
        self.host.plugins.called_with = given;
        let answer = self.invoke(function, &[0, arguments]);
        answer.map_err(|fault| fault.message)
    }
}

fn create_native(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.name(arguments[0])?;
    plugin.host.plugins.natives.insert(name, arguments[1]);
    DONE
}

fn mark_optional(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.name(arguments[0])?;
    plugin.host.plugins.optional.insert(name);
    DONE
}

fn library_exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    Ok(i32::from(plugin.host.plugins.libraries.contains(&name)))
}

fn folder(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.host.game.engine.folder();
    plugin.write(arguments[0], arguments[1], name)
}

/// Available if the bed has the native and the game does not lack it, otherwise unknown.
fn feature_status(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[1])?;
    let is_absent = plugin.host.plugins.absent.contains(name.as_str());
    let known = super::natives().contains_key(name.as_str()) && !is_absent;
    Ok(if known { 0 } else { 2 })
}

fn native_cell(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let place = usize::try_from(arguments[0] - 1).ok();
    let given = place.and_then(|place| plugin.host.plugins.called_with.get(place));
    given.map_or_else(
        || complain(format!("Invalid parameter number: {}", arguments[0])),
        |cell| Ok(*cell),
    )
}

fn throw(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let message = plugin.format(arguments, 1)?;
    complain(message)
}

fn throw_plain(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let message = plugin.format(arguments, 0)?;
    complain(message)
}

fn fail(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let message = plugin.format(arguments, 0)?;
    complain(format!("the plugin gives up: {message}"))
}

fn plugin_file(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.write(arguments[1], arguments[2], "rbs.smx")?;
    DONE
}

fn begin(plugin: &mut Plugin, function: Option<i32>, forward: i32) -> Answer {
    if plugin.host.plugins.call.is_some() {
        return complain("Cannot start a call while one is already in progress");
    }
    plugin.host.plugins.call = Some(Call {
        function,
        forward,
        arguments: Vec::new(),
    });
    DONE
}

fn start_function(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    begin(plugin, Some(arguments[1]), 0)
}

fn start_forward(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.forward(arguments[0])?;
    begin(plugin, None, arguments[0])
}

fn push(plugin: &mut Plugin, argument: Pushed) -> Answer {
    let Some(call) = &mut plugin.host.plugins.call else {
        return complain("Cannot push parameters when there is no call in progress");
    };
    call.arguments.push(argument);
    DONE
}

fn push_cell(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    push(plugin, Pushed::Cell(arguments[0]))
}

fn push_reference(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    push(plugin, Pushed::Reference(arguments[0]))
}

fn push_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    push(plugin, Pushed::Text(text))
}

/// The callee may write to the text, so the plugin's own memory is passed.
fn push_text_back(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    push(plugin, Pushed::Reference(arguments[0]))
}

fn push_array(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let cells = plugin.cells(arguments[0], arguments[1])?;
    push(plugin, Pushed::Array(cells))
}

fn cancel(plugin: &mut Plugin, _: &[i32]) -> Answer {
    if plugin.host.plugins.call.take().is_none() {
        return complain("Cannot cancel a call when there is no call in progress");
    }
    DONE
}

/// Returns 0 on success. A fault in the function is logged and ends only that call.
fn finish(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(call) = plugin.host.plugins.call.take() else {
        return complain("Cannot finish call when there is no call in progress");
    };
    let Some(function) = call.function else {
        let answer = plugin.call_forward(call.forward, call.arguments)?;
        if let Some(result) = arguments.first() {
            plugin.memory.store(*result, answer)?;
        }
        return DONE;
    };
    let heap = plugin.memory.heap;
    let lent = plugin.lend_pushed(&call.arguments)?;
    let answer = plugin.invoke(function, &lent);
    plugin.release(heap);
    match answer {
        Ok(answer) => {
            if let Some(result) = arguments.first() {
                plugin.memory.store(*result, answer)?;
            }
            DONE
        }
        Err(fault) => {
            plugin
                .host
                .console
                .log(format!("[SM] Exception reported: {fault}"));
            // SP_ERROR_NATIVE
            Ok(23)
        }
    }
}
