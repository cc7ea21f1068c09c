//! Dashboard log-in with a secret, or with a link.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use rbs::config::Secrets;

use crate::http::{id, round};
use crate::support::qr::decoded;
use crate::support::{
    ADMIN_SECRET, App, SECRET, answered, refused, refused_saying, send, send_for_headers,
};

same_on_both_databases!(
    a_link_logs_in_once_at_any_instance_as_the_secret_that_made_it,
    a_link_is_old_after_five_minutes_and_lengthens_no_session,
    a_secret_logs_in_for_what_it_is_good_for,
    a_session_lasts_while_it_is_used_and_half_a_day_at_most,
    a_session_changes_nothing_for_another_page,
    nobody_forges_a_session_and_a_secret_in_a_header_goes_first,
    logging_out_ends_one_session_at_every_instance_and_after_a_restart,
    whoever_guesses_is_slowed_and_nobody_else,
);

/// Cookie that an answer sets, and the whole header.
fn cookie_of(headers: &HeaderMap) -> (String, String) {
    let set = headers["set-cookie"].to_str().expect("a text").to_owned();
    let cookie = set.split(';').next().expect("a pair").to_owned();
    (cookie, set)
}

async fn log_in(request: RequestBuilder) -> (String, String, Value) {
    let (status, headers, session) = send_for_headers(request).await;
    assert_eq!(status, StatusCode::OK, "{session}");
    assert_eq!(headers["cache-control"], "no-store");
    let (cookie, set) = cookie_of(&headers);
    (cookie, set, session)
}

fn wait(app: &App, time: Duration) {
    app.clock.set(app.clock.now().later(time));
}

fn begin(app: &App, body: &Value) -> RequestBuilder {
    let request = app.bare(Method::POST, "/session").json(body);
    request.header("rbs-page", "1")
}

fn pools(app: &App, cookie: &str) -> RequestBuilder {
    let request = app.bare(Method::GET, "/v1/admin/pools");
    request.header("cookie", cookie)
}

/// Makes a log-in link with a request, and returns its token.
async fn make_link(request: RequestBuilder) -> String {
    let address = json!({"address": "https://rbs.example.org/"});
    let link = answered(request.json(&address)).await;
    let url = link["url"].as_str().expect("a link");
    let rows = link["qr"].as_array().expect("rows").iter();
    let rows = rows.map(|row| row.as_str().expect("a row"));
    let dark: Vec<Vec<bool>> = rows
        .map(|row| row.bytes().map(|module| module == b'1').collect())
        .collect();
    assert_eq!(decoded(&dark), url);
    let token = url.strip_prefix("https://rbs.example.org/#/enter/");
    token.unwrap_or_else(|| panic!("{url}")).to_owned()
}

const LINKS: &str = "/v1/admin/login-links";

async fn a_link_logs_in_once_at_any_instance_as_the_secret_that_made_it(app: &App) {
    for address in [
        "rbs.example.org",
        "ftp://there",
        &format!("http://{}", "x".repeat(4000)),
    ] {
        let odd = app.admin(Method::POST, LINKS);
        let (_, problem) = refused(odd.json(&json!({"address": address})), 422).await;
        assert_eq!(problem["errors"][0]["field"], "/address", "{problem}");
    }
    let token = make_link(app.admin(Method::POST, LINKS)).await;

    let open = |body: Value| begin(app, &body);
    for (body, status) in [
        (json!({"token": ""}), 401),
        (json!({"token": SECRET}), 401),
        (json!({"token": token.replace('.', ".1")}), 401),
        (json!({}), 422),
        (json!({"token": token, "secret": SECRET}), 422),
        (json!({"token": "x".repeat(2000)}), 413),
    ] {
        refused(open(body), status).await;
    }
    // A form of another site cannot send JSON.
    let form = app.bare(Method::POST, "/session").header("rbs-page", "1");
    let form = form.header("content-type", "text/plain");
    refused(form.body(json!({"token": token}).to_string()), 415).await;
    // A token is no cookie.
    refused(pools(app, &format!("rbs_session={token}")), 401).await;

    let another = app.another_instance().await;
    let there = app.bare_to(&another, Method::POST, "/session");
    let there = there.json(&json!({"token": token}));
    let (cookie, _, session) = log_in(there.header("rbs-page", "1")).await;
    let fingerprint = Secrets::fingerprint(ADMIN_SECRET).to_string();
    let expected = json!([1800, fingerprint]);
    assert_eq!(json!([session["seconds"], session["secret"]]), expected);
    refused_saying(open(json!({"token": token})), 401, "already used").await;
    answered(pools(app, &cookie)).await;
}

