//! Changes that take longer than an answer may: they are looked at until they are done.

use std::io;
use std::io::Write as _;
use std::thread;
use std::time::Duration;

use super::{Client, Path};
use crate::api::{ProgressAnswer, RebuildAnswer};
use crate::cli::terminal::figures::progress_text;
use crate::cli::terminal::progress::{Meter, is_hidden};
use crate::domain::PoolName;

/// How often a change under way is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What a look at a change under way found.
pub(super) enum Looked<T> {
    /// It goes on, and is so far, where that is known.
    UnderWay(Option<ProgressAnswer>),
    /// It has ended.
    Done(T),
}

/// Looks again and again until a change is under way no longer, and says meanwhile how far it is.
pub(super) fn wait_until_done<T>(
    mut look: impl FnMut() -> anyhow::Result<Looked<T>>,
) -> anyhow::Result<T> {
    if !is_hidden() {
        // Who does not read it waits all the same.
        let _unread = writeln!(
            io::stderr(),
            "The ratings are being computed again; the service goes on by itself if you stop this."
        );
    }
    let mut meter = Meter::start(None)?;
    loop {
        thread::sleep(LOOK_EVERY);
        match look()? {
            Looked::Done(done) => {
                meter.finish();
                return Ok(done);
            }
            Looked::UnderWay(Some(progress)) => {
                let text = progress_text(&progress);
                if meter.tick(text.clone()).is_some() {
                    let _unread = writeln!(io::stderr(), "{text}");
                }
            }
            Looked::UnderWay(None) => {}
        }
    }
}

/// Waits until the pool, or the default one, is not being computed again any more.
pub(super) fn wait_for_pool(client: &Client, pool: Option<&PoolName>) -> anyhow::Result<()> {
    wait_until_done(|| {
        let path = Path::at("/v1/admin/rebuild").with("pool", pool);
        let answer: RebuildAnswer = client.get(&path)?.read()?;
        Ok(match answer.rebuild {
            Some(rebuild) => Looked::UnderWay(rebuild.progress),
            None => Looked::Done(()),
        })
    })
}
