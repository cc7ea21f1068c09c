use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::look_at_interventions::{InterventionView, ROUND_WITHIN, views};
use super::{Pool, Service, ServiceError};
use crate::domain::{Probability, Side, Timestamp};
use crate::store::InterventionFilter;
use crate::wire::{InterventionResult, PolicyName};

const DAY: Duration = Duration::from_hours(24);

/// Odds with which a round is close.
const CLOSE: RangeInclusive<f64> = 0.4..=0.6;

/// What the interventions of some days come to.
#[derive(Clone, Debug, PartialEq)]
pub struct InterventionSummary {
    /// When the first day begins.
    pub from: Timestamp,
    /// Whether all interventions of these days are counted; else only the latest of them.
    pub complete: bool,
    /// All of them, and what was answered.
    pub counts: InterventionDay,
    /// How many players were to change teams, each time that one was.
    pub moved_players: u32,
    /// Day by day, the oldest first.
    pub days: Vec<InterventionDay>,
    /// By rule, the most frequent first.
    pub rules: Vec<(String, u32)>,
    /// By policy, the most frequent first.
    pub policies: Vec<(PolicyName, u32)>,
    /// What moves were to do to the odds.
    pub odds: InterventionOdds,
    /// What became of the rounds in which there were moves.
    pub rounds: InterventionRounds,
}

/// How many interventions there were from some moment on, and what was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterventionDay {
    /// From when on.
    pub from: Timestamp,
    /// All.
    pub interventions: u32,
    /// Players were to change teams.
    pub moved: u32,
    /// Bots were to come or go.
    pub filled: u32,
    /// Nothing that is allowed balanced the teams.
    pub nothing_helps: u32,
}

/// The mean of |P - 0.5| where there were moves; `None` where there were none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InterventionOdds {
    /// As the teams stood.
    pub before: Option<f64>,
    /// Once everything is done.
    pub after: Option<f64>,
}

/// How the rounds ended in which there were moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InterventionRounds {
    /// Of how many interventions the round is known.
    pub known: u32,
    /// In how many of these it was counted with close odds.
    pub close: u32,
    /// In how many of these the odds were close before the moves.
    pub close_before: u32,
    /// The team that was ahead before the moves.
    pub ahead: AheadTeams,
}

/// How often the team won that was ahead before the moves; means, `None` where there was none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AheadTeams {
    /// Of how many interventions the round is known and one team was ahead.
    pub interventions: u32,
    /// Its score: 1 for a victory, 0.5 for a draw.
    pub score: Option<f64>,
    /// Its win probability as the teams stood.
    pub predicted_before: Option<f64>,
    /// Its win probability once everything is done.
    pub predicted_after: Option<f64>,
}

impl Service {
    /// How many interventions a summary counts at most: all that a busy site has in a month, and not
    /// more than a database tells at once.
    pub const MOST_SUMMED_UP: u32 = 5000;

    /// What the pool's interventions of the last `days` days come to, in UTC; the last day is the one
    /// that it is now. Of more than [`Self::MOST_SUMMED_UP`] only the latest count.
    ///
    /// # Errors
    /// The database's.
    pub async fn sum_up_interventions(
        &self,
        pool: &Pool,
        days: u32,
    ) -> Result<InterventionSummary, ServiceError> {
        self.sum_up_latest_interventions(pool, days, Self::MOST_SUMMED_UP)
            .await
    }

    /// The same where only the latest `at_most` count.
    ///
    /// # Errors
    /// The database's.
    pub async fn sum_up_latest_interventions(
        &self,
        pool: &Pool,
        days: u32,
        at_most: u32,
    ) -> Result<InterventionSummary, ServiceError> {
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
        Ok(InterventionSummary {
            complete,
            ..summed_up(from, days, &views)
        })
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl InterventionDay {
    fn new(from: Timestamp) -> Self {
        Self {
            from,
            interventions: 0,
            moved: 0,
            filled: 0,
            nothing_helps: 0,
        }
    }

    fn count(&mut self, result: InterventionResult) {
        self.interventions += 1;
        let counted = match result {
            InterventionResult::Moved => &mut self.moved,
            InterventionResult::Filled => &mut self.filled,
            InterventionResult::NothingHelps => &mut self.nothing_helps,
        };
        *counted += 1;
    }
}

fn summed_up(from: Timestamp, days: u32, views: &[InterventionView]) -> InterventionSummary {
    let mut counts = InterventionDay::new(from);
    let mut by_day: Vec<InterventionDay> = (0..days)
        .map(|day| InterventionDay::new(from.later(DAY * day)))
        .collect();
    let mut rules: BTreeMap<&str, u32> = BTreeMap::new();
    let mut policies: BTreeMap<&str, (PolicyName, u32)> = BTreeMap::new();
    let mut moved_players = 0;
    for view in views {
        counts.count(view.result);
        let day = by_day.iter_mut().rev();
        if let Some(day) = day.into_iter().find(|day| day.from <= view.first_asked_at) {
            day.count(view.result);
        }
        for reason in &view.reasons {
            *rules.entry(&reason.rule).or_default() += 1;
        }
        let policy = policies.entry(view.policy.as_str());
        policy.or_insert((view.policy, 0)).1 += 1;
        moved_players += u32::try_from(view.moves.len()).unwrap_or(u32::MAX);
    }
    // They come by name, and the sorts keep that among equals.
    let mut rules: Vec<(String, u32)> = rules
        .into_iter()
        .map(|(rule, count)| (rule.to_owned(), count))
        .collect();
    rules.sort_by_key(|(_, count)| u32::MAX - count);
    let mut policies: Vec<(PolicyName, u32)> = policies.into_values().collect();
    policies.sort_by_key(|(_, count)| u32::MAX - count);
    let moved: Vec<&InterventionView> = views
        .iter()
        .filter(|view| view.result == InterventionResult::Moved)
        .collect();
    let from_even = |odds: Probability| (odds.get() - 0.5).abs();
    InterventionSummary {
        from,
        complete: true,
        counts,
        moved_players,
        days: by_day,
        rules,
        policies,
        odds: InterventionOdds {
            before: mean(moved.iter().map(|view| from_even(odds_before(view)))),
            after: mean(moved.iter().map(|view| from_even(odds_after(view)))),
        },
        rounds: rounds(&moved),
    }
}

fn rounds(moved: &[&InterventionView]) -> InterventionRounds {
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
    InterventionRounds {
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
        ahead: AheadTeams {
            interventions: count(ahead.len()),
            score: mean(ahead.iter().map(|(score, ..)| *score)),
            predicted_before: mean(ahead.iter().map(|(_, before, _)| *before)),
            predicted_after: mean(ahead.iter().map(|(.., after)| *after)),
        },
    }
}

fn odds_before(view: &InterventionView) -> Probability {
    view.before.win_probability_a
}

fn odds_after(view: &InterventionView) -> Probability {
    view.after.win_probability_a
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = figures.fold((0.0, 0_u32), |(sum, count), figure| {
        (sum + figure, count + 1)
    });
    (count > 0).then(|| sum / f64::from(count))
}
