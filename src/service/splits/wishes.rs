use crate::api::{Object, RoleRequest, ScrambleRequest, TeamSize, TeamsRequest, Whole};
use crate::partition::{Alternatives, Current, Role, Wishes};

/// What a checked request wishes of the splits; what it leaves out is as without wishes.
pub(crate) fn wishes_of(request: &ScrambleRequest) -> Wishes {
    let unless_sent = Wishes::default();
    Wishes {
        current: request.current.as_ref().map(teams),
        parties: request.all_parties().map(|party| party.players()).collect(),
        party_price: request
            .party_price
            .map_or(unless_sent.party_price, Whole::get),
        apart: request.all_apart().map(|apart| apart.pair).collect(),
        roles: request.roles.iter().map(role).collect(),
        must_play: request.must_play.clone(),
        must_wait: request.must_wait.clone(),
        waited: request.all_waited(),
        tolerance: request.tolerance.map_or(unless_sent.tolerance, Whole::get),
        spread: request.spread.unwrap_or(unless_sent.spread),
        recent: request.recent.iter().map(teams).collect(),
        sizes: request
            .sizes
            .as_ref()
            .map(|sizes| sizes.iter().copied().map(TeamSize::count).collect()),
        anchor: request.anchor.unwrap_or(unless_sent.anchor),
        bench: request.bench.unwrap_or(unless_sent.bench),
        alternatives: request.alternatives.map(|Object(wanted)| Alternatives {
            size: wanted.size.count(),
            count: wanted.count.count(),
        }),
    }
}

fn teams(Object(teams): &Object<TeamsRequest>) -> Current {
    let [a, b] = teams.teams.clone().map(|(_, team)| team);
    Current { a, b }
}

fn role(Object(role): &Object<RoleRequest>) -> Role {
    Role {
        name: role.name.to_string(),
        players: role.players.clone(),
        each: role.each.map_or(1, Whole::count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PlayerId;

    fn wishes(text: &str) -> Wishes {
        let text = format!("{{\"server\":\"s\",\"players\":[]{text}}}");
        let request: ScrambleRequest = crate::api::read(text.as_bytes()).unwrap();
        wishes_of(&request)
    }

    fn id(account: u64) -> PlayerId {
        format!("[U:1:{account}]").parse().unwrap()
    }

    #[test]
    fn whoever_wishes_nothing_gets_what_is_usual() {
        assert_eq!(wishes(""), Wishes::default());
    }

    #[test]
    fn every_wish_arrives() {
        let teams = |a, b| Current {
            a: vec![id(a)],
            b: vec![id(b)],
        };
        assert_eq!(
            wishes(
                r#","current":{"a":["[U:1:1]"],"b":["[U:1:2]"]},"parties":[["[U:1:3]","[U:1:4]"]],
                   "party_price":7,"apart":[["[U:1:5]","[U:1:6]"]],"must_play":["[U:1:7]"],
                   "must_wait":["[U:1:8]"],"waited":{"[U:1:9]":2},"tolerance":11,"spread":false,
                   "recent":[{"a":["[U:1:10]"],"b":["[U:1:11]"]}],"sizes":[6,9],"anchor":false,"bench":false,
                   "alternatives":{"size":9,"count":20},
                   "roles":[{"name":"medic","players":["[U:1:12]"],"each":2},
                            {"name":"pilot","players":["[U:1:13]"]}]"#
            ),
            Wishes {
                current: Some(teams(1, 2)),
                parties: vec![vec![id(3), id(4)]],
                party_price: 7,
                apart: vec![[id(5), id(6)]],
                roles: [("medic", 12, 2), ("pilot", 13, 1)]
                    .map(|(name, player, each)| Role {
                        name: name.to_owned(),
                        players: vec![id(player)],
                        each,
                    })
                    .to_vec(),
                must_play: vec![id(7)],
                must_wait: vec![id(8)],
                waited: [(id(9), 2)].into(),
                tolerance: 11,
                spread: false,
                recent: vec![teams(10, 11)],
                sizes: Some(vec![6, 9]),
                anchor: false,
                bench: false,
                alternatives: Some(Alternatives { size: 9, count: 20 }),
            }
        );
    }
}
