//! Time to form matches from a queue, and quality of the matches: queues of 14 to 1,000 tickets, with and without
//! parties and pings. Runs without a database, in one thread; the time is the best of three.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rbs::domain::{PlayerId, Rating};
use rbs::matchmaking::{
    Effort, FreeServer, MatchPolicy, Queue, QueuedPlayer, Reach, Ticket, make_matches,
};
use rbs::partition::Candidate;
use support::Dice;

/// Tickets, servers and players per team.
const QUEUES: [(u64, u64, u64); 8] = [
    (14, 4, 2),
    (14, 7, 1),
    (100, 8, 6),
    (100, 16, 2),
    (100, 50, 1),
    (1000, 64, 6),
    (1000, 64, 12),
    (1000, 64, 2),
];
const REPEATS: usize = 3;

fn queue((tickets, servers, size): (u64, u64, u64), mixed: bool, dice: &mut Dice) -> Queue {
    let mut draw = |from: u64, to: u64| {
        let sides = usize::try_from(to - from + 1).expect("a range");
        from + u64::try_from(dice.roll(sides)).expect("a number")
    };
    let mut account = 0;
    let tickets = (0..tickets).map(|_| {
        let players = if mixed && draw(0, 3) == 0 {
            draw(1, size.min(3))
        } else {
            1
        };
        // The sum of three uniform draws is roughly bell-shaped.
        let level = draw(0, 400) + draw(0, 400) + draw(0, 400);
        Ticket {
            players: (0..players)
                .map(|_| {
                    account += 1;
                    let points =
                        i32::try_from(1000 + level + draw(0, 200)).expect("some thousands");
                    QueuedPlayer {
                        candidate: Candidate {
                            id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account)
                                .expect("an id"),
                            rating: Rating::new(points).expect("a rating"),
                        },
                        roles: 0,
                    }
                })
                .collect(),
            waited_seconds: u32::try_from(draw(0, 120)).expect("some minutes"),
            reach: (0..servers)
                .map(|_| match draw(0, 5) {
                    _ if !mixed => Reach::Accepted,
                    0 => Reach::Refused,
                    _ => Reach::Ping(u16::try_from(draw(10, 110)).expect("a ping")),
                })
                .collect(),
            modes: Vec::new(),
        }
    });
    let tickets = tickets.collect();
    let size = usize::try_from(size).expect("a team");
    let servers = (0..servers).map(|_| FreeServer {
        lean: 0,
        sizes: vec![size],
        modes: Vec::new(),
    });
    Queue {
        tickets,
        servers: servers.collect(),
        roles: Vec::new(),
        thetas: BTreeMap::from([(size, 2400.0)]),
    }
}

fn main() {
    let policy = MatchPolicy::default();
    println!("tickets servers  size  mixed       time  matches  waiting  value over by rating");
    for shape in QUEUES {
        for mixed in [false, true] {
            let queue = queue(shape, mixed, &mut Dice::new(shape.0 + shape.2));
            let usual = Effort::usual(queue.tickets.len());
            let make = |effort| make_matches(&queue, &policy, effort).expect("a queue");
            let mut best = Duration::MAX;
            for _ in 0..REPEATS {
                let began = Instant::now();
                black_box(make(usual));
                best = best.min(began.elapsed());
            }
            let (found, by_rating) = (make(usual), make(Effort::MIN));
            let (tickets, servers, size) = shape;
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let ratio = found.value as f64 / (by_rating.value as f64).max(1.0);
            println!(
                "{tickets:7} {servers:7} {size:5}  {mixed:5} {:8.1} ms {:8} {:8}  {ratio:.4}",
                best.as_secs_f64() * 1e3,
                found.matches.len(),
                found.waiting.len(),
            );
        }
    }
}
