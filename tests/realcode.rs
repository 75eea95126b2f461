//! Libraries that others wrote, driven by the programs in `realcode/`: the VM must print what the native build prints,
//! byte for byte, and find nothing to report, except what is known to be wrong with them. One trial per run of a
//! program, named `PROGRAM/RUN`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use spelunk_tests::compare::{self, Streams};
use spelunk_tests::config::Config;
use spelunk_tests::native::{self, Invocation, Sources};
use spelunk_tests::process::{End, Output};
use spelunk_tests::realcode::{self, BZIP2, BZLIB, LUA, LUA_55, LZ4, Library, Packages, QUICKJS, SQLITE, ZLIB};
use spelunk_tests::report::parse_reports;
use spelunk_tests::spelunk::Spelunk;
use tempfile::TempDir;

const NATIVE_LIMIT: Duration = Duration::from_secs(30);
/// Generous: a loaded machine, compilation included.
const VM_LIMIT: Duration = Duration::from_secs(300);

/// A driver of ours, the libraries it is linked with, and what it is run on.
struct Program {
    name: &'static str,
    driver: Option<&'static str>,
    libraries: &'static [Library],
    cflags: &'static [&'static str],
    /// By name: see `config::CONFIGS`.
    config: &'static str,
    runs: &'static [Run],
}

struct Run {
    name: &'static str,
    /// An argument that starts with `@` is a file of `realcode/`.
    args: &'static [&'static str],
    stdin: Stdin,
    expected: Expected,
}

enum Expected {
    /// The native run ends with this status, and the VM's is the same in everything.
    Exit(i32),
    /// The VM stops with this one report.
    Report { file: &'static str, line: usize, kind: &'static str },
}

