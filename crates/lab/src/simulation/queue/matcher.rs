//! Ways of matchmaking: the service's, and common alternatives.

use std::collections::BTreeMap;

use super::super::community::mean;
use super::crowd::Crowd;
use super::scenario::QueueScenario;
use rbs::matchmaking::{
    Effort, FreeServer, InvalidQueue, MatchPolicy, Queue, QueuedPlayer, Reach, Ticket, make_matches,
};
use rbs::partition::Candidate;
use rbs::rating::theta_for_team_size;

/// Limits of one `POST /v1/match`: tickets and servers.
const MAX_TICKETS: usize = 1_000;
const MAX_SERVERS: usize = 64;

/// A way of matchmaking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Matcher {
    /// Matches by this policy, as `POST /v1/match` makes them.
    Service(MatchPolicy),
    /// First come, first served: a match starts with the longest-waiting players as soon as `waiting` players wait.
    FirstCome {
        /// Number of waiting players that starts a match.
        waiting: usize,
    },
    /// Widening rating windows: the longest-waiting player plays with the nearest in rating, if each is within the
    /// other's window.
    Windows {
        /// Initial window in points.
        points: f64,
        /// Growth of the window in points per minute of waiting.
        points_a_minute: f64,
    },
    /// Sort and cut: at intervals, all waiting players are sorted by rating and cut into matches. Surplus players,
    /// latest arrivals first, keep waiting.
    Sorted {
        /// Time between two calls, in seconds.
        every_seconds: u32,
        /// `true` if parties may be split, so that only the rating of each player counts.
        cuts_parties: bool,
    },
}

/// The waiting members of a group.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) group: usize,
    pub(super) players: Vec<usize>,
    pub(super) since: u32,
}

/// Player indices of both teams.
pub(super) type Game = [Vec<usize>; 2];

/// Makes the matches of one moment. `waiting` is sorted by waiting time, longest first.
pub(super) struct Making<'run> {
    pub(super) scenario: &'run QueueScenario,
    pub(super) crowd: &'run Crowd,
    pub(super) waiting: &'run [Waiting],
    pub(super) servers: usize,
    pub(super) now: u32,
}

