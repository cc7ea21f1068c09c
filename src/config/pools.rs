mod webhook;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::balance;
use super::balance::{BalanceSettings, BalanceTable};
use super::leaderboard::{LeaderboardSettings, LeaderboardTable};
use super::matchmaking::{MatchmakingSettings, MatchmakingTable};
use super::powers::{PowerSettings, PowersTable};
use super::scoreboard::{ScoreboardSettings, ScoreboardTable};
use super::season::{SeasonSettings, SeasonTable};
use super::splits::{SplitSettings, SplitsTable};
use super::{InvalidSetting, Layered, leaderboard, matchmaking, powers, scoreboard, season};
use crate::domain::{PoolName, Rating, ServerName};
use crate::rating::{
    Advantages, BotRatings, ModelName, Parameters, theta_for_team_size, theta_for_team_sizes,
};

pub(crate) use webhook::WebhookEvent;
pub(super) use webhook::WebhookTable;
pub use webhook::{WebhookSettings, WebhookUrl};

/// All settings of one pool, from the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolSettings {
    /// Rating model of the pool: a new pool starts with this model, an existing pool must have it already. `None`
    /// accepts the model that the pool has.
    pub model: Option<ModelName>,
    /// Constants of the rating system for the pool.
    pub parameters: Parameters,
    /// `true` if Θ is configured, directly or through a team size.
    pub theta_is_set: bool,
    /// Settings for balancing the teams of running matches.
    pub balance: BalanceSettings,
    /// Settings for making matches from a queue of players.
    pub matchmaking: MatchmakingSettings,
    /// Settings of powers, which can replace ratings when teams are made or balanced.
    pub powers: PowerSettings,
    /// Leaderboard settings: public parts and divisions.
    pub leaderboard: LeaderboardSettings,
    /// Scoreboard settings: numbers that rounds may report, and rules by which games are alike.
    pub scoreboard: ScoreboardSettings,
    /// Settings of seasons that start by the calendar.
    pub season: SeasonSettings,
    /// Settings of splits into teams.
    pub splits: SplitSettings,
    /// Webhook of the pool's chat; `None` if the pool has none.
    pub webhook: Option<WebhookSettings>,
    /// Challengers: other rating models that predict every round for comparison only, without duplicates.
    pub challengers: Vec<ModelName>,
}

impl PoolSettings {
    /// Returns the challengers (models for comparison) of a pool. The model `own` that rates the pool may differ from
    /// the configured one.
    ///
    /// The model `own` is left out. SynElo is added to other challengers, so that figures always show a model to return
    /// to.
    #[must_use]
    pub fn challengers_of(&self, own: ModelName) -> Vec<ModelName> {
        let mut challengers = self.challengers.clone();
        if !challengers.is_empty() && !challengers.contains(&ModelName::SynElo) {
            challengers.push(ModelName::SynElo);
        }
        challengers.retain(|model| *model != own);
        challengers
    }
}

/// Table `[rating]` or `[pools.NAME]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RatingSettings {
    model: Option<ModelName>,
    initial_rating: Option<Rating>,
    min_rating: Option<Rating>,
    graduation_cap: Option<Rating>,
    shadow_rounds: Option<u32>,
    stale_days: Option<u32>,
    k_min: Option<f64>,
    k_max: Option<f64>,
    theta: Option<f64>,
    max_team_size: Option<u32>,
    window: Option<u32>,
    weight_velocity: Option<f64>,
    weight_win_rate: Option<f64>,
    weight_volatility: Option<f64>,
    win_rate_tolerance: Option<f64>,
    sigma: Option<f64>,
    participation_half_life: Option<u32>,
    team_size_exponent: Option<f64>,
    experience_floor: Option<bool>,
    return_boost_days: Option<u32>,
    return_boost_rounds: Option<u32>,
    advantages: Option<Advantages>,
    bots: Option<BotRatings>,
    challengers: Option<Vec<String>>,
    // These tables are for one pool. Tables for all pools stand outside of [rating].
    balance: Option<BalanceTable>,
    matchmaking: Option<MatchmakingTable>,
    powers: Option<PowersTable>,
    leaderboard: Option<LeaderboardTable>,
    scoreboard: Option<ScoreboardTable>,
    season: Option<SeasonTable>,
    splits: Option<SplitsTable>,
    webhook: Option<WebhookTable>,
}

/// Table `[servers.NAME]` of the configuration file: settings of a server.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerSettings {
    pool: Option<String>,
    max_team_size: Option<u32>,
}

type Checked = (
    BTreeMap<PoolName, PoolSettings>,
    BTreeMap<ServerName, PoolName>,
);

