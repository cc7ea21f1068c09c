//! The queries of a unit of work on notices to game servers.

use super::{Inner, Tx, within};
use crate::domain::{NoticeName, ServerName, Timestamp};
use crate::store::{NoticeRecord, StoreError, postgres, sqlite};

queries! {
    /// Deletes the server's notices of the same kind about the same player, and everybody's that are too old when
    /// this one is made.
    fn delete_replaced_notices(by: &NoticeRecord) -> () = sql::notices::delete_replaced;

    /// Writes a new notice.
    fn insert_notice(notice: &NoticeRecord) -> () = sql::notices::insert;

    /// Deletes all of the server's notices but the latest so many.
    fn keep_latest_notices(server: &ServerName, most: u32) -> () = sql::notices::keep_latest;

    /// Deletes the notice of that name, if it is there.
    fn delete_notice(server: &ServerName, name: &NoticeName) -> () = sql::notices::delete;

    /// The server's notices that are not too old, the oldest first.
    fn notices(server: &ServerName, now: Timestamp) -> Vec<NoticeRecord> = sql::notices::list;
}
