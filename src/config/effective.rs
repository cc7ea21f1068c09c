use std::collections::BTreeMap;
use std::path::PathBuf;

use figment::value::Value;
use figment::{Figment, Source};
use serde::Serialize;
use serde_json::Value as Json;

use super::layers;
use super::layers::Layers;
use super::reload::takes_restart;
use super::secret::Secrets;
use super::{Flags, InvalidSetting, Settings, secret};
use crate::domain::PoolName;

/// A setting, its effective value, and the origin of the value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectiveSetting {
    /// Name of the setting as in the configuration file, such as `rating.window`.
    pub setting: String,
    /// Value of the setting; `null` if unset. For secrets, a text with their number.
    pub value: Json,
    /// Origin of the setting's value, such as the configuration file.
    pub from: Origin,
    /// Environment variable, file or flag that set this setting's value, or a text about a computed or missing value,
    /// if any.
    pub place: Option<String>,
    /// `true` if a change of the setting needs a restart, `false` if a reload of the running service suffices.
    pub restart: bool,
    /// Pool that the setting belongs to, or that the setting puts a server into.
    #[serde(skip)]
    pub pool: Option<PoolName>,
}

/// Origin of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Origin of a setting that has the default value compiled into the program.
    Default,
    /// Origin of a setting whose value is computed from other settings.
    Computed,
    /// Origin of a setting whose value comes from the configuration file.
    File,
    /// Origin of a setting whose value comes from an environment variable.
    Environment,
    /// Origin of a setting whose value comes from the command line.
    CommandLine,
}

/// Returns the checked settings, and a list of every effective setting, sorted by name. Both come from one reading of
/// the file. The list shows only the number of secrets.
///
/// # Errors
/// Returns an error about the first invalid setting.
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
    let mut look = Look {
        flags,
        environment: &environment,
        figment: &figment,
        found: BTreeMap::new(),
    };
    // Settings without a default are listed too, with the value `null`.
    for setting in ["requests_per_second", "burst", "backup_folder"] {
        look.add(setting, Json::Null, None);
    }
    let everything: Value = figment
        .extract()
        .map_err(|error| InvalidSetting(error.to_string()))?;
    look.walk("", &everything)?;
    let found = &mut look.found;
    for name in ["secret", "admin_secret", "read_secret"] {
        found.remove(&format!("{name}_file"));
    }
    if let Some(database) = found.get_mut("database_url") {
        // The displayed address leaves the password out.
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
            restart: true,
            pool: None,
        });
    }
    let made = secret::made_file(checked.database.folder());
    let made = format!("{}, made at the first start", made.display());
    let game = checked.secrets.as_ref().map(|(secrets, _)| secrets);
    let file = checked.configuration.as_ref();
    look.add_secret("secret", game, file, made);
    let (admin, same) = (checked.admin_secrets.as_ref(), "the same as secret");
    look.add_secret("admin_secret", admin, file, same.to_owned());
    let read = checked.read_secrets.as_ref().map(|read| &read.secrets);
    let nobody = "there is no read-only secret";
    look.add_secret("read_secret", read, file, nobody.to_owned());
    let pools: Vec<&PoolName> = checked.pools.keys().collect();
    let found = look
        .found
        .into_values()
        .map(|setting| with_pool(setting, &pools))
        .collect();
    Ok((checked, found))
}

/// Fills in the pool that a setting belongs to, and whether a change of the setting needs a restart.
fn with_pool(mut setting: EffectiveSetting, pools: &[&PoolName]) -> EffectiveSetting {
    let name = &setting.setting;
    // If both pools `a` and `a.b` match, the setting belongs to the longer name.
    let own = pools
        .iter()
        .copied()
        .filter(|pool| name.starts_with(&format!("pools.{pool}.")))
        .max_by_key(|pool| pool.as_str().len());
    setting.restart = takes_restart(name, own);
    let of_server = name
        .strip_prefix("servers.")
        .and_then(|own| own.rsplit_once('.'))
        .is_some_and(|(_, key)| key == "pool");
    let joined = setting
        .value
        .as_str()
        .filter(|_| of_server)
        .and_then(|pool| pool.parse().ok());
    setting.pool = own.cloned().or(joined);
    setting
}

