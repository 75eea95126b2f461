//! The command line of `spelunk run`.

use super::changed;
use super::settings::{Settings, kept};
use crate::args::{CompileArgs, NativeArgs, SolverArgs, about_keep, described, named};
use crate::compile::compile;
use crate::grammar::TextArgs;
use bytesize::ByteSize;
use clap::{ArgAction, Args, ValueEnum};
use spelunk_engine::plan::{Budget, QueryLog, Search, Tests};
use spelunk_engine::targets::ChangedLines;
use spelunk_engine::{Keep, Plan};
use spelunk_explore::strategy::Kind;
use spelunk_inputs::ObjectLimit;
use spelunk_inputs::settings::{GlobalRequest, Setting};
use spelunk_report::suite::{HeapSetup, Setup, TextInput, TextSetup, UnitSetup};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Flags for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,

    /// The function to test, or `all` for each in turn [default: main]
    #[arg(long, value_name = "FN", group = "subject")]
    pub entry: Option<String>,

    /// Functions to call one after another in any order, separated by commas: they work on one structure
    #[arg(long, value_name = "FN,…", value_delimiter = ',', group = "subject", conflicts_with_all = ["entry", "global"])]
    pub sequence: Vec<String>,

    /// How many calls a sequence has
    #[arg(long, value_name = "N", default_value_t = 6, requires = "sequence")]
    pub length: u32,

    /// A function of the program that says whether an input is valid; may be repeated
    #[arg(long, value_name = "FN", requires = "subject")]
    pub assume: Vec<String>,

    /// A function of the program that must hold afterwards; may be repeated
    #[arg(long, value_name = "FN", requires = "subject")]
    pub ensure: Vec<String>,

    /// What a parameter of the function is, or a member of a structure as in b->data: NAME=string:N, array:N, bytes:N, grammar:FILE,
    /// nonnull, null, or a number; of a pointer to a function stub, any, null, or the name of one; of a `void *` the structure
    /// that it leads to; may be repeated. N may also be what says how many, such as array:n or array:n<=16
    #[arg(long, value_name = "NAME=…", requires = "subject")]
    pub param: Vec<Setting>,

    /// A variable of the program that is an input too: NAME, or NAME= and what it is as for --param; `all` for all; may be
    /// repeated
    #[arg(long, visible_alias = "globals", value_name = "NAME", requires = "entry")]
    pub global: Vec<GlobalRequest>,

    /// Where tests and summary go [default: spelunk-out, or spelunk-out-2, … if that is taken]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with a campaign that was interrupted or killed: its tests are run again first. Sources and options are those
    /// that it began with; others can be given for how long and how fast
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,

    /// Tests of other campaigns to run first
    #[arg(long, value_name = "DIR")]
    pub seed_dir: Vec<PathBuf>,

    /// Stop after this time, such as 90s, 10m or 2h, in which everything is done: compiling, exploring, native runs
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,

    /// Stop when so much memory is in use, snapshots being dropped first
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub memory: ByteSize,

    /// Stop after so many paths
    #[arg(long, value_name = "N")]
    pub max_paths: Option<u64>,

    /// Stop after so many operations in all paths together
    #[arg(long, value_name = "N")]
    pub max_instructions: Option<u64>,

    /// Leave alternatives alone that come after so many decisions
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// In lists, trees and the like, as many objects of one type may lie behind each other [default: 16, or any number with
    /// --depth]
    #[arg(long, value_name = "N")]
    pub nesting: Option<u32>,

    /// When to decide where a pointer of the input to a structure leads
    #[arg(long, value_name = "WHEN", default_value = "graph")]
    pub heap: HeapPolicy,

    /// Rules for heaps that inputs have to keep, in HEX (docs/hex.md); may be repeated. Pointers that they speak of are lazy
    #[arg(long, value_name = "FILE")]
    pub hex: Vec<PathBuf>,

    /// Maximum number of objects of a type in a lazy heap, as in 'struct node=6'; may be repeated
    #[arg(long, value_name = "TYPE=N")]
    pub objects: Vec<ObjectLimit>,

    /// Say of each path whether it has an input for which FN returns not 0, without excluding the others
    #[arg(long, value_name = "FN", requires = "entry")]
    pub audit: Option<String>,

    /// What to reach: FILE:LINE[:COLUMN], a function, a kind of bug at one of these or in a file as in assert@FILE, or `uncovered` for
    /// all outcomes of branches; may be repeated. Nothing else is explored, and the campaign ends when all are reached
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,

    /// Reach the lines that a patch changes: a file, - for standard input, or a revision that the sources are compared with by git
    #[arg(long, value_name = "PATCH|REV")]
    pub changed: Option<String>,

    /// What --changed came to, for whoever goes on
    #[arg(long, value_name = "LINES", hide = true)]
    pub changed_lines: Vec<ChangedLines>,

    /// What to explore next [default: interleaved, or target if there is one]
    #[arg(long, value_name = "STRATEGY", value_parser = named(Kind::ALL, Kind::name))]
    pub strategy: Option<Kind>,

    /// For whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How many threads explore
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// End a path after so many operations
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,

    /// Put a path aside that makes so many decisions in a row without reaching anything new, and go on with it later
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub patience: usize,

    /// How much memory the program may use
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub max_memory: ByteSize,

    /// An argument of the program; may be repeated
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// An argument of the program of at most LEN bytes of input; may be repeated
    #[arg(long, visible_alias = "sym-argv", value_name = "LEN")]
    pub sym_arg: Vec<u32>,

    /// From MIN to MAX arguments of at most LEN bytes of input each
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = ArgAction::Append)]
    pub sym_args: Vec<u32>,

    /// Standard input of N bytes of input
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u32>,

    /// Make an input a text of a grammar: standard input, or INPUT: `arg` for one more argument, or `file:NAME`; may be repeated. For a
    /// `char *` parameter, see --param
    #[arg(long, value_name = "[INPUT=]FILE")]
    pub grammar: Vec<String>,

    #[command(flatten)]
    pub texts: TextArgs,

    /// A file of N bytes of input; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "N"], action = ArgAction::Append)]
    pub sym_file: Vec<String>,

    /// COUNT files of N bytes of input each, with the names A, B, …
    #[arg(long, num_args = 2, value_names = ["COUNT", "N"])]
    pub sym_files: Vec<u32>,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Drop expressions that are no longer needed once a thread has so many, which changes no result
    #[arg(long, value_name = "N", default_value_t = 1 << 18)]
    pub collect_at: usize,

    /// What a value is that nobody has set
    #[arg(long, value_name = "WHAT", default_value = "error")]
    pub uninitialised: Indeterminate,

    /// How library functions find the end of a string of the input
    #[arg(long, value_name = "WHAT", default_value = "length")]
    pub strings: Strings,

    /// End paths at calls of functions that nobody defines, which otherwise return an input
    #[arg(long)]
    pub no_stubs: bool,

    /// Run every path from its start, which changes no result
    #[arg(long)]
    pub no_snapshots: bool,

    /// Explore every path of functions that only return a value, where there are targets
    #[arg(long)]
    pub no_summaries: bool,

    /// Write the summary but no tests
    #[arg(long)]
    pub no_tests: bool,

    /// Which tests to keep at the end
    #[arg(long, value_name = "WHAT", default_value = "paths", conflicts_with = "no_tests", value_parser = described(Keep::ALL, Keep::name, about_keep))]
    pub keep: Keep,

    /// Don't run the tests natively at the end: bugs stay unconfirmed
    #[arg(long)]
    pub no_replay: bool,

    #[command(flatten)]
    pub native: NativeArgs,

    /// Fail on purpose, the N-th time that a place of ours is passed: for tests of what is left then
    #[arg(long, value_name = "PLACE:N", hide = true)]
    pub fail_at: Option<String>,
}

