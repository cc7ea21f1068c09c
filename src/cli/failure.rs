use std::process::ExitCode;

use super::remote::Unsuccessful;
use super::signals::{Interrupted, InterruptedBehindRestore};

/// Describes an error in one sentence, followed by its causes. Causes that only repeat earlier text are left out.
#[must_use]
pub fn explain(error: &anyhow::Error) -> String {
    let mut sentence = String::new();
    for cause in error.chain() {
        let cause = without_source_line(&cause.to_string()).to_owned();
        if sentence.is_empty() {
            sentence = cause;
        } else if !sentence.contains(&cause) {
            sentence = format!("{sentence}: {cause}");
        }
    }
    sentence
}

/// Removes the source line that the PostgreSQL driver appends to error messages.
fn without_source_line(sentence: &str) -> &str {
    let parts = sentence.rsplit_once(" at line ");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts
        .filter(|(_, line)| is_number(line))
        .map_or(sentence, |(words, _)| words)
}

/// Returns the exit code for an error: 130 for a signal, as shells report it; 3, 4 or 5 for a running service that did
/// not do what was asked; else 1. Clap itself ends the program with 2 if the command line is invalid.
#[must_use]
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    if error.is::<Interrupted>() || error.is::<InterruptedBehindRestore>() {
        return ExitCode::from(130);
    }
    match error.downcast_ref() {
        None => ExitCode::FAILURE,
        Some(Unsuccessful::NotFound(_)) => ExitCode::from(3),
        Some(Unsuccessful::Refused(_)) => ExitCode::from(4),
        Some(Unsuccessful::Unreachable(_)) => ExitCode::from(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_lines_and_repeated_causes_are_left_out() {
        let nested = |causes: [&'static str; 3]| {
            let error = anyhow::anyhow!(causes[2]).context(causes[1]);
            explain(&error.context(causes[0]))
        };
        assert_eq!(
            nested([
                "cannot open it at line 5, or there",
                "error returned from database: database \"nodb\" does not exist at line 948",
                "database \"nodb\" does not exist at line 948",
            ]),
            "cannot open it at line 5, or there: error returned from database: database \"nodb\" does not exist"
        );
        let cause = "(code: 14) unable to open";
        let said = "the database said (code: 14) unable to open";
        assert_eq!(
            nested(["cannot start", said, cause]),
            format!("cannot start: {said}")
        );
    }
}
