//! Queries with remainders that Z3 does not compute: an answer for what is said of them so far, a comparison with the
//! true results, and one more fact about each that was wrong.

use spelunk_bv::FBinOp;
use spelunk_bv::float::{self, FBits};
use spelunk_expr::{ExprId, ExprPool, Value};
use z3::Model as RawModel;
use z3::ast::{BV, Bool};

use super::effort::{Effort, Verdict};
use super::model::{Models, value_of};
use super::session::{Constraint, check_once};
use super::translate::{Remainder, Translator, constant};
use crate::query::{Answer, Query, Unknown};

/// How often to ask.
const MAX_ROUNDS: usize = 12;

/// From which round on results are said exactly where the quotient is small, which takes a division and a fused
/// multiplication for each.
const EXACT_FROM: usize = 2;

pub(super) fn check(
    pool: &ExprPool,
    query: &Query<'_>,
    effort: &Effort<'_>,
    constraints: &[Constraint],
    translator: &mut Translator,
    models: &mut Models,
) -> Answer {
    let order = pool.postorder(query.constraints);
    let remainders: Vec<ExprId> = order.into_iter().filter(|&id| translator.remainder(id).is_some()).collect();
    let said = |translator: &Translator, which: fn(&Remainder) -> &Bool| -> Vec<Bool> {
        remainders.iter().filter_map(|&id| translator.remainder(id)).map(|remainder| which(remainder).clone()).collect()
    };
    let mut facts = said(translator, |remainder| &remainder.bounds);
    for round in 0..MAX_ROUNDS {
        if round == EXACT_FROM {
            facts.extend(said(translator, |remainder| &remainder.small_quotient));
        }
        let (verdict, solver) = check_once(effort, constraints.iter().map(|(_, term)| term).chain(&facts));
        let found = match verdict {
            Verdict::Sat => solver.get_model(),
            Verdict::Unsat => return Answer::Unsat(query.constraints.to_vec()),
            Verdict::Unknown(why) => return Answer::Unknown(why),
            Verdict::TooHard => None,
        };
        let Some(found) = found else { break };
        match models.read(pool, translator, query, &found) {
            Answer::Unknown(Unknown::WrongModel) => {}
            answer => return answer,
        }
        let n_facts = facts.len();
        facts.extend(remainders.iter().filter_map(|&id| correction(pool, id, translator, &found)));
        if facts.len() == n_facts {
            return Answer::Unknown(Unknown::WrongModel);
        }
    }
    Answer::Unknown(Unknown::GaveUp("remainders of floats".into()))
}

/// The true result for the operands that a remainder has in a model, if the model has another.
fn correction(pool: &ExprPool, id: ExprId, translator: &mut Translator, found: &RawModel) -> Option<Bool> {
    let node = pool.node(id);
    let terms = [node.arg(0), node.arg(1), id].map(|id| translator.vector(pool, id));
    let [Some(x), Some(y), Some(result)] = terms.each_ref().map(|term| value_in(found, term, node.width())) else {
        return None;
    };
    let expected = float::binop(node.kind(), FBinOp::FRem, pattern(&x), pattern(&y));
    let is = |term: &BV, bits: FBits| term.eq(constant(node.width(), &[bits as u64, (bits >> 64) as u64]));
    (pattern(&result) != expected).then(|| {
        let at_operands = Bool::and(&[is(&terms[0], pattern(&x)), is(&terms[1], pattern(&y))]);
        at_operands.implies(is(&terms[2], expected))
    })
}

fn value_in(found: &RawModel, term: &BV, width: u32) -> Option<Value> {
    value_of(&found.eval(term, true)?, width).ok()
}

fn pattern(value: &Value) -> FBits {
    value.limbs().iter().rev().fold(0, |high, &limb| high << 64 | limb as FBits)
}
