//! KLEE's `.ktest` files, version 3: numbers are big-endian, texts and bytes come after their length.
//!
//! Objects are in the order in which a program under KLEE asks for them. Those of arguments, files and standard input are made
//! by its POSIX runtime, whose names and sizes they have here.

use spelunk_report::suite::TestCase;

use super::given::Given;
use super::{each, make_dir, write};
use crate::{ExportError, Exported, Suite, Target};

const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    make_dir(target.dir)?;
    let program = suite.campaign.summary.sources.first().map_or("program", String::as_str);
    let exported = each(suite, |number, test| match ktest(program, test) {
        Ok(content) => write(target.dir, &format!("test{number:06}.ktest"), &content).map(Ok),
        Err(reason) => Ok(Err(reason)),
    })?;
    let next = "Show one with ktest-tool; run it with KTEST_FILE and -lkleeRuntest, or with klee --replay-ktest-file";
    Ok(Exported { next: Some(next.to_owned()), ..exported })
}

struct Object {
    name: String,
    bytes: Vec<u8>,
}

/// The file of a test, or why there is none.
fn ktest(program: &str, test: &TestCase) -> Result<Vec<u8>, String> {
    let given = Given::of(test);
    let mut args = vec![format!("{}.bc", program.strip_suffix(".c").unwrap_or(program))];
    args.extend(test.setup.args.iter().cloned());
    let mut objects = Vec::new();
    add_args(test, &given, &mut args, &mut objects)?;
    add_files(test, &given, &mut args, &mut objects)?;
    if given.graph.iter().any(|object| !object.references.is_empty()) {
        return Err("its input has pointers, which a .ktest file can't hold".to_owned());
    }
    objects.extend(given.graph.iter().map(|it| Object { name: it.name.clone(), bytes: it.bytes.clone() }));
    objects.extend(given.asked.iter().map(|it| Object { name: it.name.to_owned(), bytes: it.bytes.to_vec() }));

    let mut out = MAGIC.to_vec();
    put_u32(&mut out, VERSION as usize);
    put_u32(&mut out, args.len());
    args.iter().for_each(|arg| put_bytes(&mut out, arg.as_bytes()));
    // How many arguments are symbolic and how long: nothing reads them any more.
    put_u32(&mut out, 0);
    put_u32(&mut out, 0);
    put_u32(&mut out, objects.len());
    for Object { name, bytes } in &objects {
        put_bytes(&mut out, name.as_bytes());
        put_bytes(&mut out, bytes);
    }
    Ok(out)
}

/// For each group, how many arguments there are, unless that is one, and the arguments with a zero at their end.
fn add_args(
    test: &TestCase,
    given: &Given<'_>,
    args: &mut Vec<String>,
    objects: &mut Vec<Object>,
) -> Result<(), String> {
    let groups = &test.setup.symbolic_args;
    let mut rest = given.concrete.args.iter();
    let mut number = 0;
    for (idx, &(min, max, max_len)) in groups.iter().enumerate() {
        let n_later: u32 = groups[idx + 1..].iter().map(|&(min, ..)| min).sum();
        let n_args = (rest.len() as u32).saturating_sub(n_later).clamp(min, max);
        if (min, max) == (1, 1) {
            args.extend(["--sym-arg".to_owned(), max_len.to_string()]);
        } else {
            args.push("--sym-args".to_owned());
            args.extend([min, max, max_len].map(|limit| limit.to_string()));
            objects.push(Object { name: "n_args".to_owned(), bytes: n_args.to_le_bytes().to_vec() });
        }
        for arg in rest.by_ref().take(n_args as usize) {
            if arg.len() > max_len as usize {
                return Err("one of its arguments is longer than KLEE's at that place".to_owned());
            }
            let mut bytes = arg.clone();
            bytes.resize(max_len as usize + 1, 0);
            objects.push(Object { name: format!("arg{number:02}"), bytes });
            number += 1;
        }
    }
    Ok(())
}

/// Contents and properties of files, which KLEE calls A, B and so on, and of standard input.
fn add_files(
    test: &TestCase,
    given: &Given<'_>,
    args: &mut Vec<String>,
    objects: &mut Vec<Object>,
) -> Result<(), String> {
    let files = &test.setup.symbolic_files;
    if let Some((_, size)) = files.first() {
        let is_klees = |((name, len), letter): (&(String, u32), char)| *name == letter.to_string() && len == size;
        if !files.iter().zip('A'..='Z').all(is_klees) || *size == 0 {
            return Err("KLEE's files are A, B and so on, and of one size".to_owned());
        }
        args.extend(["--sym-files".to_owned(), files.len().to_string(), size.to_string()]);
    }
    for (name, content) in &given.concrete.files {
        add_file(format!("{name}_data"), content, objects);
    }
    if let Some(content) = given.concrete.stdin.as_ref().filter(|content| !content.is_empty()) {
        args.extend(["--sym-stdin".to_owned(), content.len().to_string()]);
        add_file("stdin".to_owned(), content, objects);
    }
    Ok(())
}

fn add_file(name: String, content: &[u8], objects: &mut Vec<Object>) {
    let properties = Object { name: format!("{name}_stat"), bytes: file_properties(content.len() as u64) };
    objects.push(Object { name, bytes: content.to_vec() });
    objects.push(properties);
}

/// A `struct stat` of x86-64 Linux for an ordinary file. KLEE wants an inode, and blocks that are not too large.
fn file_properties(size: u64) -> Vec<u8> {
    const SIZE: usize = 144;
    const REGULAR: u64 = 0o100644;
    let mut bytes = vec![0; SIZE];
    // Offset and value of `st_ino`, `st_nlink`, `st_mode` (with an owner of 0), `st_size`, `st_blksize` and `st_blocks`.
    for (offset, value) in [(8, 1), (16, 1), (24, REGULAR), (48, size), (56, 4096), (64, 8)] {
        bytes[offset..offset + 8].copy_from_slice(&u64::to_le_bytes(value));
    }
    bytes
}

fn put_u32(out: &mut Vec<u8>, value: usize) {
    out.extend((value as u32).to_be_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u32(out, bytes.len());
    out.extend(bytes);
}
