//! What is printed on.

use std::env;

use clap::ValueEnum;
use console::{Term, set_colors_enabled, set_colors_enabled_stderr};

use crate::clock::Clock;
use crate::domain::Timestamp;

/// When output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// At a terminal, unless `NO_COLOR` is set or `TERM` is dumb.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

impl Color {
    /// Has everything that is printed from now on follow this.
    pub(crate) fn apply(self) {
        let is_on = match self {
            Self::Auto => return,
            Self::Always => true,
            Self::Never => false,
        };
        set_colors_enabled(is_on);
        set_colors_enabled_stderr(is_on);
    }
}

/// What the person in front sees: how much fits into a line, and whether colours show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Screen {
    /// In columns; `None` where no line is too long, as in a file.
    pub(crate) width: Option<usize>,
    /// Whether colours show.
    pub(crate) has_colors: bool,
    /// The time, where somebody reads along to whom "3 min ago" says more; it would soon be wrong in a file.
    pub(crate) now: Option<Timestamp>,
}

impl Screen {
    /// A file, or a program that reads.
    pub(crate) const PLAIN: Self = Self {
        width: None,
        has_colors: false,
        now: None,
    };

    /// What standard output leads to.
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
            // Some terminals do not know it, and say 0.
            width: named.or_else(real).filter(|width: &usize| *width > 0),
            has_colors,
            now: Some(Clock::System.now()),
        }
    }
}
