use super::adaptive::Adaptive;
use super::plain::PlainModel;
use super::synelo::SynElo;
use super::{ModelName, PoolModel, elo, glicko2, ns2, trueskill, weng_lin};
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
                let mut parameters = parameters.clone();
                // A range around 0 would be empty.
                let all = fitted(&mut parameters)
                    .into_iter()
                    .filter(|(_, value, _)| **value > 0.0);
                all.map(|(name, value, times)| Constant::around(name, *value, times))
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

    /// Creates the rating model before its first round, with a `value` for each of the model's own constants.
    pub(super) fn start_by(self, value: impl Fn(Constant) -> f64) -> Box<dyn PoolModel> {
        match self {
            Self::SynElo => Box::new(SynElo),
            Self::Adaptive => Box::new(Adaptive::new()),
            Self::Elo => Box::new(PlainModel(elo::formulas(elo::CONSTANTS.map(value)))),
            Self::Glicko2 => Box::new(PlainModel(glicko2::formulas(glicko2::CONSTANTS.map(value)))),
            Self::TrueSkill => {
                let formulas = trueskill::formulas(trueskill::CONSTANTS.map(value));
                Box::new(PlainModel(formulas))
            }
            Self::WengLin => {
                let formulas = weng_lin::formulas(weng_lin::CONSTANTS.map(value));
                Box::new(PlainModel(formulas))
            }
            Self::Ns2 => {
                let config = ns2::Config::new(ns2::CONSTANTS.map(value));
                Box::new(ns2::Ns2Model::new(config))
            }
        }
    }

    /// Returns the rating model before the first round with `constants` in place of the defaults, and the parameters to
    /// use. Fails if the constants make SynElo's parameters invalid.
    pub(in crate::rating) fn start_with(
        self,
        parameters: &Parameters,
        constants: &[Constant],
    ) -> Result<(Box<dyn PoolModel>, Parameters), InvalidParameter> {
        let given = |name| constants.iter().find(|given| given.name == name);
        let mut parameters = parameters.clone();
        if self == Self::SynElo {
            for (name, value, _) in fitted(&mut parameters) {
                *value = given(name).map_or(*value, |given| given.value);
            }
            parameters = parameters.checked()?;
        }
        let model = self.start_by(|usual| given(usual.name).unwrap_or(&usual).value);
        Ok((model, parameters))
    }
}

/// Returns SynElo's constants that can be fitted: the name, the value, and the factor between the value and each end of
/// the range of a fit.
fn fitted(parameters: &mut Parameters) -> [(&'static str, &mut f64, f64); 8] {
    [
        ("theta", &mut parameters.theta, 16.0),
        ("k_min", &mut parameters.k_min, 16.0),
        ("k_max", &mut parameters.k_max, 16.0),
        ("sigma", &mut parameters.sigma, 16.0),
        ("weight_velocity", &mut parameters.weight_velocity, 8.0),
        ("weight_win_rate", &mut parameters.weight_win_rate, 8.0),
        ("weight_volatility", &mut parameters.weight_volatility, 8.0),
        (
            "win_rate_tolerance",
            &mut parameters.win_rate_tolerance,
            8.0,
        ),
    ]
}
