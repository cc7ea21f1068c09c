//! ARCHITECTURE.md against the code.

use std::path::Path;

use super::MAY_KNOW;

const PAGE: &str = include_str!("../../../ARCHITECTURE.md");

/// The texts in backticks, of one line or cell.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn its_table_of_rooms_has_the_rules_that_are_checked() {
    let written: Vec<(&str, Vec<&str>)> = PAGE
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            (quoted(cells[1])[0], quoted(cells[3]))
        })
        .collect();
    let checked: Vec<(&str, Vec<&str>)> = MAY_KNOW
        .iter()
        .map(|(room, allowed)| (*room, allowed.to_vec()))
        .collect();
    assert_eq!(written, checked);
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
