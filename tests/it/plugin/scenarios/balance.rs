//! Team balance during a round, and joining players.

use serde_json::json;

use super::triggers::forwarded;
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Entity, Mode, Team};

same_on_both_databases![
    uneven_teams_are_evened_out_within_ten_seconds,
    nobody_is_moved_twice_and_the_immune_never,
    arena_is_left_alone_in_mid_round,
    whoever_joins_goes_where_the_service_says,
    whoever_joins_without_the_service_goes_to_the_smaller_team,
    another_plugin_may_keep_somebody,
    whoever_dies_goes_first,
];

/// A koth round with that number of players on each team and open doors.
pub async fn live(app: &App, red: u32, blue: u32) -> Bed {
    live_with(app, red, blue, "1").await
}

pub async fn live_with(app: &App, red: u32, blue: u32, balance: &str) -> Bed {
    // The pool of undeclared servers, which has the default policy.
    let mut bed = Bed::start_as("koth-1", app, Mode::Koth).await;
    bed.set("rbs_balance", balance);
    for place in 0..red + blue {
        let index = bed.connect(1 + place);
        bed.place(index, if place < red { Team::Red } else { Team::Blue });
    }
    bed.pass(2.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
    bed.open_doors();
    bed.pass(2.0).await;
    bed
}

pub fn sizes(bed: &Bed) -> (usize, usize) {
    (bed.team(Team::Red).len(), bed.team(Team::Blue).len())
}

pub fn leave(bed: &mut Bed, count: usize) {
    for index in bed.team(Team::Red)[..count].to_vec() {
        bed.leave(index);
    }
}

async fn uneven_teams_are_evened_out_within_ten_seconds(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.pass(60.0).await;
    assert_eq!(sizes(&bed), (6, 6), "nobody is moved without need");
    leave(&mut bed, 4);
    assert_eq!(sizes(&bed), (2, 6));
    bed.pass(10.0).await;
    bed.pass(4.0).await;
    assert_eq!(sizes(&bed), (4, 4));
    let moved = bed
        .plugin()
        .host
        .game
        .clients()
        .filter(|(_, client)| client.moves > 0)
        .count();
    assert_eq!(moved, 2, "no more are moved than have to be");
}

async fn nobody_is_moved_twice_and_the_immune_never(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let blue = bed.team(Team::Blue);
    bed.client_mut(blue[0]).properties.insert("m_hItem", 60);
    bed.client_mut(blue[1]).flags = 1 << 14;
    let building = Entity::new("obj_sentrygun", &[("m_hBuilder", blue[2])], &[]);
    bed.client_mut(blue[2]).class = 9;
    bed.plugin_mut().host.game.add_entity(building);
    let medigun = Entity::new("tf_weapon_medigun", &[], &[("m_flChargeLevel", 0.6)]);
    let medigun = bed.plugin_mut().host.game.add_entity(medigun);
    bed.client_mut(blue[3]).class = 5;
    bed.client_mut(blue[3])
        .properties
        .insert("m_hWeapon1", medigun);
    leave(&mut bed, 4);
    bed.pass(14.0).await;
    for index in &blue[..4] {
        assert_eq!(bed.client(*index).team, Team::Blue, "{index} is immune");
    }
    assert_eq!(sizes(&bed), (4, 4));
    let blue: Vec<i32> = bed.team(Team::Blue);
    for index in blue {
        bed.leave(index);
    }
    bed.pass(20.0).await;
    let twice = bed
        .plugin()
        .host
        .game
        .clients()
        .filter(|(_, client)| client.moves > 1)
        .count();
    assert_eq!(twice, 0, "somebody was moved twice in a round");
    let moved = bed
        .plugin()
        .host
        .game
        .clients()
        .find(|(_, client)| client.moves == 1);
    let (moved, id) = moved
        .map(|(index, client)| (index, client.steam64()))
        .expect("somebody was moved");
    let team = bed.client(moved).team;
    let (to, filler) = if team == Team::Red {
        ("b", 80)
    } else {
        ("a", 81)
    };
    let move_back = json!({
        "moves": [{"id": id, "to": to, "with": null}], "apply_on_death": false, "apply_within_seconds": 10, "message": "again",
        "before": {"rating_a": 1, "rating_b": 1, "win_probability_a": 0.5}
    });
    bed.trouble(Trouble::Answer(200, move_back.to_string(), &[]));
    let new = bed.connect(filler);
    bed.place(new, team);
    bed.pass(10.0).await;
    assert_eq!(
        bed.client(moved).team,
        team,
        "not even where the service asks for it"
    );
}

async fn arena_is_left_alone_in_mid_round(app: &App) {
    let mut bed = Bed::start(app, Mode::Arena).await;
    bed.fill(1, 12);
    bed.begin_round();
    bed.open_doors();
    leave(&mut bed, 4);
    bed.pass(30.0).await;
    assert_eq!(sizes(&bed), (2, 6));
}

async fn whoever_joins_goes_where_the_service_says(app: &App) {
    let mut bed = live_with(app, 5, 3, "0").await;
    let new = bed.connect(50);
    bed.join(new, Team::Red);
    assert_eq!(bed.client(new).team, Team::None, "the choice is held");
    bed.pass(2.0).await;
    assert_eq!(bed.client(new).team, Team::Blue);
    let (first, second) = (bed.connect(51), bed.connect(52));
    bed.join(first, Team::Red);
    bed.join(second, Team::Red);
    bed.leave(second);
    bed.pass(2.0).await;
    assert!(bed.client(first).team.plays());
    let watcher = bed.connect(53);
    bed.join(watcher, Team::Spectator);
    assert_eq!(
        bed.client(watcher).team,
        Team::Spectator,
        "whoever watches is not held"
    );
    bed.set("rbs_place", "0");
    let free = bed.connect(54);
    bed.join(free, Team::Red);
    assert_eq!(
        bed.client(free).team,
        Team::Red,
        "whoever may choose goes at once"
    );
}

async fn whoever_joins_without_the_service_goes_to_the_smaller_team(app: &App) {
    for trouble in [Trouble::Away, Trouble::Slow(20.0), Trouble::Page(502)] {
        let mut bed = live_with(app, 5, 3, "0").await;
        bed.trouble(trouble.clone());
        let new = bed.connect(50);
        bed.join(new, Team::Red);
        bed.pass(3.0).await;
        assert_eq!(bed.client(new).team, Team::Blue, "{trouble:?}");
    }
}

async fn another_plugin_may_keep_somebody(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let listeners = &mut bed.plugin_mut().host.forwards.listeners;
    listeners.push(("RBS_OnBalance".to_owned(), |_, _| 3));
    leave(&mut bed, 4);
    bed.pass(14.0).await;
    assert_eq!(sizes(&bed), (2, 6));
    assert!(!forwarded(&bed, "RBS_OnBalance").is_empty());
}

async fn whoever_dies_goes_first(app: &App) {
    let mut bed = live(app, 6, 6).await;
    leave(&mut bed, 4);
    bed.pass(5.0).await;
    for index in bed.team(Team::Blue) {
        bed.kill(index);
    }
    bed.pass(1.0).await;
    assert_eq!(sizes(&bed), (4, 4));
    bed.end_round(Win::of(Team::Red));
    bed.pass(15.0).await;
}
