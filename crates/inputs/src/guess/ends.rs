//! Which parameters are the end of what another leads to: `f(const char *p, const char *end)`.

use super::usage::{ParamPart, Usage};
use super::{Guessing, MAX_DEPTH, Named};
use spelunk_ir::model::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// What ends are called. `last` is as often the last element itself.
const ENDS: &[&str] = &["end", "endp", "e", "limit", "lim", "stop", "eof", "bound", "afterlast", "after_last"];

impl Guessing<'_, '_> {
    /// By number, ends and the parameters that they are the end of.
    pub fn ends(&self, id: FuncId, params: &[Named], usage: &Usage) -> BTreeMap<usize, usize> {
        let compared = self.compared(id, params.len(), 0);
        let mut found = BTreeMap::new();
        for (end, (name, ty)) in params.iter().enumerate() {
            let Some(target) = self.target(*ty) else { continue };
            // What is looked at through it is an element, or a place for a result.
            let is_used = usage.read.contains(&end) || usage.written.contains(&end) || self.is_string(usage, end);
            if is_used || self.is_said(name) {
                continue;
            }
            let is_start = |start: usize| {
                let (other, other_ty) = &params[start];
                let key = |ty| self.target(ty).map(|target| self.functions.type_key(target));
                start != end && key(*ty) == key(*other_ty) && !self.is_said(other) && !self.is_string(usage, start)
            };
            let compared = compared.iter().filter_map(|&(left, right)| match (left == end, right == end) {
                (true, _) => Some(right),
                (_, true) => Some(left),
                _ => None,
            });
            let compared: BTreeSet<usize> = compared.filter(|&start| is_start(start)).collect();
            let start = match compared.iter().collect::<Vec<_>>()[..] {
                [&start] if is_end(name, &params[start].0) => Some(start),
                [] => end.checked_sub(1).filter(|&start| {
                    is_start(start) && self.is_plain(target) && is_end(name, &params[start].0) && name.len() > 1
                }),
                _ => None,
            };
            found.extend(start.map(|start| (end, start)));
        }
        // An end is no start.
        let ends: Vec<usize> = found.keys().copied().collect();
        found.retain(|_, start| !ends.contains(start));
        found
    }

    /// Parameters that are compared with each other, by the function or by those that it calls.
    fn compared(&self, id: FuncId, n_params: usize, depth: usize) -> BTreeSet<(usize, usize)> {
        let Some(usage) = self.usage(id, n_params) else { return BTreeSet::new() };
        let mut found: BTreeSet<(usize, usize)> = usage.compared.iter().copied().collect();
        for (callee, args) in usage.calls.iter().filter(|(callee, _)| depth < MAX_DEPTH && *callee != id) {
            let param = |number: usize| match args.get(number) {
                Some(Some(ParamPart::Param(param))) => Some(*param),
                _ => None,
            };
            let inner = self.compared(*callee, args.len(), depth + 1);
            found.extend(inner.iter().filter_map(|&(left, right)| Some((param(left)?, param(right)?))));
        }
        found
    }
}

fn is_end(name: &str, start: &str) -> bool {
    let (name, start) = (name.to_ascii_lowercase(), start.to_ascii_lowercase());
    let behind = name.strip_prefix(start.as_str()).map(|rest| rest.trim_start_matches('_'));
    ENDS.contains(&name.as_str())
        || behind.is_some_and(|rest| ENDS.contains(&rest))
        || name.ends_with("_end")
        || name.starts_with("end_")
}
