//! The objects of a test's input as C code: one variable for each, made before those that lead to it where that is possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use spelunk_concolic::graph::layout::{Layout, LayoutId};
use spelunk_concolic::graph::objects::{Origin, Shape, shapes};
use spelunk_concolic::graph::unit::Unit;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::InputObject;
use spelunk_report::suite::types::{Field, Format};

use super::context::Context;
use super::names::Names;
use super::reference::pointee;
use super::types::pointer_to;
use super::{field, literal};

/// More leaves than a layout tells apart.
const MAX_LEAVES: usize = 4096;

/// Longer initialisers are several lines.
const MAX_ROW: usize = 90;

/// An object that pointers of the input lead to, or that a function without a definition returns.
pub struct Object<'a> {
    pub variable: String,
    pub content: &'a InputObject,
    pub(super) layout: &'a Layout,
    pub(super) layout_id: LayoutId,
    pub fields: Vec<Field>,
    pub count: u32,
    n_after: u32,
    /// The bytes that C says its type has; nothing if its type has no name in the tests.
    pub(super) c_size: Option<u64>,
}

pub struct Graph<'a, 'p> {
    pub(super) context: &'a Context<'p>,
    pub(super) unit: &'a Unit,
    test: &'a TestCase,
    pub(super) objects: BTreeMap<&'a str, Object<'a>>,
}

/// How far the declaration of an object is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Begun,
    Done,
}

struct Declaring {
    progress: BTreeMap<String, Progress>,
    statements: Vec<String>,
    /// What can be said only when all objects are there.
    later: Vec<String>,
}

impl<'a, 'p> Graph<'a, 'p> {
    pub fn new(context: &'a Context<'p>, unit: &'a Arc<Unit>, test: &'a TestCase, names: &mut Names<'_>) -> Self {
        let shapes = shapes(unit, &test.input());
        let mut objects = BTreeMap::new();
        for (content, shape) in test.input.iter().zip(shapes) {
            let Some(Shape { layout: layout_id, n_after, origin: Origin::Result | Origin::Pointer, .. }) = shape else {
                continue;
            };
            let layout = unit.layouts.get(layout_id);
            // A parameter may say that there are fewer than the shape has room for.
            let count = content.bytes.len() as u32 / layout.size.max(1);
            let variable = names.add(&content.name, &layout.name);
            let c_size = context.types.size_of(layout).filter(|_| layout.leaves.len() < MAX_LEAVES);
            objects.insert(
                &*content.name,
                Object { variable, content, layout, layout_id, fields: field::fields(layout), count, n_after, c_size },
            );
        }
        Self { context, unit, test, objects }
    }

    /// Whether the type of an object has a name, so that C can look into it.
    pub fn is_typed(&self, name: &str) -> bool {
        self.objects.get(name).is_some_and(|object| object.c_size.is_some())
    }