async fn a_link_is_old_after_five_minutes_and_lengthens_no_session(app: &App) {
    let late = make_link(app.admin(Method::POST, LINKS)).await;
    wait(app, Duration::from_secs(299));
    let in_time = make_link(app.admin(Method::POST, LINKS)).await;
    wait(app, Duration::from_secs(1));
    refused(begin(app, &json!({"token": late})), 401).await;

    let (mut cookie, ..) = log_in(begin(app, &json!({"token": in_time}))).await;
    // The session makes a link every 25 minutes, and each link begins the next session.
    for _ in 0..28 {
        wait(app, Duration::from_mins(25));
        let link = app.bare(Method::POST, LINKS).header("cookie", &cookie);
        let token = make_link(link.header("rbs-page", "1")).await;
        (cookie, ..) = log_in(begin(app, &json!({"token": token}))).await;
    }
    wait(app, Duration::from_mins(20));
    refused(pools(app, &cookie), 401).await;
}

async fn a_secret_logs_in_for_what_it_is_good_for(app: &App) {
    let (cookie, set, session) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let attributes = "; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict";
    assert!(set.ends_with(attributes), "{set}");
    assert!(!set.contains(ADMIN_SECRET), "{set}");
    let fingerprint = Secrets::fingerprint(ADMIN_SECRET).to_string();
    assert_eq!(session["secret"], fingerprint);
    let https = begin(app, &json!({"secret": ADMIN_SECRET}));
    let https = https.header("origin", "https://rbs.example");
    assert!(log_in(https).await.1.ends_with("; Secure"));

    answered(pools(app, &cookie)).await;
    let reset = app.bare(Method::POST, &format!("/v1/admin/players/{}/reset", id(1)));
    let reset = reset.header("cookie", &cookie).header("rbs-page", "1");
    answered(reset.json(&json!({"reason": "by a session"}))).await;
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["entries"][0]["secret"], fingerprint);
    let (cookie, ..) = log_in(begin(app, &json!({"secret": SECRET}))).await;
    refused(pools(app, &cookie), 403).await;
    let update = app
        .bare(Method::POST, "/v1/update")
        .header("cookie", &cookie);
    let update = update.json(&round("s", "1", "a", &[1], &[2]));
    answered(update.header("rbs-page", "1")).await;
}

