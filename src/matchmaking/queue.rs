//! Who waits, where matches can be played, and what follows from that alone.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::domain::{ModeName, PlayerId};
use crate::partition::Candidate;

/// The most players of a team.
pub const MAX_PLAYERS_A_TEAM: usize = 64;
/// The most roles that teams are to have.
pub const MAX_ROLES: usize = 8;

/// One or more players who wait together, and play on one team or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// Who, at least one; nobody is in two tickets.
    pub players: Vec<QueuedPlayer>,
    /// For how many seconds they have waited.
    pub waited_seconds: u32,
    /// By server of the [`Queue`], what they make of it.
    pub reach: Vec<Reach>,
    /// The modes that they would play; any where there is none.
    pub modes: Vec<ModeName>,
}

/// A player who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedPlayer {
    /// Who, and the rating that counts.
    pub candidate: Candidate,
    /// What the player can do: bit i stands for the i-th role of the [`Queue`].
    pub roles: u8,
}

/// What a ticket makes of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// They would not play there.
    Refused,
    /// They would; how long a packet takes there and back is not known.
    Accepted,
    /// They would, with this ping in milliseconds.
    Ping(u16),
}

/// A server that can begin one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeServer {
    /// The players a team that a match there may have, 1 to [`MAX_PLAYERS_A_TEAM`] each.
    pub sizes: Vec<usize>,
    /// What is played there; whatever those who meet there would play where there is none.
    pub modes: Vec<ModeName>,
    /// What the first team of a match there is ahead by before anybody plays, in points; below 0 what it is behind.
    pub lean: i32,
}

/// All that matches are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// Who waits.
    pub tickets: Vec<Ticket>,
    /// Where.
    pub servers: Vec<FreeServer>,
    /// By role, at most [`MAX_ROLES`], how many players of each team should be able to take it.
    pub roles: Vec<u8>,
    /// The scale of the odds of two teams of so many players, by size.
    pub thetas: BTreeMap<usize, f64>,
}

/// A queue that cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidQueue {
    /// A player stands in the queue twice.
    #[error("player {0} waits twice; name every player once")]
    Twice(PlayerId),
    /// A ticket or a server is not described whole.
    #[error("a ticket has no players or not a reach for every server, or a size has no theta")]
    Incomplete,
}

/// A ticket as it is computed with.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Its place in [`Queue::tickets`].
    pub(super) ticket: usize,
    pub(super) size: usize,
    pub(super) waited: u32,
    /// The sum of the ratings.
    pub(super) points: i32,
    /// Their mean.
    pub(super) mean: f64,
    /// The sum of their squares, which is whole and exact.
    pub(super) squares: f64,
    /// By role, who can take it.
    pub(super) roles: [u8; MAX_ROLES],
}

/// One way to use a server.
#[derive(Clone, Debug)]
pub(super) struct Venue {
    pub(super) server: usize,
    pub(super) size: usize,
    pub(super) mode: Option<ModeName>,
    pub(super) theta: f64,
    /// As of the server.
    pub(super) lean: i32,
    /// By unit, what it makes of this.
    pub(super) reach: Vec<Reach>,
}

/// The queue as it is computed with: the units by seniority, who waits longest first and equals by the lowest id,
/// so that the order of what was given changes nothing.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) units: Vec<Unit>,
    pub(super) venues: Vec<Venue>,
    pub(super) servers: usize,
    pub(super) roles: Vec<u8>,
    /// The units by their mean rating, the highest first.
    pub(super) by_rating: Vec<usize>,
    /// The place of each unit in `by_rating`.
    pub(super) rank: Vec<usize>,
    /// The places that are alike to everybody, together.
    pub(super) kinds: Vec<Vec<usize>>,
    /// By unit, some kinds of places that it accepts, those with the lowest pings.
    pub(super) nearest: Vec<Vec<usize>>,
}

/// On how many kinds of places a match around a ticket is tried.
const MAX_KINDS: usize = 4;

impl Venue {
    pub(super) fn accepts(&self, unit: usize) -> bool {
        self.reach[unit] != Reach::Refused
    }

    /// How far teams are from even, in points, that are so far apart: the side that is ahead goes to the weaker team.
    pub(super) fn distance(&self, lead: i32) -> i32 {
        (lead.abs() - self.lean.abs()).abs()
    }

    pub(super) fn ping(&self, unit: usize) -> Option<u16> {
        match self.reach[unit] {
            Reach::Ping(ping) => Some(ping),
            Reach::Refused | Reach::Accepted => None,
        }
    }
}

/// A number of players, for division.
pub(super) fn count(players: usize) -> f64 {
    u32::try_from(players).map_or(f64::MAX, f64::from)
}

