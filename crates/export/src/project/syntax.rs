//! Tests that no compiler would take: what C can't express where they stand, whatever the reason, is left out.

use std::collections::BTreeMap;

use super::context::Context;
use super::framework::Framework;
use super::support;
use super::text::{Text, tested};
use crate::{ExportError, LeftOut};

/// The tests that the user's clang refuses, with what it says.
pub fn check(context: &Context<'_>, text: &Text) -> Result<Vec<LeftOut>, ExportError> {
    let Some(source) = context.source else { return Ok(Vec::new()) };
    let recipe = context.subject.recipe;
    let dir = tempfile::tempdir().map_err(|source| ExportError::Io { path: std::env::temp_dir(), source })?;
    let path = recipe.directory.join(&recipe.sources[source]);
    let mut files = support::files(context.subject.program, context.subject.image, None);
    files.push(("tested.h".to_owned(), tested(&path.display().to_string().replace('\\', "\\\\").replace('"', "\\\""))));
    files.push(("tests.c".to_owned(), text.text(Framework::Plain, true)));
    super::write(dir.path(), &files)?;
    let tests = dir.path().join("tests.c");
    let mut command = context.clang_for(source);
    command
        .args(["-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics", "-iquote"])
        .arg(dir.path().join("support"));
    let output = context.clang.run(command.arg(&tests))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(Vec::new());
    }
    let mut refused = BTreeMap::new();
    let prefix = format!("{}:", tests.display());
    for line in said.lines().filter_map(|line| line.strip_prefix(&prefix)) {
        let mut parts = line.splitn(3, ':');
        let number = parts.next().and_then(|number| number.parse().ok());
        let Some((_, message)) = parts.nth(1).and_then(|rest| rest.split_once("error: ")) else { continue };
        if let Some(test) = number.and_then(|line| text.test_at(line)) {
            refused.entry(test).or_insert_with(|| message.to_owned());
        }
    }
    // Nothing of that is about a test: none can be compiled.
    if refused.is_empty() {
        return Err(ExportError::Compile { message: said });
    }
    let left_out = |(test, message)| LeftOut { test, reason: format!("it can't be written in C: {message}") };
    Ok(refused.into_iter().map(left_out).collect())
}
