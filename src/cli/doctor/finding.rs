//! What is found, and how it is printed.

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// As it should be.
    Good,
    /// Works, and may not for long, or not as meant.
    Warning,
    /// Does not work, or may lose rounds or a secret.
    Problem,
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// What it is about, in a word or two.
    pub(super) subject: &'static str,
    /// How bad it is.
    pub(super) status: Status,
    /// What was found, in a sentence.
    pub(super) says: String,
    /// What to do about it, in a sentence; `None` where nothing is.
    pub(super) remedy: Option<String>,
}

impl Finding {
    /// Something is as it should be.
    pub(super) fn good(subject: &'static str, finding: impl Into<String>) -> Self {
        Self {
            subject,
            status: Status::Good,
            says: finding.into(),
            remedy: None,
        }
    }

    /// Something works, and may not for long, or not as meant.
    pub(super) fn warning(
        subject: &'static str,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Warning,
            remedy: Some(remedy.into()),
            ..Self::good(subject, finding)
        }
    }

    /// Something does not work.
    pub(super) fn problem(
        subject: &'static str,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Problem,
            ..Self::warning(subject, finding, remedy)
        }
    }

    /// The finding as a line, and what to do beneath it.
    pub(super) fn text(&self) -> String {
        let status = match self.status {
            Status::Good => "ok",
            Status::Warning => "WARNING",
            Status::Problem => "PROBLEM",
        };
        let line = format!("{status:<8} {}: {}\n", self.subject, self.says);
        match &self.remedy {
            None => line,
            Some(remedy) => format!("{line}         To do: {remedy}\n"),
        }
    }
}
