//! Challengers follow the log: their figures equal those of a model that followed from the first round, whenever they
//! were configured, whichever instance follows, and whatever happened to a round.

use std::time::Duration;

use rbs::api::{Figure, ModelsAnswer};
use rbs::clock::Clock;
use rbs::config::Settings;
use rbs::domain::{Report, RoundAction};
use rbs::rating::{Challengers, ModelName, Parameters};
use rbs::service::{Author, OnRefusal, Service, ServiceError};
use serde_json::Value;

use super::{arena, arena_record, must_void, noon, open, rebuild};
use crate::cli::Folder;
use crate::recording::history::{self, Event, events};
use crate::support::{Database, Dice, settings};

on_both_engines!(
    challengers_score_as_an_evaluation_of_the_same_rounds_says,
    a_challenger_that_is_set_later_ends_at_the_same_figures,
    a_void_and_a_restoration_have_challengers_begin_anew,
    what_is_pruned_is_not_compared_any_more,
    one_instance_follows_and_every_instance_answers,
    whoever_follows_no_longer_is_followed_by_another,
);

const PAUSE: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_secs(40);

const TWO: [ModelName; 2] = [ModelName::Adaptive, ModelName::Elo];

/// Settings with these challengers in the pool `arena`, a window of eight rounds, and default constants.
fn with_challengers(database: &Database, challengers: &[ModelName]) -> Settings {
    let mut settings = settings(&database.url_text());
    let arena = "arena".parse().expect("a name");
    let pool = settings.pools.get_mut(&arena).expect("the pool");
    pool.challengers = challengers.to_vec();
    pool.parameters = Parameters {
        window: 8,
        ..Parameters::default()
    };
    settings
}

async fn start(database: &Database, challengers: &[ModelName], clock: &Clock) -> Service {
    let settings = with_challengers(database, challengers);
    let service = open(database, &settings, clock).await;
    service.follow_logs().expect("random numbers");
    service
}

async fn record(service: &Service, round: Report) {
    let (pool, rounds) = (arena(service), [round.into()]);
    let mut import = service.import();
    let recorded = import.record(&pool, &rounds, OnRefusal::GoOn);
    let recorded = recorded.await.expect("the database").remove(0);
    let is_taken = matches!(
        recorded,
        Err(ServiceError::RoundIdTaken { .. } | ServiceError::RoundPruned(_))
    );
    assert!(recorded.is_ok() || is_taken, "{recorded:?}");
}

/// Plays a part of a history of rounds and admin changes, with draws and uneven teams.
async fn play(service: &Service, part: std::ops::Range<usize>) {
    let pool = arena(service);
    let events = events(&mut Dice::new(7), 80);
    for event in events[part].iter().cloned() {
        match event {
            Event::Round(round) => record(service, round).await,
            Event::Change(id, who, kind) => {
                let line = history::change(&id, who, kind, service.now());
                let made = service.apply_change(&pool, line, Author::CommandLine).await;
                assert!(made.expect("a change"));
            }
        }
    }
}

