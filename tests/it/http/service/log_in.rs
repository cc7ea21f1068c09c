//! Logging in to the dashboard by the link that the service prints at a terminal.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use rbs::http;

use crate::support::{App, LIMITS, SECRET, parts, refused, send, send_for_headers};

on_both_databases!(a_link_logs_in_once_and_what_it_gives_is_an_admins);

async fn a_link_logs_in_once_and_what_it_gives_is_an_admins(app: &App) {
    let over = parts(app.first.service.clone(), &app.settings, LIMITS);
    let token = over.authenticator.make_log_in_link().expect("random bits");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(http::serve(listener, over, async {
        let _told_or_gone = stopped.await;
    }));
    let open = |body: Value| app.bare_to(&address, Method::POST, "/session").json(&body);

    refused(open(json!({"token": ""})), 401).await;
    refused(open(json!({"token": SECRET})), 401).await;
    refused(open(json!({})), 422).await;
    refused(open(json!({"token": "x".repeat(2000)})), 413).await;
    let form = app.bare_to(&address, Method::POST, "/session");
    // What a form of another page could send is no JSON.
    let form = form.header("content-type", "text/plain");
    refused(form.body(json!({"token": token}).to_string()), 415).await;

    let (status, headers, session) = send_for_headers(open(json!({"token": token}))).await;
    assert_eq!(status, StatusCode::OK, "{session}");
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(session["seconds"], 3600);
    let secret = session["secret"].as_str().expect("a secret");
    assert!(secret.len() == 64 && secret != token, "{session}");
    let (_, problem) = refused(open(json!({"token": token})), 401).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("used already"), "{detail}");

    let pools = |secret: &str| {
        let request = app.bare_to(&address, Method::GET, "/v1/admin/pools");
        request.bearer_auth(secret)
    };
    let (status, body) = send(pools(secret)).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    refused(pools(&token), 401).await;
    // It is of this instance alone.
    let elsewhere = app.bare(Method::GET, "/v1/admin/pools").bearer_auth(secret);
    refused(elsewhere, 401).await;
    let reset = format!("{address}/v1/admin/players/76561197960265729/reset");
    let reset = app.bare_to(&reset, Method::POST, "").bearer_auth(secret);
    let (status, body) = send(reset.json(&json!({"change_id": "by-a-link"}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    drop(stop);
    serving
        .await
        .expect("serving ends")
        .expect("serving ends well");
}
