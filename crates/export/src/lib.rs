//! Tests of a campaign in the forms that other tools run.
//!
//! Enter at [`export`]. `format` lists the forms; `project` are those that are C code with what builds it, `data`
//! those that other tools read. Everything is
//! written whole or not at all, and nothing is written beside what [`Target`] names.
#![forbid(unsafe_code)]

mod data;
mod error;
mod exported;
mod format;
mod project;

use std::path::Path;

use spelunk_deadline::Deadline;
use spelunk_native::{Numbered, Subject};
use spelunk_report::suite::Campaign;

pub use error::ExportError;
pub use exported::{Exported, LeftOut};
pub use format::Format;

/// What is exported.
pub struct Suite<'a> {
    pub campaign: &'a Campaign,
    pub tests: &'a [Numbered<'a>],
    /// The program, for forms that [need](Format::needs_program) it.
    pub subject: Option<&'a Subject<'a>>,
}

/// Where it goes, and how.
pub struct Target<'a> {
    pub format: Format,
    /// A directory, made if there is none. Files of the names that are written are replaced; others are left alone.
    pub dir: &'a Path,
    /// Whether the program's sources are copied too, and not only referred to.
    pub copies_sources: bool,
    /// The object whose bytes are the input, for forms that have one input for each test.
    pub object: Option<&'a str>,
    /// Whatever clang is asked ends then, and the export with it.
    pub deadline: &'a Deadline,
}

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    match target.format {
        Format::C | Format::Cmocka | Format::Check | Format::Gtest | Format::Ctest => project::export(suite, target),
        Format::Ktest => data::ktest::export(suite, target),
        Format::Testcomp => data::testcomp::export(suite, target),
        Format::Corpus => data::corpus::export(suite, target),
        Format::Junit => data::junit::export(suite, target),
    }
}
