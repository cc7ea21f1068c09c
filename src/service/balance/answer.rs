use crate::balance::Policy;
use crate::domain::{FieldProblem, Fingerprint, PolicyName, ServerName};
use crate::service::{Pool, ServiceError};

/// Game server, pool and policy of a balance request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'all> {
    pub(crate) server: &'all ServerName,
    /// Fingerprint (short identifier) of the secret that authenticated the request.
    pub(crate) client: Fingerprint,
    pub(crate) pool: &'all Pool,
    pub(crate) policy_name: &'all PolicyName,
    pub(crate) policy: &'all Policy,
}

impl<'all> Subject<'all> {
    /// Combines the server, pool and policy of a balance request. The policy is `named`, or else the pool's default.
    pub(crate) fn new(
        pool: &'all Pool,
        (server, client): (&'all ServerName, Fingerprint),
        named: Option<&'all PolicyName>,
    ) -> Result<Self, ServiceError> {
        let settings = &pool.settings.balance;
        let policy_name = named.unwrap_or(&settings.policy);
        let policy = settings.policies.named(policy_name).map_err(|error| {
            let detail = format!("{error}, or leave the field out for the pool's default");
            ServiceError::Invalid(vec![FieldProblem::new("/policy", detail)])
        })?;
        Ok(Self {
            server,
            client,
            pool,
            policy_name,
            policy,
        })
    }

    pub(crate) fn by<'other>(self, policy: &'other Policy) -> Subject<'other>
    where
        'all: 'other,
    {
        Subject { policy, ..self }
    }

    /// Returns Θ, the logistic scale of the pool's predictions, in points of a team's rating sum.
    pub(crate) fn theta(&self) -> f64 {
        self.pool.settings.parameters.theta
    }
}
