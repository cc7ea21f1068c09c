//! Checks ARCHITECTURE.md against the source files.

use std::path::Path;

const PAGE: &str = include_str!("../../../ARCHITECTURE.md");

fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_file_that_it_names_is_there() {
    let named: Vec<&str> = PAGE
        .lines()
        .flat_map(quoted)
        .filter(|text| text.starts_with("src/") || text.starts_with("tests/"))
        .collect();
    assert!(named.len() > 20, "only {} files are named", named.len());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in named {
        assert!(root.join(file).exists(), "there is no {file}");
    }
}
