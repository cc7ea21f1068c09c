use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Pool, Service, ServiceError};
use crate::api::{ParameterChangeAnswer, PoolSettingsAnswer, SettingsPeriodAnswer};
use crate::rating::Parameters;
use crate::store::{PoolRecord, SettingsId, Tx, corrupt};

/// Maximum number of periods with unchanged rating constants that are listed per pool.
const MAX_PERIODS: usize = 50;

impl Service {
    /// Returns the settings of every pool, with the history of its rating constants.
    pub async fn list_pool_settings(&self) -> Result<Vec<PoolSettingsAnswer>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let stored = tx.pools().await?;
        let known: HashMap<SettingsId, Fields> = tx
            .settings()
            .await?
            .into_iter()
            .map(|(id, parameters)| Ok((id, fields(&parameters)?)))
            .collect::<Result<_, ServiceError>>()?;
        let mut answers = Vec::new();
        for pool in self.pools.now().all() {
            let record = stored
                .iter()
                .find(|record| record.id == pool.id)
                .ok_or_else(|| corrupt("pools", "id"))?;
            answers.push(answer(&mut tx, pool, record, &known).await?);
        }
        Ok(answers)
    }
}

type Fields = Map<String, Value>;

fn fields(parameters: &Parameters) -> Result<Fields, ServiceError> {
    match serde_json::to_value(parameters).map_err(ServiceError::internal)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(corrupt("settings", "content").into()),
    }
}

async fn answer(
    tx: &mut Tx,
    pool: &Pool,
    record: &PoolRecord,
    known: &HashMap<SettingsId, Fields>,
) -> Result<PoolSettingsAnswer, ServiceError> {
    let constants = |id| {
        known
            .get(&id)
            .ok_or_else(|| corrupt("rounds", "settings_id"))
    };
    let mut history = Vec::new();
    let mut last = tx
        .last_round_with_other_settings(pool.id, None, None)
        .await?;
    while let Some((position, settings)) = last
        && history.len() < MAX_PERIODS
    {
        let before = tx
            .last_round_with_other_settings(pool.id, Some(position), Some(settings))
            .await?;
        let behind = before.map_or(0, |(position, _)| position);
        let first = tx.first_round_behind(pool.id, behind).await?;
        let (position, ended_at) = first.ok_or_else(|| corrupt("rounds", "position"))?;
        let is_pruned = before.is_none() && record.pruned > 0;
        let changes = match before {
            Some((_, before)) => changes(constants(before)?, constants(settings)?),
            None => Vec::new(),
        };
        history.push(SettingsPeriodAnswer {
            began_at: Some(ended_at).filter(|_| !is_pruned),
            position,
            changes,
        });
        last = before;
    }
    Ok(PoolSettingsAnswer {
        pool: pool.name.clone(),
        model: record.model.name().to_owned(),
        parameters: Value::Object(fields(&pool.settings.parameters)?),
        history,
        has_earlier: last.is_some(),
    })
}

/// Returns the rating constants that differ between two periods, by name. A missing constant counts as `null`.
fn changes(before: &Fields, after: &Fields) -> Vec<ParameterChangeAnswer> {
    let left_out = before.keys().filter(|name| !after.contains_key(*name));
    let mut names: Vec<&String> = after.keys().chain(left_out).collect();
    names.sort_unstable();
    let value = |of: &Fields, name: &str| of.get(name).cloned().unwrap_or_default();
    let change = |name: &String| ParameterChangeAnswer {
        parameter: name.clone(),
        before: value(before, name),
        after: value(after, name),
    };
    let all = names.into_iter().map(change);
    all.filter(|change| change.before != change.after).collect()
}
