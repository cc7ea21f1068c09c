//! Implementation of [`PoolModel`] for `adaptive`. Player states arrive with the lineup, and are returned with it.

use super::observers::{Beliefs, TEMPOS, tempo, variance};
use super::{Adaptive, DecodedMember, Memory};
use crate::domain::{MapName, Probability, Rating, Share, Timestamp, Winner};
use crate::rating::Parameters;
use crate::rating::models::learnt::{Learnt, LearntFigure, MapLean, ObserverShare};
use crate::rating::models::pool::{Conditions, PoolModel, Profile, RatedRound};
use crate::rating::models::state::{InvalidState, ModelState};
use crate::rating::models::{ModelName, pool};

const VERSION: u8 = 1;
/// Number of a player's rounds for which the learnt value of experience is shown.
const SOME_ROUNDS: u32 = 100;
const LISTED: usize = 50;

/// Restores the model `adaptive` from a pool's stored `state`. An empty state gives a new model.
pub(in crate::rating::models) fn resume(
    state: &ModelState,
) -> Result<Box<dyn PoolModel>, InvalidState> {
    let stored: Option<Adaptive> = state.read(VERSION)?;
    Ok(Box::new(stored.unwrap_or_else(Adaptive::new)))
}

impl Memory {
    fn read(state: &ModelState) -> Result<Option<Self>, InvalidState> {
        let stored: Option<(Option<i64>, Beliefs)> = state.read(VERSION)?;
        let Some((last_played, beliefs)) = stored else {
            return Ok(None);
        };
        let last_played = last_played.map(Timestamp::from_unix_micros).transpose();
        Ok(Some(Self {
            last_played: last_played.map_err(|_| InvalidState)?,
            beliefs,
        }))
    }

    fn write(&self) -> Result<ModelState, InvalidState> {
        let last_played = self.last_played.map(Timestamp::unix_micros);
        ModelState::write(VERSION, &(last_played, self.beliefs))
    }

    pub(super) fn before(&self, now: Timestamp, size: f64) -> Beliefs {
        match self.last_played {
            Some(last) => self.beliefs.aged(last, now, size),
            None => Beliefs::of_stranger_with(&self.beliefs, size),
        }
    }
}

impl Adaptive {
    fn beliefs(&self, state: &ModelState) -> Result<Beliefs, InvalidState> {
        let stranger = || Beliefs::of_stranger(self.typical_size());
        Ok(Memory::read(state)?.map_or_else(stranger, |player| player.beliefs))
    }

    fn lineup(
        &self,
        lineup: &[pool::LineupMember],
        now: Timestamp,
    ) -> Result<Vec<DecodedMember>, InvalidState> {
        let size = self.typical_size();
        lineup
            .iter()
            .map(|member| {
                let player = Memory::read(&member.state)?;
                Ok(DecodedMember {
                    side: member.side,
                    in_roster: member.in_roster,
                    is_rated: member.is_rated,
                    rounds: member.standing.rounds,
                    rating: member.standing.rating,
                    beliefs: player.map_or_else(
                        || Beliefs::of_stranger(size),
                        |player| player.before(now, size),
                    ),
                })
            })
            .collect()
    }
}

impl PoolModel for Adaptive {
    fn name(&self) -> ModelName {
        ModelName::Adaptive
    }

    fn state(&self) -> Result<ModelState, InvalidState> {
        ModelState::write(VERSION, self)
    }

    fn shown(&self, player: Profile<'_>, parameters: &Parameters) -> Result<Rating, InvalidState> {
        let beliefs = self.beliefs(player.state)?;
        Ok(if player.rounds < parameters.shadow_rounds {
            self.worth(parameters).rating(player.rounds, &beliefs)
        } else {
            player.rating
        })
    }

    fn predict(
        &self,
        lineup: &[pool::LineupMember],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let mut model = std::borrow::Cow::Borrowed(self);
        if self.size.is_none() {
            model.to_mut().see(lineup);
        }
        let lineup = model.lineup(lineup, conditions.at)?;
        Ok(model.forecast(&lineup, conditions).for_a)
    }

    fn rate(
        &mut self,
        lineup: &mut [pool::LineupMember],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let Conditions {
            map,
            at,
            parameters,
            ..
        } = *conditions;
        self.see(lineup);
        let mut own = self.lineup(lineup, at)?;
        let forecast = self.forecast(&own, conditions);
        let kept = forecast.opinions.shrinkage;
        let worth = self.worth(parameters);
        let k_factors: Vec<f64> = own
            .iter()
            .map(|member| worth.sensitivity(&member.beliefs, &kept))
            .collect();
        self.learn(&forecast, &mut own, winner, map, parameters);
        let worth = self.worth(parameters);
        let mut players = Vec::with_capacity(lineup.len());
        for ((member, own), k) in lineup.iter_mut().zip(&own).zip(k_factors) {
            if !own.is_rated {
                continue;
            }
            let player = Memory {
                last_played: Some(at),
                beliefs: own.beliefs,
            };
            member.state = player.write()?;
            let rating = worth.moved(own, winner, parameters.shadow_rounds);
            players.push(member.rated(rating, k, parameters));
        }
        Ok(RatedRound {
            win_probability: forecast.for_a,
            players,
        })
    }

