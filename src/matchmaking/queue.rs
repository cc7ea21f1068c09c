//! Input of matchmaking: waiting tickets (groups of players) and free servers, and data derived from them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::domain::{ModeName, PlayerId};
use crate::partition::Candidate;

/// Maximum number of players per team of a match.
pub const MAX_PLAYERS_A_TEAM: usize = 64;
/// Maximum number of different roles, such as medic, in a queue.
pub const MAX_ROLES: usize = 8;

/// Ticket: one or more players who wait together and play on one team.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// Players of the ticket, at least one. A player is in at most one ticket.
    pub players: Vec<QueuedPlayer>,
    /// Seconds since the ticket (group of players) entered the queue.
    pub waited_seconds: u32,
    /// Acceptance of each server by the ticket's players, with their ping, in the order of the servers in the
    /// [`Queue`].
    pub reach: Vec<Reach>,
    /// Game modes that the ticket's players accept; empty for any mode.
    pub modes: Vec<ModeName>,
}

/// Player who waits in the matchmaking queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedPlayer {
    /// SteamID and rating of the waiting player.
    pub candidate: Candidate,
    /// Set of the roles that the player can take, as bits by index in [`Queue::roles`].
    pub roles: u8,
}

/// Acceptance of a server by a ticket (group of players), with its ping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The ticket does not accept the server.
    Refused,
    /// The ticket accepts the server, with an unknown ping.
    Accepted,
    /// The ticket accepts the server, with this ping in milliseconds.
    Ping(u16),
}

/// Server that is free to start one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeServer {
    /// Allowed numbers of players per team, each 1 to [`MAX_PLAYERS_A_TEAM`].
    pub sizes: Vec<usize>,
    /// Game modes of the server; if empty, any mode that the players accept.
    pub modes: Vec<ModeName>,
    /// Advantage in rating points of the first team on the server's map; negative for a disadvantage.
    pub lean: i32,
}

/// Waiting tickets and free servers: the input of [`make_matches`](super::make_matches()).
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// Waiting tickets (groups of players), in any order.
    pub tickets: Vec<Ticket>,
    /// Servers that are free to start one match each.
    pub servers: Vec<FreeServer>,
    /// Number of players per team who should be able to take each role. At most [`MAX_ROLES`] roles.
    pub roles: Vec<u8>,
    /// Scale Θ in points of the win probability, by number of players per team.
    pub thetas: BTreeMap<usize, f64>,
}

/// Error: the matchmaking queue is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidQueue {
    /// The matchmaking queue contains this player twice.
    #[error("player {0} is in the queue twice; name every player once")]
    Twice(PlayerId),
    /// The queue has a ticket or a server that lacks required data.
    #[error(
        "the queue is incomplete; list the players of every ticket and, for each server, whether they accept it; use \
         only team sizes that RBS supports and that have a value in `thetas`"
    )]
    Incomplete,
}

/// Ticket reduced to the figures that the search for matches needs.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Index of this ticket (group of players) in [`Queue::tickets`].
    pub(super) ticket: usize,
    pub(super) size: usize,
    pub(super) waited: u32,
    pub(super) points: i32,
    pub(super) mean: f64,
    /// Sum of the squared ratings of the ticket's players, exact as a float.
    pub(super) squares: f64,
    /// Number of the ticket's players who can take a role, by role, in the order of the queue's roles.
    pub(super) roles: [u8; MAX_ROLES],
}

/// Venue of a possible match: a server with one of its team sizes and one mode.
#[derive(Clone, Debug)]
pub(super) struct Venue {
    pub(super) server: usize,
    pub(super) size: usize,
    pub(super) mode: Option<ModeName>,
    pub(super) theta: f64,
    pub(super) lean: i32,
    /// Acceptance of the venue's server by each ticket (group of players), with the ticket's ping to it. `Refused` if
    /// the ticket is too large or does not accept the mode.
    pub(super) reach: Vec<Reach>,
}

/// Matchmaking queue in the form used by the search. Tickets are ordered by descending wait, then by lowest player id,
/// so that the order of the input does not matter.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) units: Vec<Unit>,
    pub(super) venues: Vec<Venue>,
    pub(super) servers: usize,
    pub(super) roles: Vec<u8>,
    /// Indices of the tickets by descending mean rating.
    pub(super) by_rating: Vec<usize>,
    /// Position of each ticket in the order of descending mean rating, from 0.
    pub(super) rank: Vec<usize>,
    /// Groups (kinds) of venues (servers, team sizes, modes) that do not differ for any ticket, as indices of venues.
    pub(super) kinds: Vec<Vec<usize>>,
    /// Up to [`MAX_KINDS`] accepted kinds of venues with the lowest pings, for each ticket.
    pub(super) nearest: Vec<Vec<usize>>,
}

/// Maximum number of kinds of venues (servers, sizes, modes) that are tried for a match around a ticket.
const MAX_KINDS: usize = 4;

impl Venue {
    pub(super) fn accepts(&self, unit: usize) -> bool {
        self.reach[unit] != Reach::Refused
    }

    /// Returns the lead that remains, in rating points, if the weaker team plays on the map's better side. `lead` is
    /// the difference of the teams' rating sums.
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

/// Returns the game modes to consider on a server: its own, or all modes of the tickets, or `None` if no ticket names
/// any.
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

/// Builds a venue (server, team size and mode). Returns `None` if too few players accept it to fill two teams.
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
