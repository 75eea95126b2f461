//! What a user says about a partition of the inputs.

use crate::EngineError;
use crate::plan::{Partition, Plan};

/// What a file says of it, if one does.
pub fn stated(plan: &Plan) -> Result<Option<String>, EngineError> {
    if let Some(other) = plan.conflict_with_partition() {
        return Err(EngineError::PartitionConflict { other });
    }
    match &plan.search.partition {
        Partition::Off | Partition::Auto => Ok(None),
        Partition::Stated(path) => {
            let path = plan.compile.root().join(path);
            let text = std::fs::read_to_string(&path);
            text.map(Some).map_err(|source| EngineError::PartitionFile { path, source })
        }
    }
}
