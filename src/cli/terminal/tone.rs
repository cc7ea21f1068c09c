//! Colours, named by their meaning.

use console::Style;

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
