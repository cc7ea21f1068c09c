//! Duels, which end if both players are on one team: balance and scrambles leave duellists on their teams.

use super::triggers::{forwarded, server};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![balance_spares_duellists, scrambles_leave_duellists,];

/// Lets that number of pairs fight a duel, and returns the duellists with their teams.
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
    // The pool of undeclared servers, which has the default policy.
    let mut bed = Bed::start_as("koth-1", app, Mode::Koth).await;
    bed.set("rbs_balance_immunity", "0");
    bed.fill(1, 16);
    bed.pass(2.0).await;
    bed.begin_round();
    bed.open_doors();
    bed.pass(10.0).await;
    let duellists = begin_duels(&mut bed, 4);
    for index in bed.team(Team::Red)[4..].to_vec() {
        bed.leave(index);
    }
    bed.pass(30.0).await;
    let sizes = (bed.team(Team::Red).len(), bed.team(Team::Blue).len());
    assert_eq!(sizes, (6, 6));
    assert_goes_on(&bed, &duellists);
}

async fn scrambles_leave_duellists(app: &App) {
    let mut bed = server(app, Mode::Koth, 10).await;
    let duellists = begin_duels(&mut bed, 3);
    let before = bed.accounts(Team::Red);
    bed.play(Win::of(Team::Red), 30.0).await;
    bed.begin_round();
    bed.pass(4.0).await;
    assert_eq!(forwarded(&bed, "RBS_OnScrambled").len(), 1);
    assert_goes_on(&bed, &duellists);
    let sizes = (bed.team(Team::Red).len(), bed.team(Team::Blue).len());
    assert_eq!(sizes, (5, 5));
    assert_ne!(bed.accounts(Team::Red), before, "the others are scrambled");
}
