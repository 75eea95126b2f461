//! Loops that never end, and loops that do: a theory beside the usual ones (after chapter 6 of the TNT paper).
//!
//! At heads of loops and in recursive calls, what the next rounds do is found out by running them aside with symbols for the state
//! ([`relation`]). A set of states that they never leave is proved by the solver ([`proof`]); then the run is over, with a bug. What
//! other input would give the loop such a set is left to the campaign, as a goal. Where a value falls in every round that was
//! seen, the loop is said to end ([`ranking`]). [`account`] is what is known of all loops in the end. [`recursion`] is what calls need beyond
//! that. [`ways`] has sets that are not left by any of several ways round. [`unbounded`] is for integers without bounds, on request ([`farkas`]). What native runs can test of a set is in [`condition`].
//!
//! *Invariant:* whatever a loop is said to do has been proved for the machine's arithmetic, by two solvers if it is that it never
//! ends. Guesses only say what to try. No claim relies on what becomes of a signed integer that overflows: what holds only if it wraps
//! around is told apart.
//!
//! Left out: loops whose rounds call library functions that look at more than memory, allocate, or access volatile memory; sets that are no conjunctions.
#![forbid(unsafe_code)]

mod account;
mod condition;
mod farkas;
mod linear;
mod names;
mod observed;
mod proof;
mod ranking;
mod recursion;
mod relation;
mod theory;
mod unbounded;
mod ways;
mod words;

pub use account::{Account, LoopFate, Wraps};
pub use names::Names;

use spelunk_concolic::theories::{Maker, Theory};
use std::sync::{Arc, Mutex};

/// What arithmetic sets are looked for in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    #[default]
    Machine,
    /// Also in that of integers without bounds, which is told apart.
    AlsoUnbounded,
}

/// Makes the theory for each worker, and keeps what all have found out.
#[derive(Debug, Default)]
pub struct Termination {
    names: Arc<Names>,
    integers: Integers,
    account: Arc<Mutex<Account>>,
}

impl Termination {
    pub fn new(names: Names, integers: Integers) -> Self {
        Self { names: Arc::new(names), integers, account: Arc::default() }
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
        Box::new(theory::Loops::new(Arc::clone(&self.names), self.integers, Arc::clone(&self.account)))
    }
}
