//! The command line.

use crate::grammar::GrammarArgs;
use crate::headings::grouped;
use crate::run::RunArgs;
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use spelunk_engine::{Check, Keep};
use spelunk_export::Format;
use spelunk_inputs::settings::Setting;
use spelunk_native::Confinement;
use spelunk_solver::blast::SatKind;
use spelunk_solver::chain::{Backend, Layer};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Parser, Debug)]
#[command(
    name = "spelunk",
    version,
    about = "Generates tests for C: explores the paths of functions and programs, and reports the errors on them"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The definition of the command line. What is compiled is known to a campaign that goes on.
pub fn command() -> clap::Command {
    let known_otherwise = |arg: clap::Arg| match arg.get_id() == "sources" {
        true => arg.required(false).required_unless_present_any(["resume", "build"]),
        false => arg,
    };
    Cli::command().mut_subcommands(|command| match command.get_name() {
        "run" => grouped(command.mut_args(known_otherwise)),
        _ => command,
    })
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a program and report the first error at the line where it happens
    ///
    /// The exit code is the program's own if it ends by itself (128 + N if it is killed by signal N), 1 if an error was
    /// found, 2 if the command line is wrong or a source can't be read or compiled, and 3 if spelunk itself is at fault.
    Exec(ExecArgs),

    /// Explore the paths of a program or function: generate inputs that take them, and find errors
    ///
    /// Ctrl-C and SIGTERM stop the search and keep everything that was found; a second one ends the program. The exit code
    /// is 0 if nothing was found, 1 if a bug was found, also if a limit or a signal ended the search; without a bug, 5 if the program may
    /// not end, 6 if stack or memory ran out, 4 if all findings need a precondition. It is 2 if the command line is wrong or a source
    /// can't be read or compiled in time, 3 if spelunk itself failed, and 130 if a signal ended it before there was anything to keep.
    Run(Box<RunArgs>),

    /// Propose rules for heaps, in HEX, from structures that the program builds itself
    ///
    /// All sequences of 1 to N calls are explored, as `spelunk run --sequence` does. Rules that hold for every structure they leave are printed
    /// with the evidence for each, to be read and kept for `spelunk run --hex`. The exit code is 0 if there was a structure to learn from, 2 if the
    /// command line is wrong, a source can't be compiled or no structure was built, and 3 if spelunk itself is at fault.
    Hex(HexArgs),

    /// Check a grammar: symbols without use, numbers of texts by size, examples
    ///
    /// What is wrong is shown as a compiler would. The exit code is 0 if the grammar has texts, 2 if it can't be read or has none, and 3 if
    /// spelunk itself is at fault.
    Grammar(GrammarArgs),

    /// Draw the inputs of tests: objects as boxes, pointers as arrows
    Show(ShowArgs),

    /// Write a report of a campaign: an HTML page, SARIF, or annotations for a pull request
    ///
    /// If the directory holds one campaign for each function, as `spelunk run --entry all` leaves it, they are all
    /// reported. The exit code is 0 if the report was written, whatever it says, 2 if the directory can't be read or the
    /// report not written, and 3 if spelunk itself is at fault.
    Report(ReportArgs),

    /// Run the tests of a campaign natively, with sanitizers, and compare the results with the predictions
    ///
    /// The program is compiled as the campaign did, with sanitizers. The exit code is 0 if every test went as predicted and
    /// none shows a bug, 1 if a bug is confirmed, 2 if the command line is wrong or the tests can't be compiled or run, and 3
    /// if a test ended otherwise than predicted.
    Replay(ReplayArgs),

    /// Export the tests of a campaign for test frameworks and other tools
    ///
    /// If the directory holds one campaign for each function, as `spelunk run --entry all` leaves it, each is exported. Tests
    /// that can't be expressed are left out, with the reason. The exit code is 0 if the export was written, 2 if the
    /// command line is wrong or the campaign can't be read or the export not written, and 3 if spelunk itself is at fault.
    Export(ExportArgs),

    /// Reduce the tests of a campaign to those needed for the same coverage, and one for each finding
    ///
    /// Coverage is measured again; to lose any is an error. The tests are renumbered. The exit code
    /// is 0 if the tests were chosen, 2 if the command line is wrong or the campaign can't be read, compiled or written, and
    /// 3 if spelunk itself is at fault.
    Minimise(MinimiseArgs),

    /// Answer an SMT-LIB 2 script
    ///
    /// Understands bit-vectors, arrays, uninterpreted functions and floats, without quantifiers. The exit code is 0 if
    /// every command was obeyed and every check answered, 1 if a check was answered `unknown` or a command could not be
    /// obeyed, 2 if the command line or the script is wrong, and 3 if spelunk itself is at fault.
    Smt(SmtArgs),

    /// Print the reference of the command line as Markdown
    #[command(hide = true)]
    Reference,
}

