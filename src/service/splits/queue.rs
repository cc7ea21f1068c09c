use std::collections::{HashMap, VecDeque};

use crate::domain::{Fingerprint, ServerName};

/// Who asks for splits: a client, known by its secret, and for which of its servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    pub(crate) client: Fingerprint,
    pub(crate) server: ServerName,
}

/// How many computations there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// At the same time.
    pub(crate) places: usize,
    /// That wait to begin.
    pub(crate) waiting: usize,
    /// That have begun and not ended, whether they have a place or wait to go on.
    pub(crate) begun: usize,
    /// Of these, of one client.
    pub(crate) begun_of_client: usize,
}

/// Fair queueing: the places go to the clients in turn, of each to its servers in turn, and of each of
/// these to whoever came first.
///
/// Whoever has begun and made way comes before the others of its server. Where more wait than there is
/// room for, the newest of the server that has the most waiting leaves, among those of the client that has
/// the most waiting. So what a client asks for beyond its share is at its own expense.
#[derive(Debug)]
pub(crate) struct Fair<Wake> {
    caps: Caps,
    idle: usize,
    /// How many have come so far.
    entered: u64,
    /// By number: whether those who have begun have a place.
    begun: HashMap<u64, bool>,
    /// The clients with anybody here; the next turn is the first one's.
    clients: VecDeque<OfClient<Wake>>,
}

#[derive(Debug)]
struct OfClient<Wake> {
    client: Fingerprint,
    begun: usize,
    /// The servers with anybody in the queue.
    servers: VecDeque<OfServer<Wake>>,
}

#[derive(Debug)]
struct OfServer<Wake> {
    server: ServerName,
    /// Those who have begun first.
    queue: VecDeque<Waiting<Wake>>,
}

#[derive(Debug)]
struct Waiting<Wake> {
    number: u64,
    has_begun: bool,
    wake: Wake,
}

impl<Wake> Fair<Wake> {
    /// A queue within these bounds, with nobody in it.
    pub(crate) fn new(caps: Caps) -> Self {
        Self {
            idle: caps.places,
            caps,
            entered: 0,
            begun: HashMap::new(),
            clients: VecDeque::new(),
        }
    }

