//! The parts of SourceMod that the plugin uses, one file per subject, including the behavior on misuse. The rules
//! follow SourceMod's source, branch `1.11-dev`; each file names the source files.

#![expect(
    clippy::unnecessary_wraps,
    reason = "natives have one signature, even if they cannot fail"
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
pub mod forwards;
pub mod handles;
pub mod menus;
pub mod phrases;
pub mod plugins;
pub mod teams;
#[cfg(test)]
mod tests;
pub mod timers;
pub mod values;

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

/// State of SourceMod for the plugin, and of the game.
pub struct SourceMod {
    pub game: Game,
    pub handles: handles::Handles,
    pub convars: convars::ConVars,
    pub commands: commands::Commands,
    pub events: events::Events,
    pub forwards: forwards::Forwards,
    pub timers: timers::Timers,
    pub phrases: phrases::Phrases,
    pub top_menus: menus::admin::TopMenus,
    pub votes: menus::votes::Votes,
    pub plugins: plugins::Plugins,
    pub files: files::Files,
    pub requests: ripext::requests::Requests,
    pub console: console::Console,
    pub dice: Dice,
    /// Number that `SetVariantInt` has set for the next input of an entity.
    pub variant: i32,
    /// Faults that stopped callbacks since the last check.
    pub faults: Vec<Fault>,
    /// Maximum number of instructions of a call from outside, and the name of the function.
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
            top_menus: menus::admin::TopMenus::default(),
            votes: menus::votes::Votes::default(),
            plugins: plugins::Plugins::default(),
            files,
            requests: ripext::requests::Requests::default(),
            console: console::Console::default(),
            dice: Dice::new(seed),
            variant: 0,
            faults: Vec::new(),
            longest_callback: (0, String::new()),
        }
    }
}

/// All natives of the bed.
pub fn natives() -> HashMap<&'static str, PluginNative> {
    let all: [Natives; 25] = [
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
        values::lists::NATIVES,
        values::numbers::NATIVES,
        values::numbers::FLOATS,
        phrases::NATIVES,
        plugins::NATIVES,
        plugins::CALLS,
        values::strings::NATIVES,
        teams::NATIVES,
        timers::NATIVES,
        menus::admin::NATIVES,
        menus::votes::NATIVES,
        ripext::json::objects::NATIVES,
        ripext::json::arrays::NATIVES,
        ripext::requests::NATIVES,
    ];
    all.into_iter().flatten().copied().collect()
}

impl Plugin {
    /// Calls a function of the plugin. Logs a fault, and returns `None` then.
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

    /// Calls a public function by name, if the plugin has it.
    pub fn call_public(&mut self, name: &str, arguments: &[i32]) -> Option<i32> {
        let function = self.image.public(name)?;
        self.call(function, arguments)
    }

    /// Lends texts to the plugin while `calling` runs.
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

/// A native's own error, in SourceMod's wording.
pub fn complain<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::error(message))
}

/// Result of natives without a return value.
pub const DONE: Answer = Ok(0);