enum Stdin {
    Text(&'static str),
    /// A file of the program's last library.
    Packaged(&'static str),
}

const fn plain(name: &'static str, args: &'static [&'static str]) -> Run {
    Run { name, args, stdin: Stdin::Text(""), expected: Expected::Exit(0) }
}

const LUA_RUNS: &[Run] = &[
    plain("functions", &["@lua/functions.lua"]),
    plain("strings", &["@lua/strings.lua"]),
    plain("tables", &["@lua/tables.lua"]),
    plain("coroutines", &["@lua/coroutines.lua"]),
    plain("numbers", &["@lua/numbers.lua"]),
    Run {
        name: "files",
        args: &["@lua/files.lua", "one", "two"],
        stdin: Stdin::Text("abc\ndef\nlast"),
        expected: Expected::Exit(3),
    },
];

const BZIP2_RUNS: &[Run] = &[
    Run { name: "compress", args: &["-c9"], stdin: Stdin::Packaged("sample3.ref"), expected: Expected::Exit(0) },
    Run { name: "decompress", args: &["-dc"], stdin: Stdin::Packaged("sample1.bz2"), expected: Expected::Exit(0) },
    Run { name: "test-damaged", args: &["-tvv"], stdin: Stdin::Packaged("sample1.ref"), expected: Expected::Exit(2) },
    plain("licence", &["-L"]),
];

const ZLIB_RUNS: &[Run] = &[
    plain("all", &[]),
    // Entries of hash chains that were never set are compared; zlib's authors silence the memory sanitizer there.
    Run {
        name: "unset-memory",
        args: &["unset"],
        stdin: Stdin::Text(""),
        expected: Expected::Report { file: "deflate.c", line: 203, kind: "uninitialised" },
    },
];

const SQLITE_RUNS: &[Run] = &[plain("memory", &[":memory:"]), plain("file", &["caves.db"])];

/// What a row of `PROGRAMS` need not say.
const PROGRAM: Program = Program { name: "", driver: None, libraries: &[], cflags: &[], config: "O0", runs: &[] };

const PROGRAMS: &[Program] = &[
    Program { name: "lua", driver: Some("lua.c"), libraries: &[LUA], runs: LUA_RUNS, ..PROGRAM },
    Program {
        name: "lua-O2",
        driver: Some("lua.c"),
        libraries: &[LUA],
        config: "O2",
        runs: &[plain("coroutines", &["@lua/coroutines.lua"])],
        ..PROGRAM
    },
    Program { name: "lua55", driver: Some("lua.c"), libraries: &[LUA_55], runs: LUA_RUNS, ..PROGRAM },
    Program { name: "zlib", driver: Some("zlib.c"), libraries: &[ZLIB], runs: ZLIB_RUNS, ..PROGRAM },
    Program { name: "libbz2", driver: Some("bzip2.c"), libraries: &[BZLIB], runs: &[plain("all", &[])], ..PROGRAM },
    Program { name: "bzip2", libraries: &[BZLIB, BZIP2], runs: BZIP2_RUNS, ..PROGRAM },
    Program { name: "lz4", driver: Some("lz4.c"), libraries: &[LZ4], runs: &[plain("all", &[])], ..PROGRAM },
    Program { name: "sqlite", driver: Some("sqlite.c"), libraries: &[SQLITE], runs: SQLITE_RUNS, ..PROGRAM },
    Program {
        name: "sqlite-small",
        driver: Some("sqlite.c"),
        libraries: &[SQLITE],
        cflags: &["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_DEBUG"],
        runs: SQLITE_RUNS,
        ..PROGRAM
    },
    Program { name: "quickjs", libraries: &[QUICKJS], runs: &[plain("language", &["@quickjs.js"])], ..PROGRAM },
];

/// A program with its files found; it is built natively when its first run needs it.
struct Prepared {
    program: &'static Program,
    config: Config,
    files: Vec<PathBuf>,
    cflags: Vec<String>,
    data_dir: PathBuf,
    native: OnceLock<Result<NativeBuild, String>>,
    /// The files as LLVM IR, for all runs but the first, which starts with the sources.
    compiled: OnceLock<Result<Compiled, String>>,
}

struct Compiled {
    files: Vec<PathBuf>,
    _dir: TempDir,
}

struct NativeBuild {
    exe: PathBuf,
    _dir: TempDir,
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Box<dyn std::error::Error>> {
    let spelunk = Arc::new(Spelunk::locate()?);
    let packages = Packages::locate()?;
    let mut trials = Vec::new();
    for program in PROGRAMS {
        let prepared = Arc::new(prepare(program, &packages)?);
        for run in program.runs {
            let (prepared, spelunk) = (Arc::clone(&prepared), Arc::clone(&spelunk));
            let name = format!("{}/{}", program.name, run.name);
            let start = if std::ptr::eq(run, &program.runs[0]) { Start::Sources } else { Start::Compiled };
            trials.push(Trial::test(name, move || judge(&prepared, run, start, &spelunk).map_err(Failed::from)));
        }
    }
    Ok(trials)
}

fn prepare(program: &'static Program, packages: &Packages) -> Result<Prepared, realcode::RealCodeError> {
    let mut files: Vec<PathBuf> = program.driver.iter().map(|name| realcode::drivers_dir().join(name)).collect();
    let mut cflags: Vec<String> = program.cflags.iter().map(|flag| (*flag).to_owned()).collect();
    let mut data_dir = PathBuf::new();
    for library in program.libraries {
        files.extend(packages.sources(library)?);
        cflags.extend(packages.cflags(library)?);
        data_dir = packages.dir(library)?;
    }
    let config = Config::by_name(program.config).expect("a row names a configuration that there is");
    Ok(Prepared { program, config, files, cflags, data_dir, native: OnceLock::new(), compiled: OnceLock::new() })
}

/// What the VM is given.
#[derive(Clone, Copy)]
enum Start {
    Sources,
    Compiled,
}

impl Prepared {
    fn files(&self, start: Start) -> Result<&[PathBuf], String> {
        match start {
            Start::Sources => Ok(&self.files),
            Start::Compiled => match self.compiled.get_or_init(|| self.compile().map_err(|error| error.to_string())) {
                Ok(compiled) => Ok(&compiled.files),
                Err(error) => Err(error.clone()),
            },
        }
    }

    fn compile(&self) -> Result<Compiled, Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        let name = |number: usize| dir.path().join(format!("{number}.ll"));
        let files: Vec<PathBuf> = (0..self.files.len()).map(name).collect();
        for (source, target) in self.files.iter().zip(&files) {
            native::emit_llvm(source, &self.cflags, self.config, target)?;
        }
        Ok(Compiled { files, _dir: dir })
    }

    fn sources(&self) -> Sources<'_> {
        Sources { files: &self.files, cflags: &self.cflags }
    }

    fn native(&self) -> Result<&NativeBuild, String> {
        self.native.get_or_init(|| self.build().map_err(|error| error.to_string())).as_ref().map_err(Clone::clone)
    }

    fn build(&self) -> Result<NativeBuild, Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        let exe = dir.path().join(self.program.name);
        native::build(&self.sources(), self.config, &exe)?;
        Ok(NativeBuild { exe, _dir: dir })
    }
}

fn judge(prepared: &Prepared, run: &Run, start: Start, spelunk: &Spelunk) -> Result<(), String> {
    let args: Vec<String> = run.args.iter().map(|arg| expand(arg)).collect();
    let stdin = match run.stdin {
        Stdin::Text(text) => text.as_bytes().to_vec(),
        Stdin::Packaged(name) => {
            let path = prepared.data_dir.join(name);
            std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?
        }
    };
    let invocation = |dir, limit| Invocation { args: &args, stdin: &stdin, env: &[], dir, limit };
    let dir = fresh_dir()?;
    let sources = Sources { files: prepared.files(start)?, cflags: &prepared.cflags };
    let vm = spelunk.exec(&sources, prepared.config, &[], &invocation(dir.path(), VM_LIMIT));
    let vm = vm.map_err(|error| error.to_string())?;
    let exit = match run.expected {
        Expected::Exit(status) => status,
        Expected::Report { file, line, kind } => return judge_report(&vm, file, line, kind),
    };

    let dir = fresh_dir()?;
    let native = native::run(&prepared.native()?.exe, &invocation(dir.path(), NATIVE_LIMIT));
    let native = native.map_err(|error| error.to_string())?;
    if native.end != End::Exited(exit) {
        let (end, text) = (native.end, native.stdout_text());
        return Err(format!("the test itself is wrong: the native run ended with {end}\n{text}"));
    }
    match compare::difference(&native, &vm, Streams::Stdout) {
        None => Ok(()),
        Some(difference) => Err(format!("{difference}spelunk's stderr:\n{}", vm.stderr_text())),
    }
}

fn fresh_dir() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| format!("cannot make a temporary directory: {error}"))
}

fn judge_report(vm: &Output, file: &str, line: usize, kind: &str) -> Result<(), String> {
    match parse_reports(&vm.stderr_text()).as_slice() {
        [report] if report.kind == kind => match &report.position {
            Some(at) if at.line == line && at.file.ends_with(file) => Ok(()),
            _ => Err(format!("the report is not at {file}:{line}\n{}", vm.stderr_text())),
        },
        _ => Err(format!("expected one report of kind {kind}, got:\n{}", vm.stderr_text())),
    }
}

fn expand(arg: &str) -> String {
    match arg.strip_prefix('@') {
        Some(file) => realcode::drivers_dir().join(file).display().to_string(),
        None => arg.to_owned(),
    }
}
