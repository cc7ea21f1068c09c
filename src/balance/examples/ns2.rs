use super::*;

#[test]
fn the_best_pair_changes_places() {
    let verdict = judged(
        "ns2",
        team(1, &[2000, 1800, 1500, 1000]),
        team(10, &[1200, 1100, 900, 800]),
    );
    // The lead is 2300, so the best pair differs by 1150.
    assert_eq!(verdict.moves.len(), 2);
    assert_eq!(verdict.moves[0].with, Some(verdict.moves[1].id));
    assert_eq!(verdict.after.lead().points().abs(), 100.0);
    assert_eq!(verdict.after.size_difference(), 0);
    assert_eq!(verdict.moves[0].alone, verdict.after);
}

#[test]
fn more_pairs_than_one_where_one_is_not_enough() {
    let verdict = judged(
        "ns2",
        team(1, &[3000, 3000, 3000]),
        team(10, &[1000, 1000, 1000]),
    );
    // Each pair takes 4000 off the lead of 6000.
    assert!(verdict.moves.is_empty() && !verdict.balanced_after);
    assert_eq!(verdict.runners_up[0].after.lead().points().abs(), 2000.0);
    let verdict = judged(
        "ns2",
        team(1, &[3000, 3000, 3000, 3000]),
        team(10, &[1000, 1000, 1000, 1000]),
    );
    assert_eq!(verdict.moves.len(), 4);
    assert_eq!(verdict.after.lead(), Power::ZERO);
}
