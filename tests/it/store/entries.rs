use rbs::rating::{Entry, PlayerState, Totals};
use rbs::store::{ChunksBefore, EntryChunk};

use super::{EXTREME, active, begin, begin_in_two, chunk, new_player, player, unknown_pool};
use crate::support::Database;

on_both_engines!(
    totals_read_back_at_the_ends_of_64_bits,
    only_the_entries_asked_for_are_found,
    the_row_of_the_latest_active_generation_counts,
    entries_are_read_as_of_a_place_of_the_log,
    the_last_entry_up_to_a_place_of_the_log_is_among_those_around_it,
);

async fn totals_read_back_at_the_ends_of_64_bits(database: &Database) {
    let (store, pool, mut tx) = begin(database).await;
    let generation = active(&mut tx, pool).await.unwrap();
    // The last row has the largest position of 64 bits.
    let rows = [0, 1 << 53, i64::MAX.unsigned_abs() / EntryChunk::SIZE];
    let written = EXTREME.iter().zip(rows).zip(1..);
    let written: Vec<EntryChunk> = written
        .map(|((totals, row), of)| chunk((of, row), *totals, &[7, 9, 1 << 57], generation))
        .collect();
    tx.save_chunks(pool, &written).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    for chunk in written {
        let found = tx.chunks(pool, None, &[(chunk.player, chunk.chunk)]).await;
        assert_eq!(found.unwrap(), std::slice::from_ref(&chunk));
        for entry in chunk.entries {
            let found = tx.entries(pool, &[(entry.player, entry.number)]).await;
            assert_eq!(found.unwrap(), [entry]);
        }
    }
}

async fn only_the_entries_asked_for_are_found(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    let generation = active(&mut tx, here).await.unwrap();
    let row = |of, positions: &[u64]| chunk((of, 0), Totals::default(), positions, generation);
    tx.save_chunks(here, &[row(1, &[11, 12]), row(2, &[21, 22])])
        .await
        .unwrap();
    tx.save_chunks(there, &[row(1, &[99]), row(3, &[98])])
        .await
        .unwrap();
    let wanted = [(1, 2), (2, 0), (2, 2), (2, 3), (2, 17), (3, 1)];
    let wanted = wanted.map(|(of, number)| (player(of), number));
    let found = tx.entries(here, &wanted).await.unwrap();
    let mut found: Vec<_> = found
        .iter()
        .map(|entry| (entry.player, entry.number, entry.position))
        .collect();
    found.sort_unstable();
    assert_eq!(found, [(player(1), 2, 12), (player(2), 2, 22)]);
    let nowhere = unknown_pool().await;
    assert_eq!(tx.entries(nowhere, &wanted).await.unwrap(), []);
}

async fn the_row_of_the_latest_active_generation_counts(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    let first = active(&mut tx, pool).await.unwrap();
    let row =
        |row, position, generation| chunk((1, row), Totals::default(), &[position], generation);
    let second = first.next();
    let mut emptied = row(1, 2, second);
    emptied.entries.clear();
    let rows = [
        row(0, 1, first),
        row(1, 2, first),
        row(0, 5, second),
        emptied,
    ];
    for row in rows {
        tx.save_chunks(pool, &[row]).await.unwrap();
    }
    let positions = |entries: Vec<Entry>| -> Vec<u64> {
        let mut positions: Vec<u64> = entries.iter().map(|entry| entry.position).collect();
        positions.sort_unstable();
        positions
    };
    let wanted = [(player(1), 1), (player(1), 17)];
    let found = tx.entries(pool, &wanted).await.unwrap();
    assert_eq!(positions(found), [1, 2], "the next is still being written");
    let rows = [(player(1), 0), (player(1), 1)];
    for (generation, expected) in [
        (None, vec![1, 2]),
        (Some(first), vec![1, 2]),
        (Some(second), vec![5]),
    ] {
        let found = tx.chunks(pool, generation, &rows).await.unwrap();
        let found = found.into_iter().flat_map(|row| row.entries).collect();
        assert_eq!(positions(found), expected, "as {generation:?} has them");
    }
    let mut record = tx.lock_pool(pool).await.unwrap();
    record.generation = second;
    tx.save_pool(&record).await.unwrap();
    let found = tx.entries(pool, &wanted).await.unwrap();
    assert_eq!(positions(found), [5]);
    let listed = tx.chunks_after(pool, None, 10).await.unwrap();
    assert_eq!(listed.len(), 2, "{listed:?}");
    let some = (10, second, rbs::store::Generation::default());
    let last = tx.clear_entries(pool, None, some).await.unwrap();
    assert_eq!(last, Some(player(1)));
    assert_eq!(tx.clear_entries(pool, last, some).await.unwrap(), None);
    assert_eq!(
        tx.chunks_after(pool, None, 10).await.unwrap(),
        [row(0, 5, second)]
    );
    drop(tx);
    let rows = database.count("select count(*) from entries").await;
    assert_eq!(rows, 0, "nothing was committed");
}

