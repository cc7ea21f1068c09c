use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use maud::Markup;

use crate::plots;

#[derive(Debug, Args)]
pub(crate) struct EvaluateWithPlots {
    #[command(flatten)]
    evaluate: rbs::cli::evaluate::Evaluate,
    /// Write a page of plots, for a browser, into this file; one that is there already is replaced
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

impl EvaluateWithPlots {
    /// Prints the output of `rbs evaluate` for the files, and writes the page.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut sections: Vec<Markup> = Vec::new();
        self.evaluate.evaluate_files(|evaluated| {
            sections.push(plots::section(evaluated));
        })?;
        std::fs::write(&self.html, plots::page(&sections))
            .with_context(|| format!("cannot write the page {}", self.html.display()))
    }
}