    /// Puts a computation at the end of its server's queue, and answers its number. Where that is one too
    /// many, somebody's `Wake` is dropped.
    pub(crate) fn enter(&mut self, asker: &Asker, wake: Wake) -> u64 {
        self.entered += 1;
        let number = self.entered;
        self.queue_of(asker).push_back(Waiting {
            number,
            has_begun: false,
            wake,
        });
        let waiting: usize = self.clients.iter().map(OfClient::waiting).sum();
        if waiting > self.caps.waiting {
            let fullest = self.clients.iter_mut().max_by_key(|one| one.waiting());
            let servers = fullest.into_iter().flat_map(|one| &mut one.servers);
            if let Some(fullest) = servers.max_by_key(|one| one.waiting()) {
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
        let (client, server) = self.find_next()?;
        let mut of_client = self.clients.remove(client)?;
        let mut of_server = of_client.servers.remove(server)?;
        let next = of_server.queue.pop_front();
        if !of_server.queue.is_empty() {
            of_client.servers.push_back(of_server);
        }
        let next = next.inspect(|next| {
            self.idle -= 1;
            of_client.begun += usize::from(!next.has_begun);
            self.begun.insert(next.number, true);
        });
        self.clients.push_back(of_client);
        next.map(|next| next.wake)
    }

    /// The client and its server whose turn is next, by their places.
    fn find_next(&self) -> Option<(usize, usize)> {
        let has_room = self.begun.len() < self.caps.begun;
        let mut clients = self.clients.iter().enumerate();
        clients.find_map(|(place, one)| {
            let may_begin = has_room && one.begun < self.caps.begun_of_client;
            let is_next = |server: &OfServer<Wake>| {
                let first = server.queue.front();
                first.is_some_and(|first| first.has_begun || may_begin)
            };
            Some((place, one.servers.iter().position(is_next)?))
        })
    }

    /// Whether somebody waits who may have a place.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.find_next().is_some()
    }

    /// Takes the place of somebody who has begun back.
    pub(crate) fn release(&mut self, number: u64) {
        if let Some(has_place) = self.begun.get_mut(&number) {
            self.idle += usize::from(*has_place);
            *has_place = false;
        }
    }

    /// Puts somebody who has begun at the head of its server's queue, behind all other clients and servers:
    /// it has just had a turn.
    pub(crate) fn come_back(&mut self, asker: &Asker, number: u64, wake: Wake) {
        self.release(number);
        self.queue_of(asker).push_front(Waiting {
            number,
            has_begun: true,
            wake,
        });
        let client = move_behind(&mut self.clients, |one| one.client == asker.client);
        if let Some(client) = client {
            move_behind(&mut client.servers, |one| one.server == asker.server);
        }
    }

    /// Somebody leaves for good, from wherever it is; whoever has left already is passed over.
    pub(crate) fn leave(&mut self, asker: &Asker, number: u64) {
        self.release(number);
        let has_begun = self.begun.remove(&number).is_some();
        let mut clients = self.clients.iter_mut();
        if let Some(one) = clients.find(|one| one.client == asker.client) {
            one.begun -= usize::from(has_begun);
            for server in &mut one.servers {
                server.queue.retain(|waiting| waiting.number != number);
            }
        }
        self.forget_absent();
    }

    fn forget_absent(&mut self) {
        for one in &mut self.clients {
            one.servers.retain(|server| !server.queue.is_empty());
        }
        let is_here = |one: &OfClient<Wake>| one.begun > 0 || !one.servers.is_empty();
        self.clients.retain(is_here);
    }

    fn queue_of(&mut self, asker: &Asker) -> &mut VecDeque<Waiting<Wake>> {
        let clients = &mut self.clients;
        let client = find_or_add(
            clients,
            |one| one.client == asker.client,
            || OfClient {
                client: asker.client,
                begun: 0,
                servers: VecDeque::new(),
            },
        );
        let server = find_or_add(
            &mut client.servers,
            |one| one.server == asker.server,
            || OfServer {
                server: asker.server.clone(),
                queue: VecDeque::new(),
            },
        );
        &mut server.queue
    }
}

impl<Wake> OfClient<Wake> {
    /// How many wait to begin.
    fn waiting(&self) -> usize {
        self.servers.iter().map(OfServer::waiting).sum()
    }
}

impl<Wake> OfServer<Wake> {
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
mod tests {
    use super::*;

    const CAPS: Caps = Caps {
        places: 1,
        waiting: 6,
        begun: 4,
        begun_of_client: 2,
    };

    fn asker(client: u8, server: &str) -> Asker {
        Asker {
            client: Fingerprint::new([client; 4]),
            server: server.parse().unwrap(),
        }
    }

