use std::collections::BTreeMap;
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

use super::signals::{Interrupted, stop_signal};
use super::terminal::output::Format;
use crate::clock::Clock;
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{DatabaseUrl, PoolRecord, Store};

/// Number of retries of a transaction while the database does not answer, with a pause before each. Retries never count
/// a round or a change twice.
const RETRIES: u32 = 5;
const RETRY_PAUSE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write,
    /// Access to the database for reading only, apart from migrating the tables.
    Read,
}

/// Removes the limits on the duration of statements and on idle transactions, for work that takes longer than a
/// request.
pub(super) fn without_timeouts(database: &DatabaseUrl) -> DatabaseUrl {
    match database {
        DatabaseUrl::Postgres(servers) => {
            let limits = [
                ("statement_timeout", "0"),
                ("idle_in_transaction_session_timeout", "0"),
            ];
            let servers = servers.iter().map(|server| server.clone().options(limits));
            DatabaseUrl::Postgres(servers.collect())
        }
        DatabaseUrl::Sqlite { .. } => database.clone(),
    }
}

pub(super) async fn connect(database: &DatabaseUrl) -> anyhow::Result<Store> {
    if let DatabaseUrl::Sqlite { path } = database {
        let folder = folder_of(path);
        anyhow::ensure!(
            folder.is_dir(),
            "there is no folder {} for the database {database}; make it, or set DATABASE_URL \
             (database_url) to a file elsewhere",
            folder.display()
        );
    }
    let connected = Store::connect(database).await;
    connected.with_context(|| format!("cannot open the database {database}; {}", advice(database)))
}

/// Opens the service over the configured database, and migrates the database first.
pub(super) async fn open(settings: &Settings, access: Access) -> anyhow::Result<Service> {
    let database = &settings.database;
    let advice = advice(database);
    let store = connect(database).await?;
    store
        .migrate()
        .await
        .with_context(|| format!("cannot bring the tables of {database} up to date; {advice}"))?;
    if access == Access::Write {
        let written = store.ping().await;
        written.with_context(|| format!("cannot write to the database {database}; {advice}"))?;
    }
    let (pools, servers) = match access {
        Access::Write => (settings.pools.clone(), settings.servers.clone()),
        // A command that only reads uses the pools in the database, and adds no configured ones.
        Access::Read => (BTreeMap::new(), BTreeMap::new()),
    };
    let service = Service::open(store, Clock::System, &pools, &servers)
        .await
        .with_context(|| format!("cannot prepare the pools in {database}"))?;
    if access == Access::Write {
        check_windows(&service, settings).await?;
        warn_of_undeclared_pools(&service, settings).await?;
    }
    Ok(service)
}

/// Runs `work` on the configured database, which must exist. A signal stops `work`: its unfinished transaction is
/// undone, so that no lease has to expire, and completed ones remain.
pub(super) async fn run_interruptible(
    settings: &Settings,
    access: Access,
    work: impl AsyncFnOnce(&Service) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    must_exist(settings)?;
    let stop = stop_signal()?;
    let mut service = Box::pin(open(settings, access)).await?;
    if access == Access::Write {
        service.prepare_for_bulk().await?;
    }
    let result = {
        let mut work = pin!(work(&service));
        tokio::select! {
            result = &mut work => result,
            () = stop => {
                service.stop_rebuilds();
                let ended = match access {
                    Access::Write => work.await,
                    Access::Read => Err(Interrupted.into()),
                };
                ended.map_err(|_| Interrupted.into())
            }
        }
    };
    service.close().await;
    result
}

/// Returns an error if the database file does not exist, for commands that must not create one.
pub(super) fn must_exist(settings: &Settings) -> anyhow::Result<()> {
    if let DatabaseUrl::Sqlite { path } = &settings.database {
        anyhow::ensure!(
            path.is_file(),
            "there is no database {}; check DATABASE_URL (database_url)",
            path.display()
        );
    }
    Ok(())
}

/// Returns the pool that a command names, or else every pool in the database, configured or not.
pub(super) async fn chosen_pools(
    service: &Service,
    wanted: Option<&PoolName>,
) -> anyhow::Result<Vec<PoolRecord>> {
    let mut pools = service.stored_pools().await?;
    if let Some(wanted) = wanted {
        let names: Vec<&str> = pools.iter().map(|pool| pool.name.as_str()).collect();
        let there = names.join(", ");
        pools.retain(|pool| pool.name == *wanted);
        anyhow::ensure!(
            !pools.is_empty(),
            "the database has no pool \"{wanted}\"; it has: {there}"
        );
    }
    Ok(pools)
}

#[derive(Debug, Args)]
pub(super) struct InPool {
    /// Name of the pool [default: the pool "default" if it has rounds, otherwise the only pool with rounds]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl InPool {
    /// Returns the pool named by `--pool`, or else the choice of [`only_pool`].
    pub(super) async fn find(&self, service: &Service) -> anyhow::Result<Arc<Pool>> {
        let mut named = self.pool.clone();
        if named.is_none() {
            let stored = service.stored_pools().await?;
            let pools = stored.iter();
            named = only_pool(pools.map(|pool| (&pool.name, pool.sums.predictions.rounds)))?;
        }
        Ok(service.pool(named.as_ref(), None)?)
    }
}

