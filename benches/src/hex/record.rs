//! The runs of an experiment that takes longer than one sitting: one a line, as JSON, in a file that only grows.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::{Run, Way};
use crate::error::BenchError;

#[derive(Default)]
pub struct Record {
    known: Vec<Run>,
    file: Option<File>,
}

impl Record {
    /// What is noted there already. Nothing is noted if there is no file.
    pub fn open(path: Option<&Path>) -> Result<Self, BenchError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = if path.exists() { std::fs::read_to_string(path)? } else { String::new() };
        let known = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(Self { known, file: Some(OpenOptions::new().create(true).append(true).open(path)?) })
    }

    pub fn find(&self, subject: &str, target: &str, way: Way) -> Option<Run> {
        let is_it = |run: &&Run| (run.subject.as_str(), run.target.as_str(), run.way) == (subject, target, way);
        self.known.iter().find(is_it).cloned()
    }

    pub fn note(&mut self, run: Run) -> Result<Run, BenchError> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&run)?)?;
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_again() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("runs");
        let run = |way, ends| Run {
            subject: "P1".to_owned(),
            target: "clear".to_owned(),
            way,
            is_exhausted: true,
            ends,
            alarms: 0,
            valid: ends,
            invalid: 0,
            unknown: 0,
            false_alarms: 0,
            cpu_seconds: 0.25,
        };
        let mut record = Record::open(Some(&path)).expect("a new file");
        assert!(record.find("P1", "clear", Way::Hex).is_none());
        for (way, ends) in [(Way::Hex, 3), (Way::PrEP, 4)] {
            record.note(run(way, ends)).expect("it can be written");
        }
        let record = Record::open(Some(&path)).expect("what was written can be read");
        assert_eq!(record.find("P1", "clear", Way::PrEP).map(|run| run.ends), Some(4));
        assert!(record.find("P1", "clear", Way::Lazy).is_none() && record.find("P2", "clear", Way::Hex).is_none());
    }
}
