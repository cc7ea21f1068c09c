//! Findings about servers and players beside the predictions, each in a sentence.

use std::collections::HashSet;

use super::recent::RecentRounds;
use crate::api::{
    ClockAnswer, CommunityAnswer, CopiesAnswer, HabitAnswer, NamedPlayerAnswer, OneSidedAnswer,
    OneSidedCountAnswer, OneSidedMeasureAnswer,
};
use crate::domain::{PlayerId, PoolName, Timestamp};
use crate::rating::{
    Habit, NamedHabit, OneSided, OneSidedCount, mean, number, one_sided_by_length,
    one_sided_by_scoreboard,
};
use crate::service::phrases::{duration, plural};
use crate::service::players::names::Names;

pub(super) fn copies(recent: &RecentRounds, pool: &PoolName) -> Vec<CopiesAnswer> {
    let reported = recent.copies().into_iter();
    reported
        .map(|(server, rounds)| {
            let sent = plural(rounds, "round", "rounds");
            let message = format!(
                "the server {server} sent {sent} a second time under another id: map, winner and players were the \
                 same, and the end times were at most 15 seconds apart. Update or remove the plugin or script that \
                 sends rounds twice, then void the copies: \
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

pub(super) fn habit(found: &NamedHabit, names: &Names) -> HabitAnswer {
    let players: Vec<NamedPlayerAnswer> = found
        .players
        .iter()
        .map(|id| NamedPlayerAnswer {
            id: *id,
            name: names.of_player(*id),
        })
        .collect();
    let listed = players
        .iter()
        .map(|player| match &player.name {
            Some(name) => name.to_string(),
            None => player.id.to_string(),
        })
        .collect::<Vec<String>>()
        .join(", ");
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
        by_scoreboard: measure(one_sided_by_scoreboard(&recent.rounds)),
        by_length: measure(one_sided_by_length(&recent.rounds)),
    }
}

/// Returns how even the matches are, how many people play, and how long players wait, at time `now`. The shares of
/// uneven rounds cover the last `window` rounds.
pub(super) fn community(recent: &RecentRounds, window: u32, now: Timestamp) -> CommunityAnswer {
    let (rounds, logged) = (&recent.rounds, &recent.logged);
    let latest = &rounds[rounds.len().saturating_sub(window as usize)..];
    let beyond_even = |least: f64| {
        let beyond = |probability: f64| (probability - 0.5).abs() > least;
        let uneven = latest.iter().filter(|one| beyond(one.predicted.get()));
        mean(number(uneven.count() as u64), latest.len() as u64)
    };
    let players = |from: u32, to: u32| {
        let (from, to) = (now.days_earlier(from), now.days_earlier(to));
        let is_known = recent.cut == 0 || logged.first().is_some_and(|(_, end, _)| *end < from);
        let played = logged.iter().zip(rounds.iter());
        let ids: HashSet<PlayerId> = played
            .filter(|((_, end, _), _)| from < *end && *end <= to)
            .flat_map(|(_, round)| round.players.iter().map(|player| player.id))
            .collect();
        is_known.then_some(ids.len() as u64)
    };
    let waits: Vec<u32> = logged.iter().flat_map(|of| of.2.clone()).collect();
    let waited: u32 = waits.iter().sum();
    CommunityAnswer {
        rounds: latest.len() as u64,
        over_60: beyond_even(0.1),
        over_70: beyond_even(0.2),
        players_this_week: players(7, 0),
        players_last_week: players(14, 7),
        turns: waits.len() as u64,
        waited_rounds: mean(waited.into(), waits.len() as u64),
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
