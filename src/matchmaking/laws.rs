//! Properties of all matchmaking answers. `tests/it/matchmaking` compares answers with an exhaustive search.

use std::any::Any;
use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::domain::{PlayerId, Rating};
use crate::partition::{Alone, Candidate, Host};

/// Generates queues from the sizes, ratings, waits and pings of tickets, and the team sizes of servers.
fn queues() -> impl Strategy<Value = Queue> {
    let ticket = (1_usize..4, 0..1500, 0_u32..700, vec(0_u16..250, 4), 0_u8..4);
    (vec(ticket, 1..40), vec(1_usize..6, 1..5), any::<bool>()).prop_map(
        |(tickets, sizes, has_roles)| {
            let mut account = 0;
            let tickets =
                tickets
                    .into_iter()
                    .map(|(players, level, waited_seconds, pings, roles)| Ticket {
                        players: (0..players)
                            .map(|number| {
                                account += 1;
                                player(account, level + 40 * i32::try_from(number).unwrap(), roles)
                            })
                            .collect(),
                        waited_seconds,
                        reach: pings.into_iter().take(sizes.len()).map(reach).collect(),
                        modes: Vec::new(),
                    });
            Queue {
                tickets: tickets.collect(),
                servers: sizes.iter().map(|size| server(*size)).collect(),
                roles: if has_roles { vec![1] } else { Vec::new() },
                thetas: (1..7).map(|size| (size, 1200.0)).collect(),
            }
        },
    )
}

fn player(account: u64, points: i32, roles: u8) -> QueuedPlayer {
    QueuedPlayer {
        candidate: Candidate {
            id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
            rating: Rating::new(1000 + points).unwrap(),
        },
        roles,
    }
}

fn reach(ping: u16) -> Reach {
    match ping {
        0..20 => Reach::Refused,
        20..50 => Reach::Accepted,
        ping => Reach::Ping(ping),
    }
}

fn server(size: usize) -> FreeServer {
    FreeServer {
        lean: if size == 2 { -250 } else { 0 },
        sizes: vec![size, size + 1],
        modes: Vec::new(),
    }
}

fn policies() -> Vec<MatchPolicy> {
    MatchPolicies::built_in()
        .unwrap()
        .iter()
        .map(|(_, policy)| *policy)
        .collect()
}

/// Returns a server for teams of `size` in any mode, on a map without an advantage.
fn even_server(size: usize) -> FreeServer {
    FreeServer {
        lean: 0,
        sizes: vec![size],
        modes: Vec::new(),
    }
}

/// Returns a ticket of one player, who has just joined and accepts each of `servers` in any mode.
fn ticket(player: QueuedPlayer, servers: usize) -> Ticket {
    Ticket {
        players: vec![player],
        waited_seconds: 0,
        reach: vec![Reach::Accepted; servers],
        modes: Vec::new(),
    }
}

