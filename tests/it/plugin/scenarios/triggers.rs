//! Automatic scrambles: each trigger just below and above its threshold, for each mode.

use super::{begin_next, scrambles};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};
use sourcemod_bed::sourcemod::forwards::Pushed;

same_on_both_databases![
    arena_before_the_second_round_and_after_a_streak,
    untouched_losers_where_nobody_attacks,
    attackers_without_a_point_and_every_second_round,
    when_waiting_for_players_ends,
    a_restart_without_waiting_scrambles_nobody,
    the_gap_between_two_scrambles,
    too_few_players_and_switched_off,
];

/// Reason codes of the plugin.
const SECOND: i32 = 1;
const STREAK: i32 = 2;
const UNTOUCHED: i32 = 3;
const ROUNDS: i32 = 4;
const WAITING: i32 = 5;

pub async fn server(app: &App, mode: Mode, players: u32) -> Bed {
    let mut bed = Bed::start(app, mode).await;
    bed.set("rbs_balance", "0");
    bed.set("rbs_place", "0");
    bed.fill(1, players);
    bed.pass(2.0).await;
    bed
}

/// Reasons of all scrambles so far.
pub fn due(bed: &Bed) -> Vec<i32> {
    forwarded(bed, "RBS_OnScrambleDue")
        .into_iter()
        .map(|given| given[0])
        .collect()
}

/// Arguments of a forward's calls so far.
pub fn forwarded(bed: &Bed, forward: &str) -> Vec<Vec<i32>> {
    let heard = bed.plugin().host.forwards.heard.iter();
    let heard = heard.filter(|(name, _)| name == forward);
    let cell = |given: &Pushed| match given {
        Pushed::Cell(cell) => *cell,
        other => panic!("{other:?} is no cell"),
    };
    heard
        .map(|(_, given)| given.iter().map(cell).collect())
        .collect()
}

/// Plays a round in which the losers score `losers_points` points.
async fn round(bed: &mut Bed, win: Win, losers_points: usize) {
    bed.begin_live_round().await;
    bed.pass(20.0).await;
    for _ in 0..losers_points {
        bed.capture_point(win.team.other());
    }
    bed.capture_point(win.team);
    bed.pass(20.0).await;
    bed.end_round(win);
    bed.pass(15.0).await;
}

async fn arena_before_the_second_round_and_after_a_streak(app: &App) {
    let mut bed = server(app, Mode::Arena, 8).await;
    round(&mut bed, Win::of(Team::Red), 0).await;
    assert_eq!(due(&bed), [SECOND]);
    assert_eq!(scrambles(&bed), 0, "not before the next round begins");
    round(&mut bed, Win::of(Team::Blue), 0).await;
    assert_eq!(scrambles(&bed), 1);
    round(&mut bed, Win::of(Team::Blue), 0).await;
    assert_eq!(due(&bed), [SECOND], "two wins are no streak of three");
    round(&mut bed, Win::of(Team::Blue), 0).await;
    assert_eq!(due(&bed), [SECOND, STREAK]);
    round(&mut bed, Win::of(Team::Blue), 0).await;
    assert_eq!(scrambles(&bed), 2);
    let (red, blue) = (Team::Red, Team::Blue);
    for winner in [blue, red, red, Team::None, red] {
        round(&mut bed, Win::of(winner), 0).await;
    }
    let ends = "another winner and a draw end a streak";
    assert_eq!(due(&bed), [SECOND, STREAK], "{ends}");
    bed.set("rbs_scramble_streak", "0");
    round(&mut bed, Win::of(Team::Red), 0).await;
    round(&mut bed, Win::of(Team::Red), 0).await;
    assert_eq!(due(&bed), [SECOND, STREAK], "0 is for never");
    bed.set("rbs_scramble_streak", "1");
    round(&mut bed, Win::of(Team::Blue), 0).await;
    assert_eq!(due(&bed), [SECOND, STREAK, STREAK]);
    bed.change_map_and_teams(Mode::Arena).await;
    bed.set("rbs_scramble_second", "0");
    round(&mut bed, Win::of(Team::Red), 0).await;
    assert_eq!(due(&bed), [SECOND, STREAK, STREAK], "0 is for never");
}

