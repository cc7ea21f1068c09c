use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::list::{InterventionView, ROUND_WITHIN, views};
use crate::api::{
    AheadAnswer, InterventionDayAnswer, InterventionOddsAnswer, InterventionResult,
    InterventionRoundsAnswer, InterventionSummaryAnswer, PolicyCountAnswer, RuleCountAnswer,
};
use crate::domain::{PolicyName, PoolName, Probability, Side, Timestamp};
use crate::service::{Pool, Service, ServiceError};
use crate::store::InterventionFilter;

const DAY: Duration = Duration::from_hours(24);

/// Odds with which a round is close.
const CLOSE: RangeInclusive<f64> = 0.4..=0.6;

impl Service {
    /// How many interventions a summary counts at most: all that a busy site has in a month, and not
    /// more than a database tells at once.
    pub const MOST_SUMMED_UP: u32 = 5000;

    /// What the pool's interventions of the last `days` days come to, in UTC; the last day is the one
    /// that it is now. Of more than [`Self::MOST_SUMMED_UP`] only the latest count.
    pub async fn intervention_summary(
        &self,
        pool: &Pool,
        days: u32,
    ) -> Result<InterventionSummaryAnswer, ServiceError> {
        self.sum_up_latest_interventions(pool, days, Self::MOST_SUMMED_UP)
            .await
    }

    /// The same where only the latest `at_most` count.
    pub async fn sum_up_latest_interventions(
        &self,
        pool: &Pool,
        days: u32,
        at_most: u32,
    ) -> Result<InterventionSummaryAnswer, ServiceError> {
        let now = self.clock.now();
        let into_day = now.unix_micros().rem_euclid(micros(DAY)).unsigned_abs();
        let today = now.earlier(Duration::from_micros(into_day));
        let from = today.days_earlier(days.saturating_sub(1));
        let filter = InterventionFilter { server: None, from };
        let mut tx = self.store.begin_read().await?;
        let mut found = tx
            .list_interventions(pool.id, &filter, None, ROUND_WITHIN, at_most + 1)
            .await?;
        let complete = found.len() <= at_most as usize;
        found.truncate(at_most as usize);
        let views = views(&mut tx, pool.id, found).await?;
        drop(tx);
        Ok(InterventionSummaryAnswer {
            complete,
            at_most,
            ..summed_up(&pool.name, from, days, &views)
        })
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

fn day_without(from: Timestamp) -> InterventionDayAnswer {
    InterventionDayAnswer {
        from,
        interventions: 0,
        moved: 0,
        filled: 0,
        nothing_helps: 0,
    }
}

fn count(day: &mut InterventionDayAnswer, result: InterventionResult) {
    day.interventions += 1;
    let counted = match result {
        InterventionResult::Moved => &mut day.moved,
        InterventionResult::Filled => &mut day.filled,
        InterventionResult::NothingHelps => &mut day.nothing_helps,
    };
    *counted += 1;
}

/// The summary of all these, which are complete.
fn summed_up(
    pool: &PoolName,
    from: Timestamp,
    days: u32,
    views: &[InterventionView],
) -> InterventionSummaryAnswer {
    let mut all = day_without(from);
    let mut by_day: Vec<InterventionDayAnswer> = (0..days)
        .map(|day| day_without(from.later(DAY * day)))
        .collect();
    let mut rules: BTreeMap<&str, u32> = BTreeMap::new();
    let mut policies: BTreeMap<&PolicyName, u32> = BTreeMap::new();
    let mut moved_players = 0;
    for view in views {
        let answered = &view.kept.answered;
        count(&mut all, view.result);
        let day = by_day.iter_mut().rev();
        if let Some(day) = day.into_iter().find(|day| day.from <= answered.asked_at) {
            count(day, view.result);
        }
        for reason in &answered.reasons {
            *rules.entry(&reason.rule).or_default() += 1;
        }
        *policies.entry(&view.policy).or_default() += 1;
        moved_players += u32::try_from(answered.moves.len()).unwrap_or(u32::MAX);
    }
    // They come by name, and the sorts keep that among equals.
    let rules = rules.into_iter();
    let mut by_rule: Vec<RuleCountAnswer> = rules
        .map(|(rule, interventions)| RuleCountAnswer {
            rule: rule.to_owned(),
            interventions,
        })
        .collect();
    by_rule.sort_by_key(|counted| u32::MAX - counted.interventions);
    let policies = policies.into_iter();
    let mut by_policy: Vec<PolicyCountAnswer> = policies
        .map(|(policy, interventions)| PolicyCountAnswer {
            policy: policy.clone(),
            interventions,
        })
        .collect();
    by_policy.sort_by_key(|counted| u32::MAX - counted.interventions);
    let moved: Vec<&InterventionView> = views
        .iter()
        .filter(|view| view.result == InterventionResult::Moved)
        .collect();
    let from_even = |odds: Probability| (odds.get() - 0.5).abs();
    InterventionSummaryAnswer {
        pool: pool.clone(),
        from,
        days,
        complete: true,
        at_most: Service::MOST_SUMMED_UP,
        interventions: all.interventions,
        moved: all.moved,
        filled: all.filled,
        nothing_helps: all.nothing_helps,
        moved_players,
        by_day,
        by_rule,
        by_policy,
        odds: InterventionOddsAnswer {
            before: mean(moved.iter().map(|view| from_even(odds_before(view)))),
            after: mean(moved.iter().map(|view| from_even(odds_after(view)))),
        },
        rounds: rounds(&moved),
    }
}

fn rounds(moved: &[&InterventionView]) -> InterventionRoundsAnswer {
    let known = moved
        .iter()
        .filter_map(|view| Some((*view, view.round.as_ref()?)));
    let is_close = |odds: Probability| CLOSE.contains(&odds.get());
    // Of even teams none is ahead.
    let ahead = known.clone().filter_map(|(view, round)| {
        let odds = odds_before(view);
        let side = match odds.get() {
            odds if odds > 0.5 => Side::A,
            odds if odds < 0.5 => Side::B,
            _ => return None,
        };
        let score = f64::from(round.winner.score(side).halves()) / 2.0;
        let after = odds_after(view).of(side).get();
        Some((score, odds.of(side).get(), after))
    });
    let ahead: Vec<(f64, f64, f64)> = ahead.collect();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    InterventionRoundsAnswer {
        known: count(known.clone().count()),
        close: count(
            known
                .clone()
                .filter(|(_, round)| is_close(round.win_probability))
                .count(),
        ),
        close_before: count(
            known
                .filter(|(view, _)| is_close(odds_before(view)))
                .count(),
        ),
        ahead: AheadAnswer {
            interventions: count(ahead.len()),
            score: mean(ahead.iter().map(|(score, ..)| *score)),
            predicted_before: mean(ahead.iter().map(|(_, before, _)| *before)),
            predicted_after: mean(ahead.iter().map(|(.., after)| *after)),
        },
    }
}

fn odds_before(view: &InterventionView) -> Probability {
    view.kept.answered.before.win_probability_a
}

fn odds_after(view: &InterventionView) -> Probability {
    view.kept.answered.after.win_probability_a
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = figures.fold((0.0, 0_u32), |(sum, count), figure| {
        (sum + figure, count + 1)
    });
    (count > 0).then(|| sum / f64::from(count))
}
