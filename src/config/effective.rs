use std::collections::BTreeMap;
use std::path::PathBuf;

use figment::value::Value;
use figment::{Figment, Source};
use serde::Serialize;

use super::layers;
use super::layers::Layers;
use super::secret;
use super::secret::Secrets;
use super::{Flags, InvalidSetting, Settings};

/// A setting, its value, and where that comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectiveSetting {
    /// The setting as the file names it, such as `rating.window`.
    pub setting: String,
    /// Its value; of a secret how many there are, `null` where nothing is set.
    pub value: serde_json::Value,
    /// Where the value comes from.
    pub from: Origin,
    /// Its variable, file or flag, or what it follows from; `None` of a plain default.
    pub place: Option<String>,
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It is not set.
    Default,
    /// It follows from other settings.
    Computed,
    /// The configuration file.
    File,
    /// An environment variable.
    Environment,
    /// The command line.
    CommandLine,
}

/// The settings that were checked, and every setting in force by name, of secrets only how many there
/// are; both from one reading of the file.
///
/// # Errors
/// The first setting that makes no sense.
pub fn effective_settings(
    flags: &Flags,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<(Settings, Vec<EffectiveSetting>), InvalidSetting> {
    let Layers {
        figment,
        settings,
        file,
    } = layers::read(flags, &environment)?;
    let checked = Settings::check(settings, file, &environment)?;
    let look = Look {
        flags,
        environment: &environment,
        figment: &figment,
    };
    let mut found = BTreeMap::new();
    // What has no default stands there all the same, so that one learns of it.
    for setting in ["requests_per_second", "burst"] {
        look.add(&mut found, setting, serde_json::Value::Null, None);
    }
    let everything: Value = figment
        .extract()
        .map_err(|error| InvalidSetting(error.to_string()))?;
    look.walk(&mut found, "", &everything)?;
    for name in ["secret", "admin_secret"] {
        found.remove(&format!("{name}_file"));
    }
    if let Some(database) = found.get_mut("database_url") {
        // Without the password.
        database.value = checked.database.to_string().into();
    }
    let theta = if found.contains_key("rating.theta") {
        "rating.theta"
    } else {
        "the team sizes"
    };
    for (pool, settings) in &checked.pools {
        let name = format!("pools.{pool}.theta");
        found.entry(name.clone()).or_insert(EffectiveSetting {
            setting: name,
            value: settings.parameters.theta.into(),
            from: Origin::Computed,
            place: Some(theta.to_owned()),
        });
    }
    let made = secret::made_file(checked.database.folder());
    let (game, admin) = (checked.secrets.as_ref(), checked.admin_secrets.as_ref());
    for (name, count, otherwise) in [
        (
            "secret",
            game.map(|(secrets, _)| secrets.count()),
            format!("{}, made at the first start", made.display()),
        ),
        (
            "admin_secret",
            admin.map(Secrets::count),
            "the same as secret".to_owned(),
        ),
    ] {
        let secret = look.secret(name, count, checked.configuration.as_ref(), otherwise);
        found.insert(name.to_owned(), secret);
    }
    Ok((checked, found.into_values().collect()))
}

/// Where settings are looked for.
struct Look<'layers, Environment> {
    flags: &'layers Flags,
    environment: &'layers Environment,
    figment: &'layers Figment,
}

