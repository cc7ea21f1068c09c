//! Confirmation of a change by the user.

use std::io;
use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;

/// Returns `true` if the user must confirm the change, `false` if the option `yes` was given.
///
/// # Errors
/// Returns an error if neither the option `yes` nor a terminal is given.
pub(crate) fn is_to_be_asked(yes: bool) -> anyhow::Result<bool> {
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    anyhow::ensure!(
        yes || is_there,
        "nothing was changed, because there is no terminal to ask for confirmation; give \
         --yes to confirm"
    );
    Ok(!yes)
}

/// Asks the user `question` at the terminal. Returns an error unless the answer is yes.
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
