//! Bots that a match names by their levels of skill.

use super::answer::Subject;
use crate::api::{BotsRequest, Object};
use crate::balance::{Bots, Power, Weigh};
use crate::domain::{BotCounts, BotLevel, FieldProblem, Rating, TeamBots};
use crate::service::ServiceError;
use crate::service::bot_levels::unknown_level;

/// What the levels of a request come to.
#[derive(Debug, Default)]
pub(super) struct BotLevels {
    /// The bots that count where they are, in a policy that does not fill.
    pub(super) fixed: TeamBots,
    /// What those of each team weigh together in one that does.
    sums: [Option<Power>; 2],
    counts: [Option<usize>; 2],
    /// What one that comes weighs.
    pub(super) weight: Option<Power>,
    /// The first field that names a level.
    field: Option<&'static str>,
}

impl BotLevels {
    /// The levels of a request, if the pool knows them all.
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
                problems.push(FieldProblem::new(field, unknown_level(subject.pool)));
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
            // The request has been checked before.
            teams[place] = BotCounts::of_each(names).map_err(ServiceError::internal)?;
        }
        if let Some(level) = &sent.level {
            levels.field = levels.field.or(Some("/bots/level"));
            levels.weight = rating("/bots/level".to_owned(), level).map(Power::of_rating);
        }
        if !problems.is_empty() {
            return Err(ServiceError::Invalid(problems));
        }
        // One that fills has its bots come and go, and weighs them itself.
        if subject.policy.bots().is_none() {
            let [a, b] = teams;
            levels.fixed = TeamBots { a, b };
        }
        Ok(levels)
    }

    /// Refuses levels, which are worth ratings, where the match goes by anything else.
    pub(super) fn check_policy(&self, subject: &Subject<'_>) -> Result<(), ServiceError> {
        let Some(field) = self.field.filter(|_| subject.policy.weigh != Weigh::Rating) else {
            return Ok(());
        };
        let name = subject.policy_name;
        let detail = format!(
            "is worth a rating, and by the policy \"{name}\" this match does not go by ratings; send \"weights_a\", \
             \"weights_b\" and \"weight\", or name a policy with weigh = \"rating\", such as one of your own with like = \
             \"{name}\""
        );
        Err(ServiceError::Invalid(vec![FieldProblem::new(
            field, detail,
        )]))
    }

    /// The bots with what the levels say of them.
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
