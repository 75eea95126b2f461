//! A piece of a campaign that can be done elsewhere.

use serde::{Deserialize, Serialize};
use spelunk_explore::explorer;

use crate::{EngineError, Plan};

/// An open alternative, for anyone who has loaded the same plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// The digest of the plan.
    pub plan: u64,
    #[serde(flatten)]
    pub open: explorer::Work,
}

impl Work {
    pub fn new(plan: &Plan, open: explorer::Work) -> Self {
        Self { plan: plan.digest(), open }
    }

    /// What is to be explored, if it is a path of this plan.
    pub fn by(self, plan: &Plan) -> Result<explorer::Work, EngineError> {
        if self.plan == plan.digest() { Ok(self.open) } else { Err(EngineError::OtherPlan) }
    }
}
