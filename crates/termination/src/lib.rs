//! Loops that never end, and loops that do: a theory beside the usual ones (after chapter 6 of the TNT paper).
//!
//! At heads of loops and in recursive calls, what the next rounds do is found out by running them aside with symbols for the state
//! ([`relation`]). A set of states that they never leave is proved by the solver ([`proof`]); then the run is over, with a bug. What
//! other input would give the loop such a set is left to the campaign, as a goal. Where a value falls in every round that was
//! seen, the loop is said to end ([`ranking`]). [`account`] is what is known of all loops in the end. [`recursion`] is what calls need beyond
//! that.
//!
//! *Invariant:* whatever a loop is said to do has been proved for the machine's arithmetic, by two solvers if it is that it never
//! ends. Guesses only say what to try.
//!
//! Left out: loops whose rounds call library functions, allocate, or access volatile memory; sets with alternatives; numbers
//! without bounds.
#![forbid(unsafe_code)]

mod account;
mod names;
mod observed;
mod proof;
mod ranking;
mod recursion;
mod relation;
mod theory;
mod words;

pub use account::{Account, LoopFate};
pub use names::Names;

use spelunk_concolic::theories::{Maker, Theory};
use std::sync::{Arc, Mutex};

/// Makes the theory for each worker, and keeps what all have found out.
#[derive(Debug, Default)]
pub struct Termination {
    names: Arc<Names>,
    account: Arc<Mutex<Account>>,
}

impl Termination {
    pub fn new(names: Names) -> Self {
        Self { names: Arc::new(names), account: Arc::default() }
    }

    /// What is known of the loops so far.
    pub fn account(&self) -> Account {
        self.account.lock().expect("nothing panics in here").clone()
    }
}

impl Maker for Termination {
    fn name(&self) -> &'static str {
        "termination"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::new(theory::Loops::new(Arc::clone(&self.names), Arc::clone(&self.account)))
    }
}
