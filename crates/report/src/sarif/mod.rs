//! The bugs of campaigns as SARIF 2.1.0, the format that code scanning services and editors read.
//!
//! `places` turns places into locations of that format, `flow` the decisions of a test into a code flow. A confirmed bug is
//! an error, what needs a precondition a note, everything else a warning; what else there is to know stands under `properties`.

mod flow;
mod places;

use serde_json::{Value, json};
use spelunk_vm::BugKind;

use crate::stable_hash;
use crate::suite::summary::{BugEntry, Status};
use crate::suite::{Campaign, Class, StoreError};
use places::Places;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The bugs of all campaigns as one log with one run.
pub fn log(campaigns: &[Campaign]) -> Result<Value, StoreError> {
    let mut results = Vec::new();
    for campaign in campaigns {
        for bug in &campaign.summary.bugs {
            results.push(result(campaign, bug)?);
        }
    }
    Ok(json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Spelunk",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": BugKind::ALL.iter().map(|&kind| rule(kind)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": campaigns.iter().map(invocation).collect::<Vec<_>>(),
            "results": results,
        }],
    }))
}

fn rule(kind: BugKind) -> Value {
    json!({
        "id": kind.slug(),
        "name": kind.title(),
        "shortDescription": { "text": capitalised(kind.title()) },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["correctness", "security"], "precision": "high" },
    })
}

fn invocation(campaign: &Campaign) -> Value {
    let summary = &campaign.summary;
    json!({
        // To be stopped by a budget is no failure.
        "executionSuccessful": true,
        "properties": {
            "entry": summary.entry,
            "stopped": summary.stopped,
            "exhausted": summary.exhausted,
            "bounds": summary.bounds.iter().map(|bound| &bound.text).collect::<Vec<_>>(),
            "paths": summary.paths,
        },
    })
}

fn result(campaign: &Campaign, bug: &BugEntry) -> Result<Value, StoreError> {
    let places = Places::new(&campaign.profile);
    let title = bug.title();
    let text =
        if bug.message.is_empty() { capitalised(title) } else { format!("{}: {}", capitalised(title), bug.message) };
    let text = match (bug.status, &bug.reason) {
        (Status::Conditional, Some(reason)) => format!("{text} ({reason})"),
        _ => text,
    };
    let text = match &bug.precondition {
        Some(condition) => format!("{text}; only inputs that violate `{condition}` show this"),
        None => text,
    };
    let text = match &bug.calls {
        Some(calls) => format!("{text}; {calls}"),
        None => text,
    };
    let text = match campaign.summary.of_callers() {
        Some(note) => format!("{text}; {note}"),
        None => text,
    };
    let mut properties = json!({
        "entry": campaign.summary.entry, "class": bug.class, "status": bug.status, "test": bug.test,
    });
    if let Some(reason) = &bug.reason {
        properties["reason"] = json!(reason);
    }
    if let Some(precondition) = &bug.precondition {
        properties["precondition"] = json!(precondition);
    }
    if let Some(calls) = &bug.calls {
        properties["calls"] = json!(calls);
    }
    if let Some(callers) = &campaign.summary.internal {
        properties["callers"] = json!(callers);
    }
    let mut result = json!({
        "ruleId": bug.kind,
        "kind": "fail",
        "level": match (bug.class, bug.status) {
            (Class::NeedsPrecondition, _) => "note",
            (Class::Bug, Status::Confirmed) => "error",
            _ => "warning",
        },
        "message": { "text": text },
        "locations": places.locations([(&bug.place, None)]),
        "relatedLocations": places.locations(bug.notes.iter().map(|note| (&note.place, Some(note.message.as_str())))),
        "occurrenceCount": bug.hits.max(1),
        "partialFingerprints": { "spelunkBug/v1": fingerprint(&places, bug) },
        "properties": properties,
    });
    if let Some(rule) = BugKind::ALL.iter().position(|kind| kind.slug() == bug.kind) {
        result["ruleIndex"] = json!(rule);
    }
    if !bug.stack.is_empty() {
        result["stacks"] =
            json!([{ "message": { "text": "Calls that led there" }, "frames": places.frames(&bug.stack) }]);
    }
    if bug.test != 0 {
        let test = campaign.store.read_test(bug.test)?;
        if let Some(flow) = flow::code_flow(&places, &campaign.profile, &test, bug) {
            result["codeFlows"] = json!([flow]);
        }
    }
    Ok(result)
}

/// Stays the same when lines above are added or removed.
fn fingerprint(places: &Places<'_>, bug: &BugEntry) -> String {
    let line = places.source_line(&bug.place).unwrap_or_default();
    let mut parts = vec![bug.kind.as_str(), &bug.place.file, &bug.place.function, line.trim()];
    parts.extend(bug.cause.as_ref().and_then(|cause| places.source_line(cause)).map(str::trim));
    format!("{:016x}", stable_hash(parts.iter().flat_map(|part| part.bytes().chain([0]))))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
