//! The `spelunk` binary: where it is, and how `spelunk exec` is called.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::config::Config;
use crate::native::{Invocation, NativeError, Sources};
use crate::process::Output;

#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("cannot run cargo to build spelunk: {0}")]
    Cargo(#[from] std::io::Error),
    #[error("building spelunk failed; set SPELUNK to the path of a built binary to test that one")]
    Build,
    #[error("no spelunk binary at {0}")]
    Missing(PathBuf),
}

/// The path of a runnable `spelunk`.
#[derive(Clone, Debug)]
pub struct Spelunk {
    path: PathBuf,
}

impl Spelunk {
    /// The binary named by `SPELUNK`, or else the release build of this workspace, brought up to date.
    pub fn locate() -> Result<Spelunk, FindError> {
        let path = match std::env::var_os("SPELUNK") {
            Some(path) => PathBuf::from(path),
            None => build_release()?,
        };
        let path = path.canonicalize().map_err(|_| FindError::Missing(path))?;
        Ok(Spelunk { path })
    }

    /// The directory that it is in.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// With all paths as tests, unless the command line says otherwise: what is compared is paths.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env("SPELUNK_KEEP", "paths");
        command
    }

    /// Compiles `sources` under `config` and runs them in the VM; `options` are further ones of `spelunk exec`.
    pub fn exec(
        &self,
        sources: &Sources<'_>,
        config: Config,
        options: &[String],
        invocation: &Invocation<'_>,
    ) -> Result<Output, NativeError> {
        let mut command = self.command();
        command.args(["exec", "--clang", config.clang]).arg(format!("--cflag={}", config.opt));
        command.args(sources.cflags.iter().map(|flag| format!("--cflag={flag}")));
        command.args(sources.files);
        command.args(options).arg("--").args(invocation.args);
        invocation.run(&mut command)
    }
}

fn build_release() -> Result<PathBuf, FindError> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "-p", "spelunk"])
        .current_dir(&workspace)
        .status()?;
    if !status.success() {
        return Err(FindError::Build);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    Ok(workspace.join(target).join("release").join("spelunk"))
}
