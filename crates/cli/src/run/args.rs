//! The command line of `spelunk run`.

use super::changed;
use super::settings::{Settings, kept};
use crate::args::{CompileArgs, NativeArgs, SolverArgs, about_keep, described, named};
use crate::compile::{Tested, compile};
use crate::grammar::TextArgs;
use bytesize::ByteSize;
use clap::{ArgAction, Args, ValueEnum};
use spelunk_concolic::graph::nest::Overlap;
use spelunk_engine::plan::{Budget, Partition, QueryLog, Search, Tests};
use spelunk_engine::targets::ChangedLines;
use spelunk_engine::{Deadline, Keep, Plan, seeds};
use spelunk_explore::strategy::Kind;
use spelunk_inputs::ObjectLimit;
use spelunk_inputs::settings::{GlobalRequest, Setting};
use spelunk_report::suite::{HeapSetup, Setup, TextInput, TextSetup, UnitSetup};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Flags for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,

    /// The function to test, several separated by commas, or `all` for each in turn [default: main]
    #[arg(long, value_name = "FN", group = "subject")]
    pub entry: Option<String>,

    /// Functions to call one after another in any order, separated by commas: they work on one structure
    #[arg(long, value_name = "FN,…", value_delimiter = ',', group = "subject", conflicts_with_all = ["entry", "global"])]
    pub sequence: Vec<String>,

    /// Maximum number of calls in a sequence
    #[arg(long, value_name = "N", default_value_t = 6, requires = "sequence")]
    pub length: u32,

    /// Precondition: inputs for which FN returns 0 are skipped; may be repeated
    #[arg(long, value_name = "FN", requires = "subject")]
    pub assume: Vec<String>,

    /// Postcondition: it is a bug if FN returns 0 afterwards; may be repeated
    #[arg(long, value_name = "FN", requires = "subject")]
    pub ensure: Vec<String>,

    /// What a parameter is, or a member as in b->data: string:N, array:N, bytes:N, end:START (the end of what START leads to), grammar:FILE,
    /// nonnull, null, or a number. N may be another input that says how many: array:n, array:n<=16, array:*n. Of a pointer to a function:
    /// stub, any, null, or the name of one; of a `void *`: the structure that it leads to. FN:NAME=… is for that function only; may be repeated
    #[arg(long, value_name = "NAME=…", requires = "subject")]
    pub param: Vec<Setting>,

    /// No parameter that is a pointer is null, unless --param says so: short for --param '*=nonnull'
    #[arg(long, requires = "subject")]
    pub nonnull: bool,

    /// Guess from code and names which parameters belong together, as in a=array:n or end=end:p, where --param says nothing
    #[arg(long, value_name = "MODE", default_value = "on")]
    pub guess: Guess,

    /// A variable of the program that is an input too: NAME, or NAME= and what it is as for --param; `all` for all; may be
    /// repeated
    #[arg(long, visible_alias = "globals", value_name = "NAME", requires = "entry")]
    pub global: Vec<GlobalRequest>,

    /// Where tests and summary go [default: spelunk-out, or spelunk-out-2, … if that is taken]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Continue a campaign that was interrupted or killed. Sources and options are those that it began with; limits, --jobs, --strategy
    /// and --keep can be given anew
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,

    /// Inputs to run first: the directory of another campaign, or of plain files such as a corpus of AFL or libFuzzer. A plain
    /// file is standard input, or the first symbolic file or argument; may be repeated
    #[arg(long, value_name = "DIR")]
    pub seed_dir: Vec<PathBuf>,

    /// Time limit for everything (compiling, exploring, native runs), such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,

    /// Memory limit of the whole campaign: snapshots are dropped as it comes near, then the campaign stops
    #[arg(long = "campaign-memory", alias = "memory", value_name = "SIZE", default_value = "4GiB")]
    pub memory: ByteSize,

    /// Stop after N paths
    #[arg(long, value_name = "N")]
    pub max_paths: Option<u64>,

    /// Stop after N instructions in all paths together
    #[arg(long = "campaign-instructions", alias = "max-instructions", value_name = "N")]
    pub max_instructions: Option<u64>,

    /// Do not explore beyond the first N decisions of a path
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Maximum length of a chain of objects of one type (list nodes, tree levels) [default: 16, or no limit with --depth]
    #[arg(long, value_name = "N")]
    pub nesting: Option<u32>,

    /// When to decide what a pointer in the input points to
    #[arg(long, value_name = "WHEN", default_value = "graph", requires_if("lazy", "subject"))]
    pub heap: HeapPolicy,

    /// Where pointers of the input may overlap: `same`, elements of one type; `records`, also structures in others; `typed`, wherever one
    /// type occurs in another; `any`, at any distance. With `,char`, buffers of characters and bytes at any byte of anything (docs/typed-memory.md)
    #[arg(long, value_name = "WHERE", default_value = "typed")]
    pub overlap: Overlap,

    /// Rules for valid heap structures, in HEX (docs/hex.md); may be repeated. Pointers under rules are decided lazily
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub hex: Vec<PathBuf>,

    /// Maximum number of objects of a type with --hex or --heap lazy, as in 'struct node=6'; may be repeated
    #[arg(long, value_name = "TYPE=N")]
    pub objects: Vec<ObjectLimit>,

    /// Report which paths have an input that FN accepts (returns non-zero for), without skipping the others
    #[arg(long, value_name = "FN", requires = "entry")]
    pub audit: Option<String>,

    /// What to reach: FILE:LINE[:COLUMN], a function, a kind of bug at one of these or in a file as in assert@FILE, or `uncovered` for
    /// all branch outcomes; may be repeated. Only paths that may lead there are explored, until all targets are reached
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,

    /// Reach the lines that a patch changes: a patch file, - for standard input, or a git revision to compare with
    #[arg(long, value_name = "PATCH|REV")]
    pub changed: Option<String>,

    /// What --changed came to, for whoever goes on
    #[arg(long, value_name = "LINES", hide = true)]
    pub changed_lines: Vec<ChangedLines>,

    /// Search strategy [default: interleaved; target if there is a target; texts if the texts of a grammar have a bound]
    #[arg(long, value_name = "STRATEGY", value_parser = named(Kind::ALL, Kind::name))]
    pub strategy: Option<Kind>,

    /// Seed of the random number generator
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// Instruction limit of each path: the path ends there
    #[arg(long = "path-instructions", alias = "max-steps", value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,

    /// Suspend a path that makes N decisions in a row without covering anything new, and resume it later
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub patience: usize,

    /// Memory limit of each path: how much the program may allocate
    #[arg(long = "path-memory", alias = "max-memory", value_name = "SIZE", default_value = "1GiB")]
    pub max_memory: ByteSize,

    /// Pass ARG to the program; may be repeated
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// Pass a symbolic argument of at most LEN bytes; may be repeated
    #[arg(long, visible_alias = "sym-argv", value_name = "LEN")]
    pub sym_arg: Vec<u32>,

    /// Pass MIN to MAX symbolic arguments of at most LEN bytes each
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = ArgAction::Append)]
    pub sym_args: Vec<u32>,

    /// Make the first N bytes of standard input symbolic
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u32>,

    /// Make standard input (or INPUT: `arg` for one more argument, or `file:NAME`) a text of a grammar; may be repeated. For a
    /// `char *` parameter, see --param
    #[arg(long, value_name = "[INPUT=]FILE")]
    pub grammar: Vec<String>,

    #[command(flatten)]
    pub texts: TextArgs,

    /// Make NAME a symbolic file of N bytes; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "N"], action = ArgAction::Append)]
    pub sym_file: Vec<String>,

    /// COUNT symbolic files of N bytes each, named A, B, …
    #[arg(long, num_args = 2, value_names = ["COUNT", "N"])]
    pub sym_files: Vec<u32>,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Collect unused expressions when a thread has N of them; does not change results
    #[arg(long, value_name = "N", default_value_t = 1 << 18)]
    pub collect_at: usize,

    /// How to treat uninitialised values
    #[arg(long, value_name = "WHAT", default_value = "error")]
    pub uninitialised: Indeterminate,

    /// How library functions find the end of a symbolic string
    #[arg(long, value_name = "WHAT", default_value = "length")]
    pub strings: Strings,

    /// End paths at calls of undefined functions, which otherwise return a symbolic value
    #[arg(long)]
    pub no_stubs: bool,

    /// Run every path from the start of the program; slower, does not change results
    #[arg(long)]
    pub no_snapshots: bool,

    /// Explore inputs that have nothing to do with each other one by one instead of together: `auto` finds out which these are, FILE states
    /// it, a block a line, and is verified
    #[arg(long, value_name = "auto|off|FILE", default_value = "off", value_parser = partition)]
    pub partition: Partition,

    /// With targets, explore functions that lead to none path by path instead of summarising them
    #[arg(long)]
    pub no_summaries: bool,

    /// Show more figures: instructions, queries, and what the solver's optimisations saved
    #[arg(long, short)]
    pub verbose: bool,

    /// Write the summary but no tests
    #[arg(long)]
    pub no_tests: bool,

    /// Which tests to keep; also SPELUNK_KEEP
    #[arg(long, env = "SPELUNK_KEEP", hide_env = true, value_name = "WHAT", default_value = "coverage", value_parser = described(Keep::ALL, Keep::name, about_keep))]
    pub keep: Keep,

    /// Do not run the tests natively at the end: findings are not confirmed
    #[arg(long)]
    pub no_replay: bool,

    #[command(flatten)]
    pub native: NativeArgs,

    /// Fail on purpose, the N-th time that a place of ours is passed: for tests of what is left then
    #[arg(long, value_name = "PLACE:N", hide = true)]
    pub fail_at: Option<String>,
}

