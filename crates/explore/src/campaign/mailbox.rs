//! What workers tell, on its way to the observer.
//!
//! Programs may have a hundred thousand paths a second, and to wake a thread takes longer than to run one. So the observer
//! is woken for many events at once; what there are less of, it finds when it looks, every few milliseconds.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use spelunk_concolic::Run;
use spelunk_concolic::marks::Marks;
use spelunk_solver::LayerStats;

use crate::explorer::{Counters, News};
use crate::ledger::Ledger;
use crate::partition::PartitionReport;
use crate::spent::{Cost, Spent};

pub enum Event {
    /// A path that was not met before, or an outcome on one, the number of the seed that took it, and what it took.
    Path {
        run: Box<Run>,
        news: News,
        seed: Option<usize>,
        cost: Cost,
    },
    /// What a worker has reached so far.
    Reached(Box<Marks>),
    Done(Box<Report>),
}

impl Event {
    fn weight(&self) -> usize {
        match self {
            Self::Path { run, .. } => 1 + run.path.len() / DECISIONS_OF_WEIGHT,
            Self::Reached(_) | Self::Done(_) => 1,
        }
    }
}

/// A worker's account at its end.
pub struct Report {
    pub counters: Counters,
    pub ledger: Ledger,
    pub spent: Spent,
    pub marks: Marks,
    pub solver: Vec<LayerStats>,
    pub partition: Option<PartitionReport>,
}

impl Report {
    /// Of a worker that has reached nothing.
    pub fn new(marks: Marks) -> Self {
        Self {
            counters: Counters::default(),
            ledger: Ledger::default(),
            spent: Spent::default(),
            marks,
            solver: Vec::new(),
            partition: None,
        }
    }
}

/// How much may wait for the observer before workers do. When a campaign ends, all of it is still to be written.
const MAX_WEIGHT: usize = 1024;

/// Decisions that weigh as much as a path does without them.
const DECISIONS_OF_WEIGHT: usize = 32;

/// As much is worth waking the observer.
const MUCH_WEIGHT: usize = 256;

/// How long an event may wait to be seen.
const MAX_DELAY: Duration = Duration::from_millis(10);

#[derive(Default)]
pub struct Mailbox {
    state: Mutex<State>,
    /// There are many events, or no senders any more.
    is_worth_a_look: Condvar,
    has_room: Condvar,
}

#[derive(Default)]
struct State {
    events: Vec<Event>,
    weight: usize,
    n_senders: usize,
    is_closed: bool,
}

impl State {
    fn is_worth_a_look(&self) -> bool {
        self.weight >= MUCH_WEIGHT
    }
}

/// Nobody will look any more.
pub struct IsClosed;

pub struct Sender {
    mailbox: Arc<Mailbox>,
}

/// The observer's end.
pub struct Receiver {
    mailbox: Arc<Mailbox>,
}

impl Mailbox {
    pub fn sender(self: &Arc<Self>) -> Sender {
        self.lock().n_senders += 1;
        Sender { mailbox: Arc::clone(self) }
    }

    pub fn receiver(self: &Arc<Self>) -> Receiver {
        Receiver { mailbox: Arc::clone(self) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics in here")
    }
}

impl Sender {
    pub fn send(&self, event: Event) -> Result<(), IsClosed> {
        let has_to_wait = |state: &mut State| state.weight >= MAX_WEIGHT && !state.is_closed;
        let state = self.mailbox.lock();
        let mut state = self.mailbox.has_room.wait_while(state, has_to_wait).expect("nothing panics in here");
        if state.is_closed {
            return Err(IsClosed);
        }
        let was_worth_a_look = state.is_worth_a_look();
        state.weight += event.weight();
        state.events.push(event);
        if state.is_worth_a_look() && !was_worth_a_look {
            self.mailbox.is_worth_a_look.notify_one();
        }
        Ok(())
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.mailbox.lock().n_senders -= 1;
        self.mailbox.is_worth_a_look.notify_one();
    }
}

impl Receiver {
    /// Takes what there is, after a short wait. Says whether more may come.
    pub fn receive(&self, events: &mut Vec<Event>) -> bool {
        let is_little = |state: &mut State| !state.is_worth_a_look() && state.n_senders > 0;
        let state = self.mailbox.lock();
        let waited = self.mailbox.is_worth_a_look.wait_timeout_while(state, MAX_DELAY, is_little);
        let (mut state, _) = waited.expect("nothing panics in here");
        events.clear();
        std::mem::swap(events, &mut state.events);
        state.weight = 0;
        self.mailbox.has_room.notify_all();
        state.n_senders > 0
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.mailbox.lock().is_closed = true;
        self.mailbox.has_room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn event() -> Event {
        Event::Reached(Box::new(Marks::new(1)))
    }

    #[test]
    fn every_event_arrives() {
        let mailbox = Arc::new(Mailbox::default());
        let senders: Vec<Sender> = (0..3).map(|_| mailbox.sender()).collect();
        thread::scope(|scope| {
            for sender in senders {
                scope.spawn(move || (0..5000).for_each(|_| assert!(sender.send(event()).is_ok())));
            }
            let (receiver, mut events, mut n_events) = (mailbox.receiver(), Vec::new(), 0);
            while receiver.receive(&mut events) {
                n_events += events.len();
            }
            assert_eq!(n_events + events.len(), 15000);
        });
    }

    #[test]
    fn senders_do_not_wait_for_nobody() {
        let mailbox = Arc::new(Mailbox::default());
        let sender = mailbox.sender();
        drop(mailbox.receiver());
        assert!((0..2 * MAX_WEIGHT).all(|_| sender.send(event()).is_err()));
    }
}
