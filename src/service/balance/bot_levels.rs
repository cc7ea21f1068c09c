//! Skill levels of bots in a balance request, converted into weights in rating points.

use super::Subject;
use crate::api::{BotsRequest, Object};
use crate::balance::{Bots, Power, Weigh};
use crate::domain::{BotCounts, BotLevel, FieldProblem, Rating, TeamBots};
use crate::service::ServiceError;

/// Weights (in rating points) and counts of the bots that a balance request lists by skill level.
#[derive(Debug, Default)]
pub(super) struct BotLevels {
    /// Bots of the request that stay on their teams. Empty if the policy adds and removes bots itself.
    pub(super) fixed: TeamBots,
    /// Total weight of the listed bots in rating points, for team a and team b.
    sums: [Option<Power>; 2],
    counts: [Option<usize>; 2],
    /// Weight of each bot that joins the match, in rating points.
    pub(super) weight: Option<Power>,
    /// JSON pointer of the first request field that names a bot's skill level.
    field: Option<&'static str>,
}

impl BotLevels {
    /// Converts a request's bot skill levels into weights. Returns an error that lists every level unknown to the pool.
    pub(super) fn of(
        subject: &Subject<'_>,
        sent: Option<&Object<BotsRequest>>,
    ) -> Result<Self, ServiceError> {
        let Some(Object(sent)) = sent else {
            return Ok(Self::default());
        };
        let known = &subject.pool.settings.parameters.bots;
        let mut problems = Vec::new();
        let mut rating = |field: String, level: &BotLevel| -> Option<Rating> {
            let rating = known.of(level);
            if rating.is_none() {
                problems.push(FieldProblem::new(field, subject.pool.unknown_bot_level()));
            }
            rating
        };
        let mut levels = Self::default();
        let mut teams = [BotCounts::default(), BotCounts::default()];
        let sides = [
            ("/bots/levels_a", &sent.levels_a),
            ("/bots/levels_b", &sent.levels_b),
        ];
        for (place, (field, names)) in sides.into_iter().enumerate() {
            let Some(names) = names else { continue };
            levels.field = levels.field.or(Some(field));
            let ratings = names.iter().enumerate();
            let ratings =
                ratings.filter_map(|(index, level)| rating(format!("{field}/{index}"), level));
            levels.sums[place] = Some(ratings.map(Power::of_rating).sum());
            levels.counts[place] = Some(names.len());
            // The request has been validated, so an error here is a bug.
            teams[place] = BotCounts::of_each(names).map_err(ServiceError::internal)?;
        }
        if let Some(level) = &sent.level {
            levels.field = levels.field.or(Some("/bots/level"));
            levels.weight = rating("/bots/level".to_owned(), level).map(Power::of_rating);
        }
        ServiceError::check(problems)?;
        // A policy that fills teams adds, removes and weighs bots itself.
        if subject.policy.bots().is_none() {
            let [a, b] = teams;
            levels.fixed = TeamBots { a, b };
        }
        Ok(levels)
    }

    /// Returns an error if bots are listed by level, but the policy weighs players by something other than ratings.
    pub(super) fn check_policy(&self, subject: &Subject<'_>) -> Result<(), ServiceError> {
        let Some(field) = self.field.filter(|_| subject.policy.weigh != Weigh::Rating) else {
            return Ok(());
        };
        let name = subject.policy_name;
        let detail = format!(
            "only works with ratings, but the policy \"{name}\" does not use ratings in this match; send \
             \"weights_a\", \"weights_b\" and \"weight\" instead, or choose a policy with weigh = \"rating\"; \
             to define one based on \"{name}\", set like = \"{name}\" and weigh = \"rating\""
        );
        Err(ServiceError::invalid(field, detail))
    }

    /// Returns `bots` with the counts and weights that follow from the request's skill levels.
    pub(super) fn over(&self, bots: Bots) -> Bots {
        Bots {
            a: self.counts[0].unwrap_or(bots.a),
            b: self.counts[1].unwrap_or(bots.b),
            sum_a: self.sums[0].or(bots.sum_a),
            sum_b: self.sums[1].or(bots.sum_b),
            weight: self.weight.or(bots.weight),
            are_rated: self.field.is_some(),
            ..bots
        }
    }
}
