//! The first input of a program: printable text of full length wherever it reads text. One of all zeros, which comes next, shows little of a
//! parser: most end at its first byte. In the end the paths are the same.

use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::{Input, Root};
use spelunk_report::suite::Setup;

use crate::{Plan, Subject};

/// A longer input begins with zeros: a path through all of it would take what others need.
const LONGEST: u64 = 64;

/// Nothing if the program reads no text, or one of a grammar; nor where targets say what to look for.
pub(crate) fn printable(plan: &Plan, subject: &Subject) -> Option<Input> {
    let is_program = subject.unit.as_deref().is_none_or(Unit::is_whole_program);
    let Setup { symbolic_args, symbolic_stdin, symbolic_files, .. } = &plan.setup;
    let args = symbolic_args.iter().map(|&(_, max, len)| u64::from(max) * u64::from(len));
    let files = symbolic_files.iter().map(|&(_, len)| len).chain(*symbolic_stdin).map(u64::from);
    let is_short = args.chain(files).sum::<u64>() <= LONGEST;
    let is_open = plan.setup.texts.is_empty() && plan.targets.is_empty() && plan.changed.is_none();
    Some(of_program(&plan.setup)).filter(|input| is_program && is_short && is_open && !input.objects.is_empty())
}

fn text(len: u32) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(len as usize).collect()
}

fn of_program(setup: &Setup) -> Input {
    let mut input = Input::new();
    let lens = setup.symbolic_args.iter().flat_map(|&(_, max, len)| (0..max).map(move |_| len));
    for (number, len) in (0..).zip(lens) {
        input = input.with_object(Root::Arg(number), format!("arg{number}"), text(len));
    }
    let n_more: u32 = setup.symbolic_args.iter().map(|&(min, max, _)| max - min).sum();
    if let Ok(n_more @ 1..) = u8::try_from(n_more) {
        input = input.with_object(Root::ArgCount, "n_args".to_owned(), vec![n_more]);
    }
    if let Some(len) = setup.symbolic_stdin {
        input = input.with_object(Root::Stdin, "stdin".to_owned(), text(len));
    }
    for (number, (name, len)) in (0..).zip(&setup.symbolic_files) {
        input = input.with_object(Root::File(number), name.clone(), text(*len));
    }
    input
}
