//! Entry point of the `rbs` command.

use std::io;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match rbs::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If nobody reads standard error, the exit code still reports the error.
            let _unread = writeln!(io::stderr(), "rbs: {}", rbs::cli::explain(&error));
            rbs::cli::exit_code(&error)
        }
    }
}
