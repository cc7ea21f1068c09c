//! Compiles the plugin with scripts/plugin.sh, which downloads the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use crate::machine::Image;

/// Environment variable with the path of another compiler, as in scripts/plugin.sh.
const COMPILER: &str = "SPCOMP";
/// Environment variable with the folder of that compiler's includes.
const INCLUDES: &str = "SPCOMP_INCLUDE";
/// Output folder of scripts/plugin.sh, below the build folder.
const FOLDER: &str = "plugin";

/// Returns the plugin for Team Fortress 2, compiled once per test run.
pub fn plugin() -> Arc<Image> {
    static PLUGIN: OnceLock<Arc<Image>> = OnceLock::new();
    build(&PLUGIN, "rbs.smx")
}

/// Returns the plugin that only rates, compiled once per test run.
pub fn reporter() -> Arc<Image> {
    static REPORTER: OnceLock<Arc<Image>> = OnceLock::new();
    build(&REPORTER, "rbs-reporter.smx")
}

fn build(image: &OnceLock<Arc<Image>>, name: &str) -> Arc<Image> {
    Arc::clone(image.get_or_init(|| {
        prepare();
        read(&folder().join(name))
    }))
}

/// Compiles a program that uses only the includes of the compiler and of ripext.
pub fn compile(source: &str) -> Arc<Image> {
    prepare();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.sp");
    std::fs::write(&path, source).expect("the program is written");
    let target = folder.path().join("program.smx");
    let compiler = compiler();
    let done = Command::new(&compiler)
        .arg("-E")
        .arg(format!("-i{}", includes(&compiler).display()))
        .arg(format!("-i{}", root().join("plugin/ci/include").display()))
        .arg(format!("-o{}", target.display()))
        .arg(&path)
        .output();
    let done = done.unwrap_or_else(|error| panic!("{}: {error}", compiler.display()));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}\n{source}");
    read(&target)
}

/// Runs scripts/plugin.sh, which downloads the compiler if necessary and compiles the plugin.
fn prepare() {
    static PREPARED: OnceLock<Result<(), String>> = OnceLock::new();
    let prepared = PREPARED.get_or_init(|| {
        let done = Command::new(root().join("scripts/plugin.sh"))
            .output()
            .map_err(|error| error.to_string())?;
        if done.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    });
    if let Err(why) = prepared {
        panic!("the tests of the plugin need it compiled, and scripts/plugin.sh fails:\n{why}");
    }
}

fn read(path: &Path) -> Arc<Image> {
    let file = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Arc::new(Image::parse(&file).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Root of the repository.
fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("crates/sourcemod-bed")
}

/// Folder with the output of scripts/plugin.sh.
fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    root()
        .join(target.unwrap_or_else(|| "target".into()))
        .join(FOLDER)
}

fn compiler() -> PathBuf {
    std::env::var_os(COMPILER).map_or_else(|| folder().join("compiler/spcomp"), PathBuf::from)
}

/// Folder of the includes, by default the one next to the compiler.
fn includes(compiler: &Path) -> PathBuf {
    std::env::var_os(INCLUDES).map_or_else(|| compiler.with_file_name("include"), PathBuf::from)
}
