//! The user's terminal: width, colours, and questions.

use std::io::{IsTerminal as _, Write as _};
use std::{env, io};

use anyhow::Context as _;
use clap::ColorChoice;
use console::{Style, Term, set_colors_enabled, set_colors_enabled_stderr};

use crate::clock::Clock;
use crate::domain::Timestamp;

/// Applies the choice of colours to everything printed from now on. Without a choice, a terminal gets colours, unless
/// `NO_COLOR` is set or `TERM` is dumb.
pub(crate) fn choose_colors(choice: ColorChoice) {
    let is_on = match choice {
        ColorChoice::Auto => return,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    set_colors_enabled(is_on);
    set_colors_enabled_stderr(is_on);
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Screen {
    pub(crate) width: Option<usize>,
    pub(crate) has_colors: bool,
    /// Present time, to print ages such as "3 min ago". `None` for files, where an age would soon be wrong.
    pub(crate) now: Option<Timestamp>,
}

impl Screen {
    /// Output to a file or a pipe: without colours, ages and a maximum width.
    pub(crate) const PLAIN: Self = Self {
        width: None,
        has_colors: false,
        now: None,
    };

    pub(crate) fn stdout() -> Self {
        let has_colors = console::colors_enabled();
        let terminal = Term::stdout();
        if !terminal.is_term() {
            return Self {
                has_colors,
                ..Self::PLAIN
            };
        }
        let named = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let real = || terminal.size_checked().map(|(_, columns)| columns.into());
        Self {
            // Some terminals report a width of 0.
            width: named.or_else(real).filter(|width: &usize| *width > 0),
            has_colors,
            now: Some(Clock::System.now()),
        }
    }
}

/// Meaning of a coloured word or table cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Heading,
    /// Green text, for a gain or for something that is in order.
    Good,
    /// Red text, for a loss or for something wrong.
    Bad,
    /// Yellow bold text, for something that needs attention.
    Warning,
    /// Dimmed text, for details that matter less than the rest.
    Faint,
}

impl Tone {
    pub(crate) fn of_change(change: i32) -> Self {
        match change.signum() {
            1 => Self::Good,
            -1 => Self::Bad,
            _ => Self::Plain,
        }
    }

    /// Colours the text for an [`super::output::Output`], which removes the colours if they cannot be shown.
    pub(crate) fn paint(self, text: &str) -> String {
        let style = Style::new().force_styling(true);
        let style = match self {
            Self::Plain => return text.to_owned(),
            Self::Heading => style.bold(),
            Self::Good => style.green(),
            Self::Bad => style.red(),
            Self::Warning => style.yellow().bold(),
            Self::Faint => style.dim(),
        };
        style.apply_to(text).to_string()
    }
}

/// Returns `true` if the user must confirm the change, `false` if the option `yes` was given. Without a terminal, returns
/// an error.
pub(crate) fn is_to_be_asked(yes: bool) -> anyhow::Result<bool> {
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    anyhow::ensure!(
        yes || is_there,
        "nothing was changed, because there is no terminal to ask for confirmation; give \
         --yes to confirm"
    );
    Ok(!yes)
}

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
