use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::{ROUND_WITHIN, with_rounds};
use crate::api::{
    AheadAnswer, InterventionAnswer, InterventionCountsAnswer, InterventionDayAnswer,
    InterventionOddsAnswer, InterventionRoundsAnswer, InterventionSummaryAnswer, PolicyCountAnswer,
    RuleCountAnswer,
};
use crate::domain::{InterventionResult, Probability, Side};
use crate::service::quality::beginning;
use crate::service::{Pool, Service, ServiceError};
use crate::store::InterventionFilter;

const DAY: Duration = Duration::from_hours(24);

/// Win probabilities of team a at which a round counts as close.
const CLOSE: RangeInclusive<f64> = 0.4..=0.6;

impl Service {
    /// Summarizes the pool's interventions of the last `days` UTC days, including today. Considers only the latest
    /// `at_most` interventions.
    pub async fn intervention_summary(
        &self,
        pool: &Pool,
        days: u32,
        at_most: u32,
    ) -> Result<InterventionSummaryAnswer, ServiceError> {
        let from = beginning(DAY, self.clock.now()).days_earlier(days.saturating_sub(1));
        let filter = InterventionFilter { server: None, from };
        let mut tx = self.store.begin_read().await?;
        let mut found = tx
            .list_interventions(pool.id, &filter, None, ROUND_WITHIN, at_most + 1)
            .await?;
        let complete = found.len() <= at_most as usize;
        found.truncate(at_most as usize);
        let found = with_rounds(&mut tx, pool.id, found).await?;
        drop(tx);
        let moved: Vec<&InterventionAnswer> = found
            .iter()
            .filter(|one| one.result == InterventionResult::Moved)
            .collect();
        let players = moved.iter().map(|one| one.moves.len()).sum();
        let by_day = (0..days).map(|day| {
            let (from, to) = (from.later(DAY * day), from.later(DAY * (day + 1)));
            // Interventions with a time in the future, from a clock that is ahead, count on the last day.
            let is_in = |one: &&InterventionAnswer| {
                from <= one.first_asked_at && (one.first_asked_at < to || day + 1 == days)
            };
            let counts = counts(found.iter().filter(is_in));
            InterventionDayAnswer { from, counts }
        });
        let reasons = found.iter().flat_map(|one| &one.reasons);
        let rules = reasons.map(|reason| &reason.rule);
        let policies = found.iter().map(|one| &one.policy);
        Ok(InterventionSummaryAnswer {
            pool: pool.name.clone(),
            from,
            days,
            complete,
            at_most,
            counts: counts(found.iter()),
            moved_players: count(players),
            by_day: by_day.collect(),
            by_rule: most_frequent(rules, |rule, interventions| RuleCountAnswer {
                rule,
                interventions,
            }),
            by_policy: most_frequent(policies, |policy, interventions| PolicyCountAnswer {
                policy,
                interventions,
            }),
            odds: InterventionOddsAnswer {
                before: mean(moved.iter().map(|one| from_even(before(one)))),
                after: mean(moved.iter().map(|one| from_even(after(one)))),
            },
            rounds: rounds(&moved),
        })
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn counts<'all>(
    interventions: impl Iterator<Item = &'all InterventionAnswer>,
) -> InterventionCountsAnswer {
    let mut counts = InterventionCountsAnswer::default();
    for one in interventions {
        counts.interventions += 1;
        *match one.result {
            InterventionResult::Moved => &mut counts.moved,
            InterventionResult::Filled => &mut counts.filled,
            InterventionResult::NothingHelps => &mut counts.nothing_helps,
        } += 1;
    }
    counts
}

/// Counts equal items of a list, and calls `answer` with each distinct item and its count. Returns the results, most
/// frequent item first, equally frequent items in ascending order.
fn most_frequent<'all, T: Clone + Ord + 'all, Answer>(
    list: impl Iterator<Item = &'all T>,
    answer: impl Fn(T, u32) -> Answer,
) -> Vec<Answer> {
    let mut counts: BTreeMap<&T, u32> = BTreeMap::new();
    for item in list {
        *counts.entry(item).or_default() += 1;
    }
    let mut counts: Vec<(&T, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
        .into_iter()
        .map(|(item, count)| answer(item.clone(), count))
        .collect()
}

fn rounds(moved: &[&InterventionAnswer]) -> InterventionRoundsAnswer {
    let known = moved
        .iter()
        .filter_map(|one| Some((*one, one.round.as_ref()?)));
    let is_close = |odds: Probability| CLOSE.contains(&odds.get());
    // Even teams have no favourite.
    let ahead: Vec<(f64, f64, f64)> = known
        .clone()
        .filter_map(|(one, round)| {
            let side = match before(one).get() {
                odds if odds > 0.5 => Side::A,
                odds if odds < 0.5 => Side::B,
                _ => return None,
            };
            let score = f64::from(round.winner.score(side).halves()) / 2.0;
            Some((score, before(one).of(side).get(), after(one).of(side).get()))
        })
        .collect();
    let close = known
        .clone()
        .filter(|(_, round)| is_close(round.win_probability.a));
    let close_before = known.clone().filter(|(one, _)| is_close(before(one)));
    InterventionRoundsAnswer {
        known: count(known.count()),
        close: count(close.count()),
        close_before: count(close_before.count()),
        ahead: AheadAnswer {
            interventions: count(ahead.len()),
            score: mean(ahead.iter().map(|(score, ..)| *score)),
            predicted_before: mean(ahead.iter().map(|(_, before, _)| *before)),
            predicted_after: mean(ahead.iter().map(|(.., after)| *after)),
        },
    }
}

fn before(one: &InterventionAnswer) -> Probability {
    one.before.win_probability_a
}

fn after(one: &InterventionAnswer) -> Probability {
    one.after.win_probability_a
}

fn from_even(odds: Probability) -> f64 {
    (odds.get() - 0.5).abs()
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = figures.fold((0.0, 0_u32), |(sum, count), figure| {
        (sum + figure, count + 1)
    });
    (count > 0).then(|| sum / f64::from(count))
}