#[derive(Args, Debug)]
pub struct ExecArgs {
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,

    /// Memory limit: how much the program may allocate
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub max_memory: ByteSize,

    /// Maximum stack size
    #[arg(long, value_name = "SIZE", default_value = "8MiB")]
    pub stack_size: ByteSize,

    /// Stop after N instructions
    #[arg(long = "max-instructions", alias = "max-steps", value_name = "N")]
    pub max_steps: Option<u64>,

    /// Run with the input of a test that `spelunk run` wrote, and check that it behaves as the test says
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,

    /// Print statistics to standard error at the end
    #[arg(long)]
    pub stats: bool,

    /// List the C library functions that programs can use, and stop
    #[arg(long, exclusive = true)]
    pub list_libc: bool,
}

/// What is compiled, and how.
#[derive(Args, Debug)]
pub struct CompileArgs {
    /// C sources (.c, .i) or LLVM IR (.ll, .bc), linked together; with -p, files of the build or patterns such as 'src/list*.c'
    #[arg(value_name = "SRC", required_unless_present = "build")]
    pub sources: Vec<PathBuf>,

    /// A build: compile_commands.json, or a directory that has one. Files are compiled with the flags that it gives them, and
    /// those that define what the tested functions need are added
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub build: Option<PathBuf>,

    /// With -p: files of the build to leave alone, by name or pattern; may be repeated
    #[arg(long, value_name = "PATTERN", requires = "build")]
    pub exclude: Vec<String>,

    /// Do not read spelunk.toml, which is otherwise looked for in this directory and those above (docs/projects.md)
    #[arg(long)]
    pub no_config: bool,

    /// The clang to compile with, by name or path [default: the first of clang-19, clang-18, … on PATH]
    #[arg(long, env = "SPELUNK_CLANG", value_name = "CLANG", hide_env = true)]
    pub clang: Option<String>,

    /// A flag for clang, such as -DNAME or -O2; may be repeated
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// Additional checks, separated by commas
    #[arg(long = "check", value_name = "CHECK", value_delimiter = ',', value_parser = described(Check::ALL, Check::name, about_check))]
    pub checks: Vec<Check>,
}

#[derive(Args, Debug)]
pub struct HexArgs {
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Flags for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,

    /// Functions to call one after another in any order, separated by commas: they build and change one structure
    #[arg(long, value_name = "FN,…", value_delimiter = ',', required = true)]
    pub sequence: Vec<String>,

    /// Maximum number of calls in a sequence
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    pub length: u32,

    /// Time limit, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = humantime::parse_duration)]
    pub time: Duration,

    /// Name of the structure's parameter in the rules [default: as in the functions]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// What a parameter of the functions is, or a member of a structure, as for `spelunk run`; may be repeated
    #[arg(long, value_name = "NAME=…")]
    pub param: Vec<Setting>,

    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The directory of a campaign
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// The number of a test; may be repeated [default: all]
    #[arg(long = "test", value_name = "N")]
    pub tests: Vec<u64>,

