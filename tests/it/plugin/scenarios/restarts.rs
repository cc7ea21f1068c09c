//! Reloads, crashes, map changes and empty servers. The plugin resumes from its files.

use super::queue::{end_a_round, play, server};
use super::{DATA, QUEUE, counted, reports, waiting};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    a_queue_survives_reloads_crashes_and_maps,
    a_crash_after_the_service_has_counted_counts_once,
    a_torn_queue_is_set_aside_and_its_rounds_are_sent,
    a_queue_that_was_not_renamed_is_taken_too,
    a_server_without_people_sends_when_somebody_comes,
    names_stay_apart_when_the_clock_is_set_back,
    a_plugin_that_comes_late_reports_the_next_round,
];

async fn again(bed: &mut Bed) {
    bed.fill(1, 4);
    bed.pass(2.0).await;
}

async fn a_queue_survives_reloads_crashes_and_maps(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, 2).await;
    bed.reload().await;
    bed.set("rbs_scramble", "0");
    play(&mut bed, 1).await;
    bed.change_map_and_teams(Mode::Arena).await;
    play(&mut bed, 1).await;
    bed.crash().await;
    again(&mut bed).await;
    play(&mut bed, 1).await;
    let waiting = waiting(&bed);
    assert_eq!(waiting.len(), 5);
    bed.trouble(Trouble::None);
    bed.pass(70.0).await;
    assert_eq!(counted(app, "arena-1").await, waiting);
}

async fn a_crash_after_the_service_has_counted_counts_once(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Slow(5.0));
    end_a_round(&mut bed).await;
    bed.pass(1.0).await;
    let counts = counted(app, "arena-1").await.len();
    assert_eq!(
        counts, 1,
        "the service has it, and the plugin does not know"
    );
    bed.crash().await;
    bed.trouble(Trouble::None);
    again(&mut bed).await;
    bed.pass(10.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
    assert!(waiting(&bed).is_empty());
}

async fn a_torn_queue_is_set_aside_and_its_rounds_are_sent(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, 3).await;
    let text = bed.file(QUEUE);
    let whole = waiting(&bed);
    bed.write_file(QUEUE, &text[..text.len() - 40]);
    bed.crash().await;
    bed.trouble(Trouble::None);
    again(&mut bed).await;
    bed.pass(70.0).await;
    assert_eq!(counted(app, "arena-1").await, whole[..2]);
    let files = bed.files(DATA).join(" ");
    assert!(files.contains("unreadable"), "{files}");
    let errors = bed.errors().join("\n");
    assert!(errors.contains("no rounds"), "{errors}");
}

async fn a_queue_that_was_not_renamed_is_taken_too(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, 1).await;
    let earlier = bed.file(QUEUE);
    play(&mut bed, 1).await;
    let later = bed.file(QUEUE);
    bed.write_file(QUEUE, &earlier);
    bed.write_file(&format!("{QUEUE}.new"), &later);
    bed.crash().await;
    assert_eq!(waiting(&bed).len(), 2, "a round is in the queue once");
    bed.trouble(Trouble::None);
    again(&mut bed).await;
    bed.pass(70.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 2);
    assert!(bed.files(DATA).is_empty());
}

async fn a_server_without_people_sends_when_somebody_comes(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, 1).await;
    for index in bed.everybody() {
        bed.leave(index);
    }
    bed.trouble(Trouble::None);
    bed.pass(3600.0).await;
    let counts = counted(app, "arena-1").await.len();
    assert_eq!(counts, 0, "an empty server has no frames");
    bed.connect(1);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
}

async fn names_stay_apart_when_the_clock_is_set_back(app: &App) {
    let mut bed = server(app, 4).await;
    play(&mut bed, 2).await;
    bed.set_machine_clock(-100);
    bed.crash().await;
    again(&mut bed).await;
    bed.set("rbs_scramble", "0");
    play(&mut bed, 2).await;
    bed.pass(65.0).await;
    let mut all = counted(app, "arena-1").await;
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4, "{all:?}");
}

async fn a_plugin_that_comes_late_reports_the_next_round(app: &App) {
    let mut bed = Bed::without_plugin(Mode::Arena);
    bed.connect_to(app);
    bed.set_up("arena-1");
    bed.fill(1, 4);
    bed.begin_round();
    bed.open_doors();
    bed.load().await;
    bed.set("rbs_scramble", "0");
    bed.pass(30.0).await;
    bed.end_round(Win::of(Team::Red));
    bed.settle().await;
    let count = reports(&bed).len();
    assert_eq!(count, 0, "nobody knows who was there at its start");
    play(&mut bed, 1).await;
    let all = reports(&bed);
    assert_eq!(all.len(), 1);
    let team = all[0]["team_a"].as_array().expect("a team");
    assert_eq!(team.len(), 2, "it knows who was there already");
}
