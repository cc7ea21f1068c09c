//! Votes in a menu (`core/MenuVoting.cpp`, `core/logic/smn_menus.cpp`), and in the game's own vote panel, as the plugin
//! NativeVotes shows them (`nativevotes.inc`).

use std::collections::BTreeMap;

use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::count;
use crate::sourcemod::handles::Object;
use crate::sourcemod::{DONE, Natives, Plugin, complain};

/// `MenuAction_Display`, `_End`, `_VoteEnd`, `_VoteStart`, `_VoteCancel` and `_DisplayItem`.
const DISPLAY: i32 = 1 << 1;
const END: i32 = 1 << 4;
const VOTE_END: i32 = 1 << 5;
const VOTE_START: i32 = 1 << 6;
const VOTE_CANCEL: i32 = 1 << 7;
const DISPLAY_ITEM: i32 = 1 << 9;
/// Reasons of `MenuAction_VoteCancel`: cancelled by a plugin, and ended without a vote.
const GENERIC: i32 = -1;
const NO_VOTES: i32 = -2;

#[derive(Clone, Debug, Default)]
pub struct Menu {
    handler: i32,
    actions: i32,
    title: String,
    /// Name and text of each item.
    items: Vec<(String, String)>,
}

/// The running vote. SourceMod has one vote at a time.
#[derive(Debug, Default)]
pub struct Votes {
    menu: i32,
    /// Item that each client chose; `None` for a client who has not voted.
    voters: BTreeMap<i32, Option<usize>>,
    ends_at: f64,
    /// Text that the plugin draws in place of an item's own.
    redrawn: Option<String>,
    /// Title that the plugin gives to the panel of the client who is shown the menu.
    retitled: Option<String>,
}

impl Votes {
    /// Handles that the running vote holds.
    pub fn held(&self) -> impl Iterator<Item = i32> {
        std::iter::once(self.menu)
    }
}

pub const NATIVES: Natives = &[
    ("Menu.Menu", create),
    ("Menu.SetTitle", set_title),
    ("Menu.AddItem", add_item),
    ("Menu.GetItem", get_item),
    ("Menu.ExitButton.set", |_, _| DONE),
    ("Menu.DisplayVote", display_vote),
    ("Panel.SetTitle", set_panel_title),
    ("RedrawMenuItem", redraw),
    ("IsVoteInProgress", |plugin, _| {
        Ok(i32::from(plugin.host.votes.menu != 0))
    }),
    ("NativeVotes_Create", create_native),
    ("NativeVotes_Close", |plugin, arguments| {
        plugin.host.handles.menu(arguments[0])?;
        plugin.host.handles.remove(arguments[0]);
        DONE
    }),
    ("NativeVotes_SetInitiator", |_, _| DONE),
    ("NativeVotes_IsVoteInProgress", |plugin, _| {
        Ok(i32::from(plugin.host.votes.menu != 0))
    }),
    ("NativeVotes_Display", display_vote),
    ("NativeVotes_DisplayPass", |plugin, _| {
        plugin.show_all("[vote] passed")
    }),
    ("NativeVotes_DisplayFail", |plugin, _| {
        plugin.show_all("[vote] failed")
    }),
    ("NativeVotes_Cancel", |plugin, _| {
        plugin.cancel_vote(GENERIC)?;
        DONE
    }),
    ("CancelVote", |plugin, _| {
        plugin.cancel_vote(GENERIC)?;
        DONE
    }),
];

impl Plugin {
    /// A client chooses an item of the running vote. Everybody's choice ends the vote.
    pub fn vote(&mut self, index: i32, item: usize) -> Result<(), Fault> {
        let voters = &mut self.host.votes.voters;
        if let Some(choice) = voters.get_mut(&index) {
            *choice = Some(item);
        }
        if !voters.is_empty() && voters.values().all(Option::is_some) {
            self.end_vote()?;
        }
        Ok(())
    }

    /// Ends the vote if its time is over.
    pub fn run_vote(&mut self, now: f64) -> Result<(), Fault> {
        if self.host.votes.menu != 0 && now >= self.host.votes.ends_at {
            self.end_vote()?;
        }
        Ok(())
    }

    fn end_vote(&mut self) -> Result<(), Fault> {
        let votes = &self.host.votes;
        let mut counts: BTreeMap<usize, i32> = BTreeMap::new();
        for item in votes.voters.values().flatten() {
            *counts.entry(*item).or_default() += 1;
        }
        let total: i32 = counts.values().sum();
        let Some((item, most)) = counts.into_iter().max_by_key(|(_, votes)| *votes) else {
            return self.cancel_vote(NO_VOTES);
        };
        self.finish_vote(VOTE_END, count(item), total << 16 | most)
    }

