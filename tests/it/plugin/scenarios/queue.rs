//! Rounds that the service cannot accept at once: they wait in order, and each counts exactly once.

use super::{DATA, attempts, counted, names, waiting};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    what_the_service_refuses_is_kept_in_a_file_and_the_next_goes_on,
    what_overflows_is_kept_in_a_file,
    a_full_disk_loses_nothing_that_memory_has,
    retry_after_is_heeded,
    a_queue_of_another_name_is_left_alone,
    pauses_grow_to_a_minute_and_an_outage_is_logged_once,
];

pub async fn server(app: &App, players: u32) -> Bed {
    let mut bed = Bed::start(app, Mode::Arena).await;
    bed.set("rbs_scramble", "0");
    bed.fill(1, players);
    bed.pass(2.0).await;
    bed
}

pub async fn play(bed: &mut Bed, rounds: usize) {
    for _ in 0..rounds {
        bed.play(Win::of(Team::Red), 30.0).await;
    }
}

/// Plays until the moment at which a round ends.
pub async fn end_a_round(bed: &mut Bed) {
    bed.begin_round();
    bed.open_doors();
    bed.pass(30.0).await;
    bed.end_round(Win::of(Team::Red));
}

async fn what_the_service_refuses_is_kept_in_a_file_and_the_next_goes_on(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::problem(409, "the round has another winner"));
    play(&mut bed, 1).await;
    bed.trouble(Trouble::None);
    play(&mut bed, 1).await;
    let refused = names(&bed, "refused.arena-1.jsonl");
    assert_eq!(refused.len(), 1);
    let all = counted(app, "arena-1").await;
    assert_eq!(all.len(), 1);
    assert_ne!(all, refused);
    let errors = bed.errors().join("\n");
    assert!(errors.contains("the round has another winner"), "{errors}");
}

async fn what_overflows_is_kept_in_a_file(app: &App) {
    for (size, over) in [("1", 2), ("2", 1), ("3", 0)] {
        let mut bed = server(app, 4).await;
        bed.set("rbs_queue", size);
        bed.trouble(Trouble::Away);
        play(&mut bed, 3).await;
        let file = names(&bed, "overflow.arena-1.jsonl");
        assert_eq!(file.len(), over, "a queue of {size}");
        let waiting = waiting(&bed);
        assert_eq!(waiting.len() + over, 3);
        bed.trouble(Trouble::None);
        bed.pass(65.0).await;
        let all = counted(app, "arena-1").await;
        assert!(all.ends_with(&waiting), "{all:?} {waiting:?}");
        assert!(
            file.iter().all(|name| !all.contains(name)),
            "a round is in two places"
        );
    }
}

async fn a_full_disk_loses_nothing_that_memory_has(app: &App) {
    let mut bed = server(app, 4).await;
    bed.set("rbs_queue", "2");
    bed.plugin_mut().host.files.full = true;
    bed.trouble(Trouble::Away);
    play(&mut bed, 4).await;
    let mut errors = bed.errors();
    errors.retain(|line| line.contains("cannot be written"));
    let count = errors.len();
    assert!((1..=2).contains(&count), "once for each file: {errors:?}");
    bed.trouble(Trouble::None);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 4);
}

async fn retry_after_is_heeded(app: &App) {
    let mut bed = server(app, 4).await;
    let headers = &[("retry-after", "40")];
    bed.trouble(Trouble::Answer(429, "{}".to_owned(), headers));
    end_a_round(&mut bed).await;
    bed.pass(2.0).await;
    let sent = attempts(&bed).len();
    bed.trouble(Trouble::None);
    bed.pass(36.0).await;
    assert_eq!(attempts(&bed).len(), sent, "it was asked to wait");
    bed.pass(6.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
}

async fn a_queue_of_another_name_is_left_alone(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, 2).await;
    bed.set("rbs_server", "arena-2");
    play(&mut bed, 1).await;
    assert_eq!(waiting(&bed).len(), 2);
    assert_eq!(names(&bed, "queue.arena-2.jsonl").len(), 1);
    bed.trouble(Trouble::None);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-2").await.len(), 1);
    assert_eq!(counted(app, "arena-1").await.len(), 0);
    bed.set("rbs_server", "arena-1");
    bed.pass(10.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 2);
}

async fn pauses_grow_to_a_minute_and_an_outage_is_logged_once(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Away);
    end_a_round(&mut bed).await;
    let mut times = Vec::new();
    for second in 0..320 {
        let before = attempts(&bed).len();
        bed.pass(1.0).await;
        if attempts(&bed).len() > before {
            times.push(second);
        }
    }
    let pauses: Vec<i32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let expected = [5, 10, 20, 40, 60, 60];
    let near = pauses
        .iter()
        .zip(expected)
        .all(|(pause, expected)| (pause - expected).abs() <= 1);
    assert!(near && pauses.len() >= 6, "{pauses:?}");
    bed.trouble(Trouble::None);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
    let files = bed.files(DATA);
    assert!(files.is_empty(), "{files:?}");
    assert_eq!(bed.logged("does not answer"), 1);
    assert_eq!(bed.logged("answers again"), 1);
}
