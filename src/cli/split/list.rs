use serde::Serialize;

use crate::api::MAX_PLAYERS;
use crate::domain::{PlayerId, Rating};

/// Player of the list that `rbs split` reads, identified by the line. Names may be listed twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ListedPlayer {
    /// Artificial id of the player, which rises with the line number in the list that `rbs split` reads.
    #[serde(skip)]
    pub(super) id: PlayerId,
    pub(super) line: usize,
    pub(super) rating: Rating,
    pub(super) name: String,
}

/// Parses a list of players, one per line: a rating, white space, and a name, which may contain spaces. Skips blank
/// lines and lines that start with #.
pub(super) fn players(text: &[u8]) -> Result<Vec<ListedPlayer>, String> {
    // Editors on Windows put a byte order mark at the beginning of a file.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let mut players = Vec::new();
    for (line, content) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let bad = |problem: &str| format!("line {line}: {problem}");
        let content = str::from_utf8(content)
            .map_err(|_| bad("is not UTF-8; save the list as UTF-8 text"))?
            .trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let (rating, name) = rating_and_name(content).map_err(|problem| bad(&problem))?;
        let too_many = || {
            bad(&format!(
                "is one player too many; list at most {MAX_PLAYERS}"
            ))
        };
        if players.len() == MAX_PLAYERS {
            return Err(too_many());
        }
        let id = format!("[U:1:{}]", players.len() + 1).parse();
        players.push(ListedPlayer {
            id: id.map_err(|_| too_many())?,
            line,
            rating,
            name: name.to_owned(),
        });
    }
    Ok(players)
}

fn rating_and_name(content: &str) -> Result<(Rating, &str), String> {
    let (word, name) = content
        .split_once(char::is_whitespace)
        .unwrap_or((content, ""));
    let Some(rating) = word.parse().ok().and_then(Rating::new) else {
        let word: String = word.chars().take(40).collect();
        return Err(format!(
            "{word:?} is not a rating; write a whole number from {} to {}, white space and the name, such as: 1500 \
             Roger",
            Rating::MIN,
            Rating::MAX
        ));
    };
    let name = name.trim_start();
    if name.is_empty() {
        return Err(format!(
            "there is no name after {rating}; write both, such as: {rating} Roger"
        ));
    }
    Ok((rating, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, i32, String)> {
        players(text.as_bytes())
            .unwrap()
            .into_iter()
            .map(|player| (player.line, player.rating.points(), player.name))
            .collect()
    }

    #[test]
    fn a_line_is_a_rating_and_a_name_which_may_have_spaces() {
        assert_eq!(
            read("5 Boring John\n49 Jack O'Neill"),
            [(1, 5, "Boring John".into()), (2, 49, "Jack O'Neill".into())]
        );
        assert_eq!(
            read("\u{feff} 1000000\t \tA  b # 7 \r\n0 0\r\n"),
            [(1, 1_000_000, "A  b # 7".into()), (2, 0, "0".into())]
        );
    }

    #[test]
    fn blank_lines_and_comments_count_as_lines_only() {
        assert_eq!(read(""), []);
        assert_eq!(
            read("# rating name\n\n  \r\n 7 x\n  # 8 y\n7 x\n\n"),
            [(4, 7, "x".into()), (6, 7, "x".into())]
        );
    }

    #[test]
    fn what_is_no_player_is_refused_by_its_line() {
        let refusal = |text: &[u8]| players(text).unwrap_err();
        let refuses = |text: &str, expected: &str| {
            let error = refusal(text.as_bytes());
            assert!(error.starts_with(expected), "{error}");
        };
        for word in ["12.5", "-100001", "1000001", "99999999999", "1e3", "7,"] {
            let expected = format!(
                "line 3: {word:?} is not a rating; write a whole number from -100000 to 1000000,"
            );
            refuses(&format!("5 x\n\n{word} John\n"), &expected);
        }
        for line in ["5", " 5 ", "5\t\r"] {
            let expected = "line 2: there is no name after 5; write both, such as: 5 Roger";
            refuses(&format!("# 1\n{line}\n6 x"), expected);
        }
        let longest = "7 x\n".repeat(MAX_PLAYERS);
        assert_eq!(read(&longest).len(), MAX_PLAYERS);
        let expected = "line 130: is one player too many; list at most 128";
        refuses(&format!("{longest}# and\n7 y\n"), expected);
        let error = refusal(b"5 x\n6 J\xf6rg\n");
        assert!(error.starts_with("line 2: is not UTF-8"), "{error}");
        let error = refusal(format!("\u{1b}[2J{}", "x".repeat(5000)).as_bytes());
        assert!(error.len() < 250 && !error.contains('\u{1b}'), "{error}");
    }
}
