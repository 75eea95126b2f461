//! Building the program and the runtime into one executable, instrumented.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use spelunk_driver::{Accesses, Cache, Clang, Colour, Flags, Installed, ir_text, is_c, parallel};
use spelunk_report::suite::Recipe;

use crate::error::NativeError;
use crate::glue::{Glue, unit_text};
use crate::heads::Heads;
use crate::ir_source::instrumented;
use crate::own_symbols::OwnSymbols;
use crate::shared::{self, giving_way};
use crate::uninitialised::handed_over;

/// The runtime's files, by name.
const RUNTIME: &[(&str, &str)] = &[
    ("replay.h", include_str!("../runtime/replay.h")),
    ("replay.c", include_str!("../runtime/replay.c")),
    ("contain.h", include_str!("../runtime/contain.h")),
    ("contain.c", include_str!("../runtime/contain.c")),
    ("clock.c", include_str!("../runtime/clock.c")),
    ("commands.c", include_str!("../runtime/commands.c")),
    ("devices.c", include_str!("../runtime/devices.c")),
    ("files.c", include_str!("../runtime/files.c")),
    ("heads.c", include_str!("../runtime/heads.c")),
    ("heap.c", include_str!("../runtime/heap.c")),
    ("inputs.h", include_str!("../runtime/inputs.h")),
    ("inputs.c", include_str!("../runtime/inputs.c")),
    ("log.c", include_str!("../runtime/log.c")),
    ("observed.c", include_str!("../runtime/observed.c")),
    ("process.c", include_str!("../runtime/process.c")),
    ("server.c", include_str!("../runtime/server.c")),
    ("stack.c", include_str!("../runtime/stack.c")),
    ("tests.c", include_str!("../runtime/tests.c")),
    ("uninitialised.c", include_str!("../runtime/uninitialised.c")),
    ("unit.c", include_str!("../runtime/unit.c")),
];

/// What an executable notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instrumentation {
    /// Errors in the use of memory, undefined operations.
    Address,
    /// Use of uninitialised values.
    Memory,
}

/// The undefined operations that the VM knows too. They are told, and the program goes on.
const UNDEFINED: &str = "integer-divide-by-zero,shift,signed-integer-overflow,unreachable,null,bounds,function,\
                         nonnull-attribute,vla-bound,builtin";

/// What the runtime calls of the profile's, where there is one.
const PROFILING: [&str; 3] =
    ["__llvm_profile_write_buffer", "__llvm_profile_merge_from_buffer", "__llvm_profile_reset_counters"];

impl Instrumentation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Memory => "memory",
        }
    }

    /// How a function in LLVM IR asks for it.
    fn attribute(self) -> &'static str {
        match self {
            Self::Address => "sanitize_address",
            Self::Memory => "sanitize_memory",
        }
    }

    fn flags(self) -> Vec<String> {
        let kinds = match self {
            Self::Address => format!("-fsanitize=address,{UNDEFINED}"),
            Self::Memory => "-fsanitize=memory".to_owned(),
        };
        vec![kinds, "-fno-omit-frame-pointer".to_owned(), "-fno-optimize-sibling-calls".to_owned()]
    }

    /// The runtime's own accesses are of no interest, but what it writes has to count as initialised.
    fn runtime_flags(self) -> &'static [&'static str] {
        match self {
            Self::Address => &[],
            Self::Memory => &["-fsanitize=memory"],
        }
    }
}

pub struct Builder<'a> {
    pub clang: &'a Clang,
    pub recipe: &'a Recipe,
    pub glue: &'a Glue,
    /// Where everything goes.
    pub dir: &'a Path,
    /// Headers of ours that sources may include.
    pub headers: &'a Installed,
    pub own_symbols: &'a OwnSymbols,
    /// Functions that nobody defines, as LLVM IR.
    pub stubs: Option<&'a str>,
    /// Files of the VM's C library that the program needs.
    pub shared: &'a [(&'static str, &'static str)],
    /// Flags beyond the sanitizers', for compiling and linking.
    pub coverage: &'a [&'a str],
    /// Whether memory that is not initialised has what tests say.
    pub hands_over: bool,
    /// Loops that tests never leave.
    pub heads: &'a Heads,
}

struct Job {
    what: String,
    flags: Vec<OsString>,
    input: PathBuf,
    object: PathBuf,
    rewriting: Rewriting,
    /// Where the object is kept if it is the same for all programs: the runtime takes longer than most of what is tested.
    cache: Option<Cache>,
}

/// What is done to code on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rewriting {
    Nothing,
    /// Its variables are handed over to be filled, and its loops tell of their rounds, as far as that is asked for.
    Instruments,
    /// Its functions get the names under which the program calls them, and give way to the program's own.
    Shares,
}

