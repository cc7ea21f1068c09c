//! SQLite's statements that write many rows, and the binding of their values. The rows are bound as one JSON text
//! (`json_each`), and their binary content as one byte string that `substr` cuts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::sql::{Query, json_text, state_bytes};
use crate::domain::Timestamp;
use crate::rating::{GroupTotals, PlayerState, RoundGroup, RoundResult};
use crate::store::{
    EntryChunk, LastRow, LoggedRound, StoreError, StoredChunk, content, scoreboard_content,
};

/// SQL `from` clause for the rows of the JSON list bound as `$parameter`, each a list in the column `row`. The limit
/// has no effect on the result, but keeps SQLite from converting the row to text again for every column.
macro_rules! json_rows {
    ($parameter:literal) => {
        concat!(
            " from (select value as row from json_each(",
            $parameter,
            ") limit -1)"
        )
    };
}

/// Returns `rows` as a JSON list for the macro `json_rows`. The function `row` converts a row to JSON.
pub(super) fn rows_text<T>(rows: impl IntoIterator<Item = T>, row: impl Fn(T) -> Value) -> String {
    rows.into_iter().map(row).collect::<Value>().to_string()
}

/// Buffer that joins the binary content of all rows of one SQL statement into one byte string, in the order of the
/// rows.
#[derive(Debug)]
struct Bytes {
    all: Vec<u8>,
}

impl Bytes {
    /// Creates a byte string with one byte that belongs to no row, because an empty byte string would be bound as null.
    fn new() -> Self {
        Self { all: vec![0] }
    }

    /// Appends a row's binary content. Returns its start, from 1, and its length in bytes, as SQL's `substr` takes
    /// them.
    fn add(&mut self, content: &[u8]) -> (usize, usize) {
        let start = self.all.len() + 1;
        self.all.extend_from_slice(content);
        (start, content.len())
    }
}

/// SQL insert of the players that [`bind_players`] bound, by default into the generation (row version) that is read.
macro_rules! save_players {
    ($generation:literal, $rows:literal, $bytes:literal) => {
        concat!(
            insert_into!(players),
            "coalesce(",
            $generation,
            ", ",
            players_generation!(),
            "), row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7,
             row ->> 8, substr(",
            $bytes,
            ", row ->> 11, row ->> 12), substr(",
            $bytes,
            ", row ->> 9, row ->> 10)",
            json_rows!($rows),
            " where true",
            on_conflict!(players)
        )
    };
}

pub(super) fn bind_players<'query>(
    query: Query<'query>,
    saved: &[(&PlayerState, LastRow<'_>)],
) -> Result<Query<'query>, StoreError> {
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
    Ok(query.bind(Value::from(rows).to_string()).bind(bytes.all))
}

macro_rules! save_chunks {
    ($rows:literal, $bytes:literal) => {
        concat!(
            insert_into!(entries),
            "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, substr(",
            $bytes,
            ", row ->> 6, row ->> 7)",
            json_rows!($rows),
            " where true",
            on_conflict!(entries)
        )
    };
}

pub(super) fn bind_chunks<'query>(query: Query<'query>, saved: &[StoredChunk]) -> Query<'query> {
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
    query.bind(Value::from(rows).to_string()).bind(bytes.all)
}

macro_rules! insert_rounds {
    ($rows:literal) => {
        concat!(
            insert_into!(rounds),
            "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7,
             row ->> 8, row ->> 9",
            json_rows!($rows)
        )
    };
}

macro_rules! insert_scoreboards {
    ($rows:literal, $bytes:literal) => {
        concat!(
            insert_into!(scoreboards),
            "row ->> 0, substr(",
            $bytes,
            ", row ->> 1, row ->> 2)",
            json_rows!($rows)
        )
    };
}

pub(super) fn bind_rounds<'query>(
    query: Query<'query>,
    inserted: &[&LoggedRound],
) -> Result<Query<'query>, StoreError> {
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
            logged.secret,
        ]));
    }
    Ok(query
        .bind(Value::from(rows).to_string())
        .bind(Value::from(scoreboards).to_string())
        .bind(bytes.all))
}

macro_rules! insert_results {
    ($generation:literal, $rows:literal, $bytes:literal) => {
        concat!(
            insert_into!(results, $generation),
            "row ->> 0, row ->> 1, substr(",
            $bytes,
            ", row ->> 2, row ->> 3)",
            json_rows!($rows)
        )
    };
}

pub(super) fn bind_results<'query>(
    query: Query<'query>,
    inserted: &[&RoundResult],
) -> Result<Query<'query>, StoreError> {
    let mut rows = Vec::with_capacity(inserted.len());
    let mut bytes = Bytes::new();
    for result in inserted {
        let (start, length) = bytes.add(&content::of_result(result)?);
        let rounds = result.predictions.rounds;
        rows.push(json!([result.position, rounds, start, length]));
    }
    Ok(query.bind(Value::from(rows).to_string()).bind(bytes.all))
}

macro_rules! add_to_groups {
    ($rows:literal) => {
        concat!(
            insert_into!(round_groups),
            "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7,
             row ->> 8, row ->> 9",
            json_rows!($rows),
            " where true",
            on_conflict!(round_groups)
        )
    };
}

pub(super) fn bind_groups<'query>(
    query: Query<'query>,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Query<'query> {
    query.bind(rows_text(added, |(group, sums)| {
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
    }))
}
