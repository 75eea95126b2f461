//! Calls into a program whose path has ended.

use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::{POLL_INTERVAL, Vm};
use spelunk_ir::model::FuncId;

impl<M: Machine> Vm<'_, M> {
    /// Calls a function though the path has ended, to clean up behind it. What ended the path does not end the call: the
    /// stack counts from zero, and the limits on time apply only after a while.
    pub fn call_after_stop(&mut self, function: FuncId, args: &[Slot]) -> Result<Vec<Slot>, Stop> {
        self.native_stack = 0;
        self.landmark = None;
        self.next_landmark = u64::MAX;
        self.next_poll = self.steps.saturating_add(POLL_INTERVAL);
        self.call(function, args)
    }
}
