use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::domain::{Fingerprint, PoolName, SentName, ServerName};
use crate::http::{App, Problem};
use crate::service::Pool;

/// Sender of a request, with the servers and pools that its secret may name.
#[derive(Clone)]
pub(crate) struct Caller {
    /// Fingerprint of the sender's secret. Senders without a secret share one fingerprint.
    pub(crate) client: Fingerprint,
    binding: Option<Arc<Binding>>,
    /// `true` if the secret is for game servers and the request is not from a dashboard session.
    pub(crate) is_game_server: bool,
    /// Time of the log-in to the dashboard, in unix seconds, if a dashboard session sent the request.
    pub(super) logged_in: Option<i64>,
}

/// Servers and pools that a request may name, if its secret is restricted to some.
pub(crate) struct Binding {
    pub(crate) servers: BTreeSet<ServerName>,
    pub(crate) pools: BTreeSet<PoolName>,
}

/// Fingerprint shared by all senders without a secret.
const ANYBODY: Fingerprint = Fingerprint::new([0; 4]);

impl Caller {
    /// Returns a caller without a secret, for requests that are open to everybody.
    pub(crate) fn anybody() -> Self {
        Self::person(ANYBODY)
    }

    pub(crate) fn is_anonymous(&self) -> bool {
        self.client == ANYBODY
    }

    /// Returns the sender of a request who is no game server and may name every server and pool.
    pub(crate) fn person(client: Fingerprint) -> Self {
        Self {
            client,
            binding: None,
            is_game_server: false,
            logged_in: None,
        }
    }

    /// Returns the sender of a request who is a game server and may name the servers and pools of `binding`, or all
    /// without a binding.
    pub(crate) fn game_server(client: Fingerprint, binding: Option<Arc<Binding>>) -> Self {
        Self {
            binding,
            is_game_server: true,
            ..Self::person(client)
        }
    }

    /// Marks the caller as a dashboard session, which is no game server even if a game server's secret began it.
    pub(super) fn in_browser(self, logged_in: i64) -> Self {
        Self {
            is_game_server: false,
            logged_in: Some(logged_in),
            ..self
        }
    }

    /// Returns the pool that [`Service::pool`](crate::service::Service::pool) finds for a request, if the sender may
    /// name that pool and the server. Refusals reveal nothing about other servers and pools.
    pub(crate) fn pool(
        &self,
        app: &App,
        named: Option<&PoolName>,
        server: Option<&ServerName>,
    ) -> Result<Arc<Pool>, Problem> {
        if let Some(server) = server {
            self.check_server(server)?;
            app.service.check_known(server)?;
        }
        let pool = app.service.pool(named, server);
        let Some(binding) = &self.binding else {
            return Ok(pool?);
        };
        match pool {
            Ok(pool) if binding.pools.contains(&pool.name) => Ok(pool),
            _ => Err(Problem::not_your_pool(named)),
        }
    }

    /// Returns the pool of a game server's request, like [`Caller::pool`], and records that the server was seen.
    pub(crate) fn pool_of_server(
        &self,
        app: &App,
        named: Option<&PoolName>,
        server: &ServerName,
    ) -> Result<Arc<Pool>, Problem> {
        self.check_server(server)?;
        // Admins may send the same requests to try them, and must not count as game servers.
        if self.is_game_server {
            app.service.note_server(server, self.client);
        }
        self.pool(app, named, Some(server))
    }

    /// Returns an error if the sender's secret is restricted to other servers.
    pub(crate) fn check_server(&self, server: &ServerName) -> Result<(), Problem> {
        match &self.binding {
            Some(binding) if !binding.servers.contains(server) => {
                Err(Problem::not_your_server(server))
            }
            _ => Ok(()),
        }
    }

    /// Stores the player names of a request, with the sender's secret and the pools that the secret is restricted to.
    pub(crate) async fn keep_names(&self, app: &App, sent: Vec<SentName>) {
        let own = self.binding.as_ref().map(|binding| &binding.pools);
        app.service.keep_names(sent, Some(self.client), own).await;
    }

    /// Returns an error if the sender's secret is restricted to some pools, for answers about all pools.
    pub(crate) fn check_all_pools(&self) -> Result<(), Problem> {
        match &self.binding {
            Some(_) => Err(Problem::forbidden(
                "this request concerns every pool, but the secret is bound to some pools; send a secret that \
                 is not bound, such as RBS_SECRET or the admin's",
            )),
            None => Ok(()),
        }
    }

    /// Returns an error if the sender's secret is restricted to other pools, even if one of its servers was once in
    /// this pool.
    pub(crate) fn check_pool(&self, pool: &PoolName) -> Result<(), Problem> {
        match &self.binding {
            Some(binding) if !binding.pools.contains(pool) => Err(Problem::not_your_pool(None)),
            _ => Ok(()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        // The authentication middleware, which every request passes, inserts the caller.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(Problem::internal)
    }
}
