//! The service as a process: its start, settings, health and logs.

mod config;
mod database;
mod demo;
mod health;
mod https;
mod reload;
mod serve;
mod settings;
#[cfg(target_os = "linux")]
mod solver_memory;
mod webhook;
mod welcome;
