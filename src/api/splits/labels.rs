//! Combines the wishes for splits in the objects of players with the wishes in lists of the request.

use std::collections::BTreeMap;

use super::{Pair, ScrambleRequest};
use crate::api::{LobbyPlayer, Whole};
use crate::domain::PlayerId;

/// A party, from the list of parties or from a label that at least two players share.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    /// Description of the party for error messages.
    pub(super) name: String,
    /// JSON pointer to the party in the request.
    pub(super) field: String,
    /// Members of the party, each with the JSON pointer to the member in the request.
    pub(super) members: Vec<(PlayerId, String)>,
}

/// A pair of players who should not share a team, with its JSON pointer.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    pub(super) field: String,
    pub(crate) pair: [PlayerId; 2],
}

impl Party {
    pub(crate) fn players(&self) -> Vec<PlayerId> {
        self.members.iter().map(|(id, _)| *id).collect()
    }

    pub(super) fn has(&self, player: PlayerId) -> bool {
        self.members.iter().any(|(id, _)| *id == player)
    }
}

impl ScrambleRequest {
    /// Returns the ids of the players to split into two teams and a bench, in the order of the request.
    pub(crate) fn eligible(&self) -> impl Iterator<Item = PlayerId> {
        self.players.iter().map(|player| player.id)
    }

    /// Returns the parties in the request's list, then the parties of players with the same label.
    pub(crate) fn all_parties(&self) -> impl Iterator<Item = Party> {
        let listed = self.parties.iter().enumerate().map(|(index, party)| Party {
            name: format!("the party at index {index}"),
            field: format!("/parties/{index}"),
            members: (0..)
                .zip(party)
                .map(|(place, id): (usize, _)| (*id, format!("/parties/{index}/{place}")))
                .collect(),
        });
        let labelled = self
            .labelled(|player| player.party.as_ref())
            .into_iter()
            .filter_map(|(label, members)| {
                let (first, _) = *members.first().filter(|_| members.len() > 1)?;
                let field = |index: usize| format!("/players/{index}/party");
                Some(Party {
                    name: format!("the party \"{label}\""),
                    field: field(first),
                    members: members
                        .into_iter()
                        .map(|(index, id)| (id, field(index)))
                        .collect(),
                })
            });
        listed.chain(labelled)
    }

    /// Returns the pairs to keep apart in the request's list, then every pair of players with the same label.
    pub(crate) fn all_apart(&self) -> impl Iterator<Item = Apart> {
        let listed = self
            .apart
            .iter()
            .enumerate()
            .map(|(index, Pair(pair))| Apart {
                field: format!("/apart/{index}"),
                pair: *pair,
            });
        let labelled = self
            .labelled(|player| player.apart.as_ref())
            .into_values()
            .flat_map(|members| {
                let pairs = members
                    .iter()
                    .enumerate()
                    .flat_map(|(count, &(index, other))| {
                        members[..count].iter().map(move |&(_, one)| Apart {
                            field: format!("/players/{index}/apart"),
                            pair: [one, other],
                        })
                    });
                pairs.collect::<Vec<Apart>>()
            });
        listed.chain(labelled)
    }

    /// Returns the number of pairs of players to keep apart, from the request's list and by labels.
    pub(super) fn count_apart(&self) -> usize {
        let labelled = self.labelled(|player| player.apart.as_ref()).into_values();
        let pairs = labelled.map(|members| members.len() * (members.len() - 1) / 2);
        self.apart.len() + pairs.sum::<usize>()
    }

    /// Returns the number of rounds that each player has waited, from the request's list and from the players' objects.
    pub(crate) fn all_waited(&self) -> BTreeMap<PlayerId, u32> {
        let mut waited = self.waited.sent().cloned().unwrap_or_default();
        let with_players = self.players.iter();
        waited.extend(with_players.filter_map(|one| Some((one.id, one.waited.map(Whole::get)?))));
        waited
    }

    /// Groups the players of the request by a label, each player with the index in `players`.
    fn labelled<'request, Label: Ord>(
        &'request self,
        label: impl Fn(&'request LobbyPlayer) -> Option<&'request Label>,
    ) -> BTreeMap<&'request Label, Vec<(usize, PlayerId)>> {
        let mut labelled: BTreeMap<&Label, Vec<(usize, PlayerId)>> = BTreeMap::new();
        for (index, player) in self.players.iter().enumerate() {
            if let Some(label) = label(player) {
                labelled.entry(label).or_default().push((index, player.id));
            }
        }
        labelled
    }
}