    /// Write NNNNNN.svg beside each test instead of printing it
    #[arg(long)]
    pub svg: bool,
}

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The directory of a campaign
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    pub format: ReportFormat,

    /// Where to, - for standard output [default: report.html or report.sarif in DIR, standard output for github]
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// One page that needs nothing else
    Html,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The directory of the campaign
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// Run only the test of this number; may be repeated
    #[arg(long, value_name = "ID")]
    pub test: Vec<u64>,

    /// Run the tests in the virtual machine instead, and compare path, end and effects with what they say
    #[arg(long)]
    pub vm: bool,

    #[command(flatten)]
    pub limit: TimeArgs,

    #[command(flatten)]
    pub native: NativeArgs,
}

/// How long it may take.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeArgs {
    /// Time limit, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
}

/// What native runs may do.
#[derive(Args, Clone, Copy, Debug)]
pub struct NativeArgs {
    /// How native runs are confined: `contained` runs change nothing on this machine, `uncontained` runs have your rights
    #[arg(long, value_name = "HOW", default_value = "contained", value_parser = named(Confinement::ALL, Confinement::name))]
    pub replay: Confinement,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The directory of a campaign
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// What to write
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::ALL, Format::name))]
    pub format: Format,

    /// Output directory, created if missing [default: export-FORMAT in DIR]
    #[arg(long, value_name = "OUTDIR")]
    pub to: Option<PathBuf>,

    /// Export only the test of this number; may be repeated
    #[arg(long, value_name = "N")]
    pub test: Vec<u64>,

    /// For corpus: the object whose bytes are the input, such as stdin [default: all, one after another]
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,

    /// Copy the program's sources into the export instead of referring to them
    #[arg(long)]
    pub copy_sources: bool,

    #[command(flatten)]
    pub limit: TimeArgs,
}

#[derive(Args, Debug)]
pub struct MinimiseArgs {
    /// The directory of the campaign
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// What the chosen tests must still cover
    #[arg(long, value_name = "WHAT", default_value = "branches", value_parser = described(Keep::MEASURED, Keep::name, about_keep))]
    pub keep: Keep,

    /// Write the chosen tests to another directory, and leave the campaign as it is
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub limit: TimeArgs,

    #[command(flatten)]
    pub native: NativeArgs,
}

#[derive(Args, Debug)]
pub struct SmtArgs {
    /// The script, or - for standard input
    #[arg(value_name = "FILE")]
    pub script: PathBuf,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Print what each layer of the solver did to standard error at the end
    #[arg(long)]
    pub stats: bool,
}

/// How conditions are decided.
#[derive(Args, Debug)]
pub struct SolverArgs {
    /// Backend for queries that the built-in layers cannot answer: bit-blasting with Z3 for the rest, or one of them
    #[arg(long, value_name = "SOLVER", default_value = "auto", value_parser = named(Backend::ALL, Backend::name))]
    pub solver: Backend,

    /// SAT solver of the bit-blaster: the built-in one, CaDiCaL, or both in turns
    #[arg(long, value_name = "SAT", default_value = "auto", value_parser = named(SatKind::ALL, SatKind::name))]
    pub sat: SatKind,

    /// Disable a solver layer; does not change answers; may be repeated
    #[arg(long, value_name = "LAYER", value_parser = named(Layer::ALL, Layer::name))]
    pub without: Vec<Layer>,

    /// Time limit of one query, such as 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time_limit: Option<Duration>,

    /// Write the queries that reach the backends to this directory
    #[arg(long, value_name = "DIR", value_parser = new_dir)]
    pub log_queries: Option<PathBuf>,

    /// Write the queries that reach this layer instead
    #[arg(long, value_name = "LAYER", requires = "log_queries", value_parser = named(Layer::ALL, Layer::name))]
    pub log_before: Option<Layer>,
}

/// Reads one of the items by its name.
pub fn named<T: Copy + Send + Sync + 'static>(
    items: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    among(items, name, items.iter().map(|&item| PossibleValue::new(name(item))).collect())
}

/// The same, where each is told about.
pub fn described<T: Copy + Send + Sync + 'static>(
    items: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    among(items, name, items.iter().map(|&item| PossibleValue::new(name(item)).help(about(item))).collect())
}

