//! Which plans have the same paths.

use super::Plan;

impl Plan {
    /// A number that is the same for plans which explore the same paths of the same sources: whatever else they say is about how
    /// fast and how long. A piece of work is understood by whoever has a plan of its digest.
    pub fn digest(&self) -> u64 {
        let Self { compile, entry, unit, setup, stack, .. } = self;
        let said = (compile, entry, unit, setup, stack, self.budget.depth, &self.recipe().digests);
        let text = serde_json::to_vec(&said).expect("a plan can be written");
        // Fowler, Noll and Vo's: the same on every machine and in every version.
        text.iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Budget, Check, Compile, Keep, QueryLog, Search, Tests};
    use spelunk_solver::chain::Layer;
    use std::time::Duration;

    fn plan() -> Plan {
        let compile = Compile { checks: vec![Check::SignedOverflow], cflags: vec!["-DX".into()], ..Compile::default() };
        let log = Some(QueryLog { dir: "q".into(), before: Some(Layer::Cores) });
        Plan {
            compile,
            entry: Some("f".into()),
            search: Search { without: vec![Layer::Slice], log, ..Search::default() },
            budget: Budget { time: Some(Duration::from_millis(1500)), ..Budget::default() },
            tests: Tests { keep: Keep::Mcdc, ..Tests::default() },
            ..Plan::default()
        }
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let text = serde_json::to_string(&plan()).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan());
        assert!(text.contains(r#""checks":["signed-overflow"]"#) && text.contains(r#""keep":"mcdc""#), "{text}");
        let error = serde_json::from_str::<Plan>(r#"{"tests": {"keep": "all"}}"#).unwrap_err();
        assert!(error.to_string().contains("`all` is none of coverage, findings, paths"), "{error}");
        assert_eq!(serde_json::from_str::<Plan>("{}").unwrap(), Plan::default());
    }

    #[test]
    fn only_what_changes_paths_changes_the_digest() {
        let slower = Plan { search: Search::default(), tests: Tests::default(), ..plan() };
        assert_eq!(slower.digest(), plan().digest());
        assert_ne!(Plan { entry: Some("g".into()), ..plan() }.digest(), plan().digest());
        assert_ne!(Plan { compile: Compile::default(), ..plan() }.digest(), plan().digest());
    }
}
