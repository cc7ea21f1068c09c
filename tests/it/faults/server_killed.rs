//! PostgreSQL is killed and restarted while the service runs.

use super::cluster::Cluster;
use super::longest;
use super::site::{Site, plainly};
use crate::support::Need;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_postgresql_loses_nothing_and_is_found_again() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let cluster = Cluster::start();
    let site = Site::open(&cluster.url(), 1, plainly);
    let kill = async |_: &mut Site, _: &mut _| {
        cluster.crash();
        cluster.start_server();
    };
    let withstanding = site.withstand("PostgreSQL killed", 3, kill);
    let verdict = tokio::time::timeout(longest(), withstanding).await;
    let verdict = verdict.expect("the test ends");
    assert!(verdict.failures > 0, "nobody noticed: {verdict:?}");
}