/// Collector of effective settings: their sources, and the settings found so far.
struct Look<'layers, Environment> {
    flags: &'layers Flags,
    environment: &'layers Environment,
    figment: &'layers Figment,
    found: BTreeMap<String, EffectiveSetting>,
}

impl<Environment: Fn(&str) -> Option<String>> Look<'_, Environment> {
    /// Records every setting below the path `name` of the configuration, whose content is `value`.
    fn walk(&mut self, name: &str, value: &Value) -> Result<(), InvalidSetting> {
        if let Value::Dict(_, entries) = value {
            for (key, value) in entries {
                let separator = if name.is_empty() { "" } else { "." };
                self.walk(&format!("{name}{separator}{key}"), value)?;
            }
            return Ok(());
        }
        let mut json = serde_json::to_value(value)
            .map_err(|error| InvalidSetting(format!("{name}: {error}")))?;
        if name == "webhook.url" || name.ends_with(".webhook.url") {
            let url = Secrets::fingerprint(json.as_str().unwrap_or_default());
            json = format!("not shown, fingerprint {url}").into();
        }
        let file =
            self.figment
                .get_metadata(value.tag())
                .and_then(|metadata| match &metadata.source {
                    Some(Source::File(path)) => Some(path),
                    _ => None,
                });
        self.add(name, json, file);
        Ok(())
    }

    fn add(&mut self, name: &str, value: Json, file: Option<&PathBuf>) {
        let variable = layers::variable_of(name).filter(|variable| self.is_set(variable));
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
        self.insert(name, value, from, place);
    }

    /// Records the setting `name` with the number and the origin of its secrets, never the secrets themselves.
    /// `otherwise` describes the fallback if there are no `secrets`.
    fn add_secret(
        &mut self,
        name: &str,
        secrets: Option<&Secrets>,
        file: Option<&PathBuf>,
        otherwise: String,
    ) {
        let Some(secrets) = secrets else {
            return self.insert(name, Json::Null, Origin::Default, Some(otherwise));
        };
        let variable = format!("RBS_{}", name.to_uppercase());
        let mut variables = [variable.clone(), secret::file_variable(&variable)].into_iter();
        let (from, place) = match variables.find(|variable| self.is_set(variable)) {
            Some(variable) => (Origin::Environment, Some(variable)),
            None => (Origin::File, file.map(|file| file.display().to_string())),
        };
        let count = secrets.known.len();
        let plural = if count == 1 { "secret" } else { "secrets" };
        let value = format!("{count} {plural}, not shown").into();
        self.insert(name, value, from, place);
    }

    fn is_set(&self, variable: &str) -> bool {
        (self.environment)(variable).is_some()
    }

    fn insert(&mut self, name: &str, value: Json, from: Origin, place: Option<String>) {
        let setting = EffectiveSetting {
            setting: name.to_owned(),
            value,
            from,
            place,
            restart: false,
            pool: None,
        };
        self.found.insert(name.to_owned(), setting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_says_what_serves_in_its_place() {
        let flags = Flags::default();
        let variables = |name: &str| (name == "RBS_SECRET").then(|| "hunter2,hunter3".to_owned());
        let settings = effective_settings(&flags, variables).unwrap().1;
        for (name, value, from, place) in [
            ("burst", "null", Origin::Default, None),
            (
                "pools.default.theta",
                "2400.0",
                Origin::Computed,
                Some("the team sizes"),
            ),
            (
                "secret",
                "\"2 secrets, not shown\"",
                Origin::Environment,
                Some("RBS_SECRET"),
            ),
            (
                "admin_secret",
                "null",
                Origin::Default,
                Some("the same as secret"),
            ),
        ] {
            let found = settings
                .iter()
                .find(|setting| setting.setting == name)
                .unwrap_or_else(|| panic!("no {name}"));
            assert_eq!(found.value.to_string(), value);
            assert_eq!(
                (found.from, found.place.as_deref()),
                (from, place),
                "{name}"
            );
        }
    }
}
