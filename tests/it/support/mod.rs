//! What the tests stand on: a service of their own, on either database, with nothing left behind.

mod app;
mod compare;
mod database;
mod dice;
#[macro_use]
mod engines;
mod replay;

pub use app::{
    ADMIN_SECRET, App, Instance, LIMITS, SECRET, fields, parts, refused, send, send_for_headers,
    settings, settings_from, settings_with_secrets,
};
pub use compare::{Compared, assert_same_in_both};
pub use database::{Database, Engine};
pub use dice::Dice;
pub use engines::{run_bare, run_bare_within};

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::Duration;

/// Longer than any test takes; what hangs fails with a message.
const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// Makes two tests, `on_sqlite` and `on_postgres`, out of one `async fn name(app: &App)`.
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        $(
            mod $name {
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_sqlite() {
                    crate::support::run(crate::support::Engine::Sqlite, async |app| {
                        super::$name(app).await;
                    })
                    .await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_postgres() {
                    crate::support::run(crate::support::Engine::Postgres, async |app| {
                        super::$name(app).await;
                    })
                    .await;
                }
            }
        )+
    };
}

/// Runs `test` with a service over a fresh database, then checks that the log tells the whole
/// truth, and takes everything away, however the test ends.
pub async fn run(engine: Engine, test: impl AsyncFnOnce(&App)) {
    let database = Database::create(engine).await;
    let app = App::start(&database).await;
    let checked = AssertUnwindSafe(async {
        test(&app).await;
        replay::assert_log_gives_every_figure(&app).await;
    });
    let outcome = tokio::time::timeout(TEST_TIMEOUT, catch(checked)).await;
    app.stop().await;
    database.remove().await;
    let ended = outcome.unwrap_or_else(|_| panic!("the test did not end within {TEST_TIMEOUT:?}"));
    if let Err(panic) = ended {
        resume_unwind(panic);
    }
}

/// Awaits `future`, catching a panic in it.
pub async fn catch(
    future: AssertUnwindSafe<impl Future<Output = ()>>,
) -> Result<(), Box<dyn std::any::Any + Send>> {
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
