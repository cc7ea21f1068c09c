//! Findings about servers and players beside the predictions, each in a sentence.

use super::recent::RecentRounds;
use crate::api::{
    ClockAnswer, CopiesAnswer, HabitAnswer, NamedPlayerAnswer, OneSidedAnswer, OneSidedCountAnswer,
    OneSidedMeasureAnswer,
};
use crate::domain::PoolName;
use crate::rating::{
    Habit, NamedHabit, OneSided, OneSidedCount, one_sided_by_length, one_sided_by_scoreboard,
};
use crate::service::phrases::{duration, plural};
use crate::service::players::names::Names;

pub(super) fn copies(recent: &RecentRounds, pool: &PoolName) -> Vec<CopiesAnswer> {
    let reported = recent.copies().into_iter();
    reported
        .map(|(server, rounds)| {
            let sent = plural(rounds, "round", "rounds");
            let message = format!(
                "the server {server} sent {sent} a second time under another id: map, winner and players were equal, and \
                 the ends at most 15 seconds apart. Update or remove what sends them twice, then void the copies: \
                 rbs rounds void --copies --server {server} --pool {pool} --since 365d --reason 'sent twice'"
            );
            CopiesAnswer {
                server: server.clone(),
                rounds,
                message,
            }
        })
        .collect()
}

pub(super) fn clocks(recent: &RecentRounds) -> Vec<ClockAnswer> {
    let behind = recent.clocks_behind().map(|(server, behind)| ClockAnswer {
        server: server.clone(),
        behind_seconds: behind.as_secs(),
        message: format!(
            "the clock of the server {server} is {} behind, or its rounds arrive that late: set the clock (NTP), and \
             check the plugin's queue",
            duration(behind)
        ),
    });
    behind.collect()
}

pub(super) fn habits(found: &[NamedHabit], names: &Names) -> Vec<HabitAnswer> {
    found.iter().map(|one| habit(one, names)).collect()
}

fn habit(found: &NamedHabit, names: &Names) -> HabitAnswer {
    let players: Vec<NamedPlayerAnswer> = found
        .players
        .iter()
        .map(|id| NamedPlayerAnswer {
            id: *id,
            name: names.of_player(*id),
        })
        .collect();
    let listed: Vec<String> = players
        .iter()
        .map(|player| match &player.name {
            Some(name) => name.to_string(),
            None => player.id.to_string(),
        })
        .collect();
    let listed = listed.join(", ");
    let NamedHabit { rounds, shown, .. } = found;
    let message = match found.habit {
        Habit::ShareTeam => format!(
            "{listed} were on one team in {shown} of {rounds} rounds with new teams, far more often than scrambles put \
             players together: fine for a party, otherwise check how they get onto one team"
        ),
        Habit::LeaveWhenLosing => format!(
            "{listed} left {shown} of {rounds} lost rounds early, and seldom leaves a won one"
        ),
        Habit::AboveRating => format!(
            "{listed} is new and was in the upper third of the scoreboard in {shown} of {rounds} rounds: perhaps a second \
             account; set the rating if you know the player"
        ),
    };
    HabitAnswer {
        kind: found.habit,
        players,
        rounds: *rounds,
        shown: *shown,
        message,
    }
}

pub(super) fn one_sided(recent: &RecentRounds) -> OneSidedAnswer {
    OneSidedAnswer {
        by_scoreboard: measure(one_sided_by_scoreboard(recent.rounds())),
        by_length: measure(one_sided_by_length(recent.rounds())),
    }
}

fn measure(found: OneSided) -> OneSidedMeasureAnswer {
    let count = |of: OneSidedCount| OneSidedCountAnswer {
        rounds: of.rounds,
        one_sided: of.one_sided,
        share: of.share(),
    };
    let difference = found.difference();
    OneSidedMeasureAnswer {
        scrambled: count(found.scrambled),
        others: count(found.others),
        difference: difference.map(|(difference, _)| difference),
        low: difference.map(|(difference, reach)| difference - reach),
        high: difference.map(|(difference, reach)| difference + reach),
    }
}
