//! A virtual machine for compiled SourcePawn with the behavior of SourceMod's own. A fault stops the callback, with the
//! function, file and line.
//!
//! The rules follow SourcePawn's `vm/interpreter.cpp` and `vm/plugin-context.cpp`, branch `1.11-dev`.

mod image;
mod memory;
mod opcode;
mod step;
#[cfg(test)]
mod tests;

pub use image::Image;
pub use memory::{CELL, Memory};

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Instruction limit of a callback, above any legitimate use. SourcePawn's watchdog stops a plugin after some seconds.
const MAX_INSTRUCTIONS: u64 = 20_000_000;
/// Free stack that a call from outside requires.
const CALLERS_MARGIN: i32 = 16 * CELL;

/// Fault that stopped a callback: SourceMod's log message, and the location.
#[derive(Clone, Debug)]
pub struct Fault {
    pub message: String,
    /// Call stack, innermost function first.
    pub trace: Vec<String>,
}

impl Fault {
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            trace: Vec::new(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.message)?;
        for place in &self.trace {
            write!(to, "\n    at {place}")?;
        }
        Ok(())
    }
}

pub type Answer = Result<i32, Fault>;
/// A native function of the host. The arguments are in the order in which the plugin pushed them.
pub type Native<H> = fn(&mut Machine<H>, &[i32]) -> Answer;

/// A running plugin, in a host that provides its natives.
pub struct Machine<H> {
    pub image: Arc<Image>,
    pub memory: Memory,
    pub host: H,
    /// Number of instructions executed so far.
    pub instructions: u64,
    natives: Vec<Option<Native<H>>>,
    primary: i32,
    alternate: i32,
    /// Return addresses. Calls from outside separate them.
    returns: Vec<usize>,
    /// Byte address of the current instruction.
    at: usize,
    stop_at: u64,
    depth: usize,
}

impl<H> Machine<H> {
    pub fn new(image: Arc<Image>, natives: &HashMap<&str, Native<H>>, host: H) -> Self {
        let found = image.natives.iter();
        let found = found.map(|name| natives.get(name.as_str()).copied());
        Self {
            memory: Memory::new(&image.data, image.memory),
            natives: found.collect(),
            host,
            instructions: 0,
            primary: 0,
            alternate: 0,
            returns: Vec::new(),
            at: 0,
            stop_at: 0,
            depth: 0,
            image,
        }
    }

    /// Natives that the plugin uses and the host lacks.
    pub fn unknown_natives(&self) -> Vec<&str> {
        let all = self.image.natives.iter().zip(&self.natives);
        let unknown = all.filter(|(_, native)| native.is_none());
        unknown.map(|(name, _)| name.as_str()).collect()
    }

    /// `true` while a function runs, so that a call from outside comes from a native of that function.
    pub fn runs(&self) -> bool {
        self.depth > 0
    }

    /// Calls a function by its id. A fault ends this call only.
    pub fn invoke(&mut self, function: i32, arguments: &[i32]) -> Answer {
        let place = usize::try_from(function >> 1).ok();
        let place = place.filter(|_| function & 1 == 1);
        let entry = place.and_then(|place| self.image.publics.get(place));
        let Some((_, address)) = entry else {
            return Err(Fault::error(format!("There is no function {function}")));
        };
        let address = *address;
        let count = i32::try_from(arguments.len()).expect("few arguments");
        let memory = &mut self.memory;
        if memory.heap + CALLERS_MARGIN > memory.stack - CELL * (count + 1) {
            return Err(Fault::error("Not enough space on the stack"));
        }
        let saved = (memory.stack, memory.heap, memory.frame, memory.scope);
        let registers = (self.primary, self.alternate, self.at);
        let outer = self.returns.len();
        if self.depth == 0 {
            self.stop_at = self.instructions + MAX_INSTRUCTIONS;
        }
        self.depth += 1;
        let mut answer = self.push_all(arguments);
        if answer.is_ok() {
            answer = self.run(address);
        }
        if let Err(fault) = &mut answer {
            self.add_trace(fault, outer);
        }
        self.depth -= 1;
        self.returns.truncate(outer);
        let memory = &mut self.memory;
        (memory.stack, memory.heap, memory.frame, memory.scope) = saved;
        (self.primary, self.alternate, self.at) = registers;
        answer
    }

    /// Puts bytes on the heap during a call from outside. `release` frees them.
    pub fn lend(&mut self, bytes: &[u8]) -> Result<i32, Fault> {
        let room = i32::try_from(bytes.len().next_multiple_of(4)).expect("less than the memory");
        let address = self.memory.move_heap(room)?;
        self.memory
            .bytes_mut(address, bytes.len())?
            .copy_from_slice(bytes);
        Ok(address)
    }

    /// Frees all memory lent since the heap ended at `heap`.
    pub fn release(&mut self, heap: i32) {
        self.memory.heap = heap;
    }

    fn push_all(&mut self, arguments: &[i32]) -> Answer {
        for argument in arguments.iter().rev() {
            self.memory.push(*argument)?;
        }
        let count = i32::try_from(arguments.len()).expect("few arguments");
        self.memory.push(count)?;
        Ok(count)
    }

    fn add_trace(&self, fault: &mut Fault, outer: usize) {
        if !fault.trace.is_empty() {
            return;
        }
        fault.trace.push(self.image.place(self.at));
        let callers = self.returns[outer..].iter().rev();
        // A return address follows its call.
        fault
            .trace
            .extend(callers.map(|at| self.image.place(at - 4)));
    }

    /// Calls a native whose arguments and argument count are on the stack.
    fn call_native(&mut self, number: i32) -> Result<(), Fault> {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let native = self.natives.get(place).copied().flatten();
        let Some(native) = native else {
            let name = self.image.natives.get(place);
            return Err(Fault::error(match name {
                Some(name) => format!(
                    "the test bed has no native {name}; tests/it/plugin/natives is where it belongs"
                ),
                None => format!("there is no native {number}"),
            }));
        };
        let (stack, heap) = (self.memory.stack, self.memory.heap);
        let count = self.memory.load(stack)?;
        let mut arguments = [0; 32];
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let arguments = arguments.get_mut(..count);
        let arguments = arguments.ok_or_else(|| Fault::error("More than 32 arguments"))?;
        for (place, argument) in (1..).zip(arguments.iter_mut()) {
            *argument = self.memory.load(stack + place * CELL)?;
        }
        self.primary = native(self, arguments)?;
        self.memory.stack = stack;
        self.memory.heap = heap;
        Ok(())
    }
}
