use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Memory is reserved in blocks of so many bytes: a semaphore counts in 32 bits, which as bytes would be
/// too few. Requests are rounded up and the budget down to whole blocks of 1 KiB, so that never more
/// bytes are reserved than there are.
const BLOCK: u64 = 1024;

/// A budget of memory that all computations of splits share, so that those that run at the same time
/// are bounded together.
///
/// The semaphore serves requests in the order in which they were made: a large one is not passed by
/// small ones that would fit, so it is not starved. A computation that holds a reservation and asks for
/// another can wait for itself, so each has to ask once for all that it needs at the same time.
#[derive(Clone, Debug)]
pub(crate) struct TableMemory {
    /// The bytes of the whole budget, reserved or not.
    pub(crate) capacity: u64,
    blocks: u32,
    free: Arc<Semaphore>,
}

impl TableMemory {
    /// A budget of `bytes`, all of them free.
    pub(crate) fn new(bytes: u64) -> Self {
        let blocks = u32::try_from(bytes / BLOCK).unwrap_or(u32::MAX);
        Self {
            capacity: bytes,
            blocks,
            free: Arc::new(Semaphore::new(blocks as usize)),
        }
    }

    /// Reserves `bytes` until the answer is dropped, once all earlier requests have been served and so
    /// many bytes are free. More than the capacity can never be free: such a request is an error of the
    /// caller, and gets the whole budget rather than wait for ever.
    pub(crate) async fn reserve(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let blocks = u32::try_from(bytes.div_ceil(BLOCK)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free);
        // Only of a semaphore that was closed is there none, and nobody closes this one.
        free.acquire_many_owned(blocks.min(self.blocks)).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread::yield_now;
    use std::time::Duration;

    use tokio::runtime::Handle;
    use tokio::task::spawn_blocking;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_large_request_is_not_passed_by_small_ones() {
        let memory = TableMemory::new(100 * BLOCK);
        let held = memory.reserve(50 * BLOCK).await;
        let mut large = pin!(memory.reserve(100 * BLOCK));
        let mut small = pin!(memory.reserve(1));
        assert!(timeout(Duration::ZERO, &mut large).await.is_err());
        assert!(timeout(Duration::ZERO, &mut small).await.is_err());
        drop(held);
        assert_eq!(large.await.unwrap().num_permits(), 100);
        assert_eq!(small.await.unwrap().num_permits(), 1);
    }

    #[tokio::test]
    async fn more_than_there_is_gets_all_of_it() {
        for (capacity, blocks) in [(100 * BLOCK, 100), (100 * BLOCK + 1, 100), (0, 0)] {
            let memory = TableMemory::new(capacity);
            for bytes in [u64::MAX, 101 * BLOCK] {
                assert_eq!(memory.reserve(bytes).await.unwrap().num_permits(), blocks);
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn never_is_more_reserved_than_there_is() {
        let memory = TableMemory::new(10 * BLOCK + BLOCK / 2);
        let reserved = Arc::new(AtomicU64::new(0));
        let work = |task: u64| {
            let (memory, reserved) = (memory.clone(), Arc::clone(&reserved));
            let runtime = Handle::current();
            spawn_blocking(move || {
                for round in 0..200 {
                    let bytes = 1 + (task * 1310 + round * 370) % (7 * BLOCK);
                    let _held = runtime.block_on(memory.reserve(bytes)).unwrap();
                    let all = reserved.fetch_add(bytes, Ordering::SeqCst) + bytes;
                    assert!(all <= memory.capacity, "{all}");
                    yield_now();
                    reserved.fetch_sub(bytes, Ordering::SeqCst);
                }
            })
        };
        let tasks: Vec<_> = (0..8).map(work).collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(memory.free.available_permits(), 10);
    }
}