impl Compiled {
    pub(super) fn new(queue: &Queue) -> Result<Self, InvalidQueue> {
        check(queue)?;
        let mut units: Vec<Unit> = queue.tickets.iter().enumerate().map(unit).collect();
        let lowest = |unit: &Unit| {
            queue.tickets[unit.ticket]
                .players
                .iter()
                .map(|player| player.candidate.id)
                .min()
        };
        units.sort_by_cached_key(|unit| (Reverse(unit.waited), lowest(unit)));
        let mut venues = Vec::new();
        for (server, free) in queue.servers.iter().enumerate() {
            let mut sizes = free.sizes.clone();
            sizes.sort_unstable();
            sizes.dedup();
            for size in sizes {
                for mode in modes(queue, free) {
                    let venue = venue(queue, &units, server, size, mode);
                    venues.extend(venue);
                }
            }
        }
        let mut by_rating: Vec<usize> = (0..units.len()).collect();
        by_rating.sort_by(|one, other| units[*other].mean.total_cmp(&units[*one].mean));
        let mut rank = vec![0; units.len()];
        for (venue, unit) in by_rating.iter().enumerate() {
            rank[*unit] = venue;
        }
        let kinds = kinds(&venues);
        let nearest = (0..units.len()).map(|unit| nearest(&venues, &kinds, unit));
        Ok(Self {
            nearest: nearest.collect(),
            kinds,
            units,
            venues,
            servers: queue.servers.len(),
            roles: queue.roles.iter().copied().take(MAX_ROLES).collect(),
            by_rating,
            rank,
        })
    }
}

fn check(queue: &Queue) -> Result<(), InvalidQueue> {
    let players = queue.tickets.iter().flat_map(|ticket| &ticket.players);
    let mut ids: Vec<PlayerId> = players.map(|player| player.candidate.id).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(InvalidQueue::Twice(pair[0]));
    }
    let is_whole =
        |ticket: &Ticket| !ticket.players.is_empty() && ticket.reach.len() == queue.servers.len();
    let is_sized =
        |size: &usize| (1..=MAX_PLAYERS_A_TEAM).contains(size) && queue.thetas.contains_key(size);
    let tickets = queue.tickets.iter().all(is_whole);
    let servers = queue
        .servers
        .iter()
        .flat_map(|server| &server.sizes)
        .all(is_sized);
    if tickets && servers {
        Ok(())
    } else {
        Err(InvalidQueue::Incomplete)
    }
}

fn unit((index, ticket): (usize, &Ticket)) -> Unit {
    let points = |player: &QueuedPlayer| player.candidate.rating.points();
    let players = ticket.players.iter();
    let squares = players.map(|player| f64::from(points(player)) * f64::from(points(player)));
    let mut roles = [0_u8; MAX_ROLES];
    for player in &ticket.players {
        for (role, can) in roles.iter_mut().enumerate() {
            *can = can.saturating_add(player.roles >> role & 1);
        }
    }
    let sum = ticket.players.iter().map(points).sum();
    Unit {
        mean: f64::from(sum) / count(ticket.players.len()),
        ticket: index,
        size: ticket.players.len(),
        waited: ticket.waited_seconds,
        points: sum,
        squares: squares.sum(),
        roles,
    }
}

/// The modes to consider on a server: its own, else whatever somebody asks for, and `None` where nobody does.
fn modes(queue: &Queue, server: &FreeServer) -> Vec<Option<ModeName>> {
    let mut modes: Vec<Option<ModeName>> = if server.modes.is_empty() {
        let asked = queue.tickets.iter().flat_map(|ticket| &ticket.modes);
        asked.cloned().map(Some).collect()
    } else {
        server.modes.iter().cloned().map(Some).collect()
    };
    modes.sort_unstable();
    modes.dedup();
    if modes.is_empty() {
        modes.push(None);
    }
    modes
}

/// That way to use the server; `None` where so few accept it that no match can come of it.
fn venue(
    queue: &Queue,
    units: &[Unit],
    server: usize,
    size: usize,
    mode: Option<ModeName>,
) -> Option<Venue> {
    let mut players = 0;
    let reach = units
        .iter()
        .map(|unit| {
            let ticket = &queue.tickets[unit.ticket];
            let would = |mode: &ModeName| ticket.modes.is_empty() || ticket.modes.contains(mode);
            if unit.size > size || !mode.as_ref().is_none_or(would) {
                return Reach::Refused;
            }
            let reach = ticket.reach[server];
            players += if reach == Reach::Refused {
                0
            } else {
                unit.size
            };
            reach
        })
        .collect();
    (players >= 2 * size).then(|| Venue {
        server,
        size,
        mode,
        theta: queue.thetas.get(&size).copied().unwrap_or(1.0),
        lean: queue.servers[server].lean,
        reach,
    })
}

fn kinds(venues: &[Venue]) -> Vec<Vec<usize>> {
    let mut kinds: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, venue) in venues.iter().enumerate() {
        let kind = kinds.entry((venue.size, &venue.mode, &venue.reach, venue.lean));
        kind.or_default().push(index);
    }
    let mut kinds: Vec<Vec<usize>> = kinds.into_values().collect();
    kinds.sort();
    kinds
}

fn nearest(venues: &[Venue], kinds: &[Vec<usize>], unit: usize) -> Vec<usize> {
    let reach = |kind: usize| venues[kinds[kind][0]].reach[unit];
    let mut accepted: Vec<usize> = (0..kinds.len())
        .filter(|kind| reach(*kind) != Reach::Refused)
        .collect();
    accepted.sort_by_key(|kind| reach(*kind));
    accepted.truncate(MAX_KINDS);
    accepted
}
