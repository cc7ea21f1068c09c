//! The best matches are found for few tickets, and the ticket that has waited longest is in one of them.

use rbs::domain::{PlayerId, Rating};
use rbs::matchmaking::{
    Effort, FreeServer, MatchPolicies, MatchPolicy, Queue, QueuedPlayer, Reach, Ticket,
    make_matches,
};
use rbs::partition::Candidate;

use super::generated::{kinds, queue};
use super::oracle::optimum;

/// Asserts that the best matches are found with any effort for `instances` queues of every `step`th kind, and that the
/// due ticket that has waited longest of those that fit anywhere is in a match. `tickets` gives the number of tickets
/// by seed.
fn compare(tickets: impl Fn(usize) -> usize, instances: usize, step: usize) {
    let mut heads = 0;
    let policies = MatchPolicies::built_in().unwrap();
    let policies: Vec<MatchPolicy> = policies.iter().map(|(_, policy)| *policy).collect();
    for (number, kind) in (0..).zip(kinds()).step_by(step) {
        for instance in 0..instances {
            let seed = number * 1000 + instance;
            let queue = queue(kind, tickets(seed), seed as u64);
            let policy = &policies[seed % 3];
            let (best, head) = optimum(&queue, policy);
            heads += usize::from(head.is_some());
            // Each value is rounded to millionths, and logarithms are summed in another order.
            let slack = 4 * i64::try_from(queue.tickets.len()).unwrap();
            for effort in [Effort::MIN, Effort::usual(9)] {
                let matches = make_matches(&queue, policy, effort).unwrap();
                let miss = best - matches.value;
                assert!(
                    miss.abs() <= slack,
                    "{kind:?} {seed}: {} and not {best}",
                    matches.value
                );
                let mut waits = matches.waiting.iter();
                assert!(
                    waits.all(|wait| Some(wait.ticket) != head),
                    "{kind:?} {seed}: {matches:?}"
                );
            }
        }
    }
    assert!(heads > 5, "{heads}");
}

#[test]
fn up_to_nine_tickets_get_the_best_matches_there_are() {
    compare(|seed| 2 + seed % 8, 8, 1);
}

#[test]
fn fourteen_tickets_get_the_best_matches_there_are() {
    compare(|_| 14, 1, 7);
}

/// Two modes of one server count as one server for a duel, so the second duel uses the other server.
#[test]
fn two_duels_use_both_servers_where_anything_may_be_played() {
    let duelist = |account: u64, points, waited_seconds, modes: &[&str]| Ticket {
        players: vec![QueuedPlayer {
            candidate: Candidate {
                id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
                rating: Rating::new(points).unwrap(),
            },
            roles: 0,
        }],
        waited_seconds,
        reach: vec![Reach::Accepted; 2],
        modes: modes.iter().map(|mode| mode.parse().unwrap()).collect(),
    };
    let server = FreeServer {
        sizes: vec![1],
        modes: Vec::new(),
        lean: 0,
    };
    let queue = Queue {
        tickets: vec![
            duelist(1, 968, 900, &[]),
            duelist(2, 957, 195, &[]),
            duelist(3, 1079, 60, &["koth", "tdm"]),
            duelist(4, 733, 49, &[]),
        ],
        servers: vec![server.clone(), server],
        roles: Vec::new(),
        thetas: [(1, 2400.0)].into(),
    };
    let policies = MatchPolicies::built_in().unwrap();
    let even = policies.named(&"even".parse().unwrap()).unwrap();
    let matches = make_matches(&queue, even, Effort::usual(4)).unwrap();
    assert_eq!(matches.matches.len(), 2, "{matches:?}");
    assert!(
        (optimum(&queue, even).0 - matches.value).abs() <= 16,
        "{matches:?}"
    );
}
