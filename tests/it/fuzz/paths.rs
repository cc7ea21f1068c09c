use proptest::prelude::*;
use proptest::sample::select;

use super::generate::segment;

/// A known path with a usual method.
pub fn known() -> BoxedStrategy<(String, String)> {
    let fixed = select(vec![
        ("POST", "/v1/update"),
        ("POST", "/v1/update"),
        ("POST", "/v1/updates"),
        ("POST", "/v1/scramble"),
        ("GET", "/v1/scramble"),
        ("POST", "/v1/hello"),
        ("POST", "/v1/players"),
        ("GET", "/v1/admin/servers"),
        ("GET", "/v1/admin/live"),
        ("POST", "/v1/admin/servers/s/scramble"),
        ("GET", "/v1/admin/servers/s/scramble"),
        ("GET", "/v1/admin/quality"),
        ("GET", "/v1/admin/quality/history"),
        ("GET", "/v1/admin/models"),
        ("GET", "/v1/admin/activity"),
        ("GET", "/v1/leaderboard"),
        ("GET", "/leaderboard"),
        ("GET", "/favicon.ico"),
        ("GET", "/robots.txt"),
        ("POST", "/v1/balance"),
        ("POST", "/v1/place"),
        ("POST", "/v1/match"),
        ("GET", "/v1/admin/rounds"),
        ("GET", "/v1/admin/audit"),
        ("GET", "/v1/admin/interventions"),
        ("GET", "/v1/admin/interventions/summary"),
        ("GET", "/v1/admin/players"),
        ("GET", "/v1/admin/pools"),
        ("GET", "/v1/admin/settings"),
        ("GET", "/v1/admin/diagnostics"),
        ("POST", "/v1/admin/reload"),
        ("GET", "/v1/admin/seasons"),
        ("POST", "/v1/admin/seasons"),
        ("POST", "/v1/admin/seasons/trial"),
        ("POST", "/v1/admin/seasons/undo"),
        ("GET", "/v1/admin/refusals"),
        ("GET", "/metrics"),
        ("GET", "/openapi.json"),
        ("GET", "/docs"),
        ("GET", "/"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
    ]);
    let of_player = select(vec![
        ("GET", "/v1/players/{id}"),
        ("GET", "/v1/players/{id}/profile"),
        ("GET", "/players/{id}"),
        ("GET", "/matches/arena-1/{id}"),
        ("GET", "/v1/admin/players/{id}"),
        ("GET", "/v1/admin/players/{id}/history"),
        ("GET", "/v1/admin/players/{id}/powers"),
        ("PUT", "/v1/admin/players/{id}"),
        ("POST", "/v1/admin/players/{id}/reset"),
        ("POST", "/v1/admin/players/{id}/alias"),
        ("POST", "/v1/admin/players/{id}/forget"),
    ]);
    prop_oneof![
        3 => fixed.prop_map(|(method, path)| (method.to_owned(), path.to_owned())),
        2 => (of_player, segment())
            .prop_map(|((method, path), id)| (method.to_owned(), path.replace("{id}", &id))),
    ]
    .boxed()
}
