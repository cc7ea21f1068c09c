use sha2::{Digest as _, Sha256};

use crate::domain::{PlayerId, RoundId, ServerName};

/// The order of players with equal ratings between two rounds of a server: as good as random, and the same on
/// every instance and whenever it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Ties(Sha256);

impl Ties {
    /// The order after this round of the server.
    pub(super) fn after(server: &ServerName, last: &RoundId) -> Self {
        // A line break is in neither name.
        let names = format!("{server}\n{last}\n");
        Self(Sha256::new_with_prefix(names))
    }

    /// Where a player stands among equals, the lowest first.
    pub(super) fn of(&self, player: PlayerId) -> u64 {
        let id = player.steam_id64().to_be_bytes();
        let digest: [u8; 32] = self.0.clone().chain_update(id).finalize().into();
        digest
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
