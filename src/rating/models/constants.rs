//! The constants of the models that rounds can be fitted by.

use super::elo::{self, Elo};
use super::glicko2::{self, Glicko2};
use super::plain::PlainModel;
use super::trueskill::{self, TrueSkill};
use super::weng_lin::{self, WengLin};
use super::{ModelName, PoolModel, ns2};
use crate::rating::{InvalidParameter, Parameters};

/// A constant of a model, above 0, and how far from its usual value it makes sense to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// What it is called; of SynElo as in the configuration.
    pub name: &'static str,
    /// What it is.
    pub value: f64,
    /// The least that it may be, above 0.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Constant {
    /// One that may be `times` as large or as small as it usually is.
    pub(super) const fn around(name: &'static str, value: f64, times: f64) -> Self {
        Self {
            name,
            value,
            low: value / times,
            high: value * times,
        }
    }
}

impl ModelName {
    /// The constants of the model that can be fitted, with their usual values; those of SynElo are what
    /// `parameters` say. None of `adaptive`, which learns from the rounds whatever differs between pools.
    #[must_use]
    pub fn constants(self, parameters: &Parameters) -> Vec<Constant> {
        match self {
            Self::SynElo => {
                let all = [
                    ("theta", parameters.theta, 16.0),
                    ("k_min", parameters.k_min, 16.0),
                    ("k_max", parameters.k_max, 16.0),
                    ("sigma", parameters.sigma, 16.0),
                    ("weight_velocity", parameters.weight_velocity, 8.0),
                    ("weight_win_rate", parameters.weight_win_rate, 8.0),
                    ("weight_volatility", parameters.weight_volatility, 8.0),
                    ("win_rate_tolerance", parameters.win_rate_tolerance, 8.0),
                ];
                // Of 0 there is no multiple.
                let all = all.into_iter().filter(|(_, value, _)| *value > 0.0);
                all.map(|(name, value, times)| Constant::around(name, value, times))
                    .collect()
            }
            Self::Adaptive => Vec::new(),
            Self::Elo => elo::CONSTANTS.to_vec(),
            Self::Glicko2 => glicko2::CONSTANTS.to_vec(),
            Self::TrueSkill => trueskill::CONSTANTS.to_vec(),
            Self::WengLin => weng_lin::CONSTANTS.to_vec(),
            Self::Ns2 => ns2::CONSTANTS.to_vec(),
        }
    }

    /// The model before the first round with these of its constants in place of the usual ones, and the parameters that go
    /// with it.
    ///
    /// # Errors
    /// Constants of SynElo that make no sense together.
    pub(in crate::rating) fn start_with(
        self,
        parameters: &Parameters,
        constants: &[Constant],
    ) -> Result<(Box<dyn PoolModel>, Parameters), InvalidParameter> {
        let value = |constant: Constant| {
            let mut given = constants.iter();
            let given = given.find(|given| given.name == constant.name);
            given.unwrap_or(&constant).value
        };
        let model: Box<dyn PoolModel> = match self {
            Self::SynElo => {
                let parameters = with(parameters, constants).checked()?;
                return Ok((self.start(), parameters));
            }
            Self::Adaptive => self.start(),
            Self::Elo => Box::new(PlainModel::<Elo>::new(elo::config(
                elo::CONSTANTS.map(value),
            ))),
            Self::Glicko2 => Box::new(PlainModel::<Glicko2>::new(glicko2::config(
                glicko2::CONSTANTS.map(value),
            ))),
            Self::TrueSkill => Box::new(PlainModel::<TrueSkill>::new(trueskill::config(
                trueskill::CONSTANTS.map(value),
            ))),
            Self::WengLin => Box::new(PlainModel::<WengLin>::new(weng_lin::config(
                weng_lin::CONSTANTS.map(value),
            ))),
            Self::Ns2 => Box::new(ns2::Ns2Model::new(ns2::Config::new(
                ns2::CONSTANTS.map(value),
            ))),
        };
        Ok((model, parameters.clone()))
    }
}

/// The parameters of SynElo with these constants.
fn with(parameters: &Parameters, constants: &[Constant]) -> Parameters {
    let mut parameters = parameters.clone();
    for constant in constants {
        let place = match constant.name {
            "theta" => &mut parameters.theta,
            "k_min" => &mut parameters.k_min,
            "k_max" => &mut parameters.k_max,
            "sigma" => &mut parameters.sigma,
            "weight_velocity" => &mut parameters.weight_velocity,
            "weight_win_rate" => &mut parameters.weight_win_rate,
            "weight_volatility" => &mut parameters.weight_volatility,
            "win_rate_tolerance" => &mut parameters.win_rate_tolerance,
            // Of another model.
            _ => continue,
        };
        *place = constant.value;
    }
    parameters
}
