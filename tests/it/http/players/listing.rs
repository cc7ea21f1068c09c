use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::splits::scramble::set;
use crate::http::{assert_has, id, rebuild, round, void, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    players_are_found_by_name_and_by_id,
    players_are_sorted_filtered_and_come_in_pages_both_ways,
    lists_are_read_ahead,
    who_wins_far_beyond_the_predictions_moves_or_sits_at_the_floor_is_worth_a_look,
    what_makes_no_sense_is_refused,
);

pub(super) fn listed(page: &Value) -> Vec<String> {
    let players = page["players"].as_array().expect("players").iter();
    let ids = players.map(|player| player["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

/// Advances the clock past the lifetime of a cached list.
pub(super) fn later(app: &App) {
    let now = app.clock.now();
    app.clock.set(now.later(Duration::from_mins(1)));
}

pub(super) async fn list(app: &App, query: &str) -> Value {
    let (_, answer) = send(app.admin(Method::GET, &format!("/v1/admin/players?{query}"))).await;
    answer
}

async fn players_are_found_by_name_and_by_id(app: &App) {
    let names = ["Ramona", "ROMANO", "50%_off", "Übermut", "Bob"];
    let team = names.iter().zip(1..);
    let team: Value = team
        .map(|(name, n)| json!({"id": id(n), "name": name}))
        .collect();
    let sent = round("s", "1", "a", &[9], &[8]);
    app.counted(&with(sent, json!({"team_a": team}))).await;
    for (search, found) in [
        ("mona", vec![1]),
        ("RaM", vec![1]),
        ("roman", vec![2]),
        ("%25_", vec![3]),
        ("%25", vec![3]),
        ("%C3%9CBER", vec![4]),
        ("STEAM_0:1:2", vec![5]),
        ("[U:1:8]", vec![8]),
        (&*id(8), vec![8]),
        ("nobody", vec![]),
        ("", vec![1, 2, 3, 4, 5, 8]),
        ("o", vec![1, 2, 3, 5]),
    ] {
        let page = list(app, &format!("search={search}&sort=rounds")).await;
        let found: Vec<String> = found.into_iter().map(id).collect();
        assert_eq!(listed(&page), found, "{search}: {page}");
        assert_eq!(page["total"], found.len(), "{search}");
    }
    let page = list(app, "search=ramona").await;
    assert_eq!(page["players"][0]["name"], "Ramona");

    let mona = json!({"team_a": [{"id": id(20), "name": "Mona"}]});
    app.counted(&with(round("arena-1", "2", "a", &[9], &[1]), mona))
        .await;
    let found = list(app, "search=mona").await;
    assert_eq!(listed(&found), [id(1)], "only the player of this pool");
    let elsewhere = json!([{"pool": "arena", "id": id(20), "name": "Mona"}]);
    assert_eq!(found["elsewhere"], elsewhere);
    let found = list(app, &format!("pool=arena&search={}", id(2))).await;
    let elsewhere = json!([{"pool": "default", "id": id(2), "name": "ROMANO"}]);
    assert_eq!(found["elsewhere"], elsewhere);
    assert_eq!(list(app, "").await["elsewhere"], json!([]));
}

async fn players_are_sorted_filtered_and_come_in_pages_both_ways(app: &App) {
    for number in 0..3 {
        let sent = round("arena-1", &number.to_string(), "a", &[1, 2], &[3, 4]);
        app.counted(&sent).await;
    }
    app.counted(&round("arena-1", "new", "b", &[1], &[7])).await;
    let page = async |query: &str| list(app, &format!("pool=arena&{query}")).await;
    let all = page("").await;
    // A player with four wins, two equal players, two losers, and a hidden player last.
    let ranks: Value = (0..5)
        .map(|place| all["players"][place]["rank"].clone())
        .collect();
    assert_eq!(ranks, json!([1, 2, 3, 3, null]));
    assert_eq!(all["total"], 5);
    for (query, found, position) in [
        (
            "",
            &[2, 1, 3, 4, 7][..],
            json!({"next": null, "previous": null}),
        ),
        ("limit=2", &[2, 1], json!({"next": 2, "previous": null})),
        (
            "limit=2&after=2",
            &[3, 4],
            json!({"next": 4, "previous": 0}),
        ),
        (
            "limit=2&after=4",
            &[7],
            json!({"next": null, "previous": 2}),
        ),
        ("limit=1&rank=3", &[3], json!({"offset": 2})),
        ("after=99", &[], json!({"next": null})),
    ] {
        let page = page(query).await;
        let expected: Vec<String> = found.iter().copied().map(id).collect();
        assert_eq!(listed(&page), expected, "{query}");
        assert_has(&page, &position);
    }
    for (query, found) in [
        ("sort=rating", vec![3, 4, 7, 1, 2]),
        ("sort=-rating", vec![2, 1, 7, 3, 4]),
        ("sort=rounds&filter=ranked", vec![2, 3, 4, 1]),
        ("sort=-rounds&limit=1", vec![1]),
        ("filter=hidden", vec![7]),
        ("filter=stale", vec![]),
        ("filter=floor", vec![]),
        ("filter=new&sort=rounds", vec![7, 2, 3, 4, 1]),
        ("sort=-excess_errors&limit=2", vec![2, 7]),
        ("sort=excess_errors&limit=2", vec![3, 4]),
    ] {
        let found: Vec<String> = found.into_iter().map(id).collect();
        assert_eq!(listed(&page(query).await), found, "{query}");
    }
}

async fn lists_are_read_ahead(app: &App) {
    for name in ["1", "2"] {
        app.counted(&round("s", name, "a", &[1], &[2])).await;
    }
    let service = &app.first.service;
    let pool = service.pool(None, None).expect("the pool");
    let warm_up = async || service.warm_up_lists(&pool).await.expect("lists");
    assert!(warm_up().await, "nothing was read before");
    assert!(!warm_up().await, "all is there, for each span");
    let read_at = app.clock.now();
    app.clock.set(read_at.later(Duration::from_secs(5)));
    for sort in ["rank", "change_1_day", "-change_30_days"] {
        let page = list(app, &format!("sort={sort}")).await;
        assert_eq!(page["computed_at"], json!(read_at), "{sort}");
    }
    app.clock.set(read_at.later(Duration::from_hours(1)));
    rebuild::begin(app, "default", None, 2).await;
    assert!(!warm_up().await, "a rebuild will change everything");
    rebuild::wait(app, 16);
    assert!(warm_up().await, "an hour later, the rebuild is dead");
    void(app, "s/1").await;
    assert!(warm_up().await, "a void has changed everything");
    assert!(!warm_up().await);
}

async fn who_wins_far_beyond_the_predictions_moves_or_sits_at_the_floor_is_worth_a_look(app: &App) {
    for number in 0..20_u64 {
        let other = 100 + number % 5;
        let name = number.to_string();
        app.counted(&round("s", &name, "a", &[1], &[other])).await;
        let winner = if number % 2 == 0 { "a" } else { "b" };
        app.counted(&round("s", &format!("{name}e"), winner, &[2], &[3]))
            .await;
    }
    set(app, 104, 100).await;
    later(app);
    let newcomers = list(app, "filter=new&sort=-excess_errors").await;
    let errors = |place: usize| newcomers["players"][place]["excess_errors"].as_f64();
    assert_eq!(listed(&newcomers)[0], id(1));
    assert!(
        errors(0) > Some(3.0) && errors(1) < Some(3.0),
        "{newcomers}"
    );
    assert_eq!(listed(&list(app, "sort=change_7_days").await)[0], id(104));
    assert_eq!(listed(&list(app, "filter=floor").await), [id(104)]);
}

async fn what_makes_no_sense_is_refused(app: &App) {
    for (query, field) in [
        ("sort=name", "/sort"),
        ("filter=good", "/filter"),
        ("limit=0", "/limit"),
        ("rank=0", "/rank"),
        ("rank=1&sort=rating", "/rank"),
        ("rank=1&after=1", "/rank"),
        ("after=-1", "/after"),
    ] {
        let path = format!("/v1/admin/players?{query}");
        let (_, problem) = refused(app.admin(Method::GET, &path), 422).await;
        assert_eq!(fields(&problem), [field], "{query}");
    }
    refused(app.request(Method::GET, "/v1/admin/players"), 403).await;
    refused(app.admin(Method::GET, "/v1/admin/players?pool=none"), 404).await;
}
