use std::time::Duration;

use rbs::domain::{Probability, Side, Winner};
use rbs::store::{
    BrokenRule, Intervention, InterventionFilter, NewIntervention, PlayerMove, PoolId, Store,
    StoreError, TeamsRecord,
};

use super::{AWKWARD, begin_in_two, insert, moment, name, player, pool, round, unknown_pool};
use crate::support::Database;

on_both_engines!(
    an_intervention_reads_back_to_the_last_bit,
    only_the_oldest_are_forgotten_a_few_at_a_time,
    how_rounds_ended_is_found_by_their_places,
);

const HOUR: Duration = Duration::from_hours(1);

fn intervention(pool: PoolId, server: &str, micros: i64) -> NewIntervention {
    NewIntervention {
        pool,
        server: name(server),
        asked_at: moment(micros),
        policy: "ns2".to_owned(),
        reasons: vec![
            BrokenRule {
                rule: "win_probability".to_owned(),
                value: Some(AWKWARD[0]),
                limit: Some(AWKWARD[1]),
                detail: "Übung 🏟️ 'x' \"y\" \\ %s $1".to_owned(),
            },
            BrokenRule {
                rule: "bots".to_owned(),
                value: None,
                limit: None,
                detail: String::new(),
            },
        ],
        moves: vec![PlayerMove {
            id: player(1),
            from: Side::A,
            to: Side::B,
            with: Some(player(4_294_967_295)),
        }],
        before: TeamsRecord {
            size_a: 64,
            size_b: 0,
            bots_a: u32::MAX,
            bots_b: 1,
            sum_a: AWKWARD[2],
            sum_b: AWKWARD[3],
            win_probability_a: Probability::new(AWKWARD[5]).expect("a probability"),
        },
        after: TeamsRecord {
            size_a: 0,
            size_b: 64,
            bots_a: 2,
            bots_b: 3,
            sum_a: AWKWARD[4],
            sum_b: AWKWARD[6],
            win_probability_a: Probability::new(1.0).expect("a probability"),
        },
        balanced_after: false,
    }
}

async fn list(store: &Store, pool: PoolId) -> Vec<Intervention> {
    let filter = InterventionFilter {
        server: None,
        from: moment(-1_000_000),
    };
    let mut tx = store.begin_read().await.unwrap();
    tx.list_interventions(pool, &filter, None, HOUR, 1000)
        .await
        .unwrap()
}

async fn an_intervention_reads_back_to_the_last_bit(database: &Database) {
    let store = database.store().await;
    let default = pool(&store, "default").await;
    let noted = intervention(default, "arena-1", 17);
    let mut tx = store.begin().await.unwrap();
    tx.record_intervention(&noted, moment(0)).await.unwrap();
    // An entry from a slow clock counts, and moves no time back.
    let again = NewIntervention {
        asked_at: moment(16),
        ..noted.clone()
    };
    tx.record_intervention(&again, moment(0)).await.unwrap();
    tx.commit().await.unwrap();
    let expected = Intervention {
        id: 1,
        answered: noted,
        last_asked_at: moment(17),
        asked: 2,
        round: None,
    };
    assert_eq!(list(&store, default).await, [expected]);

    let nowhere = intervention(unknown_pool().await, "arena-1", 0);
    let mut tx = store.begin().await.unwrap();
    let refused = tx.record_intervention(&nowhere, moment(0)).await;
    let is_refused = matches!(refused, Err(StoreError::Refused(_)));
    assert!(is_refused, "{refused:?}");
}

async fn only_the_oldest_are_forgotten_a_few_at_a_time(database: &Database) {
    let (store, [one, other], mut tx) = begin_in_two(database).await;
    for second in 0..6_i64 {
        let pool = [one, other][usize::try_from(second % 2).unwrap()];
        let noted = intervention(pool, &format!("arena-{second}"), second);
        tx.record_intervention(&noted, noted.asked_at)
            .await
            .unwrap();
    }
    let again = intervention(one, "arena-0", 9);
    tx.record_intervention(&again, moment(0)).await.unwrap();
    tx.commit().await.unwrap();
    let left = async || {
        let mut found = list(&store, one).await;
        found.extend(list(&store, other).await);
        let mut times: Vec<i64> = found
            .iter()
            .map(|one| one.answered.asked_at.unix_micros())
            .collect();
        times.sort_unstable();
        times
    };
    for (beyond, at_most, expected) in [
        (9, 3, vec![0, 3, 4, 5]),
        (9, 1, vec![0, 3, 4, 5]),
        (9, 9, vec![0, 4, 5]),
        (1, 9, vec![5]),
    ] {
        let mut tx = store.begin().await.unwrap();
        tx.forget_interventions(moment(4), beyond, at_most)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(left().await, expected);
    }
}

async fn how_rounds_ended_is_found_by_their_places(database: &Database) {
    let store = database.store().await;
    let default = pool(&store, "default").await;
    let empty = pool(&store, "empty").await;
    let mut tx = store.begin().await.unwrap();
    insert(&mut tx, default, &[round(1), round(2)]).await;
    assert_eq!(tx.round_ends(default, &[]).await.unwrap(), []);
    assert_eq!(tx.round_ends(empty, &[1, 2]).await.unwrap(), []);
    let found = tx.round_ends(default, &[2, 3]).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].position, 2);
    assert_eq!(found[0].round_id, name("round-2"));
    assert_eq!(found[0].ended_at, moment(0));
    assert_eq!(found[0].winner, Winner::Draw);
    assert_eq!(found[0].win_probability, Probability::HALF);
}
