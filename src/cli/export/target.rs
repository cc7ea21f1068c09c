use std::fs;
use std::fs::{File, OpenOptions};
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::random;

/// The most symbolic links that are followed, as many as Linux does.
const MAX_LINKS: usize = 40;

/// Where an export is written. A regular file comes whole or not at all: what was there before
/// stays until [`Target::finish`]. A device or a pipe is written straight through, and a symbolic
/// link stays what it is.
#[derive(Debug)]
pub(super) struct Target {
    file: File,
    /// The unfinished file and what it will be called; gone where it is written straight through.
    unfinished: Option<(Unfinished, PathBuf)>,
}

/// A file that is removed unless it is finished.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Target {
    pub(super) fn open(named: &Path) -> anyhow::Result<Self> {
        let found = fs::metadata(named).ok();
        if let Some(found) = &found {
            anyhow::ensure!(
                !found.is_dir(),
                "cannot write {}: it is a folder; name a file in it with --output",
                named.display()
            );
            if !found.is_file() {
                let file = OpenOptions::new().write(true).open(named);
                let file = file.with_context(|| format!("cannot write {}", named.display()))?;
                let unfinished = None;
                return Ok(Self { file, unfinished });
            }
        }
        let path = followed(named)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        anyhow::ensure!(
            folder.is_dir(),
            "cannot write {}: there is no folder {}; make it, or name another file with --output",
            named.display(),
            folder.display()
        );
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let partial = folder.join(format!(".{name}.{}.partial", random::hex::<8>()?));
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&partial);
        let file = made.with_context(|| {
            format!(
                "cannot write {}: no file can be made in the folder {}",
                named.display(),
                folder.display()
            )
        })?;
        let partial = Unfinished(partial);
        if let Some(found) = found {
            let failed = || format!("cannot give {} its permissions", named.display());
            file.set_permissions(found.permissions())
                .with_context(failed)?;
        }
        Ok(Self {
            file,
            unfinished: Some((partial, path)),
        })
    }

    /// Whether there is something to remove where it is not finished.
    pub(super) fn leaves_something(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Puts what was written in its place.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Some((partial, path)) = self.unfinished else {
            return Ok(());
        };
        let failed = || format!("cannot write {}", path.display());
        self.file.sync_all().with_context(failed)?;
        fs::rename(&partial.0, &path).with_context(failed)?;
        // Nothing is left under the old name to remove.
        std::mem::forget(partial);
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!(file = %self.0.display(), %error, "An unfinished file stays behind");
        }
    }
}

/// What `named` leads to, there or not.
fn followed(named: &Path) -> anyhow::Result<PathBuf> {
    let mut path = named.to_owned();
    for _ in 0..MAX_LINKS {
        // Whatever is no link is the end, and so is what is not there.
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    anyhow::bail!(
        "cannot write {}: its symbolic links lead nowhere",
        named.display()
    )
}
