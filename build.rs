//! Build script that bundles the dashboard's scripts into one file and its styles into another, so that a browser on a
//! slow connection sends two requests instead of sixty.
//!
//! The scripts of `src/dashboard/page` are ES modules. Each becomes a function that is called once, after the modules
//! that it imports, and returns its exports. Only two forms of import and export are supported, each on one line; any
//! other fails the build with the file's name:
//!
//! ```js
//! import { one, other as renamed } from "./file.js";
//! export const, export class, export function or export async function
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const FOLDER: &str = "src/dashboard";

/// Path of the script before the modules: a library that is not a module.
const LIBRARY: &str = "vendor/uplot/uPlot.iife.min.js";

/// Paths of the dashboard's styles, in order: a later one overrides an earlier one of equal specificity.
const STYLES: [&str; 7] = [
    "vendor/uplot/uPlot.min.css",
    "page/styles/tokens.css",
    "page/styles/layout.css",
    "page/styles/parts.css",
    "page/styles/tables.css",
    "page/styles/charts.css",
    "page/styles/scramble.css",
];

/// Paths of the styles of the public pages, which have no script.
const PUBLIC_STYLES: [&str; 4] = [
    "page/styles/tokens.css",
    "page/styles/parts.css",
    "page/styles/tables.css",
    "public/public.css",
];

/// Path of the module that starts the dashboard.
const MAIN: &str = "page/main.js";

/// Path of a script that runs before the first paint, so it is not part of the bundle.
const BEFORE_PAINT: &str = "page/theme_first.js";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}/page");
    println!("cargo::rerun-if-changed={FOLDER}/public");
    println!("cargo::rerun-if-changed={FOLDER}/vendor");
    let folder = Path::new(FOLDER);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);

    let mut modules = BTreeMap::new();
    let mut styles = BTreeSet::new();
    read(folder, Path::new("page"), &mut modules, &mut styles)?;
    modules.remove(BEFORE_PAINT);
    let listed = STYLES.iter().filter(|path| path.starts_with("page/"));
    let listed: BTreeSet<String> = listed.map(|path| (*path).to_owned()).collect();
    if listed != styles {
        return Err(
            format!("build.rs lists the styles {listed:?}, and there are {styles:?}").into(),
        );
    }

    let mut script = fs::read_to_string(folder.join(LIBRARY))?;
    script.push('\n');
    let mut bundle = Bundle {
        modules: &modules,
        done: BTreeSet::new(),
        under_way: Vec::new(),
        script,
    };
    bundle.add(MAIN)?;
    if let Some(unused) = modules.keys().find(|path| !bundle.done.contains(*path)) {
        return Err(format!("{FOLDER}/{unused} is imported by nothing that {MAIN} needs").into());
    }
    fs::write(out.join("app.js"), bundle.script)?;

    fs::write(out.join("app.css"), joined(folder, &STYLES)?)?;
    fs::write(out.join("public.css"), joined(folder, &PUBLIC_STYLES)?)?;
    Ok(())
}

/// Returns the texts of the files at `paths` in `folder`, one after another.
fn joined(folder: &Path, paths: &[&str]) -> Result<String> {
    let mut joined = String::new();
    for path in paths {
        writeln!(joined, "{}", fs::read_to_string(folder.join(path))?)?;
    }
    Ok(joined)
}

/// Reads every script under `place` into `modules`, and the paths of the styles into `styles`.
fn read(
    folder: &Path,
    place: &Path,
    modules: &mut BTreeMap<String, String>,
    styles: &mut BTreeSet<String>,
) -> Result<()> {
    for entry in fs::read_dir(folder.join(place))? {
        let entry = entry?;
        let path = place.join(entry.file_name());
        let name = path.to_str().ok_or("a file's name is no text")?.to_owned();
        if entry.file_type()?.is_dir() {
            read(folder, &path, modules, styles)?;
        } else if path.extension().is_some_and(|ending| ending == "js") {
            modules.insert(name, fs::read_to_string(entry.path())?);
        } else if path.extension().is_some_and(|ending| ending == "css") {
            styles.insert(name);
        }
    }
    Ok(())
}

struct Bundle<'a> {
    modules: &'a BTreeMap<String, String>,
    done: BTreeSet<String>,
    /// Paths of the modules whose imports are still being added to the bundle.
    under_way: Vec<String>,
    script: String,
}

impl Bundle<'_> {
    /// Adds the module at `path` to the bundle, after all modules that it imports.
    fn add(&mut self, path: &str) -> Result<()> {
        if self.done.contains(path) {
            return Ok(());
        }
        if self.under_way.iter().any(|waiting| waiting == path) {
            return Err(format!(
                "the modules {:?} and {path} import each other",
                self.under_way
            )
            .into());
        }
        let text = self.modules.get(path).ok_or_else(|| {
            format!(
                "{:?} imports {path}, which is not there",
                self.under_way.last()
            )
        })?;
        self.under_way.push(path.to_owned());
        let mut body = String::new();
        let mut exports = Vec::new();
        let lines = text.lines().enumerate();
        for (index, line) in lines.filter(|(_, line)| !is_comment(line)) {
            let refused = || {
                format!(
                    "{FOLDER}/{path}:{}: build.rs does not understand this: {line}",
                    index + 1
                )
            };
            if line.starts_with("import ") {
                let (names, from) = import(line).ok_or_else(refused)?;
                let from = resolve(path, from).ok_or_else(refused)?;
                self.add(&from)?;
                writeln!(
                    body,
                    "const {{ {} }} = {};",
                    names.replace(" as ", ": "),
                    variable(&from)
                )?;
            } else if let Some(exported) = line.strip_prefix("export ") {
                exports.push(exported_name(exported).ok_or_else(refused)?.to_owned());
                writeln!(body, "{exported}")?;
            } else {
                writeln!(body, "{line}")?;
            }
        }
        self.under_way.pop();
        self.done.insert(path.to_owned());
        writeln!(
            self.script,
            "// {path}\nconst {} = (() => {{",
            variable(path)
        )?;
        writeln!(
            self.script,
            "{body}return {{ {} }};\n}})();",
            exports.join(", ")
        )?;
        Ok(())
    }
}

/// Returns `true` if the line holds only a comment, which the browser does not need.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "*"]
        .iter()
        .any(|start| line.trim_start().starts_with(start))
}

/// Returns the names and the file of an import line.
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"")?;
    Some((names, from.strip_suffix("\";")?))
}

/// Returns the name that an export declares, from the text after `export`.
fn exported_name(declaration: &str) -> Option<&str> {
    let kinds = ["const ", "class ", "function ", "async function "];
    let name = kinds
        .iter()
        .find_map(|kind| declaration.strip_prefix(kind))?;
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    name.get(..end?).filter(|name| !name.is_empty())
}

/// Returns the path of the module that the module at `path` imports as `from`.
fn resolve(path: &str, from: &str) -> Option<String> {
    let mut resolved = Path::new(path).parent()?.to_path_buf();
    for part in Path::new(from).components() {
        match part {
            Component::Normal(name) => resolved.push(name),
            Component::ParentDir => drop(resolved.pop().then_some(())?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    resolved.to_str().map(str::to_owned)
}

/// Returns the name of the bundle's variable for the exports of the module at `path`.
fn variable(path: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    format!("${}", path.chars().map(letter).collect::<String>())
}
