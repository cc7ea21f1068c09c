//! The paths that a Rust source names, without the compiler: enough of the language to skip
//! comments and texts, to take lists in braces apart, and to follow `super`.

/// A path of names, and where it stands.
#[derive(Debug, PartialEq)]
pub struct Mention {
    pub line: usize,
    /// `crate` and the names behind it, where the path is one of the crate; else as written.
    pub path: Vec<String>,
}

/// What a source names.
#[derive(Debug)]
pub struct Code {
    pub mentions: Vec<Mention>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    /// `::`
    Colons,
    VoidChange(char),
}

impl Code {
    /// Reads the file at `path`, from the crate's root.
    pub fn read(path: &str, text: &str) -> Self {
        let mut reader = Reader {
            tokens: tokens(text),
            at: 0,
            module: module(path),
            open: Vec::new(),
            mentions: Vec::new(),
        };
        reader.read();
        Self {
            mentions: reader.mentions,
        }
    }
}

/// The names of the modules from the crate's root to that of the file at `path`.
fn module(path: &str) -> Vec<String> {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let inside = inside.strip_suffix(".rs").unwrap_or(inside);
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    if matches!(inside, "lib" | "main") {
        return Vec::new();
    }
    inside.split('/').map(str::to_owned).collect()
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
    /// The module that is being read.
    module: Vec<String>,
    /// For each open brace, whether it opened a module.
    open: Vec<bool>,
    mentions: Vec<Mention>,
}

impl Reader {
    fn read(&mut self) {
        while let Some((_, token)) = self.tokens.get(self.at).cloned() {
            match token {
                Token::Name(word) if word == "mod" => {
                    if let (Some(Token::Name(name)), Some(Token::VoidChange('{'))) =
                        (self.peek(1), self.peek(2))
                    {
                        self.module.push(name);
                        self.open.push(true);
                        self.at += 2;
                    }
                    self.at += 1;
                }
                Token::VoidChange('{') => {
                    self.open.push(false);
                    self.at += 1;
                }
                Token::VoidChange('}') => {
                    if self.open.pop() == Some(true) {
                        self.module.pop();
                    }
                    self.at += 1;
                }
                Token::Name(_) | Token::Colons => self.read_path(&[]),
                Token::VoidChange(_) => self.at += 1,
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<Token> {
        self.tokens
            .get(self.at + ahead)
            .map(|(_, token)| token.clone())
    }

    /// Reads a path behind `before`; each leaf of a list in braces is a path of its own.
    fn read_path(&mut self, before: &[String]) {
        let line = self.tokens[self.at].0;
        let mut path = before.to_vec();
        if self.peek(0) == Some(Token::Colons) {
            self.at += 1;
        }
        while let Some(Token::Name(name)) = self.peek(0) {
            path.push(name);
            self.at += 1;
            if self.peek(0) != Some(Token::Colons) {
                break;
            }
            self.at += 1;
        }
        let behind_colons = self.at > 0 && self.tokens[self.at - 1].1 == Token::Colons;
        if behind_colons && self.peek(0) == Some(Token::VoidChange('{')) {
            self.at += 1;
            while let Some(token) = self.peek(0) {
                match token {
                    Token::VoidChange('}') => {
                        self.at += 1;
                        return;
                    }
                    Token::Name(_) | Token::Colons => self.read_path(&path),
                    Token::VoidChange(_) => self.at += 1,
                }
            }
            return;
        }
        if self.peek(0) == Some(Token::Name("as".to_owned())) {
            self.at += 2;
        }
        if path.len() > 1 {
            let path = self.rooted(path);
            self.mentions.push(Mention { line, path });
        }
    }

    /// The path with `super`, `self` and the crate's own name followed to the crate's root.
    fn rooted(&self, path: Vec<String>) -> Vec<String> {
        let first = path[0].as_str();
        if first == "rbs" || first == "crate" {
            return std::iter::once("crate".to_owned())
                .chain(path.into_iter().skip(1))
                .collect();
        }
        if first != "super" && first != "self" {
            return path;
        }
        let mut place = self.module.clone();
        let mut rest = path.into_iter().peekable();
        while let Some(step) = rest.next_if(|name| name == "super" || name == "self") {
            if step == "super" {
                place.pop();
            }
        }
        let root = std::iter::once("crate".to_owned());
        root.chain(place).chain(rest).collect()
    }
}

/// The names and marks of `text`, each with its line; no comments, no texts.
fn tokens(text: &str) -> Vec<(usize, Token)> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    let name = |character: char| character.is_alphanumeric() || character == '_';
    while let Some(&character) = characters.get(at) {
        let next = characters.get(at + 1).copied();
        let start = at;
        match (character, next) {
            ('/', Some('/')) => at = find(&characters, at, |c| c == '\n'),
            ('/', Some('*')) => at = skip_comment(&characters, at),
            ('"', _) => at = skip_text(&characters, at),
            ('r', Some('"' | '#')) if is_raw(&characters, at) => at = skip_raw(&characters, at),
            ('\'', _) => at = skip_quote(&characters, at),
            (':', Some(':')) => {
                tokens.push((line, Token::Colons));
                at += 2;
            }
            _ if name(character) => {
                at = find(&characters, at, |c| !name(c));
                let word: String = characters[start..at].iter().collect();
                // A text with a prefix, such as b"…" or br"…".
                if matches!(word.as_str(), "br" | "cr") && is_raw(&characters, at - 1) {
                    at = skip_raw(&characters, at - 1);
                } else {
                    tokens.push((line, Token::Name(word)));
                }
            }
            _ => {
                if !character.is_whitespace() {
                    tokens.push((line, Token::VoidChange(character)));
                }
                at += 1;
            }
        }
        line += characters[start..at.min(characters.len())]
            .iter()
            .filter(|character| **character == '\n')
            .count();
    }
    tokens
}

fn find(characters: &[char], from: usize, is: impl Fn(char) -> bool) -> usize {
    let behind = characters[from..].iter().position(|c| is(*c));
    behind.map_or(characters.len(), |distance| from + distance)
}

/// Behind a comment `/* … */`, which may hold others.
fn skip_comment(characters: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at < characters.len() {
        match (characters[at], characters.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// Behind a text in quotation marks.
fn skip_text(characters: &[char], at: usize) -> usize {
    let mut at = at + 1;
    while at < characters.len() && characters[at] != '"' {
        at += if characters[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Whether the `r` at `at` begins a raw text and not a name.
fn is_raw(characters: &[char], at: usize) -> bool {
    let quote = find(characters, at + 1, |c| c != '#');
    characters.get(quote) == Some(&'"')
}

fn skip_raw(characters: &[char], at: usize) -> usize {
    let quote = find(characters, at + 1, |c| c != '#');
    let marks = quote - at - 1;
    let mut at = quote + 1;
    while at < characters.len() {
        let closes = characters[at] == '"'
            && characters.len() >= at + 1 + marks
            && characters[at + 1..=at + marks].iter().all(|c| *c == '#');
        if closes {
            return at + 1 + marks;
        }
        at += 1;
    }
    at
}

/// Behind a character in quotes, or behind the mark of a lifetime.
fn skip_quote(characters: &[char], at: usize) -> usize {
    match (characters.get(at + 1), characters.get(at + 2)) {
        (Some('\\'), _) => find(characters, at + 3, |c| c == '\'') + 1,
        (Some(_), Some('\'')) => at + 3,
        _ => at + 1,
    }
}
