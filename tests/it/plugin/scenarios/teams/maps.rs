//! Maps, modes and matches in which the plugin leaves teams and the game's own balance alone.

use super::super::triggers::{due, server};
use super::super::{MAPS, reports};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_games_own_settings_are_0_only_where_the_plugin_acts,
    a_setting_that_is_changed_back_is_noticed,
    the_name_of_a_map_may_be_a_prefix,
    very_uneven_rounds_are_neither_rated_nor_scrambled_and_others_are,
];

const GAME: [&str; 4] = [
    "mp_autoteambalance",
    "mp_scrambleteams_auto",
    "sv_vote_issue_scramble_teams_allowed",
    "tf_arena_max_streak",
];

fn values(bed: &Bed) -> [String; 4] {
    GAME.map(|name| bed.value(name).to_owned())
}

async fn the_games_own_settings_are_0_only_where_the_plugin_acts(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    let own = ["1", "1", "1", "3"];
    assert_eq!(values(&bed), ["0"; 4]);
    bed.change_map(Mode::Arena).await;
    assert_eq!(bed.logged("is set from"), 4, "it is logged once");
    for (convar, off, on) in [
        ("mp_tournament", "1", "0"),
        ("rbs_enabled", "0", "1"),
        ("rbs_dry_run", "1", "0"),
    ] {
        bed.set(convar, off);
        assert_eq!(values(&bed), own, "{convar} {off}");
        bed.set(convar, on);
        assert_eq!(values(&bed), ["0"; 4], "{convar} {on}");
    }
    bed.change_map(Mode::Mvm).await;
    assert_eq!(values(&bed), own, "Mann vs. Machine");
    bed.change_map(Mode::Koth).await;
    assert_eq!(values(&bed), ["0"; 4]);
    bed.write_file(MAPS, r#""Maps" { "koth_*" { "rbs_scramble" "0" } }"#);
    bed.change_map(Mode::Koth).await;
    assert_eq!(
        bed.value("mp_scrambleteams_auto"),
        "1",
        "the map's own rule"
    );
    bed.write_file(MAPS, r#""Maps" { "koth_*" { "off" "1" } }"#);
    bed.change_map(Mode::Koth).await;
    assert_eq!(values(&bed), own, "a map that is off");
    bed.unload();
    assert_eq!(values(&bed), own);
}

async fn a_setting_that_is_changed_back_is_noticed(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    bed.set("mp_autoteambalance", "2");
    bed.set("tf_arena_max_streak", "5");
    assert_eq!(values(&bed), ["0"; 4]);
    assert_eq!(bed.logged("stays 0 while the plugin is active"), 2);
    bed.set("rbs_balance", "0");
    assert_eq!(bed.value("mp_autoteambalance"), "2");
    bed.set("mp_autoteambalance", "1");
    assert_eq!(bed.value("mp_autoteambalance"), "1");
    bed.set("rbs_balance", "1");
    assert_eq!(values(&bed), ["0"; 4]);
    bed.set("mp_autoteambalance", "2");
    bed.unload();
    assert_eq!(values(&bed), ["2", "1", "1", "5"], "the newest values");
}

async fn the_name_of_a_map_may_be_a_prefix(app: &App) {
    let mut bed = server(app, Mode::Koth, 6).await;
    for (file, counts) in [
        (r#""*" { "off" "1" }"#, false),
        (r#""KOTH_*" { "off" "1" }"#, false),
        (r#""cp_*" { "off" "1" }"#, true),
        (r#""koth_*" { "off" "1" } "koth_via*" { "off" "0" }"#, true),
        (r#""koth_via*" { "off" "1" } "koth_*" { "off" "0" }"#, false),
        (
            r#""koth_viaduct*" { "off" "1" } "koth_viaduct" { "off" "0" }"#,
            true,
        ),
    ] {
        bed.write_file(MAPS, &format!("\"Maps\" {{ {file} }}"));
        bed.change_map_and_teams(Mode::Koth).await;
        let before = reports(&bed).len();
        bed.play(Win::of(Team::Red), 20.0).await;
        assert_eq!(reports(&bed).len() > before, counts, "{file}");
    }
}

/// Plays an arena round of that many players.
async fn play(bed: &mut Bed, red: u32, blue: u32) {
    for index in bed.everybody() {
        bed.leave(index);
    }
    for place in 0..red + blue {
        let team = if place < red { Team::Red } else { Team::Blue };
        bed.connect_to_team(1 + place, team);
    }
    bed.pass(2.0).await;
    bed.play(Win::of(Team::Red), 20.0).await;
}

async fn very_uneven_rounds_are_neither_rated_nor_scrambled_and_others_are(app: &App) {
    let mut bed = server(app, Mode::Arena, 0).await;
    let too_uneven = [(1, 14), (1, 4), (5, 2), (8, 5), (5, 8), (6, 3)];
    let even_enough = [(1, 1), (2, 1), (3, 1), (4, 2), (6, 5), (9, 6), (12, 11)];
    for (red, blue) in [&too_uneven[..], &even_enough].concat() {
        let counts = usize::from(even_enough.contains(&(red, blue)));
        let (rated, scrambled) = (reports(&bed).len(), due(&bed).len());
        bed.change_map(Mode::Arena).await;
        play(&mut bed, red, blue).await;
        assert_eq!(reports(&bed).len() - rated, counts, "{red} v {blue}");
        assert_eq!(due(&bed).len() - scrambled, counts, "{red} v {blue}");
        bed.console("sm_rbs_cancel");
    }
    assert_eq!(bed.logged("it began with 1 against 14 players"), 1);
}
