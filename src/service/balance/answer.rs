use super::reason::{broken_rule, suppression};
use super::ticket::Recheck;
use crate::api::{
    AdvantageAnswer, BalanceAnswer, FillAnswer, IneligibleAnswer, MoveAnswer, OtherPlacementAnswer,
    PlaceAnswer, PlacedAnswer, RunnerUpAnswer, TeamsAnswer,
};
use crate::balance::{
    Advantage, Fill, Ineligible, Move, Placed, Placement, Policy, Reason, Tally, Verdict,
};
use crate::domain::{FieldProblem, Fingerprint, PlayerId, PolicyName, ServerName};
use crate::service::convert::convert;
use crate::service::interventions::record::{player_move, team_sums};
use crate::service::powers::weighed::Weighed;
use crate::service::{Pool, ServiceError, phrases};

/// What an answer is about: a match of that server, by the ratings and a policy of `pool`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'all> {
    pub(crate) server: &'all ServerName,
    /// The secret that asks.
    pub(crate) client: Fingerprint,
    pub(crate) pool: &'all Pool,
    pub(crate) policy_name: &'all PolicyName,
    pub(crate) policy: &'all Policy,
}

impl<'all> Subject<'all> {
    /// A match on `server` that `client` asks about, by the named policy or else by that of the pool.
    pub(crate) fn new(
        pool: &'all Pool,
        (server, client): (&'all ServerName, Fingerprint),
        named: Option<&'all PolicyName>,
    ) -> Result<Self, ServiceError> {
        let settings = &pool.settings.balance;
        let policy_name = named.unwrap_or(&settings.policy);
        let policy = settings.policies.named(policy_name).map_err(|error| {
            let detail = format!("{error}, or leave it out for the pool's");
            ServiceError::Invalid(vec![FieldProblem::new("/policy", detail)])
        })?;
        Ok(Self {
            server,
            client,
            pool,
            policy_name,
            policy,
        })
    }

    /// Θ of the pool.
    pub(crate) fn theta(&self) -> f64 {
        self.pool.settings.parameters.theta
    }
}

/// A verdict as it is answered, on teams with those who have just been `placed`, in that order.
pub(crate) fn describe_verdict(
    subject: &Subject,
    weighed: Option<&Weighed>,
    verdict: &Verdict,
    placed: &[Placed],
    recheck: Recheck,
) -> BalanceAnswer {
    let (policy, theta) = (subject.policy, subject.theta());
    let suppressions = verdict.suppressions.iter();
    let runners_up = verdict.runners_up.iter().map(|other| RunnerUpAnswer {
        moves: moves(&other.moves, theta),
        after: teams(&other.after, theta),
        balanced_after: other.balanced_after,
    });
    let something_to_do = !verdict.moves.is_empty() || verdict.reasons.contains(&Reason::Bots);
    BalanceAnswer {
        server: subject.server.clone(),
        pool: subject.pool.name.clone(),
        policy: subject.policy_name.clone(),
        by: weighed.map(|weighed| weighed.by.clone()),
        powers: weighed.map(Weighed::answers).unwrap_or_default(),
        unbalanced: !verdict.reasons.is_empty(),
        reasons: (verdict.reasons.iter().map(broken_rule).map(Into::into)).collect(),
        suppressed: suppressions.map(suppression).collect(),
        placed: placed.iter().map(|one| seat(one, theta)).collect(),
        moves: moves(&verdict.moves, theta),
        before: teams(&verdict.before, theta),
        after: teams(&verdict.after, theta),
        balanced_after: verdict.balanced_after,
        optimal: verdict.optimal,
        runners_up: runners_up.collect(),
        ineligible: verdict.ineligible.iter().map(ineligible).collect(),
        fill: verdict.fill.as_ref().map(fill),
        apply_within_seconds: something_to_do.then_some(policy.apply_within_seconds),
        apply_on_death: policy.apply_on_death,
        ticket: recheck.ticket,
        ask_again_in_seconds: recheck.ask_again_in_seconds,
        since_ticket: recheck.since_ticket,
        say: phrases::balance::placed_verdict(placed, verdict, subject.policy_name, policy, theta),
    }
}

/// Somebody who must not be moved.
pub(crate) fn ineligible((id, why): &(PlayerId, Ineligible)) -> IneligibleAnswer {
    IneligibleAnswer {
        id: *id,
        why: match why {
            Ineligible::Party => "party",
            Ineligible::Moved => "moved",
            Ineligible::Best => "best",
            Ineligible::Immune => "immune",
            Ineligible::JustJoined => "just_joined",
        },
    }
}

/// A placement as it is answered, those who join in this order.
pub(crate) fn describe_placement(
    subject: &Subject,
    weighed: Option<&Weighed>,
    order: &[PlayerId],
    placement: &Placement,
) -> PlaceAnswer {
    let (policy, theta) = (subject.policy, subject.theta());
    let placed = in_order(order, &placement.placed);
    let runners_up = placement
        .runners_up
        .iter()
        .map(|other| OtherPlacementAnswer {
            team_a: other.team_a.clone(),
            team_b: other.team_b.clone(),
            after: teams(&other.after, theta),
        });
    PlaceAnswer {
        server: subject.server.clone(),
        pool: subject.pool.name.clone(),
        policy: subject.policy_name.clone(),
        by: weighed.map(|weighed| weighed.by.clone()),
        powers: weighed.map(Weighed::answers).unwrap_or_default(),
        placed: placed.iter().map(|one| seat(one, theta)).collect(),
        before: teams(&placement.before, theta),
        after: teams(&placement.after, theta),
        optimal: placement.optimal,
        runners_up: runners_up.collect(),
        fill: placement.fill.as_ref().map(fill),
        say: phrases::balance::placement(placement, policy, theta),
    }
}

/// Those who join in this order.
pub(crate) fn in_order(order: &[PlayerId], placed: &[Placed]) -> Vec<Placed> {
    let mut placed = placed.to_vec();
    placed.sort_by_key(|placed| order.iter().position(|id| *id == placed.id));
    placed
}

fn seat(placed: &Placed, theta: f64) -> PlacedAnswer {
    PlacedAnswer {
        id: placed.id,
        team: placed.team,
        alone: teams(&placed.alone, theta),
    }
}

fn teams(tally: &Tally, theta: f64) -> TeamsAnswer {
    TeamsAnswer {
        sums: team_sums(tally, theta).into(),
        difference: tally.lead().abs().points(),
        rating_a: tally.a.rating,
        rating_b: tally.b.rating,
    }
}

fn moves(moves: &[Move], theta: f64) -> Vec<MoveAnswer> {
    let moves = moves.iter().map(|one| MoveAnswer {
        player: player_move(one).into(),
        alone: teams(&one.alone, theta),
    });
    moves.collect()
}

fn fill(fill: &Fill) -> FillAnswer {
    FillAnswer {
        bots_a: fill.bots_a,
        bots_b: fill.bots_b,
        bot_weight: fill.bot_weight.points(),
        advantage: fill.advantage.map(Into::into),
    }
}

convert! {
    Advantage => AdvantageAnswer { team, factor }
}
