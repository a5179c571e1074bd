//! A limited number of places for connections. A new connection always gets one: when there is none left, the
//! connection that has done nothing useful for the longest time loses its own. The owner of a connection says
//! what was useful ([`Place::is_useful`]) and closes the connection that lost its place ([`Place::evicted`]).

use engine::sync::lock;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use tokio::sync::oneshot;

/// The most connections at a time, from one address and in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceLimits {
    pub per_address: usize,
    pub all: usize,
}

/// A place that a connection has.
#[derive(Debug)]
struct Taken {
    address: IpAddr,
    /// Whether it has asked something and waits for our answer.
    waits: bool,
    /// The time of its last useful act, as a number that grows with every act.
    active: u64,
    evict: oneshot::Sender<()>,
}

/// The places by id, and the number of the latest act; an id is the number of the act that took the place.
#[derive(Debug, Default)]
struct Inner {
    taken: BTreeMap<u64, Taken>,
    clock: u64,
}

impl Inner {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The place to be lost, among those of an address or among all. Connections that wait for no answer lose
    /// theirs first; among these, the one whose last useful act is the oldest.
    fn worst(&self, address: Option<IpAddr>) -> Option<u64> {
        let candidates = self
            .taken
            .iter()
            .filter(|(_, one)| address.is_none_or(|address| one.address == address));
        // `false` sorts before `true`: those that wait for no answer come first, the oldest of them before all.
        let worst = candidates.min_by_key(|(_, one)| (one.waits, one.active));
        worst.map(|(&id, _)| id)
    }

    /// The address with the most places.
    fn greediest(&self) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for one in self.taken.values() {
            *counts.entry(one.address).or_default() += 1;
        }
        // The address with the most places loses one, so one address cannot push out the connections of others.
        let greediest = counts.into_iter().max_by_key(|&(_, count)| count);
        greediest.map(|(address, _)| address)
    }

    /// Takes a place away and wakes its connection, which then closes.
    fn evict(&mut self, id: Option<u64>) {
        if let Some(one) = id.and_then(|id| self.taken.remove(&id)) {
            let _ = one.evict.send(());
        }
    }
}

/// The places of a server. Copies share them.
#[derive(Clone, Debug)]
pub struct Places {
    limits: PlaceLimits,
    inner: Arc<Mutex<Inner>>,
}

impl Places {
    pub fn new(limits: PlaceLimits) -> Places {
        Places {
            limits,
            inner: Arc::default(),
        }
    }

    /// A place for a new connection.
    pub fn take(&self, address: IpAddr) -> Place {
        let mut inner = lock(&self.inner);
        let own = inner.taken.values().filter(|one| one.address == address);
        // First the limit of this address, then the limit of all, at which the address with the most connections
        // loses one.
        if own.count() >= self.limits.per_address {
            let worst = inner.worst(Some(address));
            inner.evict(worst);
        }
        if inner.taken.len() >= self.limits.all {
            let greediest = inner.greediest();
            let worst = inner.worst(greediest);
            inner.evict(worst);
        }
        // The connection listens to this channel, and closes itself when it is evicted.
        let (evict, evicted) = oneshot::channel();
        let id = inner.tick();
        let taken = Taken {
            address,
            waits: false,
            active: id,
            evict,
        };
        inner.taken.insert(id, taken);
        Place {
            id,
            evicted,
            is_gone: false,
            inner: Arc::clone(&self.inner),
        }
    }
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub struct Place {
    id: u64,
    evicted: oneshot::Receiver<()>,
    is_gone: bool,
    inner: Arc<Mutex<Inner>>,
}

impl Place {
    /// The connection has done something useful. `waits` says whether it waits for an answer now.
    pub fn is_useful(&self, waits: bool) {
        let mut inner = lock(&self.inner);
        let active = inner.tick();
        if let Some(one) = inner.taken.get_mut(&self.id) {
            (one.active, one.waits) = (active, waits);
        }
    }

    /// Ready when the place has been given to another connection.
    pub fn poll_evicted(&mut self, context: &mut Context<'_>) -> Poll<()> {
        // A channel may not be polled again after it was ready, so that is remembered.
        self.is_gone = self.is_gone || Pin::new(&mut self.evicted).poll(context).is_ready();
        match self.is_gone {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }

    /// Waits until the place is given to another connection. May be dropped and called again.
    pub async fn evicted(&mut self) {
        std::future::poll_fn(|context| self.poll_evicted(context)).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.inner).taken.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot::error::TryRecvError;

    const LIMITS: PlaceLimits = PlaceLimits {
        per_address: 3,
        all: 5,
    };

    fn is_evicted(place: &mut Place) -> bool {
        !matches!(place.evicted.try_recv(), Err(TryRecvError::Empty))
    }

    #[test]
    fn an_address_takes_places_of_its_own() {
        let places = Places::new(LIMITS);
        let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let mut theirs = places.take(other);
        let mut own: Vec<Place> = (0..3).map(|_| places.take(one)).collect();
        own[0].is_useful(false);
        own[1].is_useful(true);
        // First the older of the connections that have not been useful goes. Later one goes that waits for no
        // answer.
        own.push(places.take(one));
        let gone: Vec<bool> = own.iter_mut().map(is_evicted).collect();
        assert_eq!(gone, [false, false, true, false]);
        own.push(places.take(one));
        own.push(places.take(one));
        let gone: Vec<bool> = own.iter_mut().map(is_evicted).collect();
        assert!(
            gone[2] && !gone[1],
            "who waits for an answer stays: {gone:?}"
        );
        assert!(!is_evicted(&mut theirs));
    }

    #[test]
    fn who_has_the_most_gives_up_one_when_all_are_taken() {
        let places = Places::new(LIMITS);
        let address = |last| IpAddr::from([10, 0, 0, last]);
        let mut few: Vec<Place> = (2..4).map(|last| places.take(address(last))).collect();
        let mut most: Vec<Place> = (0..3).map(|_| places.take(address(1))).collect();
        let mut new = places.take(address(9));
        assert!(is_evicted(&mut most[0]));
        assert!(!few.iter_mut().chain([&mut new]).any(is_evicted));
        // A place that was given up is free again.
        few.clear();
        let _others = [places.take(address(7)), places.take(address(8))];
        assert!(!most[1..].iter_mut().any(is_evicted));
    }
}
