//! The queries that PostgreSQL would not understand. Whole batches travel as one JSON text (`json_each`),
//! their binary content as one text of bytes that the rows are cut from.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Connection;
use super::sql::{
    changes, entries, execute, json_text, pools, prunes, read_all, rounds, state_bytes,
};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::rating::GroupTotals;
use crate::store::{
    Change, EntryChunk, Generation, LastRow, LoggedRound, PlayerRecord, PoolId, PoolRecord,
    PrunedRound, RecordedRound, RoundGroup, RoundResult, RoundTraces, StoreError, StoredChunk,
};
use crate::store::{content, scoreboard_content};

/// A unit of work that may write holds SQLite's only write lock already.
pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    pools::get(connection, pool).await
}

/// The rows of the JSON list that is bound as `$parameter`, each a list in `row`. Without the limit, which
/// limits nothing, SQLite would write out the row again for every column that is read of it.
macro_rules! json_rows {
    ($parameter:literal) => {
        concat!(
            " from (select value as row from json_each(",
            $parameter,
            ") limit -1)"
        )
    };
}

/// A JSON list of `row` of each of `rows`, for [`json_rows`].
fn rows_text<T>(rows: impl IntoIterator<Item = T>, row: impl Fn(T) -> Value) -> String {
    rows.into_iter().map(row).collect::<Value>().to_string()
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    saved: &[(&PlayerRecord, LastRow<'_>)],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(saved.len());
    let mut bytes = Bytes::new();
    for (player, last) in saved {
        let last = last.map(EntryChunk::packed).transpose()?;
        let (start, length) = last.map(|last| bytes.add(&last)).unzip();
        let state = state_bytes(&player.model_state).map(|state| bytes.add(state));
        let (state_start, state_length) = state.unzip();
        rows.push(json!([
            player.id.steam_id64(),
            player.rating,
            player.rounds,
            player.entries,
            player.last_played.map(Timestamp::unix_micros),
            player.totals.rating,
            player.totals.rating_squared,
            player.totals.expected,
            player.totals.score_halves,
            start,
            length,
            state_start,
            state_length,
        ]));
    }
    let query = sqlx::query(concat!(
        insert_into!(players),
        "coalesce($4, ",
        players_generation!(),
        "), row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7, row ->> 8,
         substr($3, row ->> 11, row ->> 12), substr($3, row ->> 9, row ->> 10)",
        json_rows!("$2"),
        " where true",
        on_conflict!(players)
    ))
    .bind(pool.0)
    .bind(Value::from(rows).to_string())
    .bind(bytes.all)
    .bind(generation.map(|generation| generation.0));
    execute(connection, query).await
}

pub(crate) async fn find_chunks(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<EntryChunk>, StoreError> {
    let query = sqlx::query(select!(
        entries,
        json_rows!("$2"),
        join_one!(
            entries,
            "entries.pool_id = $1 and entries.player_id = row ->> 0 and entries.chunk = row ->> 1 and",
            is_current!(entries, active_generation!())
        )
    ))
    .bind(pool.0)
    .bind(rows_text(wanted, |(player, chunk)| {
        json!([player.steam_id64(), chunk])
    }));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn save_chunks(
    connection: &mut Connection,
    pool: PoolId,
    saved: &[StoredChunk],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(saved.len());
    let mut bytes = Bytes::new();
    for chunk in saved {
        let (start, length) = bytes.add(&chunk.content);
        rows.push(json!([
            chunk.player.steam_id64(),
            chunk.chunk,
            chunk.generation.0,
            chunk.first_position,
            chunk.ended_from,
            chunk.latest.unix_micros(),
            start,
            length,
        ]));
    }
    let query = sqlx::query(concat!(
        insert_into!(entries),
        "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5,
         substr($3, row ->> 6, row ->> 7)",
        json_rows!("$2"),
        " where true",
        on_conflict!(entries)
    ))
    .bind(pool.0)
    .bind(Value::from(rows).to_string())
    .bind(bytes.all);
    execute(connection, query).await
}

/// The binary content of rows, one behind the other.
#[derive(Debug)]
struct Bytes {
    all: Vec<u8>,
}

impl Bytes {
    /// A byte that no row has: all of them may be empty, and what is empty is bound as null.
    fn new() -> Self {
        Self { all: vec![0] }
    }

    /// Adds the content of a row; answers where it begins, from 1, and how long it is, as `substr` takes it.
    fn add(&mut self, content: &[u8]) -> (usize, usize) {
        let start = self.all.len() + 1;
        self.all.extend_from_slice(content);
        (start, content.len())
    }
}

pub(crate) async fn look_up_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RoundTraces>, StoreError> {
    let query = sqlx::query(look_up_rounds!(
        " from (select value ->> 0 as server, value ->> 1 as round_id from json_each($1)) as wanted"
    ))
    .bind(rows_text(names, |(server, round_id)| {
        json!([server, round_id])
    }));
    read_all(connection, query, rounds::traces).await
}

pub(crate) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        json_rows!("$1"),
        "cross join rounds on rounds.server = row ->> 0 and rounds.round_id = row ->> 1
         cross join pools on pools.id = rounds.pool_id
         cross join results on results.pool_id = rounds.pool_id
                           and results.position = rounds.position and",
        is_current!(results, "pools.generation")
    ))
    .bind(rows_text(names, |(server, round_id)| {
        json!([server, round_id])
    }));
    read_all(connection, query, rounds::recorded).await
}

pub(crate) async fn find_pruned_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<PrunedRound>, StoreError> {
    let query = sqlx::query(concat!(
        "select pruned_rounds.server, pruned_rounds.round_id, pools.name, prunes.pruned_at, prunes.file
         from json_each($1) as wanted",
        join_one!(
            pruned_rounds,
            "pruned_rounds.server = wanted.value ->> 0
             and pruned_rounds.round_id = wanted.value ->> 1"
        ),
        join_one!(pools, "pools.id = pruned_rounds.pool_id"),
        join_one!(prunes, prune_of_round!())
    ))
    .bind(rows_text(names, |(server, round_id)| {
        json!([server, round_id])
    }));
    read_all(connection, query, prunes::pruned_round).await
}

pub(crate) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(inserted.len());
    let (mut scoreboards, mut bytes) = (Vec::new(), Bytes::new());
    for logged in inserted {
        let (round, report) = (&logged.round, logged.report());
        let (parts, scoreboard) = report.parts().without_scoreboard();
        if let Some(scoreboard) = scoreboard {
            let (start, length) = bytes.add(&scoreboard_content::of_scoreboard(&scoreboard)?);
            scoreboards.push(json!([logged.position, start, length]));
        }
        rows.push(json!([
            logged.position,
            round.parts().server,
            round.parts().round_id,
            round.ended_at().unix_micros(),
            logged.received_at.unix_micros(),
            json_text(&parts)?,
            logged.settings.0,
            logged.voided_at,
            logged.marks().winner,
        ]));
    }
    let query = sqlx::query(concat!(
        insert_into!(rounds),
        "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7, row ->> 8",
        json_rows!("$2")
    ))
    .bind(pool.0)
    .bind(Value::from(rows).to_string());
    execute(connection, query).await?;
    if scoreboards.is_empty() {
        return Ok(());
    }
    let query = sqlx::query(concat!(
        insert_into!(scoreboards),
        "row ->> 0, substr($3, row ->> 1, row ->> 2)",
        json_rows!("$2")
    ))
    .bind(pool.0)
    .bind(Value::from(scoreboards).to_string())
    .bind(bytes.all);
    execute(connection, query).await
}

