use crate::api::{
    AdvantageAnswer, BalanceAnswer, FillAnswer, IneligibleAnswer, MoveAnswer, OtherPlacementAnswer,
    PlaceAnswer, PlacedAnswer, ReasonAnswer, RunnerUpAnswer, SuppressionAnswer, TeamsAnswer,
};
use crate::balance::{
    Fill, Ineligible, Move, Placement, Policy, Reason, Suppression, Tally, Verdict,
};
use crate::domain::{PlayerId, PolicyName, PoolName, ServerName};
use crate::service::phrases::balance::{say_placement, say_verdict};
use crate::service::phrases::reason::{detail_of, detail_of_suppression};

/// What an answer is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'all> {
    pub(crate) server: &'all ServerName,
    pub(crate) pool: &'all PoolName,
    pub(crate) policy: &'all PolicyName,
    /// Θ of the pool.
    pub(crate) theta: f64,
}

/// A verdict as it is answered.
pub(crate) fn describe_verdict(
    subject: &Subject,
    policy: &Policy,
    verdict: &Verdict,
) -> BalanceAnswer {
    let theta = subject.theta;
    let reasons = verdict.reasons.iter();
    let suppressions = verdict.suppressions.iter();
    let runners_up = verdict.runners_up.iter();
    let ineligible = verdict.ineligible.iter();
    let something_to_do = !verdict.moves.is_empty() || verdict.reasons.contains(&Reason::Bots);
    BalanceAnswer {
        server: subject.server.clone(),
        pool: subject.pool.clone(),
        policy: subject.policy.clone(),
        unbalanced: !verdict.reasons.is_empty(),
        reasons: reasons.map(reason).collect(),
        suppressed: suppressions.map(suppression).collect(),
        moves: moves(&verdict.moves, theta),
        before: teams(&verdict.before, theta),
        after: teams(&verdict.after, theta),
        balanced_after: verdict.balanced_after,
        optimal: verdict.optimal,
        runners_up: runners_up
            .map(|other| RunnerUpAnswer {
                moves: moves(&other.moves, theta),
                after: teams(&other.after, theta),
                balanced_after: other.balanced_after,
            })
            .collect(),
        ineligible: ineligible
            .map(|(id, why)| IneligibleAnswer {
                id: *id,
                why: match why {
                    Ineligible::Party => "party",
                    Ineligible::Moved => "moved",
                    Ineligible::Best => "best",
                    Ineligible::Immune => "immune",
                    Ineligible::JustJoined => "just_joined",
                },
            })
            .collect(),
        fill: verdict.fill.as_ref().map(fill),
        apply_within_seconds: something_to_do.then_some(policy.apply_within_seconds),
        apply_on_death: policy.apply_on_death,
        say: say_verdict(verdict, policy, theta),
    }
}

/// A placement as it is answered, those who join in this order.
pub(crate) fn describe_placement(
    subject: &Subject,
    policy: &Policy,
    order: &[PlayerId],
    placement: &Placement,
) -> PlaceAnswer {
    let theta = subject.theta;
    let runners_up = placement.runners_up.iter();
    let mut placed: Vec<PlacedAnswer> = placement
        .placed
        .iter()
        .map(|placed| PlacedAnswer {
            id: placed.id,
            team: placed.team,
            alone: teams(&placed.alone, theta),
        })
        .collect();
    placed.sort_by_key(|placed| order.iter().position(|id| *id == placed.id));
    PlaceAnswer {
        server: subject.server.clone(),
        pool: subject.pool.clone(),
        policy: subject.policy.clone(),
        placed,
        before: teams(&placement.before, theta),
        after: teams(&placement.after, theta),
        optimal: placement.optimal,
        runners_up: runners_up
            .map(|other| OtherPlacementAnswer {
                team_a: other.team_a.clone(),
                team_b: other.team_b.clone(),
                after: teams(&other.after, theta),
            })
            .collect(),
        fill: placement.fill.as_ref().map(fill),
        say: say_placement(placement, policy, theta),
    }
}

fn teams(tally: &Tally, theta: f64) -> TeamsAnswer {
    TeamsAnswer {
        size_a: tally.a.size,
        size_b: tally.b.size,
        bots_a: tally.a.bots,
        bots_b: tally.b.bots,
        sum_a: tally.a.power.points(),
        sum_b: tally.b.power.points(),
        difference: tally.lead().abs().points(),
        rating_a: tally.a.rating,
        rating_b: tally.b.rating,
        win_probability_a: tally.win_probability_a(theta),
    }
}

fn moves(moves: &[Move], theta: f64) -> Vec<MoveAnswer> {
    let moves = moves.iter().map(|one| MoveAnswer {
        id: one.id,
        from: one.from,
        to: one.from.other(),
        with: one.with,
        alone: teams(&one.alone, theta),
    });
    moves.collect()
}

fn reason(reason: &Reason) -> ReasonAnswer {
    let whole = |count: usize| u32::try_from(count).map(f64::from).ok();
    let (rule, value, limit) = match reason {
        Reason::SizeDifference { by, from } => ("size_difference", whole(*by), whole(*from)),
        Reason::SizePair {
            smaller, at_most, ..
        } => ("size_pairs", whole(*smaller), whole(*at_most)),
        Reason::PowerDifference { by, from } => {
            ("power_difference", Some(by.points()), Some(from.points()))
        }
        Reason::PowerRatio { by, above } => (
            "power_ratio",
            by.map(|by| f64::from(by) / 10_000.0),
            Some(f64::from(*above) / 10_000.0),
        ),
        Reason::WinProbability { is, above } => {
            ("win_probability", Some(is.get()), Some(above.get()))
        }
        Reason::Bots => ("bots", None, None),
    };
    ReasonAnswer {
        rule,
        value,
        limit,
        detail: detail_of(reason),
    }
}

fn suppression(suppression: &Suppression) -> SuppressionAnswer {
    SuppressionAnswer {
        rule: match suppression {
            Suppression::Mode(_) => "mode",
            Suppression::Ending { .. } => "seconds_left",
        },
        detail: detail_of_suppression(suppression),
    }
}

fn fill(fill: &Fill) -> FillAnswer {
    FillAnswer {
        bots_a: fill.bots_a,
        bots_b: fill.bots_b,
        bot_weight: fill.bot_weight.points(),
        advantage: fill.advantage.map(|advantage| AdvantageAnswer {
            team: advantage.team,
            factor: advantage.factor,
        }),
    }
}