const EFFORT: Effort = Effort(60_000);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn matches_keep_what_is_promised(queue in queues(), policy in 0_usize..3) {
        let policy = policies()[policy];
        let answer = make_matches(&queue, &policy, EFFORT).unwrap();
        let mut seen: Vec<usize> = answer.waiting.iter().map(|wait| wait.ticket).collect();
        let mut servers = Vec::new();
        for made in &answer.matches {
            servers.push(made.server);
            prop_assert!(queue.servers[made.server].sizes.contains(&made.size));
            for team in &made.teams {
                let players: usize = team.iter().map(|ticket| queue.tickets[*ticket].players.len()).sum();
                prop_assert_eq!(players, made.size, "tickets are whole");
                seen.extend(team);
            }
            for ticket in made.teams.iter().flatten() {
                prop_assert!(queue.tickets[*ticket].reach[made.server] != Reach::Refused);
            }
            if let Some(limits) = made.limits {
                prop_assert!(made.uneven <= limits.uneven && made.spread <= limits.spread);
                prop_assert!(made.worst_ping.is_none_or(|ping| f64::from(ping) <= limits.ping));
            }
            prop_assert!(made.value > 0);
            let points = |team: &[usize]| -> i32 {
                let players = team.iter().flat_map(|ticket| &queue.tickets[*ticket].players);
                players.map(|player| player.candidate.rating.points()).sum()
            };
            let lead = points(&made.teams[0]) - points(&made.teams[1]);
            let lean = queue.servers[made.server].lean;
            prop_assert!((lead + lean).abs() <= (lean - lead).abs(), "the side that is ahead is the weaker team's");
            let odds = crate::rating::win_probability(i64::from((lead + lean).abs()), 0, queue.thetas[&made.size]);
            prop_assert!((made.uneven - (odds.get() - 0.5)).abs() < 1e-12);
        }
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..queue.tickets.len()).collect::<Vec<_>>(), "everybody once");
        let all = servers.len();
        servers.sort_unstable();
        servers.dedup();
        prop_assert_eq!(servers.len(), all, "a server begins one match");
        prop_assert_eq!(answer.matches.iter().map(|made| made.value).sum::<i64>(), answer.value);
    }

    /// Checks that a higher work limit never lowers the total value of the matches. Even without work, the value is at
    /// least that of matching tickets by rating alone.
    #[test]
    fn more_work_is_never_worse_and_nothing_is_worse_than_by_rating(queue in queues(), policy in 0_usize..3) {
        let policy = policies()[policy];
        let compiled = Compiled::new(&queue).unwrap();
        let mut before = search::by_rating(&Judge::new(&compiled, &policy, (0, &Alone)), None).value();
        if queue.tickets.iter().any(|ticket| ticket.waited_seconds >= policy.due_seconds) {
            // The plan by rating must then start with the head too.
            before = make_matches(&queue, &policy, Effort::MIN).unwrap().value;
        }
        for work in [0, 3_000, 10_000, 30_000, 100_000] {
            let value = make_matches(&queue, &policy, Effort(work)).unwrap().value;
            prop_assert!(value >= before, "{value} after {before}");
            before = value;
        }
    }

    #[test]
    fn the_order_of_what_was_given_changes_nothing(queue in queues(), turn in 0_usize..40) {
        let policy = policies()[2];
        let mut turned = queue.clone();
        let by = turn % queue.tickets.len();
        turned.tickets.rotate_left(by);
        let one = make_matches(&queue, &policy, EFFORT).unwrap();
        let other = make_matches(&turned, &policy, EFFORT).unwrap();
        prop_assert_eq!(one.value, other.value);
        let players = |queue: &Queue, answer: &Matches| -> Vec<Vec<PlayerId>> {
            let teams = answer.matches.iter().flat_map(|made| &made.teams).map(|team| {
                let players = team.iter().flat_map(|ticket| &queue.tickets[*ticket].players);
                let mut ids: Vec<PlayerId> = players.map(|player| player.candidate.id).collect();
                ids.sort_unstable();
                ids
            });
            teams.collect()
        };
        prop_assert_eq!(players(&queue, &one), players(&turned, &other));
    }

    /// Checks that an overdue ticket waits only for tickets that have waited longer. Each call matches the first of
    /// them. The number of calls is thus at most the number of older tickets plus one, if enough other players come.
    #[test]
    fn nobody_waits_longer_than_there_are_older_tickets(queue in queues(), newcomers in vec(0..1500, 12)) {
        let policy = policies()[1];
        let mut queue = queue;
        for ticket in &mut queue.tickets {
            ticket.waited_seconds += policy.due_seconds;
            ticket.reach = vec![Reach::Accepted];
        }
        // One server, and in every call enough newcomers who are closer to one another than to any older ticket.
        queue.servers = vec![even_server(3)];
        let mut account = 1000;
        let bound = queue.tickets.len() + 1;
        for call in 0..=bound {
            let due = queue.tickets.iter().filter(|ticket| ticket.waited_seconds >= policy.due_seconds);
            if due.count() == 0 {
                return Ok(());
            }
            prop_assert!(call < bound, "{:?}", queue.tickets);
            for level in &newcomers {
                account += 1;
                queue.tickets.push(ticket(player(account, 5000 + level / 10, 0), 1));
            }
            let answer = make_matches(&queue, &policy, Effort::MIN).unwrap();
            let left: Vec<Ticket> = answer.waiting.iter().map(|wait| queue.tickets[wait.ticket].clone()).collect();
            queue.tickets = left;
            queue.tickets.retain(|ticket| ticket.waited_seconds > 0);
        }
    }
}

