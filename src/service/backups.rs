//! Time of the last backup. `rbs backup` runs in another process, so the service looks for backup files in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::Service;
use crate::domain::{BackupName, Timestamp};

impl Service {
    /// Sets the folder in which the service looks for backups. Without a folder, the service looks for none.
    #[must_use]
    pub fn with_backup_folder(mut self, folder: Option<PathBuf>) -> Self {
        self.backup_folder = folder.map(Arc::from);
        self
    }

    pub(super) async fn measure_backups(&self) {
        let Some(folder) = self.backup_folder.clone() else {
            return;
        };
        let shown = folder.display().to_string();
        let looking = tokio::task::spawn_blocking(move || latest(&folder));
        match looking.await.map_err(io::Error::other).flatten() {
            Ok(at) => self.metrics.set_last_backup(at),
            Err(error) => {
                // Nobody can rely on backups in a folder that cannot be read.
                self.metrics.set_last_backup(None);
                tracing::warn!(%error, folder = shown, "Cannot read the backup folder; check the setting backup_folder");
            }
        }
    }
}

/// Returns the time of the latest backup in the folder. Backup files get their names only once they are complete.
fn latest(folder: &Path) -> io::Result<Option<Timestamp>> {
    let mut latest = None;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        // The first backup creates the folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let backup = BackupName::parse(&entry.file_name().to_string_lossy());
        if backup > latest && entry.file_type()?.is_file() {
            latest = backup;
        }
    }
    Ok(latest.map(|BackupName(at)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_file_counts_and_what_is_no_backup_does_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(latest(folder.path()).unwrap(), None);
        let at = |seconds| Timestamp::from_unix_seconds(seconds).unwrap();
        let path = |seconds| folder.path().join(BackupName(at(seconds)).to_string());
        for seconds in [1_795_000_000, 1_795_090_000, 1_795_000_001] {
            fs::write(path(seconds), "").unwrap();
        }
        fs::create_dir(path(1_796_000_000)).unwrap();
        fs::write(
            folder
                .path()
                .join(".rbs-2026-12-31T000000Z.backup.gz.partial"),
            "",
        )
        .unwrap();
        assert_eq!(latest(folder.path()).unwrap(), Some(at(1_795_090_000)));
        assert_eq!(latest(&folder.path().join("nowhere")).unwrap(), None);
        assert!(latest(&path(1_795_000_000)).is_err());
    }
}
