//! Stacking by hand: changes of teams that a player chooses.

use serde_json::json;

use super::super::balance::live_with;
use crate::plugin::bed::{Bed, Trouble};
use crate::support::App;
use sourcemod_bed::game::Team;

same_on_both_databases![
    changes_that_stack_the_teams_are_refused,
    changes_that_even_the_teams_are_allowed,
    no_other_word_passes_the_guard,
    without_an_answer_every_change_is_allowed,
];

async fn guarded(app: &App, red: u32, blue: u32) -> Bed {
    let mut bed = live_with(app, red, blue, "0").await;
    bed.set("rbs_place", "0");
    bed.set("rbs_stack_guard", "65");
    bed
}

async fn changes_that_stack_the_teams_are_refused(app: &App) {
    let mut bed = guarded(app, 16, 16).await;
    let index = bed.team(Team::Red)[0];
    bed.heard(index);
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Red, "the change is held");
    bed.pass(1.0).await;
    assert_eq!(bed.client(index).team, Team::Red);
    let refusal = "You cannot join BLU now. The win chances would be RED 30 %, BLU 70 %.";
    assert!(bed.hears(index, refusal));
    assert_eq!(bed.client(index).deaths, 0);
    bed.join(index, Team::Spectator);
    bed.leave(bed.team(Team::Red)[0]);
    bed.join(index, Team::Blue);
    bed.pass(1.0).await;
    let team = bed.client(index).team;
    assert_eq!(team, Team::Spectator, "nor from the spectators");
    let noted = &app.get("/v1/admin/interventions").await["interventions"];
    assert_eq!(noted, &json!([]), "questions are no interventions");
    bed.set("rbs_stack_guard", "0");
    // The game ignores a second choice within two seconds.
    bed.pass(1.5).await;
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Blue, "off");
}

async fn changes_that_even_the_teams_are_allowed(app: &App) {
    let mut bed = guarded(app, 6, 4).await;
    let asked = bed.requests("/v1/balance").len();
    let index = bed.team(Team::Red)[0];
    bed.join(index, Team::Blue);
    assert_eq!(bed.client(index).team, Team::Blue, "to the smaller team");
    let new = bed.connect(60);
    bed.join(new, Team::Spectator);
    bed.pass(2.5).await;
    bed.leave(bed.team(Team::Red)[0]);
    bed.join(new, Team::Red);
    let team = bed.client(new).team;
    assert_eq!(team, Team::Red, "from the spectators to the smaller team");
    let requests = bed.requests("/v1/balance").len();
    assert_eq!(requests, asked, "nobody has to ask");
    let next = bed.connect(61);
    bed.join(next, Team::Red);
    assert_eq!(bed.client(next).team, Team::None, "6 v 5 is asked about");
    bed.pass(1.0).await;
    assert_eq!(bed.client(next).team, Team::Red, "and below the limit");
    bed.pass(2.0).await;
    let index = bed.team(Team::Red)[0];
    bed.join(index, Team::Blue);
    bed.pass(1.0).await;
    let team = bed.client(index).team;
    assert_eq!(team, Team::Blue, "5 v 6 is as even as 6 v 5");
}

async fn no_other_word_passes_the_guard(app: &App) {
    let mut bed = guarded(app, 16, 16).await;
    let index = bed.team(Team::Blue)[0];
    for command in ["jointeam spec", "jointeam x", "jointeam auto", "autoteam"] {
        bed.enter_command(index, command);
        bed.pass(1.0).await;
        assert_eq!(bed.client(index).team, Team::Blue, "{command}");
    }
}

async fn without_an_answer_every_change_is_allowed(app: &App) {
    for trouble in [Trouble::Away, Trouble::Slow(20.0), Trouble::Page(403)] {
        let mut bed = guarded(app, 5, 5).await;
        bed.trouble(trouble.clone());
        let index = bed.team(Team::Red)[0];
        bed.join(index, Team::Blue);
        bed.pass(2.5).await;
        assert_eq!(bed.client(index).team, Team::Blue, "{trouble:?}");
    }
}
