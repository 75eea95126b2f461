//! The numbers that `--stats` asks for.

use bytesize::ByteSize;
use spelunk_driver::Phases;
use std::fmt;
use std::time::Duration;

pub struct Stats {
    pub phases: Phases,
    pub run: Duration,
    pub steps: u64,
    /// Bytes of all objects when the program ended.
    pub memory: u64,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Phases { compile, parse, link, lower } = self.phases;
        let phases = [("compile", compile), ("parse", parse), ("link", link), ("lower", lower), ("run", self.run)];
        for (name, time) in phases {
            writeln!(f, "{name:<12}{:>12.3} ms", time.as_secs_f64() * 1e3)?;
        }
        let seconds = self.run.as_secs_f64().max(1e-9);
        writeln!(
            f,
            "{:<12}{:>12} ({:.1} million a second)",
            "operations",
            self.steps,
            self.steps as f64 / seconds / 1e6
        )?;
        writeln!(f, "{:<12}{:>12}", "memory", ByteSize(self.memory).display().iec().to_string())
    }
}
