use rbs::domain::{Fingerprint, Probability, Report, RoundParts};
use rbs::rating::{FavouriteTotals, PlayerResult, PredictionTotals, RoundResult, Totals};
use rbs::store::{LoggedRound, RecordedRound, SettingsId};
use serde_json::json;

use super::{
    AWKWARD, active, assert_duplicate, begin, begin_in_two, chunk, insert, insert_rounds, moment,
    name, named, player, points, pool, round, round_of,
};
use super::{reset, unknown_pool};
use crate::support::Database;

on_both_engines!(
    rounds_read_back_to_the_last_bit,
    a_scoreboard_stands_apart_from_its_report_and_goes_with_its_round,
    rounds_are_found_by_server_and_id_whatever_their_pool,
    a_round_is_counted_once_in_all_pools_together,
    pages_of_the_log_follow_its_order_and_end_at_their_limit,
    the_sums_at_a_round_are_found_by_its_number,
    a_players_latest_rounds_come_first,
);

/// Rounds with extreme values in every field.
fn awkward_rounds() -> Vec<RecordedRound> {
    let most = i64::MAX.unsigned_abs();
    let crowd =
        |from: u64| -> Vec<String> { (from..from + 64).map(|id| format!("[U:1:{id}]")).collect() };
    let texts = [
        json!({
            "round_id": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "server": "A.b_c-1",
            "map": "Übungsgelände 竞技场 🏟️ 'x' \"y\" \\ %s $1",
            "ended_at": "9999-12-31T23:59:59.999999Z", "pool": "arena", "winner": "a",
            "mode": "'Übung' \"1\"", "mutators": ["%s", "🏟️"],
            "team_a": [{"id": "[U:1:1]", "participated": false}, "[U:1:4294967295]"],
            "team_b": [{"id": "[U:1:1]", "at_start": false}, "[U:1:2]"],
        }),
        json!({
            "round_id": "x", "server": "s", "winner": "draw",
            "team_a": crowd(1), "team_b": crowd(100),
        }),
        json!({
            "round_id": "y", "server": "s", "winner": "b", "ended_at": "0001-01-01T00:00:00Z",
            "team_a": [{"id": "[U:1:1]", "participated": false}],
            "team_b": [{"id": "[U:1:2]", "participated": false, "stats": {
                "score": -0.300_000_000_000_000_04, "kills": 1_000_000, "deaths": 0,
                "x": 1e9, "y": 5e-324, "z": -999_999_999.999_999_9}}],
        }),
    ];
    let places = [1, 1 << 53, most];
    let moments = [253_402_300_799_999_999, -1, -62_135_596_800_000_000];
    let mut rounds = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let parts: RoundParts = serde_json::from_value(text).expect("a round");
        let pool = parts.pool.clone().unwrap_or_default();
        let report = Report::try_from(parts).expect("a round");
        let round = report.settled(moment(moments[index]), pool);
        let rated = round.entries().filter(|(_, entry)| entry.participated);
        let rated = rated.count();
        let result = |which: usize| PlayerResult {
            before: points(0),
            after: points(1_000_000),
            k: 72.0 * AWKWARD[which % AWKWARD.len()],
            rounds: u32::MAX,
            visible: which.is_multiple_of(2),
        };
        let logged = LoggedRound {
            position: places[index],
            reported: round.parts().winner,
            round,
            received_at: moment(moments[2 - index]),
            secret: [
                None,
                Some(Fingerprint::new([0xff; 4])),
                Some(Fingerprint::new([0; 4])),
            ][index],
            settings: SettingsId::FIRST,
            voided_at: [None, Some(most), Some(0)][index],
        };
        let result = RoundResult {
            position: places[index],
            players: (0..rated).map(result).collect(),
            win_probability: Probability::new(AWKWARD[2 * index]).expect("a probability"),
            theta: 401.5 + AWKWARD[index],
            predictions: PredictionTotals {
                rounds: places[2 - index],
                draws: most,
                brier: 1e6 * AWKWARD[index],
                log_loss: AWKWARD[6 - index],
                right_halves: most - 1,
                score_halves: most - 2,
                favourites: FavouriteTotals {
                    rounds: most - 3,
                    predicted: AWKWARD[2 * index + 1 - index % 2],
                    score_halves: (1 << 53) + 1,
                    brier: AWKWARD[4 - index],
                },
            },
        };
        rounds.push(RecordedRound { logged, result });
    }
    rounds
}

