//! Commands (`core/ConCmdManager.cpp`, `ChatTriggers.cpp`, `smn_commandfilters.cpp` in `core/logic`).

use super::arguments::count;
use super::{DONE, Natives, Plugin, complain};
use crate::machine::{Answer, Fault};

/// Callback result that hides the command from the game.
const HANDLED: i32 = 3;
/// Flag of the root admin.
const ROOT: i32 = 1 << 14;

#[derive(Clone, Debug)]
pub struct Command {
    pub name: String,
    function: i32,
    pub flags: i32,
    pub text: String,
    server_only: bool,
}

#[derive(Debug, Default)]
pub struct Commands {
    pub all: Vec<Command>,
    listeners: Vec<(String, i32)>,
    /// Words of the running command, starting with its name.
    words: Vec<String>,
    /// Unparsed text after the name of the command.
    rest: String,
    /// `true` if replies go to chat.
    to_chat: bool,
    /// Overrides of admins.cfg: the flag bits required for a command, in place of the plugin's.
    pub overrides: std::collections::BTreeMap<String, i32>,
    /// Commands that clients were forced to run.
    pub sent: Vec<(i32, String)>,
}

impl Plugin {
    /// Runs a command of a client, or of the server if `index` is 0. Returns `true` if the game still sees the command.
    pub fn command(&mut self, index: i32, line: &str) -> Result<bool, Fault> {
        let words = words(line);
        let Some(name) = words.first().map(|name| name.to_ascii_lowercase()) else {
            return Ok(true);
        };
        let rest = line
            .split_once(char::is_whitespace)
            .map_or("", |(_, rest)| rest)
            .trim_start()
            .to_owned();
        let commands = &mut self.host.commands;
        let outer = (
            std::mem::replace(&mut commands.words, words),
            std::mem::replace(&mut commands.rest, rest),
        );
        let passes = self.dispatch_command(index, &name);
        let commands = &mut self.host.commands;
        (commands.words, commands.rest) = outer;
        passes
    }

    fn dispatch_command(&mut self, index: i32, name: &str) -> Result<bool, Fault> {
        let total = count(self.host.commands.words.len()) - 1;
        if index != 0 {
            let listening = self
                .host
                .commands
                .listeners
                .iter()
                .filter(|(command, _)| command.is_empty() || command == name);
            for function in listening
                .map(|(_, function)| *function)
                .collect::<Vec<i32>>()
            {
                let answer = self.lending(&[name], |plugin, texts| {
                    plugin.call(function, &[index, texts[0], total])
                })?;
                if answer.is_some_and(|answer| answer >= HANDLED) {
                    return Ok(false);
                }
            }
        }
        let all = self
            .host
            .commands
            .all
            .iter()
            .filter(|command| command.name == name);
        for command in all.cloned().collect::<Vec<Command>>() {
            if command.server_only && index != 0 {
                continue;
            }
            if !self.may_use(index, &command.name, command.flags) {
                self.reply(index, "You do not have access to this command".to_owned());
                return Ok(false);
            }
            let arguments = if command.server_only {
                vec![total]
            } else {
                vec![index, total]
            };
            if self
                .call(command.function, &arguments)
                .is_none_or(|answer| answer >= HANDLED)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Handles a chat message: `!name` and `/name` are commands, and chat listeners are called.
    pub fn say(&mut self, index: i32, text: &str) -> Result<(), Fault> {
        if let Some(command) = text.strip_prefix(['!', '/']) {
            let name = words(command)
                .first()
                .cloned()
                .unwrap_or_default()
                .to_ascii_lowercase();
            let known = |name: &str| {
                self.host
                    .commands
                    .all
                    .iter()
                    .any(|command| command.name == name)
            };
            let line = if known(&name) {
                Some(command.to_owned())
            } else if known(&format!("sm_{name}")) {
                Some(format!("sm_{command}"))
            } else {
                None
            };
            if let Some(line) = line {
                self.host.commands.to_chat = true;
                let done = self.command(index, &line);
                self.host.commands.to_chat = false;
                done?;
            }
        }
        let listeners = ["OnClientSayCommand", "OnClientSayCommand_Post"];
        for listener in listeners {
            self.lending(&["say", text], |plugin, texts| {
                plugin.call_public(listener, &[index, texts[0], texts[1]])
            })?;
        }
        self.command(index, &format!("say \"{text}\""))?;
        Ok(())
    }

    /// `true` if the client may use the command. The server may use every command.
    pub fn may_use(&self, index: i32, name: &str, flags: i32) -> bool {
        let flags = self
            .host
            .commands
            .overrides
            .get(name)
            .copied()
            .unwrap_or(flags);
        let Some(client) = self.host.game.client(index) else {
            return index == 0;
        };
        flags == 0 || client.flags & ROOT != 0 || client.flags & flags == flags
    }

    fn reply(&mut self, index: i32, text: String) {
        match index {
            0 => self.host.console.printed.push(text),
            index => self.print_to(index, text),
        }
    }
}

/// Splits a line into words; quotes group words.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"').unwrap_or((quoted, ""))
        } else {
            let ends = |letter: char| letter.is_whitespace() || letter == '"';
            rest.split_at(rest.find(ends).unwrap_or(rest.len()))
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

pub const NATIVES: Natives = &[
    ("RegConsoleCmd", register),
    ("RegAdminCmd", register_admin),
    ("RegServerCmd", register_server),
    ("AddCommandListener", listen),
    ("RemoveCommandListener", stop_listening),
    ("GetCmdArgs", word_count),
    ("GetCmdArg", word),
    ("GetCmdArgString", rest),
    ("GetCmdReplySource", |plugin, _| {
        Ok(i32::from(plugin.host.commands.to_chat))
    }),
    ("SetCmdReplySource", set_reply_source),
    ("IsChatTrigger", |plugin, _| {
        Ok(i32::from(plugin.host.commands.to_chat))
    }),
    ("ReplyToCommand", reply),
    ("CheckCommandAccess", check_access),
    ("GetCommandOverride", get_override),
    ("CommandExists", exists),
    ("FakeClientCommand", client_command),
    ("FakeClientCommandEx", client_command),
    ("ClientCommand", client_command),
    ("ProcessTargetString", find_targets),
];

fn add(plugin: &mut Plugin, arguments: &[i32], flags: i32, text: i32, server_only: bool) -> Answer {
    let command = Command {
        name: plugin.name(arguments[0])?.to_ascii_lowercase(),
        function: arguments[1],
        flags,
        text: plugin.text(text)?,
        server_only,
    };
    plugin.host.commands.all.push(command);
    DONE
}

fn register(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    add(plugin, arguments, 0, arguments[2], false)
}

fn register_admin(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    add(plugin, arguments, arguments[2], arguments[3], false)
}

fn register_server(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    add(plugin, arguments, 0, arguments[2], true)
}

fn listen(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[1])?.to_ascii_lowercase();
    plugin.host.commands.listeners.push((name, arguments[0]));
    Ok(1)
}

fn stop_listening(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[1])?.to_ascii_lowercase();
    let listeners = &mut plugin.host.commands.listeners;
    let place = listeners
        .iter()
        .position(|listener| *listener == (name.clone(), arguments[0]));
    let Some(place) = place else {
        return complain("No matching callback was registered");
    };
    listeners.remove(place);
    DONE
}

