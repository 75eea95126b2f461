//! Which lines `--changed` means.

use spelunk_engine::targets::{ChangedLines, changed_lines};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// Takes a patch from a file or standard input, or what git says has changed since a revision.
pub fn read(patch_or_revision: &str) -> Result<Vec<ChangedLines>, String> {
    let diff = match patch_or_revision {
        "-" => {
            let mut text = Vec::new();
            let read = std::io::stdin().read_to_end(&mut text);
            read.map_err(|error| format!("cannot read a patch from standard input: {error}"))?;
            text
        }
        file if is_there(Path::new(file)) => {
            std::fs::read(file).map_err(|error| format!("cannot read {file}: {error}"))?
        }
        revision => git_diff(revision)?,
    };
    changed_lines(&String::from_utf8_lossy(&diff)).map_err(|error| format!("--changed {patch_or_revision}: {error}"))
}

fn git_diff(revision: &str) -> Result<Vec<u8>, String> {
    // Whatever the user has configured, the output is to be a plain patch.
    let mut git = Command::new("git");
    git.args(["diff", "-U0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/"]);
    git.arg("--end-of-options").arg(revision).arg("--").stdin(Stdio::null());
    let cannot = |why: &str| format!("--changed {revision} is neither a file nor a revision that git knows: {why}");
    let output = git.output().map_err(|error| cannot(&error.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(cannot(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("it failed"))),
    }
}

/// Also a pipe, as shells make one of `<(git diff)`.
fn is_there(file: &Path) -> bool {
    file.exists() && !file.is_dir()
}
