//! The files of the run-time library as textual IR: compiled with the user's clang when first needed, then kept.

use crate::cache::Cache;
use crate::clang::Clang;
use crate::error::DriverError;
use crate::parallel;
use std::fs;

/// Fast code, yet nothing that depends on the machine at hand. Debug info is left out: reports are placed in the user's
/// code, and name library functions only. The library implements what builtins would turn its loops into.
const COMMON_FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O1",
    "-fno-pic",
    "-g0",
    "-w",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fno-color-diagnostics",
];

/// What the library is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Purpose {
    /// Running the program.
    #[default]
    Run,
    /// Exploring its paths: functions that the VM implements itself have twins in C, and those that print say so.
    Explore,
}

#[derive(Debug)]
pub(crate) struct Runtime<'c> {
    clang: &'c Clang,
    flags: Vec<&'static str>,
    cache: Cache,
}

impl<'c> Runtime<'c> {
    pub fn new(clang: &'c Clang, purpose: Purpose) -> Result<Self, DriverError> {
        let mut flags = COMMON_FLAGS.to_vec();
        if purpose == Purpose::Explore {
            flags.push("-DRT_FOLLOWED");
        }
        let cache = clang.cache((&flags, spelunk_libc::sources()))?;
        Ok(Self { clang, flags, cache })
    }

    /// The texts of these files, in order.
    pub fn texts(&self, names: &[&str]) -> Result<Vec<String>, DriverError> {
        let cached: Vec<Option<String>> = names.iter().map(|name| self.cached(name)).collect();
        let missing: Vec<&str> =
            names.iter().zip(&cached).filter(|(_, text)| text.is_none()).map(|(name, _)| *name).collect();
        let mut compiled = if missing.is_empty() { Vec::new() } else { self.compile(&missing)? }.into_iter();
        Ok(cached.into_iter().filter_map(|text| text.or_else(|| compiled.next())).collect())
    }

    fn cached(&self, name: &str) -> Option<String> {
        String::from_utf8(self.cache.read(&ir_name(name))?).ok()
    }

    fn compile(&self, names: &[&str]) -> Result<Vec<String>, DriverError> {
        let dir = tempfile::tempdir().map_err(DriverError::Scratch)?;
        for (name, text) in spelunk_libc::sources() {
            fs::write(dir.path().join(name), text).map_err(DriverError::Scratch)?;
        }
        let outputs = parallel::map(names, |name| self.clang.emit_llvm(&self.flags, &dir.path().join(name)));
        names
            .iter()
            .zip(outputs)
            .map(|(name, output)| {
                let output = output?;
                if !output.succeeded {
                    let message = String::from_utf8_lossy(&output.diagnostics).trim_end().to_owned();
                    return Err(DriverError::Runtime { message });
                }
                self.cache.write(&ir_name(name), output.text.as_bytes());
                Ok(output.text)
            })
            .collect()
    }
}

fn ir_name(source: &str) -> String {
    format!("{}.ll", source.strip_suffix(".c").unwrap_or(source))
}
