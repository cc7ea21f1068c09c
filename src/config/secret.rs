use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

use super::InvalidSetting;
use crate::domain::{Fingerprint, SecretName};
use crate::random;

/// A list of accepted secrets. Only SHA-256 digests are kept, so that no secret can be printed by accident.
#[derive(Clone)]
pub struct Secrets {
    /// Accepted secrets in the order of the configuration, including duplicates.
    pub(crate) known: Vec<KnownSecret>,
    /// `true` if any secret of the list has fewer than 16 characters.
    pub(crate) are_short: bool,
}

/// An accepted secret, with the name and fingerprint that people know it by.
#[derive(Clone, Debug)]
pub struct KnownSecret {
    /// SHA-256 digest of the secret, to compare with the digests of texts that clients send.
    pub digest: Candidate,
    /// Fingerprint that identifies the secret in lists and logs, which must not show its text.
    pub fingerprint: Fingerprint,
    /// Name that the operator gave the secret.
    pub name: Option<SecretName>,
}

/// SHA-256 digest of a text that a client sent as its secret, to be compared with many secrets.
#[derive(Clone, Copy)]
pub struct Candidate([u8; 32]);

impl Candidate {
    /// Computes the digest of a text that a client sent as its secret.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Returns `true` if both SHA-256 digests are equal. Takes constant time.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }

    /// Signs a message: returns its HMAC-SHA-256 under the secret's digest, in hexadecimal. Only somebody who knows the
    /// secret can compute the signature.
    #[must_use]
    pub fn sign(&self, message: &str) -> String {
        // HMAC accepts keys of every length, so this branch is never taken.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            return String::new();
        };
        mac.update(message.as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    /// Returns `true` if `signature` is the one that [`Candidate::sign`] returns for `message`. Takes constant time.
    #[must_use]
    pub fn has_signed(&self, message: &str, signature: &str) -> bool {
        let right = self.sign(message);
        !right.is_empty() && Self::new(&right).is(&Self::new(signature))
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a candidate")
    }
}

/// Minimum length of a secret that cannot be guessed, in characters.
const MIN_SAFE: usize = 16;

/// Variable or file in which a secret was found, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretSource {
    /// Environment variable with this name, which holds the secret.
    Variable(&'static str),
    /// Existing file at this path, which holds the secret.
    File(PathBuf),
    /// New file at this path, which was just created with a generated secret.
    NewFile(PathBuf),
}

impl Secrets {
    /// Returns the index, from 0, of the accepted secret that equals a sent text. Takes the same time for every text.
    #[must_use]
    pub fn index_of(&self, candidate: &Candidate) -> Option<u32> {
        let nowhere = (Choice::from(0), 0);
        let (found, place) =
            (0..)
                .zip(&self.known)
                .fold(nowhere, |(found, place), (here, secret): (u32, _)| {
                    let same = secret.digest.0.ct_eq(&candidate.0);
                    (found | same, u32::conditional_select(&place, &here, same))
                });
        bool::from(found).then_some(place)
    }

    /// Returns the fingerprint of a secret for audit and lists: the first four bytes of the SHA-256 digest of
    /// `rbs-secret:` followed by the secret. Sent secrets are compared by another digest.
    #[must_use]
    pub fn fingerprint(secret: &str) -> Fingerprint {
        let digest: [u8; 32] = Sha256::digest(format!("rbs-secret:{secret}")).into();
        let [first, second, third, fourth, ..] = digest;
        Fingerprint::new([first, second, third, fourth])
    }

    /// Returns `true` if both lists of secrets have a secret in common.
    #[must_use]
    pub fn overlap(&self, others: &Self) -> bool {
        let is_theirs = |one: &KnownSecret| others.index_of(&one.digest).is_some();
        self.known.iter().any(is_theirs)
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let secrets = split(text)?;
        let known = |(name, secret): &(Option<SecretName>, &str)| KnownSecret {
            digest: Candidate::new(secret),
            fingerprint: Self::fingerprint(secret),
            name: name.clone(),
        };
        Ok(Self {
            known: secrets.iter().map(known).collect(),
            are_short: secrets.iter().any(|(_, text)| text.len() < MIN_SAFE),
        })
    }
}

/// Splits a text into secrets, at least one, at commas or line ends. Each secret may have a name and a space before it.
pub(super) fn split(text: &str) -> Result<Vec<(Option<SecretName>, &str)>, &'static str> {
    let parts = text.trim().split([',', '\n']).map(str::trim);
    parts.map(named).collect::<Option<Vec<_>>>().ok_or(
        "must hold one or several secrets of visible ASCII characters, none of them empty, separated by commas; a \
         secret may have a name and a space before it (\"alice 0123…\"); `openssl rand -hex 32` makes a secret",
    )
}

