//! Questions before a change.

use std::io;
use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;

/// Whether somebody is to be asked: with a yes that was given beforehand, nobody. Fails where there is
/// neither that nor a terminal to ask at.
pub(crate) fn is_to_be_asked(yes: bool) -> anyhow::Result<bool> {
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    anyhow::ensure!(
        yes || is_there,
        "nothing was changed, because there is no terminal to ask at whether it is meant; give --yes \
         where it is"
    );
    Ok(!yes)
}

/// Asks the person at the terminal.
pub(crate) fn confirm(question: &str) -> anyhow::Result<()> {
    write!(io::stderr(), "{question} [y/N] ").context("cannot ask")?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.context("cannot read the answer")?;
    let answer = answer.trim().to_lowercase();
    anyhow::ensure!(
        answer == "y" || answer == "yes",
        "nothing was changed; answer y, or give --yes, to go on"
    );
    Ok(())
}
