//! Manual pages and shell completions, generated from the description of the command line.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::program;
use super::terminal::output::print;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rbs man | man -l -
  rbs man --to ~/.local/share/man/man1")]
pub(super) struct Manual {
    /// Write all pages into this folder: rbs.1, and one per command, such as rbs-import.1
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

impl Manual {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // Clap adds `help` itself; it needs no page.
        let mut pages = program().disable_help_subcommand(true);
        pages.build();
        if let Some(folder) = self.to {
            return clap_mangen::generate_to(pages, &folder).with_context(|| {
                format!(
                    "cannot write the manual pages into {}; --to must name an existing \
                     folder that can be written",
                    folder.display()
                )
            });
        }
        let mut page = Vec::new();
        Man::new(pages)
            .render(&mut page)
            .context("cannot make the manual page")?;
        print(&page).context("cannot write the manual page")
    }
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rbs completions bash >~/.local/share/bash-completion/completions/rbs
  rbs completions zsh >~/.zfunc/_rbs
  rbs completions fish >~/.config/fish/completions/rbs.fish")]
pub(super) struct Completions {
    /// Shell to complete commands in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        generate(self.shell, &mut program(), "rbs", &mut script);
        print(&script).context("cannot write the completions")
    }
}
