use std::collections::BTreeMap;

use rbs::rating::GroupTotals;
use rbs::store::{Change, ChangeKind, Changed, GroupKind, PoolId, RoundGroup, Store, StoreError};

use super::{insert_rounds, named, new_player, player, points, pool, reset, round, save_players};
use crate::support::Database;

on_both_engines!(a_row_that_cannot_be_is_an_error_that_names_its_column);

/// What no column of times holds: a moment after the year 9999.
const NO_MOMENT: &str = "9223372036854775807";

/// A row that cannot be: table, column, the value that makes it so, and who reads it.
const BROKEN: [(&str, &str, &str, Reader); 38] = [
    ("pools", "name", "'a b'", Reader::Pools),
    ("pools", "log_length", "-1", Reader::Pools),
    ("pools", "rounds", "-1", Reader::Pools),
    ("pools", "draws", "-1", Reader::Pools),
    ("pools", "right_halves", "-1", Reader::Pools),
    ("pools", "calibration", "'[[0, 0, 0]]'", Reader::Pools),
    ("pools", "calibration", "''", Reader::Pools),
    ("pools", "experience", "'[]'", Reader::Pools),
    ("pools", "favourite_score_halves", "-1", Reader::Pools),
    ("players", "rating", "-1", Reader::Player),
    ("players", "rating", "1000001", Reader::Player),
    ("players", "rating", "4294968296", Reader::Ratings),
    ("players", "rounds", "4294967296", Reader::Player),
    ("players", "entries", "-1", Reader::Player),
    ("players", "last_played", NO_MOMENT, Reader::Player),
    ("rounds", "server", "'elsewhere'", Reader::Rounds),
    ("rounds", "round_id", "'another'", Reader::Rounds),
    ("rounds", "ended_at", NO_MOMENT, Reader::Rounds),
    ("rounds", "ended_at", "1", Reader::Rounds),
    ("rounds", "received_at", NO_MOMENT, Reader::Rounds),
    ("rounds", "report", "'{}'", Reader::Rounds),
    ("rounds", "voided_at", "-1", Reader::Rounds),
    ("results", "number", "-1", Reader::Results),
    ("results", "players", "'[[1]]'", Reader::Results),
    // There are three participants.
    ("results", "players", "'[]'", Reader::Recorded),
    ("results", "win_probability_a", "1.5", Reader::Results),
    ("results", "draws", "-1", Reader::Results),
    ("results", "right_halves", "-1", Reader::Sums),
    ("results", "favourites", "-1", Reader::Sums),
    ("round_groups", "brier", "-1", Reader::Groups),
    ("changes", "change_id", "'a b'", Reader::Changes),
    ("changes", "kind", "'promote'", Reader::Changes),
    ("changes", "player_id", "0", Reader::Changes),
    ("changes", "rating", "-5", Reader::Changes),
    ("changes", "rating", "null", Reader::Changes),
    ("changes", "rating", "4294968296", Reader::Changes),
    ("changes", "made_at", NO_MOMENT, Reader::Changes),
    ("settings", "content", "'{}'", Reader::Settings),
];

/// Which query meets the row.
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
}

async fn a_row_that_cannot_be_is_an_error_that_names_its_column(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let mut tx = store.begin().await.unwrap();
    save_players(&mut tx, pool, &[new_player(1)]).await.unwrap();
    insert_rounds(&mut tx, pool, &[round(1)]).await.unwrap();
    let set = Change {
        changed: Changed::Player(player(1), ChangeKind::Set(points(5))),
        ..reset(2, "c")
    };
    tx.insert_change(pool, &set).await.unwrap();
    let projection = tx.pool(pool).await.unwrap().projection;
    let group = RoundGroup {
        kind: GroupKind::Map,
        name: "arena_well".to_owned(),
    };
    let added = BTreeMap::from([(group, GroupTotals::default())]);
    tx.add_to_groups(projection, &added).await.unwrap();
    tx.commit().await.unwrap();

    for (table, column, value, reader) in BROKEN {
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
    store.close().await;
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
        Reader::Changes => tx.changes_after(pool, 0, 10).await.map(drop),
    }
}
