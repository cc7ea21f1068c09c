//! HTTP request handlers, one file for each resource; those for admins only are in `admin`.

pub(crate) mod admin;
pub(crate) mod balance;
pub(crate) mod dashboard;
pub(crate) mod leaderboard;
pub(crate) mod matches;
pub(crate) mod metrics;
pub(crate) mod players;
pub(crate) mod rounds;
pub(crate) mod servers;
pub(crate) mod session;
pub(crate) mod splits;
pub(crate) mod update;
