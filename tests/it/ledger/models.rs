//! Invariants of the log for every rating model.

use rbs::domain::RoundAction;
use rbs::rating::{ChangeKind, ModelName};
use rbs::service::{Author, ImportedRound, OnRefusal, ServiceError};

use super::{
    Computed, arena, arena_record, assert_no_differences, later, must_void, open_rated_by, rebuild,
};
use crate::recording::history::{self, Event, events};
use crate::support::{Database, Dice};

on_both_engines!(
    a_model_that_learns_is_the_same_after_a_void_its_undoing_and_a_rebuild,
    a_model_that_learns_goes_on_though_players_are_forgotten,
    a_pool_that_was_switched_is_as_if_it_had_begun_so,
    a_pool_begins_by_the_model_that_is_set_and_keeps_it,
    what_a_model_that_learns_was_rated_by_is_not_pruned,
);

fn adaptive() -> ModelName {
    "adaptive".parse().expect("a model")
}

async fn played(service: &rbs::service::Service, seed: u64, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for event in events(&mut Dice::new(seed), count) {
        match event {
            Event::Round(round) => {
                if let Ok(recorded) = service.record_round(arena(service), round).await
                    && !recorded.duplicate
                {
                    names.push(recorded.round_id.as_str().to_owned());
                }
            }
            Event::Change(name, player, kind) => {
                let line = history::change(&name, player, kind, later(std::time::Duration::ZERO));
                let pool = arena(service);
                let made = service.apply_change(&pool, line, Author::CommandLine).await;
                made.expect("a change");
            }
        }
    }
    names
}

async fn a_model_that_learns_is_the_same_after_a_void_its_undoing_and_a_rebuild(
    database: &Database,
) {
    let service = open_rated_by(database, adaptive()).await;
    let names = played(&service, 21, 60).await;
    assert_no_differences(&service).await;
    let before = Computed::read(database).await;
    for which in [0, names.len() / 2, names.len() - 1] {
        must_void(&service, &names[which], RoundAction::Void).await;
        assert_no_differences(&service).await;
        assert_ne!(Computed::read(database).await.sums, before.sums, "{which}");
        must_void(&service, &names[which], RoundAction::Unvoid).await;
        assert_eq!(Computed::read(database).await, before, "{which}");
    }
    rebuild(&service).await;
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}

async fn a_model_that_learns_goes_on_though_players_are_forgotten(database: &Database) {
    let service = open_rated_by(database, adaptive()).await;
    let service = service.with_rebuild_memory(0);
    let mut dice = Dice::new(5);
    let rounds = (0..3_000).map(|number| {
        let first = dice.below(40);
        let player = |place: usize| format!("[U:1:{}]", 1 + (first + 7 * place) % 40);
        let winner = if dice.one_in(2) { "a" } else { "b" };
        ImportedRound::from(history::round(&serde_json::json!({
            "round_id": format!("round-{number}"), "server": "arena-1", "winner": winner,
            "map": format!("map-{}", number % 5),
            "team_a": [player(0), player(1)], "team_b": [player(2), player(3)],
        })))
    });
    let rounds: Vec<ImportedRound> = rounds.collect();
    let pool = arena(&service);
    let kind = ChangeKind::Set(rbs::domain::Rating::new(1700).expect("a rating"));
    let line = history::change(
        "set",
        history::player(77),
        kind,
        later(std::time::Duration::ZERO),
    );
    let made = service.apply_change(&pool, line, Author::CommandLine).await;
    assert!(made.expect("a change"));
    let mut import = service.import();
    for batch in rounds.chunks(400) {
        let counted = import.record(&pool, batch, OnRefusal::GoOn).await;
        counted.expect("the database");
    }
    assert_no_differences(&service).await;
    let before = Computed::read(database).await;
    rebuild(&service).await;
    assert_eq!(Computed::read(database).await, before);
    must_void(&service, "round-2500", RoundAction::Void).await;
    assert_no_differences(&service).await;
    must_void(&service, "round-2500", RoundAction::Unvoid).await;
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}

async fn a_pool_that_was_switched_is_as_if_it_had_begun_so(database: &Database) {
    let service = open_rated_by(database, ModelName::default()).await;
    let names = played(&service, 33, 60).await;
    let before = Computed::read(database).await;
    let switch = async |to| {
        let arena = arena_record(&service).await;
        service
            .switch_model(&arena, to, Author::CommandLine, &mut |_| ())
            .await
    };
    for model in ModelName::ALL
        .into_iter()
        .filter(|model| *model != ModelName::default())
    {
        switch(model).await.expect("a switch");
        assert_no_differences(&service).await;
        let switched = Computed::read(database).await;
        assert_ne!(switched.sums, before.sums, "{model}");
        let again = switch(model).await;
        assert!(
            matches!(again, Err(ServiceError::ModelInForce(..))),
            "{again:?}"
        );
        rebuild(&service).await;
        assert_eq!(Computed::read(database).await, switched, "{model}");
        let middle = &names[names.len() / 2];
        must_void(&service, middle, RoundAction::Void).await;
        assert_no_differences(&service).await;
        must_void(&service, middle, RoundAction::Unvoid).await;
        assert_eq!(Computed::read(database).await, switched, "{model}");
    }
    switch(ModelName::default()).await.expect("a switch");
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}

async fn a_pool_begins_by_the_model_that_is_set_and_keeps_it(database: &Database) {
    let service = open_rated_by(database, adaptive()).await;
    assert_eq!(arena_record(&service).await.model, adaptive());
    let other = open_rated_by(database, ModelName::default()).await;
    assert_eq!(arena_record(&service).await.model, ModelName::default());
    played(&other, 3, 5).await;
    other.close().await;
    let third = open_rated_by(database, adaptive()).await;
    assert_eq!(arena_record(&third).await.model, ModelName::default());
    played(&third, 4, 5).await;
    assert_no_differences(&service).await;
    third.close().await;
    service.close().await;
}

async fn what_a_model_that_learns_was_rated_by_is_not_pruned(database: &Database) {
    let service = open_rated_by(database, adaptive()).await;
    played(&service, 3, 5).await;
    let arena = arena_record(&service).await;
    let long_ago = "2020-01-01T00:00:00Z".parse().expect("a time");
    let begun = service.begin_prune(&arena, long_ago).await;
    let error = begun.expect_err("no prune").to_string();
    assert!(error.contains("adaptive"), "{error}");
    rebuild(&service).await;
    service.close().await;
}
