//! The `rbs` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    match rbs::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rbs: {error:#}");
            ExitCode::FAILURE
        }
    }
}
