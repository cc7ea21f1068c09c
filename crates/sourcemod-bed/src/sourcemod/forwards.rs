//! Forwards: events of the plugin that other plugins can hook (`core/logic/ForwardSys.cpp`, `smn_functions.cpp`).

use super::handles::Object;
use super::{Natives, Plugin, complain};
use crate::machine::{Answer, Fault};

/// Argument of a forward.
#[derive(Clone, Debug, PartialEq)]
pub enum Pushed {
    Cell(i32),
    /// Address of a variable of the plugin.
    Reference(i32),
    Text(String),
    Array(Vec<i32>),
}

/// Simulated listener. Returns its result, and may write to references.
pub type Listener = fn(&mut Plugin, &[Pushed]) -> i32;

#[derive(Clone, Debug)]
pub struct Forward {
    pub name: String,
    parameters: usize,
    /// The plugin's own functions that were added.
    functions: Vec<i32>,
}

/// All forwards, with the simulated listeners of other plugins.
#[derive(Default)]
pub struct Forwards {
    pub heard: Vec<(String, Vec<Pushed>)>,
    pub listeners: Vec<(String, Listener)>,
    pub known: Vec<String>,
}

pub const NATIVES: Natives = &[
    ("CreateGlobalForward", create_global),
    ("GlobalForward.GlobalForward", create_global),
    ("CreateForward", create_private),
    ("PrivateForward.PrivateForward", create_private),
    ("PrivateForward.AddFunction", add_function),
    ("GetForwardFunctionCount", listeners),
    ("GlobalForward.FunctionCount.get", listeners),
    ("PrivateForward.FunctionCount.get", listeners),
];

/// The parameter types are passed by reference, one cell each.
fn create_global(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.name(arguments[0])?;
    plugin.host.forwards.known.push(name.clone());
    let forward = Forward {
        name,
        parameters: arguments.len() - 2,
        functions: Vec::new(),
    };
    Ok(plugin.host.handles.add(Object::Forward(forward)))
}

fn create_private(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let forward = Forward {
        name: String::new(),
        parameters: arguments.len() - 1,
        functions: Vec::new(),
    };
    Ok(plugin.host.handles.add(Object::Forward(forward)))
}

fn add_function(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin
        .host
        .handles
        .forward_mut(arguments[0])?
        .functions
        .push(arguments[2]);
    Ok(1)
}

fn listeners(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let forward = plugin.host.handles.forward(arguments[0])?;
    let all = &plugin.host.forwards.listeners;
    let listening = all.iter().filter(|(name, _)| *name == forward.name).count();
    Ok(super::arguments::count(listening + forward.functions.len()))
}

impl Plugin {
    /// Calls all listeners. Returns their highest result.
    pub fn call_forward(&mut self, handle: i32, given: Vec<Pushed>) -> Result<i32, Fault> {
        let forward = self.host.handles.forward(handle)?.clone();
        if forward.parameters != given.len() {
            return complain(format!(
                "the forward {} has {} parameters and was given {}",
                forward.name,
                forward.parameters,
                given.len()
            ));
        }
        let listeners = self.host.forwards.listeners.iter();
        let listeners = listeners
            .filter(|(name, _)| *name == forward.name)
            .map(|(_, listener)| *listener);
        let listeners: Vec<Listener> = listeners.collect();
        let mut highest = 0;
        for listener in listeners {
            highest = highest.max(listener(self, &given));
        }
        let heap = self.memory.heap;
        let lent = self.lend_pushed(&given)?;
        for function in forward.functions {
            highest = highest.max(self.call(function, &lent).unwrap_or(0));
        }
        self.release(heap);
        self.host.forwards.heard.push((forward.name, given));
        Ok(highest)
    }

    /// Puts the arguments where a function finds them.
    pub fn lend_pushed(&mut self, given: &[Pushed]) -> Result<Vec<i32>, Fault> {
        given
            .iter()
            .map(|given| match given {
                Pushed::Cell(cell) | Pushed::Reference(cell) => Ok(*cell),
                Pushed::Text(text) => {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes.push(0);
                    self.lend(&bytes)
                }
                Pushed::Array(cells) => {
                    let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
                    self.lend(&bytes)
                }
            })
            .collect()
    }
}
