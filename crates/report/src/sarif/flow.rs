//! The way to a bug as a code flow: the decisions of the test that shows it.

use serde_json::{Value, json};

use super::places::Places;
use crate::suite::TestCase;
use crate::suite::profile::{Profile, Site};
use crate::suite::summary::BugEntry;
use crate::suite::test_case::{Decision, Place};

/// Of longer paths the last decisions are told.
const MAX_STEPS: usize = 500;

/// Nothing if no decision has a place in the source.
pub fn code_flow(places: &Places<'_>, profile: &Profile, test: &TestCase, bug: &BugEntry) -> Option<Value> {
    let step = |decision: &Decision| {
        let site = site(profile, decision.1)?;
        let place = place(profile, site)?;
        Some(places.location(&place, Some(&words(profile, site, decision))))
    };
    let mut steps: Vec<Value> = test.decisions.iter().filter_map(step).collect();
    if steps.is_empty() {
        return None;
    }
    steps.drain(..steps.len().saturating_sub(MAX_STEPS));
    steps.push(places.location(&bug.place, Some(&bug.message)));
    let n_steps = steps.len();
    let located = |(number, location): (usize, Value)| {
        json!({
            "location": location,
            "executionOrder": number + 1,
            "importance": if number + 1 == n_steps { "essential" } else { "important" },
        })
    };
    Some(json!({ "threadFlows": [{ "locations": steps.into_iter().enumerate().map(located).collect::<Vec<_>>() }] }))
}

fn site(profile: &Profile, op: u32) -> Option<&Site> {
    let at = profile.sites.binary_search_by_key(&op, |site| site.op).ok()?;
    Some(&profile.sites[at])
}

fn place(profile: &Profile, site: &Site) -> Option<Place> {
    let file = profile.files.get(site.file? as usize)?.path.clone();
    let function = profile.functions.get(site.function as usize).cloned().unwrap_or_default();
    Some(Place { file, line: site.line, column: site.column, function })
}

fn words(profile: &Profile, site: &Site, Decision(kind, op, taken): &Decision) -> String {
    match (kind.as_str(), taken) {
        ("branch", 0 | 1) => match site.truth.of(*taken == 1) {
            Some(holds) => format!("The condition is {holds}"),
            None => "Branches".to_owned(),
        },
        ("switch", target) => {
            let goes_there =
                |branch: &&crate::suite::profile::BranchOutcome| branch.0 == *op && u64::from(branch.1) == *target;
            match profile.branches.iter().find(goes_there) {
                Some(branch) => format!("Goes to line {}", branch.2),
                None => "Chooses a case".to_owned(),
            }
        }
        ("value", value) => format!("The value is {value}"),
        ("region", _) => "The address is in an object".to_owned(),
        ("alias", 3) => "Both pointers lead to one object".to_owned(),
        ("alias", _) => "Both pointers lead to different objects".to_owned(),
        (check, 0) => format!("No {check}"),
        (check, _) => check.to_owned(),
    }
}
