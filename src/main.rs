//! The `rbs` command.

use std::io;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match rbs::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody reads it, there is still the exit code.
            let _unread = writeln!(io::stderr(), "rbs: {}", rbs::cli::explain(&error));
            rbs::cli::exit_code(&error)
        }
    }
}
