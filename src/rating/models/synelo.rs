use super::ModelName;
use super::pool::{Conditions, LineupMember, PoolModel, Profile, RatedRound, lead, points};
use super::state::{InvalidState, ModelState};
use crate::domain::{MapName, Presence, Probability, Rating, Winner};
use crate::rating::{
    Parameters, k_factor, participation_weight, rate, team_size_weight, win_probability,
};

/// Rating model SynElo, which has no state: ratings and windows decide everything.
#[derive(Debug)]
pub(super) struct SynElo;

impl PoolModel for SynElo {
    fn name(&self) -> ModelName {
        ModelName::SynElo
    }

    fn follows_from_ratings(&self) -> bool {
        true
    }

    fn state(&self) -> Result<ModelState, InvalidState> {
        Ok(ModelState::default())
    }

    fn predict(
        &self,
        lineup: &[LineupMember],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let lead = lead(lineup) + conditions.ahead();
        Ok(win_probability(lead, 0, conditions.parameters.theta))
    }

    fn rate(
        &mut self,
        lineup: &mut [LineupMember],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let for_a = self.predict(lineup, conditions)?;
        let roster = lineup.iter().filter(|member| member.in_roster).count();
        let size_weight = team_size_weight(roster, conditions.parameters.team_size_exponent);
        let rated = lineup
            .iter()
            .filter(|member| member.is_rated)
            .map(|member| {
                let (expected, score) = (for_a.of(member.side), winner.score(member.side));
                let standing = &member.standing;
                rate(
                    standing,
                    expected,
                    score,
                    weight(member.presence, conditions.parameters) * size_weight,
                    conditions.parameters,
                )
            });
        Ok(RatedRound {
            win_probability: for_a,
            players: rated.collect(),
        })
    }

    fn set(&self, _: Profile<'_>, _: Rating, _: &Parameters) -> Result<ModelState, InvalidState> {
        Ok(ModelState::default())
    }

    fn k_factor(
        &self,
        player: Profile<'_>,
        convergence: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState> {
        Ok(k_factor(player.rating, convergence, parameters))
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        points(parameters.advantages.on(map))
    }
}

/// Returns the weight of the player's part of the round in the K-factor, 0 to 1. An unknown presence weighs 1.
fn weight(presence: Option<Presence>, parameters: &Parameters) -> f64 {
    presence.map_or(1.0, |presence| {
        participation_weight(presence, parameters.participation_half_life)
    })
}
