//! The command line.

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Parser, Debug)]
#[command(name = "spelunk", version, about = "Runs C programs in a virtual machine that notices every memory error")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a program and report the first error at the line where it happens
    ///
    /// The exit code is the program's own if it ends by itself (128 + N if it is killed by signal N), 1 if an error was
    /// found, 2 if the command line is wrong or a source can't be read or compiled, and 3 if spelunk itself is at fault.
    Exec(ExecArgs),
}

#[derive(Args, Debug)]
pub struct ExecArgs {
    /// C sources (.c, .i) or LLVM IR (.ll, .bc), linked together
    #[arg(value_name = "SRC", required_unless_present = "list_libc")]
    pub sources: Vec<PathBuf>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,

    /// The clang to compile with, by name or path [default: the first of clang-19, clang-18, … on PATH]
    #[arg(long, env = "SPELUNK_CLANG", value_name = "CLANG", hide_env = true)]
    pub clang: Option<String>,

    /// A flag for clang, such as -DNAME or -O2; may be repeated
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// Further errors to look for, separated by commas
    #[arg(long = "check", value_name = "CHECK", value_delimiter = ',')]
    pub checks: Vec<Check>,

    /// How much memory the program may use
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub max_memory: ByteSize,

    /// How large the program's stack may grow
    #[arg(long, value_name = "SIZE", default_value = "8MiB")]
    pub stack_size: ByteSize,

    /// Stop after so many operations
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    /// Print times and counts to standard error at the end
    #[arg(long)]
    pub stats: bool,

    /// List the C library functions that programs can use, and stop
    #[arg(long, exclusive = true)]
    pub list_libc: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Heap memory that nothing points to when the program ends
    Leak,
    /// Overflow of signed integers
    SignedOverflow,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<ExecArgs, clap::Error> {
        let Cli { command: Command::Exec(args) } = Cli::try_parse_from(line.split_whitespace())?;
        Ok(args)
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn everything_behind_two_dashes_is_the_programs() {
        let args = parse("spelunk exec a.c --cflag=-O2 --cflag -DX=1 b.c -- --stats -n 3").unwrap();
        assert_eq!(args.sources, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!(args.cflags, ["-O2", "-DX=1"]);
        assert_eq!(args.args, ["--stats", "-n", "3"]);
        assert!(!args.stats);
    }

    #[test]
    fn sizes_have_units_and_checks_have_names() {
        let args = parse("spelunk exec a.c --max-memory 64MiB --check leak,signed-overflow").unwrap();
        assert_eq!(args.max_memory.as_u64(), 64 << 20);
        assert_eq!(args.stack_size.as_u64(), 8 << 20);
        assert_eq!(args.checks, [Check::Leak, Check::SignedOverflow]);
        assert!(parse("spelunk exec a.c --check lea").is_err());
        assert!(parse("spelunk exec a.c --max-memory lots").is_err());
    }

    #[test]
    fn a_source_is_needed_unless_the_library_is_listed() {
        assert!(parse("spelunk exec").is_err());
        assert!(parse("spelunk exec --list-libc").unwrap().list_libc);
    }
}
