use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::domain::{Fingerprint, PoolName, SentName, ServerName};
use crate::http::{App, Problem};
use crate::service::Pool;

/// Who sends a request, and what its secret allows: the servers and pools that it may name.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The client, by its secret; all who need none are one client.
    pub(crate) client: Fingerprint,
    binding: Option<Arc<Binding>>,
    is_game_server: bool,
}

/// The servers and pools that a secret is for.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) servers: BTreeSet<ServerName>,
    pub(crate) pools: BTreeSet<PoolName>,
}

/// The client of whoever needs no secret.
const ANYBODY: Fingerprint = Fingerprint::new([0; 4]);

impl Caller {
    /// One without a secret, who gets what is open to everybody.
    pub(crate) fn anybody() -> Self {
        Self::person(ANYBODY)
    }

    /// Whether it needed no secret.
    pub(crate) fn is_anybody(&self) -> bool {
        self.client == ANYBODY
    }

    /// One that may name every server and pool, and is none of the servers.
    pub(crate) fn person(client: Fingerprint) -> Self {
        Self {
            client,
            binding: None,
            is_game_server: false,
        }
    }

    /// A game server, that may name what the `binding` holds, or every server and pool.
    pub(crate) fn game_server(client: Fingerprint, binding: Option<Arc<Binding>>) -> Self {
        Self {
            client,
            binding,
            is_game_server: true,
        }
    }

    /// Whether it is a game server, as far as its secret says so.
    pub(crate) fn is_game_server(&self) -> bool {
        self.is_game_server
    }

    /// The same where the request comes from the dashboard, whosever secret opened it.
    pub(crate) fn in_browser(self) -> Self {
        Self {
            is_game_server: false,
            ..self
        }
    }

    /// The pool that is meant, as [`Service::pool`](crate::service::Service::pool) finds it, where the
    /// caller may name it and the server. A bound caller learns nothing of what there is beyond that.
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

    /// The same of what only game servers send: that this one is there is remembered.
    pub(crate) fn pool_of_server(
        &self,
        app: &App,
        named: Option<&PoolName>,
        server: &ServerName,
    ) -> Result<Arc<Pool>, Problem> {
        self.check_server(server)?;
        // Admins try what servers do, and are not to be taken for them.
        if self.is_game_server {
            app.service.note_server(server, self.client);
        }
        self.pool(app, named, Some(server))
    }

    /// Refuses a server that the caller's secret is not for.
    pub(crate) fn check_server(&self, server: &ServerName) -> Result<(), Problem> {
        match &self.binding {
            Some(binding) if !binding.servers.contains(server) => {
                Err(Problem::not_your_server(server))
            }
            _ => Ok(()),
        }
    }

    /// Stores the names that the caller sent, with its secret and the pools that the secret is valid for.
    pub(crate) async fn keep_names(&self, app: &App, sent: Vec<SentName>) {
        let own = self.binding.as_ref().map(|binding| &binding.pools);
        app.service.keep_names(sent, Some(self.client), own).await;
    }

    /// Refuses an answer about all pools where the caller's secret is for some.
    pub(crate) fn check_all_pools(&self) -> Result<(), Problem> {
        match &self.binding {
            Some(_) => Err(Problem::not_all_pools()),
            None => Ok(()),
        }
    }

    /// Refuses an answer about a pool that the caller's secret is not for, also where one of its
    /// servers was once in that pool.
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
        // The authenticator, which every request passes, puts it there.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(Problem::internal)
    }
}
