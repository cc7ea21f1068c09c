use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use super::InvalidSetting;
use crate::random;

/// Secrets of which any one opens the door. Only their SHA-256 digests are kept, so there is
/// nothing to print by accident.
#[derive(Clone)]
pub struct Secrets(Vec<[u8; 32]>);

/// Where a secret was found, for people to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretSource {
    /// An environment variable.
    Variable(&'static str),
    /// A file.
    File(PathBuf),
}

impl Secrets {
    /// Whether `candidate` is one of them. Takes the same time whichever it is, and however much
    /// of it is right.
    #[must_use]
    pub fn contain(&self, candidate: &str) -> bool {
        let digest: [u8; 32] = Sha256::digest(candidate.as_bytes()).into();
        let found = self.0.iter().fold(Choice::from(0), |found, secret| {
            found | secret.ct_eq(&digest)
        });
        found.into()
    }

    /// The secrets of a text, separated by commas or line ends.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let secrets = text
            .trim()
            .split([',', '\n'])
            .map(str::trim)
            .map(|secret| {
                let visible = secret.bytes().all(|byte| byte.is_ascii_graphic());
                (!secret.is_empty() && visible).then(|| Sha256::digest(secret.as_bytes()).into())
            })
            .collect::<Option<Vec<_>>>();
        secrets.map(Self).ok_or(
            "must hold one secret, or several separated by commas, each of visible ASCII \
             characters and none empty; `openssl rand -hex 32` makes one",
        )
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} secret(s)", self.0.len())
    }
}

/// The secrets in the environment variable `name`, else in the file that the variable
/// `file_name` names, else in the one that the setting `file` names; `None` where none is set.
pub(super) fn read(
    (name, file_name): (&'static str, &'static str),
    file: Option<PathBuf>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<(Secrets, SecretSource)>, InvalidSetting> {
    let file = match (environment(name), environment(file_name)) {
        (Some(_), Some(_)) => {
            return Err(InvalidSetting(format!(
                "{name} and {file_name} are both set; unset one of them"
            )));
        }
        (Some(text), None) => {
            return Secrets::parse(&text)
                .map(|secrets| Some((secrets, SecretSource::Variable(name))))
                .map_err(|problem| InvalidSetting(format!("{name} {problem}")));
        }
        (None, named) => named.map(PathBuf::from).or(file),
    };
    file.map(|path| {
        read_file(&path)
            .map(|secrets| (secrets, SecretSource::File(path)))
            .map_err(|problem| InvalidSetting(format!("{file_name}: {problem}")))
    })
    .transpose()
}

fn read_file(path: &Path) -> Result<Secrets, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Secrets::parse(&text).map_err(|problem| format!("{} {problem}", path.display()))
}

/// The secret in the file `rbs.secret` of `folder`, made first where it is not there: 256 random
/// bits in hexadecimal, in a file that only its owner can read.
///
/// # Errors
/// A file that cannot be written or read, or that holds no secret.
pub fn make_secret_file(folder: &Path) -> Result<(Secrets, SecretSource), InvalidSetting> {
    let path = folder.join("rbs.secret");
    let failed = |problem: String| {
        InvalidSetting(format!(
            "no RBS_SECRET is set, and one cannot be kept in a file: {problem}"
        ))
    };
    if !path.exists() {
        write_secret(&path).map_err(|error| failed(format!("{}: {error}", path.display())))?;
    }
    let secrets = read_file(&path).map_err(failed)?;
    Ok((secrets, SecretSource::File(path)))
}

/// Writes a new secret to `path`, whole or not at all; where another process was first, its
/// secret stays.
fn write_secret(path: &Path) -> io::Result<()> {
    let secret = random::hex::<32>()?;
    let draft = path.with_extension(format!("secret.{}", random::hex::<8>()?));
    let written = write_new(&draft, &secret).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    // The draft goes whatever became of it; what stays behind would be a secret.
    let removed = fs::remove_file(&draft);
    written.and(removed)
}

/// Writes a line to a new file that only its owner can read.
fn write_new(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{line}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_secret_is_kept_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let (first, source) = make_secret_file(folder.path()).unwrap();
        let path = folder.path().join("rbs.secret");
        assert_eq!(source, SecretSource::File(path.clone()));
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.trim().len(), 64);
        assert!(first.contain(text.trim()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
        let (second, _) = make_secret_file(folder.path()).unwrap();
        assert!(second.contain(text.trim()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
