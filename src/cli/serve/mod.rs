mod welcome;

use std::io;
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::Context as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;

use super::config::all_settings;
use super::database::{Access, check_models, configuration, open};
use super::environment;
use super::failure::explain;
use super::remote::trusted;
use super::signals::{at_each, hangups, stop_signal};
use crate::config::{
    EffectiveSetting, Flags, InvalidSetting, SecretSource, Secrets, Settings, check_apart,
    make_secret_file,
};
use crate::http::{App, AuthConfig, Authenticator, Limits, Loaded, Reloader, serve};
use crate::service::{Declared, TIMEOUT};
use crate::webhook;

/// Number of open files reserved for other uses than client connections: database, log and listener.
const KEPT_BACK: u64 = 128;

/// Runs the service until a signal stops it. `shown` is the list of settings with their sources. `flags` are used again
/// when the settings are reloaded.
pub(super) async fn run(
    settings: Settings,
    shown: Vec<EffectiveSetting>,
    flags: Flags,
) -> anyhow::Result<()> {
    let stop = stop_signal()?;
    // A request to reload the settings must not interrupt a migration.
    let hangups = hangups()?;
    let read_again = move || all_settings(&flags, environment::variable);
    let started = Box::pin(start(settings, shown, read_again)).await?;
    let at_hangup = started.app.reloader.clone();
    at_each(hangups, move || {
        // The reloader logs its result, in either case.
        let _logged = at_hangup.reload();
    });
    // Output that is not a terminal would store the link, for example in a journal or a container's log.
    let link = io::stdout().is_terminal().then(|| started.log_in_link());
    welcome::print(
        started.address,
        &started.source,
        &started.settings,
        link.transpose()?.as_deref(),
    );
    started.serve(stop).await
}

/// A service with an open database, which answers requests once it is served.
pub(super) struct Started {
    listener: TcpListener,
    pub(super) address: SocketAddr,
    settings: Settings,
    source: SecretSource,
    app: App,
}

/// Listens on the configured address, and opens the service. `read_again` reads the settings at each reload.
pub(super) async fn start(
    settings: Settings,
    shown: Vec<EffectiveSetting>,
    read_again: impl Fn() -> anyhow::Result<(Settings, Vec<EffectiveSetting>)> + Send + Sync + 'static,
) -> anyhow::Result<Started> {
    let listener = TcpListener::bind(&settings.bind).await.with_context(|| {
        format!(
            "cannot listen on {}; set RBS_BIND (bind) to a free address and port",
            settings.bind
        )
    })?;
    let address = listener.local_addr().context("cannot find the port")?;
    // The database is opened first: if its folder is wrong, the error must say so, rather than that no secret can be
    // stored there.
    let service = open(&settings, Access::Write)
        .await?
        .with_timeout(TIMEOUT)
        .with_solver_memory(settings.solver_memory);
    tracing::info!(
        database = %settings.database, configuration = %configuration(&settings), "Opened the database"
    );
    check_models(&service, &settings).await?;
    service.clear_left_overs().await?;
    service.follow_logs()?;
    let service = service.with_backup_folder(settings.backup_folder.clone());
    let folder = settings.database.folder().to_owned();
    let (loaded, source) = loaded(&settings, shown, &folder)?;
    service.declare(&loaded.declared);
    service.follow_calendars();
    service.keep_lists_warm();
    service.tell_webhooks(&webhook::Client(trusted(None)?.unwrap_or_default()));
    let authenticator = Authenticator::new(loaded.auth);
    let read_again = move || {
        let (settings, shown) = read_again().map_err(|error| explain(&error))?;
        let (loaded, _) =
            self::loaded(&settings, shown, &folder).map_err(|error| error.to_string())?;
        Ok(loaded)
    };
    let (serving, accepting) = (service.clone(), authenticator.clone());
    let app = App {
        reloader: Reloader::new(serving, accepting, loaded.settings, read_again),
        service,
        authenticator,
        request_timeout: settings.request_timeout,
        limits: Limits {
            connections: connections(),
            ..Limits::default()
        },
    };
    Ok(Started {
        listener,
        address,
        settings,
        source,
        app,
    })
}

impl Started {
    pub(super) fn log_in_link(&self) -> anyhow::Result<String> {
        let made = self
            .app
            .authenticator
            .make_log_in_link(None, self.app.service.now());
        Ok(made.context("no link to the dashboard can be made")?.0)
    }

    pub(super) async fn serve(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        tracing::info!(address = %self.address, database = %self.settings.database, "Listening");
        let stop = async move {
            stop.await;
            tracing::info!("Stopping: requests in flight are finished first");
        };
        let service = self.app.service.clone();
        Box::pin(serve(self.listener, self.app, stop)).await?;
        service.close().await;
        tracing::info!("Stopped");
        Ok(())
    }
}

