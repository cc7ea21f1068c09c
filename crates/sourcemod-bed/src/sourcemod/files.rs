//! Files in the game folder (`core/logic/smn_filesystem.cpp`). Paths are relative to the game folder, except paths from
//! `BuildPath`.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::handles::Object;
use super::{DONE, Natives, Plugin, complain};
use crate::machine::Answer;

/// The game folder, and simulated disk faults.
#[derive(Debug)]
pub struct Files {
    root: PathBuf,
    /// While `true`, writes fail as on a full disk.
    pub full: bool,
}

/// An open file with its mode.
#[derive(Debug)]
pub struct OpenFile {
    file: fs::File,
    at_end: bool,
    writes: bool,
}

impl Files {
    pub fn new(root: PathBuf) -> Self {
        Self { root, full: false }
    }

    /// Resolves a path of the plugin.
    pub fn path(&self, path: &str) -> PathBuf {
        let path = Path::new(path);
        path.strip_prefix("/")
            .map_or_else(|_| self.root.join(path), |_| path.to_owned())
    }
}

pub const NATIVES: Natives = &[
    ("BuildPath", build_path),
    ("OpenFile", open),
    ("FileExists", exists),
    ("FileSize", size),
    ("DirExists", folder_exists),
    ("DeleteFile", delete),
    ("RenameFile", rename),
    ("CreateDirectory", create_folder),
    ("RemoveDir", remove_folder),
    ("OpenDirectory", open_folder),
    ("DirectoryListing.GetNext", next_entry),
    ("File.ReadLine", read_line),
    ("File.ReadString", read_text),
    ("File.WriteLine", write_line),
    ("File.WriteString", write_text),
    ("File.EndOfFile", end_of_file),
    ("File.Flush", flush),
    ("File.Size", open_size),
    ("WriteFileLine", write_line),
    ("ReadFileLine", read_line),
    ("IsEndOfFile", end_of_file),
    ("GetGameFolderName", game_folder),
];

/// Prefixes a path with the folder of SourceMod (`Path_SM`), relative to the game folder.
fn build_path(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.format(arguments, 3)?;
    let whole = match arguments[0] {
        0 => format!("addons/sourcemod/{path}"),
        kind => return complain(format!("the test bed has no paths of kind {kind}")),
    };
    plugin.write(arguments[1], arguments[2], &whole)
}

/// Returns `null` if the file does not exist.
fn open(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (path, mode) = (plugin.text(arguments[0])?, plugin.text(arguments[1])?);
    let path = plugin.host.files.path(&path);
    let mut options = fs::OpenOptions::new();
    match mode.trim_end_matches(['b', 't']) {
        "r" => options.read(true),
        "w" => options.write(true).create(true).truncate(true),
        "a" => options.append(true).create(true),
        "r+" => options.read(true).write(true),
        "a+" => options.read(true).append(true).create(true),
        _ => return complain(format!("the test bed does not open files as {mode:?}")),
    };
    let writes = !mode.starts_with('r') || mode.contains('+');
    match options.open(path) {
        Ok(file) if file.metadata().is_ok_and(|about| about.is_file()) => {
            let file = OpenFile {
                file,
                at_end: false,
                writes,
            };
            Ok(plugin.host.handles.add(Object::File(file)))
        }
        _ => Ok(0),
    }
}

fn exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    Ok(i32::from(plugin.host.files.path(&path).is_file()))
}

fn size(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    let about = fs::metadata(plugin.host.files.path(&path));
    Ok(about.map_or(-1, |about| i32::try_from(about.len()).unwrap_or(i32::MAX)))
}

fn folder_exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    Ok(i32::from(plugin.host.files.path(&path).is_dir()))
}

fn delete(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    Ok(i32::from(
        fs::remove_file(plugin.host.files.path(&path)).is_ok(),
    ))
}

