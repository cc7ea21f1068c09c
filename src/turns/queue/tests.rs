use super::*;

const LIMITS: QueueLimits = QueueLimits {
    places: 1,
    waiting: 6,
    begun: 4,
    begun_of_client: 2,
    begun_of_lane: 2,
};

fn requester(client: u8, lane: &str) -> Requester {
    Requester::new(Fingerprint::new([client; 4]), lane)
}

/// Creates a fair queue in which one piece of work waits for each requester, a client and its lane. The queue
/// identifies the work by this pair.
fn queue(limits: QueueLimits, requesters: &[(u8, &'static str)]) -> FairQueue<(u8, &'static str)> {
    let mut queue = FairQueue::new(limits);
    for one in requesters {
        queue.enter(&requester(one.0, one.1), *one);
    }
    queue
}

/// Runs all work in `queue`, one piece after the other, and returns the requesters (client and lane) in the order of
/// their turns.
fn order(queue: &mut FairQueue<(u8, &'static str)>) -> Vec<(u8, &'static str)> {
    let mut order = Vec::new();
    while let Some(one) = queue.next() {
        order.push(one);
        let number = *queue.begun.keys().next().unwrap();
        queue.leave(&requester(one.0, one.1), number);
    }
    assert_eq!(queue.idle, queue.limits.places);
    assert!(queue.clients.is_empty() && queue.begun.is_empty());
    order
}

#[test]
fn clients_take_turns_and_within_each_its_lanes() {
    let all = [(1, "a"), (1, "a"), (1, "b"), (1, "a"), (2, "a"), (3, "c")];
    assert_eq!(
        order(&mut queue(LIMITS, &all)),
        [(1, "a"), (2, "a"), (3, "c"), (1, "b"), (1, "a"), (1, "a")]
    );
}

#[test]
fn of_too_many_the_newest_of_the_fullest_leave() {
    // The first work of another client has room at the expense of the client that fills the queue.
    let all = [
        (1, "a"),
        (1, "b"),
        (1, "a"),
        (1, "a"),
        (1, "a"),
        (1, "c"),
        (2, "a"),
    ];
    let mut full = queue(LIMITS, &all);
    let requesters = |client| {
        full.clients
            .iter()
            .find(|one| one.client == requester(client, "a").client)
            .unwrap()
    };
    assert_eq!((requesters(1).waiting(), requesters(2).waiting()), (5, 1));
    assert_eq!(
        order(&mut full),
        [(1, "a"), (2, "a"), (1, "b"), (1, "c"), (1, "a"), (1, "a")]
    );
    // A client alone may fill the whole queue, but no more.
    assert_eq!(
        order(&mut queue(LIMITS, &[(1, "a"); 9])).len(),
        LIMITS.waiting
    );
    let none = QueueLimits {
        waiting: 0,
        places: 0,
        ..LIMITS
    };
    assert_eq!(queue(none, &[(1, "a")]).clients.len(), 0);
}

#[test]
fn who_makes_way_goes_on_after_one_turn_of_each_other_and_before_its_own_lane() {
    let mut queue = queue(LIMITS, &[(1, "a"), (1, "a"), (2, "a"), (3, "a")]);
    let mut turns = Vec::new();
    // The work of client 1 yields repeatedly.
    assert_eq!(queue.next(), Some((1, "a")));
    for _ in 0..4 {
        assert!(queue.is_waited_for());
        queue.come_back(&requester(1, "a"), 1, (1, "again"));
        while let Some(one) = queue.next() {
            turns.push(one);
            if one == (1, "again") {
                break;
            }
            let number = if one.0 == 2 { 3 } else { 4 };
            queue.leave(&requester(one.0, one.1), number);
        }
    }
    let again = (1, "again");
    assert_eq!(turns, [(2, "a"), (3, "a"), again, again, again, again]);
    queue.leave(&requester(1, "a"), 1);
    assert_eq!(order(&mut queue), [(1, "a")]);
}

#[test]
fn who_comes_during_a_turn_is_served_before_it_goes_on() {
    let mut queue = queue(LIMITS, &[(1, "a")]);
    assert_eq!(queue.next(), Some((1, "a")));
    for late in [(2, "a"), (1, "b")] {
        queue.enter(&requester(late.0, late.1), late);
        queue.come_back(&requester(1, "a"), 1, (1, "again"));
        assert_eq!(queue.next(), Some(late));
        let number = queue.entered;
        queue.leave(&requester(late.0, late.1), number);
        assert_eq!(queue.next(), Some((1, "again")));
    }
}

#[test]
fn a_client_begins_only_so_many_and_leaves_room_for_others() {
    let mut queue = queue(
        LIMITS,
        &[(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "b"), (3, "a")],
    );
    // Each piece releases its place as soon as it has begun.
    let begun: Vec<_> = std::iter::from_fn(|| {
        let next = queue.next()?;
        let held: Vec<u64> = queue.begun.keys().copied().collect();
        for number in held {
            queue.release(number);
        }
        Some(next)
    })
    .collect();
    assert_eq!(begun, [(1, "a"), (2, "a"), (3, "a"), (1, "b")]);
    // An ending piece makes room for another client, because client 1 has reached its maximum.
    queue.leave(&requester(3, "a"), 6);
    assert_eq!(queue.next(), Some((2, "b")));
    queue.leave(&requester(2, "b"), 5);
    assert!(!queue.is_waited_for());
    queue.leave(&requester(1, "b"), 2);
    assert_eq!(queue.next(), Some((1, "c")));
}

#[test]
fn one_lane_leaves_room_for_the_others_of_its_client() {
    let limits = QueueLimits {
        begun_of_lane: 1,
        ..LIMITS
    };
    let mut queue = queue(limits, &[(1, "a"), (1, "a"), (1, "b")]);
    for (number, expected) in [(1, (1, "a")), (3, (1, "b"))] {
        assert_eq!(queue.next(), Some(expected));
        queue.release(number);
    }
    assert_eq!(queue.next(), None);
    queue.leave(&requester(1, "a"), 1);
    assert_eq!(queue.next(), Some((1, "a")));
}

#[test]
fn who_leaves_twice_or_while_waiting_gives_back_no_more_than_it_had() {
    let mut queue = queue(LIMITS, &[(1, "a"), (2, "a"), (2, "a")]);
    assert_eq!(queue.next(), Some((1, "a")));
    queue.leave(&requester(2, "a"), 2);
    for _ in 0..2 {
        queue.leave(&requester(1, "a"), 1);
    }
    assert_eq!(queue.idle, 1);
    assert_eq!(order(&mut queue), [(2, "a")]);
}
