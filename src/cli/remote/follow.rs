use std::collections::HashSet;
use std::io;
use std::io::Write as _;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::rounds::rounds_table;
use super::{Client, Path, Unsuccessful};
use crate::api::{ListedRoundAnswer, RoundsAnswer};
use crate::cli::signals::stop_signal;
use crate::cli::terminal::columns::Growing;
use crate::cli::terminal::output::{Format, is_printed};
use crate::cli::terminal::screen::Screen;
use crate::domain::{RoundId, ServerName};

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Number of latest rounds that `rbs rounds --follow` requests at once. A round reported late, behind this many others,
/// is missed.
const LOOK_AT: usize = 100;
/// Maximum number of pages of rounds that `rbs rounds --follow` requests at once, if many rounds came in between.
const MAX_PAGES: usize = 20;

type Name = (ServerName, RoundId);

struct Found {
    round: ListedRoundAnswer,
    json: Box<RawValue>,
}

#[derive(Deserialize)]
struct Written {
    rounds: Vec<Box<RawValue>>,
}

/// Prints the `first` latest rounds of the list at the API path `path`, and then each new round, until a signal comes
/// or the output is closed.
pub(super) fn follow(
    client: Client,
    path: &Path,
    first: usize,
    format: Format,
) -> anyhow::Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot wait for new entries; raise the limit on open files (ulimit -n)")?;
    let followed = runtime.block_on(watch(Arc::new(client), path, first, format));
    // A request in progress is abandoned.
    runtime.shutdown_background();
    followed
}

async fn watch(
    client: Arc<Client>,
    path: &Path,
    first: usize,
    format: Format,
) -> anyhow::Result<()> {
    let mut stop = pin!(stop_signal()?);
    let mut seen: Option<HashSet<Name>> = None;
    let mut table = Growing::default();
    let mut is_lost = false;
    loop {
        let look = {
            let (client, path, seen) = (Arc::clone(&client), path.clone(), seen.clone());
            spawn_blocking(move || look(&client, &path, first, seen.as_ref()))
        };
        let found = tokio::select! {
            () = &mut stop => return Ok(()),
            found = look => found.context("the request for rounds was aborted")?,
        };
        match found {
            Ok((found, now_seen)) => {
                is_lost = false;
                if !print(&found, format, &mut table)? {
                    return Ok(());
                }
                seen = Some(now_seen);
            }
            // The service may be restarting.
            Err(error) if seen.is_some() && is_unreachable(&error) => {
                if !is_lost {
                    let _unread = writeln!(
                        io::stderr(),
                        "{error}; trying again until the service answers"
                    );
                }
                is_lost = true;
            }
            Err(error) => return Err(error),
        }
        tokio::select! {
            () = &mut stop => return Ok(()),
            () = sleep(LOOK_EVERY) => {}
        }
    }
}

fn is_unreachable(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Unsuccessful::Unreachable(_)))
}

/// Requests the latest rounds from the service. Returns the rounds not yet `seen`, oldest first, and the server and id
/// of every received round. The first call returns only the `first` latest rounds.
fn look(
    client: &Client,
    path: &Path,
    first: usize,
    seen: Option<&HashSet<Name>>,
) -> anyhow::Result<(Vec<Found>, HashSet<Name>)> {
    let limit = LOOK_AT.max(first);
    let mut new = Vec::new();
    let mut now_seen = HashSet::new();
    let mut after: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let page = path.clone().with("limit", Some(&limit));
        let answer = client.get(&page.with("after", after.as_ref()))?;
        let read: RoundsAnswer = answer.read()?;
        let written: Written = answer.read()?;
        let mut is_any_seen = false;
        for (round, json) in read.rounds.into_iter().zip(written.rounds) {
            let name = (round.round.server.clone(), round.round.round_id.clone());
            if seen.is_some_and(|seen| seen.contains(&name)) {
                is_any_seen = true;
            } else {
                new.push(Found { round, json });
            }
            now_seen.insert(name);
        }
        after = read.next;
        // Either nothing was seen before, or a page reaches back to rounds already seen.
        let is_all = seen.is_none_or(HashSet::is_empty) || is_any_seen || after.is_none();
        if is_all {
            break;
        }
    }
    if seen.is_none() {
        new.truncate(first);
    }
    new.reverse();
    Ok((new, now_seen))
}

/// Prints new rounds as more rows of `table`. Returns `false` if the output is closed.
fn print(found: &[Found], format: Format, table: &mut Growing) -> anyhow::Result<bool> {
    let text = if format.json {
        let lines = found.iter().flat_map(|one| [one.json.get(), "\n"]);
        lines.collect()
    } else {
        let rounds: Vec<&ListedRoundAnswer> = found.iter().map(|one| &one.round).collect();
        let columns = rounds_table(&rounds).into_columns();
        if format.csv {
            table.csv(&columns)?
        } else {
            table.shown(&columns, Screen::stdout())
        }
    };
    is_printed(text.as_bytes()).context("cannot write the rounds")
}