impl Builder<'_> {
    pub fn build(&self, instrumentation: Instrumentation) -> Result<PathBuf, NativeError> {
        let dir = self.dir.join(instrumentation.name());
        fs::create_dir_all(&dir).map_err(NativeError::io(&dir))?;
        let mut jobs = self.own_jobs(&dir, instrumentation)?;
        for (number, source) in self.recipe.sources.iter().enumerate() {
            if is_c(source) {
                jobs.push(self.source_job(&dir, instrumentation, number)?);
            } else {
                jobs.extend(self.ir_jobs(&dir, instrumentation, number)?);
            }
        }
        for outcome in parallel::map(&jobs, |job| self.compile(job)) {
            outcome?;
        }
        self.link(&dir, instrumentation, &jobs)
    }

    /// What the user knows nothing of: the runtime, and the tables of calls and of loops.
    fn own_jobs(&self, dir: &Path, instrumentation: Instrumentation) -> Result<Vec<Job>, NativeError> {
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::write(&path, text).map_err(NativeError::io(&path)).map(|()| path)
        };
        for (name, text) in RUNTIME {
            write(name, text)?;
        }
        // One file: starting the compiler takes longer than what is in it.
        let tables = write("tables.c", &(self.heads.table() + &self.glue.table))?;
        let plain = ["-O1", "-w", "-fno-pic", "-fno-omit-frame-pointer"].map(OsString::from).to_vec();
        let flags =
            [&plain[..], &instrumentation.runtime_flags().iter().map(OsString::from).collect::<Vec<_>>()].concat();
        let job = |input: PathBuf| Job {
            what: "the runtime".to_owned(),
            flags: flags.clone(),
            object: input.with_extension("o"),
            input,
            rewriting: Rewriting::Nothing,
            cache: None,
        };
        let runtime = |name: &str, flags: &[OsString]| -> Result<Job, NativeError> {
            let cache = Some(self.clang.cache((flags, RUNTIME))?);
            Ok(Job { flags: flags.to_vec(), cache, ..job(dir.join(name)) })
        };
        // What runs before the sanitizers are ready is not instrumented, and comes first.
        let mut jobs = vec![runtime("contain.c", &plain)?, runtime("replay.c", &flags)?, job(tables)];
        if let Some(text) = self.stubs {
            jobs.push(job(write("stubs.ll", &self.own_symbols.renamed(text))?));
        }
        if !self.shared.is_empty() {
            let (name, text) = shared::header();
            write(name, text)?;
        }
        for (name, text) in self.shared {
            // Library code is checked like the program's own.
            let flags = plain.iter().cloned().chain(instrumentation.flags().into_iter().map(OsString::from)).collect();
            let input = write(&format!("library_{name}"), text)?;
            jobs.push(Job { flags, rewriting: Rewriting::Shares, ..job(input) });
        }
        Ok(jobs)
    }

    fn source_job(&self, dir: &Path, instrumentation: Instrumentation, number: usize) -> Result<Job, NativeError> {
        let given = &self.recipe.sources[number];
        let source = self.recipe.directory.join(given);
        let user = Flags {
            colour: Colour::Never,
            user: &self.recipe.cflags,
            own: &self.recipe.file_flags,
            headers: self.headers.path(),
            accesses: Accesses::Untyped,
        };
        let mut flags = user.for_c(number, &source);
        let ours = instrumentation.flags();
        flags.extend(ours.iter().map(OsString::from));
        flags.extend(self.coverage.iter().map(OsString::from));
        flags.push("-w".into());
        if let Some(header) = self.own_symbols.header() {
            let path = dir.join("own_symbols.h");
            fs::write(&path, header).map_err(NativeError::io(&path))?;
            flags.extend(["-include".into(), path.into_os_string()]);
        }
        let mut input = source.clone();
        if let Some(behind) = self.glue.behind.get(&number) {
            input = dir.join(format!("unit{number}.c"));
            fs::write(&input, unit_text(&source, behind)).map_err(NativeError::io(&input))?;
        }
        let object = dir.join(format!("source{number}.o"));
        let is_rewritten = self.hands_over || !self.heads.is_empty();
        let rewriting = if is_rewritten { Rewriting::Instruments } else { Rewriting::Nothing };
        Ok(Job { what: given.display().to_string(), flags, input, object, rewriting, cache: None })
    }

    /// A source that was compiled before, and the code that calls its functions. There are no macros, and no coverage.
    fn ir_jobs(&self, dir: &Path, instrumentation: Instrumentation, number: usize) -> Result<Vec<Job>, NativeError> {
        let given = &self.recipe.sources[number];
        let flags = Flags { colour: Colour::Never, user: &[], own: &[], headers: None, accesses: Accesses::Untyped };
        let text = ir_text(self.clang, &self.recipe.directory.join(given), flags)?;
        let write = |name: String, text: &str| {
            let path = dir.join(name);
            fs::write(&path, text).map_err(NativeError::io(&path)).map(|()| path)
        };
        let ours = instrumentation.flags();
        let job = |input: PathBuf, object: String| Job {
            what: given.display().to_string(),
            flags: ours.iter().map(String::as_str).chain(["-g", "-fno-pic", "-w"]).map(OsString::from).collect(),
            input,
            object: dir.join(object),
            rewriting: Rewriting::Nothing,
            cache: None,
        };
        let text = self.own_symbols.renamed(&instrumented(&text, instrumentation.attribute()));
        let text = self.instrumented(text);
        let source = write(format!("source{number}.ll"), &text)?;
        let mut jobs = vec![job(source, format!("source{number}.o"))];
        if let Some(calls) = self.glue.behind.get(&number) {
            jobs.push(job(
                write(format!("calls{number}.c"), &self.own_symbols.renamed(calls))?,
                format!("calls{number}.o"),
            ));
        }
        Ok(jobs)
    }

    /// The text of a module with all that tests ask of it.
    fn instrumented(&self, text: String) -> String {
        let text = if self.hands_over { handed_over(&text) } else { text };
        if self.heads.is_empty() { text } else { self.heads.told(&text) }
    }

    fn compile(&self, job: &Job) -> Result<(), NativeError> {
        let Some(cache) = &job.cache else { return self.compile_anew(job) };
        let name = job.object.file_name().unwrap_or_default().to_string_lossy();
        if let Some(object) = cache.read(&name) {
            return fs::write(&job.object, object).map_err(NativeError::io(&job.object));
        }
        self.compile_anew(job)?;
        cache.write(&name, &fs::read(&job.object).map_err(NativeError::io(&job.object))?);
        Ok(())
    }

    fn compile_anew(&self, job: &Job) -> Result<(), NativeError> {
        let rewrite = |text: &str| match job.rewriting {
            Rewriting::Nothing => text.to_owned(),
            Rewriting::Instruments => self.instrumented(text.to_owned()),
            Rewriting::Shares => self.own_symbols.renamed(&giving_way(text)),
        };
        if job.rewriting == Rewriting::Nothing {
            return self.translate(job, &["-c"], &job.input, &job.object);
        }
        let text = job.object.with_extension("ll");
        self.translate(job, &["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"], &job.input, &text)?;
        let written = fs::read_to_string(&text).and_then(|it| fs::write(&text, rewrite(&it)));
        written.map_err(NativeError::io(&text))?;
        self.translate(job, &["-c"], &text, &job.object)
    }

    fn translate(&self, job: &Job, how: &[&str], input: &Path, output: &Path) -> Result<(), NativeError> {
        let mut command = self.command();
        command.args(how).args(&job.flags).arg(input).arg("-o").arg(output);
        let (succeeded, message) = self.run(command)?;
        if succeeded { Ok(()) } else { Err(NativeError::Compile { what: job.what.clone(), message }) }
    }

    fn link(&self, dir: &Path, instrumentation: Instrumentation, jobs: &[Job]) -> Result<PathBuf, NativeError> {
        let executable = dir.join("tests");
        let mut command = self.command();
        // A function that nobody defines ends the path that calls it, as in the VM.
        command.args(["-no-pie", "-Wl,--wrap=main", "-Wl,--unresolved-symbols=ignore-all"]);
        command.args(["malloc", "calloc", "realloc"].map(|name| format!("-Wl,--wrap={name}")));
        if !self.coverage.is_empty() {
            command.args(PROFILING.map(|function| format!("-Wl,-u,{function}")));
        }
        command.args(instrumentation.flags()).args(self.coverage).args(jobs.iter().map(|job| &job.object));
        let given = self.recipe.file_flags.iter().flatten().chain(&self.recipe.cflags);
        command.args(given.filter(|flag| is_for_linker(flag)));
        command.arg("-lm").arg("-o").arg(&executable);
        if self.links_quickly(&command)? {
            return Ok(executable);
        }
        let (succeeded, message) = self.run(command)?;
        match succeeded {
            true => Ok(executable),
            false if message.contains("clang_rt") => {
                Err(NativeError::NoSanitizer { version: self.clang.major_version() })
            }
            false => Err(NativeError::Link { message }),
        }
    }

    /// Whether LLVM's linker is there and does what a command asks for, which takes it half the time of others.
    fn links_quickly(&self, command: &Command) -> Result<bool, NativeError> {
        let linker = self.clang.ask("-print-prog-name=ld.lld").map(PathBuf::from);
        if !linker.is_some_and(|path| path.is_absolute() && path.exists()) {
            return Ok(false);
        }
        let mut quick = self.command();
        quick.args(command.get_args()).arg("-fuse-ld=lld");
        Ok(self.run(quick)?.0)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.clang.program());
        command.current_dir(&self.recipe.directory).stdin(Stdio::null());
        command
    }

    fn run(&self, mut command: Command) -> Result<(bool, String), NativeError> {
        let output = self.clang.run(&mut command)?;
        Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Whether a flag of the user's is for the linker.
pub fn is_for_linker(flag: &str) -> bool {
    let mut prefixes = ["-l", "-L", "-Wl,"].iter();
    flag == "-pthread" || prefixes.any(|prefix| flag.starts_with(prefix))
}
