//! Suggestions for unknown paths and methods.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use strsim::osa_distance;

use super::resources::session;
use super::routes;

/// Maximum number of letters in which an unknown path may differ from the known path that the error suggests.
const NEARLY: usize = 2;
/// Maximum length in bytes of an unknown path that is compared with known ones. All known paths are shorter.
const MAX_LENGTH: usize = 300;
/// Prefixes that clients tend to leave out of a path of the API.
const PREFIXES: [&str; 3] = ["", "/v1", "/v1/admin"];

/// Every path of the API description, with its methods.
static PATHS: LazyLock<BTreeMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let paths = routes().into_openapi().paths.paths.into_iter();
    let described = paths.map(|(path, item)| {
        let methods = [
            ("GET", item.get.is_some()),
            ("POST", item.post.is_some()),
            ("PUT", item.put.is_some()),
            ("DELETE", item.delete.is_some()),
        ];
        let taken = methods.into_iter().filter(|(_, is_taken)| *is_taken);
        (path, taken.map(|(method, _)| method).collect())
    });
    described.collect()
});

/// Returns the HTTP methods that a route takes. Routes without a description are the session and the dashboard's files.
pub(crate) fn methods(route: &str) -> String {
    let undescribed = if route == session::PATH {
        "GET, POST or DELETE"
    } else {
        "GET"
    };
    let methods = PATHS.get(route);
    methods.map_or_else(|| undescribed.to_owned(), |methods| methods.join(" or "))
}

/// Returns the path of the API description nearest to the unknown `path`, if it is near enough to suggest.
pub(crate) fn nearest(path: &str) -> Option<&'static str> {
    let path = path
        .trim_end_matches('/')
        .to_ascii_lowercase()
        .replace("//", "/");
    if path.is_empty() || path.len() > MAX_LENGTH {
        return None;
    }
    let guesses = PREFIXES.map(|prefix| format!("{prefix}{path}"));
    let distance = |known: &str| {
        let distances = guesses.iter().map(|guess| distance(guess, known));
        distances.min().unwrap_or(usize::MAX)
    };
    let measured = PATHS.keys().map(|known| (distance(known), known.as_str()));
    let (letters, known) = measured.min()?;
    (letters <= NEARLY).then_some(known)
}

/// Returns the number of letters in which the unknown `path` differs from a known path. Placeholders match anything,
/// and an id missing at the end counts as one letter.
fn distance(path: &str, known: &str) -> usize {
    let sent: Vec<&str> = path.split('/').collect();
    let mut parts: Vec<&str> = known.split('/').collect();
    let mut missing = 0;
    if parts.len() == sent.len() + 1 && parts.last().is_some_and(|part| is_place(part)) {
        parts.pop();
        missing = 1;
    }
    if parts.len() != sent.len() {
        return usize::MAX;
    }
    let pairs = sent.iter().zip(&parts);
    let letters = pairs.filter(|(_, part)| !is_place(part));
    missing
        + letters
            .map(|(sent, part)| osa_distance(sent, part))
            .sum::<usize>()
}

fn is_place(part: &str) -> bool {
    part.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_the_path_that_was_meant() {
        for (path, meant) in [
            ("/v1/update/", "/v1/update"),
            ("/update", "/v1/update"),
            ("/v1/scrambles", "/v1/scramble"),
            ("/V1//Update", "/v1/update"),
            ("/v1/admin/player", "/v1/admin/players"),
            ("/v1/player/76561197960265729", "/v1/players/{id}"),
            (
                "/rounds/arena-1/17/void",
                "/v1/admin/rounds/{server}/{round_id}/void",
            ),
            ("/metric", "/metrics"),
        ] {
            assert_eq!(nearest(path), Some(meant), "{path}");
        }
        for path in [
            "/",
            "",
            "/v2/nothing",
            "/wp-login.php",
            "/a/b/c/d/e/f/g/h",
            "/v1/x/y",
        ] {
            assert_eq!(nearest(path), None, "{path}");
        }
    }
}