async fn caught_up(service: &Service) -> ModelsAnswer {
    let pool = arena(service);
    let waiting = async {
        loop {
            let answer = service.compare_models(&pool).await.expect("figures");
            if answer.caught_up_to == answer.rounds && !answer.models.is_empty() {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let answer = tokio::time::timeout(MAX_WAIT, waiting).await;
    answer.expect("the challengers catch up")
}

/// Figures of models that read the current log from its first round in one pass.
async fn assert_as_from_the_first_round(
    database: &Database,
    models: &[ModelName],
    answer: &ModelsAnswer,
) {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let pools = tx.pools().await.expect("pools");
    let arena = pools.iter().find(|pool| pool.name.as_str() == "arena");
    let arena = arena.expect("the pool");
    let rounds = tx
        .rounds_after(arena.id, arena.pruned, 10_000)
        .await
        .expect("rounds");
    let results = tx.results_after(arena.id, arena.pruned, 10_000).await;
    let mut models = Challengers::new(
        models,
        &Parameters {
            window: 8,
            ..Parameters::default()
        },
    );
    for (round, result) in rounds.iter().zip(&results.expect("results")) {
        if round.voided_at.is_none() {
            models
                .rate(&round.round, result.win_probability)
                .expect("a model that reads its own state");
        }
    }
    drop(tx);
    store.close().await;
    let (counted, compared) = (models.rounds(), answer.compared);
    assert_eq!(
        [
            compared.rounds,
            compared.draws,
            compared.uneven,
            compared.unrated
        ],
        [
            counted.rounds,
            counted.draws,
            counted.uneven,
            counted.unrated
        ]
    );
    assert!(compared.draws > 0 && compared.uneven > 0, "{compared:?}");
    let expected = models.scores(ModelName::SynElo, 8);
    assert_eq!(answer.models.len(), expected.len());
    for (found, (model, scores)) in answer.models.iter().zip(&expected) {
        assert_eq!(found.model, model.name());
        for (found, expected) in [
            (found.log_loss, scores.map(|of| of.log_loss)),
            (found.brier, scores.map(|of| of.brier)),
            (found.accuracy, scores.map(|of| of.accuracy)),
            (
                found.calibration_slope,
                scores.map(|of| of.calibration_slope),
            ),
            (found.difference, scores.map(|of| Some(of.difference?.mean))),
            (
                found.standard_error,
                scores.map(|of| of.difference?.standard_error),
            ),
        ] {
            assert_eq!(found, expected, "{answer:#?}");
        }
    }
}

async fn challengers_score_as_an_evaluation_of_the_same_rounds_says(database: &Database) {
    let clock = Clock::manual(noon());
    let service = start(database, &TWO, &clock).await;
    let rounds = events(&mut Dice::new(3), 64).into_iter();
    let rounds = rounds.filter_map(|event| match event {
        Event::Round(round) => Some(round),
        Event::Change(..) => None,
    });
    for round in rounds {
        record(&service, round).await;
    }
    must_void(&service, "round-20", RoundAction::Void).await;
    let answer = caught_up(&service).await;
    assert_eq!((answer.rounds, answer.compared.rounds), (63, 63));

    let folder = Folder::new();
    for (skip, of) in [
        (
            "0.875",
            (|figure| figure.window) as fn(Figure) -> Option<f64>,
        ),
        ("0", |figure| figure.all),
    ] {
        let arguments = [
            "evaluate", "--json", "--pool", "arena", "--model", "adaptive", "--model", "elo",
            "--skip", skip,
        ];
        let evaluated = folder.run_on(&database.url_text(), &arguments).succeeded();
        let evaluated: Value = serde_json::from_str(&evaluated.stdout).expect("an object");
        if skip == "0" {
            let compared = answer.compared;
            assert_eq!(evaluated["draws"], compared.draws);
            assert_eq!(evaluated["uneven"], compared.uneven);
        }
        let models = evaluated["models"].as_array().expect("models");
        assert_eq!(models.len(), answer.models.len());
        for (found, evaluated) in answer.models.iter().zip(models) {
            assert_eq!(evaluated["model"], found.model);
            for (figure, expected) in [
                (found.log_loss, &evaluated["log_loss"]),
                (found.brier, &evaluated["brier"]),
                (found.accuracy, &evaluated["accuracy"]),
                (found.calibration_slope, &evaluated["calibration_slope"]),
                (found.difference, &evaluated["difference"]["mean"]),
                (
                    found.standard_error,
                    &evaluated["difference"]["standard_error"],
                ),
            ] {
                assert_eq!(
                    of(figure),
                    expected.as_f64(),
                    "{skip}: {answer:#?} {evaluated}"
                );
            }
        }
    }
    service.close().await;
}

async fn a_challenger_that_is_set_later_ends_at_the_same_figures(database: &Database) {
    let clock = Clock::manual(noon());
    let service = start(database, &[ModelName::Adaptive], &clock).await;
    play(&service, 0..40).await;
    let answer = caught_up(&service).await;
    assert_as_from_the_first_round(database, &[ModelName::Adaptive], &answer).await;
    play(&service, 40..60).await;
    let followed = caught_up(&service).await;
    assert!(followed.rounds > answer.rounds);
    assert_as_from_the_first_round(database, &[ModelName::Adaptive], &followed).await;
    service.close().await;

    let service = start(database, &[ModelName::Adaptive], &clock).await;
    let kept = service.compare_models(&arena(&service)).await;
    assert_eq!(kept.expect("figures"), followed);
    play(&service, 60..80).await;
    let answer = caught_up(&service).await;
    assert_as_from_the_first_round(database, &[ModelName::Adaptive], &answer).await;
    service.close().await;

    let service = start(database, &TWO, &clock).await;
    let both = caught_up(&service).await;
    assert_as_from_the_first_round(database, &TWO, &both).await;
    assert_eq!(both.models[..2], answer.models[..]);
    service.close().await;
}

async fn a_void_and_a_restoration_have_challengers_begin_anew(database: &Database) {
    let clock = Clock::manual(noon());
    let service = start(database, &TWO, &clock).await;
    play(&service, 0..50).await;
    let before = caught_up(&service).await;
    must_void(&service, "round-4", RoundAction::Void).await;
    let void = caught_up(&service).await;
    assert_eq!(void.rounds, before.rounds - 1);
    assert_as_from_the_first_round(database, &TWO, &void).await;
    must_void(&service, "round-4", RoundAction::Unvoid).await;
    let restored = caught_up(&service).await;
    assert_eq!(restored, before);
    rebuild(&service).await;
    assert_eq!(caught_up(&service).await, before);
    service.close().await;
}

async fn what_is_pruned_is_not_compared_any_more(database: &Database) {
    let clock = Clock::manual(noon());
    let service = start(database, &TWO, &clock).await;
    play(&service, 0..50).await;
    let before = caught_up(&service).await;
    clock.set(noon().later(Duration::from_hours(24 * 90)));
    let pool = arena_record(&service).await;
    let mut prune = service.begin_prune(&pool, noon()).await.expect("a prune");
    while prune.read_lines().await.expect("lines").is_some() {}
    prune
        .take_effect("arena.jsonl.gz")
        .await
        .expect("an effect");
    prune.delete_rows().await.expect("rows are deleted");
    prune.finish().await.expect("an end");
    play(&service, 50..90).await;
    let after = caught_up(&service).await;
    assert_eq!(after.compared.rounds, after.rounds - before.rounds);
    assert_as_from_the_first_round(database, &TWO, &after).await;
    service.close().await;
}

async fn one_instance_follows_and_every_instance_answers(database: &Database) {
    let clock = Clock::manual(noon());
    let first = start(database, &TWO, &clock).await;
    play(&first, 0..30).await;
    let answer = caught_up(&first).await;
    let second = start(database, &TWO, &clock).await;
    assert_eq!(caught_up(&second).await, answer);
    let owner = follower(database).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(follower(database).await, owner);
    first.close().await;

    play(&second, 30..45).await;
    let answer = caught_up(&second).await;
    assert_ne!(follower(database).await, owner);
    assert_as_from_the_first_round(database, &TWO, &answer).await;
    let without = open(database, &with_challengers(database, &[]), &clock).await;
    let none = without.compare_models(&arena(&without)).await;
    let none = none.expect("an answer");
    assert_eq!((none.models.len(), none.caught_up_to), (0, 0));
    without.close().await;
    second.close().await;
}

async fn follower(database: &Database) -> String {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let pools = tx.pools().await.expect("pools");
    let arena = pools.iter().find(|pool| pool.name.as_str() == "arena");
    let stored = tx.challengers(arena.expect("the pool").id).await;
    drop(tx);
    store.close().await;
    stored.expect("a row").expect("somebody").owner
}

async fn whoever_follows_no_longer_is_followed_by_another(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &with_challengers(database, &TWO), &clock).await;
    play(&service, 0..20).await;
    let now = clock.now().unix_micros();
    let pool = database
        .count("select id from pools where name = 'arena'")
        .await;
    database
        .execute(&format!(
            "insert into challengers (pool_id, owner, renewed_at) values ({pool}, 'killed', {now})"
        ))
        .await;
    service.follow_logs().expect("random numbers");
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(follower(database).await, "killed");
    clock.set(noon().later(Duration::from_secs(16)));
    let answer = caught_up(&service).await;
    assert_as_from_the_first_round(database, &TWO, &answer).await;
    service.close().await;
}