async fn a_session_lasts_while_it_is_used_and_half_a_day_at_most(app: &App) {
    let (first, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    wait(app, Duration::from_mins(29));
    let (_, headers, _) = send_for_headers(pools(app, &first)).await;
    let (mut cookie, _) = cookie_of(&headers);
    wait(app, Duration::from_mins(1));
    refused_saying(pools(app, &first), 401, "log in again").await;
    let mut minutes = 30;
    loop {
        let (status, headers, _) = send_for_headers(pools(app, &cookie)).await;
        if status == StatusCode::UNAUTHORIZED {
            break;
        }
        assert_eq!(status, StatusCode::OK);
        if headers.contains_key("set-cookie") {
            (cookie, _) = cookie_of(&headers);
        }
        wait(app, Duration::from_mins(20));
        minutes += 20;
    }
    assert!((11 * 60..=12 * 60 + 20).contains(&minutes), "{minutes}");
}

async fn a_session_changes_nothing_for_another_page(app: &App) {
    let (cookie, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let path = format!("/v1/admin/players/{}/reset", id(1));
    let reset = || {
        let request = app.bare(Method::POST, &path).json(&json!({}));
        request.header("cookie", &cookie)
    };
    refused_saying(reset(), 403, "RBS-Page: 1").await;
    for site in ["cross-site", "same-site", "none"] {
        let request = reset().header("rbs-page", "1");
        refused(request.header("sec-fetch-site", site), 403).await;
    }
    let log_out = app.bare(Method::DELETE, "/session");
    refused(log_out.header("cookie", &cookie), 403).await;
    let log_in = app.bare(Method::POST, "/session");
    refused(log_in.json(&json!({"secret": ADMIN_SECRET})), 403).await;
    assert_eq!(app.get("/v1/admin/audit").await["entries"], json!([]));
    let request = reset().header("rbs-page", "1");
    answered(request.header("sec-fetch-site", "same-origin")).await;
}

async fn nobody_forges_a_session_and_a_secret_in_a_header_goes_first(app: &App) {
    let (cookie, _, session) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let look = |cookie: &str| app.bare(Method::GET, "/session").header("cookie", cookie);
    let (status, who) = send(look(&cookie)).await;
    assert_eq!((status, &who), (StatusCode::OK, &session));
    let (_, nobody) = send(app.bare(Method::GET, "/session")).await;
    let null = json!({"seconds": null, "secret": null, "name": null});
    assert_eq!(nobody, null);
    // A shorter signature, and a later expiry.
    for forged in [&cookie[..cookie.len() - 1], &cookie.replacen('.', ".9", 2)] {
        let (_, who) = send(look(forged)).await;
        assert_eq!(who, nobody, "{forged}");
        refused(pools(app, forged), 401).await;
    }
    refused(pools(app, &cookie).bearer_auth("wrong"), 401).await;
    refused(pools(app, &cookie).bearer_auth(SECRET), 403).await;
}

async fn logging_out_ends_one_session_at_every_instance_and_after_a_restart(app: &App) {
    let (cookie, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let (other, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let another = app.another_instance().await;
    let at = |address: &str, cookie: &str| {
        let request = app.bare_to(address, Method::GET, "/v1/admin/pools");
        request.header("cookie", cookie.to_owned())
    };
    answered(at(&another, &cookie)).await;
    let end = app.bare_to(&another, Method::DELETE, "/session");
    let end = end.header("cookie", &cookie).header("rbs-page", "1");
    let (status, headers, who) = send_for_headers(end).await;
    assert_eq!((status, &who["secret"]), (StatusCode::OK, &Value::Null));
    let (_, set) = cookie_of(&headers);
    assert!(set.starts_with("rbs_session=;"), "{set}");
    assert!(set.contains("Max-Age=0"), "{set}");
    let started_later = app.another_instance().await;
    for address in [&app.first.address, &another, &started_later] {
        refused(at(address, &cookie), 401).await;
        let look = app.bare_to(address, Method::GET, "/session");
        let (_, nobody) = send(look.header("cookie", &cookie)).await;
        assert_eq!(nobody["secret"], Value::Null);
        answered(at(address, &other)).await;
    }
}

async fn whoever_guesses_is_slowed_and_nobody_else(app: &App) {
    let right = || begin(app, &json!({"secret": ADMIN_SECRET}));
    for number in 0..10 {
        let guess = json!({"secret": format!("guess-{number}")});
        refused(begin(app, &guess), 401).await;
        log_in(right().header("x-forwarded-for", "203.0.113.7")).await;
    }
    let (status, headers, problem) = send_for_headers(right()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{problem}");
    let seconds = headers["retry-after"].to_str().expect("a text");
    let seconds: u32 = seconds.parse().expect("seconds");
    assert!((1..=10).contains(&seconds), "{seconds}");
    log_in(right().header("x-forwarded-for", "203.0.113.7")).await;
    answered(app.admin(Method::GET, "/v1/admin/pools")).await;
}
