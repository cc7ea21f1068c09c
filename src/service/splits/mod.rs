//! Splits: conversion of requests into wishes, the solver, answers, and the last table of each server.

pub(crate) mod answer;
pub(crate) mod last;
pub(crate) mod newcomers;
pub(crate) mod offline;
mod probe;
pub(crate) mod propose;
pub(crate) mod recent_rounds;
pub(crate) mod solver;
mod stored;
pub(crate) mod wishes;
