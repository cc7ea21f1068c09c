//! RBS: ratings, balance and scramble for community game servers.
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod http;
pub mod random;
pub mod rating;
pub mod service;
pub mod store;
pub mod telemetry;
pub mod wire;
