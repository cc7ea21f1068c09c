//! Messages of plugins (`core/smn_halflife.cpp`, `core/logic/smn_console.cpp`, `Logger.cpp`).

use super::{DONE, Natives, Plugin, complain};
use crate::machine::{Answer, Fault};

/// Maximum bytes of a chat line, including colors.
const CHAT: usize = 254;

#[derive(Debug, Default)]
pub struct Console {
    /// SourceMod's logs; errors have the prefix `[ERROR]`.
    pub log: Vec<String>,
    /// Output of the server console.
    pub printed: Vec<String>,
    /// Lines that `LogAction` wrote.
    pub actions: Vec<String>,
}

impl Console {
    pub fn log(&mut self, line: String) {
        self.log.push(line);
    }

    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.log
            .iter()
            .filter_map(|line| line.strip_prefix("[ERROR] "))
    }
}

pub const NATIVES: Natives = &[
    ("PrintToServer", print_to_server),
    ("PrintToConsole", print_to_console),
    ("PrintToConsoleAll", print_to_all),
    ("PrintToChat", print_to_chat),
    ("PrintToChatAll", print_to_all),
    ("PrintHintText", print_to_chat),
    ("PrintCenterText", print_to_chat),
    ("PrintCenterTextAll", print_to_all),
    ("LogMessage", log),
    ("LogError", log_error),
    ("LogAction", log_action),
    ("ShowActivity", show_activity),
    ("ShowActivity2", show_activity_with_tag),
    ("ShowActivityEx", show_activity_with_tag),
    ("ServerCommand", server_command),
];

impl Plugin {
    /// Formats a text in the language of the client.
    fn format_for(&mut self, index: i32, arguments: &[i32], at: usize) -> Result<String, Fault> {
        self.host.phrases.target = index;
        self.format(arguments, at)
    }
}

fn print_to_server(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.phrases.target = super::phrases::SERVER;
    let text = plugin.format(arguments, 0)?;
    plugin.host.console.printed.push(text);
    DONE
}

fn print_to_console(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    if arguments[0] != 0 {
        plugin.in_game(arguments[0])?;
    }
    let text = plugin.format_for(arguments[0], arguments, 1)?;
    match arguments[0] {
        0 => plugin.host.console.printed.push(text),
        index => plugin.print_to(index, text),
    }
    DONE
}

/// Fails for clients who are not in the game.
fn print_to_chat(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.in_game(arguments[0])?;
    let text = plugin.format_for(arguments[0], arguments, 1)?;
    if text.len() > CHAT {
        return complain(format!(
            "a line of chat has {} bytes, of which {CHAT} are shown: {text}",
            text.len()
        ));
    }
    plugin.print_to(arguments[0], text);
    DONE
}

fn print_to_all(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let everybody = plugin
        .host
        .game
        .clients()
        .filter(|(_, client)| client.in_game)
        .map(|(index, _)| index);
    for index in everybody.collect::<Vec<i32>>() {
        let text = plugin.format_for(index, arguments, 0)?;
        plugin.print_to(index, text);
    }
    DONE
}

fn log(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.phrases.target = super::phrases::SERVER;
    let text = plugin.format(arguments, 0)?;
    plugin.host.console.log(text);
    DONE
}

fn log_error(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.phrases.target = super::phrases::SERVER;
    let text = plugin.format(arguments, 0)?;
    plugin.host.console.log(format!("[ERROR] {text}"));
    DONE
}

fn log_action(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.phrases.target = super::phrases::SERVER;
    let text = plugin.format(arguments, 2)?;
    plugin.host.console.actions.push(text);
    DONE
}

/// Announces an admin action to each client in the client's language.
fn activity(plugin: &mut Plugin, tag: &str, arguments: &[i32], at: usize) -> Answer {
    if arguments[0] != 0 {
        plugin.connected(arguments[0])?;
    }
    let everybody = plugin
        .host
        .game
        .clients()
        .filter(|(_, client)| client.in_game && !client.is_bot);
    for index in everybody.map(|(index, _)| index).collect::<Vec<i32>>() {
        let text = plugin.format_for(index, arguments, at)?;
        plugin.print_to(index, format!("{tag}ADMIN: {text}"));
    }
    DONE
}

fn show_activity(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    activity(plugin, "[SM] ", arguments, 1)
}

fn show_activity_with_tag(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let tag = plugin.text(arguments[1])?;
    activity(plugin, &tag, arguments, 2)
}

/// Runs a console command of the server; only convars are known.
fn server_command(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.format(arguments, 0)?;
    if let Some((name, value)) = text.split_once(' ')
        && plugin.host.convars.get(name).is_some()
    {
        plugin.set_convar(name, value.trim().trim_matches('"'))?;
    }
    plugin.host.console.printed.push(text);
    DONE
}
