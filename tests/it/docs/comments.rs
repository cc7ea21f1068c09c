//! Doc comments that nobody could understand alone, found by how they begin and by their length.

use std::fs;
use std::path::Path;

use crate::layers::files;

/// First words of a sentence whose subject is in the code or in the line above.
const VAGUE: [&str; 12] = [
    "What ",
    "Who ",
    "Whom ",
    "Whose ",
    "Whether ",
    "Those ",
    "That of ",
    "The same ",
    "As sent",
    "Likewise",
    "There is none",
    "It ",
];

/// Fewest words that say more than a name.
const MIN_WORDS: usize = 4;

#[test]
fn a_doc_comment_makes_sense_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "tests", "benches", "crates", "examples"];
    let mut faults = Vec::new();
    let mut comments = 0;
    for file in folders.iter().flat_map(|folder| files(&root.join(folder))) {
        let text = fs::read_to_string(&file).expect("a file");
        for (line, comment) in doc_comments(&text) {
            comments += 1;
            let words = comment.split_whitespace().count();
            let place = format!("{}:{line}", file.display());
            if VAGUE.iter().any(|vague| comment.starts_with(vague)) {
                faults.push(format!(
                    "{place}: begin with a noun or a verb, not as in \"{comment}\""
                ));
            } else if words < MIN_WORDS {
                faults.push(format!(
                    "{place}: say more than \"{comment}\", or delete the comment"
                ));
            }
        }
    }
    assert!(comments > 3_000, "only {comments} doc comments were found");
    assert!(
        faults.is_empty(),
        "{} doc comments:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Doc comments of a source file, each as one line of text, with the number of its first line.
fn doc_comments(text: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start();
        let Some(said) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            is_open = false;
            continue;
        };
        if is_open && let Some((_, comment)) = comments.last_mut() {
            comment.push(' ');
            comment.push_str(said.trim());
        } else {
            comments.push((number, said.trim().to_owned()));
        }
        is_open = true;
    }
    comments
}
