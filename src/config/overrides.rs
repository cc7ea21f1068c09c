use std::str::FromStr;

use serde_json::{Map, Value};

use crate::rating::Parameters;

/// A constant of the rating system with a new value, such as `theta=1800`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    name: String,
    value: Value,
}

/// Constants of the rating system that replace the configured ones; the last value of a constant counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub Vec<Override>);

impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("must be a setting and its value, such as theta=1800")?;
        let (name, value) = (name.trim(), value.trim());
        let Ok(value @ (Value::Number(_) | Value::Bool(_))) = serde_json::from_str(value) else {
            return Err(format!(
                "{name} cannot be {value}; use a number, true or false"
            ));
        };
        // Some constants are serialized only if they are set, so all of them are set here.
        let known = fields(&Parameters {
            experience_floor: true,
            team_size_exponent: 1.0,
            return_boost_days: 1,
            return_boost_rounds: 1,
            ..Parameters::default()
        })?;
        if !known.contains_key(name) {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(format!("\"{name}\" is not one of {}", names.join(", ")));
        }
        Ok(Self {
            name: name.to_owned(),
            value,
        })
    }
}

impl Overrides {
    /// Returns the last value among these overrides for the constant `window`, in rounds; `None` if `window` is not
    /// overridden.
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        let of_window = self.0.iter().rev().find(|one| one.name == "window");
        of_window.and_then(|window| window.value.as_u64())
    }

    /// Returns the given constants of the rating system with these overrides applied.
    ///
    /// # Errors
    /// Returns a sentence about the first override that is invalid or contradicts other constants.
    pub fn over(&self, parameters: &Parameters) -> Result<Parameters, String> {
        if self.0.is_empty() {
            return Ok(parameters.clone());
        }
        let mut fields = fields(parameters)?;
        let mut changed = parameters.clone();
        for Override { name, value } in &self.0 {
            fields.insert(name.clone(), value.clone());
            changed = serde_json::from_value(Value::Object(fields.clone()))
                .map_err(|error| format!("{name}={value}: {error}"))?;
        }
        changed.checked().map_err(|invalid| invalid.to_string())
    }
}

/// Returns the constants of the rating system by their names in the configuration.
fn fields(parameters: &Parameters) -> Result<Map<String, Value>, String> {
    match serde_json::to_value(parameters) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err("cannot write the rating constants as JSON; please report this bug".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(texts: &[&str]) -> Result<Parameters, String> {
        let overrides = texts
            .iter()
            .map(|text| text.parse())
            .collect::<Result<_, _>>()?;
        Overrides(overrides).over(&Parameters::default())
    }

    #[test]
    fn what_is_named_is_replaced_and_nothing_else() {
        let changed = over(&[
            "theta=1800",
            "window = 20",
            "k_max=60.5",
            "experience_floor=true",
            "team_size_exponent=0.5",
            "return_boost_days=14",
            "return_boost_rounds=5",
        ])
        .unwrap();
        let expected = Parameters {
            theta: 1800.0,
            window: 20,
            k_max: 60.5,
            experience_floor: true,
            team_size_exponent: 0.5,
            return_boost_days: 14,
            return_boost_rounds: 5,
            ..Parameters::default()
        };
        assert_eq!(changed, expected);
        assert_eq!(over(&[]).unwrap(), Parameters::default());
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_name() {
        for (texts, expected) in [
            (&["theta"][..], "theta=1800"),
            (&["theta=wide"], "use a number"),
            (&["thetta=1"], "thetta"),
            (&["theta=true"], "theta=true"),
            (&["experience_floor=1"], "experience_floor=1"),
            (&["theta=-1"], "theta must be above 0"),
            (&["window=1.5"], "window=1.5"),
            (&["initial_rating=-100001"], "initial_rating=-100001"),
            (&["k_max=50", "k_min=60"], "k_max"),
        ] {
            let error = over(texts).unwrap_err();
            assert!(error.contains(expected), "{texts:?}: {error}");
        }
    }
}
