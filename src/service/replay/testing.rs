//! Service for tests of items that are private to `service`.

use std::path::Path;

use serde_json::{from_value, json};

use crate::clock::Clock;
use crate::config::{Flags, Settings};
use crate::domain::{PlayerId, Report, RoundParts};
use crate::service::Service;
use crate::store::Store;

/// Opens a service whose database is in `folder`.
pub(crate) async fn open(folder: &Path) -> Service {
    let config = folder.join("rbs.toml");
    std::fs::write(&config, "").unwrap();
    let flags = Flags {
        config: Some(config),
        database_url: Some(format!("sqlite://{}/rbs.db", folder.display())),
        bind: None,
    };
    let secret =
        |name: &str| (name == "RBS_SECRET").then(|| "a-secret-of-32-characters-or-more".into());
    let settings = Settings::load(&flags, secret).unwrap();
    let store = Store::connect(&settings.database).await.unwrap();
    store.migrate().await.unwrap();
    let opened = Service::open(store, Clock::System, &settings.pools, &settings.servers);
    opened.await.unwrap()
}

pub(crate) fn player(account: u64) -> PlayerId {
    format!("[U:1:{account}]").parse().unwrap()
}

/// Records a round that the first of two players wins.
pub(crate) async fn record(service: &Service, name: &str, players: [u64; 2]) {
    let seat = |account| json!({"id": player(account), "seconds": 60});
    let round: RoundParts = from_value(json!({
        "server": "tf2-1", "round_id": name, "winner": "a", "round_seconds": 60,
        "team_a": [seat(players[0])], "team_b": [seat(players[1])],
    }))
    .unwrap();
    let pool = service.pool(None, None).unwrap();
    let report = Report::try_from(round).unwrap();
    service.record_round(pool, report).await.unwrap();
}