async fn entries_are_read_as_of_a_place_of_the_log(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    let active = active(&mut tx, pool).await.unwrap();
    let places = |from: u64| -> Vec<u64> { (from..from + EntryChunk::SIZE).collect() };
    let row = |row, positions: &[u64], generation| {
        chunk((1, row), Totals::default(), positions, generation)
    };
    for (index, from) in [(0, 1), (1, 20), (2, 40)] {
        let row = row(index, &places(from), active);
        tx.save_chunks(pool, &[row]).await.unwrap();
    }
    let written = active.next();
    tx.save_chunks(pool, &[row(1, &[20, 21, 50], written)])
        .await
        .unwrap();
    let mut end = ChunksBefore {
        position: 22,
        active,
        written: None,
    };
    for (position, rows, expected) in [
        (22, 9, [places(1), vec![20, 21]].concat()),
        (22, 1, vec![20, 21]),
        (1, 9, vec![]),
        (41, 2, [places(20), vec![40]].concat()),
    ] {
        end.position = position;
        let mut found = tx
            .chunks_before(pool, &[player(1), player(2)], end, rows)
            .await
            .unwrap();
        found.sort_unstable_by_key(|chunk| chunk.chunk);
        let found = found.iter().flat_map(|chunk| &chunk.entries);
        let found: Vec<u64> = found.map(|entry| entry.position).collect();
        assert_eq!(found, expected, "{rows} rows before {position}");
    }
    (end.position, end.written) = (22, Some(written));
    let found = tx.chunks_before(pool, &[player(1)], end, 1).await.unwrap();
    assert_eq!(found, [row(1, &[20, 21, 50], written)]);
    for generation in [active, written] {
        let emptied = [row(2, &[], generation), row(3, &[], generation)];
        tx.save_chunks(pool, &emptied).await.unwrap();
        let found = tx.chunks_before(pool, &[player(1)], end, 2).await.unwrap();
        let mut found: Vec<u64> = found.iter().map(|row| row.chunk).collect();
        found.sort_unstable();
        assert_eq!(found[..2], [0, 1], "{generation:?}");
    }
    let hidden = row(3, &places(50), rbs::store::Generation::default());
    tx.save_chunks(pool, &[hidden]).await.unwrap();
    (end.position, end.written) = (60, None);
    let found = tx.chunks_before(pool, &[player(1)], end, 1).await.unwrap();
    assert_eq!(found, [row(1, &places(20), active)]);
}

async fn the_last_entry_up_to_a_place_of_the_log_is_among_those_around_it(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    let generation = active(&mut tx, pool).await.unwrap();
    let size = EntryChunk::SIZE;
    // Places 10, 20, … of one player, and a few of another between them.
    let row = |of, number: u64, entries: u64, step: u64| {
        let first = number * size + 1;
        let places: Vec<u64> = (first..first + entries).map(|entry| entry * step).collect();
        chunk((of, number), Totals::default(), &places, generation)
    };
    let full = [row(1, 0, size, 10), row(1, 1, size, 10), row(3, 0, size, 7)];
    let last = [row(1, 2, 5, 10), row(2, 0, 3, 15)];
    let player_of = |of, entries| PlayerState {
        entries,
        rounds: 1,
        ..new_player(of)
    };
    let players = [
        player_of(1, 2 * size + 5),
        player_of(2, 3),
        player_of(3, size),
        new_player(4),
    ];
    let with_rows = [
        (&players[0], Some(&last[0])),
        (&players[1], Some(&last[1])),
        (&players[2], Some(&row(3, 1, 0, 7))),
        (&players[3], None),
    ];
    tx.save_players_with_last_rows(pool, None, &with_rows)
        .await
        .unwrap();
    tx.save_chunks(pool, &full).await.unwrap();
    let all: Vec<Entry> = full
        .into_iter()
        .chain(last)
        .flat_map(|row| row.entries)
        .collect();
    let ids = [1, 2, 3, 4, 5].map(player);
    for place in (0..500).step_by(3) {
        let around = tx.entries_around(pool, &ids, place).await.unwrap();
        for id in ids {
            let last = |entries: &[Entry]| {
                let its = entries.iter().filter(|entry| entry.player == id);
                let its = its.filter(|entry| entry.position <= place);
                its.max_by_key(|entry| entry.position).copied()
            };
            assert_eq!(last(&around), last(&all), "{id:?} up to {place}");
        }
    }
}
