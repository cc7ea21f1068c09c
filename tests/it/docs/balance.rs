//! The table of the documents' rows in benches/balance.md.

use std::fs;
use std::path::Path;

use crate::layers::files;

const DOCUMENTS: &str = include_str!("../../../benches/balance.md");

#[test]
fn every_test_that_the_page_on_balance_names_is_there() {
    let rows = DOCUMENTS
        .lines()
        .skip_while(|line| !line.starts_with("| document"));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut code = String::new();
    for file in ["src", "tests/it", "crates"]
        .into_iter()
        .flat_map(|folder| files(&root.join(folder)))
    {
        code.push_str(&fs::read_to_string(file).expect("a file"));
    }
    let mut named = 0;
    for row in rows {
        let tests = row.split('|').nth(4).expect("four columns");
        for name in tests.split('`').skip(1).step_by(2) {
            // A macro generates two tests from each function for both databases.
            assert!(
                code.contains(&format!("fn {name}(")),
                "there is no test {name}"
            );
            named += 1;
        }
    }
    assert!(named >= 17, "only {named} tests are named");
}
