//! Moves by balance, as the moved player sees them: before, at and after the move.

use serde_json::json;

use super::super::balance::{leave, live, moves};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::Team;
use sourcemod_bed::sourcemod::events::Value;

same_on_both_databases![
    a_player_is_told_before_and_at_the_move,
    whoever_becomes_immune_meanwhile_stays,
    whoever_was_moved_stays_until_the_round_ends,
    without_the_lock_whoever_was_moved_may_go_back,
    no_word_of_the_console_leaves_a_team_that_a_scramble_has_locked,
    a_scramble_replaces_planned_moves,
];

/// Lets the service ask for the move of a player to RED at the next death.
async fn planned(bed: &mut Bed, index: i32) {
    let to_red = json!([{"id": bed.client(index).steam64(), "to": "a", "with": null}]);
    bed.trouble(moves(&to_red, true, 20));
    leave(bed, 1);
    bed.pass(5.0).await;
}

async fn a_player_is_told_before_and_at_the_move(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let index = bed.team(Team::Blue)[0];
    bed.heard(index);
    planned(&mut bed, index).await;
    let heard = bed.heard(index);
    let warnings = heard.iter().filter(|line| {
        line.contains("You will be moved to RED at your next death, or in 20 seconds")
    });
    assert_eq!(warnings.count(), 1, "{heard:?}");
    bed.kill(index);
    bed.pass(0.5).await;
    assert_eq!(bed.client(index).team, Team::Red);
    assert!(bed.hears(index, "You were moved to RED to balance the teams."));
    let fired = &bed.plugin().host.events.fired;
    assert_eq!(fired.len(), 1, "{fired:?}");
    assert_eq!(fired[0].name, "teamplay_teambalanced_player");
    assert_eq!(fired[0].values["player"], Value::Number(index));
    assert_eq!(fired[0].values["team"], Value::Number(2));
}

async fn whoever_becomes_immune_meanwhile_stays(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let index = bed.team(Team::Blue)[0];
    planned(&mut bed, index).await;
    bed.make_engineer(index, "obj_dispenser");
    let asked = bed.requests("/v1/balance").len();
    bed.kill(index);
    bed.pass(5.0).await;
    assert_eq!(bed.client(index).team, Team::Blue);
    let requests = bed.requests("/v1/balance");
    assert!(requests.len() > asked, "somebody else is looked for");
    let team = requests.last().expect("a request")["team_b"].to_string();
    assert!(team.contains("\"immune\":true"), "{team}");
}

/// Returns a player who was just moved to RED.
pub async fn moved(bed: &mut Bed) -> i32 {
    leave(bed, 4);
    bed.pass(12.0).await;
    assert_eq!(bed.sizes(), (4, 4));
    bed.moved_more_than(0)[0]
}

async fn whoever_was_moved_stays_until_the_round_ends(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let index = moved(&mut bed).await;
    bed.heard(index);
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Red);
    assert!(bed.hears(index, "Your team is fixed until this round ends"));
    let account = bed.client(index).account;
    bed.leave(index);
    bed.pass(1.0).await;
    let index = bed.connect(account);
    bed.join(index, Team::Blue);
    bed.pass(3.0).await;
    assert_eq!(bed.client(index).team, Team::Red, "also after a reconnect");
    let request = bed.requests("/v1/balance").pop().expect("a request");
    let team = request["team_a"].to_string();
    assert!(team.contains("\"moved\":true"), "{team}");
    bed.end_round(Win::of(Team::Red));
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Blue, "the round is over");
}

async fn without_the_lock_whoever_was_moved_may_go_back(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.set("rbs_lock", "0");
    let index = moved(&mut bed).await;
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Blue);
    bed.pass(20.0).await;
    assert_eq!(bed.client(index).team, Team::Blue, "nobody is moved twice");
}

async fn no_word_of_the_console_leaves_a_team_that_a_scramble_has_locked(app: &App) {
    let mut bed = live(app, 6, 6).await;
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    let index = bed.team(Team::Blue)[0];
    for word in ["spec", "x", "red", "auto", "unassigned"] {
        bed.enter_command(index, &format!("jointeam {word}"));
        bed.pass(1.0).await;
        assert_eq!(bed.client(index).team, Team::Blue, "jointeam {word}");
    }
}

async fn a_scramble_replaces_planned_moves(app: &App) {
    let mut bed = live(app, 6, 6).await;
    let blue = bed.team(Team::Blue);
    for index in &blue[..4] {
        planned(&mut bed, *index).await;
    }
    bed.trouble(Trouble::None);
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    let before = bed.sizes();
    for index in blue {
        bed.kill(index);
    }
    bed.pass(1.0).await;
    assert_eq!(bed.sizes(), before, "nobody moves by the old plan");
}