/// Takes the new name first. Replaces an existing file, as on Linux.
fn rename(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (to, from) = (plugin.text(arguments[0])?, plugin.text(arguments[1])?);
    let files = &plugin.host.files;
    Ok(i32::from(
        fs::rename(files.path(&from), files.path(&to)).is_ok(),
    ))
}

/// Creates one folder; the parent folder must exist.
fn create_folder(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    Ok(i32::from(
        fs::create_dir(plugin.host.files.path(&path)).is_ok(),
    ))
}

fn remove_folder(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    Ok(i32::from(
        fs::remove_dir(plugin.host.files.path(&path)).is_ok(),
    ))
}

fn open_folder(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let path = plugin.text(arguments[0])?;
    let Ok(entries) = fs::read_dir(plugin.host.files.path(&path)) else {
        return Ok(0);
    };
    let names = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(plugin.host.handles.add(Object::Directory(names, 0)))
}

/// Also returns the kind of the entry: 1 for a folder, 2 for a file.
fn next_entry(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let Some(Object::Directory(names, place)) = plugin.host.handles.get_mut(arguments[0]) else {
        return complain(format!(
            "Invalid directory handle {:x} (error 3)",
            arguments[0]
        ));
    };
    let Some(name) = names.get(*place).cloned() else {
        return Ok(0);
    };
    *place += 1;
    plugin.write(arguments[1], arguments[2], &name)?;
    if arguments.len() > 3 {
        plugin.memory.store(arguments[3], 2)?;
    }
    Ok(1)
}

/// Reads a line with its line break. Splits lines that are longer than the buffer.
fn read_line(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let room = usize::try_from(arguments[2] - 1).unwrap_or(0);
    let open = plugin.host.handles.file_mut(arguments[0])?;
    let mut line = Vec::new();
    while line.len() < room {
        let mut byte = [0];
        if !matches!(open.file.read(&mut byte), Ok(1)) {
            open.at_end = true;
            break;
        }
        line.push(byte[0]);
        if byte[0] == b'\n' {
            break;
        }
    }
    if line.is_empty() {
        return Ok(0);
    }
    let end = line
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(line.len());
    plugin
        .memory
        .write_text(arguments[1], arguments[2], &line[..end])?;
    Ok(1)
}

fn read_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let room = usize::try_from(arguments[2] - 1).unwrap_or(0);
    let mut bytes = vec![0; room];
    let open = plugin.host.handles.file_mut(arguments[0])?;
    let read = open.file.read(&mut bytes).unwrap_or(0);
    open.at_end |= read < room;
    plugin
        .memory
        .write_text(arguments[1], arguments[2], &bytes[..read])
}

fn write(plugin: &mut Plugin, handle: i32, bytes: &[u8]) -> Answer {
    let full = plugin.host.files.full;
    let open = plugin.host.handles.file_mut(handle)?;
    Ok(i32::from(
        open.writes && !full && open.file.write_all(bytes).is_ok(),
    ))
}

fn write_line(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let mut line = plugin.format_bytes(arguments, 1)?;
    line.push(b'\n');
    write(plugin, arguments[0], &line)
}

/// Writes a text, with its NUL if requested.
fn write_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let mut text = plugin.memory.text(arguments[1])?.to_vec();
    if arguments[2] != 0 {
        text.push(0);
    }
    write(plugin, arguments[0], &text)
}

/// `true` only after a read past the end.
fn end_of_file(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(plugin.host.handles.file(arguments[0])?.at_end))
}

fn flush(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let full = plugin.host.files.full;
    let open = plugin.host.handles.file_mut(arguments[0])?;
    Ok(i32::from(!full && open.file.flush().is_ok()))
}

fn open_size(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let open = plugin.host.handles.file_mut(arguments[0])?;
    let place = open.file.stream_position().unwrap_or(0);
    let end = open.file.seek(SeekFrom::End(0)).unwrap_or(0);
    let _back = open.file.seek(SeekFrom::Start(place));
    Ok(i32::try_from(end).unwrap_or(i32::MAX))
}

fn game_folder(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.write(arguments[0], arguments[1], "tf")?;
    DONE
}