    /// Shifts the player's estimated strength equally in every observer (filter of strengths), so that all observers
    /// together give `rating`.
    fn set(
        &self,
        player: Profile<'_>,
        rating: Rating,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let stored = Memory::read(player.state)?;
        let mut player_now = stored.unwrap_or_else(|| Memory {
            last_played: None,
            beliefs: Beliefs::of_stranger(self.typical_size()),
        });
        let worth = self.worth(parameters);
        let believed = worth.points(player.rounds, &player_now.beliefs);
        let sum = worth.strength.iter().fold(0.0, |sum, one| sum + one);
        let shift = (f64::from(rating.points()) - believed) / sum;
        for belief in &mut player_now.beliefs.0 {
            belief.mean += shift;
        }
        player_now.write()
    }

    /// Moves the beliefs about a player's strength towards a new player's. The shown rating of a visible player differs
    /// from the beliefs, and this difference must not change the beliefs.
    fn begin_season(
        &self,
        player: Profile<'_>,
        _: Rating,
        keep: Share,
        _: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let Some(mut known) = Memory::read(player.state)? else {
            return Ok(player.state.clone());
        };
        known.beliefs = known.beliefs.in_new_season(keep, self.typical_size());
        known.write()
    }

    fn k_factor(
        &self,
        player: Profile<'_>,
        _: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState> {
        let beliefs = self.beliefs(player.state)?;
        Ok(self
            .worth(parameters)
            .sensitivity(&beliefs, &self.shrinkage))
    }

    fn uncertainty(
        &self,
        player: Profile<'_>,
        parameters: &Parameters,
    ) -> Result<Option<f64>, InvalidState> {
        let beliefs = self.beliefs(player.state)?;
        let scale = parameters.theta * self.weights.temperature();
        let shares = self.weights.shares();
        // First and second moment of a mixture of Gaussians.
        let (mut mean, mut square) = (0.0, 0.0);
        for (observer, belief) in beliefs.0.iter().enumerate() {
            let strength = self.shrinkage[observer] * belief.mean;
            let variance = self.shrinkage[observer] * self.shrinkage[observer] * belief.variance;
            mean += shares[observer] * strength;
            square += shares[observer] * (variance + strength * strength);
        }
        Ok(Some(scale * (square - mean * mean).max(0.0).sqrt()))
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        let learnt = parameters.theta * (self.weights.side() + self.map(map).mean);
        learnt + pool::points(parameters.advantages.on(map))
    }

    /// Returns a new player's rating minus the learnt value of an extra player, in points. The learnt value replaces a
    /// new player's rating in the sum of the larger team.
    fn extra_player(&self, size: f64, parameters: &Parameters) -> f64 {
        let head = self.weights.head() / libm::pow(size, super::HEADS_POWER);
        f64::from(parameters.initial_rating.points()) - parameters.theta * head
    }

    fn learnt(&self, parameters: &Parameters) -> Option<Learnt> {
        let size = self.size?;
        let [for_a, head, experience, temperature] = self.weights.beliefs();
        let shares = self.weights.shares();
        let mut observers = TEMPOS.each_ref().map(|tempo| ObserverShare {
            name: tempo.name.to_owned(),
            share: 0.0,
        });
        let mut believed = 0.0;
        for (observer, share) in shares.into_iter().enumerate() {
            observers[tempo(observer)].share += share;
            believed += share * variance(observer) / size;
        }
        let maps = self.maps.named().take(LISTED).map(|(map, belief)| MapLean {
            map: map.clone(),
            lean: LearntFigure::of((belief.mean, belief.variance), 1.0),
        });
        let factor = libm::exp(temperature.0);
        let rounds = super::experience(SOME_ROUNDS);
        Some(Learnt {
            observers: observers.into(),
            spread: Some(parameters.theta * factor * believed.sqrt()),
            // The error of exp(x) is exp(x) times the error of x, if that error is small.
            temperature: Some(LearntFigure {
                value: factor,
                ..LearntFigure::of(temperature, factor)
            }),
            side: LearntFigure::of(for_a, 1.0),
            extra_player: LearntFigure::of(head, 1.0 / libm::pow(size, super::HEADS_POWER)),
            experience: Some(LearntFigure::of(
                experience,
                parameters.theta * rounds / size,
            )),
            team_size: size,
            maps: maps.collect(),
        })
    }
}
