//! Ctrl-C.

use crate::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long a run may take to notice. It does not while the program waits for input, say.
const PATIENCE: Duration = Duration::from_millis(300);

/// From here on an interrupt sets the flag; a run that does not end soon after is ended.
pub fn raise_on_interrupt(flag: Arc<AtomicBool>) {
    let handler = move || {
        flag.store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        std::process::exit(exit::of_signal(exit::SIGINT).into());
    };
    // Without a handler the signal ends us at once: less polite, and good enough.
    let _ = ctrlc::set_handler(handler);
}