    /// The object that the input calls so.
    pub fn object(&self, name: &str) -> Option<&Object<'a>> {
        self.objects.get(name)
    }

    /// Statements that make all objects.
    pub fn declarations(&self) -> Result<Vec<String>, String> {
        let mut declaring = Declaring { progress: BTreeMap::new(), statements: Vec::new(), later: Vec::new() };
        for object in &self.test.input {
            for (_, target, _) in object.references.iter().filter(|_| !self.objects.contains_key(&*object.name)) {
                self.declare(target, &mut declaring)?;
            }
        }
        // Those that nothing of what the functions are given leads to.
        for name in self.objects.keys() {
            self.declare(name, &mut declaring)?;
        }
        declaring.statements.append(&mut declaring.later);
        Ok(declaring.statements)
    }

    fn declare(&self, name: &str, declaring: &mut Declaring) -> Result<(), String> {
        let Some(object) = self.objects.get(name) else { return Ok(()) };
        if declaring.progress.contains_key(name) {
            return Ok(());
        }
        declaring.progress.insert(name.to_owned(), Progress::Begun);
        for (_, target, _) in &object.content.references {
            self.declare(target, declaring)?;
        }
        let is_text = object.layout.size == 1;
        match object.c_size {
            Some(c_size) if !is_text && object.count > 0 => self.declare_typed(object, c_size, declaring)?,
            _ => self.declare_bytes(object, declaring)?,
        }
        declaring.progress.insert(name.to_owned(), Progress::Done);
        Ok(())
    }

    /// With an initialiser of its type.
    fn declare_typed(&self, object: &Object<'_>, c_size: u64, declaring: &mut Declaring) -> Result<(), String> {
        let mut items = Vec::new();
        for element in 0..object.count {
            for field in &object.fields {
                let item = self.item(object, c_size, element, field, declaring)?;
                items.push((designator(object, element, field), item));
            }
        }
        let ty = &object.layout.name;
        let is_flexible = c_size < u64::from(object.layout.size);
        let made = match object.count {
            1 if is_flexible || object.n_after > 0 => {
                format!("spelunk_sized({ty}, {}, {})", object.layout.size + object.n_after, initialiser(&items))
            }
            1 => format!("spelunk_new({ty}, {})", initialiser(&items)),
            count => format!("spelunk_array({ty}, {count}, {})", initialiser(&items)),
        };
        declaring.statements.push(format!("{} = {made};", pointer_to(ty, &object.variable)));
        // What is behind the end of the type has no fields.
        let behind = object.content.bytes.get(c_size as usize..).filter(|_| is_flexible && object.count == 1);
        if behind.is_some_and(|bytes| bytes.iter().any(|&byte| byte != 0)) {
            let literal = literal::start(behind.unwrap_or_default());
            declaring.statements.push(format!("spelunk_fill((char *){} + {c_size}, {literal});", object.variable));
        }
        Ok(())
    }

    /// What a field is at first: nothing if it is zero, or can be set only later.
    fn item(
        &self,
        object: &Object<'_>,
        c_size: u64,
        element: u32,
        field: &Field,
        declaring: &mut Declaring,
    ) -> Result<Option<String>, String> {
        let start = element * object.layout.size;
        let reference = object.content.references.iter().find(|it| it.0 == start + field.bit_offset / 8);
        let bits = field::bits(&object.content.bytes, start as usize, field);
        let place = || lvalue(object, element, field);
        let is_inside = u64::from(field.bit_offset / 8) < c_size;
        if let (Format::Pointer, Some((_, target, at))) = (&field.format, reference) {
            let value = self.reference(target, *at, pointee(self.unit, object.layout, field.bit_offset / 8))?;
            let is_there = !matches!(declaring.progress.get(target), Some(Progress::Begun));
            if is_inside && is_there {
                return Ok(Some(value));
            }
            declaring.later.push(format!("{} = {value};", place()));
            return Ok(None);
        }
        if bits == 0 {
            return Ok(None);
        }
        match field::value(field, bits) {
            Some(value) if is_inside => return Ok(Some(value)),
            Some(value) => declaring.later.push(format!("{} = {value};", place())),
            None => declaring.later.push(fill(&format!("&{}", place()), bits, field.n_bits)),
        }
        Ok(None)
    }

    /// As bytes, with pointers put into them.
    fn declare_bytes(&self, object: &Object<'_>, declaring: &mut Declaring) -> Result<(), String> {
        let size = object.content.bytes.len() + object.n_after as usize;
        let literal = literal::start(&object.content.bytes);
        let declared = match object.c_size {
            Some(_) => pointer_to(&object.layout.name, &object.variable),
            None => pointer_to("void", &object.variable),
        };
        declaring.statements.push(format!("{declared} = spelunk_bytes({size}, {literal});"));
        for (offset, target, at) in &object.content.references {
            let value = self.reference(target, *at, None)?;
            declaring.later.push(format!("spelunk_put_pointer({}, {offset}, {value});", object.variable));
        }
        Ok(())
    }

    /// An argument, which is a copy of a parameter: its value, or a literal of its type.
    pub fn argument(&self, number: usize, ty: &str) -> Result<String, String> {
        let param = &self.unit.params[number];
        let layout = self.unit.layouts.get(param.layout);
        let items = self.items_of(&param.name, layout)?;
        match (&field::fields(layout)[..], &items[..]) {
            ([field], [(_, item)]) if field.path.is_empty() => Ok(item.clone().unwrap_or_else(|| zero(field))),
            _ => Ok(format!("({ty}){{{}}}", initialiser(&items))),
        }
    }

    /// Statements that give a variable of the program its value.
    pub fn assignments(&self, number: usize, variable: &str) -> Result<Vec<String>, String> {
        let param = &self.unit.params[number];
        let layout = self.unit.layouts.get(param.layout);
        let items = self.items_of(&param.name, layout)?;
        if let ([field], [(_, item)]) = (&field::fields(layout)[..], &items[..])
            && field.path.is_empty()
        {
            return Ok(vec![format!("{variable} = {};", item.clone().unwrap_or_else(|| zero(field)))]);
        }
        if self.context.types.size_of(layout).is_some() {
            return Ok(vec![format!("{variable} = ({}){{{}}};", layout.name, initialiser(&items))]);
        }
        let has_zeros = items.iter().any(|(_, item)| item.is_none());
        let clear = has_zeros.then(|| format!("__builtin_memset(&{variable}, 0, sizeof {variable});"));
        let set = items.into_iter().filter_map(|(path, item)| Some(format!("{variable}{path} = {};", item?)));
        Ok(clear.into_iter().chain(set).collect())
    }

    fn items_of(&self, name: &str, layout: &Layout) -> Result<Vec<(String, Option<String>)>, String> {
        let content = self.test.input.iter().find(|object| object.name == name);
        let (bytes, references) = content.map_or((&[][..], &[][..]), |it| (&it.bytes[..], &it.references[..]));
        let item = |field: &Field| {
            let offset = field.bit_offset / 8;
            let reference = references.iter().find(|reference| reference.0 == offset);
            if let (Format::Pointer, Some((_, target, at))) = (&field.format, reference) {
                let value = self.reference(target, *at, pointee(self.unit, layout, offset))?;
                return Ok((field.path.clone(), Some(value)));
            }
            let bits = field::bits(bytes, 0, field);
            let value =
                if bits == 0 { None } else { Some(field::value(field, bits).ok_or_else(|| no_literal(name, field))?) };
            Ok((field.path.clone(), value))
        };
        field::fields(layout).iter().map(item).collect()
    }
}

