use crate::balance::{Policy, PowerRule};
use crate::domain::{FieldProblem, ModeName, Mutators, PowerName};
use crate::service::{Pool, ServiceError};

/// Request fields that choose a power (value of players by their scoreboards).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerWish<'all> {
    pub(crate) by: Option<&'all PowerName>,
    pub(crate) mode: Option<&'all ModeName>,
    pub(crate) mutators: &'all Mutators,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenPower<'all> {
    pub(crate) name: &'all PowerName,
    pub(crate) rule: &'all PowerRule,
}

/// Returns the power by which the players of a match are weighed: the named one, or else the policy's, or else the
/// pool's. `None` to use the policy's own weights. A policy that judges odds uses ratings: it ignores the pool's power,
/// and refuses a named power other than the rating.
pub(crate) fn for_match<'all>(
    pool: &'all Pool,
    named: Option<&'all PowerName>,
    policy: &'all Policy,
) -> Result<Option<ChosenPower<'all>>, ServiceError> {
    let judges_odds = policy.trigger.win_probability.is_some();
    let own = policy.by.as_ref();
    let common = pool.settings.powers.by.as_ref();
    let chosen = find(pool, named.or(own).or(common))?;
    match chosen {
        Some(chosen) if judges_odds && *chosen.rule != PowerRule::Rating => {
            if named.is_none() {
                return Ok(None);
            }
            let detail = "cannot be combined with a policy that judges odds, which come from ratings; \
                          leave it out, or name another policy";
            Err(ServiceError::invalid("/by", detail))
        }
        chosen => Ok(chosen),
    }
}

/// Returns the power by which splits weigh players: the named one, or else the pool's; `None` for the rating.
pub(crate) fn for_splits<'all>(
    pool: &'all Pool,
    named: Option<&'all PowerName>,
) -> Result<Option<ChosenPower<'all>>, ServiceError> {
    find(pool, named.or(pool.settings.powers.by.as_ref()))
}

impl Pool {
    /// Returns a problem with the request field `field` if the pool has no power named `by`.
    #[must_use]
    pub fn refuses_power(&self, by: Option<&PowerName>, field: &str) -> Option<FieldProblem> {
        let unknown = self.settings.powers.rules.named(by?).err()?;
        let detail = format!("{unknown}, or leave the field out for the pool's default");
        Some(FieldProblem::new(field, detail))
    }
}

fn find<'all>(
    pool: &'all Pool,
    name: Option<&'all PowerName>,
) -> Result<Option<ChosenPower<'all>>, ServiceError> {
    if let Some(problem) = pool.refuses_power(name, "/by") {
        return Err(ServiceError::Invalid(vec![problem]));
    }
    let rule = name.and_then(|name| Some((name, pool.settings.powers.rules.named(name).ok()?)));
    Ok(rule.map(|(name, rule)| ChosenPower { name, rule }))
}
