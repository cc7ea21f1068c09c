use std::str::FromStr;

use serde_json::{Number, Value};

use crate::rating::Parameters;

/// One constant of the rating system with the value that it shall have, as in `theta=1800`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    name: String,
    value: Number,
}

/// Constants that take the place of those that are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub Vec<Override>);

impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("must be a setting and its value, such as theta=1800")?;
        let value = value
            .trim()
            .parse()
            .map_err(|_| format!("{} is no number", value.trim()))?;
        let one = Self {
            name: name.trim().to_owned(),
            value,
        };
        // What does not even go with the defaults is refused before anything is read.
        let names = Overrides(vec![one.clone()]).over(&Parameters::default());
        match names {
            Err(problem) if !is_known(&one.name) => Err(problem),
            _ => Ok(one),
        }
    }
}

impl Overrides {
    /// `parameters` with these constants in the place of theirs.
    ///
    /// # Errors
    /// A sentence on the first that is none, or that does not go with the others.
    pub fn over(&self, parameters: &Parameters) -> Result<Parameters, String> {
        if self.0.is_empty() {
            return Ok(parameters.clone());
        }
        let Ok(Value::Object(mut fields)) = serde_json::to_value(parameters) else {
            return Err("the settings cannot be written as text".to_owned());
        };
        for Override { name, value } in &self.0 {
            let names: Vec<String> = fields.keys().cloned().collect();
            let Some(field) = fields.get_mut(name) else {
                return Err(format!("\"{name}\" is none of {}", names.join(", ")));
            };
            *field = Value::Number(value.clone());
            serde_json::from_value::<Parameters>(Value::Object(fields.clone()))
                .map_err(|error| format!("{name}={value}: {error}"))?;
        }
        let changed: Parameters =
            serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
        changed.checked().map_err(|invalid| invalid.to_string())
    }
}

fn is_known(name: &str) -> bool {
    serde_json::to_value(Parameters::default()).is_ok_and(|fields| fields.get(name).is_some())
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
        let changed = over(&["theta=1800", "window = 20", "k_max=60.5"]).unwrap();
        let expected = Parameters {
            theta: 1800.0,
            window: 20,
            k_max: 60.5,
            ..Parameters::default()
        };
        assert_eq!(changed, expected);
        assert_eq!(over(&[]).unwrap(), Parameters::default());
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_name() {
        for (texts, says) in [
            (&["theta"][..], "theta=1800"),
            (&["theta=wide"], "no number"),
            (&["thetta=1"], "thetta"),
            (&["theta=-1"], "theta must be above 0"),
            (&["window=1.5"], "window=1.5"),
            (&["initial_rating=-5"], "initial_rating=-5"),
            (&["k_max=50", "k_min=60"], "k_max"),
        ] {
            let error = over(texts).unwrap_err();
            assert!(error.contains(says), "{texts:?}: {error}");
        }
    }
}
