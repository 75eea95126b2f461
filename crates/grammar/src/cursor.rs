//! Templates one after another, without keeping those that were made.
//!
//! A derivation is a list of choices in the order in which a leftmost derivation makes them. The next one changes the last choice that has
//! another alternative and begins anew behind it, so that neighbours share their beginnings; any other is found by its number, from
//! the counts.

use crate::count::{Count, Counts};
use crate::model::Symbol;
use crate::symbolic::SymbolicGrammar;

/// What is left to derive: a list that grows at its front.
#[derive(Clone, Copy, Debug)]
struct Pending {
    what: What,
    /// Which of its derivations.
    rank: u64,
    /// One more than the place of the rest.
    next: u32,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Symbol(Symbol, u16),
    /// A production from a place on.
    Rest(u32, u16, u16),
}

/// A choice that could have been another.
#[derive(Clone, Copy, Debug)]
struct Choice {
    what: What,
    next: u32,
    chosen: u32,
    n_choices: u32,
    n_leaves: u32,
    n_pending: u32,
    n_steps: u32,
}

#[derive(Clone, Debug)]
pub struct Cursor<'g> {
    symbolic: &'g SymbolicGrammar,
    counts: &'g Counts,
    pending: Vec<Pending>,
    choices: Vec<Choice>,
    leaves: Vec<u32>,
    /// Productions in the order in which they were applied.
    steps: Vec<u32>,
}

impl<'g> Cursor<'g> {
    /// The template of a measure with a number; nothing if there are not so many.
    pub fn at(symbolic: &'g SymbolicGrammar, counts: &'g Counts, measure: usize, rank: u64) -> Option<Self> {
        if Count::from(rank) >= counts.of_start(symbolic, measure) {
            return None;
        }
        let mut cursor =
            Self { symbolic, counts, pending: Vec::new(), choices: Vec::new(), leaves: Vec::new(), steps: Vec::new() };
        let front = cursor.push(What::Symbol(Symbol::Rule(symbolic.rules.start), measure as u16), rank, 0);
        cursor.derive(front);
        Some(cursor)
    }

    /// Its leaves, by number.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// The productions of its derivation, leftmost first, by number in `SymbolicGrammar::rules`.
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Goes to the next template of the same measure. Says whether there is one.
    pub fn advance(&mut self) -> bool {
        while let Some(choice) = self.choices.last_mut() {
            if choice.chosen + 1 < choice.n_choices {
                choice.chosen += 1;
                let choice = *choice;
                self.leaves.truncate(choice.n_leaves as usize);
                self.pending.truncate(choice.n_pending as usize);
                self.steps.truncate(choice.n_steps as usize);
                let front = self.choose(choice.what, choice.chosen, 0, choice.next);
                self.derive(front);
                return true;
            }
            self.choices.pop();
        }
        false
    }

    fn push(&mut self, what: What, rank: u64, next: u32) -> u32 {
        self.pending.push(Pending { what, rank, next });
        self.pending.len() as u32
    }

    /// Derives what is left.
    fn derive(&mut self, mut front: u32) {
        while front != 0 {
            let Pending { what, rank, next } = self.pending[front as usize - 1];
            let n_choices = self.n_choices(what);
            if n_choices == 0 {
                front = next; // The end of a production.
                continue;
            }
            let (chosen, rank) = if rank == 0 { (0, 0) } else { self.find(what, rank) };
            if n_choices > 1 {
                let (n_leaves, n_pending) = (self.leaves.len() as u32, self.pending.len() as u32);
                let n_steps = self.steps.len() as u32;
                self.choices.push(Choice { what, next, chosen, n_choices, n_leaves, n_pending, n_steps });
            }
            front = self.choose(what, chosen, rank, next);
        }
    }

    fn n_choices(&self, what: What) -> u32 {
        (match what {
            What::Symbol(Symbol::Rule(rule), m) => self.counts.productions(rule, m).len(),
            What::Symbol(Symbol::Token(token), m) => self.symbolic.leaves_of[token as usize][usize::from(m)].len(),
            What::Rest(production, at, m) => self.counts.splits(production, usize::from(at), m).len(),
        }) as u32
    }

    /// Which alternative a derivation belongs to, and which one of that it is.
    fn find(&self, what: What, rank: u64) -> (u32, u64) {
        let mut rank = Count::from(rank);
        for chosen in 0.. {
            let n = match what {
                What::Symbol(Symbol::Rule(rule), m) => {
                    let production = self.counts.productions(rule, m)[chosen];
                    self.counts.of_rest(production, 0, self.counts.rest_of(self.symbolic, production, m))
                }
                What::Symbol(Symbol::Token(_), _) => 1,
                What::Rest(production, at, m) => {
                    let (a, b) = self.counts.splits(production, usize::from(at), m)[chosen];
                    self.of_first(production, at, a).saturating_mul(self.counts.of_rest(
                        production,
                        usize::from(at) + 1,
                        b,
                    ))
                }
            };
            if rank < n {
                return (chosen as u32, rank as u64);
            }
            rank -= n;
        }
        unreachable!("ranks are below the number of derivations")
    }

    fn of_first(&self, production: u32, at: u16, m: u16) -> Count {
        let symbol = self.symbolic.rules.productions[production as usize].symbols[usize::from(at)];
        self.counts.of_symbol(self.symbolic, symbol, m)
    }

    /// Puts what an alternative consists of in front of the rest.
    fn choose(&mut self, what: What, chosen: u32, rank: u64, next: u32) -> u32 {
        let chosen = chosen as usize;
        match what {
            What::Symbol(Symbol::Rule(rule), m) => {
                let production = self.counts.productions(rule, m)[chosen];
                self.steps.push(production);
                let rest = self.counts.rest_of(self.symbolic, production, m);
                self.push(What::Rest(production, 0, rest), rank, next)
            }
            What::Symbol(Symbol::Token(token), m) => {
                self.leaves.push(self.symbolic.leaves_of[token as usize][usize::from(m)][chosen]);
                next
            }
            What::Rest(production, at, m) => {
                let (a, b) = self.counts.splits(production, usize::from(at), m)[chosen];
                let symbol = self.symbolic.rules.productions[production as usize].symbols[usize::from(at)];
                let (first, rest) = match rank {
                    0 => (0, 0),
                    rank => {
                        let n_rest = self.counts.of_rest(production, usize::from(at) + 1, b);
                        ((Count::from(rank) / n_rest) as u64, (Count::from(rank) % n_rest) as u64)
                    }
                };
                let next = self.push(What::Rest(production, at + 1, b), rest, next);
                self.push(What::Symbol(symbol, a), first, next)
            }
        }
    }
}
