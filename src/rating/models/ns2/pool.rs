//! Implementation of [`PoolModel`] for `ns2`. Player states arrive with the lineup, and are returned with it.

use std::borrow::Cow;

use super::{Config, DecodedMember, Job, Level, Memory, Ns2, heads, time};
use crate::domain::{MapName, Probability, Rating, Share, Side, Winner};
use crate::rating::Parameters;
use crate::rating::models::learnt::{Learnt, LearntFigure, MapLean};
use crate::rating::models::pool::{Conditions, PoolModel, Profile, RatedRound};
use crate::rating::models::state::{InvalidState, ModelState};
use crate::rating::models::{ModelName, pool};

const VERSION: u8 = 1;
const LISTED: usize = 50;

#[derive(Clone, Debug)]
pub(in crate::rating::models) struct Ns2Model {
    config: Config,
    pool: Ns2,
}

/// Restores the model `ns2` from a pool's stored `state`. An empty state gives a new model.
pub(in crate::rating::models) fn resume(
    state: &ModelState,
) -> Result<Box<dyn PoolModel>, InvalidState> {
    let stored: Option<Ns2> = state.read(VERSION)?;
    Ok(Box::new(Ns2Model {
        config: Config::usual(),
        pool: stored.unwrap_or_default(),
    }))
}

fn read(state: &ModelState) -> Result<Memory, InvalidState> {
    let stored: Option<Memory> = state.read(VERSION)?;
    Ok(stored.unwrap_or_default())
}

impl Ns2Model {
    pub(in crate::rating::models) fn new(config: Config) -> Self {
        Self {
            config,
            pool: Ns2::default(),
        }
    }

    fn lineup(
        &self,
        lineup: &[pool::LineupMember],
        parameters: &Parameters,
    ) -> Result<Vec<DecodedMember>, InvalidState> {
        lineup
            .iter()
            .map(|member| {
                let player = read(&member.state)?;
                Ok(DecodedMember {
                    side: member.side,
                    in_roster: member.in_roster,
                    is_rated: member.is_rated,
                    commands: member.commands,
                    time: time(member.presence, parameters.participation_half_life),
                    player: self.pool.known(&player, &self.config, parameters),
                })
            })
            .collect()
    }

    /// Sets the mean number of players in a round of the pool, if this round is the pool's first.
    fn see(&mut self, lineup: &[pool::LineupMember]) {
        let heads = heads(lineup.iter().map(|member| member.in_roster));
        self.pool.players.get_or_insert(heads);
    }

    /// Returns the points by which a prediction error of 1 moves a player, in a round with the usual number of players.
    fn sensitivity(&self, player: &Memory, parameters: &Parameters) -> f64 {
        let (_, deviation) = self.pool.strength(player, &self.config, parameters);
        deviation * deviation / parameters.theta
    }
}

impl PoolModel for Ns2Model {
    fn name(&self) -> ModelName {
        ModelName::Ns2
    }

    fn state(&self) -> Result<ModelState, InvalidState> {
        ModelState::write(VERSION, &self.pool)
    }

    fn predict(
        &self,
        lineup: &[pool::LineupMember],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let mut model = Cow::Borrowed(self);
        if self.pool.players.is_none() {
            model.to_mut().see(lineup);
        }
        let lineup = model.lineup(lineup, conditions.parameters)?;
        Ok(self.pool.expect(&lineup, &self.config, conditions))
    }

    fn rate(
        &mut self,
        lineup: &mut [pool::LineupMember],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let parameters = conditions.parameters;
        self.see(lineup);
        let mut own = self.lineup(lineup, parameters)?;
        let for_a = self.pool.expect(&own, &self.config, conditions);
        let k_factors: Vec<f64> = own
            .iter()
            .map(|member| self.sensitivity(&member.player, parameters))
            .collect();
        let score = winner.score(Side::A);
        self.pool.learn(&mut own, &self.config, conditions, score);
        let mut players = Vec::with_capacity(lineup.len());
        for ((member, own), k) in lineup.iter_mut().zip(&own).zip(k_factors) {
            if !own.is_rated {
                continue;
            }
            member.state = ModelState::write(VERSION, &own.player)?;
            let (above, _) = self.pool.strength(&own.player, &self.config, parameters);
            let initial = f64::from(parameters.initial_rating.points());
            let rating = Rating::from_rounded(initial + above).max(parameters.min_rating);
            players.push(member.rated(rating, k, parameters));
        }
        Ok(RatedRound {
            win_probability: for_a,
            players,
        })
    }

    fn set(
        &self,
        player: Profile<'_>,
        rating: Rating,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let above = f64::from(rating.points() - parameters.initial_rating.points());
        let player = Memory {
            given: Some(above),
            ..read(player.state)?
        };
        ModelState::write(VERSION, &player)
    }

    /// Scales the evidence about a skill by k², where k is `keep`. The prior gains the weight that evidence loses.
    fn begin_season(
        &self,
        player: Profile<'_>,
        rating: Rating,
        keep: Share,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let known = read(player.state)?;
        let kept = keep.get() * keep.get();
        let faded = Memory {
            evidence: known.evidence.map(|evidence| evidence.faded(kept)),
            ..known
        };
        let state = ModelState::write(VERSION, &faded)?;
        let player = Profile {
            state: &state,
            ..player
        };
        self.set(player, rating, parameters)
    }

    fn k_factor(
        &self,
        player: Profile<'_>,
        _: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState> {
        Ok(self.sensitivity(&read(player.state)?, parameters))
    }

    fn uncertainty(
        &self,
        player: Profile<'_>,
        parameters: &Parameters,
    ) -> Result<Option<f64>, InvalidState> {
        let player = read(player.state)?;
        let (_, deviation) = self.pool.strength(&player, &self.config, parameters);
        Ok(Some(deviation))
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        parameters.theta * self.pool.intercept.on(map)
    }

    /// Returns a new player's rating minus the value of a new player's skill, in points. The skill's value replaces a
    /// new player's rating in the sum of the larger team.
    fn extra_player(&self, size: f64, parameters: &Parameters) -> f64 {
        let new = self.config.prior(Job::Play).mode() + self.pool.level(&self.config).mean;
        f64::from(parameters.initial_rating.points()) - parameters.theta * new / (2.0 * size)
    }

    fn learnt(&self, _: &Parameters) -> Option<Learnt> {
        let players = self.pool.players?;
        let maps = self
            .pool
            .intercept
            .maps()
            .take(LISTED)
            .map(|(map, lean)| MapLean {
                map: map.clone(),
                lean,
            });
        let new = self.config.prior(Job::Play).mode();
        let Level { mean, variance } = self.pool.level(&self.config);
        Some(Learnt {
            observers: Vec::new(),
            spread: None,
            temperature: None,
            side: self.pool.intercept.side(),
            extra_player: LearntFigure::of((new + mean, variance), 1.0 / players),
            experience: None,
            team_size: players / 2.0,
            maps: maps.collect(),
        })
    }
}
