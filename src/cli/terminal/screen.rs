use std::env;

use clap::ValueEnum;
use console::{Term, set_colors_enabled, set_colors_enabled_stderr};

use crate::clock::Clock;
use crate::domain::Timestamp;

/// Choice of coloured output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Coloured output at a terminal, unless `NO_COLOR` is set or `TERM` is dumb.
    #[default]
    Auto,
    /// Coloured output, whatever the device.
    Always,
    /// Output without colours, whatever the device.
    Never,
}

impl Color {
    /// Applies the choice of colours to everything printed from now on.
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
