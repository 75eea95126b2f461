//! Tests as C code, with what builds and runs it.
//!
//! The tests of a function stand behind the source that defines it, in one unit with it (`tested.h`), so that it may be
//! `static`, and every type that has a name there is known. `unit` and `whole` write a test, `graph` and `reference` the
//! objects that it is given; `framework` and `runner` are what differs between frameworks, `build` what differs between build systems.
//! `syntax` finds tests that no compiler would take. `loops` has loops that tests never leave tell so.

mod build;
mod context;
mod field;
mod framework;
mod given;
mod graph;
mod literal;
mod loops;
mod names;
mod observed;
mod reference;
mod runner;
mod sources;
mod stubs;
mod support;
mod syntax;
mod text;
mod types;
mod unit;
mod whole;

use std::fs;
use std::path::Path;

use spelunk_report::suite::store::write_whole;

use crate::{ExportError, Exported, Format, LeftOut, Suite, Target};
use build::Build;
use context::Context;
use framework::Framework;
use loops::Loops;
use runner::{google_tests, main_name};
use sources::Sources;
use text::Parts;

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    let subject = suite.subject.ok_or(ExportError::NoProgram)?;
    let context = Context::new(subject, target.deadline)?;
    create(target.dir)?;
    let original = match target.copies_sources {
        true => sources::copy(&context, target.dir)?,
        false => subject.recipe.directory.clone(),
    };
    let sources = Sources::new(subject.recipe, original, target.copies_sources);
    let wraps_main = subject.called().is_none() || context.has_main();
    let loops = Loops::of(&context, suite.tests)?;
    let parts = Parts { context: &context, campaign: suite.campaign, loops: &loops, main: main_name(wraps_main) };

    let mut left_out = Vec::new();
    // What the compiler says does not depend on a library that may not be there.
    let plain = parts.text(Framework::Plain, suite.tests, &mut left_out);
    let refused = syntax::check(&context, &plain)?;
    let is_fine = |number: u64| !left_out.iter().chain(&refused).any(|left_out: &LeftOut| left_out.test == number);
    let kept: Vec<_> = suite.tests.iter().copied().filter(|(number, _)| is_fine(*number)).collect();
    let framework = Framework::of(target.format);
    let text = parts.text(framework, &kept, &mut Vec::new());

    let stubs = stubs::stubs(subject);
    let mut support = support::files(subject.program, subject.image, stubs);
    support.extend(loops.files(|number| sources.include(number)));
    write(target.dir, &support)?;
    let build = Build {
        format: target.format,
        compiler: context.compiler(),
        sources: &sources,
        included: context.source,
        support: support::units(&support),
        told: &loops.sources(),
        wraps_main,
        finds_overflows: subject.recipe.checks.iter().any(|check| check == "signed-overflow"),
        suite: &suite.campaign.summary.entry,
    };
    let mut files = vec![("tests.c".to_owned(), text.text(framework, target.format != Format::Gtest))];
    files.extend(context.source.map(|number| ("tested.h".to_owned(), text::tested(&build.include(number)))));
    files.push(match target.format {
        Format::Ctest => ("CMakeLists.txt".to_owned(), build.cmake(text.listed())),
        _ => ("Makefile".to_owned(), build.makefile()),
    });
    if target.format == Format::Gtest {
        let name = text::suite_name(&suite.campaign.summary.entry);
        files.push(("gtests.cpp".to_owned(), google_tests(&name, text.listed(), parts.main)));
    }
    write(target.dir, &files)?;
    left_out.extend(refused);
    left_out.sort_by_key(|left_out| left_out.test);
    Ok(Exported { n_tests: kept.len(), left_out, next: Some(next(target)) })
}

fn next(target: &Target<'_>) -> String {
    let dir = target.dir.display();
    match target.format {
        Format::Ctest => format!(
            "to run them: cmake -S {dir} -B {dir}/build && cmake --build {dir}/build && ctest --test-dir {dir}/build"
        ),
        _ => format!("to run them: make -C {dir} check"),
    }
}

fn create(dir: &Path) -> Result<(), ExportError> {
    fs::create_dir_all(dir).map_err(|source| ExportError::Io { path: dir.to_owned(), source })
}

fn write(dir: &Path, files: &[(String, String)]) -> Result<(), ExportError> {
    for (name, text) in files {
        let path = dir.join(name);
        create(path.parent().unwrap_or(dir))?;
        write_whole(&path, text.as_bytes())?;
    }
    Ok(())
}
