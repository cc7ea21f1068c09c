use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

use super::Arguments;
use super::terminal::json::print;

/// `rbs completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  rbs completions bash >~/.local/share/bash-completion/completions/rbs
  rbs completions zsh >~/.zfunc/_rbs
  rbs completions fish >~/.config/fish/completions/rbs.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        generate(self.shell, &mut Arguments::command(), "rbs", &mut script);
        print(&script).context("cannot write the completions")
    }
}
