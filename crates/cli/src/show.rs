//! `spelunk show`: what the tests of a campaign are given, as pictures.

use crate::args::ShowArgs;
use crate::{exit, output};
use spelunk_report::picture::{Picture, svg};
use spelunk_report::suite::test_case::End;
use spelunk_report::suite::{Store, StoreError, TestCase};

pub fn show(args: &ShowArgs) -> u8 {
    match try_show(args) {
        Ok(()) => 0,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            exit::USAGE
        }
    }
}

fn try_show(args: &ShowArgs) -> Result<(), StoreError> {
    let store = Store::existing(&args.dir)?;
    let types = store.read_types()?;
    let numbers = if args.tests.is_empty() { store.numbers()? } else { args.tests.clone() };
    for number in numbers {
        let test = store.read_test(number)?;
        let picture = Picture::new(&test, &types).with_derivations(&test);
        if args.svg {
            store.write_picture(number, &svg(&picture))?;
            anstream::println!("{}", store.picture_path(number).display());
        } else {
            anstream::println!("test {number}: {}", ending(&test));
            match &test.code[..] {
                [] => anstream::print!("{}", output::picture(&picture, "  ")),
                // A sequence of calls is clearer as such.
                lines => lines.iter().for_each(|line| anstream::println!("  {line}")),
            }
        }
    }
    Ok(())
}

/// How a test ends, in words.
fn ending(test: &TestCase) -> String {
    match &test.end {
        End::Exited { .. } if test.unit.is_some() => "returns".to_owned(),
        End::Exited { status } => format!("exits with {status}"),
        End::Killed { signal } => format!("is killed by signal {signal}"),
        End::Bug { bug, message, place } => format!("{bug} at {}:{}: {message}", place.file, place.line),
        End::Unsupported { what, .. } => format!("unsupported: {what}"),
        End::Limit { what } => format!("stopped: {what}"),
        End::Infeasible => "excluded".to_owned(),
    }
}
