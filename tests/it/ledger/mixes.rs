//! Random mixes of updates, sets, resets, undos, voids, restores, corrections and rebuilds, through two instances.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rbs::domain::{Rating, RoundAction, Winner};
use rbs::rating::{ChangeKind, ModelName};
use rbs::service::{Author, Service};
use serde_json::json;

use super::{
    Computed, arena, arena_record, assert_no_differences, must_void, noon, open_plain, rebuild,
    replayed_without_voids, start_season, undo,
};
use crate::recording::history::{change, player, round};
use crate::support::{Database, Engine};

#[derive(Clone, Debug)]
enum Step {
    Round {
        first: u64,
        winner: usize,
        odd: bool,
    },
    /// Sets a rating, or resets the player if `rating` is `None`.
    Change {
        player: u64,
        rating: Option<i32>,
    },
    Undo {
        which: prop::sample::Index,
    },
    RoundChange {
        which: prop::sample::Index,
        action: RoundAction,
    },
    Season {
        kept: u16,
    },
    Rebuild,
    Switch {
        to: prop::sample::Index,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0_u64..8, 0_usize..4, any::<bool>()).prop_map(|(first, winner, odd)| Step::Round {
            first, winner, odd,
        }),
        2 => (1_u64..9, prop::option::of(100..3000)).prop_map(|(player, rating)| Step::Change {
            player, rating,
        }),
        1 => any::<prop::sample::Index>().prop_map(|which| Step::Undo { which }),
        4 => (any::<prop::sample::Index>(), prop::sample::select(vec![
            RoundAction::Void,
            RoundAction::Void,
            RoundAction::Unvoid,
            RoundAction::Correct { winner: Winner::A },
            RoundAction::Correct { winner: Winner::B },
            RoundAction::Correct { winner: Winner::Draw },
        ]))
            .prop_map(|(which, action)| Step::RoundChange { which, action }),
        2 => (0_u16..=1000).prop_map(|kept| Step::Season { kept }),
        1 => Just(Step::Rebuild),
        2 => any::<prop::sample::Index>().prop_map(|to| Step::Switch { to }),
    ]
}

async fn take(
    service: &Service,
    number: usize,
    (rounds, changes): (&mut Vec<String>, &mut Vec<String>),
    step: &Step,
) {
    match step {
        Step::Round { first, winner, odd } => {
            let id = |offset: u64| format!("[U:1:{}]", 1 + (first + offset * 3) % 8);
            let mut team_b = vec![json!(id(1)), json!(id(2))];
            // Some rounds are played with bots on a map with a side advantage.
            let (mut mode, mut map, mut bots) = (None, None, None);
            if *odd {
                (mode, map) = (Some("ctf"), Some("uphill"));
                bots = Some(json!({"a": {"expert": first % 3}, "b": {"easy": 1}}));
                team_b[0] = json!({"id": id(1), "stats": {"score": number, "healing": 0.1}});
                team_b.push(json!({"id": id(3), "at_start": false}));
            }
            let name = format!("round-{number}");
            let outcome = ["a", "b", "a", "draw"][*winner];
            let reported = json!({
                "round_id": name, "server": "arena-1", "team_a": [id(0)], "team_b": team_b,
                "winner": outcome, "mode": mode, "map": map, "bots": bots,
                // Times go back and forth, by hours and days.
                "ended_at": 1_763_640_000 + 43_200 * ((number * 37) % 100),
            });
            let recorded = service.record_round(arena(service), round(&reported)).await;
            assert!(!recorded.expect("a round that counts").duplicate);
            rounds.push(name);
        }
        Step::Change {
            player: who,
            rating,
        } => {
            let kind = rating.map_or(ChangeKind::Reset, |points| {
                ChangeKind::Set(Rating::new(points).expect("a rating"))
            });
            let name = format!("change-{number}");
            let line = change(&name, player(*who), kind, noon());
            changes.push(name);
            let pool = arena(service);
            let made = service.apply_change(&pool, line, Author::CommandLine).await;
            assert!(made.expect("a change"));
        }
        Step::Undo { which } if !changes.is_empty() => {
            let undone = undo(service, &changes[which.index(changes.len())]).await;
            undone.expect("an undo");
        }
        Step::RoundChange { which, action } if !rounds.is_empty() => {
            must_void(service, &rounds[which.index(rounds.len())], *action).await;
        }
        Step::Undo { .. } | Step::RoundChange { .. } => {}
        Step::Season { kept } => {
            let name = format!("season-{number}");
            let made = start_season(service, &name, *kept).await;
            assert!(made.expect("a season"));
            changes.push(name);
        }
        Step::Rebuild => rebuild(service).await,
        Step::Switch { to } => {
            let arena = arena_record(service).await;
            let mut others: Vec<ModelName> = ModelName::ALL.into_iter().collect();
            others.retain(|model| *model != arena.model);
            let to = *to.get(&others);
            let watch = &mut |_| ();
            let switched = service.switch_model(&arena, to, Author::CommandLine, watch);
            assert_eq!(switched.await.expect("a switch").computed, arena.log_length);
            assert_eq!(arena_record(service).await.model, to);
        }
    }
}

async fn play(engine: Engine, steps: &[(Step, bool)]) {
    let database = Database::create(engine).await;
    let instances = [open_plain(&database).await, open_plain(&database).await];
    let (mut rounds, mut changes) = (Vec::new(), Vec::new());
    for (number, (step, second)) in steps.iter().enumerate() {
        let counted = (&mut rounds, &mut changes);
        take(&instances[usize::from(*second)], number, counted, step).await;
    }
    assert_no_differences(&instances[0]).await;
    let replayed = Box::pin(replayed_without_voids(&instances[1])).await;
    let computed = Computed::read(&database).await;
    for instance in instances {
        instance.close().await;
    }
    database.remove().await;
    assert_eq!(computed.without_places(), replayed.without_places());
}

fn try_mixes(engine: Engine) {
    if engine.is_left_out() {
        return;
    }
    let config = Config {
        cases: 10,
        max_shrink_iters: 60,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let tried = runner.run(&vec((step(), any::<bool>()), 30..60), |steps| {
        runtime.block_on(play(engine, &steps));
        Ok(())
    });
    tried.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn every_mix_is_what_a_replay_without_the_void_rounds_gives_on_sqlite() {
    try_mixes(Engine::Sqlite);
}

#[test]
fn every_mix_is_what_a_replay_without_the_void_rounds_gives_on_postgres() {
    try_mixes(Engine::Postgres);
}
