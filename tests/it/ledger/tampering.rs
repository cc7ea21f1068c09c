use rbs::domain::RoundAction;

use super::{arena, arena_record, assert_no_differences, must_void, open_plain, rebuild};
use crate::recording::history::{Event, events};
use crate::support::{Database, Dice};

on_both_engines!(what_is_tampered_with_is_found_and_a_rebuild_mends_it);

/// SQL that tampers with rows, and a part of the resulting message of the check.
const TAMPERING: [(&str, &str); 22] = [
    (
        "update players set rating = rating + 1 where player_id = 76561197960265730",
        "the player 76561197960265730",
    ),
    ("update players set rounds = rounds + 1", "the player "),
    (
        "update players set last_played = last_played + 1",
        "the player ",
    ),
    (
        "delete from players where player_id = 76561197960265731",
        "1 player with rounds in the log",
    ),
    (
        "update players set player_id = player_id + 100",
        "is in the database but not in the pool's log",
    ),
    (
        "update entries set content = (
             select other.content from entries as other order by other.player_id limit 1)",
        "the totals stored with the rounds of the player ",
    ),
    (
        "update players set last_entries = coalesce((
             select other.last_entries from players as other
             where other.entries % 16 = players.entries % 16 and other.player_id <> players.player_id
             order by other.player_id limit 1), last_entries)",
        "the totals stored with the rounds of the player ",
    ),
    (
        "delete from entries where chunk = 0 and player_id = 76561197960265730",
        "the player 76561197960265730 has ",
    ),
    (
        "update results set number = number + 1000 where number = 4",
        " is wrong: the sums of prediction scores",
    ),
    (
        "update results set content = (select other.content from results as other
                                       where other.number = 6 limit 1) where number = 5",
        "the stored result of ",
    ),
    ("delete from results where number = 6", "has no result"),
    (
        "insert into results select pool_id, position + 1000, generation, number, content from results
         where number = 6",
        "a result is stored for position ",
    ),
    (
        "update pools set log_loss = log_loss + 0.0000000000001 where name = 'arena'",
        "the sums of prediction scores are",
    ),
    (
        "update pools set calibration = replace(calibration, '[0,0,0]', '[1,0,0]')",
        "the stored calibration",
    ),
    (
        "update pools set favourite_brier = favourite_brier + 0.0000000000001 where name = 'arena'",
        "the sums of prediction scores are",
    ),
    (
        "update pools set experience = replace(experience, '[0,0,0]', '[1,0,0]')",
        "the stored sums of K-factors",
    ),
    (
        "update round_groups set brier = brier + 1 where name = 'arena_well'",
        "the sums of the map arena_well are GroupTotals",
    ),
    (
        "update round_groups set name = 'arena-2' where name = 'arena-1'",
        "the sums of the server arena-1 are not stored",
    ),
    (
        "delete from round_groups where kind = 'lead'",
        "the sums of the lead 0 are not stored",
    ),
    (
        "update rounds set voided_at = null",
        "is void and its winner is",
    ),
    (
        "update rounds set voided_at = 5 where voided_at is null and round_id = 'round-9'",
        "is not void and its winner is",
    ),
    (
        "update rounds set corrected_winner = 'draw' where round_id = 'round-9'",
        "but its database row says otherwise",
    ),
];

async fn what_is_tampered_with_is_found_and_a_rebuild_mends_it(database: &Database) {
    let service = open_plain(database).await;
    for event in events(&mut Dice::new(14), 90) {
        if let Event::Round(round) = event {
            let _refused_or_not = service.record_round(arena(&service), round).await;
        }
    }
    must_void(&service, "round-1", RoundAction::Void).await;
    assert_no_differences(&service).await;
    for (statement, says) in TAMPERING {
        database.execute(statement).await;
        let arena = arena_record(&service).await;
        let checked = service.check_pool(&arena, &mut |_| ()).await;
        let checked = checked.expect("a check");
        assert!(checked.differences > 0, "{statement} is not found");
        assert!(
            checked.named.iter().any(|line| line.contains(says)),
            "{statement}: {checked:#?}"
        );
        rebuild(&service).await;
        assert_no_differences(&service).await;
    }
    // Damage to the log itself is reported as irreparable. A scoreboard row would keep the round in its place.
    database
        .execute("delete from scoreboards where position = 7")
        .await;
    database
        .execute("update rounds set position = 1000 where position = 7")
        .await;
    let arena = arena_record(&service).await;
    let checked = service.check_pool(&arena, &mut |_| ()).await;
    let checked = checked.expect("a check");
    assert!(
        checked
            .named
            .iter()
            .any(|line| line.contains("at position 7")),
        "{checked:#?}"
    );
    let by = rbs::service::Author::CommandLine;
    let refused = service.rebuild(&arena, by, &mut |_| ()).await;
    assert!(refused.is_err(), "{refused:?}");
    service.close().await;
}
