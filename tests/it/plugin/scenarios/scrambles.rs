//! Scrambles: from the service's table, from an older table, with substitutes, or skipped.

use super::balance::leave;
use super::triggers::{due, server};
use super::{begin_next, reports, scrambles, until_scrambled, waiting};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_table_of_the_rounds_answer_is_applied_without_another_request,
    whoever_has_waited_longest_plays,
    somebody_new_is_asked_about_in_a_hurry,
    without_the_service_the_kept_table_helps,
    without_any_table_the_scramble_stays_due,
    whom_the_game_does_not_move_is_made_up_for,
    nobody_dies_of_a_scramble,
    a_dry_run_moves_nobody,
    another_plugin_may_prevent_it,
    only_admins_ask_for_one,
    a_table_of_arena_benches_nobody_elsewhere,
    a_scramble_of_32_players_is_quick,
];

/// Sizes of the teams, the smaller one first.
fn sizes(bed: &Bed) -> (usize, usize) {
    let (red, blue) = bed.sizes();
    (red.min(blue), red.max(blue))
}

async fn the_table_of_the_rounds_answer_is_applied_without_another_request(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let before = bed.accounts(Team::Red);
    bed.play(Win::of(Team::Red), 30.0).await;
    let asked = bed.requests("/v1/scramble").len();
    begin_next(&mut bed).await;
    let requests = bed.requests("/v1/scramble").len();
    assert_eq!(requests, asked, "the round's answer had the table");
    assert_eq!(sizes(&bed), (4, 4));
    for team in [Team::Red, Team::Blue] {
        assert_ne!(bed.accounts(team), before, "the teams of before came again");
    }
    let wishes = &reports(&bed)[0]["scramble"];
    assert_eq!(wishes["seats"], "letters");
    assert_eq!(wishes["bench"], false);
    assert!(waiting(&bed).is_empty());
}

async fn whoever_has_waited_longest_plays(app: &App) {
    let mut bed = server(app, Mode::Arena, 8).await;
    bed.set("rbs_tolerance", "40");
    let waiting = bed.connect(90);
    bed.join(waiting, Team::Red);
    assert_eq!(bed.client(waiting).team, Team::Spectator, "it is queued");
    let by_choice = bed.connect(91);
    bed.enter_command(by_choice, "jointeam spectatearena");
    bed.pass(2.0).await;
    until_scrambled(&mut bed).await;
    assert!(bed.client(waiting).team.plays(), "whoever has waited plays");
    let team = bed.client(by_choice).team;
    assert_eq!(team, Team::Spectator, "whoever only watches is left alone");
    assert_eq!(sizes(&bed), (4, 4));
}

async fn somebody_new_is_asked_about_in_a_hurry(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.leave(bed.team(Team::Red)[0]);
    bed.connect_to_team(70, Team::Red);
    let asked = bed.requests("/v1/scramble").len();
    bed.begin_round();
    bed.pass(2.0).await;
    assert_eq!(bed.requests("/v1/scramble").len(), asked + 1);
    assert_eq!(scrambles(&bed), 1);
    assert_eq!(sizes(&bed), (4, 4));
}

async fn without_the_service_the_kept_table_helps(app: &App) {
    for (mode, leavers, newcomers, expected) in [
        (Mode::Koth, 2, 3, (4, 5)),
        (Mode::Arena, 2, 3, (4, 4)),
        (Mode::Arena, 3, 0, (2, 2)),
    ] {
        let mut bed = server(app, mode, 8).await;
        bed.play(Win::of(Team::Red), 30.0).await;
        bed.trouble(Trouble::Away);
        leave(&mut bed, leavers);
        for account in 0..newcomers {
            bed.connect_to_team(70 + account, Team::Blue);
        }
        begin_next(&mut bed).await;
        assert_eq!(scrambles(&bed), 1, "{mode:?}");
        let case = format!("{mode:?}: {leavers} left, {newcomers} came");
        assert_eq!(sizes(&bed), expected, "{case}");
    }
}