impl Making<'_> {
    pub(super) fn games(&self, matcher: &Matcher) -> Result<Vec<Game>, InvalidQueue> {
        let places = 2 * self.scenario.team_size;
        let players: usize = self.waiting.iter().map(|one| one.players.len()).sum();
        if players < places || self.servers == 0 {
            return Ok(Vec::new());
        }
        match matcher {
            Matcher::Service(policy) => {
                let tickets = self.waiting.iter().take(MAX_TICKETS);
                let tickets: Vec<_> = tickets.map(|one| (one.since, &one.players[..])).collect();
                let servers = self.servers.min(MAX_SERVERS);
                let effort = Effort::usual(tickets.len());
                let made = self.made(&tickets, servers, policy, effort)?;
                let teams = made.into_iter();
                Ok(teams.map(|game| players_of(&tickets, &game)).collect())
            }
            Matcher::FirstCome { waiting } => self.first_come((*waiting).max(places)),
            Matcher::Windows {
                points,
                points_a_minute,
            } => self.windows(*points, *points_a_minute),
            Matcher::Sorted { every_seconds, .. } if !self.now.is_multiple_of(*every_seconds) => {
                Ok(Vec::new())
            }
            Matcher::Sorted { cuts_parties, .. } => {
                let most = (players / places).min(self.servers);
                if *cuts_parties {
                    self.cut(most)
                } else {
                    self.cut_whole(most)
                }
            }
        }
    }

    /// The matches of the service, by ticket index.
    fn made(
        &self,
        tickets: &[(u32, &[usize])],
        servers: usize,
        policy: &MatchPolicy,
        effort: Effort,
    ) -> Result<Vec<Game>, InvalidQueue> {
        let size = self.scenario.team_size;
        let queue = Queue {
            tickets: tickets
                .iter()
                .map(|(since, players)| Ticket {
                    players: players.iter().map(|player| self.queued(*player)).collect(),
                    waited_seconds: self.now.saturating_sub(*since),
                    reach: vec![Reach::Accepted; servers],
                    modes: Vec::new(),
                })
                .collect(),
            servers: vec![
                FreeServer {
                    lean: 0,
                    sizes: vec![size],
                    modes: Vec::new(),
                };
                servers
            ],
            roles: Vec::new(),
            thetas: BTreeMap::from([(size, theta(self.scenario))]),
        };
        let matches = make_matches(&queue, policy, effort)?.matches;
        Ok(matches.into_iter().map(|made| made.teams).collect())
    }

    fn queued(&self, player: usize) -> QueuedPlayer {
        let player = &self.crowd.players[player];
        QueuedPlayer {
            candidate: Candidate {
                id: player.id,
                rating: player.rating,
            },
            roles: 0,
        }
    }

    /// Returns a match of the shortest prefix of `order` that fills two teams with whole tickets, and the tickets that
    /// it takes. The teams are the most even ones: the ways differ only in who plays.
    fn first(
        &self,
        order: impl Iterator<Item = usize>,
    ) -> Result<Option<(Game, Vec<usize>)>, InvalidQueue> {
        let (mut order_so_far, mut players) = (Vec::new(), 0);
        for place in order {
            order_so_far.push(place);
            players += self.waiting[place].players.len();
            if players < 2 * self.scenario.team_size {
                continue;
            }
            let tickets = order_so_far
                .iter()
                .map(|place| &self.waiting[*place].players[..]);
            let tickets: Vec<&[usize]> = tickets.collect();
            if let Some((game, taken)) = self.even(&tickets)? {
                let taken = taken.into_iter().map(|ticket| order_so_far[ticket]);
                return Ok(Some((game, taken.collect())));
            }
        }
        Ok(None)
    }

    /// Returns the most even match of these tickets, and the tickets that it takes.
    fn even(&self, tickets: &[&[usize]]) -> Result<Option<(Game, Vec<usize>)>, InvalidQueue> {
        let policy = MatchPolicy {
            evenness: 0.99,
            spread: 0.0,
            ping: 0.0,
            roles: 0.0,
            // All limits are off.
            due_seconds: 1,
            widen_seconds: 1,
            ..MatchPolicy::default()
        };
        let long_ago = self.now.saturating_sub(1);
        let tickets: Vec<_> = tickets.iter().map(|ticket| (long_ago, *ticket)).collect();
        let mut made = self.made(&tickets, 1, &policy, Effort::MIN)?;
        Ok(made.pop().map(|game| {
            let taken = game.iter().flatten().copied().collect();
            (players_of(&tickets, &game), taken)
        }))
    }

    fn first_come(&self, at_least: usize) -> Result<Vec<Game>, InvalidQueue> {
        let mut left: Vec<usize> = (0..self.waiting.len()).collect();
        let mut games = Vec::new();
        while games.len() < self.servers {
            let players: usize = left
                .iter()
                .map(|one| self.waiting[*one].players.len())
                .sum();
            let first = self.first(left.iter().copied())?;
            let Some((game, taken)) = first.filter(|_| players >= at_least) else {
                break;
            };
            games.push(game);
            left.retain(|one| !taken.contains(one));
        }
        Ok(games)
    }

    fn windows(&self, points: f64, points_a_minute: f64) -> Result<Vec<Game>, InvalidQueue> {
        let windows = self.waiting.iter().map(|one| {
            let minutes = f64::from(self.now.saturating_sub(one.since)) / 60.0;
            points + points_a_minute * minutes
        });
        let window: Vec<f64> = windows.collect();
        let means: Vec<f64> = (0..self.waiting.len()).map(|one| self.mean(one)).collect();
        let mut free = vec![true; self.waiting.len()];
        let mut games = Vec::new();
        for seed in 0..self.waiting.len() {
            if games.len() >= self.servers {
                break;
            }
            if !free[seed] {
                continue;
            }
            let apart = |other: usize| (means[seed] - means[other]).abs();
            let within = |other: &usize| apart(*other) <= window[seed].min(window[*other]);
            let others = (0..free.len()).filter(|other| free[*other] && *other != seed);
            let mut near: Vec<usize> = others.filter(within).collect();
            near.sort_by(|one, other| apart(*one).total_cmp(&apart(*other)));
            let order = std::iter::once(seed).chain(near);
            if let Some((game, taken)) = self.first(order)? {
                for one in taken {
                    free[one] = false;
                }
                games.push(game);
            }
        }
        Ok(games)
    }

    fn cut(&self, matches: usize) -> Result<Vec<Game>, InvalidQueue> {
        let places = 2 * self.scenario.team_size;
        let all = self.waiting.iter().flat_map(|one| &one.players);
        let mut taken: Vec<usize> = all.copied().take(matches * places).collect();
        taken.sort_by_key(|player| std::cmp::Reverse(self.crowd.players[*player].rating));
        let mut games = Vec::new();
        for players in taken.chunks(places) {
            let alone: Vec<&[usize]> = players.chunks(1).collect();
            games.extend(self.even(&alone)?.map(|(game, _)| game));
        }
        Ok(games)
    }

    fn cut_whole(&self, matches: usize) -> Result<Vec<Game>, InvalidQueue> {
        let mut players = 0;
        let oldest = self.waiting.iter().take_while(|one| {
            let is_room = players < matches * 2 * self.scenario.team_size;
            players += one.players.len();
            is_room
        });
        let mut left: Vec<usize> = (0..oldest.count()).collect();
        left.sort_by(|one, other| self.mean(*other).total_cmp(&self.mean(*one)));
        let mut games = Vec::new();
        while games.len() < matches
            && let Some((game, taken)) = self.first(left.iter().copied())?
        {
            games.push(game);
            left.retain(|one| !taken.contains(one));
        }
        Ok(games)
    }

    /// Mean rating of a waiting group.
    fn mean(&self, waiting: usize) -> f64 {
        let players = self.waiting[waiting].players.iter();
        mean(players.map(|player| self.rating(*player)))
    }

    fn rating(&self, player: usize) -> f64 {
        f64::from(self.crowd.players[player].rating.points())
    }
}

/// Players of the tickets of each team.
fn players_of(tickets: &[(u32, &[usize])], teams: &Game) -> Game {
    teams.each_ref().map(|team| {
        let players = team.iter().flat_map(|ticket| tickets[*ticket].1);
        players.copied().collect()
    })
}

/// Scale Θ of the odds of two teams.
pub(super) fn theta(scenario: &QueueScenario) -> f64 {
    theta_for_team_size(u32::try_from(scenario.team_size).unwrap_or(u32::MAX))
}
