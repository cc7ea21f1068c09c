use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::domain::{BackupName, Timestamp};

pub(super) fn file_in(folder: &Path, at: Timestamp) -> PathBuf {
    folder.join(BackupName(at).to_string())
}

/// Deletes old backups of a folder, and returns their paths. Keeps `keep` backups: the one just `made`, and the latest
/// others by name. Ignores files with other names, and everything that is not a file.
pub(super) fn keep_latest(folder: &Path, keep: usize, made: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("cannot read the folder {}", folder.display());
    let mut backups = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().with_context(failed)?);
        let name = entry.file_name();
        // If the clock was set back, the new backup's name is not the latest.
        if kind.is_file()
            && Some(&*name) != made.file_name()
            && BackupName::parse(&name.to_string_lossy()).is_some()
        {
            backups.push(path);
        }
    }
    // Names are in order of the times in them.
    backups.sort();
    backups.truncate((backups.len() + 1).saturating_sub(keep));
    for path in &backups {
        let removed = fs::remove_file(path);
        removed.with_context(|| format!("cannot delete the old backup {}", path.display()))?;
    }
    Ok(backups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_stay_and_so_does_what_is_no_backup() {
        let folder = tempfile::tempdir().unwrap();
        let at = |seconds| Timestamp::from_unix_seconds(seconds).unwrap();
        let paths: Vec<PathBuf> = [0, 1_795_000_000, 1_795_000_001, 1_795_090_000]
            .into_iter()
            .map(|seconds| file_in(folder.path(), at(seconds)))
            .collect();
        let others = [
            "rbs-2020.backup.gz",
            "rbs.db",
            "rbs-2026-11-18T110640Z.backup.gz.old",
        ]
        .map(|name| folder.path().join(name));
        for path in paths.iter().chain(&others) {
            fs::write(path, "").unwrap();
        }
        fs::create_dir(file_in(folder.path(), at(1))).unwrap();
        let kept = keep_latest(folder.path(), 4, &paths[3]).unwrap();
        assert_eq!(kept, [""; 0].map(PathBuf::from));
        let gone = keep_latest(folder.path(), 2, &paths[3]).unwrap();
        assert_eq!(gone, paths[..2]);
        assert!(paths[2..].iter().chain(&others).all(|path| path.exists()));
        assert!(!paths[..2].iter().any(|path| path.exists()));
        // The new backup is kept, whatever its name.
        let gone = keep_latest(folder.path(), 1, &paths[2]).unwrap();
        assert_eq!(gone, paths[3..]);
        assert!(paths[2].exists() && file_in(folder.path(), at(1)).is_dir());
    }
}
