//! Who is on a team, in lines that fit a terminal.

use unicode_width::UnicodeWidthStr as _;

/// Columns of a terminal that nobody has made wider.
const WIDTH: usize = 80;
/// Where the members of a team begin.
const INDENT: usize = 9;

/// The members of a team behind its `label`, in as many lines as it takes; none is broken over two.
pub(crate) fn members(label: &str, members: &[String]) -> String {
    let mut text = format!("  {label:<width$}", width = INDENT - 2);
    let mut column = INDENT;
    for (index, member) in members.iter().enumerate() {
        let comma = if index + 1 < members.len() { "," } else { "" };
        let entry = format!("{member}{comma}");
        if column > INDENT && column + 1 + entry.width() > WIDTH {
            text += "\n";
            text += &" ".repeat(INDENT);
            column = INDENT;
        } else if column > INDENT {
            text.push(' ');
            column += 1;
        }
        column += entry.width();
        text += &entry;
    }
    if members.is_empty() {
        text += "nobody";
    }
    text + "\n"
}
