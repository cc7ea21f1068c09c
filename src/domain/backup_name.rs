use std::fmt;

use super::Timestamp;

const PREFIX: &str = "rbs-";
const SUFFIX: &str = ".backup.gz";

/// File name of a backup, made from the time up to which it has data: `rbs-2026-11-20T043000Z.backup.gz`. The file name
/// drops fractions of a second.
///
/// File names of backups sort in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BackupName(pub(crate) Timestamp);

impl BackupName {
    /// Parses the file name of a backup. Returns `None` for any other file name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let moment = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        // RFC 3339 needs the colons that file names must not have.
        let (hour, rest) = moment.split_at_checked("0000-00-00T00".len())?;
        let (minute, second) = rest.split_at_checked(2)?;
        let parsed = Self(format!("{hour}:{minute}:{second}").parse().ok()?);
        // RFC 3339 also allows other forms of the same time, such as lower case.
        (parsed.to_string() == name).then_some(parsed)
    }
}

impl fmt::Display for BackupName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string().replace(':', "");
        let second: String = text.chars().take("0000-00-00T000000".len()).collect();
        write!(formatter, "{PREFIX}{second}Z{SUFFIX}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_was_written_and_others_are_none() {
        let at = Timestamp::from_unix_micros(1_795_000_000_500_000).unwrap();
        let name = BackupName(at).to_string();
        assert_eq!(name, "rbs-2026-11-18T110640Z.backup.gz");
        let whole = Timestamp::from_unix_seconds(1_795_000_000).unwrap();
        assert_eq!(BackupName::parse(&name), Some(BackupName(whole)));
        for other in [
            "rbs-2020.backup.gz",
            "rbs.db",
            "rbs-2026-11-18T110640Z.backup.gz.old",
            "rbs-2026-13-18T110640Z.backup.gz",
            "rbs-2026-11-18T1106+0Z.backup.gz",
        ] {
            assert_eq!(BackupName::parse(other), None, "{other}");
        }
    }
}
