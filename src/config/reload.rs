//! Reload of the settings that can change while the service runs.

use std::collections::BTreeSet;

use super::effective::EffectiveSetting;
use crate::domain::PoolName;

/// Result of a reload: the settings in force, and the names of changed settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reloaded {
    /// All settings in force after the reload, sorted by name.
    pub in_force: Vec<EffectiveSetting>,
    /// Names of the changed settings that took effect, sorted.
    pub taken: Vec<String>,
    /// Names of the changed settings that take effect after a restart, sorted.
    pub restart: Vec<String>,
}

/// Replaces the settings in force by newly read settings, except for settings that need a restart.
#[must_use]
pub fn reload(in_force: &[EffectiveSetting], read: &[EffectiveSetting]) -> Reloaded {
    let (running, wanted) = (pools(in_force), pools(read));
    let names: BTreeSet<&String> = in_force
        .iter()
        .chain(read)
        .map(|setting| &setting.setting)
        .collect();
    let mut reloaded = Reloaded::default();
    for name in names {
        let (old, new) = (find(in_force, name), find(read, name));
        let is_same = old.map(|old| &old.value) == new.map(|new| &new.value);
        let waits = [old, new].into_iter().flatten().any(|setting| {
            let pool = setting.pool.as_ref();
            setting.restart
                || pool.is_some_and(|pool| !(running.contains(pool) && wanted.contains(pool)))
        });
        let holds = if is_same || !waits { new } else { old };
        reloaded.in_force.extend(holds.cloned());
        match (is_same, waits) {
            (true, _) => {}
            (false, false) => reloaded.taken.push(name.clone()),
            (false, true) => reloaded.restart.push(name.clone()),
        }
    }
    reloaded
}

fn find<'all>(settings: &'all [EffectiveSetting], name: &str) -> Option<&'all EffectiveSetting> {
    settings.iter().find(|setting| setting.setting == name)
}

/// Returns every configured pool. The settings contain the Θ of each pool.
fn pools(settings: &[EffectiveSetting]) -> BTreeSet<&PoolName> {
    let own = settings.iter().filter(|setting| setting.restart);
    own.filter_map(|setting| setting.pool.as_ref()).collect()
}

/// Returns `true` if a change of the setting `name` needs a restart. `pool` is the pool whose table has the setting.
pub(super) fn takes_restart(name: &str, pool: Option<&PoolName>) -> bool {
    const AT_START: [&str; 6] = [
        "backup_folder",
        "bind",
        "database_url",
        "log",
        "request_timeout",
        "solver_memory",
    ];
    const WHILE_RUNNING: [&str; 8] = [
        "balance.",
        "leaderboard.",
        "matchmaking.",
        "powers.",
        "scoreboard.",
        "season.",
        "splits.",
        "webhook.",
    ];
    if let Some(pool) = pool {
        let own = name.strip_prefix(&format!("pools.{pool}."));
        return own.is_some_and(|own| !WHILE_RUNNING.iter().any(|table| own.starts_with(table)));
    }
    AT_START.contains(&name)
        || name.starts_with("rating.")
        || (name.starts_with("servers.") && name.ends_with(".max_team_size"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::{Flags, effective_settings};

    fn settings(text: &str) -> Vec<EffectiveSetting> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rbs.toml");
        std::fs::write(&path, text).unwrap();
        let flags = Flags {
            config: Some(path),
            ..Flags::default()
        };
        effective_settings(&flags, |_| None).unwrap().1
    }

    #[test]
    fn what_ratings_and_the_start_hang_on_waits_for_a_restart() {
        let before = settings("[pools.arena]\ntheta = 1000\n[servers.a]\nmax_team_size = 6\n");
        let after = settings(
            "requests_per_second = 5\nbind = \"127.0.0.1:1\"\n[rating]\nwindow = 100\n[balance]\npolicy = \"ns2\"\n\
             [pools.arena]\ntheta = 900\n[pools.arena.balance]\npolicy = \"ns2\"\n[pools.new.balance]\npolicy = \"ns2\"\n\
             [servers.a]\nmax_team_size = 7\n[servers.b]\npool = \"arena\"\n[servers.c]\npool = \"new\"\n",
        );
        let reloaded = reload(&before, &after);
        assert_eq!(
            reloaded.taken,
            [
                "balance.policy",
                "pools.arena.balance.policy",
                "requests_per_second",
                "servers.b.pool"
            ]
        );
        assert_eq!(
            reloaded.restart,
            [
                "bind",
                "pools.arena.theta",
                "pools.default.theta",
                "pools.new.balance.policy",
                "pools.new.theta",
                "rating.window",
                "servers.a.max_team_size",
                "servers.c.pool"
            ]
        );
        let in_force = |name| find(&reloaded.in_force, name).map(|setting| setting.value.clone());
        assert_eq!(in_force("rating.window"), Some(json!(500)));
        assert_eq!(in_force("requests_per_second"), Some(json!(5)));
        assert_eq!(in_force("pools.new.theta"), None);
        // A pending change stays pending, and is withdrawn once its old value is read again.
        let again = reload(&reloaded.in_force, &after);
        assert_eq!((again.taken.len(), again.restart), (0, reloaded.restart));
        assert!(reload(&reloaded.in_force, &before).restart.is_empty());
    }
}
