use super::elo::{self, Elo};
use super::glicko2::{self, Glicko2};
use super::plain::PlainModel;
use super::trueskill::{self, TrueSkill};
use super::weng_lin::{self, WengLin};
use super::{ModelName, PoolModel, ns2};
use crate::rating::{InvalidParameter, Parameters};

/// Constant of a rating model, above 0, with the range in which a fit should search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Name of the rating model's constant, such as `tau` of Glicko-2. SynElo's constants have the names of settings.
    pub name: &'static str,
    /// Value of the constant `name` of a rating model, above 0. The unit depends on the constant.
    pub value: f64,
    /// Smallest value that a fit of the rating model should try for the constant `name`, above 0.
    pub low: f64,
    /// Largest value that a fit of the rating model should try for the constant `name`.
    pub high: f64,
}

impl Constant {
    /// Creates a model's constant with the range from `value` / `times` to `value` · `times`.
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
    /// Returns the model's constants that can be fitted, with their default values. SynElo takes the values from
    /// `parameters`. `adaptive` has none, because it learns from rounds whatever differs between pools.
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
                // A range around 0 would be empty.
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

    /// Returns the rating model before the first round with `constants` in place of the defaults, and the parameters to
    /// use. Fails if the constants make SynElo's parameters invalid.
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
            // The constant belongs to another model.
            _ => continue,
        };
        *place = constant.value;
    }
    parameters
}
