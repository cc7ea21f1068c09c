use crate::api::BalanceRequest;
use crate::balance::{Policy, PowerRule};
use crate::domain::{FieldProblem, ModeName, Mutators, PowerName};
use crate::service::{Pool, ServiceError};

/// What a request says of powers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerWish<'all> {
    /// The power by its name.
    pub(crate) by: Option<&'all PowerName>,
    /// The mode that is played.
    pub(crate) mode: Option<&'all ModeName>,
    /// The mutators that it is played with.
    pub(crate) mutators: &'all Mutators,
}

impl<'all> From<&'all BalanceRequest> for PowerWish<'all> {
    fn from(request: &'all BalanceRequest) -> Self {
        Self {
            by: request.by.as_ref(),
            mode: request.mode.as_ref(),
            mutators: &request.mutators,
        }
    }
}

/// A power with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenPower<'all> {
    pub(crate) name: &'all PowerName,
    pub(crate) rule: &'all PowerRule,
}

/// The power that a match goes by: the one that is named, else the policy's, else the pool's; `None`
/// for what the policy goes by itself. A policy that judges odds goes by ratings, whatever the pool
/// says, and refuses any other power that is named.
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
            let detail = "cannot go together with a policy that judges odds, which come from ratings; \
                          leave it out, or name another policy";
            let problem = FieldProblem::new("/by", detail);
            Err(ServiceError::Invalid(vec![problem]))
        }
        chosen => Ok(chosen),
    }
}

/// The power that splits go by: the one that is named, else the pool's; `None` for the rating.
pub(crate) fn for_splits<'all>(
    pool: &'all Pool,
    named: Option<&'all PowerName>,
) -> Result<Option<ChosenPower<'all>>, ServiceError> {
    find(pool, named.or(pool.settings.powers.by.as_ref()))
}

impl Pool {
    /// That splits cannot go by the power `by`, with the field `field`, if that is so.
    #[must_use]
    pub fn refuses_power(&self, by: Option<&PowerName>, field: &str) -> Option<FieldProblem> {
        let unknown = self.settings.powers.rules.named(by?).err()?;
        let detail = format!("{unknown}, or leave it out for the pool's");
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
