use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::domain::Fingerprint;

/// Client and one of its lanes (queues within the client), for which work waits in the fair queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requester {
    pub(crate) client: Fingerprint,
    /// Lane of the client: the name of one of its game servers, or the path of a request.
    pub(crate) lane: Arc<str>,
}

impl Requester {
    pub(crate) fn new(client: Fingerprint, lane: &str) -> Self {
        Self {
            client,
            lane: lane.into(),
        }
    }
}

/// Limits of a fair queue: maximum numbers of waiting and begun pieces of work, in all and of one client or lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    /// Maximum number of pieces of work that have a place (a processor or connection) at the same time.
    pub(crate) places: usize,
    pub(crate) waiting: usize,
    /// Maximum number of pieces of work that have begun and not ended, including those that have yielded their place.
    pub(crate) begun: usize,
    pub(crate) begun_of_client: usize,
    pub(crate) begun_of_lane: usize,
}

/// Fair queue: places go to clients in turn, within a client to its lanes in turn, and within a lane first come,
/// first served.
///
/// Work that has begun and yielded comes before other work of its lane. If too many wait, the client with the most
/// waiting work loses the newest piece from its fullest lane. Excess requests are thus at the client's own expense.
#[derive(Debug)]
pub(crate) struct FairQueue<Wake> {
    limits: QueueLimits,
    idle: usize,
    entered: u64,
    begun: HashMap<u64, Begun>,
    /// Clients with waiting or begun work; the first one has the next turn.
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
    lanes: VecDeque<OfLane<Wake>>,
}

#[derive(Debug)]
struct OfLane<Wake> {
    lane: Arc<str>,
    /// Pieces of work that wait in this lane (queue) of a client; those that have begun and yielded come first.
    queue: VecDeque<Waiting<Wake>>,
}

#[derive(Debug)]
struct Waiting<Wake> {
    number: u64,
    has_begun: bool,
    wake: Wake,
}

impl<Wake> FairQueue<Wake> {
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self {
            idle: limits.places,
            limits,
            entered: 0,
            begun: HashMap::new(),
            clients: VecDeque::new(),
        }
    }

    /// Adds a piece of work to the end of its lane (a queue of its client), and returns its number. If the queue is
    /// full, one piece of work is evicted and its waker is dropped.
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

    /// Gives an idle place (a processor or connection) to the next piece of work, and returns the waker of the work.
    pub(crate) fn next(&mut self) -> Option<Wake> {
        if self.idle == 0 {
            return None;
        }
        let (client, lane) = self.find_next()?;
        let mut of_client = self.clients.remove(client)?;
        let mut of_lane = of_client.lanes.remove(lane)?;
        let next = of_lane.queue.pop_front()?;
        let begun = Begun {
            has_place: true,
            requester: Requester {
                client: of_client.client,
                lane: of_lane.lane.clone(),
            },
        };
        self.begun.insert(next.number, begun);
        self.idle -= 1;
        of_client.begun += usize::from(!next.has_begun);
        if !of_lane.queue.is_empty() {
            of_client.lanes.push_back(of_lane);
        }
        self.clients.push_back(of_client);
        Some(next.wake)
    }

    /// Returns the indices of the client and of its lane that are next in the fair queue.
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

    fn has_room_for(&self, client: Fingerprint, lane: &Arc<str>) -> bool {
        let of_lane = self
            .begun
            .values()
            .filter(|begun| begun.requester.client == client && begun.requester.lane == *lane);
        of_lane.count() < self.limits.begun_of_lane
    }

    /// Returns `true` if some queued work could use a place, such as a processor, now.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.find_next().is_some()
    }

    /// Frees the place, such as a processor or connection, that begun work holds.
    pub(crate) fn release(&mut self, number: u64) {
        if let Some(begun) = self.begun.get_mut(&number) {
            self.idle += usize::from(begun.has_place);
            begun.has_place = false;
        }
    }

    /// Puts begun work at the head of its lane (a queue of its client). Its client and its lane move behind the others,
    /// because they have just had a turn.
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

    /// Removes a piece of work, queued or begun, from the fair queue. Does nothing if the work has already left.
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
        let Requester { client, lane } = requester;
        let new = OfClient {
            client: *client,
            begun: 0,
            lanes: VecDeque::new(),
        };
        let of_client = find_or_add(&mut self.clients, |one| one.client == *client, new);
        let new = OfLane {
            lane: lane.clone(),
            queue: VecDeque::new(),
        };
        let of_lane = find_or_add(&mut of_client.lanes, |one| one.lane == *lane, new);
        &mut of_lane.queue
    }
}

impl<Wake> OfClient<Wake> {
    fn waiting(&self) -> usize {
        self.lanes.iter().map(OfLane::waiting).sum()
    }
}

impl<Wake> OfLane<Wake> {
    fn waiting(&self) -> usize {
        self.queue.iter().filter(|one| !one.has_begun).count()
    }
}

fn find_or_add<T>(all: &mut VecDeque<T>, is_wanted: impl Fn(&T) -> bool, new: T) -> &mut T {
    let place = all.iter().position(is_wanted).unwrap_or(all.len());
    if place == all.len() {
        all.push_back(new);
    }
    &mut all[place]
}

fn move_behind<T>(all: &mut VecDeque<T>, is_wanted: impl Fn(&T) -> bool) -> Option<&mut T> {
    let one = all.remove(all.iter().position(is_wanted)?)?;
    all.push_back(one);
    all.back_mut()
}

#[cfg(test)]
mod tests;
