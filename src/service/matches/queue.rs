use crate::api::{FreeServerRequest, MatchRequest, Object, TicketRequest, Whole};
use crate::config::MatchmakingSettings;
use crate::domain::{PlayerId, PolicyName, Rating, Timestamp};
use crate::matchmaking::{FreeServer, MatchPolicy, Queue, QueuedPlayer, Reach, Ticket};
use crate::partition::Candidate;
use crate::service::ServiceError;

/// Returns the matchmaking policy that the request names, or the default policy of `settings`.
pub(super) fn with_policy<'all>(
    request: &'all MatchRequest,
    settings: &'all MatchmakingSettings,
) -> Result<(&'all PolicyName, MatchPolicy), ServiceError> {
    let name = request.policy.as_ref().unwrap_or(&settings.policy);
    let policy = settings
        .policies
        .named(name)
        .map_err(|error| ServiceError::invalid("/policy", error.to_string()))?;
    Ok((name, *policy))
}

/// Converts a matchmaking request into a queue. `ratings` are in the order of the request's players. `lean` returns the
/// first team's advantage in rating points on a server with a number of players.
pub(super) fn queue_of(
    request: &MatchRequest,
    ratings: &[Rating],
    now: Timestamp,
    theta: f64,
    lean: impl Fn(&FreeServerRequest, usize) -> i32,
) -> Queue {
    let mut ratings = ratings.iter();
    let tickets = request
        .tickets
        .iter()
        .map(|Object(ticket)| Ticket {
            players: ticket
                .players
                .iter()
                .zip(ratings.by_ref())
                .map(|(player, rating)| QueuedPlayer {
                    candidate: Candidate {
                        id: player.id,
                        rating: *rating,
                    },
                    roles: roles_of(request, ticket, player.id),
                })
                .collect(),
            waited_seconds: waited(ticket, now),
            reach: request
                .servers
                .iter()
                .map(|Object(server)| reach(ticket, server))
                .collect(),
            modes: ticket.modes.clone(),
        })
        .collect();
    let servers: Vec<FreeServer> = request
        .servers
        .iter()
        .map(|Object(server)| {
            let sizes = request.sizes_of(server);
            let most = sizes.iter().max().copied().unwrap_or_default();
            FreeServer {
                lean: lean(server, 2 * most),
                sizes,
                modes: server.modes.clone(),
            }
        })
        .collect();
    let sizes = servers.iter().flat_map(|server| &server.sizes);
    let roles = request
        .roles
        .iter()
        .map(|Object(role)| role.each.map_or(1, Whole::get));
    Queue {
        tickets,
        thetas: sizes.map(|size| (*size, theta)).collect(),
        roles: roles
            .map(|each| u8::try_from(each).unwrap_or(u8::MAX))
            .collect(),
        servers,
    }
}

/// Returns the seconds that a matchmaking ticket has waited: 0 for a ticket from the future, at most `i32::MAX`.
pub(super) fn waited(ticket: &TicketRequest, now: Timestamp) -> u32 {
    let micros = now.unix_micros() - ticket.since.unix_micros();
    let seconds = i32::try_from(micros.max(0) / 1_000_000).unwrap_or(i32::MAX);
    seconds.unsigned_abs()
}

fn roles_of(request: &MatchRequest, ticket: &TicketRequest, player: PlayerId) -> u8 {
    let roles = request.roles.iter().enumerate();
    let can = roles.filter(|(_, Object(role))| {
        let players = ticket.roles.get(&role.name);
        players.is_some_and(|players| players.contains(&player))
    });
    can.fold(0, |roles, (index, _)| roles | 1 << index)
}

fn reach(ticket: &TicketRequest, server: &FreeServerRequest) -> Reach {
    let by_name = ticket
        .servers
        .as_ref()
        .and_then(|servers| servers.get(&server.name));
    let by_region = ticket
        .regions
        .as_ref()
        .zip(server.region.as_ref())
        .and_then(|(regions, region)| regions.get(region));
    let anywhere = ticket.servers.is_none() && ticket.regions.is_none();
    match by_name.or(by_region) {
        Some(Some(ping)) => Reach::Ping(u16::try_from(ping.get()).unwrap_or(u16::MAX)),
        Some(None) => Reach::Accepted,
        None if anywhere => Reach::Accepted,
        None => Reach::Refused,
    }
}
