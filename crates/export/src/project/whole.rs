//! A test of a whole program: it is started, and ends with a status.

use std::os::unix::ffi::OsStringExt;

use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::End;

use super::context::Context;
use super::framework::{Check, Framework};
use super::given::{asked_for, given};
use super::literal;

/// What the runtime adds to the number of a signal that ended a program.
const SIGNALS: i32 = 256;

pub fn body(context: &Context<'_>, test: &TestCase, framework: Framework) -> Vec<String> {
    let name = context.subject.recipe.program_name().into_os_string().into_vec();
    let fixed = test.setup.args.iter().map(|arg| arg.clone().into_bytes());
    let concrete = test.setup.inputs().concrete(&test.input());
    let args: Vec<Vec<u8>> = std::iter::once(name).chain(fixed).chain(concrete.args).collect();
    let literals: Vec<String> = args.iter().map(|arg| literal::string(arg)).collect();
    let mut lines = vec![format!("static const char *const args[] = {{{}}};", literals.join(", "))];
    lines.extend(given(test));
    lines.extend(asked_for(None, test, |_| None));
    lines.push(format!("int status = spelunk_run_program({}, args);", args.len()));
    let observed = |status: i32| Check::Signed("status".to_owned(), status.to_string());
    lines.push(match test.end {
        End::Exited { status } => format!("{} /* observed */", framework.check(&observed(status & 0xff))),
        End::Killed { signal } => format!("{} /* observed */", framework.check(&observed(SIGNALS + signal))),
        _ => framework.check(&Check::True(format!("status < {SIGNALS}"))),
    });
    lines
}
