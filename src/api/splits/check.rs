use std::collections::{BTreeMap, HashMap, HashSet};

use super::TeamsRequest;
use super::labels::{Apart, Party};
use crate::api::check::Problems;
use crate::api::{Object, ScrambleRequest, Whole};
use crate::domain::{FieldProblem, PlayerId};

/// The most players that a split is asked for, and the most that any list of players has.
pub const MAX_PLAYERS: usize = 128;
const MAX_PARTIES: usize = 64;
const MAX_PARTY: usize = 64;
const MAX_APART: usize = 64;
/// The most roles that a request has.
pub const MAX_ROLES: usize = 8;
const MAX_RECENT: usize = 16;
/// Room for everybody who was on a server for a while, since not all of them need to be there.
const MAX_WAITED: usize = 1024;

impl ScrambleRequest {
    /// This request, if its lists make sense, each by itself and all together.
    ///
    /// What is wrong with a list is wrong whoever is there. Wishes contradict each other only about
    /// players who may play, because the others are passed over.
    ///
    /// # Errors
    /// Every list that is too long or too short, everything that is in one twice and, unless a list is
    /// too long, every contradiction.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        self.check_lists(&mut problems);
        if !problems.has_long_list() {
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
                problems.add(
                    field,
                    format!("has 0 players; send 1 to {MAX_PARTY}, or leave the party out"),
                );
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
                    "have labels in \"apart\" that make {pairs} pairs with those of the list \"apart\"; send \
                     at most {MAX_APART}, by giving a label to fewer players"
                ),
            );
        }
        problems.check_count("/roles", self.roles.len(), MAX_ROLES, "roles");
        for (index, Object(role)) in self.roles.iter().enumerate() {
            let field = format!("/roles/{index}/players");
            if role.players.is_empty() {
                problems.add(
                    field,
                    "has no player; send those who can fill the role, or leave the role out",
                );
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
                    "is {repeat}, and \"recent\" has {} more; send at most {MAX_RECENT} splits in all",
                    self.recent.len()
                ),
            );
        }
        let waited = self.waited.sent().map_or(0, BTreeMap::len);
        problems.check_count("/waited", waited, MAX_WAITED, "players");
        if let Some(sizes) = &self.sizes {
            if sizes.is_empty() {
                problems.add(
                    "/sizes",
                    "has no size; send those wanted, or leave it out for every size",
                );
            }
            problems.check_distinct("/sizes", sizes, "size", &mut HashSet::new());
        }
    }

    /// The current teams and the recent ones, by their pointers.
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
                    problems.add(
                        format!("{field}/{name}/{index}"),
                        format!("{id} is on both teams; name each player once"),
                    );
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
                            "{id} is in {first} already; put each player in one party, or make the \
                             two one"
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
                format!("is {one} twice; send two different players")
            } else if first != index && index < self.apart.len() {
                format!("is the pair at index {first} again; name each pair once")
            } else if let Some(party) = party.filter(|_| both_may_play) {
                format!(
                    "has {one} and {other} apart, who are together in {}; take one of the two wishes back",
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
                problems.add(
                    format!("/players/{index}/waited"),
                    format!(
                        "is {own}, and the list \"waited\" has {listed} for {}; send one of the two",
                        player.id
                    ),
                );
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
                        "is the name of the role at index {first} already; give each role a name of \
                         its own"
                    ),
                );
            }
        }
    }

    /// Who must play and who must wait, against each other and against the parties.
    fn check_bench(&self, problems: &mut Problems) {
        let eligible: HashSet<PlayerId> = self.eligible().collect();
        let present = |ids: &[PlayerId]| -> HashSet<PlayerId> {
            ids.iter()
                .copied()
                .filter(|id| eligible.contains(id))
                .collect()
        };
        let (play, wait) = (present(&self.must_play), present(&self.must_wait));
        for (index, id) in self.must_wait.iter().enumerate() {
            if play.contains(id) && wait.contains(id) {
                problems.add(
                    format!("/must_wait/{index}"),
                    format!("{id} is in \"must_play\" too; name the player in one of the two"),
                );
            }
        }
        for party in self.all_parties() {
            let members = party.players();
            let player = members.iter().find(|id| play.contains(id));
            let waiter = members.iter().find(|id| wait.contains(id));
            // One player who must do both has been named above.
            if let (Some(player), Some(waiter)) = (player, waiter)
                && player != waiter
            {
                problems.add(
                    party.field,
                    format!(
                        "has {player}, who must play, in a party with {waiter}, who must wait; leave \
                         the party out, or one of the two wishes"
                    ),
                );
            }
        }
    }

    fn check_alternatives(&self, problems: &mut Problems) {
        let (Some(alternatives), Some(sizes)) = (&self.alternatives, &self.sizes) else {
            return;
        };
        if !sizes.contains(&alternatives.0.size) {
            problems.add(
                "/alternatives/size",
                format!(
                    "is {}, which \"sizes\" leaves out; send one of those, or add it there",
                    alternatives.0.size
                ),
            );
        }
    }

    /// A draw is of the splits of one size.
    fn check_pick(&self, problems: &mut Problems) {
        if self.pick.is_some() && self.drawn_size().is_none() {
            problems.add(
                "/pick",
                "draws of the splits of one size; send that alone in \"sizes\", or as the size of \"alternatives\"",
            );
        }
    }

    /// What cannot be where everybody plays.
    fn check_no_bench(&self, problems: &mut Problems) {
        if self.bench != Some(false) {
            return;
        }
        if self.sizes.is_some() {
            problems.add(
                "/sizes",
                "cannot be chosen where \"bench\" is false and everybody plays; leave one of the two out",
            );
        }
        let eligible: HashSet<PlayerId> = self.eligible().collect();
        for (index, id) in self.must_wait.iter().enumerate() {
            if eligible.contains(id) {
                problems.add(
                    format!("/must_wait/{index}"),
                    format!(
                        "{id} cannot wait where \"bench\" is false and everybody plays; leave the \
                         player out of \"players\", or \"bench\" out"
                    ),
                );
            }
        }
        let only = self.players.len() / 2;
        if let Some(Object(alternatives)) = &self.alternatives
            && only >= 2
            && alternatives.size.count() != only
        {
            problems.add(
                "/alternatives/size",
                format!(
                    "is {}, and where \"bench\" is false {} players play in teams of {only} or one \
                     more; send that size, or leave one of the two out",
                    alternatives.size,
                    self.players.len()
                ),
            );
        }
    }
}

/// Whether a list of players is short enough, and nobody is in it twice.
pub(crate) fn check_players(field: &str, list: &[PlayerId], problems: &mut Problems) {
    problems.check_count(field, list.len(), MAX_PLAYERS, "players");
    if list.len() <= MAX_PLAYERS {
        check_distinct(field, list, problems);
    }
}

/// Whether nobody is in a list of players twice.
fn check_distinct(field: &str, list: &[PlayerId], problems: &mut Problems) {
    problems.check_distinct(field, list, "player", &mut HashSet::new());
}
