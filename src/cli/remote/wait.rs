use std::io;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use super::{Client, Path};
use crate::api::{ProgressAnswer, RebuildAnswer};
use crate::cli::terminal::figures::progress_text;
use crate::cli::terminal::progress::{Meter, is_hidden};
use crate::domain::PoolName;

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Requests the state of a change from the service until `look` breaks off with it, and shows the progress.
pub(super) fn wait_until_done<T>(
    mut look: impl FnMut() -> anyhow::Result<ControlFlow<T, Option<ProgressAnswer>>>,
) -> anyhow::Result<T> {
    if !is_hidden() {
        // A closed standard error does not end the waiting.
        let _unread = writeln!(
            io::stderr(),
            "The ratings are being recomputed; the service continues even if you stop this command."
        );
    }
    let mut meter = Meter::start(None)?;
    loop {
        thread::sleep(LOOK_EVERY);
        match look()? {
            ControlFlow::Break(done) => {
                meter.finish();
                return Ok(done);
            }
            ControlFlow::Continue(Some(progress)) => {
                let text = progress_text(&progress);
                if meter.tick(text.clone()).is_some() {
                    let _unread = writeln!(io::stderr(), "{text}");
                }
            }
            ControlFlow::Continue(None) => {}
        }
    }
}

pub(super) fn wait_for_pool(client: &Client, pool: Option<&PoolName>) -> anyhow::Result<()> {
    wait_until_done(|| {
        let path = Path::at("/v1/admin/rebuild").with("pool", pool);
        let answer: RebuildAnswer = client.get(&path)?.read()?;
        Ok(match answer.rebuild {
            Some(rebuild) => ControlFlow::Continue(rebuild.progress),
            None => ControlFlow::Break(()),
        })
    })
}
