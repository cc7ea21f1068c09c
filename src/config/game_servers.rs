use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;

use super::reading::ReadSecrets;
use super::secret::Secrets;
use super::{InvalidSetting, reading, secret};
use crate::domain::{PoolName, ServerName};

/// Secrets of game servers that are valid only for some servers and pools.
#[derive(Clone, Debug)]
pub struct BoundSecrets {
    /// Accepted secrets, of which a request needs any one.
    pub secrets: Secrets,
    /// Name of the environment variable that holds the secrets; `None` if a file holds them.
    pub variable: Option<String>,
    /// Servers that requests with these secrets may name.
    pub servers: BTreeSet<ServerName>,
    /// Pools that requests with one of these game servers' `secrets` may name.
    pub pools: BTreeSet<PoolName>,
    /// Rate limit of each secret; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
}

/// Table `[[game_servers]]` of the configuration file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameServerSettings {
    secret_file: Option<PathBuf>,
    secret_variable: Option<String>,
    servers: Vec<String>,
    pools: Option<Vec<String>>,
    requests_per_second: Option<f64>,
    burst: Option<u32>,
}

/// Checks every table `[[game_servers]]`. `pools` are the configured pools, `of_server` has the pool of each configured
/// server, and `common` is the rate limit of tables without one.
pub(super) fn check<Settings>(
    tables: Vec<GameServerSettings>,
    pools: &BTreeMap<PoolName, Settings>,
    of_server: &BTreeMap<ServerName, PoolName>,
    common: Option<RateLimit>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Vec<BoundSecrets>, InvalidSetting> {
    let mut checked: Vec<BoundSecrets> = Vec::with_capacity(tables.len());
    for (number, table) in tables.into_iter().enumerate() {
        let place = format!("game_servers, table {}", number + 1);
        let servers = servers(&place, &table.servers)?;
        let pools = if let Some(named) = &table.pools {
            named_pools(&place, named, pools)?
        } else {
            let of = |server| of_server.get(server).cloned().unwrap_or_default();
            servers.iter().map(of).collect()
        };
        let secrets = secret::read_either(
            &place,
            table.secret_variable.as_deref(),
            table.secret_file,
            environment,
        )?;
        for other in &checked {
            if let Some(server) = servers.intersection(&other.servers).next() {
                return Err(InvalidSetting(format!(
                    "{place}: the server \"{server}\" is in another table too; name \
                     the server in one table only; the secret_file of a table may hold several secrets"
                )));
            }
            require!(
                !secrets.overlap(&other.secrets),
                "{place}: another table has the same secret; give each table its own \
                 (`openssl rand -hex 32` makes one)"
            );
        }
        let own = check_rate(&format!("{place}."), table.requests_per_second, table.burst)?;
        checked.push(BoundSecrets {
            secrets,
            variable: table.secret_variable,
            servers,
            pools,
            rate_limit: own.or(common),
        });
    }
    Ok(checked)
}

/// Checks that no secret is shared by two kinds of secrets: of game servers, of admins, for reading, or bound to
/// servers.
///
/// # Errors
/// Returns an error if two kinds of secrets have a secret in common.
pub fn check_apart(
    bound: &[BoundSecrets],
    game: &Secrets,
    admin: Option<&Secrets>,
    read: Option<&ReadSecrets>,
) -> Result<(), InvalidSetting> {
    let read = read.map(|read| &read.secrets);
    require!(
        !admin.is_some_and(|admin| game.overlap(admin)),
        "RBS_SECRET and RBS_ADMIN_SECRET have a secret in common, which makes every game server \
         an admin; give admins another secret (`openssl rand -hex 32` makes one), or leave RBS_ADMIN_SECRET \
         out if game servers may do everything"
    );
    reading::check_apart(read, game, admin)?;
    for (others, setting) in [
        (Some(game), "RBS_SECRET"),
        (admin, "RBS_ADMIN_SECRET"),
        (read, "RBS_READ_SECRET"),
    ] {
        let Some(others) = others else { continue };
        require!(
            !bound.iter().any(|bound| bound.secrets.overlap(others)),
            "a secret of [[game_servers]] is in {setting} too, which makes it valid for more \
             than its servers; give them another secret (`openssl rand -hex 32` makes one)"
        );
    }
    Ok(())
}

fn servers(place: &str, names: &[String]) -> Result<BTreeSet<ServerName>, InvalidSetting> {
    require!(
        !names.is_empty(),
        "{place}.servers is empty; name the servers that the secret is for"
    );
    let parse = |name: &String| {
        name.parse().map_err(|error| {
            InvalidSetting(format!("{place}.servers: the name \"{name}\" {error}"))
        })
    };
    names.iter().map(parse).collect()
}

fn named_pools<Settings>(
    place: &str,
    names: &[String],
    configured: &BTreeMap<PoolName, Settings>,
) -> Result<BTreeSet<PoolName>, InvalidSetting> {
    require!(
        !names.is_empty(),
        "{place}.pools is empty; name the pools that the secret is for, or leave the setting out to \
         use the pools of its servers"
    );
    let find = |name: &String| {
        name.parse()
            .ok()
            .filter(|pool| configured.contains_key(pool))
            .ok_or_else(|| {
                InvalidSetting(format!(
                    "{place}.pools names the unknown pool \"{name}\"; add [pools.{name}]"
                ))
            })
    };
    names.iter().map(find).collect()
}

/// Treatment of requests from servers that the configuration does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownServers {
    /// Accepts requests from unknown servers, for the pool `default`.
    #[default]
    Accept,
    /// Accepts requests from unknown servers, and warns in answers and the log that the name may be misspelt.
    Warn,
    /// Refuses requests from unknown servers.
    Refuse,
}

/// Limit on the rate of requests with one secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Maximum average number of requests per second with one secret, above 0 and at most a million.
    pub per_second: f64,
    /// Maximum number of requests at once with one secret after a pause, from 1 to a million.
    pub burst: u32,
}

/// Upper limit for each value of a rate limit: requests per second, and burst.
const MAX_RATE: u32 = 1_000_000;

/// Checks a rate limit; `None` if no limit is set. The default burst is the number of requests per second, rounded up.
pub(super) fn check_rate(
    place: &str,
    per_second: Option<f64>,
    burst: Option<u32>,
) -> Result<Option<RateLimit>, InvalidSetting> {
    let Some(per_second) = per_second else {
        require!(
            burst.is_none(),
            "{place}burst is set without requests_per_second; set both, or leave both out"
        );
        return Ok(None);
    };
    require!(
        per_second > 0.0 && per_second <= f64::from(MAX_RATE),
        "{place}requests_per_second must be above 0 and at most {MAX_RATE}; leave it out for no limit"
    );
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is above 0 and at most a million"
    )]
    let in_a_second = per_second.ceil() as u32;
    let burst = burst.unwrap_or(in_a_second);
    require!(
        (1..=MAX_RATE).contains(&burst),
        "{place}burst must be 1 to {MAX_RATE}"
    );
    Ok(Some(RateLimit { per_second, burst }))
}