fn no_literal(name: &str, field: &Field) -> String {
    format!("C has no literal for `{name}{}`", field.path)
}

fn zero(field: &Field) -> String {
    if field.format == Format::Pointer {
        "NULL".to_owned()
    } else {
        field::value(field, 0).unwrap_or_else(|| "0".to_owned())
    }
}

fn designator(object: &Object<'_>, element: u32, field: &Field) -> String {
    if object.count == 1 { field.path.clone() } else { format!("[{element}]{}", field.path) }
}

/// How C gets to a field of an object.
fn lvalue(object: &Object<'_>, element: u32, field: &Field) -> String {
    behind_pointer(&object.variable, object.count, element, field)
}

/// How C gets to a field of one of `count` elements that a variable points to.
pub fn behind_pointer(variable: &str, count: u32, element: u32, field: &Field) -> String {
    match (count, field.path.strip_prefix('.')) {
        (1, Some(member)) => format!("{variable}->{member}"),
        (1, None) if field.path.is_empty() => format!("*{variable}"),
        _ => format!("{variable}[{element}]{}", field.path),
    }
}

/// Bytes where C has no literal.
fn fill(place: &str, bits: u128, n_bits: u32) -> String {
    let bytes = bits.to_le_bytes();
    format!("spelunk_fill({place}, {});", literal::string(&bytes[..(n_bits as usize).div_ceil(8).min(16)]))
}

/// What stands between the braces. Elements that are numbers follow one another; zeros at the end are left out.
fn initialiser(items: &[(String, Option<String>)]) -> String {
    let is_plain =
        |path: &str| path.is_empty() || (path.starts_with('[') && path.ends_with(']') && !path.contains('.'));
    let is_row = items
        .iter()
        .enumerate()
        .all(|(number, (path, _))| is_plain(path) && (items.len() == 1 || *path == format!("[{number}]")));
    let n_used = items.iter().rposition(|(_, item)| item.is_some()).map_or(0, |last| last + 1);
    let parts: Vec<String> = match is_row {
        true => items[..n_used].iter().map(|(_, item)| item.clone().unwrap_or_else(|| "0".to_owned())).collect(),
        false => items.iter().filter_map(|(path, item)| Some(format!("{path} = {}", item.as_ref()?))).collect(),
    };
    let len: usize = parts.iter().map(String::len).sum();
    let separator = if len > MAX_ROW { ",\n      " } else { ", " };
    if parts.is_empty() { "0".to_owned() } else { parts.join(separator) }
}
