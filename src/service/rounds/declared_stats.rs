use super::end_time::Taken;
use crate::domain::{FieldProblem, Report, StatName};
use crate::service::{Pool, ServiceError};

/// Refuses a round with numbers of the scoreboard that its pool does not declare: a slip in a name would be noticed
/// only when they are missed. A file may have numbers that the pool declared when the round was counted, and keeps them.
pub(crate) fn check(pool: &Pool, report: &Report, taken: Taken) -> Result<(), ServiceError> {
    if matches!(taken, Taken::FromFile(_)) {
        return Ok(());
    }
    let declared = &pool.settings.scoreboard.stats;
    let parts = report.parts();
    let mut problems = Vec::new();
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            let named = entry.stats.iter().flat_map(|stats| stats.named.keys());
            for name in named.filter(|name| !declared.contains(*name)) {
                problems.push(FieldProblem::new(
                    format!("{field}/{index}/stats/{name}"),
                    format!(
                        "is not declared by the pool {}, which has {}; leave it out, or add it to the setting \
                         \"stats\" of [pools.{}.scoreboard]",
                        pool.name,
                        listed(declared),
                        pool.name
                    ),
                ));
            }
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ServiceError::Invalid(problems))
    }
}

/// The names in words.
fn listed<'names>(declared: impl IntoIterator<Item = &'names StatName>) -> String {
    let declared: Vec<&str> = declared.into_iter().map(StatName::as_str).collect();
    match &declared[..] {
        [] => "only score, kills, deaths and assists".to_owned(),
        names => format!("score, kills, deaths, assists, {}", names.join(", ")),
    }
}
