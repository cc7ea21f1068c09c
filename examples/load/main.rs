//! Loads a running service and prints the results. `saturate` posts rounds as fast as a number of clients can.
//! `servers` plays thousands of game servers at a fixed rate, independent of the service's speed. `flood` sends as many
//! requests as it can, and measures the effect on other clients:
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
//! The rounds count: use a database made for the purpose. Every run has its own round ids, so none is a duplicate of an
//! earlier run's.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool that prints figures, and stops if it cannot"
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
    /// The service, on this machine only, so that no other service is loaded by mistake
    #[arg(long)]
    url: Url,
    /// File with the secret in its first line; `flood` also uses the secrets of the other lines
    #[arg(long)]
    secret_file: PathBuf,
    /// Open a new connection for every request, as most plugins do
    #[arg(long)]
    connect_each: bool,
    #[command(subcommand)]
    how: How,
}

#[derive(Debug, Subcommand)]
enum How {
    /// As many rounds as a number of clients can post
    Saturate(saturate::Options),
    /// Rounds, lookups, splits and retries of many game servers, each at its due time
    Servers(servers::Options),
    /// The largest splits and slow bodies from one secret, next to servers that play as usual
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
