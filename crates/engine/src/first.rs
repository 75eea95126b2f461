//! The first input of a campaign: printable text of full length wherever text may be. One of all zeros, which comes next, shows little of a
//! parser: most end at its first byte. In the end the paths are the same.

use std::sync::Arc;

use spelunk_concolic::graph::layout::{LeafKind, Target};
use spelunk_concolic::graph::unit::{Home, Unit};
use spelunk_concolic::{Input, InputObject, ObjectKey, Root};
use spelunk_report::suite::Setup;

use crate::{Plan, Subject};

/// Nothing if the input has no text, or is a text of a grammar.
pub(crate) fn printable(plan: &Plan, subject: &Subject) -> Option<Input> {
    let unit = subject.unit.as_deref().filter(|unit| !unit.is_whole_program());
    let input = match unit {
        _ if !plan.setup.texts.is_empty() => return None,
        // Which pointers lead where is for the rules to say.
        Some(unit) if unit.shapes.is_some() => return None,
        Some(unit) => of_unit(unit),
        None => of_program(&plan.setup),
    };
    (!input.objects.is_empty()).then_some(input)
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

/// Strings that parameters point to.
fn of_unit(unit: &Unit) -> Input {
    let mut input = Input::new();
    for (number, param) in (0..).zip(&unit.params).filter(|(_, param)| param.home == Home::Argument) {
        let [leaf] = &unit.layouts.get(param.layout).leaves[..] else { continue };
        let LeafKind::Pointer(kind) = leaf.kind else { continue };
        let pointer = unit.layouts.pointer(kind);
        if let (Target::String { max_len, count: None, .. }, false) = (&pointer.target, pointer.nullable) {
            let key = Arc::new(ObjectKey::of_root(Root::Param(number)).behind(0));
            let bytes = text(*max_len).into_iter().chain([0]).collect();
            input.objects.push(InputObject {
                key,
                name: format!("*{}", param.name).into(),
                bytes,
                references: Vec::new(),
            });
        }
    }
    input
}
