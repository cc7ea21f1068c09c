use std::collections::BTreeMap;

use rbs::rating::{ChangeKind, GroupKind, GroupTotals, PlayerState, RoundGroup, Totals};
use rbs::store::{Change, Changed, PoolId, Store, StoreError};

use super::{active, begin, chunk, insert, named, new_player, player, points, reset, round};
use crate::support::{Database, Engine};

on_both_engines!(a_row_that_cannot_be_is_an_error_that_names_its_column);

/// A moment after the year 9999, invalid in every time column.
const NO_MOMENT: &str = "9223372036854775807";

/// A scoreboard with one entry more than the round.
const FIVE_ENTRIES: &str = "hex:000000050000000000";

/// Binary content in hexadecimal: empty, truncated, and results without participants with an even prediction and with
/// one above certainty.
const EMPTY: &str = "hex:";
const CUT: &str = "hex:01";
const NOBODY: &str = concat!(
    "hex:000000000000e03f0000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000"
);
const SURE: &str = concat!(
    "hex:000000000000f83f0000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000"
);

/// Corrupt rows: table, column, value, and the query that reads them.
const BROKEN: [(&str, &str, &str, Reader); 47] = [
    ("pools", "name", "'a b'", Reader::Pools),
    ("pools", "log_length", "-1", Reader::Pools),
    ("pools", "rounds", "-1", Reader::Pools),
    ("pools", "draws", "-1", Reader::Pools),
    ("pools", "right_halves", "-1", Reader::Pools),
    ("pools", "calibration", "'[[0, 0, 0]]'", Reader::Pools),
    ("pools", "calibration", "''", Reader::Pools),
    ("pools", "experience", "'[]'", Reader::Pools),
    ("pools", "favourite_score_halves", "-1", Reader::Pools),
    ("players", "rating", "-100001", Reader::Player),
    ("players", "rating", "1000001", Reader::Player),
    ("players", "rating", "4294968296", Reader::Ratings),
    ("players", "rounds", "4294967296", Reader::Player),
    ("players", "entries", "-1", Reader::Player),
    ("players", "last_played", NO_MOMENT, Reader::Player),
    ("players", "last_entries", CUT, Reader::LastRows),
    ("players", "last_entries", "null", Reader::LastRows),
    ("players", "rating", "-100001", Reader::Listed),
    ("players", "last_played", NO_MOMENT, Reader::Listed),
    ("players", "last_entries", CUT, Reader::EntriesAround),
    ("rounds", "server", "'elsewhere'", Reader::Rounds),
    ("rounds", "round_id", "'another'", Reader::Rounds),
    ("rounds", "ended_at", NO_MOMENT, Reader::Rounds),
    ("rounds", "ended_at", "1", Reader::Rounds),
    ("rounds", "received_at", NO_MOMENT, Reader::Rounds),
    ("rounds", "secret", "'0123ABCD'", Reader::Rounds),
    ("rounds", "report", "'{}'", Reader::Rounds),
    ("rounds", "voided_at", "-1", Reader::Rounds),
    ("rounds", "corrected_winner", "'c'", Reader::Rounds),
    ("scoreboards", "content", CUT, Reader::Rounds),
    ("scoreboards", "content", FIVE_ENTRIES, Reader::Rounds),
    ("results", "number", "-1", Reader::Results),
    ("results", "content", EMPTY, Reader::Results),
    ("results", "content", NOBODY, Reader::Recorded),
    ("results", "content", SURE, Reader::Results),
    ("results", "content", EMPTY, Reader::Sums),
    ("entries", "content", CUT, Reader::Entries),
    ("entries", "ended_to", NO_MOMENT, Reader::Entries),
    ("round_groups", "brier", "-1", Reader::Groups),
    ("changes", "change_id", "'a b'", Reader::Changes),
    ("changes", "kind", "'promote'", Reader::Changes),
    ("changes", "player_id", "0", Reader::Changes),
    ("changes", "rating", "-100001", Reader::Changes),
    ("changes", "rating", "null", Reader::Changes),
    ("changes", "rating", "4294968296", Reader::Changes),
    ("changes", "made_at", NO_MOMENT, Reader::Changes),
    ("settings", "content", "'{}'", Reader::Settings),
];

