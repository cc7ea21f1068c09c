//! What commands share that show something of a service: the pool, and the part of a list.

use std::fmt;
use std::fmt::Write as _;

use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::Method;

use super::{Answer, Client, Path, Target};
use crate::cli::arguments;
use crate::cli::terminal::output::{Format, Output};
use crate::cli::terminal::table::visible;
use crate::cli::terminal::words::shell_word;
use crate::config::Flags;
use crate::domain::{PoolName, ServerName};

/// The pool that a command is about, and the service that has it.
#[derive(Debug, Args)]
pub(crate) struct InPool {
    /// The pool [default: default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    pub(super) target: Target,
}

impl InPool {
    /// The client for this pool, as [`Client::pool`] chooses it.
    pub(super) fn client(&self, flags: &Flags) -> anyhow::Result<PoolClient> {
        let client = self.target.client(flags)?;
        Ok(PoolClient {
            pool: client.pool(self.pool.clone())?,
            client,
            format: self.target.format,
        })
    }

    /// Prints what stands at `path` of the pool.
    pub(super) fn show<T: DeserializeOwned>(
        &self,
        flags: &Flags,
        path: Path,
        text: impl Fn(&T, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        let client = self.client(flags)?;
        client.get(path)?.print(client.format, text)
    }
}

/// The pool or the server whose list is shown, and the service that has it.
#[derive(Debug, Args)]
pub(crate) struct PoolOrServer {
    /// The pool [default: the server's, or default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Only those of this server
    #[arg(long, value_name = "NAME")]
    pub(super) server: Option<ServerName>,
    #[command(flatten)]
    pub(super) target: Target,
}

impl PoolOrServer {
    /// The client of the service, and `path` with the pool and the server in its query.
    pub(super) fn client(&self, flags: &Flags, path: Path) -> anyhow::Result<(Client, Path)> {
        let client = self.target.client(flags)?;
        let pool = match self.server {
            Some(_) => self.pool.clone(),
            None => client.pool(self.pool.clone())?,
        };
        let path = path
            .with("pool", pool.as_ref())
            .with("server", self.server.as_ref());
        Ok((client, path))
    }
}

/// The client of a service for one of its pools.
pub(super) struct PoolClient {
    pub(super) client: Client,
    pub(super) pool: Option<PoolName>,
    pub(super) format: Format,
}

impl PoolClient {
    /// Reads what is at `path` of the pool.
    pub(super) fn get(&self, path: Path) -> anyhow::Result<Answer> {
        self.client.get(&path.with("pool", self.pool.as_ref()))
    }

    /// Sends a change of the pool that may be sent again safely.
    pub(super) fn change(
        &self,
        method: &Method,
        path: Path,
        change: &Value,
    ) -> anyhow::Result<Answer> {
        let path = path.with("pool", self.pool.as_ref());
        self.client.change(method, &path, change)
    }
}

/// Which part of a list is shown.
#[derive(Debug, Args)]
pub(crate) struct Page {
    /// How many, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = arguments::whole(1..=500_u32))]
    pub(super) limit: u32,
    /// From behind this place on, which the page before has named
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
}

impl Page {
    /// `path` with the part of the list in its query.
    pub(super) fn onto(&self, path: Path) -> Path {
        path.with("limit", Some(&self.limit))
            .with("after", self.after.as_ref())
    }
}

/// Adds how the next page is asked for, where there is one.
pub(super) fn next_page(text: &mut Output, next: Option<&str>) -> fmt::Result {
    match next {
        None => Ok(()),
        Some(next) => writeln!(
            text,
            "\nThere are more: the same again with --after {}",
            shell_word(&visible(next))
        ),
    }
}
