//! A test of a whole program: it is started, and ends with a status.

use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use spelunk_concolic::graph::objects::shapes;
use spelunk_concolic::graph::unit::Unit;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::{End, InputObject};

use super::context::Context;
use super::framework::{Check, Framework};
use super::given::{asked_for, given};
use super::literal;
use super::stubs::stand_in_name;

/// What the runtime adds to the number of a signal that ended a program.
const SIGNALS: i32 = 256;

pub fn body(context: &Context<'_>, test: &TestCase, framework: Framework) -> Result<Vec<String>, String> {
    let name = context.subject.recipe.program_name().into_os_string().into_vec();
    let fixed = test.setup.args.iter().map(|arg| arg.clone().into_bytes());
    let concrete = test.setup.inputs().concrete(&test.input());
    let args: Vec<Vec<u8>> = std::iter::once(name).chain(fixed).chain(concrete.args).collect();
    let literals: Vec<String> = args.iter().map(|arg| literal::string(arg)).collect();
    let mut lines = vec![format!("static const char *const args[] = {{{}}};", literals.join(", "))];
    lines.extend(given(test));
    let objects = Objects::of(context.subject.unit, test);
    lines.extend(objects.declarations()?);
    lines.extend(asked_for(context.subject.unit, test, |name| objects.variable(name)));
    lines.push(format!("int status = spelunk_run_program({}, args);", args.len()));
    let observed = |status: i32| Check::Signed("status".to_owned(), status.to_string());
    lines.push(match test.end {
        End::Exited { status } => format!("{} /* observed */", framework.check(&observed(status & 0xff))),
        End::Killed { signal } => format!("{} /* observed */", framework.check(&observed(SIGNALS + signal))),
        _ => framework.check(&Check::True(format!("status < {SIGNALS}"))),
    });
    Ok(lines)
}

/// What functions return that nobody defines, and what pointers in that lead to: as bytes, since nothing of the program's types
/// is known where tests of whole programs stand.
struct Objects<'a>(Vec<(&'a InputObject, usize)>);

impl<'a> Objects<'a> {
    fn of(unit: Option<&Arc<Unit>>, test: &'a TestCase) -> Self {
        let shapes = unit.map(|unit| shapes(unit, &test.input())).unwrap_or_default();
        let objects = test.input.iter().zip(shapes);
        Self(
            objects
                .filter_map(|(object, shape)| Some((object, object.bytes.len() + shape?.n_after as usize)))
                .collect(),
        )
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.iter().position(|(object, _)| object.name == name).map(|number| format!("object_{number}"))
    }

    fn declarations(&self) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for (number, (object, size)) in self.0.iter().enumerate() {
            let content = literal::start(&object.bytes);
            lines.push(format!("char *object_{number} = spelunk_bytes({size}, {content}); /* {} */", object.name));
        }
        for (number, (object, _)) in self.0.iter().enumerate() {
            for (offset, target, at) in &object.references {
                let value = match target.strip_prefix('&') {
                    Some(name) if name.starts_with("(*") => format!("(const void *){}", stand_in_name(name)),
                    Some(name) => return Err(format!("a pointer leads to the function `{name}` of the program")),
                    None => match self.variable(target) {
                        Some(variable) => format!("{variable} + {at}"),
                        None => continue,
                    },
                };
                lines.push(format!("spelunk_put_pointer(object_{number}, {offset}, {value});"));
            }
        }
        Ok(lines)
    }
}