/// Query that reads the corrupt row.
#[derive(Clone, Copy)]
enum Reader {
    Pools,
    Player,
    Ratings,
    Rounds,
    Results,
    Recorded,
    Sums,
    Groups,
    Changes,
    Settings,
    Entries,
    LastRows,
    EntriesAround,
    Listed,
}

async fn a_row_that_cannot_be_is_an_error_that_names_its_column(database: &Database) {
    let (store, pool, mut tx) = begin(database).await;
    insert(&mut tx, pool, &[round(1)]).await;
    let set = Change {
        changed: Changed::Player(player(1), ChangeKind::Set(points(5))),
        ..reset(2, "c")
    };
    tx.insert_change(pool, &set).await.unwrap();
    let generation = active(&mut tx, pool).await.unwrap();
    let row = chunk((1, 0), Totals::default(), &[1], generation);
    let played = PlayerState {
        entries: 1,
        ..new_player(1)
    };
    tx.save_players_with_last_rows(pool, None, &[(&played, Some(&row))])
        .await
        .unwrap();
    tx.save_chunks(pool, &[row]).await.unwrap();
    let group = RoundGroup {
        kind: GroupKind::Map,
        name: "arena_well".to_owned(),
    };
    let added = BTreeMap::from([(group, GroupTotals::default())]);
    tx.add_to_groups(pool, &added).await.unwrap();
    tx.commit().await.unwrap();

    for (table, column, value, reader) in BROKEN {
        let value = &match (value.strip_prefix("hex:"), database.engine()) {
            (Some(digits), Engine::Sqlite) => format!("x'{digits}'"),
            (Some(digits), Engine::Postgres) => format!("'\\x{digits}'"),
            (None, _) => value.to_owned(),
        };
        read(&store, pool, reader)
            .await
            .unwrap_or_else(|error| panic!("{table}.{column} is whole before: {error}"));
        database
            .execute(&format!("create table kept as select * from {table}"))
            .await;
        database
            .execute(&format!("update {table} set {column} = {value}"))
            .await;
        let error = read(&store, pool, reader)
            .await
            .expect_err(&format!("{table}.{column} = {value} was read"));
        assert!(
            matches!(error, StoreError::Corrupt { table: t, column: c } if (t, c) == (table, column)),
            "{table}.{column} = {value}: {error}: {error:?}"
        );
        database
            .execute(&format!(
                "update {table} set {column} = (select {column} from kept)"
            ))
            .await;
        database.execute("drop table kept").await;
    }
}

async fn read(store: &Store, pool: PoolId, reader: Reader) -> Result<(), StoreError> {
    let mut tx = store.begin_read().await?;
    match reader {
        Reader::Pools => tx.pools().await.map(drop),
        Reader::Player => tx.player(pool, player(1)).await.map(drop),
        Reader::Ratings => tx.rating_counts(pool, 50).await.map(drop),
        Reader::Rounds => tx.rounds_after(pool, 0, 10).await.map(drop),
        Reader::Results => tx.results_after(pool, 0, 10).await.map(drop),
        Reader::Recorded => tx.rounds(&[named(&round(1))]).await.map(drop),
        Reader::Settings => tx.settings().await.map(drop),
        Reader::Sums => tx.predictions_at(pool, 1).await.map(drop),
        Reader::Groups => tx.groups(pool, GroupKind::Map, 9).await.map(drop),
        Reader::Entries => tx.chunks_after(pool, None, 10).await.map(drop),
        Reader::LastRows => tx.last_rows(pool, &[player(1)]).await.map(drop),
        Reader::EntriesAround => tx.entries_around(pool, &[player(1)], 1).await.map(drop),
        Reader::Listed => tx.listed_players_after(pool, None, 9).await.map(drop),
        Reader::Changes => tx.changes_after(pool, 0, 10).await.map(drop),
    }
}
