//! Every query of the store, with one test body for both engines.

mod challengers;
mod changes;
mod corruption;
mod entries;
mod interventions;
mod migration;
mod players;
mod pools;
mod round_groups;
mod rounds;
mod servers;
mod transactions;

use std::fmt::Debug;
use std::str::FromStr;

use rbs::domain::{
    PlayerId, PoolName, Probability, Rating, Report, RoundParts, Score, Timestamp, Winner,
};
use rbs::rating::{
    ChangeKind, Entry, ModelState, Parameters, PlayerResult, PlayerState, PredictionTotals,
    RoundResult, Totals, TotalsStep,
};
use rbs::store::{
    Change, Changed, EntryChunk, Generation, LoggedRound, PoolId, RecordedRound, SettingsId, Store,
    StoreError, Tx,
};
use serde_json::json;

use crate::support::{Database, Engine};

/// Fractions that a conversion through decimals or single precision would change.
const AWKWARD: [f64; 7] = [
    1.0 / 3.0,
    0.1 + 0.2,
    0.731_058_578_630_004_9,
    1.0 - f64::EPSILON / 2.0,
    f64::MIN_POSITIVE,
    5e-324,
    2.225_073_858_507_201e-308,
];

/// Totals at the limits of 64 bits, and neighbors that a float cannot distinguish.
const EXTREME: [Totals; 3] = [
    Totals {
        rating: i64::MAX,
        rating_squared: i64::MIN,
        expected: i64::MAX - 1,
        score_halves: i64::MIN + 1,
    },
    Totals {
        rating: (1 << 53) + 1,
        rating_squared: -(1 << 53) - 1,
        expected: -1,
        score_halves: 0,
    },
    Totals {
        rating: 0,
        rating_squared: i64::MAX,
        expected: 1,
        score_halves: i64::MIN,
    },
];

fn player(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).expect("an account")
}

fn name<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a name")
}

fn points(points: i32) -> Rating {
    Rating::new(points).expect("a rating")
}

fn moment(micros: i64) -> Timestamp {
    Timestamp::from_unix_micros(micros).expect("a moment")
}

/// The pool of that name, created and committed if missing.
async fn pool(store: &Store, pool: &str) -> PoolId {
    let mut tx = store.begin().await.expect("a unit of work");
    let id = tx
        .ensure_pool(&name::<PoolName>(pool))
        .await
        .expect("a pool");
    let settings = tx.ensure_settings(&Parameters::default()).await;
    assert_eq!(settings.expect("settings"), SettingsId::FIRST);
    tx.commit().await.expect("a commit");
    id
}

/// A store with one pool, and a unit of work.
async fn begin(database: &Database) -> (Store, PoolId, Tx) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let tx = store.begin().await.expect("a unit of work");
    (store, pool, tx)
}

/// A store with two pools, and a unit of work.
async fn begin_in_two(database: &Database) -> (Store, [PoolId; 2], Tx) {
    let store = database.store().await;
    let pools = [pool(&store, "here").await, pool(&store, "there").await];
    let tx = store.begin().await.expect("a unit of work");
    (store, pools, tx)
}

/// Like `insert_rounds`, of rounds that are accepted.
async fn insert(tx: &mut Tx, pool: PoolId, rounds: &[RecordedRound]) {
    let inserted = insert_rounds(tx, pool, rounds).await;
    inserted.expect("new rounds");
}

/// Saves players of the active generation.
async fn save(tx: &mut Tx, pool: PoolId, players: &[PlayerState]) {
    let saved = tx.save_players(pool, None, players).await;
    saved.expect("players");
}

fn assert_duplicate<T: Debug>(refused: &Result<T, StoreError>, what: &str) {
    let is_duplicate = matches!(refused, Err(StoreError::Duplicate(_)));
    assert!(is_duplicate, "{what}: {refused:?}");
}

