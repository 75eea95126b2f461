//! Errors of our own: panics, caught where a campaign can go on without what failed.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// To be called by the panic hook, which alone knows where the panic was. Says in one line what it was.
pub fn note(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    let what = format!("{}{place}", text_of(info.payload()));
    LAST.set(Some(what.clone()));
    what
}

fn text_of(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").replace('\n', " ")
}

/// Calls `f`. If it panics, says what was wrong; whoever goes on must know what state is left.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    LAST.set(None);
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| LAST.take().unwrap_or_else(|| text_of(&*payload)))
}

/// Where to fail on purpose, and how often that place is still passed before.
static PLANNED: OnceLock<(String, AtomicU64)> = OnceLock::new();

/// Plans a failure for tests: the `nth` time that a place is passed, counted from 1.
pub fn plan(place: &str, nth: u64) {
    let _ = PLANNED.set((place.to_owned(), AtomicU64::new(nth)));
}

/// Passes a place at which a failure may be planned.
pub fn pass(place: &str) {
    if let Some((planned, n_left)) = PLANNED.get()
        && planned == place
        && n_left.fetch_sub(1, Ordering::Relaxed) == 1
    {
        panic!("planned failure in `{place}`");
    }
}
