//! Truth values, equality and choice, and the two functions of arrays.

use spelunk_expr::ExprId;

use super::call::Call;
use crate::builtin::Core;
use crate::context::Context;
use crate::error::{Problem, Result};
use crate::scope::Term;
use crate::sort::Sort;

pub(super) fn apply(context: &mut Context, function: Core, call: &Call<'_>) -> Result<Term> {
    let id = match function {
        Core::Constant(value) => context.pool.mk_bool(value),
        Core::Not => {
            let operand = call.boolean(context, 0)?;
            context.pool.mk_not(operand)
        }
        Core::And => fold(context, call, |context, a, b| context.pool.mk_and(a, b))?,
        Core::Or => fold(context, call, |context, a, b| context.pool.mk_or(a, b))?,
        Core::Xor => fold(context, call, |context, a, b| context.pool.mk_xor(a, b))?,
        Core::Implies => implies(context, call)?,
        Core::Equal => {
            let sort = call.check_same_sorts(context, 0)?;
            let mut all = ExprId::TRUE;
            for pair in call.args.windows(2) {
                let equal = context.mk_equal(sort, pair[0].id, pair[1].id);
                all = context.pool.mk_and(all, equal);
            }
            all
        }
        Core::Distinct => distinct(context, call)?,
        Core::Ite => {
            let cond = call.boolean(context, 0)?;
            let sort = call.check_same_sorts(context, 1)?;
            let id = context.mk_ite(sort, cond, call.args[1].id, call.args[2].id);
            return Ok(Term { id, sort });
        }
    };
    Ok(Term::boolean(id))
}

/// A balanced tree, as arguments may be many and what reads expressions prefers them flat.
fn fold(
    context: &mut Context,
    call: &Call<'_>,
    mut join: impl FnMut(&mut Context, ExprId, ExprId) -> ExprId,
) -> Result<ExprId> {
    let mut ids = Vec::with_capacity(call.args.len());
    for at in 0..call.args.len() {
        ids.push(call.boolean(context, at)?);
    }
    while ids.len() > 1 {
        ids = ids
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => join(context, a, b),
                _ => pair[0],
            })
            .collect();
    }
    Ok(ids[0])
}

fn implies(context: &mut Context, call: &Call<'_>) -> Result<ExprId> {
    let n_premises = call.args.len() - 1;
    let mut holds = call.boolean(context, n_premises)?;
    for at in (0..n_premises).rev() {
        let premise = call.boolean(context, at)?;
        let fails = context.pool.mk_not(premise);
        holds = context.pool.mk_or(fails, holds);
    }
    Ok(holds)
}

fn distinct(context: &mut Context, call: &Call<'_>) -> Result<ExprId> {
    let sort = call.check_same_sorts(context, 0)?;
    let mut all = ExprId::TRUE;
    for (at, a) in call.args.iter().enumerate() {
        for b in &call.args[at + 1..] {
            let equal = context.mk_equal(sort, a.id, b.id);
            let differ = context.pool.mk_not(equal);
            all = context.pool.mk_and(all, differ);
        }
    }
    Ok(all)
}

fn array_sort(context: &Context, call: &Call<'_>) -> Result<(Sort, Sort)> {
    match call.args[0].sort {
        Sort::Array { index, elem } => Ok((Sort::Scalar(index), Sort::Scalar(elem))),
        other => {
            let given = super::sort_name(context, other);
            Err(call.error(Problem::Sort { wanted: "an array".into(), given }))
        }
    }
}

pub(super) fn select(context: &mut Context, call: &Call<'_>) -> Result<Term> {
    let (index, elem) = array_sort(context, call)?;
    call.check_sort(context, 1, index)?;
    let at = canonical(context, call.args[1]);
    Ok(Term { id: context.pool.mk_select(call.args[0].id, at), sort: elem })
}

pub(super) fn store(context: &mut Context, call: &Call<'_>) -> Result<Term> {
    let (index, elem) = array_sort(context, call)?;
    call.check_sort(context, 1, index)?;
    call.check_sort(context, 2, elem)?;
    let (at, value) = (canonical(context, call.args[1]), canonical(context, call.args[2]));
    Ok(Term { id: context.pool.mk_store(call.args[0].id, at, value), sort: call.args[0].sort })
}

fn canonical(context: &mut Context, term: Term) -> ExprId {
    match term.sort {
        Sort::Scalar(scalar) => context.mk_canonical(scalar, term.id),
        Sort::Array { .. } => term.id,
    }
}
