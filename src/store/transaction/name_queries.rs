//! The queries of a unit of work on what players are called, and for lists of all of them.

use super::{Inner, Tx, within};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Timestamp};
use crate::rating::Entry;
use crate::store::{ListedPlayer, NameRecord, NameSource, PoolId, StoreError, postgres, sqlite};

queries! {
    /// What is known of how `players` are called, in no particular order.
    fn player_names(players: &[PlayerId]) -> Vec<NameRecord> = sql::names::find;

    /// Up to `limit` players whose name or alias has `folded` in it, which is in lower case: those first whose begins
    /// with it.
    fn search_player_names(folded: &str, limit: u32) -> Vec<PlayerId> = sql::names::search;

    /// Keeps what players were called, by id and each once, but of those who are forgotten, or whose name is of a later
    /// moment; and where the names came from.
    fn save_player_names(
        names: &[(PlayerId, PlayerDisplayName, Timestamp)], from: NameSource
    ) -> () = save_names::save_names;

    /// Deletes the names of strangers that came before the cutoff, and all but the last `most` of them. Players with an
    /// alias and forgotten players stay.
    fn delete_old_strangers(cutoff: Timestamp, most: u32) -> () = sql::names::delete_old_strangers;

    /// Counts the names that were sent with the secret from the first moment on and before the second.
    fn count_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> u64 = sql::names::count_of_secret;

    /// Deletes the names that [`Tx::count_names_of_secret`] counts.
    fn delete_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> () = sql::names::delete_of_secret;

    /// Calls a player so above the name, or no longer.
    fn set_player_alias(player: PlayerId, alias: Option<&PlayerDisplayName>, at: Timestamp) -> ()
        = sql::names::set_alias;

    /// Deletes the player's name and alias, and keeps none from then on. Where that `hides_id`, the player has a
    /// pseudonym, else none.
    fn forget_player(player: PlayerId, hides_id: bool, at: Timestamp) -> () = sql::names::forget;

    /// Up to `limit` of the pool's players behind `last`, by id, for lists.
    fn listed_players_after(pool: PoolId, last: Option<PlayerId>, limit: u32)
        -> Vec<ListedPlayer> = sql::listed_players::after;

    /// The last entry of each of `players` up to the place of the log, and others of its row, each player's in the order of
    /// the log; of whoever had none by then, none or later ones.
    fn entries_around(pool: PoolId, players: &[PlayerId], position: u64) -> Vec<Entry>
        = sql::past_entries::around;

    /// Whose rating admins have set or reset in the pool, each once, in no particular order.
    fn changed_players(pool: PoolId) -> Vec<PlayerId> = sql::changes::changed_players;

    /// Keeps the player's names again from now on.
    fn remember_player(player: PlayerId) -> () = sql::names::remember;
}