async fn untouched_losers_where_nobody_attacks(app: &App) {
    for mode in [Mode::Koth, Mode::FivePoints, Mode::PayloadRace] {
        let mut bed = server(app, mode, 6).await;
        round(&mut bed, Win::of(Team::Red), 1).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}: the losers took a point");
        round(&mut bed, Win::of(Team::None), 0).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}: a draw has no losers");
        round(&mut bed, Win::of(Team::Blue), 0).await;
        assert_eq!(due(&bed), [UNTOUCHED], "{mode:?}");
    }
    let mut bed = server(app, Mode::Ctf, 6).await;
    for (flags, expected) in [(1, vec![]), (0, vec![UNTOUCHED])] {
        bed.begin_round();
        bed.open_doors();
        bed.fight();
        for _ in 0..flags {
            let loser = bed.team(Team::Blue)[0];
            bed.capture_flag(loser);
        }
        bed.pass(30.0).await;
        bed.end_round(Win::of(Team::Red).because(3));
        bed.pass(15.0).await;
        assert_eq!(due(&bed), expected, "the losers took {flags} flags");
    }
    let mut bed = server(app, Mode::Koth, 6).await;
    bed.set("rbs_scramble_untouched", "0");
    round(&mut bed, Win::of(Team::Red), 0).await;
    assert_eq!(due(&bed), [0; 0]);
}

async fn attackers_without_a_point_and_every_second_round(app: &App) {
    for mode in [Mode::AttackDefend, Mode::Payload] {
        let mut bed = server(app, mode, 6).await;
        bed.set("rbs_scramble_rounds", "0");
        round(&mut bed, Win::of(Team::Red).because(4), 1).await;
        round(&mut bed, Win::of(Team::Blue), 0).await;
        round(&mut bed, Win::of(Team::Red).because(1), 0).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}");
        round(&mut bed, Win::of(Team::Red).because(4), 0).await;
        assert_eq!(due(&bed), [UNTOUCHED], "{mode:?}: out of time with nothing");
        let mut bed = server(app, mode, 6).await;
        round(&mut bed, Win::of(Team::Blue), 1).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}: one full round");
        round(&mut bed, Win::of(Team::Blue).of_stage(), 1).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}: a stage is no full round");
        round(&mut bed, Win::of(Team::Blue), 1).await;
        assert_eq!(due(&bed), [ROUNDS], "{mode:?}: two full rounds");
    }
}

async fn when_waiting_for_players_ends(app: &App) {
    for (mode, expected) in [
        (Mode::Koth, vec![WAITING]),
        (Mode::Payload, vec![WAITING]),
        (Mode::Arena, vec![]),
    ] {
        let mut bed = server(app, mode, 10).await;
        let before = bed.accounts(Team::Red);
        bed.wait_for_players().await;
        assert_eq!(due(&bed), expected, "{mode:?}");
        bed.pass(4.0).await;
        let moved = bed.accounts(Team::Red) != before;
        assert_eq!(moved, !expected.is_empty(), "{mode:?}");
        assert_eq!(scrambles(&bed), expected.len(), "{mode:?}");
    }
    let mut bed = server(app, Mode::Koth, 6).await;
    bed.set("rbs_scramble_waiting", "0");
    bed.wait_for_players().await;
    assert_eq!(due(&bed), [0; 0]);
}

async fn a_restart_without_waiting_scrambles_nobody(app: &App) {
    let mut bed = server(app, Mode::Koth, 6).await;
    bed.begin_round();
    bed.pass(5.0).await;
    bed.open_doors();
    bed.pass(20.0).await;
    bed.restart_game();
    bed.pass(5.0).await;
    assert_eq!(due(&bed), [0; 0]);
}

async fn the_gap_between_two_scrambles(app: &App) {
    for (gap, rounds_without) in [("0", 0), ("1", 1), ("2", 2)] {
        let mut bed = server(app, Mode::Koth, 6).await;
        bed.set("rbs_scramble_gap", "0");
        round(&mut bed, Win::of(Team::Red), 0).await;
        assert_eq!(due(&bed), [UNTOUCHED]);
        bed.set("rbs_scramble_gap", gap);
        for _ in 0..rounds_without {
            round(&mut bed, Win::of(Team::Red), 0).await;
        }
        assert_eq!(due(&bed).len(), 1, "a gap of {gap}");
        round(&mut bed, Win::of(Team::Red), 0).await;
        assert_eq!(due(&bed).len(), 2, "a gap of {gap}");
    }
}

async fn too_few_players_and_switched_off(app: &App) {
    let mut bed = server(app, Mode::Koth, 6).await;
    bed.set("rbs_scramble", "0");
    round(&mut bed, Win::of(Team::Red), 0).await;
    assert_eq!(due(&bed), [0; 0]);
    bed.set("rbs_scramble", "1");
    bed.set("rbs_scramble_least_players", "7");
    round(&mut bed, Win::of(Team::Red), 0).await;
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 0, "six are fewer than seven");
    bed.set("rbs_scramble_least_players", "6");
    round(&mut bed, Win::of(Team::Red), 1).await;
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 1, "a scramble stays due until it is made");
}
