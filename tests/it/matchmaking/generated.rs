//! Generated queues of all kinds, deterministic for a seed.

use rbs::domain::{ModeName, PlayerId, Rating};
use rbs::matchmaking::{FreeServer, Queue, QueuedPlayer, Reach, Ticket};
use rbs::partition::Candidate;

use crate::support::Dice;

fn modes(dice: &mut Dice) -> Vec<ModeName> {
    let names: [&[&str]; 4] = [&["cp"], &["koth"], &["cp", "koth"], &[]];
    let names = names[dice.below(4)].iter();
    names.map(|name| name.parse().unwrap()).collect()
}

/// Features of a queue.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct Kind {
    pub(super) parties: bool,
    pub(super) pings: bool,
    pub(super) modes: bool,
    pub(super) roles: bool,
    /// Maximum wait of a ticket, in seconds.
    pub(super) longest_wait: usize,
    pub(super) sizes: &'static [usize],
    pub(super) servers: usize,
}

/// Every combination of features.
pub(super) fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for bits in 0..16 {
        for (sizes, servers) in [(&[1][..], 8), (&[2], 4), (&[3], 2), (&[2, 3], 3), (&[6], 2)] {
            for longest_wait in [30, 200, 500] {
                kinds.push(Kind {
                    parties: bits & 1 == 1,
                    pings: bits & 2 == 2,
                    modes: bits & 4 == 4,
                    roles: bits & 8 == 8,
                    longest_wait,
                    sizes,
                    servers,
                });
            }
        }
    }
    kinds
}

pub(super) fn queue(kind: Kind, tickets: usize, seed: u64) -> Queue {
    let mut dice = Dice::new(seed);
    let servers = 1 + dice.below(kind.servers);
    let most = kind.sizes.iter().max().copied().unwrap_or(1);
    let mut account = 1;
    let tickets = (0..tickets).map(|_| {
        let size = if kind.parties && dice.one_in(3) {
            1 + dice.below(most.min(3))
        } else {
            1
        };
        let level = dice.below(900);
        let players = (0..size).map(|_| {
            account += 1;
            let points = 1000 + level + dice.below(250);
            QueuedPlayer {
                candidate: Candidate {
                    id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
                    rating: Rating::new(i32::try_from(points).unwrap()).unwrap(),
                },
                roles: if kind.roles {
                    u8::try_from(dice.below(4)).unwrap()
                } else {
                    0
                },
            }
        });
        let players = players.collect();
        let waited = dice.below(kind.longest_wait);
        let reach = (0..servers).map(|_| match dice.below(5) {
            _ if !kind.pings => Reach::Accepted,
            0 => Reach::Refused,
            1 => Reach::Accepted,
            _ => Reach::Ping(u16::try_from(10 + dice.below(180)).unwrap()),
        });
        Ticket {
            players,
            waited_seconds: u32::try_from(waited).unwrap(),
            reach: reach.collect(),
            modes: if kind.modes {
                modes(&mut dice)
            } else {
                Vec::new()
            },
        }
    });
    let tickets = tickets.collect();
    let servers = (0..servers).map(|index| FreeServer {
        // The first team leads on every other server.
        lean: if index % 2 == 1 { 180 } else { 0 },
        sizes: kind.sizes.to_vec(),
        modes: if kind.modes {
            modes(&mut dice)
        } else {
            Vec::new()
        },
    });
    Queue {
        tickets,
        servers: servers.collect(),
        roles: if kind.roles { vec![1, 1] } else { Vec::new() },
        thetas: kind
            .sizes
            .iter()
            .map(|size| (*size, theta(*size)))
            .collect(),
    }
}

/// Scale of the odds of teams of that size.
pub(super) fn theta(size: usize) -> f64 {
    400.0 * f64::from(u32::try_from(size.div_ceil(2)).unwrap())
}
