//! Generated queues of all kinds, deterministic for a seed.

use rbs::domain::{ModeName, PlayerId, Rating};
use rbs::matchmaking::{FreeServer, Queue, QueuedPlayer, Reach, Ticket};
use rbs::partition::Candidate;

/// Pseudorandom numbers from a seed (SplitMix64).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn modes(&mut self) -> Vec<ModeName> {
        let names: [&[&str]; 4] = [&["cp"], &["koth"], &["cp", "koth"], &[]];
        let names = names[usize::try_from(self.below(4)).unwrap()];
        names.iter().map(|name| name.parse().unwrap()).collect()
    }
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
    pub(super) longest_wait: u64,
    pub(super) sizes: &'static [usize],
    pub(super) servers: u64,
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

pub(super) fn queue(kind: Kind, tickets: u64, seed: u64) -> Queue {
    let mut numbers = Numbers(seed);
    let servers = 1 + numbers.below(kind.servers);
    let most = kind.sizes.iter().max().copied().unwrap_or(1);
    let mut account = 1;
    let tickets = (0..tickets).map(|_| {
        let size = if kind.parties && numbers.one_in(3) {
            1 + numbers.below(u64::try_from(most).unwrap().min(3))
        } else {
            1
        };
        let level = numbers.below(900);
        let players = (0..size).map(|_| {
            account += 1;
            let points = 1000 + level + numbers.below(250);
            QueuedPlayer {
                candidate: Candidate {
                    id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
                    rating: Rating::new(i32::try_from(points).unwrap()).unwrap(),
                },
                roles: if kind.roles {
                    u8::try_from(numbers.below(4)).unwrap()
                } else {
                    0
                },
            }
        });
        let players = players.collect();
        let waited = numbers.below(kind.longest_wait);
        let reach = (0..servers).map(|_| match numbers.below(5) {
            _ if !kind.pings => Reach::Accepted,
            0 => Reach::Refused,
            1 => Reach::Accepted,
            _ => Reach::Ping(u16::try_from(10 + numbers.below(180)).unwrap()),
        });
        Ticket {
            players,
            waited_seconds: u32::try_from(waited).unwrap(),
            reach: reach.collect(),
            modes: if kind.modes {
                numbers.modes()
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
            numbers.modes()
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
