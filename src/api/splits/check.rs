use std::collections::{BTreeMap, HashMap, HashSet};

use super::TeamsRequest;
use super::labels::{Apart, Party};
use crate::api::check::Problems;
use crate::api::{Object, ScrambleRequest, Whole};
use crate::domain::{FieldProblem, PlayerId};

/// Maximum number of eligible players, and of players in any list of a request for splits.
pub const MAX_PLAYERS: usize = 128;
const MAX_PARTIES: usize = 64;
const MAX_PARTY: usize = 64;
const MAX_APART: usize = 64;
/// Maximum number of roles in a request for splits.
pub const MAX_ROLES: usize = 8;
const MAX_RECENT: usize = 16;
/// Maximum number of players in the field `waited` of a request. Above [`MAX_PLAYERS`], because the field may list
/// players who have left.
const MAX_WAITED: usize = 1024;

impl ScrambleRequest {
    /// Returns this request for splits if its lists are valid on their own and together.
    ///
    /// Rules about a single list apply to all players. Contradictions between wishes count only for eligible players,
    /// because wishes about others are ignored.
    pub(crate) fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        self.check_lists(&mut problems);
        if !problems.has_long_list {
            self.check_teams(&mut problems);
            self.check_parties(&mut problems);
            self.check_apart(&mut problems);
            self.check_waited(&mut problems);
            self.check_roles(&mut problems);
            self.check_bench(&mut problems);
            self.check_alternatives(&mut problems);
            self.check_no_bench(&mut problems);
            self.check_pick(&mut problems);
        }
        problems.none_or(self)
    }

    fn check_lists(&self, problems: &mut Problems) {
        check_players("/players", &self.eligible().collect::<Vec<_>>(), problems);
        for (field, request) in self.all_teams() {
            for (name, team) in &request.teams {
                check_players(&format!("{field}/{name}"), team, problems);
            }
        }
        check_players("/must_play", &self.must_play, problems);
        check_players("/must_wait", &self.must_wait, problems);
        problems.check_count("/parties", self.parties.len(), MAX_PARTIES, "parties");
        for (index, party) in self.parties.iter().enumerate() {
            let field = format!("/parties/{index}");
            if party.is_empty() {
                let detail =
                    format!("has 0 players; send 1 to {MAX_PARTY}, or leave the party out");
                problems.add(field, detail);
            } else {
                problems.check_count(&field, party.len(), MAX_PARTY, "players");
                check_distinct(&field, party, problems);
            }
        }
        problems.check_count("/apart", self.apart.len(), MAX_APART, "pairs");
        let pairs = self.count_apart();
        if self.apart.len() <= MAX_APART && pairs > MAX_APART {
            problems.add_long(
                "/players",
                format!(
                    "have {pairs} pairs to keep apart, counting the pairs in the list \"apart\", but at most \
                     {MAX_APART} are allowed; give fewer players the same label \"apart\""
                ),
            );
        }
        problems.check_count("/roles", self.roles.len(), MAX_ROLES, "roles");
        for (index, Object(role)) in self.roles.iter().enumerate() {
            let field = format!("/roles/{index}/players");
            if role.players.is_empty() {
                let detail =
                    "has no players; send the players who can fill the role, or leave the role out";
                problems.add(field, detail);
            } else {
                check_players(&field, &role.players, problems);
            }
        }
        problems.check_count("/recent", self.recent.len(), MAX_RECENT, "splits");
        let repeat = self.repeat.map_or(0, Whole::count);
        if self.recent.len() <= MAX_RECENT && self.recent.len() + repeat > MAX_RECENT {
            problems.add(
                "/repeat",
                format!(
                    "is {repeat}, and the number of splits in \"recent\" is {}: together more than {MAX_RECENT}; lower \
                     one of the two",
                    self.recent.len()
                ),
            );
        }
        let waited = self.waited.sent().map_or(0, BTreeMap::len);
        problems.check_count("/waited", waited, MAX_WAITED, "players");
        if let Some(sizes) = &self.sizes {
            if sizes.is_empty() {
                let detail =
                    "has no sizes; send the sizes you want, or leave it out for every size";
                problems.add("/sizes", detail);
            }
            problems.check_distinct("/sizes", sizes, "size", &mut HashSet::new());
        }
    }

    /// Returns the current and the recent teams of the request with their JSON pointers.
    fn all_teams(&self) -> impl Iterator<Item = (String, &TeamsRequest)> {
        let current = self
            .current
            .iter()
            .map(|teams| ("/current".to_owned(), &teams.0));
        let recent = self.recent.iter().enumerate();
        current.chain(recent.map(|(index, teams)| (format!("/recent/{index}"), &teams.0)))
    }

    fn check_teams(&self, problems: &mut Problems) {
        for (field, request) in self.all_teams() {
            let [(_, one), (name, other)] = &request.teams;
            for (index, id) in other.iter().enumerate() {
                if one.contains(id) {
                    let detail = format!("{id} is on both teams; name each player once");
                    problems.add(format!("{field}/{name}/{index}"), detail);
                }
            }
        }
    }

    fn check_parties(&self, problems: &mut Problems) {
        let mut party_of = HashMap::new();
        for party in self.all_parties() {
            for (id, field) in party.members {
                let first = party_of.entry(id).or_insert_with(|| party.name.clone());
                if *first != party.name {
                    problems.add(
                        field,
                        format!(
                            "{id} is already in {first}; put each player in one \
                             party, or merge the two parties"
                        ),
                    );
                }
            }
        }
    }

    fn check_apart(&self, problems: &mut Problems) {
        let eligible: HashSet<PlayerId> = self.eligible().collect();
        let parties: Vec<Party> = self.all_parties().collect();
        let mut first_seen = HashMap::new();
        for (index, Apart { field, pair }) in self.all_apart().enumerate() {
            let [one, other] = pair;
            let first = *first_seen
                .entry([one.min(other), one.max(other)])
                .or_insert(index);
            let party = parties
                .iter()
                .find(|party| party.has(one) && party.has(other));
            let both_may_play = eligible.contains(&one) && eligible.contains(&other);
            let detail = if one == other {
                format!("contains {one} twice; send two different players")
            } else if first != index && index < self.apart.len() {
                format!("repeats the pair at index {first}; name each pair once")
            } else if let Some(party) = party.filter(|_| both_may_play) {
                format!(
                    "keeps {one} and {other} apart, but they are together in {}; leave out one of the two wishes",
                    party.name
                )
            } else {
                continue;
            };
            problems.add(field, detail);
        }
    }

    fn check_waited(&self, problems: &mut Problems) {
        for (index, player) in self.players.iter().enumerate() {
            let listed = self.waited.sent().and_then(|listed| listed.get(&player.id));
            if let (Some(own), Some(listed)) = (player.waited.map(Whole::get), listed)
                && own != *listed
            {
                let detail = format!(
                    "is {own}, and the list \"waited\" has {listed} for {}; send only one of them",
                    player.id
                );
                problems.add(format!("/players/{index}/waited"), detail);
            }
        }
    }

    fn check_roles(&self, problems: &mut Problems) {
        let mut first_named = HashMap::new();
        for (index, Object(role)) in self.roles.iter().enumerate() {
            let first = *first_named.entry(&role.name).or_insert(index);
            if first != index {
                problems.add(
                    format!("/roles/{index}/name"),
                    format!(
                        "is already the name of the role at index {first}; give \
                         each role its own name"
                    ),
                );
            }
        }
    }

    /// Checks the wishes `must_play` and `must_wait` against each other and against the parties.
    fn check_bench(&self, problems: &mut Problems) {
        let eligible: HashSet<PlayerId> = self.eligible().collect();
        let plays = |id: &PlayerId| eligible.contains(id) && self.must_play.contains(id);
        let waits = |id: &PlayerId| eligible.contains(id) && self.must_wait.contains(id);
        for (index, id) in self.must_wait.iter().enumerate() {
            if plays(id) && waits(id) {
                let detail =
                    format!("{id} is in \"must_play\" too; list the player in only one of them");
                problems.add(format!("/must_wait/{index}"), detail);
            }
        }
        for party in self.all_parties() {
            let members = party.players();
            let player = members.iter().find(|id| plays(id));
            let waiter = members.iter().find(|id| waits(id));
            // A player in both lists has been reported above.
            if let (Some(player), Some(waiter)) = (player, waiter)
                && player != waiter
            {
                let detail = format!(
                    "puts {player}, who must play, in a party with {waiter}, who must wait; leave \
                     out the party or one of the two wishes"
                );
                problems.add(party.field, detail);
            }
        }
    }

    fn check_alternatives(&self, problems: &mut Problems) {
        let (Some(alternatives), Some(sizes)) = (&self.alternatives, &self.sizes) else {
            return;
        };
        if !sizes.contains(&alternatives.0.size) {
            let detail = format!(
                "is {}, which is not in \"sizes\"; send a size from \"sizes\", or add this one there",
                alternatives.0.size
            );
            problems.add("/alternatives/size", detail);
        }
    }

    /// Checks that a random draw is limited to splits of one team size.
    fn check_pick(&self, problems: &mut Problems) {
        if self.pick.is_some() && self.drawn_size().is_none() {
            problems.add(
                "/pick",
                "works for one team size only; send a single size in \"sizes\", or set \"size\" in \"alternatives\"",
            );
        }
    }

    /// Checks that no wish contradicts `"bench": false`, with which everybody plays.
    fn check_no_bench(&self, problems: &mut Problems) {
        if self.bench != Some(false) {
            return;
        }
        if self.sizes.is_some() {
            problems.add(
                "/sizes",
                "cannot be combined with \"bench\": false, which lets everybody play; leave one of the two out",
            );
        }
        let eligible: HashSet<PlayerId> = self.eligible().collect();
        for (index, id) in self.must_wait.iter().enumerate() {
            if eligible.contains(id) {
                let detail = format!(
                    "{id} cannot wait, because with \"bench\": false everybody plays; \
                         remove the player from \"players\", or leave \"bench\" out"
                );
                problems.add(format!("/must_wait/{index}"), detail);
            }
        }
        let only = self.players.len() / 2;
        if let Some(Object(alternatives)) = &self.alternatives
            && only >= 2
            && alternatives.size.count() != only
        {
            let detail = format!(
                "is {}, but with \"bench\": false all {} players play, so each team has {only} \
                     players or one more; send the size {only}, or leave out \"bench\" or \"alternatives\"",
                alternatives.size,
                self.players.len()
            );
            problems.add("/alternatives/size", detail);
        }
    }
}

/// Checks the length of a list of players, and reports repeated players.
pub(crate) fn check_players(field: &str, list: &[PlayerId], problems: &mut Problems) {
    problems.check_count(field, list.len(), MAX_PLAYERS, "players");
    if list.len() <= MAX_PLAYERS {
        check_distinct(field, list, problems);
    }
}

fn check_distinct(field: &str, list: &[PlayerId], problems: &mut Problems) {
    problems.check_distinct(field, list, "player", &mut HashSet::new());
}
