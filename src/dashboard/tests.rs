use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{FILES, file};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dashboard/page")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn the_page_loads_what_is_there() {
    let page = file("index.html").expect("the page");
    let page = std::str::from_utf8(page.content).expect("text");
    let docs = include_str!("docs/index.html");
    let named: BTreeSet<&str> = page
        .split('"')
        .chain(docs.split('"'))
        .filter_map(|text| text.strip_prefix("/assets/"))
        .collect();
    let others = [
        "index.html",
        "public.css",
        "swagger-ui-license",
        "uplot-license",
    ];
    let needed = FILES.keys().copied().filter(|path| !others.contains(path));
    assert_eq!(named, needed.collect());
}

#[test]
fn no_file_of_ours_names_another_host_or_puts_markup_together() {
    for path in sources(&folder()) {
        let text = std::fs::read_to_string(&path).expect("text");
        let path = path.display();
        let text = text
            // The name of the SVG namespace, which no browser loads.
            .replace("http://www.w3.org/2000/svg", "")
            // Links to players' profiles, from which the page loads nothing.
            .replace("https://steamcommunity.com/profiles/", "");
        for refused in [
            "http://",
            "https://",
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "style=",
        ] {
            assert!(!text.contains(refused), "{path} has {refused}");
        }
        assert!(
            text.lines().count() <= 400,
            "{path} is too long to read in one go"
        );
    }
}
