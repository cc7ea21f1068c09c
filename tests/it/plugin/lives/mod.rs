//! Random lives of a game server: rounds, players, outages and crashes. Each round must be counted once, or be in a
//! file with the reason.

mod life;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use life::{Life, SERVER};

use super::scenarios::counted;
use crate::support::App;
use sourcemod_bed::game::Mode;

same_on_both_databases![
    lives_in_arena,
    lives_in_king_of_the_hill,
    lives_with_five_points,
    lives_with_stages,
    lives_with_a_cart,
    lives_with_flags,
];

/// Default number of lives per mode and database (`RBS_TEST_LIVES`), about a thousand rounds per database.
const LIVES: u32 = 6;
/// Maximum number of events in a life.
const EVENTS: usize = 90;

async fn lives_in_arena(app: &App) {
    live(app, Mode::Arena).await;
}

async fn lives_in_king_of_the_hill(app: &App) {
    live(app, Mode::Koth).await;
}

async fn lives_with_five_points(app: &App) {
    live(app, Mode::FivePoints).await;
}

async fn lives_with_a_cart(app: &App) {
    live(app, Mode::Payload).await;
}

async fn lives_with_stages(app: &App) {
    live(app, Mode::AttackDefend).await;
}

async fn lives_with_flags(app: &App) {
    live(app, Mode::Ctf).await;
}

#[derive(Clone, Debug)]
enum Event {
    /// A round with players who join and leave during it.
    Round {
        winner: u8,
        seconds: u8,
        changes: u8,
    },
    Join,
    Leave,
    Switch,
    /// Sets the state of the network.
    Wire(u8),
    /// Stops the service for that number of seconds.
    Restart(u8),
    Reload,
    Crash,
    /// The queue file is truncated while the server is down.
    TornCrash,
    ChangeMap,
    /// The machine's clock is set back by that number of seconds.
    ClockBack(u8),
    /// All players leave, and some return later.
    Empty,
    Wait(u8),
}

fn event() -> impl Strategy<Value = Event> {
    let round = (any::<u8>(), 1..90_u8, 0..4_u8);
    prop_oneof![
        24 => round.prop_map(|(winner, seconds, changes)| Event::Round { winner, seconds, changes }),
        3 => Just(Event::Join),
        3 => Just(Event::Leave),
        2 => Just(Event::Switch),
        8 => any::<u8>().prop_map(Event::Wire),
        1 => any::<u8>().prop_map(Event::Restart),
        2 => Just(Event::Reload),
        2 => Just(Event::Crash),
        1 => Just(Event::TornCrash),
        2 => Just(Event::ChangeMap),
        1 => any::<u8>().prop_map(Event::ClockBack),
        1 => Just(Event::Empty),
        2 => any::<u8>().prop_map(Event::Wait),
    ]
}

async fn live(app: &App, mode: Mode) {
    let lives = std::env::var("RBS_TEST_LIVES").map_or(LIVES, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("RBS_TEST_LIVES is {text:?}; give a whole number"))
    });
    let config = Config {
        cases: lives,
        max_shrink_iters: 40,
        ..Config::default()
    };
    let seed = [mode as u8 + 1; 32];
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, random);
    let outcome = tokio::task::block_in_place(|| {
        runner.run(
            &(any::<u64>(), vec(event(), EVENTS / 2..EVENTS)),
            |(seed, events)| {
                let life = Box::pin(async {
                    let mut life = Box::pin(Life::begin(app, mode, seed)).await;
                    for event in &events {
                        Box::pin(life.happens(event)).await;
                    }
                    Box::pin(life.end()).await;
                });
                tokio::runtime::Handle::current().block_on(life);
                Ok(())
            },
        )
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    let rounds = counted(app, SERVER).await.len();
    assert!(
        rounds >= 25 * lives as usize,
        "only {rounds} rounds in {lives} lives"
    );
}