/// Returns the settings of every pool in the configuration file, and the pool of each server.
pub(super) fn check(file: &Layered) -> Result<Checked, InvalidSetting> {
    let rating = &file.rating;
    for (name, is_set) in [
        ("balance", rating.balance.is_some()),
        ("matchmaking", rating.matchmaking.is_some()),
        ("powers", rating.powers.is_some()),
        ("leaderboard", rating.leaderboard.is_some()),
        ("scoreboard", rating.scoreboard.is_some()),
        ("season", rating.season.is_some()),
        ("splits", rating.splits.is_some()),
        ("webhook", rating.webhook.is_some()),
    ] {
        require!(
            !is_set,
            "rating.{name} is not a setting; for all pools, use the table [{name}] instead of [rating.{name}]"
        );
    }
    let nothing = RatingSettings::default();
    let mut named = BTreeMap::from([(PoolName::default(), ("rating".to_owned(), &nothing))]);
    for (name, own) in &file.pools {
        let place = format!("pools.{name}");
        let pool = name
            .parse()
            .map_err(|error| InvalidSetting(format!("{place}: the name {error}")))?;
        named.insert(pool, (place, own));
    }

    let mut members = BTreeMap::new();
    let mut team_sizes: BTreeMap<PoolName, Vec<u32>> = BTreeMap::new();
    for (name, server) in &file.servers {
        let place = format!("servers.{name}");
        let key: ServerName = name
            .parse()
            .map_err(|error| InvalidSetting(format!("{place}: the name {error}")))?;
        let pool = match &server.pool {
            None => PoolName::default(),
            Some(pool) => pool
                .parse()
                .ok()
                .filter(|pool| named.contains_key(pool))
                .ok_or_else(|| {
                    InvalidSetting(format!(
                        "{place}.pool names an unknown pool; add [pools.{pool}]"
                    ))
                })?,
        };
        if let Some(size) = team_size(&place, server.max_team_size)? {
            team_sizes.entry(pool.clone()).or_default().push(size);
        }
        members.insert(key, pool);
    }

    let mut settings = named
        .into_iter()
        .map(|(name, (place, own))| {
            let sizes = team_sizes.get(&name).map_or(&[][..], Vec::as_slice);
            let settings = pool_settings((&name, &place), file, own, sizes)?;
            Ok((name, settings))
        })
        .collect::<Result<BTreeMap<PoolName, PoolSettings>, _>>()?;
    let pools = settings.iter_mut();
    leaderboard::tell_apart(pools.map(|(name, pool)| (name, &mut pool.leaderboard)));
    Ok((settings, members))
}

fn team_size(place: &str, size: Option<u32>) -> Result<Option<u32>, InvalidSetting> {
    require!(
        size.is_none_or(|size| (1..=64).contains(&size)),
        "{place}.max_team_size must be 1 to 64"
    );
    Ok(size)
}

/// Maximum of the setting `k_max`, the largest rating change of one round, in points.
const MAX_K: f64 = 10_000.0;

/// Refuses constants of the rating system that the formulas accept but that make no sense.
fn check_sense(place: &str, parameters: &Parameters) -> Result<(), InvalidSetting> {
    let weights = [
        parameters.weight_velocity,
        parameters.weight_win_rate,
        parameters.weight_volatility,
    ];
    require!(
        weights.iter().any(|weight| *weight != 0.0),
        "{place}.weight_volatility must be above 0 if weight_velocity and weight_win_rate are 0; \
         otherwise every player counts as settled after one round"
    );
    require!(
        parameters.k_max <= MAX_K,
        "{place}.k_max must be at most {MAX_K}"
    );
    Ok(())
}

/// Refuses configuration tables that the pool's rating model would ignore.
fn check_counted(
    place: &str,
    model: ModelName,
    parameters: &Parameters,
) -> Result<(), InvalidSetting> {
    require!(
        parameters.advantages.is_empty() || model.counts_advantages(),
        "{place}.advantages has no effect in a pool with the model {model}; leave it out, or set model to synelo, \
         adaptive or elo"
    );
    require!(
        parameters.bots.is_empty() || model.counts_bots(),
        "{place}.bots has no effect in a pool with the model {model}; leave it out, or set model to synelo, adaptive, \
         elo or ns2"
    );
    Ok(())
}

/// Parses a pool's challengers (models for comparison), which must differ from `own`, the model that rates the pool.
fn challengers(
    place: &str,
    names: Option<&[String]>,
    own: ModelName,
) -> Result<Vec<ModelName>, InvalidSetting> {
    let mut challengers = Vec::new();
    for name in names.unwrap_or_default() {
        let model: ModelName = name
            .parse()
            .map_err(|error| InvalidSetting(format!("{place}.challengers: {error}")))?;
        require!(
            model != own,
            "{place}.challengers has \"{name}\", which already rates the pool; name other models"
        );
        require!(
            !challengers.contains(&model),
            "{place}.challengers has \"{name}\" twice; name each model once"
        );
        challengers.push(model);
    }
    Ok(challengers)
}

