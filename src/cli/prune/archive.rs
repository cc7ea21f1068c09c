use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::api::LogLine;
use crate::cli::database::folder_of;
use crate::cli::export::target::Target;

const BLOCK: usize = 64 * 1024;

/// File for pruned rounds. [`Archive::finish`] moves the complete file to its final path.
#[derive(Debug)]
pub(super) struct Archive {
    path: PathBuf,
    /// Gzip encoder that writes the file. `None` if an interrupted prune has left the complete file, which is then only
    /// compared with the pruned rounds.
    output: Option<GzEncoder<BufWriter<Target>>>,
    hasher: Sha256,
    length: u64,
}

impl Archive {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let output = if path.exists() {
            None
        } else {
            let target = BufWriter::new(Target::open_itself(path)?);
            Some(GzEncoder::new(target, Compression::default()))
        };
        Ok(Self {
            path: path.to_owned(),
            output,
            hasher: Sha256::new(),
            length: 0,
        })
    }

    pub(super) fn write(&mut self, line: &LogLine) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.hasher.update(&text);
        self.length += text.len() as u64;
        if let Some(output) = &mut self.output {
            let written = output.write_all(&text);
            written.with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        Ok(())
    }

    /// Moves the file of pruned rounds to its final path, syncs it to disk, and verifies its content by reading it
    /// back.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let shown = self.path.display();
        let failed = || format!("cannot write {shown}");
        let was_there = self.output.is_none();
        if let Some(output) = self.output {
            let output = output
                .finish()
                .with_context(failed)?
                .into_inner()
                .map_err(io::Error::from);
            output.with_context(failed)?.finish()?;
        }
        // The file's name is on disk once its folder is synced.
        for path in [&*self.path, folder_of(&self.path)] {
            let synced = File::open(path).and_then(|file| file.sync_all());
            synced.with_context(failed)?;
        }
        let read = digest(&self.path)
            .with_context(|| format!("cannot read {shown} back; nothing was pruned"))?;
        let is_same = read == (self.length, self.hasher.finalize().to_vec());
        anyhow::ensure!(
            is_same || !was_there,
            "the file {shown} already exists, and contains something other than the rounds to prune; move \
             it, or name another folder with --to"
        );
        anyhow::ensure!(
            is_same,
            "the file {shown} reads back differently from what was written, so nothing was pruned; check the disk, or \
             name another folder with --to"
        );
        Ok(())
    }
}

fn digest(path: &Path) -> io::Result<(u64, Vec<u8>)> {
    let mut content = MultiGzDecoder::new(File::open(path)?);
    let mut hasher = Sha256::new();
    let mut block = vec![0; BLOCK];
    let mut length = 0;
    loop {
        let read = content.read(&mut block)?;
        if read == 0 {
            return Ok((length, hasher.finalize().to_vec()));
        }
        hasher.update(&block[..read]);
        length += read as u64;
    }
}
