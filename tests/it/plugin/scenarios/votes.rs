//! Votes for a scramble: chat words, menus, when they take effect, hints, and votes that no longer count.

use super::scrambles;
use super::triggers::{due, forwarded, server};
use crate::plugin::bed::Bed;
use crate::support::App;
use sourcemod_bed::game::Mode;

same_on_both_databases![
    chat_words_vote_with_and_without_a_mark,
    votes_are_counted_again_when_somebody_leaves,
    a_scramble_ends_the_votes_for_one,
    a_vote_scrambles_at_once_if_the_server_wants_that,
    a_menu_asks_everybody_in_their_language,
    with_native_votes_the_games_own_panel_asks,
    a_vote_in_a_menu_fails_without_enough_votes,
    admins_discard_votes,
    hints_say_how_to_vote,
];

const VOTE: i32 = 6;

/// A live round in which players may vote, and the players.
async fn live(app: &App) -> (Bed, Vec<i32>) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.set("rbs_vote_delay", "0");
    bed.begin_live_round().await;
    bed.pass(5.0).await;
    let players = bed.players();
    for player in &players {
        bed.heard(*player);
    }
    (bed, players)
}

async fn chat_words_vote_with_and_without_a_mark(app: &App) {
    let (mut bed, players) = live(app).await;
    bed.say(players[0], "scramble them");
    assert!(!bed.hears(players[0], "votes"), "this is no vote");
    let words = [
        "votescramble",
        "Scramble",
        "!scramble",
        " /scramble ",
        "!votescramble",
    ];
    for (votes, word) in words.into_iter().enumerate() {
        assert_eq!(due(&bed), [0; 0], "{votes} votes");
        bed.say(players[votes], word);
        if votes < 4 {
            bed.say(players[votes], word);
        }
    }
    assert_eq!(due(&bed), [VOTE]);
    bed.say(players[5], "scramble");
    assert!(bed.hears(players[5], "already planned"));
}

async fn votes_are_counted_again_when_somebody_leaves(app: &App) {
    let (mut bed, players) = live(app).await;
    for player in &players[..4] {
        bed.say(*player, "scramble");
    }
    for (leaves, expected, votes) in [
        (0, vec![], "three of seven: the vote left too"),
        (6, vec![], "three of six"),
        (7, vec![VOTE], "three of five"),
    ] {
        bed.leave(players[leaves]);
        bed.pass(1.0).await;
        assert_eq!(due(&bed), expected, "{votes}");
    }
    assert!(bed.hears(players[1], "before the next round"));
}

async fn a_scramble_ends_the_votes_for_one(app: &App) {
    let (mut bed, players) = live(app).await;
    for player in &players[..4] {
        bed.say(*player, "!votescramble");
    }
    bed.console("sm_rbs_scramble now");
    bed.pass(4.0).await;
    assert_eq!(scrambles(&bed), 1, "in the middle of a round");
    for player in &players[5..] {
        bed.leave(*player);
    }
    bed.pass(1.0).await;
    assert_eq!(due(&bed), [0; 0], "the votes were for the scramble before");
}

async fn a_vote_scrambles_at_once_if_the_server_wants_that(app: &App) {
    let (mut bed, players) = live(app).await;
    bed.set("rbs_vote_now", "1");
    for player in &players[..5] {
        bed.say(*player, "scramble");
    }
    bed.pass(4.0).await;
    let scrambled = forwarded(&bed, "RBS_OnScrambled");
    assert_eq!(scrambled.len(), 1, "in the middle of a round");
    assert_eq!(scrambled[0][0], VOTE);
}

async fn a_menu_asks_everybody_in_their_language(app: &App) {
    let (mut bed, players) = live(app).await;
    "de".clone_into(&mut bed.client_mut(players[1]).language);
    bed.set("rbs_vote_menu", "1");
    bed.say(players[0], "scramble");
    assert!(bed.hears(players[2], "[menu] Scramble the teams?"));
    let german = bed.heard(players[1]);
    for text in [
        "[menu] Die Teams mischen?",
        "[menu] 1. Ja",
        "[menu] 2. Nein",
    ] {
        assert!(german.iter().any(|line| line == text), "{german:?}");
    }
    bed.say(players[3], "scramble");
    assert!(bed.hears(players[3], "already running"));
    for (player, item) in players.iter().zip([0, 0, 0, 1, 1]) {
        bed.plugin_mut().vote(*player, item).expect("a vote");
    }
    bed.pass(15.0).await;
    assert_eq!(due(&bed), [0; 0], "the vote still runs");
    bed.pass(10.0).await;
    assert_eq!(due(&bed), [VOTE], "three of the five votes are 60 %");
}