fn table_of<T: Clone + Default>(own: Option<&T>, common: Option<&T>) -> T {
    own.or(common).cloned().unwrap_or_default()
}

/// Returns Θ of a pool, in points, and `true` if a setting determines Θ: `theta` itself or a team size.
fn theta_of(
    place: &str,
    own: &RatingSettings,
    common: &RatingSettings,
    team_sizes: &[u32],
) -> Result<(f64, bool), InvalidSetting> {
    let own_size = team_size(place, own.max_team_size)?;
    let common_size = team_size("rating", common.max_team_size)?;
    let derived = match (own_size, common_size) {
        (Some(size), _) => theta_for_team_size(size),
        (None, Some(size)) if team_sizes.is_empty() => theta_for_team_size(size),
        _ => theta_for_team_sizes(team_sizes),
    };
    let size_is_set = own_size.or(common_size).is_some() || !team_sizes.is_empty();
    let theta = own.theta.or(common.theta);
    Ok((theta.unwrap_or(derived), theta.is_some() || size_is_set))
}

/// Merges a pool's own settings, whose table has the path `place`, over those for all pools. `team_sizes` are the
/// `max_team_size` values of the pool's servers.
fn pool_settings(
    (pool, place): (&PoolName, &str),
    file: &Layered,
    own: &RatingSettings,
    team_sizes: &[u32],
) -> Result<PoolSettings, InvalidSetting> {
    let rating = &file.rating;
    macro_rules! own_or_common {
        (theta: $theta:expr, $($name:ident),+) => {
            Parameters {
                theta: $theta,
                advantages: table_of(own.advantages.as_ref(), rating.advantages.as_ref()),
                bots: table_of(own.bots.as_ref(), rating.bots.as_ref()),
                $($name: own.$name.or(rating.$name).ok_or_else(|| {
                    let name = stringify!($name);
                    InvalidSetting(format!("{place}.{name} is missing and has no default; set it"))
                })?),+
            }
        };
    }

    let (theta, theta_is_set) = theta_of(place, own, rating, team_sizes)?;
    let parameters = own_or_common!(
        theta: theta, initial_rating, min_rating, graduation_cap, shadow_rounds, stale_days, k_min,
        k_max, window, weight_velocity, weight_win_rate, weight_volatility, win_rate_tolerance, sigma,
        participation_half_life, team_size_exponent, experience_floor, return_boost_days,
        return_boost_rounds
    )
    .checked()
    .map_err(|error| InvalidSetting(format!("{place}.{error}")))?;
    check_sense(place, &parameters)?;
    // Tables for all pools stand at the top level, outside of [rating].
    let table = |name: &str| match place {
        "rating" => name.to_owned(),
        pool => format!("{pool}.{name}"),
    };
    let powers = powers::check(&file.powers, &table("powers"), own.powers.as_ref())?;
    let mut settings = PoolSettings {
        model: own.model.or(rating.model),
        parameters,
        challengers: Vec::new(),
        theta_is_set,
        balance: balance::check(
            &file.balance,
            &table("balance"),
            own.balance.as_ref(),
            &powers.rules,
        )?,
        matchmaking: matchmaking::check(
            &file.matchmaking,
            &table("matchmaking"),
            own.matchmaking.as_ref(),
        )?,
        powers,
        leaderboard: leaderboard::check(
            &file.leaderboard,
            &table("leaderboard"),
            own.leaderboard.as_ref(),
        )?,
        scoreboard: scoreboard::check(
            &file.scoreboard,
            &table("scoreboard"),
            own.scoreboard.as_ref(),
        )?,
        season: season::check(&file.season, &table("season"), own.season.as_ref(), pool)?,
        splits: super::splits::check(&file.splits, &table("splits"), own.splits.as_ref())?,
        webhook: webhook::check(&file.webhook, &table("webhook"), own.webhook.as_ref())?,
    };
    let place_of_tables = place;
    let (place, names) = match &own.challengers {
        Some(names) => (place, Some(&names[..])),
        None => ("rating", rating.challengers.as_deref()),
    };
    let model = settings.model.unwrap_or_default();
    drop_unused_tables(&mut settings.parameters, own, model);
    check_counted(place_of_tables, model, &settings.parameters)?;
    settings.challengers = challengers(place, names, model)?;
    Ok(settings)
}

/// Removes tables under `[rating]` that the pool's model does not use. The pool's own tables stay.
fn drop_unused_tables(parameters: &mut Parameters, own: &RatingSettings, model: ModelName) {
    if own.advantages.is_none() && !model.counts_advantages() {
        parameters.advantages = Advantages::default();
    }
    if own.bots.is_none() && !model.counts_bots() {
        parameters.bots = BotRatings::default();
    }
}

#[cfg(test)]
mod tests;
