//! A picture as plain data: boxes with named values, of which some are arrows to other boxes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::values;
use crate::suite::TestCase;
use crate::suite::test_case::InputObject;
use crate::suite::types::{CType, Field, Format, Types};

/// Boxes with more rows end with one that says how many are left out.
const MAX_ROWS: usize = 48;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Picture {
    /// The first one holds what is not pointed to: arguments, or the named inputs of a program.
    pub nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The C type; of the first box what is called.
    pub title: String,
    /// The name that the object has in the test.
    pub name: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Nothing for an object that is one value.
    pub label: String,
    pub value: Value,
    /// Whether another pointer would do.
    pub is_open: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Text(String),
    Null,
    Pointer(Link),
}

/// Where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The number of the box.
    pub node: usize,
    /// The row that it leads to; the box as a whole without it.
    pub row: Option<usize>,
    /// Bytes behind the start of that.
    pub beyond: u64,
}

impl Picture {
    /// The picture of what a test is given.
    pub fn new(test: &TestCase, types: &Types) -> Self {
        Builder::new(test, types).build()
    }

    /// The same with a box for the derivation of each text of a grammar.
    pub fn with_derivations(mut self, test: &TestCase) -> Self {
        for text in &test.texts {
            let row = |(depth, production): &(u32, String)| Row {
                label: format!("{}{production}", "  ".repeat(*depth as usize)),
                value: Value::Text(String::new()),
                is_open: false,
            };
            let mut rows: Vec<Row> = text.derivation.iter().take(MAX_ROWS).map(row).collect();
            if text.derivation.len() > MAX_ROWS {
                rows.push(row(&(0, format!("{} more", text.derivation.len() - MAX_ROWS))));
            }
            self.nodes.push(Node { title: format!("derivation of {}", text.input), name: String::new(), rows });
        }
        self
    }

    /// All pointers: the box and the row where each starts, and where it leads.
    pub fn links(&self) -> impl Iterator<Item = (usize, usize, &Link)> {
        self.nodes.iter().enumerate().flat_map(|(number, node)| {
            node.rows.iter().enumerate().filter_map(move |(row, it)| match &it.value {
                Value::Pointer(link) => Some((number, row, link)),
                _ => None,
            })
        })
    }
}

struct Builder<'t> {
    test: &'t TestCase,
    types: &'t Types,
    /// The box of each object that has one of its own.
    places: BTreeMap<&'t str, usize>,
    /// Objects that are shown in place of the only pointer to them.
    inlined: BTreeMap<&'t str, String>,
    nodes: Vec<Node>,
    /// By box: the bytes of its object that each row stands for.
    spans: Vec<Vec<Range<u32>>>,
}

impl<'t> Builder<'t> {
    fn new(test: &'t TestCase, types: &'t Types) -> Self {
        let mut n_pointers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut is_whole: BTreeMap<&str, bool> = BTreeMap::new();
        for (_, target, at) in test.input.iter().flat_map(|object| &object.references) {
            *n_pointers.entry(target).or_default() += 1;
            *is_whole.entry(target).or_insert(true) &= *at == 0;
        }
        let mut inlined = BTreeMap::new();
        for object in &test.input {
            let name = object.name.as_str();
            let is_single = n_pointers.get(name) == Some(&1) && is_whole[name];
            let ctype = object.ty.as_ref().and_then(|ty| types.types.get(ty));
            let is_text = ctype.is_some_and(|it| matches!(&it.fields[..], [field] if field.format == Format::Char));
            if is_single && is_text && object.bytes.len() > 1 {
                let text = test.texts.iter().find(|text| text.input == name);
                let text = text.map_or_else(|| values::c_string(&object.bytes), |text| format!("\"{}\"", text.text));
                inlined.insert(name, text);
            }
        }
        Self { test, types, places: BTreeMap::new(), inlined, nodes: Vec::new(), spans: Vec::new() }
    }

    fn build(mut self) -> Picture {
        let pointed: BTreeSet<&str> = self.test.input.iter().flat_map(|it| &it.references).map(|it| &*it.1).collect();
        let title = match &self.test.unit {
            Some(_) => format!("{}()", self.test.entry),
            None => "input".to_owned(),
        };
        self.nodes.push(Node { title, name: String::new(), rows: Vec::new() });
        self.spans.push(Vec::new());
        let is_inner = |object: &&InputObject| object.name.starts_with('*') || pointed.contains(&*object.name);
        let given = self.test.input.iter().filter(|object| !self.test.is_template(object));
        let (inner, roots): (Vec<_>, Vec<_>) = given.partition(is_inner);
        let inner: Vec<_> = inner.into_iter().filter(|object| !self.inlined.contains_key(&*object.name)).collect();
        for object in &inner {
            self.places.insert(&object.name, self.nodes.len());
            let title = object.ty.clone().unwrap_or_else(|| format!("{} bytes", object.bytes.len()));
            self.nodes.push(Node { title, name: object.name.clone(), rows: Vec::new() });
            self.spans.push(Vec::new());
        }
        for object in roots {
            self.fill(0, object, &object.name);
        }
        for object in inner {
            self.fill(self.places[&*object.name], object, "");
        }
        self.aim();
        Picture { nodes: self.nodes }
    }

