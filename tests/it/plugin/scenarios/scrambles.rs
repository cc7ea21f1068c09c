//! Scrambles: from the service's table, from an older table, with substitutes, or skipped.

use super::queue::names;
use super::triggers::{due, forwarded, server};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_table_of_the_rounds_answer_is_applied_without_another_request,
    an_odd_number_plays_uneven_or_waits,
    whoever_has_waited_longest_plays,
    somebody_new_is_asked_about_in_a_hurry,
    without_the_service_the_kept_table_helps,
    a_kept_table_fits_those_who_are_left,
    without_any_table_the_scramble_stays_due,
    whom_the_game_does_not_move_is_made_up_for,
    nobody_dies_of_a_scramble_and_everybody_stays,
    a_dry_run_moves_nobody,
    another_plugin_may_prevent_it,
    admins_and_votes_ask_for_one,
    a_table_of_arena_benches_nobody_elsewhere,
    a_scramble_of_32_players_is_quick,
];

/// Ends a koth round with a scramble due, and starts the next round, which scrambles.
async fn until_scrambled(bed: &mut Bed) {
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
}

fn sizes(bed: &Bed) -> (usize, usize) {
    let (red, blue) = (bed.team(Team::Red).len(), bed.team(Team::Blue).len());
    (red.min(blue), red.max(blue))
}

async fn the_table_of_the_rounds_answer_is_applied_without_another_request(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let before = bed.accounts(Team::Red);
    bed.play(Win::of(Team::Red), 30.0).await;
    let asked = bed.requests("/v1/scramble").len();
    bed.begin_round();
    bed.pass(4.0).await;
    assert_eq!(
        bed.requests("/v1/scramble").len(),
        asked,
        "the round's answer had the table"
    );
    let after = bed.accounts(Team::Red);
    let others = bed.accounts(Team::Blue);
    assert_eq!(sizes(&bed), (4, 4));
    assert!(
        before != after && before != others,
        "the teams of before came again: {before:?}"
    );
    let wishes = &super::reports(&bed)[0]["scramble"];
    assert_eq!(wishes["seats"], "letters");
    assert_eq!(wishes["bench"], false);
    assert!(names(&bed, "queue.arena-1.jsonl").is_empty());
}

async fn an_odd_number_plays_uneven_or_waits(app: &App) {
    for count in [4, 5, 7, 9] {
        let mut bed = server(app, Mode::Koth, count).await;
        until_scrambled(&mut bed).await;
        let half = count as usize / 2;
        assert_eq!(
            sizes(&bed),
            (half, count as usize - half),
            "koth with {count}"
        );
        let mut bed = server(app, Mode::Arena, count).await;
        until_scrambled(&mut bed).await;
        assert_eq!(sizes(&bed), (half, half), "arena with {count}");
        assert_eq!(bed.team(Team::Spectator).len(), count as usize % 2);
    }
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
    assert_eq!(
        bed.client(by_choice).team,
        Team::Spectator,
        "whoever only watches is left alone"
    );
    assert_eq!(sizes(&bed), (4, 4));
}

async fn somebody_new_is_asked_about_in_a_hurry(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    let leaver = bed.team(Team::Red)[0];
    bed.leave(leaver);
    let new = bed.connect(70);
    bed.place(new, Team::Red);
    let asked = bed.requests("/v1/scramble").len();
    bed.begin_round();
    bed.pass(2.0).await;
    assert_eq!(bed.requests("/v1/scramble").len(), asked + 1);
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 1);
    assert_eq!(sizes(&bed), (4, 4));
}

async fn without_the_service_the_kept_table_helps(app: &App) {
    for mode in [Mode::Koth, Mode::Arena] {
        let mut bed = server(app, mode, 8).await;
        bed.play(Win::of(Team::Red), 30.0).await;
        bed.trouble(Trouble::Away);
        for _ in 0..2 {
            let leaver = bed.team(Team::Red)[0];
            bed.leave(leaver);
        }
        for account in [70, 71, 72] {
            let new = bed.connect(account);
            bed.place(new, Team::Blue);
        }
        bed.begin_round();
        bed.pass(4.0).await;
        assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 1, "{mode:?}");
        assert_eq!(
            sizes(&bed),
            if mode == Mode::Koth { (4, 5) } else { (4, 4) },
            "{mode:?}"
        );
    }
}

async fn a_kept_table_fits_those_who_are_left(app: &App) {
    let mut bed = server(app, Mode::Arena, 8).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.trouble(Trouble::Away);
    for index in bed.team(Team::Red)[..3].to_vec() {
        bed.leave(index);
    }
    bed.begin_round();
    bed.pass(4.0).await;
    assert_eq!(sizes(&bed), (2, 2), "five are left, of whom one waits");
    assert_eq!(bed.team(Team::Spectator).len(), 1);
}

