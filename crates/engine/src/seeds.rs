//! Inputs to start with: tests of other campaigns, and plain files such as a fuzzer's corpus.
//!
//! A plain file is what the program reads: standard input, or the first file or argument that is symbolic. Inputs of a program
//! have a fixed size, so a file that is shorter has zeros behind it, and a longer one is cut.

use std::fs;
use std::path::{Path, PathBuf};

use spelunk_concolic::Input;
use spelunk_concolic::Root;
use spelunk_deadline::Deadline;
use spelunk_report::suite::{Setup, Store, StoreError};

use crate::stored::read_inputs;

/// Where AFL keeps what it has found, seen from the directory that it was told.
const AFL: &[&str] = &["queue", "crashes", "hangs", "default/queue", "default/crashes", "default/hangs", "main/queue"];

/// Larger files are no seeds.
const MAX_SIZE: u64 = 1 << 20;

/// Inputs of one directory, as many as there is time for.
pub(crate) fn read(dir: &Path, setup: &Setup, deadline: &Deadline) -> Result<Vec<Input>, StoreError> {
    match Store::existing(dir) {
        Ok(store) => read_inputs(&store, deadline),
        Err(error) => {
            let files = plain_files(dir);
            let Some((root, name)) = target(setup).filter(|_| !files.is_empty()) else { return Err(error) };
            let files = files.into_iter().take_while(|_| !deadline.is_over());
            let bytes = files.filter_map(|file| fs::read(file).ok());
            Ok(bytes.map(|bytes| Input::new().with_object(root.clone(), name.clone(), bytes)).collect())
        }
    }
}

/// The files of a directory that may be seeds, in the order of their names: a corpus of libFuzzer's has nothing else, one of AFL's has
/// them in directories of its own.
pub fn plain_files(dir: &Path) -> Vec<PathBuf> {
    let fuzzers: Vec<PathBuf> = AFL.iter().map(|place| dir.join(place)).filter(|dir| dir.is_dir()).collect();
    let dirs = if fuzzers.is_empty() { vec![dir.to_owned()] } else { fuzzers };
    let mut files: Vec<PathBuf> = dirs
        .iter()
        .filter_map(|dir| fs::read_dir(dir).ok())
        .flat_map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())))
        .filter(|path| is_seed(path))
        .collect();
    files.sort();
    files
}

fn is_seed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_other = name.starts_with('.') || name == "README.txt";
    !is_other && fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SIZE)
}

/// What a plain file is the content of.
fn target(setup: &Setup) -> Option<(Root, String)> {
    if setup.symbolic_stdin.is_some() {
        return Some((Root::Stdin, "stdin".to_owned()));
    }
    if let Some((name, _)) = setup.symbolic_files.first() {
        return Some((Root::File(0), name.clone()));
    }
    (!setup.symbolic_args.is_empty()).then(|| (Root::Arg(0), "arg0".to_owned()))
}

/// How many bytes the largest of a directory's plain files has; nothing if there are none, or if it is a campaign's.
pub fn largest(dir: &Path) -> Option<u64> {
    if Store::existing(dir).is_ok() {
        return None;
    }
    plain_files(dir).iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).max()
}
