//! The connection to PostgreSQL breaks within a transaction: in a query, in a result, or between a commit and its
//! confirmation.

use super::longest;
use super::proxy::{Cut, Proxy, Way};
use super::site::{Site, plainly};
use crate::support::{Dice, Engine, run_bare_within};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_cut_in_mid_transaction_loses_nothing() {
    run_bare_within(longest(), Engine::Postgres, async |database| {
        let proxy = Proxy::start(&database.url_text()).await;
        let site = Site::open(proxy.url(), 1, plainly);
        let cut = async |_: &mut Site, dice: &mut Dice| {
            let way = [Way::ToServer, Way::ToClient][dice.below(2)];
            proxy.cut(Cut::Within(way, 1 + dice.below(20_000))).await;
        };
        let verdict = site.withstand("connection cut anywhere", 4, cut).await;
        assert!(verdict.failures > 0, "nobody noticed: {verdict:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_cut_behind_a_commit_loses_nothing() {
    run_bare_within(longest(), Engine::Postgres, async |database| {
        let proxy = Proxy::start(&database.url_text()).await;
        let site = Site::open(proxy.url(), 1, plainly);
        let cut = async |_: &mut Site, dice: &mut Dice| {
            proxy.cut(Cut::Committed(dice.below(10))).await;
        };
        let name = "connection cut between a commit and its answer";
        let verdict = site.withstand(name, 5, cut).await;
        assert!(
            verdict.answers_lost > 0,
            "no answer to a commit was lost: {verdict:?}"
        );
    })
    .await;
}
