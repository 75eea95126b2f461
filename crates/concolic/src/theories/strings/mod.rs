//! Strings by their length (Splat): where a string ends is a number of its own.
//!
//! The bytes of a string stay variables, made when they are looked at. Where the first zero is, or the first byte of another set, is
//! one more variable, which follows from the bytes ([`crate::searches`]). Functions of the library ask for it instead of looking
//! at each byte (`models`), through whatever copies and fills have made of the bytes since (`seek`). A query is told what both
//! kinds of variables have to do with each other, for those that it speaks of (`ties`); the other bytes are then made such that
//! it is so.
//!
//! Numbers that are printed stay numbers: how many digits there are, and which, are expressions (`digits`), by which they are recognised
//! where their text is read back (`printed`).
//!
//! Strings of which nobody has said how long they may be are elastic: they are short unless a program asks how long they are, and then
//! either short or long, which is a decision. Long ones are explored by their length alone (`elastic`).

mod digits;
mod elastic;
pub(super) mod loops;
mod models;
mod printed;
mod seek;
mod ties;

pub(super) use seek::mk_member;

use super::{Contradiction, Events, Opening, Theory, Verdict};
use crate::input::InputEditor;
use crate::machine::ConcolicMachine;
use crate::query::{Constraints, Judgement, Level};
use spelunk_expr::{Evaluator, FreeVars, Model};
use spelunk_vm::{Answer, Call, Callee, Stop, Vm};

#[derive(Default)]
pub(super) struct Strings {
    free_vars: FreeVars,
    evaluator: Evaluator,
}

impl Theory for Strings {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn events(&self) -> Events {
        Events::CALL.and(Events::QUERY).and(Events::COMPLETION).and(Events::OPENING)
    }

    fn models(&self, callee: &Callee<'_>) -> bool {
        models::find(callee).is_some()
    }

    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        match models::find(&call.callee) {
            Some(model) => model(vm, call.args),
            None => Ok(Answer::Decline),
        }
    }

    fn admit(&mut self, machine: &mut ConcolicMachine, opening: &Opening<'_>) -> Verdict {
        elastic::admit(&mut self.free_vars, machine, opening)
    }

    fn constrain(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        _level: Level,
    ) -> Result<(), Contradiction> {
        if machine.variables.has_searches() {
            let ties = ties::Ties::of_query(&mut self.free_vars, machine, query);
            ties.constrain(machine, query);
        }
        Ok(())
    }

    fn judge(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        _level: Level,
        changes: &Model,
    ) -> Judgement {
        if !machine.variables.has_searches() {
            return Judgement::Accept;
        }
        let ties = ties::Ties::of_query(&mut self.free_vars, machine, query);
        let Some(lemma) = ties.violated(machine, query, changes) else { return Judgement::Accept };
        let mut values = query.hint.clone();
        values.update(changes);
        assert_eq!(self.evaluator.under(&machine.pool, &values).eval_u64(lemma), 0, "the solver would not know more");
        Judgement::Lemma(lemma)
    }

    fn complete(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        changes: &Model,
        input: &mut InputEditor,
    ) {
        if machine.variables.has_searches() {
            let ties = ties::Ties::of_query(&mut self.free_vars, machine, query);
            ties.complete(machine, query, changes, input);
        }
        elastic::shorten(&mut self.free_vars, machine, query, input);
    }
}
