//! Maps, modes and matches in which the plugin leaves teams and the game's own balance alone.

use super::super::reports;
use super::super::triggers::{due, replace, server};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_games_own_balance_stays_where_the_plugin_does_nothing,
    a_setting_that_is_changed_back_is_noticed,
    a_maps_own_rule_decides_on_the_games_scramble,
    the_name_of_a_map_may_be_a_prefix,
    rounds_of_one_against_all_are_neither_rated_nor_scrambled,
    small_and_slightly_uneven_teams_are_rated,
];

const MAPS: &str = "addons/sourcemod/configs/rbs_maps.cfg";
const GAME: [&str; 4] = [
    "mp_autoteambalance",
    "mp_scrambleteams_auto",
    "sv_vote_issue_scramble_teams_allowed",
    "tf_arena_max_streak",
];

fn values(bed: &Bed) -> [String; 4] {
    GAME.map(|name| bed.value(name).to_owned())
}

async fn the_games_own_balance_stays_where_the_plugin_does_nothing(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    let own = ["1", "1", "1", "3"];
    assert_eq!(values(&bed), ["0"; 4]);
    bed.set("mp_tournament", "1");
    assert_eq!(values(&bed), own, "tournament");
    bed.set("mp_tournament", "0");
    assert_eq!(values(&bed), ["0"; 4]);
    bed.change_map(Mode::Mvm).await;
    assert_eq!(values(&bed), own, "Mann vs. Machine");
    bed.change_map(Mode::Koth).await;
    assert_eq!(values(&bed), ["0"; 4]);
    bed.write_file(MAPS, "\"Maps\" { \"koth_*\" { \"off\" \"1\" } }");
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
    let log = bed.plugin().host.console.log.iter();
    let told = log.filter(|line| line.contains("stays 0 while the plugin is active"));
    assert_eq!(told.count(), 2);
    bed.set("rbs_balance", "0");
    bed.set("mp_autoteambalance", "1");
    assert_eq!(bed.value("mp_autoteambalance"), "1");
    bed.set("rbs_balance", "1");
    assert_eq!(values(&bed), ["0"; 4]);
    bed.set("mp_autoteambalance", "2");
    bed.unload();
    assert_eq!(values(&bed), ["2", "1", "1", "5"], "the newest values");
}

async fn a_maps_own_rule_decides_on_the_games_scramble(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    assert_eq!(bed.value("mp_scrambleteams_auto"), "0");
    bed.write_file(MAPS, "\"Maps\" { \"koth_*\" { \"rbs_scramble\" \"0\" } }");
    bed.change_map(Mode::Koth).await;
    assert_eq!(bed.value("mp_scrambleteams_auto"), "1");
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
        bed.change_map(Mode::Koth).await;
        replace(&mut bed);
        let before = reports(&bed).len();
        bed.play(Win::of(Team::Red), 20.0).await;
        assert_eq!(reports(&bed).len() > before, counts, "{file}");
    }
}

/// Plays an arena round of that many players.
async fn play(bed: &mut Bed, red: u32, blue: u32) {
    let clients = bed.plugin().host.game.clients();
    for index in clients.map(|(index, _)| index).collect::<Vec<i32>>() {
        bed.leave(index);
    }
    for place in 0..red + blue {
        let index = bed.connect(1 + place);
        bed.place(index, if place < red { Team::Red } else { Team::Blue });
    }
    bed.pass(2.0).await;
    bed.play(Win::of(Team::Red), 20.0).await;
}

async fn rounds_of_one_against_all_are_neither_rated_nor_scrambled(app: &App) {
    let mut bed = server(app, Mode::Arena, 0).await;
    for (red, blue) in [(1, 14), (1, 4), (5, 2), (8, 5), (5, 8), (6, 3)] {
        bed.change_map(Mode::Arena).await;
        play(&mut bed, red, blue).await;
        assert_eq!(reports(&bed).len(), 0, "{red} v {blue} is not rated");
        assert!(due(&bed).is_empty(), "{red} v {blue} is not scrambled");
    }
    let log = &bed.plugin().host.console.log;
    assert!(
        log.iter()
            .any(|line| line.contains("it began with 1 against 14 players"))
    );
}

async fn small_and_slightly_uneven_teams_are_rated(app: &App) {
    let mut bed = server(app, Mode::Arena, 0).await;
    for (place, (red, blue)) in [(1, 1), (2, 1), (3, 1), (4, 2), (6, 5), (9, 6), (12, 11)]
        .into_iter()
        .enumerate()
    {
        bed.change_map(Mode::Arena).await;
        play(&mut bed, red, blue).await;
        assert_eq!(reports(&bed).len(), 1 + place, "{red} v {blue} is rated");
        assert_eq!(
            due(&bed).len(),
            1 + place,
            "{red} v {blue} is followed by a scramble"
        );
        bed.console("sm_rbs_cancel");
    }
}
