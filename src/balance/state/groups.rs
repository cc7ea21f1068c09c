use std::collections::BTreeMap;

use super::{Player, Power, WeighedMatch};
use crate::domain::{PartyName, Side};

/// Players who are placed together.
#[derive(Debug)]
pub(in crate::balance) struct Group<'all> {
    pub(in crate::balance) players: Vec<&'all Player>,
    pub(in crate::balance) power: Power,
    /// Where their friends are, if they are on one team.
    pub(in crate::balance) fixed: Option<Side>,
}

/// Those who join, friends together: the largest parties first, then the heaviest.
pub(in crate::balance) fn groups<'all>(weighed: &WeighedMatch<'all>) -> Vec<Group<'all>> {
    let mut parties: BTreeMap<&PartyName, Vec<&Player>> = BTreeMap::new();
    let mut groups: Vec<Vec<&Player>> = Vec::new();
    for player in &weighed.joining {
        match &player.party {
            Some(party) => parties.entry(party).or_default().push(player),
            None => groups.push(vec![player]),
        }
    }
    groups.extend(parties.into_values());
    let has = |side: Side, party: &PartyName| {
        let mut team = weighed.team(side).iter();
        team.any(|player| player.party.as_ref() == Some(party))
    };
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|players| {
            let party = players.first().and_then(|player| player.party.as_ref());
            let friends = party.map(|party| (has(Side::A, party), has(Side::B, party)));
            Group {
                power: players.iter().map(|player| weighed.power(player)).sum(),
                fixed: match friends {
                    Some((true, false)) => Some(Side::A),
                    Some((false, true)) => Some(Side::B),
                    _ => None,
                },
                players,
            }
        })
        .collect();
    groups.sort_by_key(|group| {
        let first = group.players.first().map(|player| player.id);
        (std::cmp::Reverse((group.players.len(), group.power)), first)
    });
    groups
}
