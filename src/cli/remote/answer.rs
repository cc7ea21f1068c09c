use std::fmt;
use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::response::Parts;
use ureq::http::{HeaderName, header};

use crate::cli::terminal::json::print;
use crate::cli::terminal::output::{Format, Output};
use crate::config::{SecretSource, SecretToSend};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsuccessful {
    /// Error: the service knows no such round, pool or path.
    #[error("{0}")]
    NotFound(String),
    /// Error: the service refuses the secret or the request.
    #[error("{0}")]
    Refused(String),
    /// Error: the service does not answer, or its answer is not usable.
    #[error("{0}")]
    Unreachable(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: u16,
    retry_after: Option<u64>,
    location: Option<String>,
    body: String,
}

#[derive(Deserialize)]
struct Problem {
    detail: String,
    errors: Option<Vec<FieldError>>,
}

#[derive(Deserialize)]
struct FieldError {
    field: String,
    detail: String,
}

impl Answer {
    pub(crate) fn new(head: &Parts, body: String) -> Self {
        let text = |name: HeaderName| head.headers.get(name)?.to_str().ok();
        Self {
            status: head.status.as_u16(),
            retry_after: text(header::RETRY_AFTER).and_then(|seconds| seconds.parse().ok()),
            location: text(header::LOCATION).map(str::to_owned),
            body,
        }
    }

    /// Returns the time after which the service asks to send the request again, if it does.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let again = matches!(self.status, 429 | 503);
        again.then(|| Duration::from_secs(self.retry_after.unwrap_or(1)))
    }

    /// Returns the service's answer if it is a success, else an error. `secret` is the secret that was sent.
    pub(crate) fn accepted(self, secret: &SecretToSend) -> Result<Self, Unsuccessful> {
        let detail = || self.detail();
        Err(match self.status {
            200..=299 => return Ok(self),
            300..=399 => Unsuccessful::Unreachable(format!(
                "the service redirects to {}; give that address with --url or RBS_URL",
                self.location.as_deref().unwrap_or("elsewhere")
            )),
            401 | 403 => Unsuccessful::Refused(format!(
                "{}; rbs sent the secret {}; give another secret with --secret-file or \
                 RBS_ADMIN_SECRET",
                detail(),
                place(secret.source())
            )),
            404 => Unsuccessful::NotFound(detail()),
            400..=499 if self.status != 429 => Unsuccessful::Refused(detail()),
            _ => Unsuccessful::Unreachable(detail()),
        })
    }

    fn detail(&self) -> String {
        let Ok(problem) = serde_json::from_str::<Problem>(&self.body) else {
            return format!(
                "the answer comes from a proxy or another program, not from RBS: status {}; check the \
                 address (--url, RBS_URL)",
                self.status
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

    /// Returns `true` if the answer says that the service continues the work in the background.
    pub(crate) fn is_in_progress(&self) -> bool {
        self.status == 202
    }

    /// Returns the service's unchanged JSON answer as one line.
    pub(crate) fn line(&self) -> String {
        format!("{}\n", self.body.trim_end())
    }

    /// Prints the service's answer: the unchanged JSON, or `text` for people.
    pub(crate) fn print<T: DeserializeOwned>(
        &self,
        format: Format,
        text: impl Fn(&T, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        if format.json {
            return print(self.line().as_bytes()).context("cannot write the answer");
        }
        let mut output = Output::new();
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