async fn with_native_votes_the_games_own_panel_asks(app: &App) {
    let (mut bed, players) = live(app).await;
    let libraries = &mut bed.plugin_mut().host.plugins.libraries;
    libraries.insert("nativevotes".to_owned());
    bed.set("rbs_vote_menu", "1");
    for (now, panel) in [("0", "[menu] [type 17]"), ("1", "[menu] [type 16]")] {
        bed.set("rbs_vote_now", now);
        bed.say(players[0], "scramble");
        assert!(bed.hears(players[2], panel));
        bed.console("sm_rbs_reset_votes");
    }
    bed.set("rbs_vote_now", "0");
    for (votes, expected, result) in [
        ([1; 8], vec![], "[vote] failed"),
        ([0, 0, 0, 0, 0, 1, 1, 1], vec![VOTE], "[vote] passed"),
    ] {
        bed.heard(players[2]);
        bed.say(players[0], "scramble");
        for (player, item) in players.iter().zip(votes) {
            bed.plugin_mut().vote(*player, item).expect("a vote");
        }
        bed.pass(1.0).await;
        assert_eq!(due(&bed), expected);
        assert!(bed.hears(players[2], result), "{result}");
    }
}

async fn a_vote_in_a_menu_fails_without_enough_votes(app: &App) {
    let (mut bed, players) = live(app).await;
    bed.set("rbs_vote_menu", "1");
    bed.set("rbs_vote_delay", "30");
    bed.pass(30.0).await;
    bed.say(players[0], "scramble");
    for (player, item) in players.iter().zip([0, 0, 0, 0, 1, 1, 1, 1]) {
        bed.plugin_mut().vote(*player, item).expect("a vote");
    }
    bed.pass(1.0).await;
    assert_eq!(due(&bed), [0; 0]);
    assert!(bed.hears(players[5], "4 of 8 votes"));
    bed.say(players[0], "scramble");
    assert!(bed.hears(players[0], "seconds"), "not again at once");
    bed.pass(30.0).await;
    bed.say(players[0], "scramble");
    assert!(bed.hears(players[0], "[menu]"));
    bed.pass(25.0).await;
    assert!(bed.hears(players[0], "0 of 0 votes"), "nobody voted");
    assert_eq!(due(&bed), [0; 0]);
}

async fn admins_discard_votes(app: &App) {
    let (mut bed, players) = live(app).await;
    for player in &players[..4] {
        bed.say(*player, "scramble");
    }
    bed.say(players[0], "!rbs_reset_votes");
    bed.client_mut(players[7]).flags = 1 << 1;
    bed.say(players[7], "!rbs_reset_votes");
    bed.say(players[4], "scramble");
    assert_eq!(due(&bed), [0; 0], "one of eight");
    bed.set("rbs_vote_menu", "1");
    bed.say(players[0], "scramble");
    bed.plugin_mut().vote(players[0], 0).expect("a vote");
    bed.say(players[7], "!rbs_reset_votes");
    bed.pass(25.0).await;
    assert_eq!(due(&bed), [0; 0], "the menu was closed");
}

async fn hints_say_how_to_vote(app: &App) {
    let (mut bed, players) = live(app).await;
    let hint = "Uneven teams?";
    bed.pass(600.0).await;
    assert!(!bed.hears(players[0], hint), "off at first");
    bed.set("rbs_vote_advert", "5");
    bed.pass(299.0).await;
    assert!(!bed.hears(players[0], hint), "too early");
    bed.pass(2.0).await;
    assert!(bed.hears(players[0], hint));
    bed.set("rbs_vote", "0");
    bed.pass(301.0).await;
    assert!(!bed.hears(players[0], hint), "votes are off");
}
