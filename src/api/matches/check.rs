use std::collections::{BTreeMap, HashSet};

use super::{MatchRequest, TicketRequest};
use crate::api::check::Problems;
use crate::api::json::object::Object;
use crate::domain::{FieldProblem, MAX_TEAM, RoleName};

const MAX_TICKETS: usize = 1000;
const MAX_PLAYERS: usize = 4000;
const MAX_SERVERS: usize = 64;
const MAX_PLACES: usize = 64;
const MAX_SIZES: usize = 8;
const MAX_MODES: usize = 16;
const MAX_ROLES: usize = 8;
/// Maximum number of combinations of team size and mode, summed over the servers of a request.
const MAX_WAYS: usize = 256;

impl MatchRequest {
    pub(crate) fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        problems.check_count("/tickets", self.tickets.len(), MAX_TICKETS, "tickets");
        problems.check_count("/tickets", self.players().count(), MAX_PLAYERS, "players");
        problems.check_count("/servers", self.servers.len(), MAX_SERVERS, "servers");
        problems.check_count("/sizes", self.sizes.len(), MAX_SIZES, "sizes");
        problems.check_count("/roles", self.roles.len(), MAX_ROLES, "roles");
        if problems.has_long_list {
            return problems.none_or(self);
        }
        self.check_servers(&mut problems);
        let roles: Vec<&RoleName> = self.roles.iter().map(|Object(role)| &role.name).collect();
        let mut seen = HashSet::new();
        for (index, name) in roles.iter().enumerate() {
            if !seen.insert(*name) {
                let detail = format!("\"{name}\" is listed twice; name each role once");
                problems.add(format!("/roles/{index}/name"), detail);
            }
        }
        let (mut ids, mut players) = (HashSet::new(), HashSet::new());
        for (index, Object(ticket)) in self.tickets.iter().enumerate() {
            let field = format!("/tickets/{index}");
            if !ids.insert(&ticket.id) {
                let detail = format!(
                    "\"{}\" is listed twice; give every ticket its own id",
                    ticket.id
                );
                problems.add(format!("{field}/id"), detail);
            }
            let of_ticket = ticket.players.iter().map(|player| player.id);
            let field_of_players = format!("{field}/players");
            problems.check_distinct(&field_of_players, of_ticket, "player", &mut players);
            check_ticket(&field, ticket, &roles, &mut problems);
        }
        problems.none_or(self)
    }

    fn check_servers(&self, problems: &mut Problems) {
        let mut names = HashSet::new();
        let asked: HashSet<_> = self
            .tickets
            .iter()
            .flat_map(|Object(ticket)| &ticket.modes)
            .collect();
        let mut ways = 0;
        for (index, Object(server)) in self.servers.iter().enumerate() {
            let field = format!("/servers/{index}");
            if !names.insert(&server.name) {
                let detail = format!("\"{}\" is listed twice; name each server once", server.name);
                problems.add(format!("{field}/name"), detail);
            }
            for (name, count, most) in [
                ("modes", server.modes.len(), MAX_MODES),
                ("sizes", server.sizes.len(), MAX_SIZES),
            ] {
                problems.check_count(&format!("{field}/{name}"), count, most, name);
            }
            let sizes = self.sizes_of(server).len();
            if sizes == 0 {
                problems.add(
                    format!("{field}/sizes"),
                    "is missing; send the team sizes of this server here, or those of all servers in \"sizes\"",
                );
            }
            let modes = if server.modes.is_empty() {
                asked.len()
            } else {
                server.modes.len()
            };
            ways += sizes * modes.max(1);
        }
        if ways > MAX_WAYS {
            let detail = format!(
                "have {ways} combinations of team size and mode; send servers with at most {MAX_WAYS} \
                 combinations in total"
            );
            problems.add("/servers", detail);
        }
    }
}

fn check_ticket(field: &str, ticket: &TicketRequest, roles: &[&RoleName], problems: &mut Problems) {
    if ticket.players.is_empty() {
        let detail = format!("has 0 players; send 1 to {MAX_TEAM} who wait together");
        problems.add(format!("{field}/players"), detail);
    }
    let servers = ticket.servers.as_ref().map_or(0, BTreeMap::len);
    let regions = ticket.regions.as_ref().map_or(0, BTreeMap::len);
    for (name, count, most) in [
        ("players", ticket.players.len(), MAX_TEAM),
        ("modes", ticket.modes.len(), MAX_MODES),
        ("servers", servers, MAX_PLACES),
        ("regions", regions, MAX_PLACES),
    ] {
        problems.check_count(&format!("{field}/{name}"), count, most, name);
    }
    for (role, players) in &ticket.roles {
        let field = format!(
            "{field}/roles/{}",
            role.as_str().replace('~', "~0").replace('/', "~1")
        );
        if !roles.contains(&role) {
            problems.add(
                &field,
                "is not in the \"roles\" of the request; add the role there, or leave it out of the ticket",
            );
        }
        let stranger = players
            .iter()
            .position(|player| ticket.players.iter().all(|member| member.id != *player));
        if let Some(index) = stranger {
            let detail = format!(
                "{} is not a player of this ticket; list only the ticket's own players",
                players[index]
            );
            problems.add(format!("{field}/{index}"), detail);
        }
    }
}
