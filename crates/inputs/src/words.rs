//! What the inputs of a function are, in words: for a person who chooses one.

use spelunk_concolic::graph::layout::{Callee, Count, Layout, Leaf, LeafKind, Target};
use spelunk_concolic::graph::unit::{Home, Unit};
use spelunk_ir::code::Image;

/// Whether these are all numbers from zero on that a count may have. Constants that C has names for are seldom as many.
fn is_range(values: &[u64]) -> bool {
    values.len() > 8 && (0..).zip(values).all(|(number, &value)| number == value)
}

/// What each argument is given, by name.
pub fn inputs(unit: &Unit, image: &Image) -> Vec<(String, String)> {
    let words = Words { unit, image };
    let arguments = unit.params.iter().filter(|param| param.home == Home::Argument);
    arguments.map(|param| (param.name.clone(), words.object(unit.layouts.get(param.layout)))).collect()
}

struct Words<'a> {
    unit: &'a Unit,
    image: &'a Image,
}

impl Words<'_> {
    fn object(&self, layout: &Layout) -> String {
        match &layout.leaves[..] {
            [leaf] if leaf.path.is_empty() => self.leaf(leaf),
            leaves if !leaves.iter().any(|leaf| leaf.path.contains('.')) => "any value".to_owned(),
            _ => self.with_pointers("any values of its members".to_owned(), layout),
        }
    }

    fn leaf(&self, leaf: &Leaf) -> String {
        match &leaf.kind {
            LeafKind::Number | LeafKind::Char => "any value".to_owned(),
            LeafKind::OneOf(values) if **values == [0, 1] => "0 or 1".to_owned(),
            LeafKind::OneOf(values) if is_range(values) => format!("0 to {}", values.len() - 1),
            LeafKind::OneOf(values) => format!("one of {} constants", values.len()),
            LeafKind::Fixed(value) => format!("{value}"),
            LeafKind::Function(callees) => self.callees(callees),
            LeafKind::Pointer(kind) => {
                let pointer = self.unit.layouts.pointer(*kind);
                match &pointer.target {
                    Target::Nothing => "null".to_owned(),
                    target if pointer.nullable => format!("null, or {}", self.target(target)),
                    target => self.target(target),
                }
            }
        }
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Objects { layout, count } => {
                let layout = self.unit.layouts.get(*layout);
                let objects = match (&*layout.name, count) {
                    ("void", n_bytes) => format!("{n_bytes} bytes of any value"),
                    (name, 1) => format!("one `{name}`"),
                    (name, count) => format!("{count} of `{name}`"),
                };
                self.with_pointers(objects, layout)
            }
            Target::Inside { layout, outer, .. } => {
                let [inner, outer] = [layout, outer].map(|layout| self.unit.layouts.get(*layout));
                self.with_pointers(format!("one `{}` in a `{}`", inner.name, outer.name), outer)
            }
            Target::Counted { layout, max, count } => {
                let layout = self.unit.layouts.get(*layout);
                let counted = format!("as many `{}` as {} says, up to {max}", layout.name, self.counter(*count));
                self.with_pointers(counted, layout)
            }
            Target::String { max_len, longest, count: None, .. } if longest > max_len => {
                format!("a string of up to {max_len} characters (up to {longest} by its length)")
            }
            Target::String { max_len, count: None, .. } => format!("a string of up to {max_len} characters"),
            Target::String { max_len, count: Some(count), .. } => {
                format!("a string of as many characters as {} says, up to {max_len}", self.counter(*count))
            }
            Target::Nothing => "nothing".to_owned(),
        }
    }

    fn with_pointers(&self, what: String, layout: &Layout) -> String {
        match layout.leaves.iter().any(|leaf| matches!(leaf.kind, LeafKind::Pointer(_))) {
            true => format!("{what}, and what its pointers lead to"),
            false => what,
        }
    }

    fn counter(&self, count: Count) -> String {
        match count {
            Count::Param { param, .. } => format!("`{}`", self.unit.params[param].name),
            Count::Beside { .. } => "a member".to_owned(),
        }
    }

    fn callees(&self, callees: &[Callee]) -> String {
        let words = callees.iter().map(|callee| match callee {
            Callee::Null => "null".to_owned(),
            Callee::Function(id) => match self.image.functions.get(id.index()) {
                Some(code) => format!("`{}`", code.name),
                None => "a function that returns any value".to_owned(),
            },
        });
        words.collect::<Vec<_>>().join(" or ")
    }
}
