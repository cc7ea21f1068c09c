//! Interfaces to other plugins: natives, the admin menu, and notices of the service.

use reqwest::Method;
use serde_json::json;

use super::queue::{play, server};
use super::triggers::{due, forwarded};
use super::{MAPS, begin_next, scrambles};
use crate::plugin::bed::Trouble;
use crate::support::{App, send};
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    natives_answer_and_refuse_clients_who_are_not_there,
    the_admin_menu_has_the_commands,
    parties_stay_together,
    ratings_are_told_at_connect_and_after_rounds,
    an_admin_of_the_service_asks_for_a_scramble,
    the_mode_is_told_by_what_stands_on_the_map_or_by_the_operator,
];

async fn natives_answer_and_refuse_clients_who_are_not_there(app: &App) {
    let mut bed = server(app, 4).await;
    bed.set("rbs_scramble", "1");
    play(&mut bed, 1).await;
    let winner = bed.team(Team::Red)[0];
    let mut call = |name: &str, given: &[i32]| {
        let plugin = bed.plugin_mut();
        plugin.call_native_of_plugin(name, given.to_vec())
    };
    assert_eq!(call("RBS_GetRating", &[winner]), Ok(1036));
    assert_eq!(call("RBS_GetRounds", &[winner]), Ok(1));
    assert_eq!(call("RBS_IsRatingVisible", &[winner]), Ok(0));
    assert_eq!(call("RBS_GetScrambleDue", &[]), Ok(1));
    assert_eq!(call("RBS_RequestScramble", &[]), Ok(1));
    assert!(call("RBS_JoinParty", &[winner, winner + 1]).is_ok());
    assert!(call("RBS_LeaveParty", &[winner]).is_ok());
    for name in [
        "RBS_GetRating",
        "RBS_IsRatingVisible",
        "RBS_GetRounds",
        "RBS_JoinParty",
        "RBS_LeaveParty",
    ] {
        for index in [-1, 0, 30, 37, 1000] {
            let refusal = call(name, &[index, winner]).expect_err("nobody is there");
            let is_told = refusal.contains("is not connected");
            assert!(is_told, "{name} {index}: {refusal}");
        }
    }
}

async fn the_admin_menu_has_the_commands(app: &App) {
    let mut bed = server(app, 4).await;
    let admin = bed.team(Team::Red)[0];
    bed.client_mut(admin).flags = 1 << 14;
    let commands = bed.commands();
    let plugin = bed.plugin_mut();
    plugin.open_admin_menu().expect("a menu");
    let entries = plugin.host.top_menus.entries.clone();
    assert!(entries.len() >= 5, "{entries:?}");
    for (place, entry) in entries.iter().enumerate() {
        let is_known = commands.contains(&entry.command);
        assert!(
            is_known,
            "{entry:?} asks for the right to an unknown command"
        );
        let [option, title] = plugin.top_menu_text(place, admin).expect("texts");
        assert!(!option.is_empty(), "{entry:?} shows nothing");
        assert!(place > 0 || !title.is_empty(), "the category has no title");
        plugin.choose_top_menu(place, admin).expect("a choice");
    }
    let sent = &plugin.host.commands.sent;
    let expected = entries.len() - 1;
    assert_eq!(sent.len(), expected, "the category does nothing: {sent:?}");
    bed.settle().await;
}

async fn parties_stay_together(app: &App) {
    let mut bed = super::triggers::server(app, Mode::Koth, 8).await;
    let friends = [bed.team(Team::Red)[0], bed.team(Team::Blue)[0]];
    let names = friends.map(|index| bed.client(index).name.clone());
    bed.say(friends[0], &format!("!party {}", names[1]));
    assert!(bed.hears(friends[1], &names[0]), "the other sees it");
    bed.say(friends[1], "!party");
    play(&mut bed, 1).await;
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 1);
    assert_eq!(bed.client(friends[0]).team, bed.client(friends[1]).team);
}

async fn ratings_are_told_at_connect_and_after_rounds(app: &App) {
    let mut bed = server(app, 4).await;
    let player = bed.team(Team::Red)[0];
    // The shadow period of this pool has three rounds.
    assert!(bed.hears(player, "3 more rounds"));
    for left in [2, 1] {
        play(&mut bed, 1).await;
        assert!(!bed.hears(player, "rating is"), "the rating is hidden");
        bed.say(player, "!rating");
        let part = format!("{left} more rounds");
        assert!(bed.hears(player, &part), "{part}");
    }
    play(&mut bed, 1).await;
    assert!(bed.hears(player, "settled enough to be shown"));
    play(&mut bed, 1).await;
    assert!(bed.hears(player, "(+"), "a winner's rating rises");
    bed.set("rbs_chat", "0");
    play(&mut bed, 1).await;
    assert!(bed.heard(player).is_empty(), "nothing is shown in chat");
    assert!(!forwarded(&bed, "RBS_OnRatingChanged").is_empty());
}

async fn an_admin_of_the_service_asks_for_a_scramble(app: &App) {
    let mut bed = server(app, 6).await;
    let asked = json!({"reason": "teams are unfair"});
    let request = app.admin(Method::POST, "/v1/admin/servers/arena-1/scramble");
    let (status, body) = send(request.json(&asked)).await;
    assert!(status.is_success(), "{body}");
    play(&mut bed, 1).await;
    assert_eq!(due(&bed), [7]);
    play(&mut bed, 2).await;
    assert_eq!(due(&bed), [7], "each is followed once");
    let notice = json!({
        "name": "again", "kind": "scramble", "player": null, "rating": null, "message": "An admin asks."
    });
    let answer = json!({
        "server": "arena-1", "pool": "arena", "policy": "ns2", "declared": true, "notices": [notice]
    });
    bed.trouble(Trouble::answer(&answer));
    bed.console("sm_rbs_check");
    bed.pass(1.0).await;
    assert_eq!(due(&bed), [7, 7]);
    bed.console("sm_rbs_cancel");
    bed.console("sm_rbs_check");
    bed.pass(1.0).await;
    assert_eq!(due(&bed), [7, 7], "it was followed already");
    let hello = bed.requests("/v1/hello").pop().expect("a hello");
    assert_eq!(hello["notices_seen"], json!(["again"]));
}

async fn the_mode_is_told_by_what_stands_on_the_map_or_by_the_operator(app: &App) {
    let modes = [
        (Mode::Arena, "arena"),
        (Mode::Koth, "koth"),
        (Mode::FivePoints, "points"),
        (Mode::Ctf, "ctf"),
        (Mode::AttackDefend, "attack"),
        (Mode::Payload, "payload"),
        (Mode::PayloadRace, "race"),
        (Mode::Mvm, "mvm"),
    ];
    let mut bed = server(app, 4).await;
    for (mode, name) in modes {
        bed.change_map(mode).await;
        bed.settle().await;
        let hello = bed.requests("/v1/hello").pop().expect("a hello");
        assert_eq!(hello["mode"], name, "{mode:?}");
    }
    bed.write_file(MAPS, r#""Maps" { "ctf_2fort" { "mode" "attack" } }"#);
    bed.change_map(Mode::Ctf).await;
    bed.settle().await;
    let hello = bed.requests("/v1/hello").pop().expect("a hello");
    assert_eq!(hello["mode"], "attack", "what the operator says");
}
