//! The game folder and its files.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Bed;

impl Bed {
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write_file(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Content of a file; empty if the file does not exist.
    pub fn file(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    pub fn files(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let names = entries.map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// A game folder with the plugin's files, as in the release archive.
pub(super) fn game_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin");
    for part in ["translations", "configs"] {
        copy(
            &source.join(part),
            &folder.path().join("addons/sourcemod").join(part),
        );
    }
    for made in ["addons/sourcemod/data", "cfg/sourcemod"] {
        std::fs::create_dir_all(folder.path().join(made)).expect("a folder");
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    let entries =
        std::fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    for entry in entries {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
