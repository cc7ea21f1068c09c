use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Good,
    /// Warning: the checked part works at present, but may fail later or behave unexpectedly.
    Warning,
    /// Problem: the checked part does not work, or may lose rounds or a secret.
    Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) subject: &'static str,
    pub(super) status: Status,
    pub(super) says: String,
    /// Sentence with advice about the finding; `None` if nothing needs to be done.
    pub(super) remedy: Option<String>,
}

impl Finding {
    pub(super) fn good(subject: &'static str, finding: impl Into<String>) -> Self {
        Self {
            subject,
            status: Status::Good,
            says: finding.into(),
            remedy: None,
        }
    }

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

    /// Formats the finding of `rbs doctor` as a line, followed by a line with the advice.
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
