//! The settings in force, and their reload while the service runs.

use std::sync::Arc;

use parking_lot::Mutex;

use super::middleware::auth::{AuthConfig, Authenticator};
use crate::api::{ReloadAnswer, ReloadedSecretAnswer, SecretAnswer, SettingAnswer, SettingOrigin};
use crate::config::{EffectiveSetting, Origin, reload};
use crate::domain::Timestamp;
use crate::service::{Declared, Service};

/// Settings as read from configuration, environment and files of secrets.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Accepted secrets, and the requests that each of them may send.
    pub auth: AuthConfig,
    /// Pools and servers that the settings declare.
    pub declared: Declared,
    /// Every setting with its value and origin.
    pub settings: Vec<EffectiveSetting>,
}

/// Function that reads the settings again. Its error is a sentence that names the invalid setting and what to do.
type Read = Box<dyn Fn() -> Result<Loaded, String> + Send + Sync>;

/// Settings in force, and the means to reload them. Cheap to clone; clones change together.
#[derive(Clone)]
pub struct Reloader(Arc<Inner>);

struct Inner {
    service: Service,
    authenticator: Authenticator,
    read: Read,
    started_at: Timestamp,
    /// Lock held during a reload of the settings, so that reloads run one after another.
    reloading: Mutex<()>,
    in_force: Mutex<InForce>,
}

#[derive(Clone, Debug)]
pub(crate) struct InForce {
    settings: Vec<EffectiveSetting>,
    pub(crate) restart: Vec<String>,
    pub(crate) loaded_at: Timestamp,
}

impl Reloader {
    /// Returns a reloader for a service that was started with `settings`. `read` reads the settings again.
    pub fn new(
        service: Service,
        authenticator: Authenticator,
        settings: Vec<EffectiveSetting>,
        read: impl Fn() -> Result<Loaded, String> + Send + Sync + 'static,
    ) -> Self {
        let started_at = service.now();
        let in_force = Mutex::new(InForce {
            settings,
            restart: Vec::new(),
            loaded_at: started_at,
        });
        Self(Arc::new(Inner {
            service,
            authenticator,
            read: Box::new(read),
            started_at,
            reloading: Mutex::default(),
            in_force,
        }))
    }

    /// Reads the settings again and applies those that can change while the service runs. Logs the applied settings and
    /// those that need a restart. Reads files, so it may block.
    ///
    /// # Errors
    /// Returns a sentence about the invalid setting. The settings in force then stay unchanged.
    pub fn reload(&self) -> Result<ReloadAnswer, String> {
        let _reloading = self.0.reloading.lock();
        let mut loaded = (self.0.read)().inspect_err(|error| {
            tracing::error!(%error, "The settings were not reloaded and stay unchanged");
        })?;
        self.0.service.declare(&loaded.declared);
        self.keep_pools(&mut loaded);
        let before = self.0.authenticator.list_secrets();
        self.0.authenticator.replace(loaded.auth);
        let after = self.0.authenticator.list_secrets();
        let (added, removed) = (beyond(&after, &before), beyond(&before, &after));
        let reloaded = reload(&self.in_force().settings, &loaded.settings);
        *self.0.in_force.lock() = InForce {
            settings: reloaded.in_force,
            restart: reloaded.restart.clone(),
            loaded_at: self.0.service.now(),
        };
        tracing::info!(
            taken = reloaded.taken.join(", "),
            secrets_added = fingerprints(&added),
            secrets_removed = fingerprints(&removed),
            "Reloaded the settings"
        );
        if !reloaded.restart.is_empty() {
            let settings = reloaded.restart.join(", ");
            tracing::warn!(settings, "These settings have changed: restart to apply");
        }
        Ok(ReloadAnswer {
            taken: reloaded.taken,
            restart: reloaded.restart,
            secrets_added: added,
            secrets_removed: removed,
        })
    }

    /// Lets secrets restricted to a server also name its current pool, until a restart moves the server to its new
    /// pool.
    fn keep_pools(&self, loaded: &mut Loaded) {
        let declared = &loaded.declared.servers;
        for bound in &mut loaded.auth.bound {
            for server in &bound.servers {
                if let Ok(pool) = self.0.service.pool(None, Some(server))
                    && declared.get(server) != Some(&pool.name)
                {
                    bound.pools.insert(pool.name.clone());
                }
            }
        }
    }

    pub(crate) fn started_at(&self) -> Timestamp {
        self.0.started_at
    }

    pub(crate) fn in_force(&self) -> InForce {
        self.0.in_force.lock().clone()
    }
}

impl InForce {
    pub(crate) fn settings(&self) -> Vec<SettingAnswer> {
        self.settings.iter().map(answer).collect()
    }
}

/// Returns the `secrets` that are not among `others`, or are of another kind there.
fn beyond(secrets: &[SecretAnswer], others: &[SecretAnswer]) -> Vec<ReloadedSecretAnswer> {
    let key = |secret: &SecretAnswer| (secret.fingerprint, secret.kind);
    let is_new = |secret: &&SecretAnswer| others.iter().all(|other| key(other) != key(secret));
    let new = secrets.iter().filter(is_new);
    let answers = new.map(|secret| ReloadedSecretAnswer {
        fingerprint: secret.fingerprint,
        name: secret.name.clone(),
        kind: secret.kind,
    });
    answers.collect()
}

fn fingerprints(secrets: &[ReloadedSecretAnswer]) -> String {
    let fingerprints = secrets.iter().map(|secret| secret.fingerprint.to_string());
    fingerprints.collect::<Vec<_>>().join(", ")
}

fn answer(setting: &EffectiveSetting) -> SettingAnswer {
    SettingAnswer {
        setting: setting.setting.clone(),
        value: setting.value.clone(),
        from: match setting.from {
            Origin::Default => SettingOrigin::Default,
            Origin::Computed => SettingOrigin::Computed,
            Origin::File => SettingOrigin::File,
            Origin::Environment => SettingOrigin::Environment,
            Origin::CommandLine => SettingOrigin::CommandLine,
        },
        place: setting.place.clone(),
    }
}
