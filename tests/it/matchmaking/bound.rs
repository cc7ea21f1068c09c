//! Every ticket is matched eventually.

use rbs::matchmaking::{Effort, MatchPolicies, make_matches};

use super::generated::{kinds, queue};
use super::oracle::{all, head};

#[test]
fn who_is_due_and_has_waited_longest_of_those_who_fit_anywhere_plays() {
    let policies = MatchPolicies::built_in().unwrap();
    let mut heads = 0;
    for (number, kind) in (0..).zip(kinds()) {
        for (_, policy) in policies.iter() {
            let queue = queue(kind, 2 + number % 8, 77_000 + number);
            let Some(head) = head(&queue, policy, &all(&queue, policy)) else {
                continue;
            };
            heads += 1;
            for effort in [Effort::MIN, Effort::usual(9)] {
                let matches = make_matches(&queue, policy, effort).unwrap();
                let waits = matches.waiting.iter().any(|wait| wait.ticket == head);
                assert!(!waits, "{kind:?} {number}: {matches:?}");
            }
        }
    }
    assert!(heads > 50, "{heads}");
}
