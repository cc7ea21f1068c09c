use std::collections::BTreeMap;

use rbs::domain::Rating;
use rbs::rating::{ModelState, PlayerState, RatingCount};
use rbs::store::{Generation, PlayerCounts, Ranked};

use super::{
    EXTREME, begin, begin_in_two, moment, new_player, player, points, pool, save, unknown_pool,
};
use crate::support::Database;

on_both_engines!(
    players_read_back_with_every_field_at_its_ends,
    players_are_found_once_and_only_in_their_pool,
    players_of_another_generation_are_read_once_it_is_activated,
    players_are_counted_by_rounds_and_by_days,
    ratings_are_counted_in_ascending_order,
    lists_have_what_the_rows_have,
);

/// First and last representable moment, in microseconds.
const FIRST: i64 = -62_135_596_800_000_000;
const LAST: i64 = 253_402_300_799_999_999;

async fn players_read_back_with_every_field_at_its_ends(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let saved = [
        PlayerState {
            rating: Rating::MAX,
            rounds: u32::MAX,
            entries: i64::MAX.unsigned_abs(),
            last_played: Some(moment(LAST)),
            totals: EXTREME[0],
            model_state: ModelState::from_bytes((0..=255).collect()),
            ..new_player(u64::from(u32::MAX))
        },
        PlayerState {
            rating: points(0),
            last_played: Some(moment(FIRST)),
            totals: EXTREME[1],
            ..new_player(1)
        },
        PlayerState {
            last_played: Some(moment(-1)),
            totals: EXTREME[2],
            ..new_player(2)
        },
        new_player(3),
    ];
    let mut tx = store.begin().await.unwrap();
    save(&mut tx, pool, &saved).await;
    tx.commit().await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    for player in &saved {
        assert_eq!(
            tx.player(pool, player.id).await.unwrap().as_ref(),
            Some(player)
        );
    }
}

async fn players_are_found_once_and_only_in_their_pool(database: &Database) {
    let (_store, [here, there], mut tx) = begin_in_two(database).await;
    let in_both = PlayerState {
        rating: points(2000),
        ..new_player(1)
    };
    save(&mut tx, here, &[new_player(1), new_player(2)]).await;
    save(&mut tx, there, &[in_both.clone(), new_player(3)]).await;
    let wanted = [player(3), player(1), player(9), player(1), player(2)];
    let found: Vec<PlayerState> = tx.players(here, &wanted).await.unwrap();
    let by_id: BTreeMap<_, _> = found
        .iter()
        .map(|player| (player.id, player.rating))
        .collect();
    assert_eq!(found.len(), 2, "each player once: {found:?}");
    assert_eq!(by_id[&player(1)], points(1000));
    assert!(by_id.contains_key(&player(2)));
    assert_eq!(tx.player(there, player(1)).await.unwrap(), Some(in_both));
    assert_eq!(tx.player(there, player(2)).await.unwrap(), None);
    let nowhere = unknown_pool().await;
    assert!(tx.players(nowhere, &wanted).await.unwrap().is_empty());
}

async fn players_of_another_generation_are_read_once_it_is_activated(database: &Database) {
    let (store, [here, there], mut tx) = begin_in_two(database).await;
    let later = Generation::default().next();
    let rated = |number, rating| PlayerState {
        rating: points(rating),
        last_played: Some(moment(0)),
        ..new_player(number)
    };
    let ids = [player(1), player(2), player(3)];
    let now = [rated(1, 10), rated(2, 20), rated(3, 30)];
    save(&mut tx, here, &now).await;
    save(&mut tx, there, &[rated(1, 1)]).await;
    tx.commit().await.unwrap();

    let mut tx = store.begin_deferred().await.unwrap();
    tx.save_players(here, Some(later), &[rated(2, 22)])
        .await
        .unwrap();
    let mut last = None;
    let mut copied = Vec::new();
    loop {
        last = tx.copy_players(here, later, last, 2).await.unwrap();
        let Some(last) = last else { break };
        copied.push(last);
    }
    assert_eq!(copied, [player(2), player(3)], "two at a time");
    tx.delete_players(here, Some(later), &[player(3)])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await.unwrap();
    let mut found = tx.players(here, &ids).await.unwrap();
    found.sort_by_key(|player| player.id);
    assert_eq!(found, now, "the other generation is not read yet");

    tx.activate_players(here, later).await.unwrap();
    let expected = [rated(1, 10), rated(2, 22)];
    let all = tx.players_after(here, None, 9).await.unwrap();
    assert_eq!(all, expected, "players already there stay as written");
    let counted = tx.count_players(here, 0, moment(0)).await.unwrap();
    assert_eq!(counted.total, 2);
    let ranked = Ranked {
        shadow_rounds: 0,
        stale_before: moment(FIRST),
    };
    let ranks = tx.ranked_ratings(here, ranked).await.unwrap();
    assert_eq!(ranks, [(points(22), 1), (points(10), 1)]);
    tx.save_players(here, Some(later.next()), &[rated(1, 11)])
        .await
        .unwrap();
    for expected in [2, 1, 0] {
        let cleared = tx.clear_players(here, false, 2).await.unwrap();
        assert_eq!(cleared, expected, "the later ones may be written by others");
    }
    assert_eq!(tx.clear_players(here, true, 9).await.unwrap(), 1);
    assert_eq!(tx.players_after(here, None, 9).await.unwrap(), expected);
    assert_eq!(tx.players(there, &ids).await.unwrap(), [rated(1, 1)]);
}

