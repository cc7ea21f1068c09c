use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Open SQLite file: its identity, and the path under which it was opened.
#[derive(Clone, Debug)]
pub(crate) struct File {
    path: PathBuf,
    identity: Identity,
}

/// Device and inode, which distinguish a file from another of the same name.
type Identity = (u64, u64);

/// Creates an empty file with mode 0600 if there is none. SQLite takes an empty file for a database without tables, and
/// gives its other files the same mode. If the creation fails, SQLite reports an error when it opens the file.
pub(super) fn make(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let _made_or_named_by_sqlite = options.open(path);
}

impl File {
    /// Records the path and identity of the database file that is now at `path`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: identity(path)?,
        })
    }

    /// Checks that the database file was not moved, deleted or replaced since it was opened.
    pub(crate) fn check(&self) -> io::Result<()> {
        let problem = match identity(&self.path) {
            Ok(identity) if identity == self.identity => return Ok(()),
            Ok(_) => "is another file than the one that RBS opened; start RBS again",
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                "is gone; put it back, or start RBS again with another"
            }
            Err(error) => return Err(error),
        };
        let problem = format!("the database {} {problem}", self.path.display());
        Err(io::Error::new(io::ErrorKind::NotFound, problem))
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    let file = std::fs::metadata(path)?;
    Ok((file.dev(), file.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_gone_or_replaced_is_noticed_and_one_that_is_back_is_well() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("rbs.db"), folder.path().join("aside"));
        assert!(File::open(&path).is_err());
        std::fs::write(&path, "one").unwrap();
        let file = File::open(&path).unwrap();
        std::fs::write(&path, "one and more").unwrap();
        file.check().unwrap();
        std::fs::rename(&path, &aside).unwrap();
        let gone = file.check().unwrap_err().to_string();
        assert!(gone.contains("rbs.db is gone"), "{gone}");
        std::fs::write(&path, "another").unwrap();
        let replaced = file.check().unwrap_err().to_string();
        assert!(replaced.contains("start RBS again"), "{replaced}");
        std::fs::rename(&aside, &path).unwrap();
        file.check().unwrap();
    }
}
