//! Players to whom the game gives a team, because of `mp_forceautoteam`.

use super::super::balance::{live, live_with};
use super::moves::moved;
use crate::support::App;
use sourcemod_bed::game::Team;

same_on_both_databases![
    the_service_places_whoever_the_game_would_place,
    a_locked_player_comes_back_to_the_locked_team,
];

async fn the_service_places_whoever_the_game_would_place(app: &App) {
    let mut bed = live_with(app, 5, 3, "0").await;
    let first = bed.connect(50);
    bed.enter_command(first, "team_ui_setup");
    bed.pass(2.0).await;
    assert_eq!(bed.requests("/v1/place").len(), 0);
    let team = bed.client(first).team;
    assert_eq!(team, Team::None, "the game shows its menu");
    bed.set("mp_forceautoteam", "1");
    for (place, command) in [
        (1, "show_motd"),
        (2, "closedwelcomemenu"),
        (3, "team_ui_setup"),
    ] {
        let index = bed.connect(50 + place);
        bed.enter_command(index, command);
        let team = bed.client(index).team;
        assert_eq!(team, Team::None, "{command}: the player is held");
        bed.pass(2.0).await;
        assert!(bed.client(index).team.plays(), "{command}");
        let asked = bed.requests("/v1/place").len();
        assert_eq!(asked, place as usize, "{command}");
        let team = bed.client(index).team;
        bed.enter_command(index, "closedwelcomemenu");
        assert_eq!(bed.client(index).team, team, "whoever has a team keeps it");
    }
}

async fn a_locked_player_comes_back_to_the_locked_team(app: &App) {
    for place in ["0", "1"] {
        let mut bed = live(app, 6, 6).await;
        bed.set("rbs_place", place);
        let index = moved(&mut bed).await;
        bed.set("rbs_balance", "0");
        let account = bed.client(index).account;
        bed.leave(index);
        for other in 70..74 {
            bed.connect_to_team(other, Team::Red);
        }
        bed.set("mp_forceautoteam", "1");
        let index = bed.connect(account);
        bed.enter_command(index, "closedwelcomemenu");
        bed.pass(3.0).await;
        assert_eq!(bed.client(index).team, Team::Red, "rbs_place {place}");
        bed.leave(index);
        bed.set("mp_forceautoteam", "0");
        let index = bed.connect_unknown(account);
        bed.place(index, Team::Blue);
        bed.pass(1.0).await;
        bed.authorize(index);
        bed.pass(1.0).await;
        let team = bed.client(index).team;
        assert_eq!(team, Team::Red, "rbs_place {place}: Steam confirms late");
        bed.leave(index);
        let index = bed.connect_to_team(account, Team::Blue);
        bed.pass(1.0).await;
        let team = bed.client(index).team;
        assert_eq!(team, Team::Red, "rbs_place {place}: without a command");
    }
}
