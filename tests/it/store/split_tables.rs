use rbs::domain::Timestamp;

use super::name;
use crate::support::Database;

on_both_engines!(the_last_table_of_each_server_is_kept);

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second).unwrap()
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
    drop(tx);
    store.close().await;
}
