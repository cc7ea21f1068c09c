use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::domain::{Fingerprint, PoolName, SentName, ServerName};
use crate::http::{App, Problem};
use crate::service::Pool;

/// Sender of a request, with the servers and pools that its secret may name.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Fingerprint of the secret. Senders without a secret share one fingerprint.
    pub(crate) client: Fingerprint,
    binding: Option<Arc<Binding>>,
    is_game_server: bool,
}

/// Servers and pools that a bound secret may name.
#[derive(Debug)]
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

    /// Returns a caller that is no game server and may name every server and pool.
    pub(crate) fn person(client: Fingerprint) -> Self {
        Self {
            client,
            binding: None,
            is_game_server: false,
        }
    }

    /// Returns a game server that may name the servers and pools of `binding`, or all of them without a binding.
    pub(crate) fn game_server(client: Fingerprint, binding: Option<Arc<Binding>>) -> Self {
        Self {
            client,
            binding,
            is_game_server: true,
        }
    }

    /// Returns `true` if the secret is for game servers and did not come from a dashboard session.
    pub(crate) fn is_game_server(&self) -> bool {
        self.is_game_server
    }

    /// Marks the caller as a dashboard session, which is no game server even if a game server's secret began it.
    pub(crate) fn in_browser(self) -> Self {
        Self {
            is_game_server: false,
            ..self
        }
    }

    /// Returns the pool that [`Service::pool`](crate::service::Service::pool) finds, if the caller may name that pool
    /// and the server. Refusals reveal nothing about servers and pools outside the caller's binding.
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

    /// Like [`Caller::pool`], and records that this game server was seen.
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

    /// Refuses a server outside the caller's binding.
    pub(crate) fn check_server(&self, server: &ServerName) -> Result<(), Problem> {
        match &self.binding {
            Some(binding) if !binding.servers.contains(server) => {
                Err(Problem::not_your_server(server))
            }
            _ => Ok(()),
        }
    }

    /// Stores player names with the caller's secret and the pools of its binding.
    pub(crate) async fn keep_names(&self, app: &App, sent: Vec<SentName>) {
        let own = self.binding.as_ref().map(|binding| &binding.pools);
        app.service.keep_names(sent, Some(self.client), own).await;
    }

    /// Refuses an answer about all pools to a caller that is bound to some of them.
    pub(crate) fn check_all_pools(&self) -> Result<(), Problem> {
        match &self.binding {
            Some(_) => Err(Problem::not_all_pools()),
            None => Ok(()),
        }
    }

    /// Refuses a pool outside the caller's binding, even if a server of the binding was once in that pool.
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
