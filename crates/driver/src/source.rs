//! The user's files: what kind each is, and how it becomes textual IR.

use crate::clang::{Clang, Colour, Output};
use crate::error::DriverError;
use crate::parallel;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `.c`, and `.i` which is C after the preprocessor.
    C,
    TextualIr,
    Bitcode,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, DriverError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i") => Ok(Self::C),
            Some("ll") => Ok(Self::TextualIr),
            Some("bc") => Ok(Self::Bitcode),
            _ => Err(DriverError::UnknownKind(path.to_owned())),
        }
    }
}

/// How C is compiled. The user's flags come after ours, so that an `-O2` of theirs counts.
#[derive(Clone, Copy, Debug)]
pub struct Flags<'a> {
    pub colour: Colour,
    pub user: &'a [String],
    /// What each source has of its own, by its number; nothing for those beyond the end.
    pub own: &'a [Vec<String>],
    /// A directory of headers.
    pub headers: Option<&'a Path>,
    pub accesses: Accesses,
}

/// What code says of loads and stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Accesses {
    #[default]
    Untyped,
    /// The C types that they are of (`!tbaa`), which compilers leave out where nothing is optimised. Nothing is optimised all the same.
    Typed,
}

impl Accesses {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Untyped => &[],
            Self::Typed => &[
                "-O1",
                "-Xclang",
                "-disable-llvm-passes",
                "-Xclang",
                "-disable-lifetime-markers",
                "-U__OPTIMIZE__",
                "-D__NO_INLINE__=1",
            ],
        }
    }
}

impl Flags<'_> {
    /// For the source of a number. The headers are for sources that the preprocessor has yet to see.
    pub fn for_c(self, number: usize, source: &Path) -> Vec<OsString> {
        let colour = match self.colour {
            Colour::Never => "-fno-color-diagnostics",
            Colour::Always => "-fcolor-diagnostics",
        };
        let ours = ["-g", "-O0", NO_PIC, NO_TABLES, colour].into_iter().chain(OLD_C.iter().copied());
        // Clang warns of directories that it has no use for.
        let headers = self.headers.filter(|_| source.extension().is_none_or(|extension| extension != "i"));
        let headers = headers.iter().flat_map(|dir| [OsString::from("-idirafter"), dir.as_os_str().to_owned()]);
        let own = self.own.get(number).map_or(&[][..], Vec::as_slice);
        // Without types there is nothing to check, whatever the user says of optimisation.
        let last = self.accesses.flags().iter().copied();
        let flags = ours.chain(own.iter().chain(self.user).map(String::as_str)).chain(last);
        flags.map(OsString::from).chain(headers).collect()
    }
}

/// What C once allowed, and compilers warned of before they refused it: there are programs like that.
pub const OLD_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Position-independent code has tables of 32-bit differences of addresses at -O1 and up, which our addresses don't fit.
const NO_PIC: &str = "-fno-pic";

/// At -O1 and up, a switch between constants becomes a look into a table, which has no cases.
const NO_TABLES: &str = "-fno-jump-tables";

/// Bitcode is only written out as text. Clang does that too, so that no further tool is needed.
const BITCODE_FLAGS: &[&str] = &["-x", "ir", "-O0", "-Xclang", "-disable-llvm-passes", "-Wno-override-module"];

/// The `.ll` texts of all sources, in order, and what clang said about them.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub texts: Vec<String>,
    pub diagnostics: Vec<u8>,
}

pub(crate) fn compile_all(clang: &Clang, sources: &[PathBuf], flags: Flags<'_>) -> Result<Texts, DriverError> {
    // All paths are looked at before the first compilation, so that a misspelt one is told at once.
    let kinds = sources.iter().map(|path| check(clang, path)).collect::<Result<Vec<_>, _>>()?;
    let jobs: Vec<(usize, (&PathBuf, Kind))> = sources.iter().zip(kinds).enumerate().collect();
    let outputs = parallel::map(&jobs, |&(number, (path, kind))| emit(clang, number, path, kind, flags));

    let mut all = Texts::default();
    let mut refused = Vec::new();
    for (path, output) in sources.iter().zip(outputs) {
        let Output { succeeded, text, diagnostics } = output?;
        all.texts.push(match flags.accesses {
            Accesses::Untyped => text,
            Accesses::Typed => text.replace("isOptimized: true", "isOptimized: false"),
        });
        all.diagnostics.extend(diagnostics);
        if !succeeded {
            refused.push(path.clone());
        }
    }
    if refused.is_empty() {
        return Ok(all);
    }
    Err(DriverError::Compile { sources: refused, diagnostics: all.diagnostics })
}

fn emit(clang: &Clang, number: usize, path: &Path, kind: Kind, flags: Flags<'_>) -> Result<Output, DriverError> {
    match kind {
        Kind::C => clang.emit_llvm(&flags.for_c(number, path), path),
        Kind::Bitcode => clang.emit_llvm(BITCODE_FLAGS, path),
        Kind::TextualIr => read_text(clang, path).map(|text| Output { succeeded: true, text, diagnostics: Vec::new() }),
    }
}

/// The `.ll` text of one source, which has no flags of its own.
pub fn ir_text(clang: &Clang, path: &Path, flags: Flags<'_>) -> Result<String, DriverError> {
    let output = emit(clang, usize::MAX, path, check(clang, path)?, flags)?;
    match output.succeeded {
        true => Ok(output.text),
        false => Err(DriverError::Compile { sources: vec![path.to_owned()], diagnostics: output.diagnostics }),
    }
}

/// Whether a file is C, and not something that was made of it.
pub fn is_c(path: &Path) -> bool {
    matches!(Kind::of(path), Ok(Kind::C))
}

/// Whether positions in the text are positions in the user's file.
pub(crate) fn is_textual_ir(path: &Path) -> bool {
    matches!(Kind::of(path), Ok(Kind::TextualIr))
}

fn check(clang: &Clang, path: &Path) -> Result<Kind, DriverError> {
    fs::File::open(clang.path_of(path)).map_err(|source| DriverError::Read { path: path.to_owned(), source })?;
    Kind::of(path)
}

/// Bytes that are not UTF-8 can only stand in comments and names; which ones they are matters to nobody.
fn read_text(clang: &Clang, path: &Path) -> Result<String, DriverError> {
    let bytes = fs::read(clang.path_of(path)).map_err(|source| DriverError::Read { path: path.to_owned(), source })?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
