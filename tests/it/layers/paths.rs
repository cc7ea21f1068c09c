//! Paths named in a Rust source, read from its tokens, so paths in macros are included.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

#[derive(Debug, PartialEq)]
pub struct Mention {
    pub line: usize,
    /// Path from the crate's root if it is in the crate, otherwise as written.
    pub path: Vec<String>,
}

pub fn mentions(path: &str, text: &str) -> Vec<Mention> {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let inside = inside.strip_suffix(".rs").unwrap_or(inside);
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    let module = match inside {
        "lib" | "main" => Vec::new(),
        inside => inside.split('/').map(str::to_owned).collect(),
    };
    let mut reader = Reader {
        module,
        mentions: Vec::new(),
    };
    reader.read(text.parse().expect("Rust"));
    reader.mentions
}

struct Reader {
    /// Module that is being read, from the crate's root.
    module: Vec<String>,
    mentions: Vec<Mention>,
}

impl Reader {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match (token, tokens.get(at + 1), tokens.get(at + 2)) {
                (
                    TokenTree::Ident(word),
                    Some(TokenTree::Ident(name)),
                    Some(TokenTree::Group(body)),
                ) if word == "mod" => {
                    self.module.push(name.to_string());
                    self.read(body.stream());
                    self.module.pop();
                    at += 3;
                }
                (TokenTree::Group(group), ..) => {
                    self.read(group.stream());
                    at += 1;
                }
                _ => at = self.read_path(&tokens, at, &[]),
            }
        }
    }

    /// Reads a path after `before`, and returns the index of its end. Each leaf of a braced list is a separate path.
    fn read_path(&mut self, tokens: &[TokenTree], mut at: usize, before: &[String]) -> usize {
        let line = tokens[at].span().start().line;
        let mut path = before.to_vec();
        if is_colons(tokens, at) {
            at += 2;
        }
        while let Some(TokenTree::Ident(name)) = tokens.get(at) {
            path.push(name.to_string());
            at += 1;
            if !is_colons(tokens, at) {
                break;
            }
            at += 2;
            if let Some(TokenTree::Group(list)) = tokens.get(at)
                && list.delimiter() == Delimiter::Brace
            {
                let list: Vec<TokenTree> = list.stream().into_iter().collect();
                let mut inside = 0;
                while inside < list.len() {
                    inside = self.read_path(&list, inside, &path);
                }
                return at + 1;
            }
        }
        if path.len() == before.len() {
            return at + 1;
        }
        if path.len() > 1 {
            let path = self.rooted(path);
            self.mentions.push(Mention { line, path });
        }
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) if word == "as" => at + 2,
            _ => at,
        }
    }

    /// Resolves `super`, `self` and the crate's name to the crate's root.
    fn rooted(&self, path: Vec<String>) -> Vec<String> {
        let mut root = match path[0].as_str() {
            "rbs" | "crate" => Vec::new(),
            "super" | "self" => self.module.clone(),
            _ => return path,
        };
        for name in path {
            match name.as_str() {
                "rbs" | "crate" if root.is_empty() => {}
                "self" => {}
                "super" => drop(root.pop()),
                _ => root.push(name),
            }
        }
        root.insert(0, "crate".to_owned());
        root
    }
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}