/// Returns the settings that the running service uses, and the source of its secret. Without a configured secret, a new
/// one is stored in `folder`.
fn loaded(
    settings: &Settings,
    shown: Vec<EffectiveSetting>,
    folder: &Path,
) -> Result<(Loaded, SecretSource), InvalidSetting> {
    let (game, source) = match settings.secrets.clone() {
        Some(found) => found,
        None => make_secret_file(folder)?,
    };
    check_apart(
        &settings.bound_secrets,
        &game,
        settings.admin_secrets.as_ref(),
        settings.read_secrets.as_ref(),
    )?;
    settings.check_admin_secrets(&game)?;
    for setting in short_secrets(settings, Some(&game)) {
        tracing::warn!(
            setting,
            "A secret of fewer than 16 characters can be guessed; `openssl rand -hex 32` makes a better one"
        );
    }
    let loaded = Loaded {
        auth: AuthConfig {
            game,
            admin: settings.admin_secrets.clone(),
            bound: settings.bound_secrets.clone(),
            read: settings.read_secrets.clone(),
            rate_limit: settings.rate_limit,
            metrics_public: settings.metrics_public,
        },
        declared: Declared {
            pools: settings.pools.clone(),
            servers: settings.servers.clone(),
            unknown_servers: settings.unknown_servers,
            void_own_within: settings.void_own_within,
            max_round_age: settings.max_round_age,
        },
        settings: shown,
    };
    Ok((loaded, source))
}

/// Returns the maximum number of client connections, leaving files for other uses. Raises the limit on open files as
/// far as the system allows.
fn connections() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    let allowed = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(error) => {
            tracing::debug!(%error, "Cannot raise the limit on open files");
            current
        }
    };
    let most = Limits::default().connections;
    let connections = for_clients(allowed, most);
    if connections < most {
        tracing::warn!(
            connections,
            "The limit on open files (ulimit -n) allows only this many connections; raise it \
             if more game servers connect at once"
        );
    }
    connections
}

/// Returns the number of open files that client connections may use, at most `most`. `allowed` is the limit on open
/// files (`None` for unlimited).
fn for_clients(allowed: Option<u64>, most: usize) -> usize {
    let Some(allowed) = allowed else { return most };
    // If few files are allowed, at least half of them are for clients.
    let left = allowed.saturating_sub(KEPT_BACK).max(allowed / 2).max(1);
    usize::try_from(left).map_or(most, |left| left.min(most))
}

/// Returns the settings with a secret that can be guessed. `game` are the secrets of game servers, if there are any.
pub(super) fn short_secrets(settings: &Settings, game: Option<&Secrets>) -> Vec<&'static str> {
    let read = settings.read_secrets.as_ref().map(|read| &read.secrets);
    let mut bound = settings.bound_secrets.iter().map(|bound| &bound.secrets);
    let is_short = |secrets: Option<&Secrets>| secrets.is_some_and(|secrets| secrets.are_short);
    let secrets = [
        ("RBS_SECRET", game),
        ("RBS_ADMIN_SECRET", settings.admin_secrets.as_ref()),
        ("RBS_READ_SECRET", read),
        ("game_servers", bound.find(|secrets| secrets.are_short)),
    ];
    let short = secrets
        .into_iter()
        .filter(|(_, secrets)| is_short(*secrets));
    short.map(|(setting, _)| setting).collect()
}

/// Returns the address of a service on this machine that listens on `bind`. A service on all interfaces is reached on
/// loopback.
pub(super) fn local_address(bind: &str) -> String {
    match bind.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() => {
            let loopback = match address {
                SocketAddr::V4(_) => "127.0.0.1",
                SocketAddr::V6(_) => "[::1]",
            };
            format!("{loopback}:{}", address.port())
        }
        _ => bind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{for_clients, local_address};

    #[test]
    fn what_listens_everywhere_is_reached_on_loopback() {
        assert_eq!(local_address("0.0.0.0:8080"), "127.0.0.1:8080");
        assert_eq!(local_address("[::]:8080"), "[::1]:8080");
        assert_eq!(local_address("192.168.0.7:1"), "192.168.0.7:1");
        assert_eq!(local_address("localhost:1"), "localhost:1");
    }

    #[test]
    fn clients_leave_files_for_the_rest() {
        for (allowed, connections) in [
            (None, 16_384),
            (Some(u64::MAX), 16_384),
            (Some(1_000_000), 16_384),
            (Some(16_511), 16_383),
            (Some(1024), 896),
            (Some(100), 50),
            (Some(0), 1),
        ] {
            assert_eq!(for_clients(allowed, 16_384), connections, "{allowed:?}");
        }
    }
}