async fn players_are_counted_by_rounds_and_by_days(database: &Database) {
    let (_store, [counted, other], mut tx) = begin_in_two(database).await;
    let at = |number, rounds, last_played: Option<i64>| PlayerState {
        rounds,
        last_played: last_played.map(moment),
        ..new_player(number)
    };
    let nobody = PlayerCounts {
        total: 0,
        hidden: 0,
        stale: 0,
    };
    let count = tx.count_players(counted, 50, moment(1000)).await.unwrap();
    assert_eq!(count, nobody);
    let players = [
        at(1, 0, None),
        at(2, 49, Some(999)),
        at(3, 50, Some(1000)),
        at(4, 51, Some(-5)),
    ];
    save(&mut tx, counted, &players).await;
    save(&mut tx, other, &[at(5, 0, Some(0))]).await;
    let count = tx.count_players(counted, 50, moment(1000)).await.unwrap();
    let some = PlayerCounts {
        total: 4,
        hidden: 2,
        // A player who has never played is not stale.
        stale: 2,
    };
    assert_eq!(count, some);
    let shown_at_once = tx.count_players(counted, 0, moment(FIRST)).await.unwrap();
    assert_eq!((shown_at_once.hidden, shown_at_once.stale), (0, 0));
    let all_hidden = tx
        .count_players(counted, u32::MAX, moment(LAST))
        .await
        .unwrap();
    assert_eq!((all_hidden.hidden, all_hidden.stale), (4, 3));
    let nowhere = unknown_pool().await;
    assert_eq!(
        tx.count_players(nowhere, 50, moment(0)).await.unwrap(),
        nobody
    );
}

async fn ratings_are_counted_in_ascending_order(database: &Database) {
    let (_store, [counted, other], mut tx) = begin_in_two(database).await;
    assert!(tx.rating_counts(counted, 50).await.unwrap().is_empty());
    let ratings = [900, 1_000_000, 0, 1100, 900, 10_000, 900];
    let players: Vec<PlayerState> = ratings
        .iter()
        .zip(1..)
        .map(|(rating, number)| PlayerState {
            rating: points(*rating),
            rounds: 48 + u32::try_from(number).expect("small"),
            ..new_player(number)
        })
        .collect();
    save(&mut tx, counted, &players).await;
    save(&mut tx, other, &[new_player(1)]).await;
    let counts = tx.rating_counts(counted, 50).await.unwrap();
    let expected = [
        (0, 1, 0),
        (900, 3, 1),
        (1100, 1, 0),
        (10_000, 1, 0),
        (1_000_000, 1, 0),
    ]
    .map(|(rating, players, hidden)| RatingCount {
        rating: points(rating),
        players,
        hidden,
    });
    assert_eq!(counts, expected);
}

async fn lists_have_what_the_rows_have(database: &Database) {
    let (store, pool, mut tx) = begin(database).await;
    let saved = [
        PlayerState {
            entries: 2,
            rounds: 2,
            last_played: Some(moment(FIRST)),
            totals: EXTREME[1],
            ..new_player(1)
        },
        PlayerState {
            rating: Rating::MAX,
            rounds: u32::MAX,
            entries: 17,
            last_played: Some(moment(LAST)),
            totals: EXTREME[0],
            ..new_player(2)
        },
        new_player(u64::from(u32::MAX)),
    ];
    save(&mut tx, pool, &saved).await;
    tx.commit().await.unwrap();

    let mut tx = store.begin_read().await.unwrap();
    let listed = tx.listed_players_after(pool, None, 10).await.unwrap();
    assert_eq!(listed.len(), saved.len());
    for (listed, player) in listed.iter().zip(&saved) {
        let is = (listed.id, listed.rating, listed.rounds, listed.entries);
        let expected = (player.id, player.rating, player.rounds, player.entries);
        assert_eq!(is, expected);
        assert_eq!(listed.last_played, player.last_played);
        let sums = (listed.expected_wins, listed.wins);
        assert_eq!(sums, (player.totals.expected_wins(), player.totals.wins()));
    }

    let last = Some(listed[0].id);
    let next = tx.listed_players_after(pool, last, 1).await.unwrap();
    assert_eq!(next, listed[1..2]);
    let last = Some(listed[2].id);
    assert_eq!(tx.listed_players_after(pool, last, 1).await.unwrap(), []);
}
