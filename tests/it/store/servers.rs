use rbs::domain::{Fingerprint, PluginVersion, Timestamp};
use rbs::store::Greeting;

use super::{begin_in_two, insert, name, round_of};
use crate::support::Database;

on_both_engines!(
    of_each_server_the_last_greeting_is_kept,
    the_servers_of_a_pool_are_those_that_have_rounds_in_it,
    servers_that_are_old_or_too_many_are_found_and_forgotten,
    the_last_table_of_each_server_is_kept,
);

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second).unwrap()
}

fn greeting(server: &str, second: i64, plugin: Option<PluginVersion>) -> Greeting {
    Greeting {
        server: name(server),
        plugin,
        secret: Fingerprint::new([0, 1, 0xab, 0xff]),
        at: at(second),
    }
}

async fn of_each_server_the_last_greeting_is_kept(database: &Database) {
    let store = database.store().await;
    let mut tx = store.begin().await.unwrap();
    assert_eq!(tx.greetings().await.unwrap(), []);
    let version = Some(PluginVersion::new(1, 20, 300));
    let (first, second) = (greeting("b", 5, version), greeting("b", 6, None));
    let other = greeting("B", 1, version);
    for written in [&first, &second, &other, &first] {
        tx.save_greeting(written).await.unwrap();
    }
    assert_eq!(tx.greetings().await.unwrap(), [other, second]);
}

async fn the_servers_of_a_pool_are_those_that_have_rounds_in_it(database: &Database) {
    let (_store, [one, other], mut tx) = begin_in_two(database).await;
    // An order that some locales have, and others not.
    let servers = ["b-1", "a_2", "B-1", "b.1", "b-1", "A"];
    for (position, server) in (1..).zip(servers) {
        let mut round = round_of(server, position, position);
        round.logged.voided_at = (server == "A").then_some(100);
        insert(&mut tx, one, &[round]).await;
    }
    let last = tx.last_rounds(one).await.unwrap();
    let mut found: Vec<&str> = last.iter().map(|(server, _)| server.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["A", "B-1", "a_2", "b-1", "b.1"]);
    assert!(last.iter().all(|(_, at)| *at == Timestamp::UNIX_EPOCH));
    assert_eq!(tx.last_rounds(other).await.unwrap(), []);
}

async fn servers_that_are_old_or_too_many_are_found_and_forgotten(database: &Database) {
    let store = database.store().await;
    let mut tx = store.begin().await.unwrap();
    for (server, hello, table) in [
        ("a", Some(5), None),
        ("b", Some(1), Some(9)),
        ("c", None, Some(3)),
        ("d", Some(7), Some(2)),
    ] {
        if let Some(second) = hello {
            tx.save_greeting(&greeting(server, second, None))
                .await
                .unwrap();
        }
        if let Some(second) = table {
            let (server, content) = (name(server), "{}");
            tx.save_split_table(&server, at(second), content)
                .await
                .unwrap();
            tx.keep_split_table(&server, at(second), content)
                .await
                .unwrap();
        }
    }
    for (cutoff, most, expected) in [
        (0, 4, vec![]),
        (0, 2, vec!["a", "c"]),
        (6, 4, vec!["a", "c"]),
        (5, 4, vec!["c"]),
        (10, 0, vec!["b", "d", "a", "c"]),
    ] {
        let found = tx.old_servers(at(cutoff), most).await.unwrap();
        let found: Vec<&str> = found.iter().map(rbs::domain::ServerName::as_str).collect();
        assert_eq!(found, expected, "before {cutoff} or beyond {most}");
    }
    tx.forget_server(&name("b")).await.unwrap();
    let left = tx.greetings().await.unwrap();
    let left: Vec<&str> = left.iter().map(|one| one.server.as_str()).collect();
    assert_eq!(left, ["a", "d"]);
    assert_eq!(tx.split_table(&name("b")).await.unwrap(), None);
    let ever = (at(0), at(99));
    let past = async |tx: &mut rbs::store::Tx, server: &str| {
        tx.past_split_table(&name(server), ever)
            .await
            .unwrap()
            .is_some()
    };
    assert!(!past(&mut tx, "b").await && past(&mut tx, "c").await && past(&mut tx, "d").await);
    tx.delete_past_split_tables(2).await.unwrap();
    assert!(past(&mut tx, "c").await && past(&mut tx, "d").await);
    tx.delete_past_split_tables(0).await.unwrap();
    assert!(past(&mut tx, "c").await, "the latest is left");
    assert!(!past(&mut tx, "d").await);
}

async fn the_last_table_of_each_server_is_kept(database: &Database) {
    let store = database.store().await;
    let mut tx = store.begin().await.unwrap();
    assert_eq!(tx.split_table(&name("arena-1")).await.unwrap(), None);
    for (server, second, content) in [
        ("arena-1", 5, "{\"map\": \"竞技场 🏟️\"}"),
        ("arena-2", 4, ""),
        ("arena-1", 6, "{\"difference\": 0.1}"),
    ] {
        tx.save_split_table(&name(server), at(second), content)
            .await
            .unwrap();
        let kept = tx.split_table(&name(server)).await.unwrap();
        assert_eq!(kept.as_deref(), Some(content));
    }
    // An older table that is written after a newer one.
    tx.save_split_table(&name("arena-1"), at(5), "late")
        .await
        .unwrap();
    let kept = tx.split_table(&name("arena-1")).await.unwrap();
    assert_eq!(kept.as_deref(), Some("{\"difference\": 0.1}"));
    let other = tx.split_table(&name("arena-2")).await.unwrap();
    assert_eq!(other.as_deref(), Some(""));
    assert_eq!(tx.split_table(&name("Arena-1")).await.unwrap(), None);
}
