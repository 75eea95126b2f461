//! The bounds within which every path was explored.

use spelunk_concolic::Options;
use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::ledger::{Bound, LedgerKind, NOWHERE};

use crate::ledger::{Ledger, Loss};

/// Enters the bounds that an input has whatever the program does with it.
pub fn enter_given(ledger: &mut Ledger, options: &Options) {
    let unit = options.unit.as_deref();
    let calls = unit.and_then(Unit::sequence_length).map(Bound::Calls);
    // A unit is called instead of the whole program.
    let of_program = options.inputs.bounds().filter(|_| unit.is_none());
    let of_theories = options.theories.iter().flat_map(|maker| maker.bounds());
    for bound in of_program.chain(calls).chain(of_theories) {
        ledger.add_with(Loss::Run(LedgerKind::Bound(bound)), NOWHERE, 1, || beyond(bound));
    }
}

/// The bounds that may have cut off paths: of those that differ only in the number, the smallest.
pub fn of(ledger: &Ledger, max_nesting: Option<u32>, max_depth: u32) -> Vec<Bound> {
    let bound = |loss| match loss {
        Loss::Run(LedgerKind::Bound(bound)) => Some(bound),
        Loss::Run(LedgerKind::NoObject) => max_nesting.map(Bound::Nesting),
        Loss::DepthCut => Some(Bound::Depth(max_depth)),
        _ => None,
    };
    let mut bounds: Vec<Bound> = ledger.entries().iter().filter_map(|entry| bound(entry.loss)).collect();
    bounds.sort_unstable();
    // Of standard input and files, there is exactly as much.
    bounds.dedup_by(|later, first| match later {
        Bound::Stdin(_) | Bound::File(_) => later == first,
        _ => later.slug() == first.slug(),
    });
    bounds
}

/// What was tried, as there is more.
pub(crate) fn beyond(bound: Bound) -> String {
    format!("only {bound}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_bounds_that_differ_in_number_the_smallest_counts() {
        let mut ledger = Ledger::default();
        for bound in [Bound::String(9), Bound::File(7), Bound::String(8), Bound::File(6), Bound::Array(1)] {
            ledger.add(Loss::Run(LedgerKind::Bound(bound)), NOWHERE, 1);
        }
        ledger.add(Loss::DepthCut, spelunk_ir::code::OpIdx(3), 1);
        let texts: Vec<String> = of(&ledger, None, 2).iter().map(Bound::to_string).collect();
        let expected = [
            "strings of up to 8 characters",
            "arrays of up to 1 element",
            "files of 6 bytes",
            "files of 7 bytes",
            "up to 2 decisions",
        ];
        assert_eq!(texts, expected);
    }
}
