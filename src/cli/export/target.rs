use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context as _;
use tempfile::NamedTempFile;

use crate::cli::database::folder_of;

const MAX_LINKS: usize = 40;

/// Destination of an export. Exports contain ids and names, so only the owner can read a new file.
#[derive(Debug)]
pub(in crate::cli) enum Target {
    Stream(File),
    /// Regular file to export to. An existing file stays until [`Target::finish`] replaces it with the complete new
    /// one. A symbolic link remains a link.
    File {
        unfinished: NamedTempFile,
        path: PathBuf,
    },
}

impl Target {
    pub(in crate::cli) fn open(named: &Path) -> anyhow::Result<Self> {
        Self::at(named, followed(named)?)
    }

    /// Opens the destination of an export like [`Target::open`], but refuses symbolic links, unless they lead to a
    /// device or a pipe. Otherwise anybody with write access to the folder could have any file replaced.
    pub(in crate::cli) fn open_itself(named: &Path) -> anyhow::Result<Self> {
        let is_stream = fs::metadata(named).is_ok_and(|found| !found.is_file() && !found.is_dir());
        anyhow::ensure!(
            is_stream || !named.is_symlink(),
            "cannot write {}: it is a symbolic link; name the file that is meant, or remove the link",
            named.display()
        );
        Self::at(named, named.to_owned())
    }

    fn at(named: &Path, path: PathBuf) -> anyhow::Result<Self> {
        let shown = named.display();
        let found = fs::metadata(named).ok();
        if let Some(found) = &found {
            anyhow::ensure!(
                !found.is_dir(),
                "cannot write {shown}: it is a folder; name a file in it with --output"
            );
            if !found.is_file() {
                let file = OpenOptions::new()
                    .write(true)
                    .open(named)
                    .with_context(|| format!("cannot write {shown}"))?;
                return Ok(Self::Stream(file));
            }
        }
        let folder = folder_of(&path);
        anyhow::ensure!(
            folder.is_dir(),
            "cannot write {shown}: there is no folder {}; make it, or name another file with \
             --output",
            folder.display()
        );
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let made = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".partial")
            .tempfile_in(folder);
        let unfinished = made.with_context(|| {
            format!(
                "cannot write {shown}: no file can be created in the folder {}; check the folder's \
                 permissions, or choose another folder",
                folder.display()
            )
        })?;
        if let Some(found) = found {
            let given = unfinished.as_file().set_permissions(found.permissions());
            given.with_context(|| format!("cannot give {shown} its permissions"))?;
        }
        Ok(Self::File { unfinished, path })
    }

    /// Returns `true` if dropping this unfinished export leaves a partial file to remove.
    pub(in crate::cli) fn leaves_something(&self) -> bool {
        matches!(self, Self::File { .. })
    }

    pub(in crate::cli) fn finish(self) -> anyhow::Result<()> {
        let Self::File { unfinished, path } = self else {
            return Ok(());
        };
        let failed = || format!("cannot write {}", path.display());
        unfinished.as_file().sync_all().with_context(failed)?;
        unfinished.persist(&path).with_context(failed)?;
        Ok(())
    }

    fn file(&mut self) -> &mut File {
        match self {
            Self::Stream(file) => file,
            Self::File { unfinished, .. } => unfinished.as_file_mut(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Follows symbolic links to the path of an export, which need not exist.
fn followed(named: &Path) -> anyhow::Result<PathBuf> {
    let mut path = named.to_owned();
    for _ in 0..MAX_LINKS {
        // A path that is not a symbolic link, or does not exist, is the end of the chain.
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    anyhow::bail!(
        "cannot write {}: its symbolic links form a loop; remove them, or name another file",
        named.display()
    )
}
