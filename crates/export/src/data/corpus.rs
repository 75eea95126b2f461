//! A corpus for fuzzers: one file for each input that tests have, named by its content.

use std::collections::BTreeSet;

use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::InputObject;

use super::given::Given;
use super::{each, make_dir, sha256, write};
use crate::{ExportError, Exported, Suite, Target};

/// What libFuzzer calls with an area and its size.
const FUZZ_TARGET: &str = "LLVMFuzzerTestOneInput";

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    make_dir(target.dir)?;
    let mut known = BTreeSet::new();
    each(suite, |_, test| {
        let bytes = match bytes(test, target.object) {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Err(reason)),
        };
        let name = sha256(&bytes);
        if !known.insert(name.clone()) {
            return Ok(Err("another test has the same bytes".to_owned()));
        }
        write(target.dir, &name, &bytes).map(Ok)
    })
}

/// What a fuzzer would give the program, or why that can't be said.
fn bytes(test: &TestCase, object: Option<&str>) -> Result<Vec<u8>, String> {
    if let Some(name) = object {
        let found = test.input.iter().find(|object| object.name == name);
        let found = found.ok_or_else(|| format!("its input has no object `{name}`"))?;
        return without_pointers(found);
    }
    if test.entry == FUZZ_TARGET {
        return fuzz_target(test).ok_or_else(|| "there are not as many bytes as the size says".to_owned());
    }
    let Given { concrete, asked, graph } = Given::of(test);
    // A parameter that only leads to the bytes is none of them.
    let is_only_pointer = |object: &&InputObject| object.references.len() * 8 == object.bytes.len();
    let mut parts: Vec<Vec<u8>> = concrete.args;
    parts.extend(concrete.stdin);
    parts.extend(concrete.files.into_iter().map(|(_, content)| content));
    for object in graph.into_iter().filter(|object| !is_only_pointer(object)) {
        parts.push(without_pointers(object)?);
    }
    parts.extend(asked.iter().map(|asked| asked.bytes.to_vec()));
    match parts.is_empty() {
        true => Err("it has no input".to_owned()),
        false => Ok(parts.concat()),
    }
}

fn without_pointers(object: &InputObject) -> Result<Vec<u8>, String> {
    match object.references.is_empty() {
        true => Ok(object.bytes.clone()),
        false => Err(format!("`{}` has pointers, which no file can hold", object.name)),
    }
}

/// As many bytes behind the first parameter as the second one says.
fn fuzz_target(test: &TestCase) -> Option<Vec<u8>> {
    let [data, size, ..] = &test.input[..] else { return None };
    let size = usize::try_from(u64::from_le_bytes(size.bytes.clone().try_into().ok()?)).ok()?;
    let Some((_, name, 0)) = data.references.first() else { return (size == 0).then(Vec::new) };
    let area = test.input.iter().find(|object| object.name == *name)?;
    area.bytes.get(..size).map(<[u8]>::to_vec)
}
