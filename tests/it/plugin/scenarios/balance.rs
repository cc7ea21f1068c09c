//! Team balance during a round, joining players, and duels.

use serde_json::{Value, json};

use super::triggers::{forwarded, server};
use super::{scrambles, until_scrambled};
use crate::plugin::bed::{Bed, Trouble};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    uneven_teams_are_evened_out_within_ten_seconds,
    nobody_is_moved_twice_and_the_immune_never,
    arena_is_left_alone_in_mid_round,
    whoever_joins_goes_where_the_service_says,
    whoever_joins_without_the_service_goes_to_the_smaller_team,
    another_plugin_may_keep_somebody,
    balance_spares_duellists,
    scrambles_leave_duellists,
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
        let team = if place < red { Team::Red } else { Team::Blue };
        bed.connect_to_team(1 + place, team);
    }
    bed.pass(2.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
    bed.open_doors();
    bed.pass(2.0).await;
    bed
}

/// The service answers with these moves, which take effect after so many seconds, or earlier at a death.
pub fn moves(moves: &Value, on_death: bool, seconds: u32) -> Trouble {
    Trouble::answer(&json!({
        "moves": moves, "apply_on_death": on_death, "apply_within_seconds": seconds, "message": "uneven",
        "before": {"rating_a": 1, "rating_b": 1, "win_probability_a": 0.5}
    }))
}

pub fn leave(bed: &mut Bed, count: usize) {
    for index in bed.team(Team::Red)[..count].to_vec() {
        bed.leave(index);
    }
}

async fn uneven_teams_are_evened_out_within_ten_seconds(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.pass(60.0).await;
    assert_eq!(bed.sizes(), (6, 6), "nobody is moved without need");
    leave(&mut bed, 4);
    assert_eq!(bed.sizes(), (2, 6));
    bed.pass(14.0).await;
    assert_eq!(bed.sizes(), (4, 4));
    let moved = bed.moved_more_than(0).len();
    assert_eq!(moved, 2, "no more are moved than have to be");
}

async fn nobody_is_moved_twice_and_the_immune_never(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let blue = bed.team(Team::Blue);
    bed.client_mut(blue[0]).properties.insert("m_hItem", 60);
    bed.client_mut(blue[1]).flags = 1 << 14;
    bed.make_engineer(blue[2], "obj_sentrygun");
    bed.make_medic(blue[3], 0.6);
    leave(&mut bed, 4);
    bed.pass(14.0).await;
    for index in &blue[..4] {
        assert_eq!(bed.client(*index).team, Team::Blue, "{index} is immune");
    }
    assert_eq!(bed.sizes(), (4, 4));
    for index in bed.team(Team::Blue) {
        bed.leave(index);
    }
    bed.pass(20.0).await;
    assert_eq!(bed.moved_more_than(1), [0; 0], "moved twice in a round");
    let moved = bed.moved_more_than(0)[0];
    let team = bed.client(moved).team;
    let to = if team == Team::Red { "b" } else { "a" };
    let again = json!([{"id": bed.client(moved).steam64(), "to": to, "with": null}]);
    bed.trouble(moves(&again, false, 10));
    bed.connect_to_team(80, team);
    bed.pass(10.0).await;
    let now = bed.client(moved).team;
    assert_eq!(now, team, "not even where the service asks for it");
}

async fn arena_is_left_alone_in_mid_round(app: &App) {
    let mut bed = Bed::start(app, Mode::Arena).await;
    bed.fill(1, 12);
    bed.begin_round();
    bed.open_doors();
    leave(&mut bed, 4);
    bed.pass(30.0).await;
    assert_eq!(bed.sizes(), (2, 6));
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
    let team = bed.client(watcher).team;
    assert_eq!(team, Team::Spectator, "whoever watches is not held");
    bed.set("rbs_place", "0");
    let free = bed.connect(54);
    bed.join(free, Team::Red);
    let team = bed.client(free).team;
    assert_eq!(team, Team::Red, "whoever may choose goes at once");
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
    assert_eq!(bed.sizes(), (2, 6));
    assert!(!forwarded(&bed, "RBS_OnBalance").is_empty());
}

/// Lets that number of pairs fight a duel, which ends if both are on one team. Returns the duellists with their teams.
fn begin_duels(bed: &mut Bed, pairs: usize) -> Vec<(i32, Team)> {
    let (red, blue) = (bed.team(Team::Red), bed.team(Team::Blue));
    let pairs = red.into_iter().zip(blue).take(pairs);
    let mut duellists = Vec::new();
    for (red, blue) in pairs {
        bed.client_mut(red).duel = Some(blue);
        bed.client_mut(blue).duel = Some(red);
        duellists.extend([(red, Team::Red), (blue, Team::Blue)]);
    }
    duellists
}

fn assert_goes_on(bed: &Bed, duellists: &[(i32, Team)]) {
    for (index, team) in duellists {
        assert_eq!(bed.client(*index).team, *team, "{index} was moved");
        assert!(bed.client(*index).duel.is_some(), "{index}'s duel is over");
    }
}

async fn balance_spares_duellists(app: &App) {
    let mut bed = live(app, 8, 8).await;
    bed.set("rbs_balance_immunity", "0");
    let duellists = begin_duels(&mut bed, 4);
    for index in bed.team(Team::Red)[4..].to_vec() {
        bed.leave(index);
    }
    bed.pass(30.0).await;
    assert_eq!(bed.sizes(), (6, 6));
    assert_goes_on(&bed, &duellists);
}

async fn scrambles_leave_duellists(app: &App) {
    let mut bed = server(app, Mode::Koth, 10).await;
    let duellists = begin_duels(&mut bed, 3);
    let before = bed.accounts(Team::Red);
    until_scrambled(&mut bed).await;
    assert_eq!(scrambles(&bed), 1);
    assert_goes_on(&bed, &duellists);
    assert_eq!(bed.sizes(), (5, 5));
    assert_ne!(bed.accounts(Team::Red), before, "the others are scrambled");
}
