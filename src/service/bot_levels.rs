use super::{Pool, ServiceError};
use crate::domain::{BotLevel, FieldProblem, Side, TeamBots};

/// Returns [`ServiceError::Invalid`] if the pool has no rating for the skill level of a bot in the request.
pub(super) fn check(pool: &Pool, bots: &TeamBots) -> Result<(), ServiceError> {
    check_at(pool, "", bots)
}

/// Checks bot levels like [`check`], for bots nested in a request under the parent with the JSON pointer `place`.
pub(super) fn check_at(pool: &Pool, place: &str, bots: &TeamBots) -> Result<(), ServiceError> {
    let known = &pool.settings.parameters.bots;
    let unknown = bots
        .iter()
        .filter(|(_, level, _)| known.of(level).is_none());
    let problems: Vec<FieldProblem> = unknown
        .map(|(side, level, _)| {
            let team = match side {
                Side::A => "a",
                Side::B => "b",
            };
            FieldProblem::new(format!("{place}/bots/{team}/{level}"), unknown_level(pool))
        })
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ServiceError::Invalid(problems))
    }
}

pub(super) fn unknown_level(pool: &Pool) -> String {
    let name = &pool.name;
    let levels: Vec<&str> = (pool.settings.parameters.bots.levels())
        .map(BotLevel::as_str)
        .collect();
    let known = match &levels[..] {
        [] => "none".to_owned(),
        levels => levels.join(", "),
    };
    format!(
        "is not a bot level of the pool {name}, which has {known}; leave it out, or set its rating \
         under [pools.{name}.bots]"
    )
}
