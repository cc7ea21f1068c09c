use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;

use super::{FILES, file, files};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/dashboard"))
}

/// Every file under `folder`, by its path from there.
fn found(folder: &Path, before: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry"));
    entries
        .flat_map(|entry| {
            let name = entry.file_name().into_string().expect("a name");
            if entry.path().is_dir() {
                found(&entry.path(), &format!("{before}{name}/"))
            } else {
                BTreeSet::from([format!("{before}{name}")])
            }
        })
        .collect()
}

#[test]
fn every_file_of_the_page_is_built_in() {
    let mut there = found(&folder().join("page"), "page/");
    there.extend(found(&folder().join("vendor"), "vendor/"));
    let built_in = files::FILES.iter().map(|(path, _)| (*path).to_owned());
    assert_eq!(built_in.collect::<BTreeSet<_>>(), there);
}

#[test]
fn the_compressed_form_holds_the_same_and_is_smaller() {
    for (path, file) in FILES.iter() {
        let gzip = file
            .gzip
            .as_ref()
            .unwrap_or_else(|| panic!("{path} is not compressed"));
        assert!(gzip.len() < file.plain.len(), "{path}");
        let mut read = Vec::new();
        let ended = GzDecoder::new(gzip.as_slice()).read_to_end(&mut read);
        ended.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(read, file.plain, "{path}");
    }
}

#[test]
fn another_content_has_another_tag() {
    let tags: BTreeSet<_> = FILES.values().map(|file| &file.tag).collect();
    assert_eq!(tags.len(), FILES.len());
}

#[test]
fn the_page_loads_every_module_and_style_at_once_and_nothing_that_is_not_there() {
    let page = file("page/index.html").expect("the page");
    let page = std::str::from_utf8(page.plain).expect("text");
    let named: BTreeSet<&str> = page
        .split('"')
        .filter_map(|text| text.strip_prefix("/assets/"))
        .collect();
    let needed = FILES.keys().copied().filter(|path| {
        let ending = Path::new(path).extension();
        ending.is_some_and(|ending| ending == "js" || ending == "css" || ending == "svg")
    });
    assert_eq!(named, needed.collect());
}

#[test]
fn no_file_of_ours_names_another_host_or_puts_markup_together() {
    for (path, file) in FILES.iter().filter(|(path, _)| path.starts_with("page/")) {
        let text = std::str::from_utf8(file.plain).expect("text");
        // The one address that is a name and leads nowhere: that of SVG elements.
        let text = text.replace("http://www.w3.org/2000/svg", "");
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
