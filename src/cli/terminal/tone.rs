//! Colours, by what they mean.

use console::Style;

/// What a word or cell is coloured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As everything else.
    Plain,
    /// A heading.
    Heading,
    /// A gain, or what is as it should be.
    Good,
    /// A loss, or what is wrong.
    Bad,
    /// What should be looked at.
    Warning,
    /// What matters less than the rest.
    Faint,
}

impl Tone {
    /// Of a change: a gain, a loss, or neither.
    pub(crate) fn of_change(change: i32) -> Self {
        match change.signum() {
            1 => Self::Good,
            -1 => Self::Bad,
            _ => Self::Plain,
        }
    }

    /// The text with its colours, for an [`super::output::Output`], which takes them away where they do not show.
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