/// What a value is that nobody has set.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indeterminate {
    /// An error, where something depends on it
    Error,
    /// An input, as programs for SV-COMP expect
    Input,
}

/// When it is decided where a pointer leads.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapPolicy {
    /// Only where it makes a difference
    Graph,
    /// At its first use, and for good: null, an object that there is, or a new one
    Lazy,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// By a length that is a number of the input
    Length,
    /// Byte by byte, one path for each length
    Bytes,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Progress, bugs and figures for a person
    Human,
    /// The summary
    Json,
    /// Bugs as workflow commands of GitHub Actions
    Github,
}

impl RunArgs {
    /// What is said to the engine, with what was said on the command line for whoever goes on.
    pub fn plan(&self, mut settings: Settings) -> Result<Plan, String> {
        let changed = self.changed_lines(&mut settings)?;
        Ok(Plan {
            compile: compile(&self.compile, &self.clang_args),
            entry: self.entry.clone(),
            unit: self.unit()?,
            setup: self.setup()?,
            search: self.search(),
            targets: self.target.clone(),
            changed,
            budget: Budget {
                time: self.time,
                paths: self.max_paths,
                instructions: self.max_instructions,
                memory: Some(self.memory.as_u64()),
                depth: self.depth,
            },
            tests: Tests {
                are_written: !self.no_tests,
                keep: self.keep,
                are_replayed: !self.no_replay,
                confinement: self.native.replay,
            },
            seed_dirs: self.seed_dir.clone(),
            settings: kept(settings),
            ..Plan::default()
        })
    }

    /// What was changed: whoever goes on finds it in the settings, as a revision may be another one then.
    fn changed_lines(&self, settings: &mut Settings) -> Result<Option<Vec<ChangedLines>>, String> {
        let known = Some(&self.changed_lines).filter(|lines| !lines.is_empty()).cloned();
        let Some(given) = &self.changed else { return Ok(known) };
        let changed = changed::read(given)?;
        settings.remove("changed");
        settings.insert("changed_lines".to_owned(), changed.iter().map(ChangedLines::to_string).collect());
        Ok(Some(changed))
    }

