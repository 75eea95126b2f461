//! Quicksort of signed numbers.

use spelunk_bv::CmpOp;
use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "quicksort", inputs: || vec![32; 7], run, n_queries: 1500 };

fn run(cx: &mut Context<'_>) {
    let mut items: Vec<ExprId> = (0..cx.n_inputs()).map(|at| cx.input(at)).collect();
    sort(cx, &mut items);
}

fn sort(cx: &mut Context<'_>, items: &mut [ExprId]) {
    let Some((&mut pivot, rest)) = items.split_last_mut() else { return };
    let mut n_less = 0;
    for at in 0..rest.len() {
        if cx.compare(CmpOp::Slt, rest[at], pivot) {
            rest.swap(at, n_less);
            n_less += 1;
        }
    }
    let last = items.len() - 1;
    items.swap(n_less, last);
    let (less, more) = items.split_at_mut(n_less);
    sort(cx, less);
    sort(cx, &mut more[1..]);
}
