use std::fs::File;
use std::io;
use std::io::{IsTerminal as _, Read};
use std::path::Path;

use anyhow::Context as _;

use crate::cli::import::lines::is_standard_input;

/// Input that a command reads as a whole, from a file or standard input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'all> {
    pub(super) file: Option<&'all Path>,
    pub(super) hint: &'all str,
    pub(super) most_bytes: u64,
    pub(super) advice: &'all str,
}

impl Input<'_> {
    /// Reads the input to its end. Returns the name of the file or "standard input", and the content.
    pub(super) fn read(self) -> anyhow::Result<(String, Vec<u8>)> {
        let named = self.file.filter(|path| !is_standard_input(path));
        let (source, input): (String, Box<dyn Read>) = if let Some(path) = named {
            let source = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot read {source}"))?;
            (source, Box::new(file))
        } else {
            let input = io::stdin();
            if input.is_terminal() {
                eprintln!("{}", self.hint);
            }
            ("standard input".to_owned(), Box::new(input))
        };
        let mut text = Vec::new();
        let read = input.take(self.most_bytes + 1).read_to_end(&mut text);
        read.with_context(|| format!("cannot read {source}"))?;
        anyhow::ensure!(
            text.len() as u64 <= self.most_bytes,
            "{source} is over {} bytes; {}",
            self.most_bytes,
            self.advice
        );
        Ok((source, text))
    }
}
