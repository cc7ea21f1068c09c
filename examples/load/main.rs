//! Loads a running service and says how it went. `saturate` posts rounds as fast as a number of
//! clients can; `servers` plays thousands of game servers at a rate of its own, whether the service
//! keeps up or not; `flood` takes what it can get, and shows what others notice of it:
//!
//! ```sh
//! cargo run --release --example load -- --url http://127.0.0.1:8080 --secret-file rbs.secret \
//!     saturate --clients 32 --seconds 10
//! cargo run --release --example load -- --url http://127.0.0.1:8080 --secret-file rbs.secret \
//!     servers --servers 5000 --phase 600:41.7 --pid 4711
//! cargo run --release --example load -- --url http://127.0.0.1:8080 --secret-file secrets \
//!     flood --scramblers 16 --pid 4711
//! ```
//!
//! The rounds count: use a database made for the purpose. Every run gives its rounds ids of their
//! own, so that none is a duplicate of an earlier run's.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool that prints figures, and stops where it cannot"
)]

mod dice;
mod flood;
mod memory;
mod report;
mod saturate;
mod servers;
mod service;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use reqwest::Url;

use service::Service;

/// Loads a running service on this machine and measures it.
#[derive(Debug, Parser)]
struct Options {
    /// The service; on this machine alone, because nobody else's should be loaded by mistake
    #[arg(long)]
    url: Url,
    /// A file with the secret in its first line; `flood` uses those of the other lines too
    #[arg(long)]
    secret_file: PathBuf,
    /// Make a connection of its own for every request, as most plugins do
    #[arg(long)]
    connect_each: bool,
    #[command(subcommand)]
    how: How,
}

#[derive(Debug, Subcommand)]
enum How {
    /// As many rounds as a number of clients can post
    Saturate(saturate::Options),
    /// Rounds, lookups, splits and retries of many game servers, each in its time
    Servers(servers::Options),
    /// The largest splits and slow bodies from one secret, next to others that play as usual
    Flood(flood::Options),
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let service = Service::new(options.url, &options.secret_file, options.connect_each)?;
    match options.how {
        How::Saturate(options) => saturate::run(options, service).await,
        How::Servers(options) => servers::run(options, service).await,
        How::Flood(options) => flood::run(options, service).await,
    }
}