async fn rounds_read_back_to_the_last_bit(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let rounds = awkward_rounds();
    let mut tx = store.begin().await.unwrap();
    insert(&mut tx, pool, &rounds).await;
    tx.commit().await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    let logged: Vec<_> = rounds.iter().map(|round| round.logged.clone()).collect();
    assert_eq!(tx.rounds_after(pool, 0, 10).await.unwrap(), logged);
    let read = tx.results_after(pool, 0, 10).await.unwrap();
    for (read, written) in read.iter().zip(&rounds) {
        let bits = |result: &RoundResult| {
            let mut floats = vec![
                result.win_probability.get(),
                result.theta,
                result.predictions.brier,
                result.predictions.log_loss,
                result.predictions.favourites.predicted,
                result.predictions.favourites.brier,
            ];
            floats.extend(result.players.iter().map(|player| player.k));
            floats.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(read, &written.result);
        assert_eq!(bits(read), bits(&written.result));
        let found = tx.rounds(&[named(written)]).await.unwrap();
        assert_eq!(found, std::slice::from_ref(written));
    }
}

/// The previous version still reads the reports, and may prune.
async fn a_scoreboard_stands_apart_from_its_report_and_goes_with_its_round(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    insert(&mut tx, pool, &awkward_rounds()).await;
    tx.commit().await.unwrap();
    let known = "select count(*) from rounds where report like '%\"mode\"%'
                 or report like '%\"mutators\"%' or report like '%\"stats\"%'";
    assert_eq!(database.count(known).await, 0);
    let scoreboards = "select count(*) from scoreboards";
    assert_eq!(database.count(scoreboards).await, 2, "one round has none");
    database
        .execute("delete from rounds where position = 1")
        .await;
    assert_eq!(database.count(scoreboards).await, 1);
}

async fn rounds_are_found_by_server_and_id_whatever_their_pool(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    let of_one = [round_of("one", 1, 1), round_of("one", 2, 2)];
    insert(&mut tx, here, &of_one).await;
    insert(&mut tx, there, &[round_of("two", 1, 1)]).await;
    let wanted = [
        (name("two"), name("round-2")),
        (name("two"), name("round-1")),
        (name("ONE"), name("round-1")),
        (name("one"), name("round-2")),
    ];
    let rounds = tx.rounds(&wanted).await.unwrap();
    let mut found: Vec<_> = rounds.iter().map(named).collect();
    found.sort_unstable();
    assert_eq!(found, [wanted[3].clone(), wanted[1].clone()]);
}

async fn a_round_is_counted_once_in_all_pools_together(database: &Database) {
    let (store, [here, there], mut tx) = begin_in_two(database).await;
    insert(&mut tx, here, &[round(1)]).await;
    tx.commit().await.unwrap();
    for (pool, again, what) in [
        (there, vec![round(1)], "the same round in another pool"),
        (
            here,
            vec![round_of("other", 1, 9)],
            "a place in the log that is taken",
        ),
        (here, vec![round(5), round(5)], "a round twice in one list"),
    ] {
        let mut tx = store.begin().await.unwrap();
        assert_duplicate(&insert_rounds(&mut tx, pool, &again).await, what);
        drop(tx);
        let mut tx = store.begin_read().await.unwrap();
        let left = tx.rounds_after(here, 0, 10).await.unwrap();
        assert_eq!(left, [round(1).logged]);
        assert!(tx.rounds_after(there, 0, 10).await.unwrap().is_empty());
    }
}

async fn pages_of_the_log_follow_its_order_and_end_at_their_limit(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    // Written out of order, with gaps for changes.
    for (position, number) in [(5, 3), (1, 1), (9, 4), (2, 2), (10, 5)] {
        insert(&mut tx, here, &[round_of("here", position, number)]).await;
    }
    for position in [8, 3, 7] {
        tx.insert_change(here, &reset(position, &format!("change-{position}")))
            .await
            .unwrap();
    }
    insert(&mut tx, there, &[round_of("there", 4, 1)]).await;
    for (after, limit, expected) in [
        (0, 10, vec![1, 2, 5, 9, 10]),
        (0, 2, vec![1, 2]),
        (1, 2, vec![2, 5]),
        (5, 1, vec![9]),
        (10, 5, vec![]),
        (0, 0, vec![]),
        (i64::MAX.unsigned_abs(), u32::MAX, vec![]),
    ] {
        let page = tx.rounds_after(here, after, limit).await.unwrap();
        let places: Vec<u64> = page.iter().map(|round| round.position).collect();
        assert_eq!(places, expected, "{limit} rounds after {after}");
    }
    for (after, limit, expected) in [
        (0, 10, vec![3, 7, 8]),
        (3, 1, vec![7]),
        (8, 9, vec![]),
        (0, 0, vec![]),
    ] {
        let page = tx.changes_after(here, after, limit).await.unwrap();
        let places: Vec<u64> = page.iter().map(|change| change.position).collect();
        assert_eq!(places, expected, "{limit} changes after {after}");
    }
    let nowhere = unknown_pool().await;
    assert!(tx.rounds_after(nowhere, 0, 10).await.unwrap().is_empty());
    assert!(tx.changes_after(nowhere, 0, 10).await.unwrap().is_empty());
}

async fn the_sums_at_a_round_are_found_by_its_number(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    let rounds = awkward_rounds();
    insert(&mut tx, here, &rounds).await;
    for round in &rounds {
        let number = round.result.predictions.rounds;
        let sums = tx.predictions_at(here, number).await.unwrap();
        assert_eq!(sums, Some(round.result.predictions));
    }
    assert_eq!(tx.predictions_at(here, 0).await.unwrap(), None);
    assert_eq!(tx.predictions_at(here, 2).await.unwrap(), None);
    assert_eq!(tx.predictions_at(there, 1).await.unwrap(), None);
}

async fn a_players_latest_rounds_come_first(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    let rounds: Vec<RecordedRound> = (1..=12).map(round).collect();
    insert(&mut tx, here, &rounds).await;
    insert(&mut tx, there, &[round_of("there", 3, 1)]).await;
    let generation = active(&mut tx, here).await.unwrap();
    let row = |of, positions: &[u64]| chunk((of, 0), Totals::default(), positions, generation);
    let every: Vec<u64> = (1..=12).collect();
    tx.save_chunks(here, &[row(1, &every), row(2, &[3, 6, 9, 12])])
        .await
        .unwrap();
    tx.save_chunks(there, &[row(2, &[1, 2, 3])]).await.unwrap();
    let entries = [0, 12, 4, 0];
    for (who, limit, expected) in [
        (1, 3, vec![12, 11, 10]),
        (2, 10, vec![12, 9, 6, 3]),
        (2, 1, vec![12]),
        (2, 0, vec![]),
        (3, 10, vec![]),
    ] {
        let played = (player(who), entries[usize::try_from(who).unwrap()]);
        let latest = tx.latest_rounds(here, played, limit).await.unwrap();
        let places: Vec<u64> = latest.iter().map(|round| round.logged.position).collect();
        assert_eq!(places, expected, "player {who}, {limit}");
    }
}
