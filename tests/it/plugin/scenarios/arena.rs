//! Arena: the game's queue of those who wait, and players who have not chosen a class.

use super::triggers::server;
use super::{begin_next, reports, scrambles};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_games_queue_stays_right_after_scrambles,
    who_stands_at_the_class_menu_is_left_alone,
    whoever_is_drafted_keeps_the_chosen_class,
    somebody_leaves_while_the_teams_are_asked_for,
];

/// An arena server whose players have joined by the menu, so that they wait in the game's queue.
async fn with_queue(app: &App, players: u32, team_size: &str) -> Bed {
    let mut bed = server(app, Mode::Arena, 0).await;
    bed.set("tf_arena_override_team_size", team_size);
    for account in 1..=players {
        let index = bed.connect(account);
        bed.join(index, Team::Red);
    }
    bed.pass(2.0).await;
    bed
}

/// Plays a round that has begun, until the next one has begun and is scrambled if a scramble is due.
async fn play_on(bed: &mut Bed, winner: Team) {
    bed.pass(5.0).await;
    bed.open_doors();
    bed.fight();
    bed.pass(30.0).await;
    bed.end_round(Win::of(winner));
    bed.pass(15.0).await;
    begin_next(bed).await;
}

async fn the_games_queue_stays_right_after_scrambles(app: &App) {
    let mut bed = with_queue(app, 15, "7").await;
    bed.set("rbs_scramble_second", "0");
    bed.set("rbs_scramble_streak", "0");
    bed.begin_round();
    let mut waited: Vec<i32> = bed.team(Team::Spectator);
    for round in 0..12 {
        let scrambles = round % 2 == 0;
        if scrambles {
            bed.console("sm_rbs_scramble");
        }
        play_on(&mut bed, [Team::Red, Team::Blue][round / 2 % 2]).await;
        assert_eq!(bed.sizes(), (7, 7), "round {round}");
        let waits = bed.team(Team::Spectator);
        assert_ne!(waits, waited, "round {round}: somebody waits twice");
        waited = waits;
    }
    assert_eq!(scrambles(&bed), 6);
}

async fn who_stands_at_the_class_menu_is_left_alone(app: &App) {
    let mut bed = with_queue(app, 8, "12").await;
    let chooses = bed.connect(90);
    bed.client_mut(chooses).picks_class = false;
    bed.join(chooses, Team::Red);
    assert_eq!(bed.client(chooses).team, Team::Spectator);
    bed.begin_round();
    play_on(&mut bed, Team::Red).await;
    assert_eq!(scrambles(&bed), 1);
    let team = bed.client(chooses).team;
    assert_eq!(team, Team::Spectator, "it is not drafted");
    assert_eq!(bed.client(chooses).class, 0);
    assert_eq!(bed.sizes(), (4, 4));
    let id = bed.client(chooses).steam64();
    assert!(!reports(&bed)[0]["scramble"].to_string().contains(&id));
    bed.enter_command(chooses, "joinclass medic");
    play_on(&mut bed, Team::Red).await;
    play_on(&mut bed, Team::Red).await;
    let report = reports(&bed).pop().expect("a report");
    let wishes = report["scramble"].to_string();
    assert!(wishes.contains(&id), "with a class, it plays: {wishes}");
}

async fn whoever_is_drafted_keeps_the_chosen_class(app: &App) {
    let mut bed = with_queue(app, 9, "4").await;
    bed.begin_round();
    for _ in 0..4 {
        bed.console("sm_rbs_scramble");
        play_on(&mut bed, Team::Red).await;
        for index in bed.players() {
            let client = bed.client(index);
            assert_eq!(client.desired_class(), 1, "{index}");
            assert!(client.is_alive, "{index} is dead");
            assert!(!client.is_arena_spectator(), "{index}");
        }
        let waits = bed.team(Team::Spectator)[0];
        assert!(!bed.client(waits).is_arena_spectator());
        assert_eq!(bed.plugin().host.game.arena_queue, [waits]);
    }
}

async fn somebody_leaves_while_the_teams_are_asked_for(app: &App) {
    let mut bed = with_queue(app, 11, "5").await;
    bed.begin_round();
    bed.open_doors();
    bed.fight();
    bed.pass(30.0).await;
    bed.end_round(Win::of(Team::Red));
    bed.pass(15.0).await;
    let new = bed.connect(90);
    bed.join(new, Team::Red);
    bed.trouble(Trouble::Slow(1.0));
    bed.begin_round();
    bed.pass(0.5).await;
    bed.leave(bed.team(Team::Red)[0]);
    bed.pass(4.0).await;
    assert_eq!(scrambles(&bed), 1);
    assert_eq!(bed.sizes(), (5, 5));
    let waits = bed.team(Team::Spectator);
    assert_eq!(bed.plugin().host.game.arena_queue, waits);
}
