//! A directory of its own with C sources, in which the real binary is run.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{self, Output};
use crate::spelunk::Spelunk;

const LIMIT: Duration = Duration::from_secs(300);

/// The binary under test.
pub fn spelunk() -> &'static Spelunk {
    static SPELUNK: OnceLock<Spelunk> = OnceLock::new();
    SPELUNK.get_or_init(|| Spelunk::locate().unwrap_or_else(|error| panic!("{error}")))
}

pub struct Scene {
    pub dir: TempDir,
}

impl Scene {
    /// A directory with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let scene = Self { dir: tempfile::tempdir().expect("a temporary directory") };
        for (name, text) in files {
            fs::write(scene.path(name), text).expect("a writable directory");
        }
        scene
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs `spelunk` in the directory.
    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = spelunk().command();
        command.args(args).current_dir(self.dir.path());
        process::run(&mut command, b"", LIMIT).expect("spelunk starts")
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).expect("a file")).expect("JSON")
    }

    pub fn change(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut json = self.json(name);
        change(&mut json);
        fs::write(self.path(name), json.to_string()).expect("a writable directory");
    }

    /// The tests of a campaign, in order.
    pub fn tests(&self, out: &str) -> Vec<Value> {
        let names = (1..).map(|number| format!("{out}/tests/{number:06}.json"));
        names.take_while(|name| self.path(name).exists()).map(|name| self.json(&name)).collect()
    }
}
