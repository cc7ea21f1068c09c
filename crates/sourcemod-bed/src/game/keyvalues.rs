//! Valve's format of nested keys and values, used for phrases and configurations.

/// A section: keys with values or subsections, in file order.
#[derive(Clone, Debug, Default)]
pub struct Section(Vec<(String, Entry)>);

#[derive(Clone, Debug)]
enum Entry {
    Value(String),
    Section(Section),
}

impl Section {
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(key, entry)| match entry {
            Entry::Value(value) => Some((key.as_str(), value.as_str())),
            Entry::Section(_) => None,
        })
    }

    pub fn sections(&self) -> impl Iterator<Item = (&str, &Section)> {
        self.0.iter().filter_map(|(key, entry)| match entry {
            Entry::Section(section) => Some((key.as_str(), section)),
            Entry::Value(_) => None,
        })
    }

    /// Value of a key, ignoring case.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values()
            .find(|(known, _)| known.eq_ignore_ascii_case(key))
            .map(|(_, value)| value)
    }

    pub fn section(&self, key: &str) -> Option<&Section> {
        self.sections()
            .find(|(known, _)| known.eq_ignore_ascii_case(key))
            .map(|(_, section)| section)
    }
}

#[derive(Debug, PartialEq)]
enum Token {
    Text(String),
    Open,
    Close,
}

/// Parses the single section of the file.
pub fn parse(text: &str) -> Result<Section, String> {
    let mut tokens = tokens(text)?.into_iter();
    let Some(Token::Text(_)) = tokens.next() else {
        return Err("the file does not begin with a name".to_owned());
    };
    if tokens.next() != Some(Token::Open) {
        return Err("behind the name of the file there is no {".to_owned());
    }
    let root = section(&mut tokens)?;
    match tokens.next() {
        None => Ok(root),
        Some(token) => Err(format!("behind the last }} there is {token:?}")),
    }
}

fn section(tokens: &mut impl Iterator<Item = Token>) -> Result<Section, String> {
    let mut section = Section::default();
    loop {
        let key = match tokens.next() {
            Some(Token::Close) => return Ok(section),
            Some(Token::Text(key)) => key,
            other => return Err(format!("a key is expected, not {other:?}")),
        };
        let entry = match tokens.next() {
            Some(Token::Text(value)) => Entry::Value(value),
            Some(Token::Open) => Entry::Section(self::section(tokens)?),
            other => return Err(format!("behind {key:?} there is {other:?}")),
        };
        section.0.push((key, entry));
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '{' => {
                tokens.push(Token::Open);
                1
            }
            '}' => {
                tokens.push(Token::Close);
                1
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").ok_or("a comment has no end")? + 2,
            '"' => {
                let mut value = String::new();
                let mut end = None;
                let mut letters = rest.char_indices().skip(1);
                while let Some((place, letter)) = letters.next() {
                    match letter {
                        '"' => {
                            end = Some(place + 1);
                            break;
                        }
                        '\\' => match letters.next() {
                            Some((_, '"')) => value.push('"'),
                            Some((_, other)) => value.extend(['\\', other]),
                            None => break,
                        },
                        '\n' => return Err(format!("a line ends within {value:?}")),
                        letter => value.push(letter),
                    }
                }
                tokens.push(Token::Text(value));
                end.ok_or("a text has no end")?
            }
            _ => {
                let end =
                    rest.find(|letter: char| letter.is_whitespace() || "{}\"".contains(letter));
                let end = end.unwrap_or(rest.len());
                tokens.push(Token::Text(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}
