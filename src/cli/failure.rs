//! How a failed command ends: its sentence and its exit code.

use std::process::ExitCode;

use super::remote::Unsuccessful;
use super::signals::{Interrupted, InterruptedBehindRestore};

/// Why the command failed, as one sentence: each cause behind what it led to, and none that only
/// repeats what is there already.
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

/// A sentence of PostgreSQL without the line of PostgreSQL's own source that its driver puts behind it.
fn without_source_line(sentence: &str) -> &str {
    let parts = sentence.rsplit_once(" at line ");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts
        .filter(|(_, line)| is_number(line))
        .map_or(sentence, |(words, _)| words)
}

/// 130 where the command was stopped by a signal, as a shell reports it; 3, 4 and 5 where a running
/// service did not do what it was asked; else 1. A command line that cannot be understood ends with
/// 2 before it gets here.
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
    fn the_line_of_the_databases_own_source_is_left_out() {
        let error = anyhow::anyhow!("database \"nodb\" does not exist at line 948")
            .context("error returned from database: database \"nodb\" does not exist at line 948")
            .context("cannot open it at line 5, or there");
        assert_eq!(
            explain(&error),
            "cannot open it at line 5, or there: error returned from database: database \"nodb\" does not \
             exist"
        );
    }

    #[test]
    fn a_cause_that_is_repeated_is_left_out() {
        let error = anyhow::anyhow!("(code: 14) unable to open")
            .context("the database said (code: 14) unable to open")
            .context("cannot start");
        assert_eq!(
            explain(&error),
            "cannot start: the database said (code: 14) unable to open"
        );
    }
}
