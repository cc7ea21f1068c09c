//! Plain-text diagnostics for bug reports.

use std::fmt::Write as _;

use super::reload::InForce;
use super::{App, Problem};
use crate::api::{SecretKind, SettingAnswer, SettingOrigin};
use crate::domain::Timestamp;
use crate::service::{Diagnosis, PoolDiagnosis};

/// Commit that the program was built from, if the build set `RBS_COMMIT`.
const COMMIT: Option<&str> = option_env!("RBS_COMMIT");

/// Returns the service's diagnostics for a bug report. `failed` has a line for each of the last failed requests, latest
/// first.
pub(super) async fn text(app: &App, failed: &[String]) -> Result<String, Problem> {
    let found = app.service.diagnose().await?;
    let now = app.service.now();
    let in_force = app.reloader.in_force();
    let mut text = String::new();
    write(&mut text, app, &found, &in_force, failed, now).map_err(|error| {
        tracing::error!(%error, "Cannot format the diagnostics");
        Problem::internal()
    })?;
    Ok(text)
}

fn write(
    text: &mut String,
    app: &App,
    found: &Diagnosis,
    in_force: &InForce,
    failed: &[String],
    now: Timestamp,
) -> std::fmt::Result {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), COMMIT.unwrap_or("not known"));
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let up = now.whole_seconds_since(app.reloader.started_at());
    let (hours, minutes) = (up / 3600, up % 3600 / 60);
    writeln!(text, "RBS {version}, commit {commit}, {system} {processor}")?;
    writeln!(text, "Up for {hours} h {minutes} min")?;
    let steady = app.service.steady_time();
    writeln!(
        text,
        "Clock: {now}; without clock changes since the start, it would show {steady}"
    )?;
    let (migration, known) = found.migration;
    writeln!(
        text,
        "Database: {}, {} bytes, migration {migration} of {known}",
        found.engine, found.bytes
    )?;
    let secrets = app.authenticator.list_secrets();
    let of = |kind| secrets.iter().filter(|secret| secret.kind == kind).count();
    writeln!(
        text,
        "Secrets: {} admin, {} game server, {} bound to servers or pools, {} read-only",
        of(SecretKind::Admin),
        of(SecretKind::Game),
        of(SecretKind::Bound),
        of(SecretKind::Read)
    )?;
    writeln!(text, "\nPools:")?;
    for pool in &found.pools {
        write_pool(text, pool)?;
    }
    writeln!(text, "\nSettings that are not the default:")?;
    let is_set = |setting: &&SettingAnswer| setting.from != SettingOrigin::Default;
    let settings = in_force.settings();
    for setting in settings.iter().filter(is_set) {
        let (name, value, from) = (&setting.setting, &setting.value, setting.from);
        writeln!(text, "  {name} = {value} ({from})")?;
    }
    if !settings.iter().any(|setting| is_set(&setting)) {
        writeln!(text, "  none")?;
    }
    if !in_force.restart.is_empty() {
        writeln!(text, "  restart to apply: {}", in_force.restart.join(", "))?;
    }
    writeln!(text, "\nMost recent failed requests:")?;
    for request in failed {
        writeln!(text, "  {request}")?;
    }
    if failed.is_empty() {
        writeln!(text, "  none")?;
    }
    Ok(())
}

fn write_pool(text: &mut String, pool: &PoolDiagnosis) -> std::fmt::Result {
    let PoolDiagnosis {
        pool,
        model,
        rounds,
        log: (entries, pruned),
        players: (players, hidden),
    } = pool;
    writeln!(
        text,
        "  {pool}: {model}; rounds {rounds}; log entries {entries}, pruned {pruned}; players {players}, hidden {hidden}"
    )
}
