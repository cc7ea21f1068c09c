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

#[derive(Debug, Args)]
pub(crate) struct InPool {
    /// Name of the pool [default: the pool "default" if it has rounds, otherwise the only pool with rounds]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    pub(super) target: Target,
}

impl InPool {
    /// Creates a client for the pool that [`Client::pool`] chooses.
    pub(super) fn client(&self, flags: &Flags) -> anyhow::Result<PoolClient> {
        let client = self.target.client(flags)?;
        Ok(PoolClient {
            pool: client.pool(self.pool.clone())?,
            client,
            format: self.target.format,
        })
    }

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

#[derive(Debug, Args)]
pub(crate) struct PoolOrServer {
    /// Name of the pool [default: the pool of --server; without --server, the pool "default" if it has rounds,
    /// otherwise the only pool with rounds]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// List only entries of this server
    #[arg(long, value_name = "NAME")]
    pub(super) server: Option<ServerName>,
    #[command(flatten)]
    pub(super) target: Target,
}

impl PoolOrServer {
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

pub(super) struct PoolClient {
    pub(super) client: Client,
    pub(super) pool: Option<PoolName>,
    pub(super) format: Format,
}

impl PoolClient {
    pub(super) fn get(&self, path: Path) -> anyhow::Result<Answer> {
        self.client.get(&path.with("pool", self.pool.as_ref()))
    }

    /// Sends a change in the pool. Must be a request that can be repeated safely.
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

#[derive(Debug, Args)]
pub(crate) struct Page {
    /// Maximum number of list items to print, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = arguments::whole(1..=500_u32))]
    pub(super) limit: u32,
    /// Place where the list continues: the --after value printed below the previous page
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
}

impl Page {
    pub(super) fn onto(&self, path: Path) -> Path {
        path.with("limit", Some(&self.limit))
            .with("after", self.after.as_ref())
    }
}

/// Prints how to request the next page of a list, if there is one.
pub(super) fn next_page(text: &mut Output, next: Option<&str>) -> fmt::Result {
    match next {
        None => Ok(()),
        Some(next) => writeln!(
            text,
            "\nThere are more: run the same command with --after {}",
            shell_word(&visible(next))
        ),
    }
}
