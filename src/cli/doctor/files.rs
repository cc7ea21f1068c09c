use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use super::Finding;
use crate::cli::database::{absolute, folder_of};
use crate::store::DatabaseUrl;

const FILE: &str = "database file";
const ROOM: &str = "disk";
/// Free disk space in bytes below which the disk may fill up within hours.
const LITTLE: u64 = 64 << 20;
const MIB: u64 = 1 << 20;

pub(super) fn check(database: &DatabaseUrl) -> Vec<Finding> {
    let DatabaseUrl::Sqlite { path } = database else {
        return Vec::new();
    };
    let folder = folder_of(path);
    if !folder.is_dir() {
        return vec![Finding::problem(
            FILE,
            format!("there is no folder {}", absolute(folder)),
            "make the folder, or set DATABASE_URL (database_url) to a file elsewhere",
        )];
    }
    let mut findings = vec![ownership(path, folder)];
    let size = fs::metadata(path).map_or(0, |file| file.len());
    if let Ok(room) = rustix::fs::statvfs(folder) {
        findings.push(disk_room(room.f_bavail.saturating_mul(room.f_frsize), size));
    }
    findings
}

fn ownership(path: &Path, folder: &Path) -> Finding {
    let me = geteuid().as_raw();
    let shown = absolute(path);
    // SQLite creates further files in the folder.
    if let Err(error) = tempfile::tempfile_in(folder) {
        return Finding::problem(
            FILE,
            format!(
                "this user ({me}) cannot create files in {}: {error}",
                absolute(folder)
            ),
            "run RBS as the owner of the folder, or chown the folder to this user",
        );
    }
    let Ok(file) = fs::metadata(path) else {
        return Finding::good(FILE, format!("{shown} is made at the first start"));
    };
    let owner = file.uid();
    for suffix in ["-wal", "-shm"] {
        let beside = PathBuf::from(format!("{}{suffix}", path.display()));
        let other = fs::metadata(&beside).map(|file| file.uid());
        if let Ok(other) = other
            && other != owner
        {
            return Finding::problem(
                FILE,
                format!(
                    "{} belongs to the user {other} and {shown} to {owner}: a command ran as another user",
                    absolute(&beside)
                ),
                format!(
                    "chown {owner} {}, and run every command as that user",
                    absolute(&beside)
                ),
            );
        }
    }
    if owner != me {
        return Finding::warning(
            FILE,
            format!("{shown} belongs to the user {owner}, but this command runs as {me}"),
            format!("run RBS and its commands as that user: sudo -u '#{owner}' rbs doctor"),
        );
    }
    let mode = file.mode();
    if mode & 0o200 == 0 {
        return Finding::problem(
            FILE,
            format!("{shown} is read-only"),
            format!("chmod u+w {shown}"),
        );
    }
    Finding::good(FILE, format!("{shown} belongs to this user"))
}

fn disk_room(free: u64, size: u64) -> Finding {
    let mib = free / MIB;
    let remedy = "free space, move old rounds into files elsewhere (rbs prune), or move the database to a larger disk";
    if free < LITTLE {
        let finding = format!(
            "{mib} MiB of disk space is free; if the disk is full, RBS cannot count rounds"
        );
        Finding::problem(ROOM, finding, remedy)
    } else if free < size + LITTLE {
        let size = size / MIB;
        let finding = format!(
            "{mib} MiB of disk space is free, and the database takes {size} MiB: a rebuild may need the same \
             amount again"
        );
        Finding::warning(ROOM, finding, remedy)
    } else {
        Finding::good(ROOM, format!("{mib} MiB of disk space is free"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::Status;

    #[test]
    fn a_disk_without_room_is_a_problem_before_it_is_full() {
        for (free, size, status) in [
            (LITTLE - 1, 0, Status::Problem),
            (LITTLE, 0, Status::Good),
            (LITTLE, 1, Status::Warning),
            (300 * MIB, 200 * MIB, Status::Good),
            (0, u64::MAX >> 1, Status::Problem),
        ] {
            assert_eq!(disk_room(free, size).status, status, "{free} {size}");
        }
    }
}
