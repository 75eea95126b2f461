//! What is assigned, since when, and why.

use super::Lit;
use super::clauses::ClauseRef;

#[derive(Default)]
pub(super) struct Trail {
    /// By literal: 1 true, -1 false, 0 neither.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<ClauseRef>,
    /// The value that a variable had last, or that was suggested.
    phases: Vec<bool>,
    pub lits: Vec<Lit>,
    /// Where in `lits` each decision level begins, from level 1 on.
    starts: Vec<u32>,
    /// How many of `lits` have been propagated.
    pub n_propagated: usize,
}

impl Trail {
    pub fn n_vars(&self) -> usize {
        self.levels.len()
    }

    pub fn add_var(&mut self) {
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(ClauseRef::NONE);
        self.phases.push(false);
    }

    #[inline(always)]
    pub fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    #[inline(always)]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) > 0
    }

    #[inline(always)]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.value(lit) < 0
    }

    #[inline(always)]
    pub fn is_assigned(&self, var: u32) -> bool {
        self.values[2 * var as usize] != 0
    }

    #[inline(always)]
    pub fn level_of(&self, var: u32) -> u32 {
        self.levels[var as usize]
    }

    #[inline(always)]
    pub fn reason_of(&self, var: u32) -> ClauseRef {
        self.reasons[var as usize]
    }

    pub fn set_reason(&mut self, var: u32, reason: ClauseRef) {
        self.reasons[var as usize] = reason;
    }

    /// The literal to try first.
    pub fn preferred(&self, var: u32) -> Lit {
        Lit::new(var, !self.phases[var as usize])
    }

    pub fn suggest(&mut self, lit: Lit) {
        self.phases[lit.var() as usize] = !lit.is_negated();
    }

    #[inline(always)]
    pub fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    pub fn open_level(&mut self) {
        self.starts.push(self.lits.len() as u32);
    }

    #[inline(always)]
    pub fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var() as usize;
        self.levels[var] = self.starts.len() as u32;
        self.reasons[var] = reason;
        self.lits.push(lit);
    }

    /// Undoes all above a level; `unassigned` is told the variables.
    pub fn backtrack(&mut self, level: u32, mut unassigned: impl FnMut(u32)) {
        if level >= self.level() {
            return;
        }
        let keep = self.starts[level as usize] as usize;
        for &lit in self.lits[keep..].iter().rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[lit.var() as usize] = !lit.is_negated();
            unassigned(lit.var());
        }
        self.lits.truncate(keep);
        self.starts.truncate(level as usize);
        self.n_propagated = keep;
    }
}
