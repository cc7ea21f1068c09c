//! Handles of SourceMod objects (`core/logic/HandleSys.cpp`, `smn_handles.cpp`).
//!
//! Handles are never reused, so access to a closed handle is detected. Handles are large numbers, so other numbers are
//! not mistaken for handles.

use std::collections::{BTreeMap, HashSet};

use super::configs::Config;
use super::files::OpenFile;
use super::menus::votes::Menu;
use super::values::lists::List;
use super::{Natives, Plugin, complain, events::Event, forwards::Forward};
use crate::machine::{Answer, Fault};
use crate::ripext::json::Json;
use crate::ripext::requests::{Request, Response};

/// SourceMod's error code for a closed or invalid handle.
const FREED: u32 = 3;
/// SourceMod's error code for a handle of another type.
const OTHER_KIND: u32 = 2;

/// Object behind a handle.
pub enum Object {
    Config(Config),
    ConVar(String),
    /// Directory entries, and the index of the next one.
    Directory(Vec<String>, usize),
    Event(Event),
    File(OpenFile),
    Forward(Forward),
    Json(Json),
    List(List),
    Menu(Menu),
    Plugin,
    Request(Request),
    Response(Response),
    Timer,
}

pub struct Handles {
    open: BTreeMap<i32, Object>,
    next: i32,
    /// Peak number of open handles.
    pub most: usize,
}

impl Default for Handles {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            next: 0x5a00_0101,
            most: 0,
        }
    }
}

/// Generates the getters for the object of one type behind a handle.
macro_rules! kinds {
    ($($name:ident [$get:ident $($mutability:tt)?]: $kind:ident($type:ty), $called:literal;)+) => {
        impl Handles {
            $(
                pub fn $name(&$($mutability)? self, handle: i32) -> Result<&$($mutability)? $type, Fault> {
                    match self.open.$get(&handle) {
                        Some(Object::$kind(object)) => Ok(object),
                        other => wrong($called, handle, other.is_some()),
                    }
                }
            )+
        }
    };
}

kinds! {
    config [get]: Config(Config), "KeyValues";
    config_mut [get_mut mut]: Config(Config), "KeyValues";
    convar [get]: ConVar(String), "convar";
    event [get]: Event(Event), "game event";
    event_mut [get_mut mut]: Event(Event), "game event";
    file [get]: File(OpenFile), "file";
    file_mut [get_mut mut]: File(OpenFile), "file";
    forward [get]: Forward(Forward), "forward";
    forward_mut [get_mut mut]: Forward(Forward), "forward";
    json [get]: Json(Json), "JSON";
    list [get]: List(List), "array";
    list_mut [get_mut mut]: List(List), "array";
    menu [get]: Menu(Menu), "Menu";
    menu_mut [get_mut mut]: Menu(Menu), "Menu";
    request [get]: Request(Request), "HTTPRequest";
    request_mut [get_mut mut]: Request(Request), "HTTPRequest";
    response [get]: Response(Response), "HTTP response";
    response_mut [get_mut mut]: Response(Response), "HTTP response";
}

fn wrong<T>(called: &str, handle: i32, is_open: bool) -> Result<T, Fault> {
    let error = if is_open { OTHER_KIND } else { FREED };
    complain(format!(
        "Invalid {called} handle {handle:x} (error {error})"
    ))
}

impl Handles {
    pub fn add(&mut self, object: Object) -> i32 {
        let handle = self.next;
        self.next += 0x101;
        self.open.insert(handle, object);
        self.most = self.most.max(self.open.len());
        handle
    }

    /// Handle of a convar. A convar has only one handle.
    pub fn of_convar(&mut self, name: &str) -> i32 {
        let known = self.open.iter().find_map(|(handle, object)| {
            matches!(object, Object::ConVar(known) if known == name).then_some(*handle)
        });
        known.unwrap_or_else(|| self.add(Object::ConVar(name.to_owned())))
    }

    pub fn get(&self, handle: i32) -> Option<&Object> {
        self.open.get(&handle)
    }

    pub fn get_mut(&mut self, handle: i32) -> Option<&mut Object> {
        self.open.get_mut(&handle)
    }

    pub fn remove(&mut self, handle: i32) -> Option<Object> {
        self.open.remove(&handle)
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Handles that are unreachable: neither in a variable of the plugin nor in an object behind a reachable handle.
    pub fn leaked(&self, held: &HashSet<i32>) -> Vec<i32> {
        let mut inside = HashSet::new();
        for object in self.open.values() {
            if let Object::List(list) = object {
                inside.extend(list.cells.iter().copied());
            }
        }
        let are_theirs = |object: &Object| {
            matches!(
                object,
                Object::ConVar(_)
                    | Object::Plugin
                    | Object::Event(_)
                    | Object::Response(_)
                    | Object::Timer
            )
        };
        self.open
            .iter()
            .filter(|(handle, object)| {
                !are_theirs(object) && !held.contains(handle) && !inside.contains(handle)
            })
            .map(|(handle, _)| *handle)
            .collect()
    }

    /// Type name of the object behind a handle, for messages.
    pub fn describe(&self, handle: i32) -> &'static str {
        match self.open.get(&handle) {
            Some(Object::Config(_)) => "KeyValues",
            Some(Object::ConVar(_)) => "a convar",
            Some(Object::Directory(..)) => "a directory",
            Some(Object::Event(_)) => "an event",
            Some(Object::File(_)) => "a file",
            Some(Object::Forward(_)) => "a forward",
            Some(Object::Json(_)) => "JSON",
            Some(Object::List(_)) => "a list",
            Some(Object::Menu(_)) => "a menu",
            Some(Object::Plugin) => "a plugin",
            Some(Object::Request(_)) => "a request",
            Some(Object::Response(_)) => "a response",
            Some(Object::Timer) => "a timer",
            None => "nothing",
        }
    }
}

pub const NATIVES: Natives = &[
    ("CloseHandle", close),
    ("IsValidHandle", is_valid),
    ("CloneHandle", clone),
];

/// `delete null` has no effect, convars stay open, and closing a handle twice is an error.
fn close(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let handle = arguments[0];
    if handle == 0 {
        return Ok(0);
    }
    match plugin.host.handles.get(handle) {
        Some(Object::ConVar(_) | Object::Plugin | Object::Event(_) | Object::Response(_)) => Ok(0),
        Some(Object::Timer) => {
            plugin.kill_timer(handle);
            Ok(1)
        }
        Some(_) => {
            plugin.host.handles.remove(handle);
            Ok(1)
        }
        None => complain(format!("Handle {handle:x} is invalid (error {FREED})")),
    }
}

fn is_valid(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(plugin.host.handles.get(arguments[0]).is_some()))
}

/// Clones of JSON and of SourceMod lists share their content. The bed copies lists.
fn clone(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let handle = arguments[0];
    let handles = &mut plugin.host.handles;
    match handles.get(handle) {
        Some(Object::Json(json)) => {
            let object = Object::Json(json.clone());
            Ok(handles.add(object))
        }
        Some(_) => complain(format!(
            "the test bed does not clone {}",
            handles.describe(handle)
        )),
        None => complain(format!(
            "Handle {handle:x} cannot be cloned because it is invalid (error {FREED})"
        )),
    }
}
