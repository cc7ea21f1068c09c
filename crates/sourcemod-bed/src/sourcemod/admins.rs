//! Admin permissions (`core/logic/AdminCache.cpp`, `smn_admin.cpp`). A client's flags identify an admin.

use super::{Natives, Plugin};
use crate::machine::Answer;

/// `INVALID_ADMIN_ID`, the id of clients without admin rights.
const NOBODY: i32 = -1;

pub const NATIVES: Natives = &[
    ("GetUserFlagBits", flags),
    ("GetUserAdmin", admin),
    ("CanUserTarget", can_target),
    ("AdminId.ImmunityLevel.get", |_, _| Ok(0)),
];

fn flags(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(plugin.connected(arguments[0])?.flags)
}

fn admin(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let client = plugin.connected(arguments[0])?;
    Ok(if client.flags == 0 {
        NOBODY
    } else {
        client.user_id
    })
}

/// Players cannot target admins; the server can target every client.
fn can_target(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    if arguments[0] == 0 {
        return Ok(1);
    }
    let by = plugin.connected(arguments[0])?.flags;
    let target = plugin.connected(arguments[1])?.flags;
    Ok(i32::from(by >= target))
}
