//! What a test gives the program besides arguments: standard input and files, and what it asks for.

use std::sync::Arc;

use spelunk_concolic::InputObject;
use spelunk_concolic::graph::objects::shapes;
use spelunk_concolic::graph::unit::Unit;
use spelunk_native::asked;
use spelunk_report::suite::TestCase;

use super::literal;

pub fn given(test: &TestCase) -> Vec<String> {
    let concrete = test.setup.inputs().concrete(&test.input());
    let mut lines = Vec::new();
    if let Some(content) = &concrete.stdin {
        lines.push(format!("spelunk_stdin({}, {});", content.len(), literal::start(content)));
    }
    for (name, content) in &concrete.files {
        let name = literal::string(name.as_bytes());
        lines.push(format!("spelunk_file({name}, {}, {});", content.len(), literal::start(content)));
    }
    lines
}

/// What the program asks for, in that order. Some of it may be objects of the graph, in variables.
pub fn asked_for(unit: Option<&Arc<Unit>>, test: &TestCase, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let input = test.input();
    let shapes = unit.map_or_else(|| vec![None; input.objects.len()], |unit| shapes(unit, &input));
    let next = |object: &InputObject| match variable(&object.name) {
        Some(variable) => {
            let name = literal::string(object.name.as_bytes());
            format!("spelunk_next({name}, {}, {variable});", object.bytes.len())
        }
        None => next(&object.name, &object.bytes),
    };
    asked(&input, &shapes).into_iter().map(next).collect()
}

fn next(name: &str, bytes: &[u8]) -> String {
    let name = literal::string(name.as_bytes());
    match bytes.len() {
        len @ (1 | 2 | 4 | 8) => {
            let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            format!("spelunk_next_number({name}, {len}, {});", literal::signed(value, 8 * len as u32))
        }
        len => format!("spelunk_next_bytes({name}, {len}, {});", literal::start(bytes)),
    }
}