/// Chooses the pool of a command without `--pool`. Returns `None`, which is the default pool, if that pool has rounds
/// or if no pool has. Else returns the only pool with rounds, or an error if there are several.
pub(super) fn only_pool<'pools>(
    pools: impl Iterator<Item = (&'pools PoolName, u64)>,
) -> anyhow::Result<Option<PoolName>> {
    let played: Vec<_> = pools.filter(|(_, rounds)| *rounds > 0).collect();
    match *played {
        [] => Ok(None),
        [(only, _)] => Ok(Some(only.clone())),
        _ if played.iter().any(|(name, _)| **name == PoolName::default()) => Ok(None),
        _ => {
            let listed = played
                .iter()
                .map(|(name, rounds)| format!("{name} ({rounds})"));
            anyhow::bail!(
                "several pools have rounds: {}; name one with --pool",
                listed.collect::<Vec<_>>().join(", ")
            )
        }
    }
}

pub(super) fn configuration(settings: &Settings) -> String {
    match &settings.configuration {
        Some(path) => absolute(path),
        None => "built-in defaults".to_owned(),
    }
}

pub(super) fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path);
    whole.as_deref().unwrap_or(path).display().to_string()
}

/// Returns the folder of a file, `.` if the path has none.
pub(super) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn advice(database: &DatabaseUrl) -> String {
    match database {
        DatabaseUrl::Postgres(_) => "check DATABASE_URL (database_url), and that the database \
                                     server answers at that address and accepts writes"
            .to_owned(),
        DatabaseUrl::Sqlite { path } => format!(
            "check DATABASE_URL (database_url), and that the user who runs RBS may write the file \
             {} and its folder {}",
            absolute(path),
            absolute(folder_of(path))
        ),
    }
}

/// Returns an error if a pool's window is longer than the history kept from pruned rounds.
async fn check_windows(service: &Service, settings: &Settings) -> anyhow::Result<()> {
    for (name, pool) in &settings.pools {
        let window = pool.parameters.window;
        if let Some(kept) = service.kept_window(name).await? {
            anyhow::ensure!(
                window <= kept,
                "window = {window} of the pool {name} is too long: older rounds were pruned, and this database \
                 has the data for at most {kept} rounds; set window to {kept} or less, or make a new database and \
                 import the files that `rbs prune` wrote, then an export of this database"
            );
        }
    }
    Ok(())
}

/// Returns an error if the configured model of a pool differs from the model that rates it. One of the two would be a
/// mistake in the configuration.
pub(super) async fn check_models(service: &Service, settings: &Settings) -> anyhow::Result<()> {
    for pool in service.stored_pools().await? {
        let Some(declared) = settings.pools.get(&pool.name) else {
            continue;
        };
        let (name, model, parameters) = (&pool.name, pool.model, &declared.parameters);
        let (advantages, bots) = (&parameters.advantages, &parameters.bots);
        for (table, counts) in [
            (
                "advantages",
                advantages.is_empty() || model.counts_advantages(),
            ),
            ("bots", bots.is_empty() || model.counts_bots()),
        ] {
            anyhow::ensure!(
                counts,
                "the pool {name} is rated by {model}, which does not use {table}; remove [pools.{name}.{table}], or, \
                 if only [rating.{table}] exists, set model = \"{model}\" under [pools.{name}] to exclude this pool \
                 from it"
            );
        }
        if let Some(set) = declared.model {
            anyhow::ensure!(
                set == model,
                "the pool {name} is rated by {model}, but its setting is model = \"{set}\"; set model to \"{model}\" \
                 or leave it out, or rate the pool by {set} from its first round on with `rbs switch --pool {name} \
                 --to {set}`"
            );
        }
    }
    Ok(())
}

/// Warns about pools with rounds that the configuration does not declare. No request can use such a pool, and most
/// likely the wrong configuration file was loaded.
async fn warn_of_undeclared_pools(service: &Service, settings: &Settings) -> anyhow::Result<()> {
    for pool in service.stored_pools().await? {
        if pool.log_length > 0 && !settings.pools.contains_key(&pool.name) {
            tracing::warn!(
                pool = %pool.name,
                configuration = %configuration(settings),
                "The database has a pool that the configuration does not declare; check that this is the \
                 right configuration file"
            );
        }
    }
    Ok(())
}

/// Runs the database operation `work`, and retries it a few times while the database does not answer. The result is
/// boxed to keep the caller's future small.
pub(super) fn with_retries<'work, T: 'work>(
    mut work: impl AsyncFnMut() -> Result<T, ServiceError> + 'work,
) -> Pin<Box<dyn Future<Output = Result<T, ServiceError>> + 'work>> {
    Box::pin(async move {
        for _ in 0..RETRIES {
            match work().await {
                Err(error @ ServiceError::Unavailable(_)) => {
                    tracing::warn!(error = ?error, "The database does not answer; trying again");
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
                result => return result,
            }
        }
        work().await
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_the_only_pool_with_rounds_is_meant() {
        let meant = |pools: &[(&str, u64)]| {
            let parsed: Vec<(PoolName, u64)> = pools
                .iter()
                .map(|(name, rounds)| (name.parse().unwrap(), *rounds))
                .collect();
            let pools = parsed.iter().map(|(name, rounds)| (name, *rounds));
            let only = only_pool(pools).map_err(|error| error.to_string());
            only.map(|only| only.map(|name| name.to_string()))
        };
        assert_eq!(meant(&[("arena", 0), ("default", 0)]), Ok(None));
        assert_eq!(meant(&[("arena", 3), ("default", 7)]), Ok(None));
        let [arena, default] = ["arena", "default"].map(|pool| Some(pool.to_owned()));
        assert_eq!(meant(&[("arena", 0), ("default", 7)]), Ok(default));
        assert_eq!(meant(&[("arena", 3), ("default", 0)]), Ok(arena));
        let several = meant(&[("arena", 3), ("default", 0), ("tf2", 120)]).unwrap_err();
        assert!(
            several.contains("arena (3), tf2 (120); name one with --pool"),
            "{several}"
        );
    }
}
