//! Names on public pages: only if the pool allows it, and never of players hidden by an admin.

use reqwest::header::ACCEPT;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{id, round};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, send, settings_from};

same_on_both_databases!(
    names_are_shown_and_found_only_where_the_pool_says_so,
    a_hidden_id_stands_on_no_page,
);

async fn start(app: &App, names: bool) -> Instance {
    let configuration = format!(
        "[pools.arena.leaderboard]\npublic = \"ratings\"\nplayer_pages = true\nnames = {names}\n"
    );
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
    ];
    let settings = settings_from(app.settings.database.clone(), &configuration, &variables);
    Instance::start(&settings, app.clock.clone()).await
}

async fn read(app: &App, instance: &Instance, path: &str) -> (StatusCode, String) {
    let request = app.bare_to(&instance.address, Method::GET, path);
    let answer = request.header(ACCEPT, "text/html").send().await;
    let answer = answer.expect("an answer");
    let status = answer.status();
    (status, answer.text().await.expect("a text"))
}

async fn play(app: &App) {
    for number in 0..3 {
        let mut sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        sent["team_a"] = json!([{"id": id(1), "name": "Ada <i>"}]);
        sent["team_b"] = json!([{"id": id(2), "name": "Bob"}]);
        app.counted(&sent).await;
    }
}

async fn names_are_shown_and_found_only_where_the_pool_says_so(app: &App) {
    play(app).await;
    let profile = app
        .get(&format!("/v1/players/{}/profile?pool=arena", id(1)))
        .await;
    assert_eq!(
        (&profile["name"], &profile["recent"]["opponents"][0]["name"]),
        (&json!("Ada <i>"), &json!("Bob"))
    );
    let own = format!("/players/{}?pool=arena", id(1));
    for names in [true, false] {
        let instance = start(app, names).await;
        let (_, board) = read(app, &instance, "/leaderboard?pool=arena").await;
        let (_, own) = read(app, &instance, &own).await;
        let (_, found) = read(app, &instance, "/leaderboard?pool=arena&search=ADA").await;
        for (text, part) in [
            (&board, "Ada &lt;i&gt;</a>"),
            (&board, "Bob"),
            (&own, "<h1 dir=\"auto\">Ada &lt;i&gt;</h1>"),
            (&own, "Bob"),
            (&found, "Players found: 1"),
        ] {
            assert_eq!(text.contains(part), names, "{part}: {text}");
        }
        assert!(board.contains(&id(1)), "where the links lead: {board}");
        instance.stop().await;
    }
}

async fn a_hidden_id_stands_on_no_page(app: &App) {
    play(app).await;
    let path = format!("/v1/admin/players/{}/forget?pool=arena", id(2));
    let request = app.admin(Method::POST, &path);
    let (status, body): (_, Value) = send(request.json(&json!({"hide_id": true}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    for names in [true, false] {
        let instance = start(app, names).await;
        let other = format!("/players/{}?pool=arena", id(1));
        for path in ["/leaderboard?pool=arena", &other] {
            let (status, text) = read(app, &instance, path).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert!(text.contains("forgotten player 1"), "{path}: {text}");
            assert!(
                !text.contains(&id(2)) && !text.contains("Bob"),
                "{path}: {text}"
            );
        }
        let own = format!("/players/{}?pool=arena", id(2));
        assert_eq!(read(app, &instance, &own).await.0, StatusCode::NOT_FOUND);
        for search in [id(2), "forgotten".to_owned()] {
            let path = format!("/leaderboard?pool=arena&search={search}");
            let (_, found) = read(app, &instance, &path).await;
            assert!(found.contains("Players found: 0"), "{search}: {found}");
        }
        instance.stop().await;
    }
}
