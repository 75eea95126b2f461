//! Running a script in a test.

use spelunk_smt::{Note, Outcome, RunError, Session};
use spelunk_solver::{Limits, chain};

/// What a script printed, the notes it got, and how it ended.
pub struct Ran {
    pub out: String,
    pub notes: Vec<Note>,
    pub end: Result<Outcome, RunError>,
}

pub fn run(script: &str) -> Ran {
    let mut session = Session::new(chain::build(&chain::Options::default()), Limits::default());
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let end = session.run(script.as_bytes(), &mut out, &mut |note| notes.push(note.clone()));
    Ran { out: String::from_utf8(out).expect("answers are text"), notes, end }
}
