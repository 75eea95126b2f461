//! `spelunk exec --list-libc`: the C library functions that programs can use.

use spelunk_libc::{Entry, Served, entries};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

pub fn list_libc() -> ExitCode {
    match write_table(&mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Names that no header declares are the library's own or the compiler's: nothing that a program would look for.
fn write_table(out: &mut dyn Write) -> io::Result<()> {
    let mut rows: Vec<Entry> = entries().filter(|entry| !entry.header.is_empty()).collect();
    rows.sort_by_key(|entry| entry.name);
    for Entry { name, header, served, .. } in rows {
        let how = match served {
            Served::InRust => "built in".to_owned(),
            Served::Alias(target) => format!("built in, as {target}"),
            Served::C(file) => format!("C, {file}"),
        };
        writeln!(out, "{name:<24}{header:<16}{how}")?;
    }
    out.flush()
}
