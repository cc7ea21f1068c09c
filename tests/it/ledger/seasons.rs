//! Seasons in the log: their effect equals that of a replay, whatever is done to rounds before and after them.

use std::time::Duration;

use rbs::domain::{CalibrationRounds, RoundAction, SeasonStart, Share};
use rbs::rating::ModelName;
use rbs::service::{Author, ChangeNote, ImportedRound, OnRefusal, Service, ServiceError};

use super::prunes::{Played, computed, day};
use super::{
    Computed, arena, arena_record, assert_no_differences, must_void, noon, open_plain,
    open_rated_by, rebuild, replayed_without_voids, start_season, undo,
};
use crate::recording::history::{Event, events};
use crate::support::{Database, Dice};

on_both_engines!(
    a_season_moves_every_rating_and_keeps_who_everybody_was,
    a_start_that_is_undone_leaves_every_figure_as_it_was,
    a_void_in_an_earlier_season_changes_its_standings,
    a_void_behind_a_start_leaves_the_standings,
    a_start_is_made_once_and_its_name_is_its_own,
    seasons_are_as_exact_where_nobody_may_be_held,
    of_every_model_a_season_is_what_a_replay_gives,
    a_start_waits_for_a_rebuild,
    a_start_behind_a_prune_outlives_a_rebuild,
    behind_a_prune_only_the_last_start_is_undone,
    a_trial_takes_the_place_of_the_last_start,
);

async fn a_start_behind_a_prune_outlives_a_rebuild(database: &Database) {
    let played = Played::open(database).await;
    played.play("01-01", 1, 60).await;
    // Few rounds, so some players have only pruned rounds.
    played.play("03-01", 2, 1).await;
    // Rounds within the period of the player list are not pruned.
    played.clock.set(day("03-20"));
    played.prune("02-01").await;
    start(&played.service, "winter").await;
    let pruned = arena_record(&played.service).await.pruned;
    let before = computed(database, pruned).await;
    rebuild(&played.service).await;
    assert_eq!(computed(database, pruned).await, before);
    assert_no_differences(&played.service).await;
}

async fn a_trial_takes_the_place_of_the_last_start(database: &Database) {
    let played = Played::open(database).await;
    played.play("01-01", 3, 60).await;
    played.clock.set(day("02-01"));
    let service = &played.service;
    let pool = arena(service);
    let season = |keep| SeasonStart {
        name: "winter".parse().expect("a name"),
        keep: Share::from_thousandths(keep).expect("a share"),
        calibration: CalibrationRounds::default(),
    };
    let note = ChangeNote::default();
    let by = Author::CommandLine;
    let started = service.start_season(&pool, season(500), note, by).await;
    started.expect("a season");
    played.play("03-01", 4, 40).await;
    let tried = async |keep, since| {
        let watch = &mut |_| ();
        let keep = season(keep).keep;
        let trial = service.try_season(&pool, keep, (since, 1000), Duration::MAX, watch);
        let trial = Box::pin(trial).await.expect("a trial");
        trial.predictions.expect("rounds behind the start")
    };
    let same = tried(1000, None).await;
    assert_eq!((same.started_at, same.gain), (day("02-01"), 0.0));
    let again = tried(500, None).await;
    assert_eq!(again.log_loss, same.log_loss);
    assert_ne!(again.log_loss_with, again.log_loss);
    let real = tried(1000, Some(day("02-01"))).await;
    assert_eq!((real.gain, real.rounds), (0.0, again.rounds));
    assert_eq!(again.log_loss_with, real.log_loss);
    let twice = tried(500, Some(day("02-01"))).await;
    assert_ne!(twice.log_loss_with, again.log_loss_with);
}

async fn behind_a_prune_only_the_last_start_is_undone(database: &Database) {
    let played = Played::open(database).await;
    played.play("01-01", 1, 60).await;
    played.play("03-01", 2, 5).await;
    played.clock.set(day("03-20"));
    played.prune("02-01").await;
    let service = &played.service;
    let before = Computed::read(database).await;
    start(service, "winter").await;
    start(service, "spring").await;
    let seasons = Computed::read(database).await;
    let refused = undo(service, "winter").await;
    assert!(
        matches!(refused, Err(ServiceError::LaterSeason(_))),
        "{refused:?}"
    );
    assert_eq!(Computed::read(database).await, seasons);
    for name in ["spring", "winter"] {
        assert!(undo(service, name).await.expect("an undo"), "{name}");
        assert_no_differences(service).await;
    }
    assert_eq!(Computed::read(database).await.players, before.players);
}

