//! Tests as C code, with what builds and runs it.

use crate::{ExportError, Exported, LeftOut, Suite, Target};

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    let reason = format!("{} projects are not written yet", target.format.name());
    let left_out = suite.tests.iter().map(|&(test, _)| LeftOut { test, reason: reason.clone() });
    Ok(Exported { left_out: left_out.collect(), ..Exported::default() })
}
