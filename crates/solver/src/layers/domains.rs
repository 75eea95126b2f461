//! Domains: conditions on single variables, decided by intersecting the sets of values they allow.
//!
//! Most branches of parsers compare one input byte with constants. What such a condition allows is known exactly (see
//! [`crate::unary`]), so if a query consists of such conditions, it is decided by a few operations on sets of 256 bits;
//! and if there are others as well, an empty intersection still decides it.

use spelunk_expr::{ExprId, Model, VarId};

use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};
use crate::unary::{Domain, Reading};

#[derive(Default)]
pub struct Domains {
    /// The variables that targets are about. Others keep their values: all else was satisfied.
    vars: Vec<VarId>,
    /// Conditions on one variable and what they say, targets first.
    said: Vec<(ExprId, Reading)>,
}

impl Stage for Domains {
    fn name(&self) -> &'static str {
        Layer::Domains.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        self.vars.clear();
        let mut are_all_unary = true;
        for &target in query.targets() {
            match cx.reading(target).var() {
                Some(var) if self.vars.contains(&var) => {}
                Some(var) => self.vars.push(var),
                None => are_all_unary = false,
            }
        }
        let mut changes = Model::new();
        for at in 0..self.vars.len() {
            let var = self.vars[at];
            let domain = match self.domain(cx, query, var, &mut are_all_unary) {
                Ok(domain) => domain,
                Err(core) => return Answer::Unsat(core),
            };
            let old = query.hint.get_u64(var).unwrap_or(0);
            match domain.nearest(old) {
                Some(value) if value != old => changes.set_u64(var, value),
                _ => {}
            }
        }
        match are_all_unary {
            true => Answer::Sat(changes),
            false => rest.check(cx, query),
        }
    }

    fn forget(&mut self, _freed: &Freed) {}
}

impl Domains {
    /// What all conditions on a variable allow, or those that together allow nothing. Notes if there are other
    /// conditions.
    fn domain(
        &mut self,
        cx: &mut Context<'_>,
        query: &Query<'_>,
        var: VarId,
        are_all_unary: &mut bool,
    ) -> Result<Domain, Vec<ExprId>> {
        self.said.clear();
        let mut domain = None;
        for &constraint in query.targets().iter().chain(query.satisfied()) {
            let reading = cx.reading(constraint);
            *are_all_unary &= reading != Reading::Other;
            if reading.var() != Some(var) {
                continue;
            }
            let domain = domain.get_or_insert_with(|| reading.all());
            reading.restrict(domain);
            self.said.push((constraint, reading));
            if domain.is_empty() {
                return Err(self.core());
            }
        }
        Ok(domain.expect("a target is about the variable"))
    }

    /// Conditions on the variable that together allow nothing: the fewest, unless there are very many. The last one
    /// emptied the domain, so it is needed.
    fn core(&self) -> Vec<ExprId> {
        const MANY: usize = 32;
        let mut core = self.said.clone();
        let mut at = core.len().saturating_sub(1);
        while at > 0 && core.len() <= MANY {
            at -= 1;
            let mut domain = core[at].1.all();
            let others = core.iter().enumerate().filter(|(other, _)| *other != at);
            others.for_each(|(_, (_, reading))| reading.restrict(&mut domain));
            if domain.is_empty() {
                core.remove(at);
            }
        }
        core.into_iter().map(|(constraint, _)| constraint).collect()
    }
}
