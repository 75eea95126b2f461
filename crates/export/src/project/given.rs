//! What a test gives the program besides arguments: standard input, files, and what it asks for.

use std::sync::Arc;

use spelunk_concolic::graph::objects::shapes;
use spelunk_concolic::graph::unit::Unit;
use spelunk_native::asked;
use spelunk_report::suite::TestCase;

use super::literal;

pub fn given(unit: Option<&Arc<Unit>>, test: &TestCase) -> Vec<String> {
    let inputs = test.setup.inputs();
    let input = test.input();
    let concrete = inputs.concrete(&input);
    let mut lines = Vec::new();
    if let Some(content) = &concrete.stdin {
        lines.push(format!("spelunk_stdin({}, {});", content.len(), literal::start(content)));
    }
    for (name, content) in &concrete.files {
        let name = literal::string(name.as_bytes());
        lines.push(format!("spelunk_file({name}, {}, {});", content.len(), literal::start(content)));
    }
    let shapes = unit.map_or_else(|| vec![None; input.objects.len()], |unit| shapes(unit, &input));
    lines.extend(asked(&inputs, &input, &shapes).into_iter().map(|object| next(&object.name, &object.bytes)));
    lines
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