fn among<T: Copy + Send + Sync + 'static>(
    items: &'static [T],
    name: fn(T) -> &'static str,
    values: Vec<PossibleValue>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values).map(move |given| {
        let found = items.iter().copied().find(|&item| name(item) == given);
        found.expect("only names of items are possible")
    })
}

fn about_check(check: Check) -> &'static str {
    match check {
        Check::EffectiveType => "Accesses to an object through a type that C does not allow (strict aliasing)",
        Check::Leak => "Memory leaks: heap memory that nothing points to at the end",
        Check::MemoryLimit => "Allocating more than --path-memory, which otherwise only ends the path",
        Check::MemberBounds => "Indices past the end of an array inside a structure, as UBSan reports them",
        Check::SignedOverflow => "Signed integer overflow",
        Check::Termination => "Non-termination, by proof: also loops that never repeat a state",
        Check::TerminationUnbounded => "The same; also note loops that would never end if integers had no bounds",
    }
}

pub fn about_keep(keep: Keep) -> &'static str {
    match keep {
        Keep::Coverage => "Tests that covered something new when they were found, and one per finding",
        Keep::Findings => "One test per finding",
        Keep::Paths => "All tests, one per path",
        Keep::Branches => "Fewest tests for the same line and branch coverage",
        Keep::Mcdc => "The same, and the same MC/DC coverage as clang measures it",
        Keep::Lines => "Fewest tests for the same line coverage",
    }
}

/// A directory to write to, which is made if there is none.
fn new_dir(text: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(text)?;
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<ExecArgs, clap::Error> {
        match Cli::try_parse_from(line.split_whitespace())?.command {
            Command::Exec(args) => Ok(args),
            other => panic!("{other:?}"),
        }
    }

    fn parse_smt(line: &str) -> Result<SmtArgs, clap::Error> {
        match Cli::try_parse_from(line.split_whitespace())?.command {
            Command::Smt(args) => Ok(args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn solvers_and_layers_have_names() {
        let args =
            parse_smt("spelunk smt - --solver blast --without slice --without cores --time-limit 1500ms").unwrap();
        assert_eq!(args.solver.solver, Backend::Blast);
        assert_eq!(args.solver.without, [Layer::Slice, Layer::Cores]);
        assert_eq!(args.solver.time_limit, Some(Duration::from_millis(1500)));
        assert!(parse_smt("spelunk smt a.smt2 --solver other").is_err());
        assert!(parse_smt("spelunk smt a.smt2 --without other").is_err());
        assert!(parse_smt("spelunk smt a.smt2 --time-limit soon").is_err());
        assert!(parse_smt("spelunk smt a.smt2 --log-before slice").is_err());
        assert!(parse_smt("spelunk smt").is_err());
    }

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn everything_behind_two_dashes_is_the_programs() {
        let args = parse("spelunk exec a.c --cflag=-O2 --cflag -DX=1 b.c -- --stats -n 3").unwrap();
        assert_eq!(args.compile.sources, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!(args.compile.cflags, ["-O2", "-DX=1"]);
        assert_eq!(args.args, ["--stats", "-n", "3"]);
        assert!(!args.stats);
    }

    #[test]
    fn sizes_have_units_and_checks_have_names() {
        let args = parse("spelunk exec a.c --max-memory 64MiB --check leak,signed-overflow").unwrap();
        assert_eq!(args.max_memory.as_u64(), 64 << 20);
        assert_eq!(args.stack_size.as_u64(), 8 << 20);
        assert_eq!(args.compile.checks, [Check::Leak, Check::SignedOverflow]);
        assert!(parse("spelunk exec a.c --check lea").is_err());
        assert!(parse("spelunk exec a.c --max-memory lots").is_err());
    }

    #[test]
    fn a_source_is_needed_unless_the_library_is_listed() {
        assert!(parse("spelunk exec").is_err());
        assert!(parse("spelunk exec --list-libc").unwrap().list_libc);
    }
}