impl<Environment: Fn(&str) -> Option<String>> Look<'_, Environment> {
    /// Adds whatever stands in `value`, which the file calls `name`.
    fn walk(
        &self,
        found: &mut BTreeMap<String, EffectiveSetting>,
        name: &str,
        value: &Value,
    ) -> Result<(), InvalidSetting> {
        if let Value::Dict(_, entries) = value {
            for (key, value) in entries {
                let name = if name.is_empty() {
                    key.clone()
                } else {
                    format!("{name}.{key}")
                };
                self.walk(found, &name, value)?;
            }
            return Ok(());
        }
        let json = serde_json::to_value(value)
            .map_err(|error| InvalidSetting(format!("{name}: {error}")))?;
        let file = self.figment.get_metadata(value.tag());
        let file = file.and_then(|metadata| match &metadata.source {
            Some(Source::File(path)) => Some(path.clone()),
            _ => None,
        });
        self.add(found, name, json, file);
        Ok(())
    }

    fn add(
        &self,
        found: &mut BTreeMap<String, EffectiveSetting>,
        name: &str,
        value: serde_json::Value,
        file: Option<PathBuf>,
    ) {
        let variable = layers::variable_of(name);
        let variable = variable.filter(|variable| (self.environment)(variable).is_some());
        let (from, place) = if layers::flag_of(self.flags, name).is_some() {
            let flag = format!("--{}", name.replace('_', "-"));
            (Origin::CommandLine, Some(flag))
        } else if let Some(variable) = variable {
            (Origin::Environment, Some(variable.to_owned()))
        } else if let Some(file) = file {
            (Origin::File, Some(file.display().to_string()))
        } else {
            (Origin::Default, None)
        };
        let setting = EffectiveSetting {
            setting: name.to_owned(),
            value,
            from,
            place,
        };
        found.insert(name.to_owned(), setting);
    }

    /// How many secrets are set as `name`, and where; `otherwise` is what serves where none is.
    fn secret(
        &self,
        name: &str,
        count: Option<usize>,
        file: Option<&PathBuf>,
        otherwise: String,
    ) -> EffectiveSetting {
        let variable = format!("RBS_{}", name.to_uppercase());
        let file_variable = format!("{variable}_FILE");
        let is_set = |variable: &String| (self.environment)(variable).is_some();
        let (from, place) = if count.is_none() {
            (Origin::Default, Some(otherwise))
        } else if is_set(&variable) {
            (Origin::Environment, Some(variable))
        } else if is_set(&file_variable) {
            (Origin::Environment, Some(file_variable))
        } else {
            let file = file.map(|file| file.display().to_string());
            (Origin::File, file)
        };
        EffectiveSetting {
            setting: name.to_owned(),
            value: count.map_or(serde_json::Value::Null, |count| {
                let plural = if count == 1 { "secret" } else { "secrets" };
                format!("{count} {plural}, not shown").into()
            }),
            from,
            place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effective(flags: &Flags, variables: &[(&str, &str)]) -> Vec<EffectiveSetting> {
        let environment = |wanted: &str| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| (*value).to_owned())
        };
        effective_settings(flags, environment).unwrap().1
    }

    fn one(settings: &[EffectiveSetting], name: &str) -> EffectiveSetting {
        let found = settings.iter().find(|setting| setting.setting == name);
        found.unwrap_or_else(|| panic!("no {name}")).clone()
    }

    #[test]
    fn each_setting_says_where_it_comes_from() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        std::fs::write(&file, "bind = \"1.2.3.4:5\"\n[rating]\nwindow = 20\n").unwrap();
        let flags = Flags {
            config: Some(file.clone()),
            database_url: Some("postgres://rbs:hunter2@there/rbs".to_owned()),
            bind: None,
        };
        let variables = [
            ("RBS_BIND", "127.0.0.1:9"),
            ("RBS_SECRET", "hunter2,hunter3"),
        ];
        let settings = effective(&flags, &variables);
        let says = |name| {
            let EffectiveSetting {
                value, from, place, ..
            } = one(&settings, name);
            (value.to_string(), from, place)
        };
        let path = file.display().to_string();
        assert_eq!(
            says("rating.window"),
            ("20".into(), Origin::File, Some(path))
        );
        assert_eq!(
            says("bind"),
            (
                "\"127.0.0.1:9\"".into(),
                Origin::Environment,
                Some("RBS_BIND".into())
            )
        );
        let (database, from, place) = says("database_url");
        assert_eq!(
            (from, place.as_deref()),
            (Origin::CommandLine, Some("--database-url"))
        );
        assert!(database.contains("there"), "{database}");
        assert_eq!(says("rating.k_max"), ("72.0".into(), Origin::Default, None));
        assert_eq!(says("burst"), ("null".into(), Origin::Default, None));
        assert_eq!(says("pools.default.theta").1, Origin::Computed);
        let (secret, from, place) = says("secret");
        assert_eq!(secret, "\"2 secrets, not shown\"");
        assert_eq!(
            (from, place.as_deref()),
            (Origin::Environment, Some("RBS_SECRET"))
        );
        let same = Some("the same as secret".to_owned());
        assert_eq!(says("admin_secret"), ("null".into(), Origin::Default, same));
        assert!(!format!("{settings:?}").contains("hunter"), "{settings:?}");
    }
}
