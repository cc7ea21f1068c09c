use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::domain::Fingerprint;

/// A client that asks for a turn, and for which of its queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requester {
    /// The client, known by its secret.
    pub(crate) client: Fingerprint,
    /// One of the client's queues: the name of one of its servers, or the path of a request.
    pub(crate) lane: Arc<str>,
}

impl Requester {
    /// The client in one of its lanes.
    pub(crate) fn new(client: Fingerprint, lane: &str) -> Self {
        Self {
            client,
            lane: lane.into(),
        }
    }
}

/// Maximum numbers of pieces of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    /// Pieces that have a place at the same time.
    pub(crate) places: usize,
    /// Pieces that wait to begin.
    pub(crate) waiting: usize,
    /// Pieces that have begun and not ended, whether they have a place or wait to go on.
    pub(crate) begun: usize,
    /// Begun pieces of one client.
    pub(crate) begun_of_client: usize,
    /// Begun pieces of one lane of a client.
    pub(crate) begun_of_lane: usize,
}

/// Fair queueing: the places go to the clients in turn, of each to its lanes in turn, and of each of
/// these to whoever came first.
///
/// Whoever has begun and made way comes before the others of its lane. Where more wait than there is
/// room for, the newest of the lane that has the most waiting leaves, among those of the client that has
/// the most waiting. So what a client asks for beyond its share is at its own expense.
#[derive(Debug)]
pub(crate) struct FairQueue<Wake> {
    limits: QueueLimits,
    idle: usize,
    /// How many have come so far.
    entered: u64,
    /// Those who have begun, by number.
    begun: HashMap<u64, Begun>,
    /// The clients with anybody here; the next turn is the first one's.
    clients: VecDeque<OfClient<Wake>>,
}

#[derive(Debug)]
struct Begun {
    has_place: bool,
    requester: Requester,
}

#[derive(Debug)]
struct OfClient<Wake> {
    client: Fingerprint,
    begun: usize,
    /// The lanes with anybody in the queue.
    lanes: VecDeque<OfLane<Wake>>,
}

#[derive(Debug)]
struct OfLane<Wake> {
    lane: Arc<str>,
    /// Those who have begun first.
    queue: VecDeque<Waiting<Wake>>,
}

#[derive(Debug)]
struct Waiting<Wake> {
    number: u64,
    has_begun: bool,
    wake: Wake,
}

