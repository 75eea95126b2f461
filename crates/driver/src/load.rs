//! The order of things: compile, parse, link with as much of the library as is needed, lower.

use crate::clang::{Clang, Colour};
use crate::declarations;
use crate::error::DriverError;
use crate::headers::{Header, Installed};
use crate::labels;
use crate::runtime::{Purpose, Runtime};
use crate::source::{self, Accesses, Flags};
use crate::start::START_FILE;
use crate::undefined;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_deadline::Deadline;
use spelunk_ir::code::{CheckedImage, Image, Origin, Target};
use spelunk_ir::link::{Definition, Linkage, Role, link};
use spelunk_ir::lower::{Checks, lower};
use spelunk_ir::model::{FuncId, ModuleId, Program, SymbolId};
use spelunk_ir::parse::parse_module;
use spelunk_libc::TWIN_PREFIX;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where relative paths start; the current directory if it is empty.
    pub directory: PathBuf,
    pub sources: Vec<PathBuf>,
    /// Name or path of the compiler; the newest well-tested one by default.
    pub clang: Option<String>,
    /// Handed to clang after our own flags.
    pub cflags: Vec<String>,
    /// What each source has of its own, before these; nothing for those beyond the end.
    pub file_flags: Vec<Vec<String>>,
    /// What sources may include beyond the host's headers.
    pub headers: &'static [Header],
    pub checks: Checks,
    pub purpose: Purpose,
    pub colour: Colour,
    pub deadline: Deadline,
}

/// A program that can be started.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    pub image: CheckedImage,
    /// What clang said about the sources: warnings, since errors end the loading.
    pub diagnostics: Vec<u8>,
    pub phases: Phases,
}

/// Time spent before the program runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    pub compile: Duration,
    /// Includes the library's files, and compiling those that the cache does not have.
    pub parse: Duration,
    pub link: Duration,
    pub lower: Duration,
}

pub fn load(options: &Options) -> Result<Loaded, DriverError> {
    let mut phases = Phases::default();
    let clang = Clang::find(options.clang.as_deref())?.until(&options.deadline).within(&options.directory);
    let headers = Installed::new(options.headers)?;
    let accesses = if options.checks.effective_type { Accesses::Typed } else { Accesses::Untyped };
    let (user, own) = (&options.cflags, &options.file_flags);
    let flags = Flags { colour: options.colour, user, own, headers: headers.path(), accesses };
    let sources = timed(&mut phases.compile, || {
        thread::scope(|scope| {
            // The library's index is made when it is first used: best now, while clang is what we wait for.
            scope.spawn(|| spelunk_libc::rt_file_defining("main"));
            source::compile_all(&clang, &options.sources, flags)
        })
    })?;

    let mut loader = Loader {
        program: Program::new(),
        runtime: Runtime::new(&clang, options.purpose)?,
        purpose: options.purpose,
        n_user: 0,
        library: FxHashSet::default(),
        twins: FxHashSet::default(),
        phases,
    };
    let check_time = || options.deadline.over().map_or(Ok(()), |over| Err(DriverError::Over(over)));
    check_time()?;
    loader.parse_user(&options.sources, &sources.texts)?;
    check_time()?;
    loader.parse_library(&[START_FILE])?;
    let mut linkage = loader.link_with_definitions()?;
    check_time()?;
    if loader.describe_undefined(&clang, &options.sources, flags, &linkage)? {
        linkage = loader.link_with_library()?;
        check_time()?;
    }
    loader.read_labels(&clang, &options.sources, flags)?;
    check_time()?;
    let image = loader.lower(&linkage, options.checks)?;
    Ok(Loaded { program: loader.program, image, diagnostics: sources.diagnostics, phases: loader.phases })
}

struct Loader<'c> {
    program: Program,
    runtime: Runtime<'c>,
    purpose: Purpose,
    /// The modules below are the user's; the next is the one that starts the program; then comes the library.
    n_user: usize,
    /// Library files that were parsed.
    library: FxHashSet<&'static str>,
    /// Library modules that nobody refers to, and that are linked nevertheless.
    twins: FxHashSet<ModuleId>,
    phases: Phases,
}