#[test]
fn everybody_learns_why_they_wait() {
    let queue = |servers: Vec<FreeServer>, levels: &[i32]| Queue {
        tickets: (1..)
            .zip(levels)
            .map(|(account, level)| Ticket {
                modes: vec!["cp".parse().unwrap()],
                ..ticket(player(account, *level, 0), servers.len())
            })
            .collect(),
        servers,
        roles: Vec::new(),
        thetas: (1..7).map(|size| (size, 400.0)).collect(),
    };
    let policy = MatchPolicy::default();
    let duel = even_server(1);
    let koth = FreeServer {
        modes: vec!["koth".parse().unwrap()],
        ..even_server(1)
    };
    for (servers, levels, expected) in [
        (vec![], &[0, 0][..], vec![WaitReason::NoServer; 2]),
        (vec![koth], &[0, 0], vec![WaitReason::NoServer; 2]),
        (vec![duel.clone()], &[0], vec![WaitReason::TooFew]),
        (vec![duel.clone()], &[0, 0, 0], vec![WaitReason::Taken]),
        (vec![duel.clone()], &[0, 3000], vec![WaitReason::Limits; 2]),
        (vec![duel], &[0, 5], vec![]),
    ] {
        let answer = make_matches(&queue(servers, levels), &policy, EFFORT).unwrap();
        let found: Vec<WaitReason> = answer.waiting.iter().map(|wait| wait.why).collect();
        assert_eq!(found, expected, "{answer:?}");
    }
}

#[test]
fn a_queue_that_cannot_be_one_is_refused() {
    let ticket = ticket(player(1, 0, 0), 0);
    let queue = Queue {
        tickets: vec![ticket.clone(), ticket.clone()],
        servers: Vec::new(),
        roles: Vec::new(),
        thetas: [].into(),
    };
    let policy = MatchPolicy::default();
    let twice = make_matches(&queue, &policy, EFFORT);
    assert_eq!(
        twice,
        Err(InvalidQueue::Twice(ticket.players[0].candidate.id))
    );
    let queue = Queue {
        tickets: vec![ticket],
        servers: vec![even_server(2)],
        ..queue
    };
    assert_eq!(
        make_matches(&queue, &policy, EFFORT),
        Err(InvalidQueue::Incomplete)
    );
}

/// Test caller that counts how often the search asks to continue; refuses if `wants` is `false`.
struct Counting {
    asked: Cell<u32>,
    wants: bool,
}

impl Host for Counting {
    fn reserve(&self, _bytes: u64) -> Box<dyn Any> {
        Box::new(())
    }

    fn is_wanted(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.wants
    }
}

#[test]
fn others_have_turns_while_matches_are_made_and_what_nobody_wants_is_not_begun() {
    let tickets = (1..=60).map(|account| {
        let level = 7 * i32::try_from(account).unwrap();
        ticket(player(account, level, 0), 8)
    });
    let queue = Queue {
        tickets: tickets.collect(),
        servers: vec![even_server(3); 8],
        roles: Vec::new(),
        thetas: [(3, 400.0)].into(),
    };
    let asked = |effort, wants| {
        let host = Counting {
            asked: Cell::new(0),
            wants,
        };
        make_matches_sharing(&queue, &MatchPolicy::default(), Effort(effort), &host).unwrap();
        host.asked.get()
    };
    let (little, much) = (asked(100_000, true), asked(1_000_000, true));
    assert!(little > 0 && much > 5 * little, "{little} and {much}");
    assert_eq!(asked(1_000_000, false), 1, "who says no is not asked again");
}
