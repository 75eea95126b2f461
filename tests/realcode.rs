//! Libraries that others wrote, driven by the programs in `realcode/`: the VM must print what the native build prints,
//! byte for byte, and find nothing to report. One trial per run of a program, named `PROGRAM/RUN`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use spelunk_tests::compare::{self, Streams};
use spelunk_tests::config::{CONFIGS, Config};
use spelunk_tests::native::{self, Invocation, Sources};
use spelunk_tests::process::{End, Output};
use spelunk_tests::realcode::{self, BZIP2, BZLIB, LUA, LUA_55, LZ4, Library, Packages, SQLITE, ZLIB};
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
    runs: &'static [Run],
}

struct Run {
    name: &'static str,
    /// An argument that starts with `@` is a file of `realcode/`.
    args: &'static [&'static str],
    stdin: Stdin,
    exit: i32,
}

enum Stdin {
    Text(&'static str),
    /// A file of the program's last library.
    Packaged(&'static str),
}

const fn plain(name: &'static str, args: &'static [&'static str]) -> Run {
    Run { name, args, stdin: Stdin::Text(""), exit: 0 }
}

const LUA_RUNS: &[Run] = &[
    plain("functions", &["@lua/functions.lua"]),
    plain("strings", &["@lua/strings.lua"]),
    plain("tables", &["@lua/tables.lua"]),
    plain("coroutines", &["@lua/coroutines.lua"]),
    plain("numbers", &["@lua/numbers.lua"]),
    Run { name: "files", args: &["@lua/files.lua", "one", "two"], stdin: Stdin::Text("abc\ndef\nlast"), exit: 3 },
];

const SQLITE_RUNS: &[Run] = &[plain("memory", &[":memory:"]), plain("file", &["caves.db"])];

const PROGRAMS: &[Program] = &[
    Program { name: "lua", driver: Some("lua.c"), libraries: &[LUA], cflags: &[], runs: LUA_RUNS },
    Program { name: "lua55", driver: Some("lua.c"), libraries: &[LUA_55], cflags: &[], runs: LUA_RUNS },
    Program { name: "zlib", driver: Some("zlib.c"), libraries: &[ZLIB], cflags: &[], runs: &[plain("all", &[])] },
    Program { name: "libbz2", driver: Some("bzip2.c"), libraries: &[BZLIB], cflags: &[], runs: &[plain("all", &[])] },
    Program {
        name: "bzip2",
        driver: None,
        libraries: &[BZLIB, BZIP2],
        cflags: &[],
        runs: &[
            Run { name: "compress", args: &["-c9"], stdin: Stdin::Packaged("sample3.ref"), exit: 0 },
            Run { name: "decompress", args: &["-dc"], stdin: Stdin::Packaged("sample1.bz2"), exit: 0 },
            Run { name: "test-damaged", args: &["-tvv"], stdin: Stdin::Packaged("sample1.ref"), exit: 2 },
            plain("licence", &["-L"]),
        ],
    },
    Program { name: "lz4", driver: Some("lz4.c"), libraries: &[LZ4], cflags: &[], runs: &[plain("all", &[])] },
    Program { name: "sqlite", driver: Some("sqlite.c"), libraries: &[SQLITE], cflags: &[], runs: SQLITE_RUNS },
    Program {
        name: "sqlite-small",
        driver: Some("sqlite.c"),
        libraries: &[SQLITE],
        cflags: &["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_DEBUG"],
        runs: SQLITE_RUNS,
    },
];

/// A program with its files found; it is built natively when its first run needs it.
struct Prepared {
    program: &'static Program,
    files: Vec<PathBuf>,
    cflags: Vec<String>,
    data_dir: PathBuf,
    native: OnceLock<Result<NativeBuild, String>>,
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
            trials.push(Trial::test(name, move || judge(&prepared, run, &spelunk).map_err(Failed::from)));
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
    Ok(Prepared { program, files, cflags, data_dir, native: OnceLock::new() })
}

impl Prepared {
    fn sources(&self) -> Sources<'_> {
        Sources { files: &self.files, cflags: &self.cflags }
    }

    fn native(&self) -> Result<&NativeBuild, String> {
        self.native.get_or_init(|| self.build().map_err(|error| error.to_string())).as_ref().map_err(Clone::clone)
    }

    fn build(&self) -> Result<NativeBuild, Box<dyn std::error::Error>> {
        let dir = tempfile::tempdir()?;
        let exe = dir.path().join(self.program.name);
        native::build(&self.sources(), config(), &exe)?;
        Ok(NativeBuild { exe, _dir: dir })
    }
}

fn config() -> Config {
    CONFIGS[0]
}

fn judge(prepared: &Prepared, run: &Run, spelunk: &Spelunk) -> Result<(), String> {
    let args: Vec<String> = run.args.iter().map(|arg| expand(arg)).collect();
    let stdin = match run.stdin {
        Stdin::Text(text) => text.as_bytes().to_vec(),
        Stdin::Packaged(name) => {
            let path = prepared.data_dir.join(name);
            std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?
        }
    };
    let run_in_fresh_dir = |limit, run: &dyn Fn(&Invocation<'_>) -> Result<Output, native::NativeError>| {
        let dir = tempfile::tempdir().map_err(|error| format!("cannot make a temporary directory: {error}"))?;
        run(&Invocation { args: &args, stdin: &stdin, env: &[], dir: dir.path(), limit }).map_err(|e| e.to_string())
    };

    let build = prepared.native()?;
    let native = run_in_fresh_dir(NATIVE_LIMIT, &|invocation| native::run(&build.exe, invocation))?;
    if native.end != End::Exited(run.exit) {
        let (end, text) = (native.end, native.stdout_text());
        return Err(format!("the test itself is wrong: the native run ended with {end}\n{text}"));
    }
    let vm = run_in_fresh_dir(VM_LIMIT, &|invocation| spelunk.exec(&prepared.sources(), config(), &[], invocation))?;
    match compare::difference(&native, &vm, Streams::Stdout) {
        None => Ok(()),
        Some(difference) => Err(format!("{difference}spelunk's stderr:\n{}", vm.stderr_text())),
    }
}

fn expand(arg: &str) -> String {
    match arg.strip_prefix('@') {
        Some(file) => realcode::drivers_dir().join(file).display().to_string(),
        None => arg.to_owned(),
    }
}