impl<Wake> FairQueue<Wake> {
    /// A queue within these bounds, with nobody in it.
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self {
            idle: limits.places,
            limits,
            entered: 0,
            begun: HashMap::new(),
            clients: VecDeque::new(),
        }
    }

    /// Puts a piece of work at the end of its lane's queue, and answers its number. Where that is one too
    /// many, somebody's `Wake` is dropped.
    pub(crate) fn enter(&mut self, requester: &Requester, wake: Wake) -> u64 {
        self.entered += 1;
        let number = self.entered;
        self.queue_of(requester).push_back(Waiting {
            number,
            has_begun: false,
            wake,
        });
        let waiting: usize = self.clients.iter().map(OfClient::waiting).sum();
        if waiting > self.limits.waiting {
            let fullest = self.clients.iter_mut().max_by_key(|one| one.waiting());
            let lanes = fullest.into_iter().flat_map(|one| &mut one.lanes);
            if let Some(fullest) = lanes.max_by_key(|one| one.waiting()) {
                fullest.queue.pop_back();
            }
            self.forget_absent();
        }
        number
    }

    /// Gives a place that is idle to whoever is next, and answers how to wake it.
    pub(crate) fn next(&mut self) -> Option<Wake> {
        if self.idle == 0 {
            return None;
        }
        let (client, lane) = self.find_next()?;
        let mut of_client = self.clients.remove(client)?;
        let mut of_lane = of_client.lanes.remove(lane)?;
        let next = of_lane.queue.pop_front();
        let lane_name = of_lane.lane.clone();
        if !of_lane.queue.is_empty() {
            of_client.lanes.push_back(of_lane);
        }
        let next = next.inspect(|next| {
            self.idle -= 1;
            of_client.begun += usize::from(!next.has_begun);
            let (client, lane) = (of_client.client, lane_name);
            let requester = Requester { client, lane };
            let begun = Begun {
                has_place: true,
                requester,
            };
            self.begun.insert(next.number, begun);
        });
        self.clients.push_back(of_client);
        next.map(|next| next.wake)
    }

    /// The client and its lane whose turn is next, by their places.
    fn find_next(&self) -> Option<(usize, usize)> {
        let has_room = self.begun.len() < self.limits.begun;
        let mut clients = self.clients.iter().enumerate();
        clients.find_map(|(place, one)| {
            let may_begin = has_room && one.begun < self.limits.begun_of_client;
            let is_next = |lane: &OfLane<Wake>| {
                let first = lane.queue.front();
                let may_begin = || may_begin && self.has_room_for(one.client, &lane.lane);
                first.is_some_and(|first| first.has_begun || may_begin())
            };
            Some((place, one.lanes.iter().position(is_next)?))
        })
    }

    /// Whether one more of this lane may begin.
    fn has_room_for(&self, client: Fingerprint, lane: &Arc<str>) -> bool {
        let of_lane = self
            .begun
            .values()
            .filter(|begun| begun.requester.client == client && begun.requester.lane == *lane);
        of_lane.count() < self.limits.begun_of_lane
    }

    /// Whether somebody waits who may have a place.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.find_next().is_some()
    }

    /// Takes the place of somebody who has begun back.
    pub(crate) fn release(&mut self, number: u64) {
        if let Some(begun) = self.begun.get_mut(&number) {
            self.idle += usize::from(begun.has_place);
            begun.has_place = false;
        }
    }

    /// Puts somebody who has begun at the head of its lane's queue, behind all other clients and lanes:
    /// it has just had a turn.
    pub(crate) fn come_back(&mut self, requester: &Requester, number: u64, wake: Wake) {
        self.release(number);
        self.queue_of(requester).push_front(Waiting {
            number,
            has_begun: true,
            wake,
        });
        let client = move_behind(&mut self.clients, |one| one.client == requester.client);
        if let Some(client) = client {
            move_behind(&mut client.lanes, |one| one.lane == requester.lane);
        }
    }

    /// Somebody leaves for good, from wherever it is; whoever has left already is passed over.
    pub(crate) fn leave(&mut self, requester: &Requester, number: u64) {
        self.release(number);
        let has_begun = self.begun.remove(&number).is_some();
        let mut clients = self.clients.iter_mut();
        if let Some(one) = clients.find(|one| one.client == requester.client) {
            one.begun -= usize::from(has_begun);
            for lane in &mut one.lanes {
                lane.queue.retain(|waiting| waiting.number != number);
            }
        }
        self.forget_absent();
    }

    fn forget_absent(&mut self) {
        for one in &mut self.clients {
            one.lanes.retain(|lane| !lane.queue.is_empty());
        }
        let is_here = |one: &OfClient<Wake>| one.begun > 0 || !one.lanes.is_empty();
        self.clients.retain(is_here);
    }

    fn queue_of(&mut self, requester: &Requester) -> &mut VecDeque<Waiting<Wake>> {
        let clients = &mut self.clients;
        let client = find_or_add(
            clients,
            |one| one.client == requester.client,
            || OfClient {
                client: requester.client,
                begun: 0,
                lanes: VecDeque::new(),
            },
        );
        let lane = find_or_add(
            &mut client.lanes,
            |one| one.lane == requester.lane,
            || OfLane {
                lane: requester.lane.clone(),
                queue: VecDeque::new(),
            },
        );
        &mut lane.queue
    }
}

impl<Wake> OfClient<Wake> {
    /// How many wait to begin.
    fn waiting(&self) -> usize {
        self.lanes.iter().map(OfLane::waiting).sum()
    }
}

impl<Wake> OfLane<Wake> {
    fn waiting(&self) -> usize {
        self.queue.iter().filter(|one| !one.has_begun).count()
    }
}

/// The first that is wanted, or a new one behind all others.
fn find_or_add<T>(
    all: &mut VecDeque<T>,
    is_wanted: impl Fn(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let place = all.iter().position(is_wanted).unwrap_or(all.len());
    if place == all.len() {
        all.push_back(new());
    }
    &mut all[place]
}

/// Moves the first that is wanted behind all others.
fn move_behind<T>(all: &mut VecDeque<T>, is_wanted: impl Fn(&T) -> bool) -> Option<&mut T> {
    let one = all.remove(all.iter().position(is_wanted)?)?;
    all.push_back(one);
    all.back_mut()
}

#[cfg(test)]
mod tests;
