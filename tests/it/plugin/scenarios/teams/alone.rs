//! Balance by size alone: the service does not answer, or does not know everybody.

use serde_json::json;

use super::super::balance::{leave, live, live_with, moves};
use crate::plugin::bed::{Bed, Trouble};
use crate::support::App;
use sourcemod_bed::game::Team;

same_on_both_databases![
    without_an_answer_sizes_alone_decide,
    nobody_is_moved_by_size_who_must_not_be,
    an_answer_ends_the_balance_by_size,
    a_dry_run_only_logs_whom_it_would_move_by_size,
    players_whom_steam_has_not_confirmed_count,
    a_joining_player_is_placed_by_all_heads,
    a_full_server_is_evened_out_by_size,
];

/// Blue players who were told that they will be moved.
fn warned(bed: &mut Bed) -> Vec<i32> {
    let mut warned = bed.team(Team::Blue);
    warned.retain(|index| bed.hears(*index, "at your next death"));
    warned
}

async fn without_an_answer_sizes_alone_decide(app: &App) {
    for trouble in [Trouble::Away, Trouble::Page(403), Trouble::Slow(30.0)] {
        let mut bed = live(app, 8, 8).await;
        bed.trouble(trouble.clone());
        leave(&mut bed, 6);
        let dead = bed.team(Team::Blue)[2];
        bed.kill(dead);
        warned(&mut bed);
        bed.pass(9.0).await;
        let early = bed.sizes();
        assert_eq!(early, (2, 8), "{trouble:?}: the service may still answer");
        bed.pass(5.0).await;
        assert_eq!(bed.sizes(), (3, 7), "{trouble:?}: the dead go first");
        assert_eq!(bed.client(dead).team, Team::Red, "{trouble:?}");
        let next = warned(&mut bed);
        assert_eq!(next.len(), 2, "{trouble:?}: the others are told before");
        bed.kill(next[0]);
        bed.pass(0.5).await;
        assert_eq!(bed.client(next[0]).team, Team::Red, "{trouble:?}");
        bed.pass(11.0).await;
        assert_eq!(bed.sizes(), (5, 5), "{trouble:?}");
        assert_eq!(bed.client(next[1]).team, Team::Red, "{trouble:?}");
        bed.pass(60.0).await;
        assert_eq!(bed.sizes(), (5, 5), "{trouble:?}");
        assert_eq!(bed.moved_more_than(1), [0; 0], "{trouble:?}");
    }
}

async fn nobody_is_moved_by_size_who_must_not_be(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.trouble(Trouble::Away);
    let blue = bed.team(Team::Blue);
    for index in &blue[1..] {
        bed.client_mut(*index).properties.insert("m_hItem", 60);
    }
    leave(&mut bed, 4);
    bed.pass(60.0).await;
    assert_eq!(bed.sizes(), (3, 5));
    assert_eq!(bed.client(blue[0]).moves, 1);
    bed.client_mut(blue[1]).properties.insert("m_hItem", -1);
    bed.pass(30.0).await;
    assert_eq!(bed.sizes(), (4, 4), "whoever drops the flag may be moved");
}

async fn an_answer_ends_the_balance_by_size(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.trouble(Trouble::Away);
    leave(&mut bed, 4);
    bed.pass(11.0).await;
    bed.trouble(moves(&json!([]), false, 10));
    bed.pass(5.0).await;
    assert_eq!(warned(&mut bed).len(), 2);
    bed.pass(60.0).await;
    assert_eq!(bed.sizes(), (2, 6), "the service decides again");
}

async fn a_dry_run_only_logs_whom_it_would_move_by_size(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.set("rbs_dry_run", "1");
    bed.trouble(Trouble::Away);
    leave(&mut bed, 4);
    bed.pass(60.0).await;
    assert_eq!(bed.sizes(), (2, 6));
    assert_eq!(bed.logged("would be moved to RED"), 2);
}

/// Puts four players whom Steam has not confirmed on RED.
fn strangers(bed: &mut Bed) {
    for account in 70..74 {
        let index = bed.connect_unknown(account);
        bed.place(index, Team::Red);
    }
}

async fn players_whom_steam_has_not_confirmed_count(app: &App) {
    let mut bed = live(app, 7, 6).await;
    strangers(&mut bed);
    bed.pass(10.0).await;
    let request = bed.requests("/v1/balance").pop().expect("a request");
    assert_eq!(request["bots"], json!({"a": 4, "b": 0}));
    bed.pass(20.0).await;
    assert_eq!(bed.sizes(), (9, 8));

    let mut bed = live(app, 7, 6).await;
    let teams = json!({"rating_a": 1, "rating_b": 1, "win_probability_a": 0.5});
    let suppressed = json!([{"rule": "seconds_left"}]);
    let answer =
        json!({"moves": [], "suppressed": suppressed, "message": "soon over", "before": teams});
    bed.trouble(Trouble::answer(&answer));
    strangers(&mut bed);
    bed.pass(40.0).await;
    assert_eq!(bed.sizes(), (11, 6), "the policy leaves the teams alone");

    // Steam is down: nobody is confirmed.
    let mut bed = live(app, 0, 0).await;
    for account in 1..=10 {
        let index = bed.connect_unknown(account);
        bed.place(index, if account <= 8 { Team::Red } else { Team::Blue });
    }
    bed.pass(40.0).await;
    assert_eq!(bed.sizes(), (5, 5));
}

async fn a_joining_player_is_placed_by_all_heads(app: &App) {
    let mut bed = live_with(app, 5, 6, "0").await;
    strangers(&mut bed);
    let new = bed.connect(50);
    bed.join(new, Team::Red);
    bed.pass(2.0).await;
    assert_eq!(bed.client(new).team, Team::Blue);
}

async fn a_full_server_is_evened_out_by_size(app: &App) {
    let mut bed = live(app, 16, 16).await;
    bed.trouble(Trouble::Away);
    leave(&mut bed, 14);
    for account in 70..84 {
        let index = bed.connect_unknown(account);
        bed.place(index, Team::Blue);
    }
    assert_eq!(bed.sizes(), (2, 30));
    bed.pass(30.0).await;
    assert_eq!(bed.sizes(), (16, 16));
}