impl Loader<'_> {
    fn parse_user(&mut self, paths: &[PathBuf], texts: &[String]) -> Result<(), DriverError> {
        timed(&mut self.phases.parse, || {
            for (path, text) in paths.iter().zip(texts) {
                let in_file = if source::is_textual_ir(path) { DriverError::Parse } else { DriverError::CompiledIr };
                parse_module(&mut self.program, &path.to_string_lossy(), text).map_err(in_file)?;
            }
            self.n_user = self.program.modules.len();
            Ok(())
        })
    }

    fn parse_library(&mut self, files: &[&'static str]) -> Result<(), DriverError> {
        timed(&mut self.phases.parse, || {
            for (file, text) in files.iter().zip(self.runtime.texts(files)?) {
                parse_module(&mut self.program, file, &text).map_err(DriverError::CompiledIr)?;
                self.library.insert(file);
            }
            Ok(())
        })
    }

    /// Links, and adds library files until none defines a name that is still missing.
    fn link_with_library(&mut self) -> Result<Linkage, DriverError> {
        loop {
            // Nobody refers to the file that starts the program, so it takes part like one of the user's.
            let is_first = first_are_program(self.n_user + 1);
            let role = |module| if self.twins.contains(&module) { Role::Program } else { is_first(module) };
            let linkage = timed(&mut self.phases.link, || link(&self.program, role))?;
            let wanted = self.library_files(&linkage, spelunk_libc::rt_file_defining);
            let twins = match self.purpose {
                Purpose::Run => Vec::new(),
                Purpose::Explore => {
                    self.library_files(&linkage, |name| spelunk_libc::rt_file_defining(spelunk_libc::twin_of(name)?))
                }
            };
            if wanted.is_empty() && twins.is_empty() {
                return Ok(linkage);
            }
            self.parse_library(&wanted)?;
            let first_twin = self.program.modules.len();
            self.parse_library(&twins)?;
            self.twins.extend((first_twin..self.program.modules.len()).map(ModuleId::new));
        }
    }

    /// Files that were not parsed yet, for the symbols that have no definition.
    fn library_files(&self, linkage: &Linkage, file_for: impl Fn(&str) -> Option<&'static str>) -> Vec<&'static str> {
        let undefined = linkage.undefined_symbols().iter().map(|&symbol| &*self.program.symbol(symbol).name);
        let mut files = Vec::new();
        for file in undefined.filter_map(file_for) {
            if !self.library.contains(file) && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// Links. Functions without a definition are no concern here; variables without one are zeros where paths are explored,
    /// and otherwise can't be served at all.
    fn link_with_definitions(&mut self) -> Result<Linkage, DriverError> {
        let linkage = self.link_with_library()?;
        let names = undefined::missing(&self.program, &linkage);
        match self.purpose {
            Purpose::Run => {
                let is_main = |symbol: &SymbolId| *self.program.symbol(*symbol).name == *"main";
                let main = linkage.undefined_symbols().iter().copied().find(is_main);
                if main.is_some_and(|main| linkage.definition(main) == Definition::Undefined) {
                    return Err(DriverError::NoMain);
                }
                if names.is_empty() { Ok(linkage) } else { Err(DriverError::UndefinedVariables { names }) }
            }
            Purpose::Explore if names.is_empty() => Ok(linkage),
            Purpose::Explore => {
                let text = undefined::definitions(&self.program, &names);
                parse_module(&mut self.program, undefined::MODULE, &text).map_err(DriverError::CompiledIr)?;
                self.link_with_library()
            }
        }
    }

    /// Adds what the sources say of functions that nobody defines: what these return is input. Says whether that is anything.
    fn describe_undefined(
        &mut self,
        clang: &Clang,
        sources: &[PathBuf],
        flags: Flags<'_>,
        linkage: &Linkage,
    ) -> Result<bool, DriverError> {
        if self.purpose == Purpose::Run {
            return Ok(false);
        }
        let wanted = declarations::wanted(&self.program, linkage, self.n_user);
        let texts = timed(&mut self.phases.compile, || declarations::texts(clang, sources, flags, &wanted))?;
        for text in &texts {
            parse_module(&mut self.program, declarations::MODULE, text).map_err(DriverError::CompiledIr)?;
        }
        Ok(!texts.is_empty())
    }

    /// Reads the labels of switches, which matter to coverage only.
    fn read_labels(&mut self, clang: &Clang, sources: &[PathBuf], flags: Flags<'_>) -> Result<(), DriverError> {
        if self.purpose == Purpose::Explore {
            let wanted = labels::wanted(&self.program, self.n_user);
            self.program.labels = timed(&mut self.phases.compile, || labels::read(clang, sources, flags, &wanted))?;
        }
        Ok(())
    }

    fn lower(&mut self, linkage: &Linkage, checks: Checks) -> Result<CheckedImage, DriverError> {
        let role = first_are_program(self.n_user);
        let mut image = timed(&mut self.phases.lower, || lower(&self.program, linkage, role, checks))?;
        if self.purpose == Purpose::Explore {
            add_twins(&mut image);
        }
        Ok(timed(&mut self.phases.lower, || CheckedImage::new(image)))
    }
}

/// Tells the image which functions stand in for externals. In reports they have the names of these.
fn add_twins(image: &mut Image) {
    let twins: FxHashMap<&str, FuncId> = (0..)
        .zip(&image.functions)
        .filter(|(_, code)| code.target == Target::Code && code.origin == Origin::Library)
        .filter(|(_, code)| code.name.starts_with(TWIN_PREFIX))
        .map(|(idx, code)| (&*code.name, FuncId::new(idx)))
        .collect();
    let twin_of = |name: &str| twins.get(spelunk_libc::twin_of(name)?).copied();
    image.twins = image.externals.iter().map(|name| twin_of(name)).collect();
    for code in &mut image.functions {
        if let Some(name) = code.name.strip_prefix(TWIN_PREFIX) {
            code.name = name.into();
        }
    }
}

/// The first `n` modules are the program's, all others the library's.
fn first_are_program(n: usize) -> impl Fn(ModuleId) -> Role {
    move |module| if module.index() < n { Role::Program } else { Role::Library }
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}
