//! Ctrl-C and SIGTERM: the first ends what is under way, with everything that was found; the second ends us.

use crate::args::TimeArgs;
use crate::exit;
use spelunk_deadline::Deadline;

/// A deadline that is over when a signal comes, or the time is up.
pub fn deadline(limit: TimeArgs) -> Deadline {
    let deadline = Deadline::default();
    let deadline = limit.time.map_or(deadline.clone(), |time| deadline.within(time));
    raise_on_signal(&deadline);
    deadline
}

pub fn raise_on_signal(deadline: &Deadline) {
    let deadline = deadline.clone();
    let handler = move || {
        if deadline.is_raised() {
            std::process::exit(exit::of_signal(exit::SIGINT).into());
        }
        deadline.raise();
    };
    // Without a handler a signal ends us at once; what was found is on disk.
    let _ = ctrlc::set_handler(handler);
}
