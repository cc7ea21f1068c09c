//! SourceMod as far as the plugin uses it: a file a subject, in each what SourceMod does where it is used wrongly.
//! The rules were read in SourceMod's source, branch `1.11-dev`; the files there are named in the files here.

#![expect(
    clippy::unnecessary_wraps,
    reason = "natives have one shape, whether they can fail or not"
)]

pub mod admins;
pub mod arguments;
pub mod clients;
pub mod commands;
pub mod configs;
pub mod console;
pub mod convars;
pub mod entities;
pub mod events;
pub mod files;
pub mod format;
pub mod forwards;
pub mod handles;
pub mod lists;
pub mod numbers;
pub mod phrases;
pub mod plugins;
pub mod strings;
pub mod teams;
#[cfg(test)]
mod tests;
pub mod timers;
pub mod topmenus;

use std::collections::HashMap;

use crate::dice::Dice;
use crate::game::Game;
use crate::machine::{Answer, Fault, Machine, Native};
use crate::ripext;

/// The plugin, running in SourceMod.
pub type Plugin = Machine<SourceMod>;
/// A native of SourceMod or of an extension.
pub type PluginNative = Native<SourceMod>;
/// Natives with their names.
pub type Natives = &'static [(&'static str, PluginNative)];

/// What SourceMod knows of the plugin, and the game that both are in.
pub struct SourceMod {
    pub game: Game,
    pub handles: handles::Handles,
    pub convars: convars::ConVars,
    pub commands: commands::Commands,
    pub events: events::Events,
    pub forwards: forwards::Forwards,
    pub timers: timers::Timers,
    pub phrases: phrases::Phrases,
    pub top_menus: topmenus::TopMenus,
    pub plugins: plugins::Plugins,
    pub files: files::Files,
    pub requests: ripext::requests::Requests,
    pub console: console::Console,
    pub dice: Dice,
    /// What stopped callbacks since somebody looked.
    pub faults: Vec<Fault>,
    /// The most instructions that a call from outside has taken, and its name.
    pub longest_callback: (u64, String),
}

impl SourceMod {
    pub fn new(game: Game, files: files::Files, seed: u64) -> Self {
        Self {
            game,
            handles: handles::Handles::default(),
            convars: convars::ConVars::of_the_game(),
            commands: commands::Commands::default(),
            events: events::Events::default(),
            forwards: forwards::Forwards::default(),
            timers: timers::Timers::default(),
            phrases: phrases::Phrases::default(),
            top_menus: topmenus::TopMenus::default(),
            plugins: plugins::Plugins::default(),
            files,
            requests: ripext::requests::Requests::default(),
            console: console::Console::default(),
            dice: Dice::new(seed),
            faults: Vec::new(),
            longest_callback: (0, String::new()),
        }
    }
}

/// Every native that the bed has.
pub fn natives() -> HashMap<&'static str, PluginNative> {
    let all: [Natives; 24] = [
        admins::NATIVES,
        clients::NATIVES,
        commands::NATIVES,
        configs::NATIVES,
        console::NATIVES,
        convars::NATIVES,
        entities::NATIVES,
        events::NATIVES,
        files::NATIVES,
        forwards::NATIVES,
        handles::NATIVES,
        lists::NATIVES,
        numbers::NATIVES,
        numbers::FLOATS,
        phrases::NATIVES,
        plugins::NATIVES,
        plugins::CALLS,
        strings::NATIVES,
        teams::NATIVES,
        timers::NATIVES,
        topmenus::NATIVES,
        ripext::json::objects::NATIVES,
        ripext::json::arrays::NATIVES,
        ripext::requests::NATIVES,
    ];
    all.into_iter().flatten().copied().collect()
}

impl Plugin {
    /// Calls a function of the plugin, as SourceMod does for its own reasons: what goes wrong is logged, and
    /// `None` answered.
    pub fn call(&mut self, function: i32, arguments: &[i32]) -> Option<i32> {
        let (is_outermost, before) = (!self.runs(), self.instructions);
        let answer = self.invoke(function, arguments);
        let taken = self.instructions - before;
        if is_outermost && taken > self.host.longest_callback.0 {
            let name = self.image.public_name(function).to_owned();
            self.host.longest_callback = (taken, name);
        }
        match answer {
            Ok(answer) => Some(answer),
            Err(fault) => {
                self.host
                    .console
                    .log(format!("[SM] Exception reported: {fault}"));
                self.host.faults.push(fault);
                None
            }
        }
    }

    /// Calls a public function by its name, where the plugin has it.
    pub fn call_public(&mut self, name: &str, arguments: &[i32]) -> Option<i32> {
        let function = self.image.public(name)?;
        self.call(function, arguments)
    }

    /// Lends texts to the plugin for as long as `calling` runs.
    pub fn lending<T>(
        &mut self,
        texts: &[&str],
        calling: impl FnOnce(&mut Self, &[i32]) -> T,
    ) -> Result<T, Fault> {
        let heap = self.memory.heap;
        let mut lent = Vec::with_capacity(texts.len());
        for text in texts {
            let mut bytes = text.as_bytes().to_vec();
            bytes.push(0);
            lent.push(self.lend(&bytes)?);
        }
        let answer = calling(self, &lent);
        self.release(heap);
        Ok(answer)
    }
}

/// A native's own complaint, as SourceMod words it.
pub fn complain<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::error(message))
}

/// What natives that answer nothing answer.
pub const DONE: Answer = Ok(0);
