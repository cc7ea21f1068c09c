use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::Fingerprint;

/// Unit in which memory is reserved, in bytes. Semaphores count in 32 bits, too few for bytes. Requests are rounded up
/// and the budget is rounded down to whole blocks, so reservations never exceed the budget.
const BLOCK: u64 = 1024;
/// Divisor that splits the memory budget for computations of splits into parts: each part but the last leaves one
/// eighth of the remaining memory to the later parts.
const RATIO: u64 = 8;
const PARTS: usize = 3;

/// Memory budget that all concurrent computations of splits share.
///
/// # Design
/// The budget has three parts: seven eighths, seven eighths of the rest, and the remainder. A computation takes any
/// part with enough free memory at once. Otherwise, it waits for the smallest part that is large enough, so small
/// computations never wait for large ones. Within a part, requests are served in order of arrival, so small requests
/// cannot starve a large one. Only one request of each client waits at a time, so no client waits behind all requests
/// of another.
///
/// A computation with a reservation that asks for another could wait for itself. So each computation must reserve all
/// memory that it needs at one time in one request.
#[derive(Clone, Debug)]
pub(crate) struct TableMemory {
    /// Parts of the memory budget for computations of splits, largest first. Smaller parts serve small computations.
    parts: [Part; PARTS],
    /// Lock of each client, held by the client's one request that waits for memory.
    waiting: Arc<Mutex<HashMap<Fingerprint, Arc<tokio::sync::Mutex<()>>>>>,
}

#[derive(Clone, Debug)]
struct Part {
    blocks: u32,
    free: Arc<Semaphore>,
}

impl TableMemory {
    pub(crate) fn new(bytes: u64) -> Self {
        let mut rest = bytes / BLOCK;
        let mut part = |is_last| {
            let blocks = if is_last { rest } else { rest - rest / RATIO };
            rest -= blocks;
            let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
            let free = Arc::new(Semaphore::new(blocks as usize));
            Part { blocks, free }
        };
        let parts = std::array::from_fn(|number| part(number + 1 == PARTS));
        let waiting = Arc::default();
        Self { parts, waiting }
    }

    pub(crate) fn most(&self) -> u64 {
        u64::from(self.parts[0].blocks) * BLOCK
    }

    /// Reserves `bytes` of the memory budget until the result is dropped, without waiting. `None` if no part of the
    /// budget has enough free memory, or if other requests wait for it.
    pub(crate) fn try_reserve(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let (_, blocks) = self.part_for(bytes);
        let mut parts = self.parts.iter().rev();
        parts.find_map(|part| Arc::clone(&part.free).try_acquire_many_owned(blocks).ok())
    }

    /// Reserves `bytes` of the memory budget for `client` until the result is dropped. Waits until earlier requests
    /// have been served and enough memory is free. A request for more than the largest part of the budget gets that
    /// part, rather than waiting forever.
    pub(crate) async fn reserve(
        &self,
        bytes: u64,
        client: Fingerprint,
    ) -> Option<OwnedSemaphorePermit> {
        let only_one = Arc::clone(self.waiting.lock().entry(client).or_default());
        let _waits = only_one.lock().await;
        let (part, blocks) = self.part_for(bytes);
        // Acquiring fails only for a closed semaphore, and this one is never closed.
        Arc::clone(&part.free).acquire_many_owned(blocks).await.ok()
    }

    /// Returns the smallest part of the memory budget that can hold `bytes`, and the number of blocks ([`BLOCK`] bytes
    /// each) to reserve in this part.
    fn part_for(&self, bytes: u64) -> (&Part, u32) {
        let blocks = u32::try_from(bytes.div_ceil(BLOCK)).unwrap_or(u32::MAX);
        let mut parts = self.parts.iter().rev();
        let part = parts
            .find(|part| blocks <= part.blocks)
            .unwrap_or(&self.parts[0]);
        (part, blocks.min(part.blocks))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn client(number: u8) -> Fingerprint {
        Fingerprint::new([number; 4])
    }

    #[tokio::test]
    async fn a_large_request_is_not_passed_by_small_ones() {
        let memory = TableMemory::new(128 * BLOCK);
        let held = memory.reserve(50 * BLOCK, client(1)).await;
        let mut large = pin!(memory.reserve(112 * BLOCK, client(1)));
        let mut smaller = pin!(memory.reserve(20 * BLOCK, client(2)));
        assert!(timeout(Duration::ZERO, &mut large).await.is_err());
        assert!(timeout(Duration::ZERO, &mut smaller).await.is_err());
        assert!(memory.try_reserve(20 * BLOCK).is_none());
        drop(held);
        assert_eq!(large.await.unwrap().num_permits(), 112);
        assert_eq!(smaller.await.unwrap().num_permits(), 20);
    }

    #[tokio::test]
    async fn what_needs_little_does_not_wait_for_what_needs_much() {
        let memory = TableMemory::new(128 * BLOCK);
        assert_eq!(memory.most(), 112 * BLOCK);
        let _much = memory.try_reserve(memory.most()).unwrap();
        let _less = memory.try_reserve(14 * BLOCK).unwrap();
        assert!(memory.try_reserve(3 * BLOCK).is_none());
        assert!(memory.try_reserve(2 * BLOCK).is_some());
    }

    #[tokio::test]
    async fn what_needs_little_takes_of_what_is_free_for_more() {
        let memory = TableMemory::new(128 * BLOCK);
        let held: Vec<_> = std::iter::from_fn(|| memory.try_reserve(10 * BLOCK)).collect();
        assert_eq!(held.len(), 1 + 11, "one of 14, and the rest of 112");
    }

    #[tokio::test]
    async fn nobody_waits_behind_all_requests_of_another_client() {
        let memory = TableMemory::new(128 * BLOCK);
        let held = memory.reserve(112 * BLOCK, client(1)).await;
        let mut first = pin!(memory.reserve(112 * BLOCK, client(1)));
        let mut second = pin!(memory.reserve(112 * BLOCK, client(1)));
        let mut others = pin!(memory.reserve(112 * BLOCK, client(2)));
        for waiting in [&mut first, &mut second, &mut others] {
            assert!(timeout(Duration::ZERO, waiting).await.is_err());
        }
        drop(held);
        drop(first.await);
        assert!(timeout(Duration::ZERO, &mut second).await.is_err());
        drop(others.await);
        assert!(second.await.is_some());
    }

    #[tokio::test]
    async fn whole_blocks_are_reserved_and_of_more_than_there_is_the_largest_part() {
        for (capacity, bytes, blocks) in [
            (128 * BLOCK, u64::MAX, 112),
            (128 * BLOCK + 1, 129 * BLOCK, 112),
            (128 * BLOCK, BLOCK + 1, 2),
            (10 * BLOCK + BLOCK / 2, 10 * BLOCK, 9),
            (0, BLOCK, 0),
        ] {
            let memory = TableMemory::new(capacity);
            let free = memory.parts.iter().map(|part| u64::from(part.blocks));
            assert_eq!(free.sum::<u64>(), capacity / BLOCK);
            let reserved = memory.reserve(bytes, client(1)).await.unwrap();
            assert_eq!(reserved.num_permits(), blocks, "{bytes} of {capacity}");
        }
    }
}
