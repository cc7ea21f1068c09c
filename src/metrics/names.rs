//! What the metrics are called, and what each says.

use prometheus_client::registry::{Registry, Unit};

use super::labels::{MethodLabel, RouteLabel};
use super::{Counters, Durations};

pub(super) const BUILD: (&str, &str) = ("build_info", "The program that runs, always 1");

/// Gives every metric its name. Counters end in `_total` and durations in `_seconds` by themselves.
pub(super) fn register(
    registry: &mut Registry,
    counters: &Counters,
    request_durations: &Durations<RouteLabel>,
    split_durations: &Durations<MethodLabel>,
) {
    registry.register(
        "http_requests",
        "Requests answered, by the template of their path (\"unmatched\" where there is nothing)",
        counters.requests.clone(),
    );
    registry.register_with_unit(
        "http_request_duration",
        "From a request's head to its answer's",
        Unit::Seconds,
        request_durations.clone(),
    );
    registry.register(
        "http_requests_under_way",
        "Requests that are being answered, this one included",
        counters.under_way.clone(),
    );
    registry.register(
        "rounds",
        "Rounds that were sent and count: for the first time, or again",
        counters.rounds.clone(),
    );
    registry.register(
        "rounds_rejected",
        "Rounds that were sent and refused; of those refused as unavailable some may count all the same",
        counters.rejected.clone(),
    );
    registry.register(
        "rounds_waiting",
        "Rounds that wait to be counted",
        counters.waiting.clone(),
    );
    registry.register(
        "balance_answers",
        "Answers about the teams of a match in mid-round, by what they said; a plugin that asks again is counted again",
        counters.balance_answers.clone(),
    );
    registry.register(
        "balance_rules_triggered",
        "Rules that said of a match in mid-round that its teams are unbalanced; an answer may have several",
        counters.balance_rules.clone(),
    );
    registry.register(
        "players_placed",
        "Players who joined a match and were told which team to go to",
        counters.placed.clone(),
    );
    registry.register(
        "interventions_not_noted",
        "Interventions that were answered and could not be written down",
        counters.not_noted.clone(),
    );
    registry.register_with_unit(
        "split_duration",
        "Computing a table of splits; those that are known already are not computed",
        Unit::Seconds,
        split_durations.clone(),
    );
    registry.register(
        "database_connections",
        "Open connections to the database",
        counters.connections.clone(),
    );
    registry.register(
        "database_up",
        "Whether the database answered when it was last asked, and takes rounds, as /readyz says it",
        counters.database_up.clone(),
    );
    registry.register_with_unit(
        "pool_figures_read_timestamp",
        "When the figures of the pool were read",
        Unit::Seconds,
        counters.figures_read.clone(),
    );
    registry.register(
        "pool_rounds",
        "Rated rounds of the pool",
        counters.pool_rounds.clone(),
    );
    registry.register(
        "pool_players",
        "Players of the pool, in their shadow period or past it",
        counters.players.clone(),
    );
    registry.register(
        "pool_stale_players",
        "Players of the pool without a round for too long",
        counters.stale_players.clone(),
    );
    registry.register(
        "pool_brier_score",
        "Mean Brier score of the pool's predictions: 0.25 is a coin's without draws, less is better",
        counters.brier.clone(),
    );
    registry.register(
        "pool_log_loss",
        "Mean log loss of the pool's predictions, in nats: 0.693 is a coin's, less is better",
        counters.log_loss.clone(),
    );
}
