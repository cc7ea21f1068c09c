use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A budget of memory, in bytes, that all computations of splits share, so that those that run at
/// the same time are bounded together.
///
/// Requests are served strictly in the order in which they were made: a large one is not passed by
/// small ones that would fit, so it is not starved. It is not re-entrant. A computation that holds a
/// [`Reservation`] and asks for another can wait for itself, so each has to ask once for all that it
/// needs at the same time.
#[derive(Debug)]
pub(crate) struct TableMemory {
    capacity: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    free: u64,
    /// The number that the next request gets.
    next: u64,
    /// The number of the request whose turn it is.
    serving: u64,
}

impl TableMemory {
    /// A budget of `bytes`, all of them free.
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            capacity: bytes,
            state: Mutex::new(State {
                free: bytes,
                next: 0,
                serving: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// The bytes of the whole budget, reserved or not.
    pub(crate) fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Reserves `bytes`. Blocks the thread until all earlier requests have been served and so many
    /// bytes are free.
    ///
    /// More than the [capacity](Self::capacity) can never be free; such a request is an error of the
    /// caller, and gets the whole budget rather than block for ever.
    pub(crate) fn reserve(self: &Arc<Self>, bytes: u64) -> Reservation {
        let bytes = bytes.min(self.capacity);
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        let mut state = self
            .changed
            .wait_while(state, |state| state.serving != number || state.free < bytes)
            .unwrap_or_else(PoisonError::into_inner);
        state.free -= bytes;
        state.serving += 1;
        drop(state);
        // The next request may fit into what is left.
        self.changed.notify_all();
        Reservation {
            memory: Arc::clone(self),
            bytes,
        }
    }

    /// The state. A panic elsewhere leaves it consistent, because no code that can panic runs under
    /// the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of a [`TableMemory`] that are reserved until this is dropped.
#[must_use = "the bytes are free again as soon as the reservation is dropped"]
#[derive(Debug)]
pub(crate) struct Reservation {
    memory: Arc<TableMemory>,
    bytes: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory.lock().free += self.bytes;
        self.memory.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::thread::{Scope, yield_now};
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(30);
    const SHORT: Duration = Duration::from_millis(50);

    /// Reserves and releases `bytes` in another thread, and sends `bytes` in between. Returns once the
    /// request is in the queue.
    fn request<'scope>(
        scope: &'scope Scope<'scope, '_>,
        memory: &'scope Arc<TableMemory>,
        bytes: u64,
    ) -> Receiver<u64> {
        let (served, receiver) = channel();
        let requests = memory.lock().next;
        scope.spawn(move || {
            let reservation = memory.reserve(bytes);
            served.send(reservation.bytes).unwrap();
        });
        while memory.lock().next == requests {
            yield_now();
        }
        receiver
    }

    #[test]
    fn what_is_free_is_reserved_at_once_and_released_on_drop() {
        let memory = Arc::new(TableMemory::new(100));
        let (first, second) = (memory.reserve(60), memory.reserve(40));
        assert_eq!((first.bytes, second.bytes), (60, 40));
        assert_eq!(memory.lock().free, 0);
        drop(first);
        assert_eq!(memory.lock().free, 60);
        drop(second);
        assert_eq!((memory.lock().free, memory.capacity()), (100, 100));
    }

    #[test]
    fn a_request_waits_until_enough_is_free() {
        let memory = Arc::new(TableMemory::new(100));
        std::thread::scope(|scope| {
            let (one, other) = (memory.reserve(60), memory.reserve(40));
            let served = request(scope, &memory, 70);
            drop(one);
            assert_eq!(served.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
            drop(other);
            assert_eq!(served.recv_timeout(LONG), Ok(70));
        });
    }

    #[test]
    fn a_large_request_is_not_passed_by_small_ones() {
        let memory = Arc::new(TableMemory::new(100));
        std::thread::scope(|scope| {
            let held = memory.reserve(50);
            let large = request(scope, &memory, 100);
            let small = request(scope, &memory, 1);
            assert_eq!(small.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
            assert!(large.try_recv().is_err());
            drop(held);
            assert_eq!(large.recv_timeout(LONG), Ok(100));
            assert_eq!(small.recv_timeout(LONG), Ok(1));
        });
    }

    #[test]
    fn one_release_serves_every_request_that_fits() {
        let memory = Arc::new(TableMemory::new(100));
        std::thread::scope(|scope| {
            let held = memory.reserve(100);
            let waiting: Vec<_> = (1..=8)
                .map(|bytes| request(scope, &memory, bytes))
                .collect();
            drop(held);
            for (bytes, served) in (1..).zip(waiting) {
                assert_eq!(served.recv_timeout(LONG), Ok(bytes));
            }
        });
        assert_eq!(memory.lock().free, 100);
    }

    #[test]
    fn more_than_there_is_gets_all_of_it() {
        let memory = Arc::new(TableMemory::new(100));
        assert_eq!(memory.reserve(u64::MAX).bytes, 100);
        assert_eq!(Arc::new(TableMemory::new(0)).reserve(1).bytes, 0);
    }

    #[test]
    fn a_panic_releases_what_was_reserved() {
        let memory = Arc::new(TableMemory::new(100));
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _reservation = memory.reserve(100);
            panic!("while it is reserved");
        }));
        assert!(panicked.is_err());
        assert_eq!(memory.reserve(100).bytes, 100);
    }

    #[test]
    fn never_is_more_reserved_than_there_is() {
        let memory = Arc::new(TableMemory::new(1000));
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let memory = &memory;
                scope.spawn(move || {
                    for round in 0..200 {
                        let reservation = memory.reserve(1 + (thread * 131 + round * 37) % 700);
                        let free = memory.lock().free;
                        assert!(reservation.bytes + free <= 1000);
                    }
                });
            }
        });
        assert_eq!(memory.lock().free, 1000);
    }
}
