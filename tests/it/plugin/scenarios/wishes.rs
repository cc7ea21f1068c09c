//! Preferred colors, players who keep their team, the setup timer after a scramble, and the commands for ranks.

use super::triggers::server;
use super::{scrambles, until_scrambled};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_color_that_more_players_prefer_is_taken,
    a_preference_never_changes_who_plays_together,
    admins_with_the_override_keep_their_team,
    medics_and_engineers_keep_their_team_if_the_server_wants_that,
    a_scramble_during_the_setup_starts_it_again,
    a_player_asks_for_the_rank_and_the_leaderboard,
];

/// Ends a round with a scramble due, and begins the next round, which scrambles.
async fn scramble(bed: &mut Bed) {
    until_scrambled(bed).await;
    assert!(scrambles(bed) > 0);
}

async fn the_color_that_more_players_prefer_is_taken(app: &App) {
    for (wish, team) in [
        ("red", Team::Red),
        ("blue", Team::Blue),
        ("BLU", Team::Blue),
    ] {
        let mut bed = server(app, Mode::Koth, 8).await;
        let player = bed.team(Team::Red)[0];
        bed.say(player, &format!("!prefer {wish}"));
        assert!(bed.hears(player, "you will play for"));
        for _ in 0..3 {
            scramble(&mut bed).await;
            assert_eq!(bed.client(player).team, team, "{wish}");
            bed.open_doors();
        }
    }
    let mut bed = server(app, Mode::Koth, 8).await;
    let player = bed.team(Team::Red)[0];
    bed.say(player, "!prefer green");
    assert!(bed.hears(player, "Usage"));
    bed.say(player, "!prefer none");
    assert!(bed.hears(player, "no preferred team"));
}

async fn a_preference_never_changes_who_plays_together(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let (red, blue) = (bed.team(Team::Red), bed.team(Team::Blue));
    for (players, wish) in [(&red, "red"), (&blue, "blue")] {
        for player in players {
            bed.say(*player, &format!("!prefer {wish}"));
        }
    }
    scramble(&mut bed).await;
    let after = [bed.team(Team::Red), bed.team(Team::Blue)];
    assert_eq!(after.each_ref().map(Vec::len), [4, 4]);
    assert_ne!(after, [red, blue], "friends of a color stay together");
}

async fn admins_with_the_override_keep_their_team(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    let red = bed.team(Team::Red);
    for index in &red {
        bed.client_mut(*index).flags = 1 << 2;
    }
    scramble(&mut bed).await;
    assert_ne!(bed.team(Team::Red), red, "nobody is exempt at first");
    let mut bed = server(app, Mode::Koth, 8).await;
    let overrides = &mut bed.plugin_mut().host.commands.overrides;
    overrides.insert("rbs_scramble_immunity".to_owned(), 1 << 2);
    let (admin, other) = (bed.team(Team::Red)[1], bed.team(Team::Blue)[2]);
    bed.client_mut(admin).flags = 1 << 2;
    bed.client_mut(other).flags = 1 << 2;
    let teams = [bed.team(Team::Red), bed.team(Team::Blue)];
    bed.heard(admin);
    let mut told = false;
    for _ in 0..3 {
        scramble(&mut bed).await;
        assert_eq!(bed.client(admin).team, Team::Red);
        assert_eq!(bed.client(other).team, Team::Blue);
        told |= bed.hears(admin, "keep their team");
        bed.open_doors();
    }
    assert!(told, "players see why the odds are not told");
    let after = [bed.team(Team::Red), bed.team(Team::Blue)];
    assert_eq!(after.each_ref().map(Vec::len), [4, 4]);
    assert_ne!(after, teams, "the others change teams");
}

async fn medics_and_engineers_keep_their_team_if_the_server_wants_that(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.set("rbs_scramble_keep", "1");
    let (medic, engineer) = (bed.team(Team::Red)[0], bed.team(Team::Blue)[0]);
    bed.make_medic(medic, 0.7);
    bed.make_engineer(engineer, "obj_dispenser");
    bed.begin_round();
    bed.open_doors();
    for _ in 0..4 {
        bed.console("sm_rbs_scramble now");
        bed.pass(4.0).await;
        assert_eq!(bed.client(medic).team, Team::Red);
        assert_eq!(bed.client(engineer).team, Team::Blue);
    }
    assert_eq!(scrambles(&bed), 4);
    let red = bed.team(Team::Red);
    for player in &red {
        bed.make_medic(*player, 0.7);
    }
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    assert_eq!(bed.team(Team::Red), red, "a whole team of charged medics");
    bed.set("rbs_scramble_keep", "0");
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    assert_ne!(bed.team(Team::Red), red, "the setting is off");
}

async fn a_scramble_during_the_setup_starts_it_again(app: &App) {
    let mut bed = server(app, Mode::Payload, 8).await;
    let players = bed.players().into_iter();
    let guns: Vec<i32> = players.map(|player| bed.make_medic(player, 0.4)).collect();
    bed.begin_round();
    let mut timers = bed.plugin().host.game.entities.iter();
    let timer = timers.find(|(_, entity)| entity.class == "team_round_timer");
    let timer = *timer.expect("a timer").0;
    bed.pass(40.0).await;
    bed.console("sm_rbs_scramble now");
    bed.pass(2.0).await;
    assert_eq!(scrambles(&bed), 1);
    let game = &bed.plugin().host.game;
    let left = game.entities[&timer].reals["m_flTimerEndTime"] - game.time();
    assert!((55.0..=60.0).contains(&left), "{left} seconds are left");
    for gun in guns {
        let charge = game.entities[&gun].reals["m_flChargeLevel"];
        assert_eq!(charge, 0.4, "charges are kept");
    }
    bed.open_doors();
    bed.pass(30.0).await;
    bed.console("sm_rbs_scramble now");
    bed.pass(2.0).await;
    let game = &bed.plugin().host.game;
    let left = game.entities[&timer].reals["m_flTimerEndTime"] - game.time();
    let goes_on = (500.0..570.0).contains(&left);
    assert!(goes_on, "after the setup the timer goes on: {left}");
}

async fn a_player_asks_for_the_rank_and_the_leaderboard(app: &App) {
    let mut bed = server(app, Mode::Koth, 4).await;
    let player = bed.team(Team::Red)[0];
    bed.heard(player);
    bed.say(player, "!rank");
    bed.pass(1.0).await;
    let told = bed.heard(player);
    assert!(told.iter().any(|line| line.contains("rating")), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("http")), "{told:?}");
    bed.say(player, "!top");
    bed.pass(1.0).await;
    assert!(bed.hears(player, "Nobody has a rank yet"));
    bed.set("rbs_page", "https://rbs.example.org/");
    for _ in 0..12 {
        bed.play(Win::of(Team::Red), 30.0).await;
    }
    bed.heard(player);
    bed.say(player, "!top");
    bed.pass(1.0).await;
    let link = "https://rbs.example.org/leaderboard?pool=";
    assert!(bed.hears(player, link));
    bed.say(player, "!rank");
    bed.pass(1.0).await;
    let own = format!("&search={}", bed.client(player).steam64());
    assert!(bed.hears(player, &own));
    bed.trouble(Trouble::Away);
    bed.say(player, "!top");
    bed.pass(1.0).await;
    assert!(bed.hears(player, "does not answer"));
}
