use anyhow::Context as _;
use clap::Args;
use clap_complete::{Shell, generate};

use super::program;
use super::terminal::json::print;

/// `rbs completions`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
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
        generate(self.shell, &mut program(), "rbs", &mut script);
        print(&script).context("cannot write the completions")
    }
}