    fn cancel_vote(&mut self, reason: i32) -> Result<(), Fault> {
        if self.host.votes.menu == 0 {
            return complain("No vote is in progress");
        }
        self.finish_vote(VOTE_CANCEL, reason, 0)
    }

    fn finish_vote(&mut self, action: i32, first: i32, second: i32) -> Result<(), Fault> {
        let menu = std::mem::take(&mut self.host.votes).menu;
        let handler = self.host.handles.menu(menu)?.handler;
        self.call(handler, &[menu, action, first, second]);
        self.call(handler, &[menu, END, 0, 0]);
        Ok(())
    }

    fn show_all(&mut self, text: &str) -> Answer {
        let everybody: Vec<i32> = self.host.game.clients().map(|(index, _)| index).collect();
        for index in everybody {
            self.print_to(index, text.to_owned());
        }
        DONE
    }

    /// Shows the menu to a client, with the texts that the plugin gives for this client.
    fn show_vote(&mut self, menu: i32, index: i32) -> Result<(), Fault> {
        let shown = self.host.handles.menu(menu)?.clone();
        if shown.actions & DISPLAY != 0 {
            let panel = self.host.handles.add(Object::Plugin);
            self.call(shown.handler, &[menu, DISPLAY, index, panel]);
            self.host.handles.remove(panel);
        }
        let title = self.host.votes.retitled.take().unwrap_or(shown.title);
        self.print_to(index, format!("[menu] {title}"));
        for (place, (_, text)) in shown.items.into_iter().enumerate() {
            if shown.actions & DISPLAY_ITEM != 0 {
                self.call(shown.handler, &[menu, DISPLAY_ITEM, index, count(place)]);
            }
            let text = self.host.votes.redrawn.take().unwrap_or(text);
            self.print_to(index, format!("[menu] {}. {text}", place + 1));
        }
        Ok(())
    }
}

fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let menu = Menu {
        handler: arguments[0],
        actions: arguments[1],
        ..Menu::default()
    };
    Ok(plugin.host.handles.add(Object::Menu(menu)))
}

/// The items of a yes-no vote are NATIVEVOTES_VOTE_YES, which is 0, and NATIVEVOTES_VOTE_NO.
fn create_native(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let items = [("yes", "Yes"), ("no", "No")];
    let menu = Menu {
        handler: arguments[0],
        actions: arguments[2] & !(DISPLAY | DISPLAY_ITEM),
        title: format!("[type {}]", arguments[1]),
        items: items
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .to_vec(),
    };
    Ok(plugin.host.handles.add(Object::Menu(menu)))
}

fn set_title(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let title = plugin.format(arguments, 1)?;
    plugin.host.handles.menu_mut(arguments[0])?.title = title;
    DONE
}

fn add_item(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let item = (plugin.text(arguments[1])?, plugin.text(arguments[2])?);
    plugin.host.handles.menu_mut(arguments[0])?.items.push(item);
    Ok(1)
}

fn get_item(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let place = usize::try_from(arguments[1]).unwrap_or(usize::MAX);
    let item = plugin.host.handles.menu(arguments[0])?.items.get(place);
    let Some((name, _)) = item.cloned() else {
        return Ok(0);
    };
    plugin.write(arguments[2], arguments[3], &name)?;
    Ok(1)
}

fn display_vote(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [menu, clients, total, seconds] = arguments[..4] else {
        return complain("DisplayVote has four arguments");
    };
    if plugin.host.votes.menu != 0 {
        return complain("A vote is already in progress");
    }
    let clients = plugin.cells(clients, total)?;
    plugin.host.votes = Votes {
        menu,
        voters: clients.iter().map(|client| (*client, None)).collect(),
        ends_at: plugin.host.game.now() + f64::from(seconds),
        ..Votes::default()
    };
    let handler = plugin.host.handles.menu(menu)?.handler;
    plugin.call(handler, &[menu, VOTE_START, 0, 0]);
    for client in clients {
        plugin.show_vote(menu, client)?;
    }
    Ok(1)
}

fn set_panel_title(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.votes.retitled = Some(plugin.text(arguments[1])?);
    DONE
}

fn redraw(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.votes.redrawn = Some(plugin.text(arguments[0])?);
    Ok(1)
}