pub(crate) async fn insert_changes(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[Change],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(changes),
        "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7, row ->> 8,
         row ->> 9, row ->> 10, row ->> 11, row ->> 12",
        json_rows!("$2")
    ))
    .bind(pool.0)
    .bind(rows_text(inserted, |change| {
        let columns = changes::Columns::of(&change.changed);
        json!([
            change.position,
            change.change_id,
            columns.kind,
            columns.player,
            columns.rating,
            columns.round,
            columns.winner,
            change.reason,
            change.made_at.unix_micros(),
            change.settings.0,
            columns.season.map(|season| &season.name),
            columns.season.map(|season| season.keep.thousandths()),
            columns.season.map(|season| season.calibration),
        ])
    }));
    execute(connection, query).await
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(inserted.len());
    let mut bytes = Bytes::new();
    for result in inserted {
        let (start, length) = bytes.add(&content::of_result(result)?);
        let rounds = result.predictions.rounds;
        rows.push(json!([result.position, rounds, start, length]));
    }
    let query = sqlx::query(concat!(
        insert_into!(results, "$2"),
        "row ->> 0, row ->> 1, substr($4, row ->> 2, row ->> 3)",
        json_rows!("$3")
    ))
    .bind(pool.0)
    .bind(generation.0)
    .bind(Value::from(rows).to_string())
    .bind(bytes.all);
    execute(connection, query).await
}

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    pool: PoolId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(round_groups),
        "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7,
         row ->> 8, row ->> 9",
        json_rows!("$2"),
        " where true",
        on_conflict!(round_groups)
    ))
    .bind(pool.0)
    .bind(rows_text(added, |(group, sums)| {
        json!([
            group.kind.name(),
            group.name,
            sums.rounds.cast_signed(),
            sums.draws.cast_signed(),
            sums.right_halves.cast_signed(),
            sums.score_halves.cast_signed(),
            sums.predicted.cast_signed(),
            sums.brier.cast_signed(),
            sums.log_loss.cast_signed(),
            sums.lead,
        ])
    }));
    execute(connection, query).await
}