    /// Adds the rows of an object to a box.
    fn fill(&mut self, node: usize, object: &InputObject, prefix: &str) {
        let n_before = self.nodes[node].rows.len();
        let Some(ctype) = object.ty.as_ref().and_then(|ty| self.types.types.get(ty)).filter(|ty| ty.size > 0) else {
            let text = self.test.texts.iter().find(|text| text.input == object.name);
            let text = Value::Text(text.map_or_else(|| values::untyped(&object.bytes), |text| text.text.clone()));
            return self.push(node, prefix.to_owned(), text, 0..object.bytes.len() as u32);
        };
        let fields = elements(ctype, object.bytes.len() as u32);
        let mut rest = &fields[..];
        while let Some((first, others)) = rest.split_first() {
            if self.nodes[node].rows.len() - n_before >= MAX_ROWS {
                let text = Value::Text(format!("{} more", rest.len()));
                self.push(node, "…".to_owned(), text, 0..0);
                break;
            }
            let n_same = 1 + others.iter().take_while(|it| first.goes_on_with(it)).count();
            let (run, after) = rest.split_at(if first.is_in_array() { n_same } else { 1 });
            rest = after;
            if first.field.format == Format::Pointer {
                self.pointers(node, object, prefix, run);
            } else {
                let label = run_label(prefix, run);
                self.push(node, label, Value::Text(run_text(&object.bytes, run)), span(run));
            }
        }
    }

    /// Rows for pointers side by side; nulls among them have one together.
    fn pointers(&mut self, node: usize, object: &InputObject, prefix: &str, run: &[Element<'_>]) {
        let target = |it: &Element<'_>| object.references.iter().find(|reference| reference.0 == it.byte());
        let is_null =
            |it: &Element<'_>| target(it).is_none() && values::field(&object.bytes, it.start, it.field) == "null";
        let mut rest = run;
        while let Some(first) = rest.first() {
            let n_nulls = rest.iter().take_while(|it| is_null(it)).count();
            let (row, after) = rest.split_at(n_nulls.max(1));
            rest = after;
            let value = match target(first) {
                _ if n_nulls > 0 => Value::Null,
                None => Value::Text(values::field(&object.bytes, first.start, first.field)),
                Some((_, target, at)) => match (self.inlined.get(&**target), self.places.get(&**target)) {
                    (Some(text), _) => Value::Text(text.clone()),
                    (None, Some(&node)) => Value::Pointer(Link { node, row: None, beyond: *at }),
                    // A function.
                    (None, None) => Value::Text(target.clone()),
                },
            };
            self.push(node, run_label(prefix, row), value, span(row));
            if let Some(pushed) = self.nodes[node].rows.last_mut() {
                pushed.is_open = row.iter().all(|it| object.undecided.contains(&it.byte()));
            }
        }
    }

    fn push(&mut self, node: usize, label: String, value: Value, bytes: Range<u32>) {
        self.spans[node].push(bytes);
        self.nodes[node].rows.push(Row { label, value, is_open: false });
    }

    /// Lets pointers to the middle of an object lead to the row that is there.
    fn aim(&mut self) {
        let spans = &self.spans;
        for row in self.nodes.iter_mut().flat_map(|node| &mut node.rows) {
            let Value::Pointer(link) = &mut row.value else { continue };
            if link.beyond == 0 {
                continue;
            }
            let holds = |span: &Range<u32>| (u64::from(span.start)..u64::from(span.end)).contains(&link.beyond);
            if let Some(row) = spans[link.node].iter().position(holds) {
                link.row = Some(row);
                link.beyond -= u64::from(spans[link.node][row].start);
            }
        }
    }
}

/// A field of one of the objects side by side.
struct Element<'t> {
    field: &'t Field,
    /// Where the object starts.
    start: u32,
    label: String,
}

impl Element<'_> {
    fn byte(&self) -> u32 {
        self.start + self.field.bit_offset / 8
    }

    fn is_in_array(&self) -> bool {
        self.label.ends_with(']')
    }

    /// Whether the other is an element of the same array.
    fn goes_on_with(&self, other: &Self) -> bool {
        self.field.format == other.field.format && array_of(&self.label) == array_of(&other.label)
    }
}

fn array_of(label: &str) -> Option<&str> {
    label.strip_suffix(']').and_then(|label| label.rsplit_once('[')).map(|(array, _)| array)
}

fn elements(ctype: &CType, n_bytes: u32) -> Vec<Element<'_>> {
    let count = n_bytes / ctype.size;
    let element = |number: u32| {
        let index = if count == 1 { String::new() } else { format!("[{number}]") };
        ctype.fields.iter().map(move |field| {
            let label = format!("{index}{}", field.path);
            Element { field, start: number * ctype.size, label }
        })
    };
    (0..count).flat_map(element).collect()
}

fn span(run: &[Element<'_>]) -> Range<u32> {
    let last = &run[run.len() - 1];
    run[0].byte()..last.start + (last.field.bit_offset + last.field.n_bits).div_ceil(8)
}

fn run_label(prefix: &str, run: &[Element<'_>]) -> String {
    let first = &run[0].label;
    let label = match (array_of(first), run) {
        (Some(array), [_, .., last]) => {
            let index = |label: &str| label[array.len() + 1..label.len() - 1].to_owned();
            format!("{array}[{}–{}]", index(first), index(&last.label))
        }
        _ => first.clone(),
    };
    match prefix {
        "" => label.strip_prefix('.').unwrap_or(&label).to_owned(),
        _ => format!("{prefix}{label}"),
    }
}

fn run_text(bytes: &[u8], run: &[Element<'_>]) -> String {
    let place = span(run);
    let all = bytes.get(place.start as usize..place.end as usize).unwrap_or_default();
    match run[0].field.format {
        Format::Char if run.len() > 1 => values::string(all).unwrap_or_else(|| values::digits(all)),
        Format::Bytes => values::untyped(all),
        _ => {
            let each: Vec<String> = run.iter().take(32).map(|it| values::field(bytes, it.start, it.field)).collect();
            values::cut(&each.join(", "))
        }
    }
}
