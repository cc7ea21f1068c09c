use rbs::domain::{Fingerprint, PluginVersion, Timestamp};
use rbs::store::Greeting;

use super::{insert_rounds, name, pool, round_of};
use crate::support::Database;

on_both_engines!(
    of_each_server_the_last_greeting_is_kept,
    the_servers_of_a_pool_are_those_that_have_rounds_in_it,
);

fn greeting(server: &str, second: i64, plugin: Option<PluginVersion>) -> Greeting {
    Greeting {
        server: name(server),
        plugin,
        secret: Fingerprint::new([0, 1, 0xab, 0xff]),
        at: Timestamp::from_unix_seconds(second).unwrap(),
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
    drop(tx);
    store.close().await;
}

async fn the_servers_of_a_pool_are_those_that_have_rounds_in_it(database: &Database) {
    let store = database.store().await;
    let (one, other) = (pool(&store, "one").await, pool(&store, "other").await);
    let mut tx = store.begin().await.unwrap();
    // In an order that some locales have, and others not.
    let servers = ["b-1", "a_2", "B-1", "b.1", "b-1", "A"];
    for (position, server) in (1..).zip(servers) {
        let mut round = round_of(server, position, position);
        round.logged.voided_at = (server == "A").then_some(100);
        insert_rounds(&mut tx, one, &[round]).await.unwrap();
    }
    let last = tx.last_rounds(one).await.unwrap();
    let mut found: Vec<&str> = last.iter().map(|(server, _)| server.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["A", "B-1", "a_2", "b-1", "b.1"]);
    assert!(last.iter().all(|(_, at)| *at == Timestamp::UNIX_EPOCH));
    assert_eq!(tx.last_rounds(other).await.unwrap(), []);
    drop(tx);
    store.close().await;
}