pub(super) async fn play(service: &Service, seed: u64, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for event in events(&mut Dice::new(seed), count) {
        if let Event::Round(round) = event
            && let Ok(recorded) = service.record_round(arena(service), round).await
            && !recorded.duplicate
        {
            names.push(recorded.round_id.as_str().to_owned());
        }
    }
    names
}

pub(super) async fn start(service: &Service, name: &str) {
    let made = start_season(service, name, 500).await;
    assert!(made.expect("a season"), "{name}");
}

/// Asserts that check, rebuild and replay confirm all figures.
pub(super) async fn assert_exact(service: &Service, database: &Database) {
    assert_no_differences(service).await;
    let before = Computed::read(database).await;
    rebuild(service).await;
    assert_eq!(Computed::read(database).await, before);
    let replayed = Box::pin(replayed_without_voids(service)).await;
    assert_eq!(before.without_places(), replayed.without_places());
}

async fn a_season_moves_every_rating_and_keeps_who_everybody_was(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 11, 40).await;
    let before = Computed::read(database).await;
    start(&service, "winter").await;
    let after = Computed::read(database).await;
    assert_eq!(before.players.len(), after.players.len());
    let initial = arena(&service).settings.parameters.initial_rating.points();
    for (id, player) in &before.players {
        let now = &after.players[id];
        let (was, is) = (
            player.rating.points() - initial,
            now.rating.points() - initial,
        );
        assert!((was - 2 * is).abs() <= 1, "{was} became {is}");
        assert_eq!((player.rounds, player.entries), (now.rounds, now.entries));
    }
    let [standings] = after.standings.as_slice() else {
        panic!("one season ended: {:?}", after.standings);
    };
    assert_eq!(standings.len(), before.players.len());
    for one in standings {
        let was = &before.players[&one.player];
        assert_eq!((one.rating, one.entries), (was.rating, was.entries));
        assert_eq!(one.season_rounds, was.entries);
        let parameters = &arena(&service).settings.parameters;
        let is_ranked = was.rounds >= parameters.shadow_rounds && was.entries > 0;
        assert_eq!(one.rank.is_some(), is_ranked, "{one:?}");
    }
    for one in standings.iter().filter(|one| one.rank.is_some()) {
        let ranked = standings.iter().filter(|other| other.rank.is_some());
        let better = ranked.filter(|other| other.rating > one.rating).count() as u64;
        assert_eq!(one.rank, Some(better + 1));
    }
    play(&service, 12, 20).await;
    start(&service, "spring").await;
    let later = Computed::read(database).await;
    for one in &later.standings[1] {
        let then = standings.iter().find(|then| then.player == one.player);
        let before = then.map_or(0, |then| then.entries);
        assert_eq!(one.season_rounds, one.entries - before);
    }
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn a_start_that_is_undone_leaves_every_figure_as_it_was(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 21, 30).await;
    let before = Computed::read(database).await;
    start(&service, "winter").await;
    assert!(undo(&service, "winter").await.expect("an undo"));
    assert_eq!(Computed::read(database).await, before);
    assert!(!undo(&service, "winter").await.expect("done before"));
    play(&service, 22, 20).await;
    start(&service, "spring").await;
    play(&service, 23, 20).await;
    start(&service, "summer").await;
    assert!(undo(&service, "spring").await.expect("an undo"));
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn a_void_in_an_earlier_season_changes_its_standings(database: &Database) {
    let service = open_plain(database).await;
    let mut names = play(&service, 31, 30).await;
    start(&service, "winter").await;
    names.extend(play(&service, 32, 30).await);
    start(&service, "spring").await;
    names.extend(play(&service, 33, 10).await);
    let before = Computed::read(database).await;
    for which in [0, 29, names.len() / 2, names.len() - 11] {
        must_void(&service, &names[which], RoundAction::Void).await;
        let void = Computed::read(database).await;
        assert_ne!(void.standings, before.standings, "{which}");
        assert_no_differences(&service).await;
        must_void(&service, &names[which], RoundAction::Unvoid).await;
        assert_eq!(Computed::read(database).await, before, "{which}");
    }
    must_void(&service, &names[5], RoundAction::Void).await;
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn a_void_behind_a_start_leaves_the_standings(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 41, 30).await;
    start(&service, "winter").await;
    let names = play(&service, 42, 40).await;
    let before = Computed::read(database).await;
    must_void(&service, &names[names.len() - 3], RoundAction::Void).await;
    let void = Computed::read(database).await;
    assert_eq!(void.standings, before.standings);
    assert_ne!(void.players, before.players);
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn a_start_is_made_once_and_its_name_is_its_own(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 51, 20).await;
    start(&service, "winter").await;
    let length = arena_record(&service).await.log_length;
    let again = start_season(&service, "winter", 500).await;
    assert!(!again.expect("made before"));
    let other = start_season(&service, "winter", 400).await;
    assert!(
        matches!(other, Err(ServiceError::ChangeIdTaken(_))),
        "{other:?}"
    );
    assert_eq!(arena_record(&service).await.log_length, length);
    let pool = arena(&service);
    let start = SeasonStart {
        name: "winter".parse().expect("a name"),
        keep: Share::HALF,
        calibration: CalibrationRounds::default(),
    };
    let note = ChangeNote::default();
    let by = Author::CommandLine;
    let named = service.start_season(&pool, start.clone(), note.clone(), by);
    let named = named.await;
    assert!(
        matches!(named, Err(ServiceError::SeasonNameTaken { .. })),
        "{named:?}"
    );
    assert!(undo(&service, "winter").await.expect("an undo"));
    let started = service.start_season(&pool, start, note, by).await;
    started.expect("a season");
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn seasons_are_as_exact_where_nobody_may_be_held(database: &Database) {
    let service = open_plain(database).await.with_rebuild_memory(0);
    let mut rounds = Vec::new();
    for event in events(&mut Dice::new(61), 2_600) {
        if let Event::Round(round) = event {
            rounds.push(ImportedRound::from(round));
        }
    }
    let pool = arena(&service);
    for (index, batch) in rounds.chunks(300).enumerate() {
        let counted = service.import().record(&pool, batch, OnRefusal::GoOn).await;
        counted.expect("the database");
        match index {
            2 => start(&service, "winter").await,
            5 => start(&service, "spring").await,
            _ => {}
        }
    }
    for index in [200, 1_500] {
        let name = &rounds[index].report.parts().round_id;
        must_void(&service, name.as_str(), RoundAction::Void).await;
    }
    assert_no_differences(&service).await;
    assert!(undo(&service, "winter").await.expect("an undo"));
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}

async fn of_every_model_a_season_is_what_a_replay_gives(database: &Database) {
    let service = open_rated_by(database, ModelName::default()).await;
    play(&service, 71, 30).await;
    start(&service, "winter").await;
    play(&service, 72, 30).await;
    for model in ModelName::ALL.into_iter().skip(1) {
        let arena = arena_record(&service).await;
        let watch = &mut |_| ();
        let switched = service.switch_model(&arena, model, Author::CommandLine, watch);
        switched.await.expect("a switch");
        let before = Computed::read(database).await;
        let name = format!("by-{model}");
        let made = start_season(&service, &name, 250).await;
        assert!(made.expect("a season"));
        let after = Computed::read(database).await;
        assert_ne!(before.players, after.players, "{model}");
        play(&service, 73, 5).await;
        Box::pin(assert_exact(&service, database)).await;
    }
    service.close().await;
}

async fn a_start_waits_for_a_rebuild(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 81, 10).await;
    let store = database.store().await;
    let arena = arena_record(&service).await;
    let mut tx = store.begin().await.expect("a unit of work");
    tx.begin_rebuild(arena.id, ("somebody", noon()), None, 1)
        .await
        .expect("a rebuild");
    tx.commit().await.expect("a commit");
    let refused = start_season(&service, "winter", 500).await;
    assert!(
        matches!(refused, Err(ServiceError::RebuildInProgress(_))),
        "{refused:?}"
    );
    let mut tx = store.begin().await.expect("a unit of work");
    assert!(
        tx.finish_rebuild(arena.id, "somebody")
            .await
            .expect("an end")
    );
    tx.commit().await.expect("a commit");
    store.close().await;
    start(&service, "winter").await;
    Box::pin(assert_exact(&service, database)).await;
    service.close().await;
}
