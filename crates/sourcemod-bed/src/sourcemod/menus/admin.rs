//! The admin menu, if it is loaded (`plugins/adminmenu.sp`, the extension TopMenus).

use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::count;
use crate::sourcemod::handles::Object;
use crate::sourcemod::{Natives, Plugin, complain};

/// `TopMenuAction_DisplayOption`, `_DisplayTitle` and `_SelectOption`.
const OPTION: i32 = 0;
const TITLE: i32 = 1;
const SELECT: i32 = 2;

/// A menu entry; its object id is its index plus one.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    handler: i32,
    info: String,
    pub command: String,
}

/// The admin menu. Its handle does not belong to the plugin.
#[derive(Debug, Default)]
pub struct TopMenus {
    pub entries: Vec<Entry>,
    handle: i32,
}

pub const NATIVES: Natives = &[
    ("GetAdminTopMenu", menu),
    ("TopMenu.FromHandle", |_, arguments| Ok(arguments[0])),
    ("TopMenu.AddCategory", add_category),
    ("TopMenu.AddItem", add_item),
    ("TopMenu.GetInfoString", info),
    ("TopMenu.GetObjName", name),
];

impl Plugin {
    /// Loads the admin menu.
    pub fn open_admin_menu(&mut self) -> Result<i32, Fault> {
        self.host.plugins.libraries.insert("adminmenu".to_owned());
        let handle = menu(self, &[])?;
        self.call_public("OnAdminMenuReady", &[handle]);
        Ok(handle)
    }

    /// Texts that an entry shows to a client: as a menu item, and as the title of its own menu.
    pub fn top_menu_text(&mut self, place: usize, index: i32) -> Result<[String; 2], Fault> {
        let mut texts = [String::new(), String::new()];
        for (text, action) in texts.iter_mut().zip([OPTION, TITLE]) {
            *text = self.top_menu_does(place, action, index)?;
        }
        Ok(texts)
    }

    pub fn choose_top_menu(&mut self, place: usize, index: i32) -> Result<(), Fault> {
        self.top_menu_does(place, SELECT, index).map(drop)
    }

    fn top_menu_does(&mut self, place: usize, action: i32, index: i32) -> Result<String, Fault> {
        let menu = self.host.top_menus.handle;
        let handler = self.host.top_menus.entries[place].handler;
        let room = " ".repeat(127);
        self.lending(&[&room], |plugin, texts| {
            plugin.memory.write_text(texts[0], 128, b"")?;
            plugin.call(
                handler,
                &[menu, action, count(place) + 1, index, texts[0], 128],
            );
            plugin.text(texts[0])
        })?
    }
}

fn menu(plugin: &mut Plugin, _: &[i32]) -> Answer {
    if !plugin.host.plugins.libraries.contains("adminmenu") {
        return Ok(0);
    }
    if plugin.host.top_menus.handle == 0 {
        plugin.host.top_menus.handle = plugin.host.handles.add(Object::Plugin);
    }
    Ok(plugin.host.top_menus.handle)
}

fn add(plugin: &mut Plugin, name: i32, handler: i32, command: i32, info: i32) -> Answer {
    let entry = Entry {
        name: plugin.name(name)?,
        handler,
        command: plugin.text(command)?,
        info: plugin.text(info)?,
    };
    if plugin
        .host
        .top_menus
        .entries
        .iter()
        .any(|known| known.name == entry.name)
    {
        return Ok(0);
    }
    plugin.host.top_menus.entries.push(entry);
    Ok(count(plugin.host.top_menus.entries.len()))
}

fn add_category(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    add(
        plugin,
        arguments[1],
        arguments[2],
        arguments[3],
        arguments[5],
    )
}

fn add_item(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    add(
        plugin,
        arguments[1],
        arguments[2],
        arguments[4],
        arguments[6],
    )
}

fn entry(plugin: &Plugin, number: i32) -> Result<Entry, Fault> {
    let place = usize::try_from(number - 1).ok();
    let entry = place.and_then(|place| plugin.host.top_menus.entries.get(place));
    entry
        .cloned()
        .map_or_else(|| complain(format!("Menu object {number} is invalid")), Ok)
}

fn info(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let info = entry(plugin, arguments[1])?.info;
    plugin.write(arguments[2], arguments[3], &info)
}

fn name(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = entry(plugin, arguments[1])?.name;
    plugin.write(arguments[2], arguments[3], &name)
}
