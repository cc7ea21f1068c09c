use std::fmt;
use std::fmt::Write as _;

use clap::Args;
use console::{Style, Term};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use serde_json::json;
use ureq::http::Method;

use super::remote::{Address, Path, Target};
use super::terminal::figures::moment;
use super::terminal::output::Output;
use super::terminal::screen::Tone;
use crate::api::LoginLinkAnswer;
use crate::config::Flags;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The link works once, within five minutes. The session has the rights of the secret that made the link, and
ends when that secret is removed.

Examples:
  rbs login-link --base https://rbs.example.org
  rbs login-link --url https://rbs.example.org --secret-file admin.secret")]
pub(super) struct LoginLink {
    /// Address at which the browser reaches the service [default: the address that this command uses]
    #[arg(long, value_name = "URL")]
    base: Option<Address>,
    #[command(flatten)]
    target: Target,
}

impl LoginLink {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        let address = self.base.as_ref().unwrap_or(&client.address);
        let path = Path::at("/v1/admin/login-links");
        let asked = json!({"address": address.to_string()});
        // A repeated request makes one more link, which does no harm.
        let answer = client.change(&Method::POST, &path, &asked)?;
        let is_local = address.is_loopback();
        answer.print(self.target.format, |answer, text| {
            write_link(answer, is_local, text)
        })
    }
}

fn write_link(answer: &LoginLinkAnswer, is_local: bool, text: &mut Output) -> fmt::Result {
    writeln!(text, "{}", answer.url)?;
    if Term::stdout().is_term() {
        let code = QrCode::with_error_correction_level(&answer.url, EcLevel::L)
            .map_err(|_| fmt::Error)?
            .render::<Dense1x2>()
            .build();
        // Black on white, whatever the colours of the terminal.
        let style = Style::from_dotted_str("black.on_white.on_bright").force_styling(true);
        for line in code.lines() {
            writeln!(text, "{}", style.apply_to(line))?;
        }
    }
    let until = moment(answer.expires_at);
    writeln!(text, "Works once, until {until} UTC")?;
    if is_local {
        let warning = "Only this machine can reach this address; for another device, use --base \
                       with an address that the device can reach";
        writeln!(text, "{}", Tone::Warning.paint(warning))?;
    }
    Ok(())
}