    /// A queue in which these wait, each woken by its client and server.
    fn queue(caps: Caps, askers: &[(u8, &'static str)]) -> Fair<(u8, &'static str)> {
        let mut queue = Fair::new(caps);
        for one in askers {
            queue.enter(&asker(one.0, one.1), *one);
        }
        queue
    }

    /// Gives out every turn, each to its end.
    fn order(queue: &mut Fair<(u8, &'static str)>) -> Vec<(u8, &'static str)> {
        let mut order = Vec::new();
        while let Some(one) = queue.next() {
            order.push(one);
            let number = *queue.begun.keys().next().unwrap();
            queue.leave(&asker(one.0, one.1), number);
        }
        assert_eq!(queue.idle, queue.caps.places);
        assert!(queue.clients.is_empty() && queue.begun.is_empty());
        order
    }

    #[test]
    fn clients_take_turns_and_within_each_its_servers() {
        let all = [(1, "a"), (1, "a"), (1, "b"), (1, "a"), (2, "a"), (3, "c")];
        assert_eq!(
            order(&mut queue(CAPS, &all)),
            [(1, "a"), (2, "a"), (3, "c"), (1, "b"), (1, "a"), (1, "a")]
        );
    }

    #[test]
    fn of_too_many_the_newest_of_the_fullest_leave() {
        // Whoever comes first to a full queue has room at the expense of who fills it.
        let all = [
            (1, "a"),
            (1, "b"),
            (1, "a"),
            (1, "a"),
            (1, "a"),
            (1, "c"),
            (2, "a"),
        ];
        let mut full = queue(CAPS, &all);
        let askers = |client| {
            full.clients
                .iter()
                .find(|one| one.client == asker(client, "a").client)
                .unwrap()
        };
        assert_eq!((askers(1).waiting(), askers(2).waiting()), (5, 1));
        assert_eq!(
            order(&mut full),
            [(1, "a"), (2, "a"), (1, "b"), (1, "c"), (1, "a"), (1, "a")]
        );
        // Alone, a client has all of the room, and no more.
        assert_eq!(order(&mut queue(CAPS, &[(1, "a"); 9])).len(), CAPS.waiting);
        let none = Caps {
            waiting: 0,
            places: 0,
            ..CAPS
        };
        assert_eq!(queue(none, &[(1, "a")]).clients.len(), 0);
    }

    #[test]
    fn who_makes_way_goes_on_after_one_turn_of_each_other_and_before_its_own_server() {
        let mut queue = queue(CAPS, &[(1, "a"), (1, "a"), (2, "a"), (3, "a")]);
        let mut turns = Vec::new();
        // The one of client 1 makes way again and again.
        assert_eq!(queue.next(), Some((1, "a")));
        for _ in 0..4 {
            assert!(queue.is_waited_for());
            queue.come_back(&asker(1, "a"), 1, (1, "again"));
            while let Some(one) = queue.next() {
                turns.push(one);
                if one == (1, "again") {
                    break;
                }
                let number = if one.0 == 2 { 3 } else { 4 };
                queue.leave(&asker(one.0, one.1), number);
            }
        }
        let again = (1, "again");
        assert_eq!(turns, [(2, "a"), (3, "a"), again, again, again, again]);
        queue.leave(&asker(1, "a"), 1);
        assert_eq!(order(&mut queue), [(1, "a")]);
    }

    #[test]
    fn who_comes_during_a_turn_is_served_before_it_goes_on() {
        let mut queue = queue(CAPS, &[(1, "a")]);
        assert_eq!(queue.next(), Some((1, "a")));
        for late in [(2, "a"), (1, "b")] {
            queue.enter(&asker(late.0, late.1), late);
            queue.come_back(&asker(1, "a"), 1, (1, "again"));
            assert_eq!(queue.next(), Some(late));
            let number = queue.entered;
            queue.leave(&asker(late.0, late.1), number);
            assert_eq!(queue.next(), Some((1, "again")));
        }
    }

    #[test]
    fn a_client_begins_only_so_many_and_leaves_room_for_others() {
        let mut queue = queue(
            CAPS,
            &[(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "b"), (3, "a")],
        );
        // Each is away as soon as it has begun.
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
        // One that ends makes room for another client's, because this one has begun as many as it may.
        queue.leave(&asker(3, "a"), 6);
        assert_eq!(queue.next(), Some((2, "b")));
        queue.leave(&asker(2, "b"), 5);
        assert!(!queue.is_waited_for());
        queue.leave(&asker(1, "b"), 2);
        assert_eq!(queue.next(), Some((1, "c")));
    }

    #[test]
    fn who_leaves_twice_or_while_waiting_gives_back_no_more_than_it_had() {
        let mut queue = queue(CAPS, &[(1, "a"), (2, "a"), (2, "a")]);
        assert_eq!(queue.next(), Some((1, "a")));
        queue.leave(&asker(2, "a"), 2);
        for _ in 0..2 {
            queue.leave(&asker(1, "a"), 1);
        }
        assert_eq!(queue.idle, 1);
        assert_eq!(order(&mut queue), [(2, "a")]);
    }
}
