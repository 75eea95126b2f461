//! Objects of the input that no pointer owns: parameters, results, and what is asked for.

use super::heap::{Heap, Kind, Node, NodeId, SeriesId};
use super::layout::LayoutId;
use super::unit::StubResult;
use crate::key::{ObjectKey, Root, Series};
use std::sync::Arc;

/// The address of what is not in memory, or where the program has put it.
const NOWHERE: u64 = 0;

/// How the result of a call is named.
pub(super) fn result_name(function: &str, number: u32) -> String {
    match number {
        0 => format!("{function}()"),
        n => format!("{function}()#{}", n + 1),
    }
}

impl Heap {
    /// Adds the next parameter.
    pub fn add_param(&mut self, name: &str, layout: LayoutId, addr: u64) -> NodeId {
        let key = ObjectKey::of_root(Root::Param(self.nodes.len() as u32));
        self.add_root(Kind::Param, key, name, (layout, 1), addr)
    }

    fn add_root(
        &mut self,
        kind: Kind,
        key: ObjectKey,
        name: &str,
        (layout, count): (LayoutId, u32),
        addr: u64,
    ) -> NodeId {
        let name = self.free_name(name);
        self.add(Node {
            key: Arc::new(key),
            name,
            kind,
            layout,
            count,
            longest: count,
            n_after: 0,
            addr,
            inside: None,
            counted_by: None,
            holder: None,
            pointers: None,
        })
    }

    /// A name that no object has: numbers tell objects apart that would have the same.
    pub(super) fn free_name(&self, name: &str) -> Arc<str> {
        let numbered = (2..).map(|number| format!("{name}#{number}").into());
        let mut names = std::iter::once(name.into()).chain(numbered);
        names.find(|name| !self.by_name.contains_key(name)).expect("there is no end of numbers")
    }

    /// The object that a call returns of a function that nobody defines, by its number among those of the run.
    pub fn result(&mut self, result: &StubResult, number: u32) -> NodeId {
        let key = ObjectKey::of_root(Root::Result(result.function.as_str().into(), number));
        let name = || result_name(&result.function, number);
        self.find(&key).unwrap_or_else(|| self.add_root(Kind::Result, key, &name(), (result.layout, 1), NOWHERE))
    }

    /// An object that is asked for, with the name that it is to have. Plain bytes are as many as each run says.
    pub fn asked(&mut self, key: ObjectKey, name: &str, layout: LayoutId) -> NodeId {
        let count = u32::from(layout != LayoutId::BYTES);
        self.find(&key).unwrap_or_else(|| self.add_root(Kind::Asked, key, name, (layout, count), NOWHERE))
    }

    pub fn series(&mut self, series: Series<'_>) -> SeriesId {
        let (kind, label) = series.parts();
        if let Some(&known) = self.series[kind].get(label) {
            return known;
        }
        let id = SeriesId(self.series.iter().map(|known| known.len() as u32).sum());
        self.series[kind].insert(label.into(), id);
        id
    }

    /// The object of this number in a series: plain bytes.
    pub fn member(&mut self, id: SeriesId, series: Series<'_>, number: u32) -> NodeId {
        if let Some(&known) = self.members.get(&(id, number)) {
            return known;
        }
        let name = match number {
            0 => series.name(),
            n => format!("{}#{}", series.name(), n + 1),
        };
        let node = self.asked(series.key(number), &name, LayoutId::BYTES);
        self.members.insert((id, number), node);
        node
    }
}