async fn without_any_table_the_scramble_stays_due(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.trouble(Trouble::Away);
    until_scrambled(&mut bed).await;
    bed.open_doors();
    bed.trouble(Trouble::None);
    bed.pass(60.0).await;
    assert_eq!(scrambles(&bed), 0, "not while the round goes on");
    bed.capture_point(Team::Blue);
    bed.end_round(Win::of(Team::Red));
    bed.pass(15.0).await;
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 1);
    assert_eq!(due(&bed).len(), 1);
}

async fn whom_the_game_does_not_move_is_made_up_for(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    for index in bed.team(Team::Red)[..2].to_vec() {
        bed.client_mut(index).ignores_moves = true;
    }
    until_scrambled(&mut bed).await;
    assert_eq!(sizes(&bed), (4, 4), "the sizes are right all the same");
}

async fn nobody_dies_of_a_scramble(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    until_scrambled(&mut bed).await;
    for index in bed.players() {
        let client = bed.client(index);
        assert!(client.is_alive, "{index} is dead");
        assert_eq!(client.deaths, 0, "{index} has died of it");
        let state = client.properties.get("m_lifeState");
        assert_eq!(state.copied().unwrap_or(0), 0, "{index}");
    }
}

async fn a_dry_run_moves_nobody(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.set("rbs_dry_run", "1");
    let before = bed.accounts(Team::Red);
    until_scrambled(&mut bed).await;
    assert_eq!(bed.accounts(Team::Red), before);
    assert!(bed.logged("Dry run:") > 0, "what it would do is logged");
    assert_eq!(reports(&bed).len(), 1, "rounds are reported");
}

async fn another_plugin_may_prevent_it(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let listeners = &mut bed.plugin_mut().host.forwards.listeners;
    // Plugin_Handled.
    listeners.push(("RBS_OnScramble".to_owned(), |_, _| 3));
    let before = bed.accounts(Team::Red);
    until_scrambled(&mut bed).await;
    assert_eq!(bed.accounts(Team::Red), before);
    assert_eq!(scrambles(&bed), 0);
}

async fn only_admins_ask_for_one(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let player = bed.team(Team::Red)[0];
    // Longer than players may not vote after the start of a map.
    bed.pass(200.0).await;
    bed.say(player, "!rbs_scramble");
    assert_eq!(due(&bed), [0; 0], "players are no admins");
    bed.client_mut(player).flags = 1 << 1;
    bed.say(player, "!rbs_scramble");
    assert_eq!(due(&bed), [7]);
    bed.begin_live_round().await;
    assert_eq!(scrambles(&bed), 1);
    bed.heard(player);
    bed.say(player, "!votescramble");
    assert!(bed.hears(player, "seconds"), "not soon after a scramble");
}

async fn a_table_of_arena_benches_nobody_elsewhere(app: &App) {
    let mut bed = server(app, Mode::Arena, 9).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.trouble(Trouble::Away);
    bed.change_map_and_teams(Mode::Koth).await;
    bed.wait_for_players().await;
    bed.pass(5.0).await;
    assert_eq!(scrambles(&bed), 1);
    assert_eq!(sizes(&bed), (4, 5));
}

async fn a_scramble_of_32_players_is_quick(app: &App) {
    for mode in [Mode::Koth, Mode::Arena] {
        let mut bed = server(app, mode, 32).await;
        until_scrambled(&mut bed).await;
        assert_eq!(sizes(&bed), (16, 16), "{mode:?}");
        bed.open_doors();
        bed.fight();
        bed.pass(30.0).await;
        bed.end_round(Win::of(Team::Blue));
        bed.pass(15.0).await;
        // A plugin has 16 KiB of stack and heap.
        let used = bed.plugin().memory.most_used();
        assert!(used < 16_384, "{used} bytes of stack and heap");
    }
}