fn partition(text: &str) -> Result<Partition, std::convert::Infallible> {
    Ok(match text {
        "off" => Partition::Off,
        "auto" => Partition::Auto,
        file => Partition::Stated(file.into()),
    })
}

/// Whether settings are guessed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// Where the code or plain names show it; each guess is printed
    On,
    /// A pointer leads to one object, or to a string
    Off,
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
    /// Only where the program compares pointers: one path stands for all inputs that differ in which pointers overlap
    Maps,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// By a length that is a number of the input
    Length,
    /// The same, also for loops of the program that do what such functions do
    Loops,
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
        let started = Instant::now();
        let changed = self.changed_lines(&mut settings)?;
        let unit = self.unit()?;
        let deadline = self.time.map_or_else(Deadline::default, |time| Deadline::default().within(time));
        let tested = Tested::of_unit(self.entry.as_deref(), &unit);
        Ok(Plan {
            compile: compile(&self.compile, &self.clang_args, tested, &deadline)?,
            entry: self.entry.clone(),
            unit,
            setup: self.setup()?,
            search: self.search(),
            targets: self.target.clone(),
            changed,
            budget: Budget {
                // To find the files of a build takes part of it.
                time: self.time.map(|time| time.saturating_sub(started.elapsed())),
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
            params: self.params(),
            guessed: Vec::new(),
            guesses: self.guess == Guess::On,
            has_targets: false,
            sequence: self.sequence.clone(),
            length: if self.sequence.is_empty() { 0 } else { self.length },
            is_family: false,
            globals: self.global.iter().map(|global| global.to_string()).collect(),
            seed: self.seed,
            nesting: self.nesting.or(Plan::usual_nesting(self.depth)),
            heap: HeapSetup {
                lazy: self.heap == HeapPolicy::Lazy,
                maps: self.heap == HeapPolicy::Maps,
                rules: self.hex.iter().map(text).collect::<Result<_, _>>()?,
                audit: self.audit.clone(),
                objects: self.objects.iter().map(ObjectLimit::to_string).collect(),
                overlap: Some(self.overlap)
                    .filter(|it| *it != Overlap::default())
                    .map_or(String::new(), |it| it.to_string()),
            },
        })
    }

    fn params(&self) -> Vec<String> {
        let all = self.nonnull.then(|| "*=nonnull".to_owned());
        self.param.iter().map(|setting| setting.to_string()).chain(all).collect()
    }

    fn search(&self) -> Search {
        let SolverArgs { solver, sat, without, time_limit, log_queries, log_before } = &self.solver;
        let has_targets = !self.target.is_empty() || self.changed.is_some() || !self.changed_lines.is_empty();
        // All texts within a bound are explored, whatever comes first: what is fastest does. Otherwise it counts what they reach in time.
        let has_all_texts = self.has_texts() && (self.texts.is_bounded() || self.is_endless());
        let strategy = match (has_targets, has_all_texts) {
            (true, _) => Kind::Target,
            (false, true) => Kind::Texts,
            (false, false) => Kind::Interleaved,
        };
        let usual = Search { strategy, ..Search::default() };
        Search {
            strategy: self.strategy.unwrap_or(usual.strategy),
            seed: self.seed,
            jobs: self.jobs,
            patience: self.patience,
            collect_at: self.collect_at,
            snapshots: !self.no_snapshots,
            partition: self.partition.clone(),
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
        let n_stdin = texts.iter().filter(|text| text.input == TextInput::Stdin).count();
        let is_text = n_stdin > 0;
        if n_stdin > 1 {
            return Err(
                "standard input can be a text of one grammar only: write arg=FILE or file:NAME=FILE for others"
                    .to_owned(),
            );
        }
        if is_text && self.sym_stdin.is_some() {
            return Err(
                "standard input is either a text of a grammar (--grammar) or any bytes (--sym-stdin)".to_owned()
            );
        }
        let mut names: Vec<&str> = symbolic_files.iter().map(|file| file.0.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the content of `{}` is said twice", twice[0]));
        }
        if self.texts.lexer.len() > texts.len() {
            return Err("there are more files for --lexer than grammars".to_owned());
        }
        let from_seeds = self.size_of_seeds(&symbolic_args, &symbolic_files);
        Ok(Setup {
            args: self.args.clone(),
            symbolic_args,
            symbolic_stdin: self.sym_stdin.or(is_text.then_some(0)).or(from_seeds),
            texts,
            symbolic_files,
            no_stubs: self.no_stubs,
            uninitialised_input: self.uninitialised == Indeterminate::Input,
            bytewise_strings: self.strings == Strings::Bytes,
            loops_at_once: self.strings == Strings::Loops,
            max_memory: Some(self.max_memory.as_u64()),
            max_steps: Some(self.max_steps),
        })
    }

    /// How much of standard input is symbolic if nothing is said to be: as much as the largest plain file to begin with has.
    fn size_of_seeds(&self, args: &[(u32, u32, u32)], files: &[(String, u32)]) -> Option<u32> {
        let is_program = self.entry.as_deref().is_none_or(|entry| entry == "main") && self.sequence.is_empty();
        if !is_program || !args.is_empty() || !files.is_empty() {
            return None;
        }
        let largest = self.seed_dir.iter().filter_map(|dir| seeds::largest(dir)).max()?;
        Some(largest.min(MAX_SEED) as u32)
    }

    /// Whether nothing is said that makes a campaign end before all is explored.
    fn is_endless(&self) -> bool {
        self.time.is_none() && self.max_paths.is_none() && self.max_instructions.is_none()
    }

    fn has_texts(&self) -> bool {
        !self.grammar.is_empty() || self.param.iter().any(|param| param.grammar().is_some())
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
        if self.is_endless() {
            texts
                .iter_mut()
                .filter(|text| text.max.is_none())
                .for_each(|text| text.max_templates = Some(MAX_TEMPLATES));
        }
        Ok(texts)
    }
}

/// So many templates are explored where nothing that was said makes a campaign end.
const MAX_TEMPLATES: u64 = 10_000;
/// The most bytes of an argument that is a text.
const MAX_ARG_TEXT: u32 = 1024;

/// The most bytes of standard input that plain files make symbolic.
const MAX_SEED: u64 = 4096;
