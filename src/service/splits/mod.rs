//! Splits: conversion of requests into wishes, the solver, answers, and the last table of each server.

pub(crate) mod answer;
pub(crate) mod last;
pub(crate) mod newcomers;
mod probe;
pub(crate) mod propose;
pub(crate) mod recent_rounds;
pub(crate) mod solver;
pub(crate) mod stored;
pub(crate) mod wishes;