async fn without_any_table_the_scramble_stays_due(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.trouble(Trouble::Away);
    until_scrambled(&mut bed).await;
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 0);
    bed.open_doors();
    bed.trouble(Trouble::None);
    bed.pass(60.0).await;
    assert_eq!(
        forwarded(&bed, "RBS_OnScrambled").len(),
        0,
        "nobody is moved while the round goes on"
    );
    bed.capture_point(Team::Blue);
    bed.end_round(Win::of(Team::Red));
    bed.pass(15.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 1);
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

async fn nobody_dies_of_a_scramble_and_everybody_stays(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    until_scrambled(&mut bed).await;
    let teams = [bed.team(Team::Red), bed.team(Team::Blue)];
    for index in teams.concat() {
        assert!(bed.client(index).is_alive, "{index} is dead");
        assert_eq!(bed.client(index).deaths, 0, "{index} has died of it");
        assert_eq!(
            bed.client(index)
                .properties
                .get("m_lifeState")
                .copied()
                .unwrap_or(0),
            0
        );
    }
    let red = teams[0][0];
    bed.join(red, Team::Blue);
    assert_eq!(bed.client(red).team, Team::Red, "the teams are locked");
    let account = bed.client(red).account;
    bed.leave(red);
    let back = bed.connect(account);
    bed.join(back, Team::Blue);
    assert_eq!(
        bed.client(back).team,
        Team::Red,
        "whoever comes back goes to the old team"
    );
    bed.open_doors();
    bed.pass(20.0).await;
    bed.end_round(Win::of(Team::Red));
    bed.join(back, Team::Blue);
    assert_eq!(bed.client(back).team, Team::Blue, "the round is over");
    bed.set("rbs_lock", "0");
    bed.pass(15.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
    let red = bed.team(Team::Red)[0];
    bed.join(red, Team::Blue);
    assert_eq!(bed.client(red).team, Team::Blue, "teams are not locked");
}

async fn a_dry_run_moves_nobody(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.set("rbs_dry_run", "1");
    assert_eq!(
        bed.value("mp_scrambleteams_auto"),
        "1",
        "the game does its own work"
    );
    let before = bed.accounts(Team::Red);
    until_scrambled(&mut bed).await;
    assert_eq!(bed.accounts(Team::Red), before);
    let log = &bed.plugin().host.console.log;
    assert!(
        log.iter().any(|line| line.starts_with("Dry run:")),
        "{log:?}"
    );
    assert_eq!(super::reports(&bed).len(), 1, "rounds are reported");
}

async fn another_plugin_may_prevent_it(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let listeners = &mut bed.plugin_mut().host.forwards.listeners;
    // Plugin_Handled.
    listeners.push(("RBS_OnScramble".to_owned(), |_, _| 3));
    let before = bed.accounts(Team::Red);
    until_scrambled(&mut bed).await;
    assert_eq!(bed.accounts(Team::Red), before);
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 0);
}

async fn admins_and_votes_ask_for_one(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.capture_point(Team::Blue);
    bed.pass(200.0).await;
    let voters = [bed.team(Team::Red), bed.team(Team::Blue)].concat();
    for index in &voters[..4] {
        bed.say(*index, "!votescramble");
        bed.say(*index, "!votescramble");
    }
    assert_eq!(due(&bed), [0; 0], "four of eight are fewer than 60 %");
    bed.say(voters[4], "!votescramble");
    assert_eq!(due(&bed), [6]);
    bed.console("sm_rbs_cancel");
    bed.say(voters[0], "!rbs_scramble");
    assert_eq!(due(&bed).len(), 1, "players are no admins");
    bed.client_mut(voters[0]).flags = 1 << 1;
    bed.say(voters[0], "!rbs_scramble");
    assert_eq!(due(&bed), [6, 7]);
    bed.console("sm_rbs_cancel");
    bed.begin_round();
    bed.open_doors();
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    assert_eq!(
        forwarded(&bed, "RBS_OnScrambled").len(),
        1,
        "in the middle of a round"
    );
    bed.say(voters[0], "!votescramble");
    let heard = bed.heard(voters[0]);
    assert!(
        heard.iter().any(|line| line.contains("seconds")),
        "too early: {heard:?}"
    );
}

async fn a_table_of_arena_benches_nobody_elsewhere(app: &App) {
    let mut bed = server(app, Mode::Arena, 9).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.trouble(Trouble::Away);
    bed.change_map(Mode::Koth).await;
    super::triggers::replace(&mut bed);
    bed.wait_for_players().await;
    bed.pass(5.0).await;
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 1);
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
        let used = bed.plugin().memory.most_used();
        assert!(
            used < 16_384,
            "{used} bytes of stack and heap, of which a plugin has 16 KiB"
        );
    }
}
