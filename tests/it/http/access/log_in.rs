//! Dashboard log-in with a secret, or with the link that the service prints on a terminal.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use rbs::config::Secrets;
use rbs::http;

use crate::http::{id, round};
use crate::support::{ADMIN_SECRET, App, LIMITS, SECRET, parts, refused, send, send_for_headers};

same_on_both_databases!(
    a_link_logs_in_once_and_what_it_gives_is_an_admins,
    a_secret_logs_in_for_what_it_is_good_for,
    a_session_lasts_while_it_is_used_and_half_a_day_at_most,
    a_session_changes_nothing_for_another_page,
    logging_out_ends_it_and_a_secret_in_a_header_goes_first,
    logging_out_holds_at_every_instance_and_after_a_restart,
    whoever_guesses_is_slowed_and_nobody_else,
);

async fn log_in(request: RequestBuilder) -> (String, String, Value) {
    let (status, headers, session) = send_for_headers(request).await;
    assert_eq!(status, StatusCode::OK, "{session}");
    assert_eq!(headers["cache-control"], "no-store");
    let set = headers["set-cookie"].to_str().expect("a text").to_owned();
    let cookie = set.split(';').next().expect("a pair").to_owned();
    (cookie, set, session)
}

fn begin(app: &App, body: &Value) -> RequestBuilder {
    let request = app.bare(Method::POST, "/session").json(body);
    request.header("rbs-page", "1")
}

fn pools(app: &App, cookie: &str) -> RequestBuilder {
    let request = app.bare(Method::GET, "/v1/admin/pools");
    request.header("cookie", cookie)
}

async fn a_link_logs_in_once_and_what_it_gives_is_an_admins(app: &App) {
    let over = parts(app.first.service.clone(), &app.settings, LIMITS);
    let token = over.authenticator.make_log_in_link(app.clock.now());
    let token = token.expect("random bits");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(http::serve(listener, over, async {
        let _told_or_gone = stopped.await;
    }));
    let open = |body: Value| {
        let request = app.bare_to(&address, Method::POST, "/session").json(&body);
        request.header("rbs-page", "1")
    };

    refused(open(json!({"token": ""})), 401).await;
    refused(open(json!({"token": SECRET})), 401).await;
    refused(open(json!({})), 422).await;
    refused(open(json!({"token": token, "secret": SECRET})), 422).await;
    refused(open(json!({"token": "x".repeat(2000)})), 413).await;
    let form = app.bare_to(&address, Method::POST, "/session");
    // A form of another site cannot send JSON.
    let form = form
        .header("rbs-page", "1")
        .header("content-type", "text/plain");
    refused(form.body(json!({"token": token}).to_string()), 415).await;

    let (cookie, _, session) = log_in(open(json!({"token": token}))).await;
    assert_eq!(
        (&session["seconds"], &session["name"]),
        (&json!(1800), &Value::Null)
    );
    let (_, problem) = refused(open(json!({"token": token})), 401).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("already used"), "{detail}");

    let there = |method, path: &str| {
        app.bare_to(&address, method, path)
            .header("cookie", &cookie)
    };
    let (status, body) = send(there(Method::GET, "/v1/admin/pools")).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    refused(pools(app, &cookie), 401).await;
    let reset = there(Method::POST, "/v1/admin/players/76561197960265729/reset");
    let reset = reset
        .header("rbs-page", "1")
        .json(&json!({"change_id": "by-a-link"}));
    let (status, body) = send(reset).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let (_, audit) = send(there(Method::GET, "/v1/admin/audit")).await;
    assert_eq!(audit["entries"][0]["secret"], session["secret"]);
    drop(stop);
    serving
        .await
        .expect("serving ends")
        .expect("serving ends well");
}

