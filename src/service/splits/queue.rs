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
    /// And of one of its servers.
    pub(crate) begun_of_server: usize,
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
    /// Those who have begun, by number.
    begun: HashMap<u64, Begun>,
    /// The clients with anybody here; the next turn is the first one's.
    clients: VecDeque<OfClient<Wake>>,
}

#[derive(Debug)]
struct Begun {
    has_place: bool,
    asker: Asker,
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
        let server_name = of_server.server.clone();
        if !of_server.queue.is_empty() {
            of_client.servers.push_back(of_server);
        }
        let next = next.inspect(|next| {
            self.idle -= 1;
            of_client.begun += usize::from(!next.has_begun);
            let (client, server) = (of_client.client, server_name);
            let asker = Asker { client, server };
            let begun = Begun {
                has_place: true,
                asker,
            };
            self.begun.insert(next.number, begun);
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
                let may_begin = || may_begin && self.has_room_for(one.client, &server.server);
                first.is_some_and(|first| first.has_begun || may_begin())
            };
            Some((place, one.servers.iter().position(is_next)?))
        })
    }

    /// Whether one more of this server may begin.
    fn has_room_for(&self, client: Fingerprint, server: &ServerName) -> bool {
        let of_server = self
            .begun
            .values()
            .filter(|begun| begun.asker.client == client && begun.asker.server == *server);
        of_server.count() < self.caps.begun_of_server
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
mod tests;