    fn unit(&self) -> Result<UnitSetup, String> {
        let text = |path: &PathBuf| match std::fs::read_to_string(path) {
            Ok(text) => Ok((path.display().to_string(), text)),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        };
        Ok(UnitSetup {
            assume: self.assume.clone(),
            ensure: self.ensure.clone(),
            params: self.param.iter().map(|setting| setting.to_string()).collect(),
            sequence: self.sequence.clone(),
            length: if self.sequence.is_empty() { 0 } else { self.length },
            globals: self.global.iter().map(|global| global.to_string()).collect(),
            seed: self.seed,
            nesting: self.nesting.or(Plan::usual_nesting(self.depth)),
            heap: HeapSetup {
                lazy: self.heap == HeapPolicy::Lazy,
                rules: self.hex.iter().map(text).collect::<Result<_, _>>()?,
                audit: self.audit.clone(),
                objects: self.objects.iter().map(ObjectLimit::to_string).collect(),
            },
        })
    }

    fn search(&self) -> Search {
        let SolverArgs { solver, sat, without, time_limit, log_queries, log_before } = &self.solver;
        let has_targets = !self.target.is_empty() || self.changed.is_some() || !self.changed_lines.is_empty();
        let usual =
            Search { strategy: if has_targets { Kind::Target } else { Kind::Interleaved }, ..Search::default() };
        Search {
            strategy: self.strategy.unwrap_or(usual.strategy),
            seed: self.seed,
            jobs: self.jobs,
            patience: self.patience,
            collect_at: self.collect_at,
            snapshots: !self.no_snapshots,
            summaries: !self.no_summaries,
            backend: *solver,
            sat: *sat,
            without: without.clone(),
            query_time: time_limit.unwrap_or(usual.query_time),
            log: log_queries.clone().map(|dir| QueryLog { dir, before: *log_before }),
        }
    }

    /// How the program is started.
    fn setup(&self) -> Result<Setup, String> {
        let one = self.sym_arg.iter().map(|&len| (1, 1, len));
        let several = self.sym_args.chunks(3).map(|triple| (triple[0], triple[1], triple[2]));
        let named = self.sym_file.chunks(2).map(|pair| {
            let size = pair[1].parse().map_err(|_| format!("`{}` is not a number of bytes", pair[1]))?;
            Ok((pair[0].clone(), size))
        });
        let mut symbolic_files = named.collect::<Result<Vec<_>, String>>()?;
        if let [count, size] = self.sym_files[..] {
            if count > 26 {
                return Err("there are names for 26 files".to_owned());
            }
            symbolic_files.extend(('A'..='Z').take(count as usize).map(|name| (name.to_string(), size)));
        }
        if let Some((min, max, _)) = several.clone().find(|(min, max, _)| min > max) {
            return Err(format!("there can't be at least {min} and at most {max} arguments"));
        }
        let mut symbolic_args: Vec<(u32, u32, u32)> = one.chain(several).collect();
        let texts = self.texts(&mut symbolic_args, &mut symbolic_files)?;
        let is_text = texts.iter().any(|text| text.input == TextInput::Stdin);
        Ok(Setup {
            args: self.args.clone(),
            symbolic_args,
            symbolic_stdin: self.sym_stdin.or(is_text.then_some(0)),
            texts,
            symbolic_files,
            no_stubs: self.no_stubs,
            uninitialised_input: self.uninitialised == Indeterminate::Input,
            bytewise_strings: self.strings == Strings::Bytes,
            max_memory: Some(self.max_memory.as_u64()),
            max_steps: Some(self.max_steps),
        })
    }

    /// Inputs that are texts of a grammar. Arguments and files that are such are added to the others.
    fn texts(&self, args: &mut Vec<(u32, u32, u32)>, files: &mut Vec<(String, u32)>) -> Result<Vec<TextSetup>, String> {
        let mut texts = Vec::new();
        for (number, said) in self.grammar.iter().enumerate() {
            let (input, file) = said.split_once('=').unwrap_or(("stdin", said));
            let input = match input {
                "stdin" => TextInput::Stdin,
                "arg" => {
                    args.push((1, 1, MAX_ARG_TEXT));
                    TextInput::Arg(args.iter().map(|arg| arg.1).sum::<u32>() - 1)
                }
                name => match name.strip_prefix("file:") {
                    Some(name) => {
                        files.push((name.to_owned(), 0));
                        TextInput::File(files.len() as u32 - 1)
                    }
                    None => return Err(format!("`{name}` is no input: write stdin, arg or file:NAME before the `=`")),
                },
            };
            texts.push(self.texts.setup(number, input, Path::new(file))?);
        }
        for param in &self.param {
            if let Some(file) = param.grammar() {
                if self.entry.as_deref() == Some("all") {
                    return Err(format!("`{param}` is about one function: name it with --entry"));
                }
                let input = TextInput::Param(param.path.clone());
                texts.push(self.texts.setup(texts.len(), input, Path::new(file))?);
            }
        }
        Ok(texts)
    }
}

/// The most bytes of an argument that is a text.
const MAX_ARG_TEXT: u32 = 1024;
