//! Test harness: a service on either database for each test, removed afterwards.

mod answer;
mod app;
mod compare;
mod database;
#[macro_use]
mod engines;
mod needs;
pub mod qr;
mod replay;

pub use answer::{answered, fields, refused, refused_saying, send, send_for_headers};
pub use app::{
    ADMIN_SECRET, App, Instance, LIMITS, SECRET, loaded, parts, parts_that_read, settings,
    settings_from, settings_with_secrets,
};
pub use compare::{Compared, assert_same_in_both};
pub use database::{Database, Engine};
pub use engines::{run_bare, run_bare_within, run_on};
pub use needs::{Need, name_what_is_left_out};
pub use sourcemod_bed::dice::Dice;

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;
use std::time::Duration;

use tokio::time::error::Elapsed;

/// Timeout of a test.
const TEST_TIMEOUT: Duration = Duration::from_mins(4);

/// Generates one test, `$test`, from `async fn $name(app: &App)`.
macro_rules! database_test {
    ($(#[$attribute:meta])* $test:ident, $engine:ident, $name:ident) => {
        $(#[$attribute])*
        #[test]
        fn $test() {
            let test: crate::support::Test<_> = |app| Box::pin(super::$name(app));
            crate::support::run(crate::support::Engine::$engine, test);
        }
    };
}

/// Generates the tests `on_sqlite` and `on_postgres` from each `async fn name(app: &App)`.
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        $(
            mod $name {
                database_test!(on_sqlite, Sqlite, $name);
                database_test!(on_postgres, Postgres, $name);
            }
        )+
    };
}

/// Like `on_both_databases`, for tests of code that runs before or after the database: secrets, limits, malformed
/// bodies, wording, compression, descriptions, pages, verdicts, splits, balance. Their `on_postgres` is ignored by
/// default to save time. `.ci/run full` runs it, as does `scripts/test.sh --test it on_postgres -- --ignored`.
///
/// Use `on_both_databases` for any test whose outcome depends on what the database stores, returns or locks: rounds,
/// players, the ledger, faults, seasons, rebuilds.
macro_rules! same_on_both_databases {
    ($($name:ident),+ $(,)?) => {
        $(
            mod $name {
                database_test!(on_sqlite, Sqlite, $name);
                database_test!(
                    #[ignore = "same as on SQLite; .ci/run full runs it"]
                    on_postgres, Postgres, $name
                );
            }
        )+
    };
}

/// A boxed test, so that the harness is compiled once and not for each test.
pub type Test<T> = for<'test> fn(&'test T) -> Boxed<'test>;
type Boxed<'test> = Pin<Box<dyn Future<Output = ()> + 'test>>;

/// Runs `test` with a service on a fresh database, checks that the log explains all data, and removes the database
/// however the test ends.
pub fn run(engine: Engine, test: Test<App>) {
    if engine.is_left_out() {
        return;
    }
    block_on(Box::pin(async move {
        let database = Database::create(engine).await;
        let app = App::start(&database).await;
        let checked = Box::pin(async {
            test(&app).await;
            Box::pin(replay::assert_log_gives_every_figure(&app)).await;
        });
        let outcome = ended(TEST_TIMEOUT, checked).await;
        app.stop().await;
        database.remove().await;
        let ended =
            outcome.unwrap_or_else(|_| panic!("the test did not end within {TEST_TIMEOUT:?}"));
        if let Err(panic) = ended {
            resume_unwind(panic);
        }
    }));
}

fn block_on(test: Boxed<'_>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}

async fn ended(longest: Duration, test: Boxed<'_>) -> Result<Result<(), Panic>, Elapsed> {
    tokio::time::timeout(longest, catch(AssertUnwindSafe(test))).await
}

type Panic = Box<dyn std::any::Any + Send>;

pub async fn catch(future: AssertUnwindSafe<impl Future<Output = ()>>) -> Result<(), Panic> {
    let mut future = std::pin::pin!(future.0);
    std::future::poll_fn(move |context| {
        match std::panic::catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(std::task::Poll::Pending) => std::task::Poll::Pending,
            Ok(std::task::Poll::Ready(())) => std::task::Poll::Ready(Ok(())),
            Err(panic) => std::task::Poll::Ready(Err(panic)),
        }
    })
    .await
}
