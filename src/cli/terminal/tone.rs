//! Colours, named by their meaning.

use console::Style;

/// Meaning of a coloured word or cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Heading,
    /// A gain, or something that is in order.
    Good,
    /// A loss, or something wrong.
    Bad,
    /// Something that needs attention.
    Warning,
    /// Something less important than the rest.
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
