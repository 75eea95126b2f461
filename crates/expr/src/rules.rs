//! The rewrite rules by name, with what each does, how often each did it, and how many more times any may.
//!
//! Constant folding is not a rule and always happens. Everything else that makes the builder return another node than
//! the one asked for is a rule of this table, and asks [`ExprPool::fires`] right before it acts. *Fuel* is the number
//! of times that any rule may still fire: with none, the builder only interns, which is how rules are proved against
//! themselves; with N, bisecting finds the one application that broke a result.
//!
//! Steps to add a rule: a line in the table, its code in [`crate::builder`] in a `rewrite_` function, cases where it
//! applies and where it does not in `tests/rules.rs` (a test insists on both).

use crate::pool::ExprPool;

macro_rules! rule_table {
    ($($variant:ident = $name:literal: $what:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Rule { $($variant),+ }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name),+ }
            }

            /// What the rule does, as a formula where possible. Capitals are constants.
            pub const fn description(self) -> &'static str {
                match self { $(Rule::$variant => $what),+ }
            }

            pub fn from_name(name: &str) -> Option<Rule> {
                Rule::ALL.iter().copied().find(|rule| rule.name() == name)
            }
        }
    };
}

rule_table! {
    Commute = "commute": "operands of a commutative operation: constants last, otherwise by id",
}

const UNLIMITED: u64 = u64::MAX;

/// How deep rules may call the builder before they give up: chains are unbounded, the stack is not.
const MAX_DEPTH: u32 = 100;

pub(crate) struct Rules {
    fuel: u64,
    depth: u32,
    hits: [u64; Rule::ALL.len()],
}

impl Default for Rules {
    fn default() -> Self {
        Rules { fuel: UNLIMITED, depth: 0, hits: [0; Rule::ALL.len()] }
    }
}

impl ExprPool {
    /// How many more times rules may fire. `None`: without limit.
    pub fn set_rule_fuel(&mut self, fuel: Option<u64>) {
        self.rules.fuel = fuel.unwrap_or(UNLIMITED);
    }

    /// How often a rule fired.
    pub fn rule_hits(&self, rule: Rule) -> u64 {
        self.rules.hits[rule as usize]
    }

    /// Whether a rule that matches may act; counts it.
    #[inline]
    pub(crate) fn fires(&mut self, rule: Rule) -> bool {
        let rules = &mut self.rules;
        if rules.fuel == 0 || rules.depth > MAX_DEPTH {
            return false;
        }
        rules.fuel -= (rules.fuel != UNLIMITED) as u64;
        rules.hits[rule as usize] += 1;
        true
    }

    /// Runs the rules of an operation, one level deeper.
    #[inline(always)]
    pub(crate) fn rewrite(&mut self, rules: impl FnOnce(&mut Self) -> Option<crate::ExprId>) -> Option<crate::ExprId> {
        if self.rules.fuel == 0 {
            return None;
        }
        self.rules.depth += 1;
        let rewritten = rules(self);
        self.rules.depth -= 1;
        rewritten
    }
}
