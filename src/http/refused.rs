use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::ServerName;

/// Reason for refusing a request, or one round of a batch. Travels with the response to logs and metrics.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// Sentence of the error answer, for the client.
    pub(crate) detail: String,
    /// JSON pointer of the first unacceptable field of the request.
    pub(crate) field: Option<String>,
    /// Metrics label of a refused round.
    pub(crate) reason: &'static str,
    /// Metrics label of the kind of bad secret (such as missing or unknown) for which the request was refused; `None`
    /// if it was refused for another reason.
    pub(crate) secret: Option<&'static str>,
    /// Game server named in the body of the refused request.
    pub(crate) server: Option<ServerName>,
    /// Index of the refused round in the request's batch, from 0; `None` if the whole request was refused.
    pub(crate) round: Option<usize>,
}

#[derive(Clone, Debug)]
struct Refused(Vec<Refusal>);

/// Attaches the `refusals` of a request to its response, in place of earlier ones.
pub(crate) fn attach(response: &mut Response, refusals: Vec<Refusal>) {
    if !refusals.is_empty() {
        response.extensions_mut().insert(Refused(refusals));
    }
}

pub(crate) fn of<B>(response: &axum::http::Response<B>) -> &[Refusal] {
    response
        .extensions()
        .get::<Refused>()
        .map_or(&[], |Refused(refusals)| refusals)
}

/// Records in the refusals attached to `response` which game server the refused request's `body` names.
pub(crate) fn name_server(response: &mut Response, body: &[u8]) {
    let Some(Refused(refusals)) = response.extensions_mut().get_mut::<Refused>() else {
        return;
    };
    for refusal in refusals {
        refusal.server = match refusal.round {
            None => server_of(body),
            Some(index) => rounds_of(body)
                .get(index)
                .and_then(|round| server_of(round.get().as_bytes())),
        };
    }
}

fn rounds_of(body: &[u8]) -> Vec<&RawValue> {
    #[derive(Deserialize)]
    struct Rounds<'body> {
        #[serde(borrow)]
        rounds: Vec<&'body RawValue>,
    }

    serde_json::from_slice(body).map_or_else(|_| Vec::new(), |Rounds { rounds }| rounds)
}

/// Returns the game server named in a request body, even if other fields are invalid. In malformed JSON, this is the
/// first text behind `"server":`.
fn server_of(body: &[u8]) -> Option<ServerName> {
    #[derive(Deserialize)]
    struct Named {
        server: Option<ServerName>,
    }

    match serde_json::from_slice(body) {
        Ok(Named { server }) => server,
        Err(error) if error.is_data() => None,
        Err(_) => {
            const KEY: &[u8] = b"\"server\"";
            let at = body.windows(KEY.len()).position(|part| part == KEY)?;
            let behind = body.get(at + KEY.len()..)?.trim_ascii_start();
            let text = behind
                .strip_prefix(b":")?
                .trim_ascii_start()
                .strip_prefix(b"\"")?;
            let end = text.iter().position(|byte| *byte == b'"')?;
            str::from_utf8(text.get(..end)?).ok()?.parse().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_found_in_whatever_a_body_is() {
        for (body, server) in [
            (r#"{"server": "eu-1", "winner": "red"}"#, Some("eu-1")),
            (r#"{"winner": 5, "server": "eu\u002d1"}"#, Some("eu-1")),
            (r#"{"server": "eu-1", "team_a": ["#, Some("eu-1")),
            (r#"{"server" : "eu-1"; }"#, Some("eu-1")),
            (r#"{"map": {"server": "eu-2"}}"#, None),
            (r#"{"server": 5, "map": "server"}"#, None),
            (r#"{"server": "eu-1"#, None),
            (r#"{"server": "", "#, None),
            ("", None),
            ("[]", None),
        ] {
            let found = server_of(body.as_bytes());
            assert_eq!(found.as_ref().map(ServerName::as_str), server, "{body}");
        }
        let rounds = rounds_of(br#"{"answers": "brief", "rounds": [{"server": "a"}, {}]}"#);
        assert_eq!(rounds.len(), 2);
        assert!(rounds_of(b"{}").is_empty());
    }
}
