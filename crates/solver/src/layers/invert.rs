//! Inversion: values are guessed by undoing the operations between a variable and a condition that should hold.
//!
//! "`x * 3 + y` should be 7" is true if `x` is `(7 - y) / 3`, and so on down to variables, while all other operands
//! have the values of the hint (`undo` says what each operation makes of a wish). If that breaks another constraint,
//! the next wish is that this one holds, without touching what was just set. Where there are several ways, such as
//! making the left side smaller or the right side larger, a few of them are tried. A guess is an answer only if
//! evaluation says so; if none is, nothing is known.

use spelunk_expr::{ExprId, Model, Overlay};

use super::undo::Undo;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Invert {
    undo: Undo,
}

/// How many ways are tried.
const MAX_GUESSES: u32 = 8;

/// How many constraints one guess may mend after another, apart from targets.
const MAX_REPAIRS: usize = 4;

impl Stage for Invert {
    fn name(&self) -> &'static str {
        Layer::Invert.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        for guess in 0..MAX_GUESSES {
            self.undo.start(guess);
            if let Some(changes) = self.guess(cx, query) {
                return Answer::Sat(changes);
            }
            if self.undo.was_tried_before() {
                break;
            }
        }
        rest.check(cx, query)
    }

    fn forget(&mut self, _freed: &Freed) {}
}

impl Invert {
    fn guess(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Model> {
        let mut changes = Model::new();
        for _ in 0..query.targets().len() + MAX_REPAIRS {
            let Some(violated) = cx.first_violated(query, &changes) else { return Some(changes) };
            if !self.mend(cx, query, &mut changes, violated) {
                return None;
            }
        }
        cx.first_violated(query, &changes).is_none().then_some(changes)
    }

    /// Changes variables that have not been changed so that a constraint should hold. Returns whether there is a way.
    fn mend(&mut self, cx: &mut Context<'_>, query: &Query<'_>, changes: &mut Model, violated: ExprId) -> bool {
        let overlay = Overlay { base: query.hint, changes };
        let mut values = cx.evaluator.under(cx.pool, overlay);
        if !self.undo.wish(cx.pool, &mut values, changes, violated) {
            return false;
        }
        for &(var, value) in self.undo.found() {
            changes.set_u64(var, value);
        }
        true
    }
}