fn word_count(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(count(plugin.host.commands.words.len().saturating_sub(1)))
}

/// Returns an empty text if there are too few words.
fn word(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let place = usize::try_from(arguments[0]).unwrap_or(usize::MAX);
    let word = plugin
        .host
        .commands
        .words
        .get(place)
        .cloned()
        .unwrap_or_default();
    plugin.write(arguments[1], arguments[2], &word)
}

fn rest(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let rest = plugin.host.commands.rest.clone();
    plugin.write(arguments[0], arguments[1], &rest)
}

fn set_reply_source(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let before = std::mem::replace(&mut plugin.host.commands.to_chat, arguments[0] == 1);
    Ok(i32::from(before))
}

fn reply(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let index = arguments[0];
    if index != 0 {
        plugin.connected(index)?;
    }
    plugin.host.phrases.target = index;
    let text = plugin.format(arguments, 1)?;
    plugin.reply(index, text);
    DONE
}

fn check_access(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (index, name) = (arguments[0], plugin.text(arguments[1])?);
    if index != 0 {
        plugin.connected(index)?;
    }
    let known = plugin
        .host
        .commands
        .all
        .iter()
        .find(|command| command.name == name);
    let only_override = arguments.get(3).is_some_and(|only| *only != 0);
    let flags = known
        .filter(|_| !only_override)
        .map_or(arguments[2], |command| command.flags);
    Ok(i32::from(plugin.may_use(index, &name, flags)))
}

/// Writes the flags of an override. Returns `false` if there is no such override.
fn get_override(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    let Some(flags) = plugin.host.commands.overrides.get(&name).copied() else {
        return Ok(0);
    };
    plugin.memory.store(arguments[2], flags)?;
    Ok(1)
}

fn exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[0])?;
    Ok(i32::from(
        plugin
            .host
            .commands
            .all
            .iter()
            .any(|command| command.name == name),
    ))
}

/// Runs the command immediately. Of the game's own commands, only the choices of a team and a class have an effect.
fn client_command(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let index = arguments[0];
    plugin.in_game(index)?;
    let line = plugin.format(arguments, 1)?;
    plugin.host.commands.sent.push((index, line.clone()));
    plugin.client_does(index, &line)?;
    DONE
}

/// Finds a client by name, by a part of the name, or by `#` and the user id. Returns a negative error code if there is
/// none.
fn find_targets(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [pattern, admin, targets, most, flags, name, size, is_phrase] = arguments[..8] else {
        return complain("ProcessTargetString has eight arguments");
    };
    let pattern = plugin.text(pattern)?.to_lowercase();
    let in_game = plugin
        .host
        .game
        .clients()
        .filter(|(_, client)| client.in_game);
    let found = in_game.filter(|(index, client)| match pattern.strip_prefix('#') {
        Some(number) => client.user_id.to_string() == number,
        None if pattern == "@me" => *index == admin,
        None => client.name.to_lowercase().contains(&pattern),
    });
    let found: Vec<(i32, bool, String)> = found
        .map(|(index, client)| (index, client.is_bot, client.name.clone()))
        .collect();
    // COMMAND_TARGET_NONE, _AMBIGUOUS and _NOT_HUMAN; COMMAND_FILTER_NO_BOTS is 16.
    let [(index, is_bot, found_name)] = found.as_slice() else {
        return Ok(if found.is_empty() { 0 } else { -5 });
    };
    if *is_bot && flags & 16 != 0 {
        return Ok(-4);
    }
    if most > 0 {
        plugin.memory.store(targets, *index)?;
    }
    plugin.write(name, size, found_name)?;
    plugin.memory.store(is_phrase, 0)?;
    Ok(1)
}