/// Splits a text into a secret and the optional name before it; `None` if either is invalid.
fn named(part: &str) -> Option<(Option<SecretName>, &str)> {
    let (name, secret) = match part.split_once([' ', '\t']) {
        Some((name, secret)) => (Some(name.parse().ok()?), secret.trim_start()),
        None => (None, part),
    };
    let is_secret = !secret.is_empty() && secret.bytes().all(|byte| byte.is_ascii_graphic());
    is_secret.then_some((name, secret))
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} secret(s)", self.known.len())
    }
}

/// Returns the name of the environment variable with the path of a file: `name` with the suffix `_FILE`.
pub(super) fn file_variable(name: &str) -> String {
    format!("{name}_FILE")
}

/// Reads secrets from the environment variable `name`, else from the file in `name_FILE`, else from `file`. Returns an
/// error if both variables are set.
pub(super) fn read(
    name: &'static str,
    file: Option<PathBuf>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<(Secrets, SecretSource)>, InvalidSetting> {
    let file_name = file_variable(name);
    require!(
        environment(name).is_none() || environment(&file_name).is_none(),
        "{name} and {file_name} are both set; unset one of them"
    );
    find(name, file, environment, Secrets::parse)
}

/// Parses the text of the environment variable `name`, else of the file in `name_FILE`, else of `file`. `None` if none
/// of them is set.
pub(super) fn find<T>(
    name: &'static str,
    file: Option<PathBuf>,
    environment: &impl Fn(&str) -> Option<String>,
    parse: fn(&str) -> Result<T, &'static str>,
) -> Result<Option<(T, SecretSource)>, InvalidSetting> {
    if let Some(text) = environment(name) {
        let found = parse(&text).map_err(|problem| InvalidSetting(format!("{name} {problem}")))?;
        return Ok(Some((found, SecretSource::Variable(name))));
    }
    let file_name = file_variable(name);
    let Some(path) = environment(&file_name).map(PathBuf::from).or(file) else {
        return Ok(None);
    };
    let found = read_file(&path, parse)
        .map_err(|problem| InvalidSetting(format!("{file_name}: {problem}")))?;
    Ok(Some((found, SecretSource::File(path))))
}

/// Reads secrets from the environment variable or the file that a configuration table names.
pub(super) fn read_either(
    place: &str,
    variable: Option<&str>,
    file: Option<PathBuf>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Secrets, InvalidSetting> {
    let read = match (variable, file) {
        (Some(name), None) => environment(name)
            .ok_or_else(|| format!("the environment has no variable {name}; set it"))
            .and_then(|text| {
                Secrets::parse(&text).map_err(|problem| format!("the variable {name} {problem}"))
            }),
        (None, Some(path)) => read_file(&path, Secrets::parse),
        _ => Err("name either secret_file or secret_variable".to_owned()),
    };
    read.map_err(|problem| InvalidSetting(format!("{place}: {problem}")))
}

pub(super) fn read_file<T>(
    path: &Path,
    parse: fn(&str) -> Result<T, &'static str>,
) -> Result<T, String> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    parse(&text).map_err(|problem| format!("{shown} {problem}"))
}

pub(super) fn made_file(folder: &Path) -> PathBuf {
    folder.join("rbs.secret")
}

/// Returns the secret in the file `rbs.secret` of `folder`. Creates a missing file with 256 random bits in hexadecimal,
/// readable only by its owner.
///
/// # Errors
/// Returns an error if the file cannot be written or read, or holds no valid secret.
pub fn make_secret_file(folder: &Path) -> Result<(Secrets, SecretSource), InvalidSetting> {
    let path = made_file(folder);
    let failed = |problem: String, advice: &str| {
        InvalidSetting(format!(
            "RBS_SECRET is not set, and the secret file that RBS uses instead is unusable: {problem}; {advice}, or \
             set RBS_SECRET"
        ))
    };
    let is_new = !path.exists();
    if is_new {
        write_secret(&path).map_err(|error| {
            failed(
                format!("{} cannot be written: {error}", path.display()),
                "give the user who runs RBS write access to its folder",
            )
        })?;
    }
    let secrets = read_file(&path, Secrets::parse).map_err(|problem| {
        failed(
            problem,
            "give the user who runs RBS read access to the file, or remove the file to have a new secret made",
        )
    })?;
    let source = if is_new {
        SecretSource::NewFile(path)
    } else {
        SecretSource::File(path)
    };
    Ok((secrets, source))
}

/// Writes a new secret to `path` atomically. If another process wrote first, its secret stays.
fn write_secret(path: &Path) -> io::Result<()> {
    let secret = random::hex::<32>()?;
    let draft = path.with_extension(format!("secret.{}", random::hex::<8>()?));
    let written = write_new(&draft, &secret).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    // The draft is removed even after a failure, because the draft contains a secret.
    let removed = fs::remove_file(&draft);
    written.and(removed)
}

/// Writes a line to a new file that only its owner can read.
fn write_new(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{line}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_secret_is_kept_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rbs.secret");
        let (_, source) = make_secret_file(folder.path()).unwrap();
        assert_eq!(source, SecretSource::NewFile(path.clone()));
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.trim().len(), 64);
        let (again, source) = make_secret_file(folder.path()).unwrap();
        assert_eq!(source, SecretSource::File(path));
        assert_eq!(again.index_of(&Candidate::new(text.trim())), Some(0));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_holds_no_secret_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rbs.secret");
        for text in ["", "three words each", "é", "é secret", "one,,two"] {
            fs::write(&path, text).unwrap();
            let error = make_secret_file(folder.path()).unwrap_err().to_string();
            let names_both = error.contains("rbs.secret") && error.contains("remove the file");
            assert!(names_both, "{error}");
        }
    }

    #[test]
    fn a_secret_is_found_in_its_place() {
        let secrets = Secrets::parse("one,two,three,two").unwrap();
        let place = |text| secrets.index_of(&Candidate::new(text));
        assert_eq!((place("one"), place("three")), (Some(0), Some(2)));
        assert_eq!(place("two"), Some(3));
        assert_eq!((place("four"), place("")), (None, None));
        assert_eq!(secrets.known.len(), 4);
    }

    #[test]
    fn a_secret_may_have_a_name() {
        let secrets = Secrets::parse("alice one,two\nbob\t three").unwrap();
        let names = secrets.known.iter().map(|known| known.name.as_ref());
        let names: Vec<_> = names.map(|name| name.map(SecretName::as_str)).collect();
        assert_eq!(names, [Some("alice"), None, Some("bob")]);
        assert_eq!(secrets.index_of(&Candidate::new("three")), Some(2));
        assert_eq!(secrets.index_of(&Candidate::new("bob")), None);
        let fingerprints = secrets.known.iter().map(|known| known.fingerprint);
        assert!(fingerprints.eq(["one", "two", "three"].map(Secrets::fingerprint)));
    }

    #[test]
    fn only_the_same_secret_signs_the_same() {
        let (one, other) = (Candidate::new("one"), Candidate::new("other"));
        let signature = one.sign("message");
        assert_eq!(signature.len(), 64);
        assert!(one.has_signed("message", &signature));
        for (by, message, signature) in [
            (&other, "message", signature.as_str()),
            (&one, "another", signature.as_str()),
            (&one, "message", &signature[1..]),
            (&one, "message", ""),
        ] {
            assert!(!by.has_signed(message, signature), "{message}");
        }
    }

    #[test]
    fn short_secrets_and_common_ones_are_known() {
        let secrets = |text| Secrets::parse(text).unwrap();
        assert!(secrets("0123456789abcde").are_short);
        assert!(!secrets("0123456789abcdef").are_short);
        assert!(secrets("0123456789abcdef,short").are_short);
        assert!(secrets("one,two").overlap(&secrets("three,two")));
        assert!(!secrets("one,two").overlap(&secrets("onetwo")));
    }
}
