use std::fmt;
use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::response::Parts;
use ureq::http::{HeaderName, StatusCode, header};

use crate::cli::terminal::output::{Format, Output, print};
use crate::config::{SecretSource, SecretToSend};
use crate::domain::FieldProblem;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsuccessful {
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    Unreachable(String),
}

pub(crate) struct Answer {
    pub(super) head: Parts,
    pub(super) body: String,
}

#[derive(Deserialize)]
struct Problem {
    detail: String,
    errors: Option<Vec<FieldProblem>>,
}

impl Answer {
    fn header(&self, name: HeaderName) -> Option<&str> {
        self.head.headers.get(name)?.to_str().ok()
    }

    /// Returns the time after which the service asks to send the request again, if it does.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let again = matches!(self.head.status.as_u16(), 429 | 503);
        let seconds = self
            .header(header::RETRY_AFTER)
            .and_then(|seconds| seconds.parse().ok());
        again.then(|| Duration::from_secs(seconds.unwrap_or(1)))
    }

    /// Returns the service's answer if it is a success, else an error. `secret` is the secret that was sent.
    pub(crate) fn accepted(self, secret: &SecretToSend) -> Result<Self, Unsuccessful> {
        let detail = || self.detail();
        Err(match self.head.status.as_u16() {
            200..=299 => return Ok(self),
            300..=399 => Unsuccessful::Unreachable(format!(
                "the service redirects to {}; give that address with --url or RBS_URL",
                self.header(header::LOCATION).unwrap_or("elsewhere")
            )),
            401 | 403 => Unsuccessful::Refused(format!(
                "{}; rbs sent the secret {}; give another secret with --secret-file or \
                 RBS_ADMIN_SECRET",
                detail(),
                place(&secret.source)
            )),
            404 => Unsuccessful::NotFound(detail()),
            429 => Unsuccessful::Unreachable(detail()),
            400..=499 => Unsuccessful::Refused(detail()),
            _ => Unsuccessful::Unreachable(detail()),
        })
    }

    fn detail(&self) -> String {
        let Ok(problem) = serde_json::from_str::<Problem>(&self.body) else {
            return format!(
                "the answer comes from a proxy or another program, not from RBS: status {}; check the \
                 address (--url, RBS_URL)",
                self.head.status.as_u16()
            );
        };
        let mut detail = problem.detail;
        for error in problem.errors.iter().flatten() {
            if !detail.contains(&error.detail) {
                detail = format!("{detail}; {} {}", error.field, error.detail);
            }
        }
        // Control characters could manipulate the terminal.
        detail.replace(char::is_control, "\u{fffd}")
    }

    pub(crate) fn is_in_progress(&self) -> bool {
        self.head.status == StatusCode::ACCEPTED
    }

    /// Prints the service's answer: the unchanged JSON, or `text` for people.
    pub(crate) fn print<T: DeserializeOwned>(
        &self,
        format: Format,
        text: impl Fn(&T, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        if format.json {
            let line = format!("{}\n", self.body.trim_end());
            return print(line.as_bytes()).context("cannot write the answer");
        }
        let mut output = Output::default();
        text(&self.read()?, &mut output)?;
        output.print(format)
    }

    pub(crate) fn read<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_str(&self.body).context(
            "this rbs does not understand the service's answer; check the address (--url, \
             RBS_URL), and use the same version of rbs as the service, or add --json",
        )
    }
}

fn place(source: &SecretSource) -> String {
    match source {
        SecretSource::Variable(name) => format!("in the variable {name}"),
        SecretSource::File(path) | SecretSource::NewFile(path) => {
            format!("in the file {}", path.display())
        }
    }
}
