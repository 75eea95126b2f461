//! Standard error.

use anstream::AutoStream;
use spelunk_report::Diagnostic;
use std::io::{self, Write};

/// There is nowhere to tell that standard error can't be written to.
pub fn show(diagnostics: &[Diagnostic]) {
    let mut out = AutoStream::auto(io::stderr().lock());
    for diagnostic in diagnostics {
        let _ = diagnostic.write(&mut out);
    }
}

/// What clang said, with the colours that it was told to use.
pub fn show_raw(text: &[u8]) {
    let _ = io::stderr().write_all(text);
}