async fn a_secret_logs_in_for_what_it_is_good_for(app: &App) {
    refused(begin(app, &json!({"secret": "wrong"})), 401).await;
    let (cookie, set, session) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    for part in [
        "; HttpOnly",
        "; SameSite=Strict",
        "; Path=/;",
        "; Max-Age=1800;",
    ] {
        assert!(set.contains(part), "{set}");
    }
    assert!(
        !set.contains("Secure") && !set.contains(ADMIN_SECRET),
        "{set}"
    );
    let fingerprint = Secrets::fingerprint(ADMIN_SECRET).to_string();
    assert_eq!(session["secret"], fingerprint);
    let https =
        begin(app, &json!({"secret": ADMIN_SECRET})).header("origin", "https://rbs.example");
    assert!(log_in(https).await.1.ends_with("; Secure"));

    let (status, _) = send(pools(app, &cookie)).await;
    assert_eq!(status, StatusCode::OK);
    let reset = app.bare(Method::POST, &format!("/v1/admin/players/{}/reset", id(1)));
    let reset = reset.header("cookie", &cookie).header("rbs-page", "1");
    let (status, body) = send(reset.json(&json!({"reason": "by a session"}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["entries"][0]["secret"], fingerprint);
    let another = app.another_instance().await;
    let elsewhere = app.bare_to(&another, Method::GET, "/v1/admin/pools");
    let (status, _) = send(elsewhere.header("cookie", &cookie)).await;
    assert_eq!(status, StatusCode::OK);

    let (cookie, ..) = log_in(begin(app, &json!({"secret": SECRET}))).await;
    refused(pools(app, &cookie), 403).await;
    let update = app
        .bare(Method::POST, "/v1/update")
        .json(&round("s", "1", "a", &[1], &[2]));
    let (status, body) = send(update.header("cookie", &cookie).header("rbs-page", "1")).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

async fn a_session_lasts_while_it_is_used_and_half_a_day_at_most(app: &App) {
    let (first, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    app.clock
        .set(app.clock.now().later(Duration::from_mins(29)));
    let (_, headers, _) = send_for_headers(pools(app, &first)).await;
    let renewed = headers["set-cookie"].to_str().expect("a text").to_owned();
    let renewed = renewed.split(';').next().expect("a pair").to_owned();
    app.clock.set(app.clock.now().later(Duration::from_mins(1)));
    let (_, problem) = refused(pools(app, &first), 401).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("log in again"), "{detail}");
    let mut cookie = renewed;
    let mut minutes = 30;
    loop {
        let (status, headers, _) = send_for_headers(pools(app, &cookie)).await;
        if status == StatusCode::UNAUTHORIZED {
            break;
        }
        assert_eq!(status, StatusCode::OK);
        if let Some(set) = headers.get("set-cookie") {
            let set = set.to_str().expect("a text");
            set.split(';')
                .next()
                .expect("a pair")
                .clone_into(&mut cookie);
        }
        app.clock
            .set(app.clock.now().later(Duration::from_mins(20)));
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
    let (_, problem) = refused(reset(), 403).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("RBS-Page: 1"), "{detail}");
    for site in ["cross-site", "same-site", "none"] {
        let request = reset().header("rbs-page", "1");
        refused(request.header("sec-fetch-site", site), 403).await;
    }
    refused(
        app.bare(Method::DELETE, "/session")
            .header("cookie", &cookie),
        403,
    )
    .await;
    let log_in = app.bare(Method::POST, "/session");
    refused(log_in.json(&json!({"secret": ADMIN_SECRET})), 403).await;
    assert_eq!(app.get("/v1/admin/audit").await["entries"], json!([]));
    let request = reset()
        .header("rbs-page", "1")
        .header("sec-fetch-site", "same-origin");
    let (status, body) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

async fn logging_out_ends_it_and_a_secret_in_a_header_goes_first(app: &App) {
    let (cookie, _, session) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let look = |cookie: &str| app.bare(Method::GET, "/session").header("cookie", cookie);
    let (status, who) = send(look(&cookie)).await;
    assert_eq!((status, &who), (StatusCode::OK, &session));
    let (_, nobody) = send(app.bare(Method::GET, "/session")).await;
    assert_eq!(
        nobody,
        json!({"seconds": null, "secret": null, "name": null})
    );
    // A shorter signature, and a later expiry.
    for forged in [&cookie[..cookie.len() - 1], &cookie.replacen('.', ".9", 2)] {
        let (_, who) = send(look(forged)).await;
        assert_eq!(who, nobody, "{forged}");
        refused(pools(app, forged), 401).await;
    }
    refused(pools(app, &cookie).bearer_auth("wrong"), 401).await;
    refused(pools(app, &cookie).bearer_auth(SECRET), 403).await;

    let end = app
        .bare(Method::DELETE, "/session")
        .header("cookie", &cookie);
    let (status, headers, who) = send_for_headers(end.header("rbs-page", "1")).await;
    assert_eq!((status, &who), (StatusCode::OK, &nobody));
    let set = headers["set-cookie"].to_str().expect("a text");
    assert!(
        set.starts_with("rbs_session=;") && set.contains("Max-Age=0"),
        "{set}"
    );
    refused(pools(app, &cookie), 401).await;
    assert_eq!(send(look(&cookie)).await.1, nobody);
}

async fn logging_out_holds_at_every_instance_and_after_a_restart(app: &App) {
    let (cookie, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let (other, ..) = log_in(begin(app, &json!({"secret": ADMIN_SECRET}))).await;
    let another = app.another_instance().await;
    let at = |address: &str, cookie: &str| {
        let request = app.bare_to(address, Method::GET, "/v1/admin/pools");
        request.header("cookie", cookie.to_owned())
    };
    let (status, _) = send(at(&another, &cookie)).await;
    assert_eq!(status, StatusCode::OK);
    let end = app.bare_to(&another, Method::DELETE, "/session");
    let end = end.header("cookie", &cookie).header("rbs-page", "1");
    let (status, _) = send(end).await;
    assert_eq!(status, StatusCode::OK);
    let started_later = app.another_instance().await;
    for address in [&app.first.address, &another, &started_later] {
        refused(at(address, &cookie), 401).await;
        let look = app.bare_to(address, Method::GET, "/session");
        let (_, nobody) = send(look.header("cookie", &cookie)).await;
        assert_eq!(nobody["secret"], Value::Null);
        let (status, _) = send(at(address, &other)).await;
        assert_eq!(status, StatusCode::OK, "the other log-in goes on");
    }
}

async fn whoever_guesses_is_slowed_and_nobody_else(app: &App) {
    for number in 0..10 {
        let guess = json!({"secret": format!("guess-{number}")});
        refused(begin(app, &guess), 401).await;
        log_in(
            begin(app, &json!({"secret": ADMIN_SECRET})).header("x-forwarded-for", "203.0.113.7"),
        )
        .await;
    }
    let right = || begin(app, &json!({"secret": ADMIN_SECRET}));
    let (status, headers, problem) = send_for_headers(right()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{problem}");
    let seconds: u32 = headers["retry-after"]
        .to_str()
        .expect("a text")
        .parse()
        .expect("seconds");
    assert!((1..=10).contains(&seconds), "{seconds}");
    log_in(right().header("x-forwarded-for", "203.0.113.7")).await;
    let (status, _) = send(app.admin(Method::GET, "/v1/admin/pools")).await;
    assert_eq!(status, StatusCode::OK);
}
