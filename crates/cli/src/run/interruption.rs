//! Ctrl-C ends the campaign under way, and those that would come after it.

use spelunk_explore::campaign::StopFlag;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Default)]
pub struct Interruption {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_raised: bool,
    current: StopFlag,
}

impl Interruption {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is done in between that could leave it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn raise(&self) {
        let mut state = self.state();
        state.is_raised = true;
        state.current.raise();
    }

    /// The flag of a campaign that begins. A campaign whose budget is used up raises it, which concerns no other.
    pub fn begin(&self) -> StopFlag {
        let mut state = self.state();
        state.current = StopFlag::default();
        if state.is_raised {
            state.current.raise();
        }
        state.current.clone()
    }
}
