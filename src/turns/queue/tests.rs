use super::*;

const LIMITS: QueueLimits = QueueLimits {
    places: 1,
    waiting: 6,
    begun: 4,
    begun_of_client: 2,
    begun_of_lane: 2,
};

/// Returns the requester that a text such as `1a` means: client 1, lane a.
fn requester(text: &str) -> Requester {
    let (client, lane) = text.split_at(1);
    Requester::new(Fingerprint::new([client.parse().unwrap(); 4]), lane)
}

/// Creates a fair queue in which one piece of work waits for each of the `requesters`. Their texts identify the work.
fn queue(limits: QueueLimits, requesters: &'static str) -> FairQueue<&'static str> {
    let mut queue = FairQueue::new(limits);
    for one in requesters.split(' ') {
        queue.enter(&requester(one), one);
    }
    queue
}

/// Runs all work in `queue`, one piece after the other, and returns the requesters in the order of their turns.
fn order(mut queue: FairQueue<&'static str>) -> String {
    let mut order = Vec::new();
    while let Some(one) = queue.next() {
        order.push(one);
        let number = *queue.begun.keys().next().unwrap();
        queue.leave(&requester(one), number);
    }
    assert_eq!(queue.idle, queue.limits.places);
    assert!(queue.clients.is_empty() && queue.begun.is_empty());
    order.join(" ")
}

#[test]
fn clients_take_turns_and_within_each_its_lanes() {
    let all = queue(LIMITS, "1a 1a 1b 1a 2a 3c");
    assert_eq!(order(all), "1a 2a 3c 1b 1a 1a");
}

#[test]
fn of_too_many_the_newest_of_the_fullest_leave() {
    // The first work of another client has room at the expense of the client that fills the queue.
    let full = queue(LIMITS, "1a 1b 1a 1a 1a 1c 2a");
    let waiting: Vec<usize> = full.clients.iter().map(OfClient::waiting).collect();
    assert_eq!(waiting, [5, 1]);
    assert_eq!(order(full), "1a 2a 1b 1c 1a 1a");
    // A client alone may fill the whole queue, but no more.
    let alone = queue(LIMITS, "1a 1a 1a 1a 1a 1a 1a 1a 1a");
    assert_eq!(order(alone).split(' ').count(), LIMITS.waiting);
    let none = QueueLimits {
        waiting: 0,
        places: 0,
        ..LIMITS
    };
    assert_eq!(queue(none, "1a").clients.len(), 0);
}

#[test]
fn who_makes_way_goes_on_after_one_turn_of_each_other_and_before_its_own_lane() {
    let mut queue = queue(LIMITS, "1a 1a 2a 3a");
    let mut turns = Vec::new();
    // The work of client 1 yields repeatedly.
    assert_eq!(queue.next(), Some("1a"));
    for _ in 0..4 {
        assert!(queue.is_waited_for());
        queue.come_back(&requester("1a"), 1, "again");
        while let Some(one) = queue.next() {
            turns.push(one);
            if one == "again" {
                break;
            }
            let number = if one == "2a" { 3 } else { 4 };
            queue.leave(&requester(one), number);
        }
    }
    assert_eq!(turns, ["2a", "3a", "again", "again", "again", "again"]);
    queue.leave(&requester("1a"), 1);
    assert_eq!(order(queue), "1a");
}

#[test]
fn who_comes_during_a_turn_is_served_before_it_goes_on() {
    let mut queue = queue(LIMITS, "1a");
    assert_eq!(queue.next(), Some("1a"));
    for late in ["2a", "1b"] {
        queue.enter(&requester(late), late);
        queue.come_back(&requester("1a"), 1, "again");
        assert_eq!(queue.next(), Some(late));
        let number = queue.entered;
        queue.leave(&requester(late), number);
        assert_eq!(queue.next(), Some("again"));
    }
}

#[test]
fn a_client_begins_only_so_many_and_leaves_room_for_others() {
    let mut queue = queue(LIMITS, "1a 1b 1c 2a 2b 3a");
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
    assert_eq!(begun, ["1a", "2a", "3a", "1b"]);
    // An ending piece makes room for another client, because client 1 has reached its maximum.
    queue.leave(&requester("3a"), 6);
    assert_eq!(queue.next(), Some("2b"));
    queue.leave(&requester("2b"), 5);
    assert!(!queue.is_waited_for());
    queue.leave(&requester("1b"), 2);
    assert_eq!(queue.next(), Some("1c"));
}

#[test]
fn one_lane_leaves_room_for_the_others_of_its_client() {
    let limits = QueueLimits {
        begun_of_lane: 1,
        ..LIMITS
    };
    let mut queue = queue(limits, "1a 1a 1b");
    for (number, expected) in [(1, "1a"), (3, "1b")] {
        assert_eq!(queue.next(), Some(expected));
        queue.release(number);
    }
    assert_eq!(queue.next(), None);
    queue.leave(&requester("1a"), 1);
    assert_eq!(queue.next(), Some("1a"));
}

#[test]
fn who_leaves_twice_or_while_waiting_gives_back_no_more_than_it_had() {
    let mut queue = queue(LIMITS, "1a 2a 2a");
    assert_eq!(queue.next(), Some("1a"));
    queue.leave(&requester("2a"), 2);
    for _ in 0..2 {
        queue.leave(&requester("1a"), 1);
    }
    assert_eq!(queue.idle, 1);
    assert_eq!(order(queue), "2a");
}