/// The key of a pool that does not exist in a database with one pool.
async fn unknown_pool() -> PoolId {
    let elsewhere = Database::create(Engine::Sqlite).await;
    let store = elsewhere.store().await;
    let mut last = pool(&store, "first").await;
    for number in 0..20 {
        last = pool(&store, &format!("later-{number}")).await;
    }
    store.close().await;
    elsewhere.remove().await;
    last
}

async fn active(tx: &mut Tx, pool: PoolId) -> Result<Generation, StoreError> {
    Ok(tx.pool(pool).await?.generation)
}

async fn insert_rounds(
    tx: &mut Tx,
    pool: PoolId,
    rounds: &[RecordedRound],
) -> Result<(), StoreError> {
    let generation = active(tx, pool).await?;
    let logged: Vec<_> = rounds.iter().map(|round| &round.logged).collect();
    tx.insert_rounds(pool, &logged).await?;
    let results: Vec<_> = rounds.iter().map(|round| &round.result).collect();
    tx.insert_results(pool, generation, &results).await
}

fn new_player(number: u64) -> PlayerState {
    PlayerState {
        id: player(number),
        rating: points(1000),
        rounds: 0,
        entries: 0,
        last_played: None,
        totals: Totals::default(),
        model_state: ModelState::default(),
    }
}

/// A player's row of entries: starts at the totals `before`, with one entry for each log position.
fn chunk(
    (of, chunk): (u64, u64),
    before: Totals,
    positions: &[u64],
    generation: Generation,
) -> EntryChunk {
    let mut totals = before;
    let entries = positions.iter().zip(chunk * EntryChunk::SIZE + 1..);
    let entries: Vec<Entry> = entries
        .map(|(position, number)| {
            let rating = points(i32::try_from(1000 + number % 1000).expect("few points"));
            let step = TotalsStep::of(rating, Probability::HALF, Score::DRAW);
            totals = totals.with(step);
            Entry {
                player: player(of),
                number,
                position: *position,
                ended_at: moment(i64::try_from(*position).expect("a place")),
                step,
                totals,
            }
        })
        .collect();
    EntryChunk {
        player: player(of),
        chunk,
        generation,
        latest: entries
            .iter()
            .map(|entry| entry.ended_at)
            .max()
            .unwrap_or(moment(0)),
        entries,
    }
}

fn reset(position: u64, change_id: &str) -> Change {
    Change {
        position,
        change_id: change_id.parse().expect("a name"),
        changed: Changed::Player(player(1), ChangeKind::Reset),
        reason: None,
        made_at: Timestamp::UNIX_EPOCH,
        settings: SettingsId::FIRST,
    }
}

/// A round of `server` at this log position, with the pool's round number.
fn round_of(server: &str, position: u64, number: u64) -> RecordedRound {
    let parts: RoundParts = serde_json::from_value(json!({
        "round_id": format!("round-{position}"), "server": server, "winner": "draw",
        "ended_at": 0, "pool": "default", "mode": "ctf",
        "team_a": ["[U:1:1]", {"id": "[U:1:2]", "participated": false}],
        "team_b": ["[U:1:3]", {"id": "[U:1:2]", "at_start": false}],
    }))
    .expect("a round");
    let result = PlayerResult {
        before: points(1000),
        after: points(1001),
        k: AWKWARD[1],
        rounds: 1,
        visible: false,
    };
    RecordedRound {
        logged: LoggedRound {
            position,
            round: Report::try_from(parts)
                .expect("a round")
                .settled(Timestamp::UNIX_EPOCH, PoolName::default()),
            reported: Winner::Draw,
            received_at: Timestamp::UNIX_EPOCH,
            secret: None,
            settings: SettingsId::FIRST,
            voided_at: None,
        },
        result: RoundResult {
            position,
            players: vec![result; 3],
            win_probability: Probability::HALF,
            theta: 2400.0,
            predictions: PredictionTotals {
                rounds: number,
                ..PredictionTotals::default()
            },
        },
    }
}

fn round(position: u64) -> RecordedRound {
    round_of("arena-1", position, position)
}

fn named(round: &RecordedRound) -> (rbs::domain::ServerName, rbs::domain::RoundId) {
    round.logged.round.name()
}
