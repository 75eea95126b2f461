//! The calls of a sequence as C code: statements that can stand in a function of the program.

use std::collections::BTreeMap;
use std::ops::Range;

use spelunk_concolic::Run;
use spelunk_concolic::graph::unit::{Arg, Call, Content, Home, Role, Step, Unit};
use spelunk_vm::{BugKind, Stop};

use super::test_case::InputObject;
use super::types::{CType, Field, Format, NamedTypes};
use crate::literal;

/// The statements; none if the unit is a single function. Conditions that the run did not come to are left out.
pub fn code(unit: &Unit, types: &NamedTypes, input: &[InputObject], run: &Run) -> Vec<String> {
    let rooms: Vec<_> = unit.params.iter().filter(|param| matches!(param.home, Home::Room(_))).collect();
    if rooms.is_empty() {
        return Vec::new();
    }
    let mut writer = Writer::new(unit, types, input);
    let steps = unit.steps.iter().take(run.n_steps.unwrap_or(usize::MAX));
    let calls: Vec<&Call> = steps.map_while(|step| writer.chosen(step)).collect();
    writer.name_what_is_used(&calls);
    let mut lines = writer.callbacks();
    lines.extend(writer.objects());
    for room in rooms {
        let ty = unit.layouts.get(room.layout).name.as_str();
        lines.push(match &room.home {
            _ if ty.ends_with('*') => format!("{ty}{} = NULL;", room.name),
            Home::Room(Content::Zero) => format!("{ty} {} = {{0}};", room.name),
            _ => format!("{ty} {};", room.name),
        });
    }
    let is_checked = !matches!(&run.stop, Stop::Bug(bug) if bug.kind != BugKind::Ensure);
    let mut waiting = Vec::new();
    for call in calls {
        match call.role {
            Role::Test => {
                lines.append(&mut waiting);
                lines.extend(writer.statement(call));
            }
            _ => waiting.extend(writer.statement(call)),
        }
    }
    if is_checked {
        lines.append(&mut waiting);
    }
    lines
}

/// Whether a pointer leads to a function that nobody defines.
fn is_stub(target: &str) -> bool {
    target.starts_with("&(")
}

/// Whether an object is nothing but such a pointer, whose type says how the function is called.
fn is_pointer_to_function(object: &InputObject) -> bool {
    object.ty.as_ref().is_some_and(|ty| ty.contains("(*)"))
}

/// What such a function is called: `(*compare)` is `callback_compare`.
fn name_of_callback(target: &str) -> String {
    let word: String = target.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '_').collect();
    format!("callback_{word}")
}

/// Statements that put a text into an object that is zero. What comes again and again is not written out.
fn text(variable: &str, bytes: &[u8]) -> Vec<String> {
    const MIN_REPEATED: usize = 16;
    let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..len];
    let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
    for run in bytes.chunk_by(|a, b| a == b) {
        let is_long = run.len() >= MIN_REPEATED;
        let start = runs.last().map_or(0, |(range, _)| range.end);
        match runs.last_mut().filter(|(_, was_long)| !was_long && !is_long) {
            Some((range, _)) => range.end += run.len(),
            None => runs.push((start..start + run.len(), is_long)),
        }
    }
    if let [(_, false)] = runs[..]
        && !bytes.contains(&0)
    {
        return vec![format!("strcpy({variable}, \"{}\");", escaped(bytes))];
    }
    let place = |start: usize| if start == 0 { variable.to_owned() } else { format!("{variable} + {start}") };
    let statement = |(range, is_long): (Range<usize>, bool)| {
        let (at, run, n) = (place(range.start), &bytes[range.clone()], range.len());
        match is_long {
            true if run[0] == 0 => None,
            true => Some(format!("memset({at}, {}, {n});", literal::character(run[0]))),
            false => Some(format!("memcpy({at}, \"{}\", {n});", escaped(run))),
        }
    };
    runs.into_iter().filter_map(statement).collect()
}

/// As a string literal has it.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| literal::escaped(byte)).collect()
}

struct Writer<'a> {
    unit: &'a Unit,
    types: &'a NamedTypes,
    input: BTreeMap<&'a str, &'a InputObject>,
    /// What the objects are called that the calls can reach.
    names: BTreeMap<&'a str, String>,
    /// The functions that stand in for pointers to functions in these and in arguments, with the types of the pointers: one name may
    /// be that of several.
    callbacks: Vec<(&'a str, Option<&'a str>, String)>,
}

impl<'a> Writer<'a> {
    fn new(unit: &'a Unit, types: &'a NamedTypes, input: &'a [InputObject]) -> Self {
        let input = input.iter().map(|it| (&*it.name, it)).collect();
        Self { unit, types, input, names: BTreeMap::new(), callbacks: Vec::new() }
    }

    /// Finds names for what these calls can reach: there may be arguments of others.
    fn name_what_is_used(&mut self, calls: &[&'a Call]) {
        let mut used: Vec<&'a InputObject> = Vec::new();
        let params = calls.iter().flat_map(|call| &call.args).filter_map(|arg| match *arg {
            Arg::Word { param, .. } | Arg::Address { param } | Arg::End { param, .. } => Some(param),
            Arg::Room { .. } => None,
        });
        let mut open: Vec<&'a str> = params.map(|param| &*self.unit.params[param].name).collect();
        while let Some(name) = open.pop() {
            let Some(&object) = self.input.get(name).filter(|object| !used.iter().any(|it| it.name == object.name))
            else {
                continue;
            };
            used.push(object);
            open.extend(object.references.iter().map(|(_, target, _)| &**target));
        }
        used.sort_by_key(|object| &object.name);
        let pointed = used.iter().filter(|object| object.name.starts_with('*'));
        self.names =
            pointed.enumerate().map(|(number, object)| (&*object.name, format!("object{}", number + 1))).collect();
        // A pointer by itself has a type that says all; of a member nobody knows.
        let (typed, others): (Vec<&InputObject>, Vec<_>) =
            used.into_iter().partition(|object| is_pointer_to_function(object));
        for object in typed.into_iter().chain(others) {
            for (_, target, _) in object.references.iter().filter(|(_, target, _)| is_stub(target)) {
                let ty = object.ty.as_deref().filter(|_| is_pointer_to_function(object));
                if self.callback(target, ty).is_none() {
                    let name = name_of_callback(target);
                    let n_known = self.callbacks.iter().filter(|(other, ..)| name_of_callback(other) == name).count();
                    let name = if n_known == 0 { name } else { format!("{name}_{}", n_known + 1) };
                    self.callbacks.push((target, ty, name));
                }
            }
        }
    }

    /// What stands in for a pointer of this type; without one, for any.
    fn callback(&self, target: &str, ty: Option<&str>) -> Option<&str> {
        let is_it = |it: &&(&str, Option<&str>, String)| it.0 == target && (ty.is_none() || it.1 == ty);
        self.callbacks.iter().find(is_it).map(|(.., name)| &**name)
    }

    /// The call that a step makes in the test; none if it does not come to that.
    fn chosen(&self, step: &'a Step) -> Option<&'a Call> {
        let Some(param) = step.choice else { return step.calls.first() };
        let object = self.input.get(&*self.unit.params[param].name)?;
        step.calls.get(usize::from(*object.bytes.first()?))
    }

    fn statement(&self, call: &Call) -> Option<String> {
        let mut args = Vec::new();
        let mut last = None;
        for arg in &call.args {
            let text = match *arg {
                Arg::Room { .. } => continue,
                Arg::Word { param, .. } if last == Some(param) => continue,
                Arg::Word { param, .. } | Arg::Address { param } | Arg::End { param, .. } => {
                    last = Some(param);
                    let is_room = matches!(self.unit.params[param].home, Home::Room(_));
                    match arg {
                        Arg::Address { .. } if is_room => format!("&{}", self.unit.params[param].name),
                        _ if is_room => self.unit.params[param].name.clone(),
                        _ => self.argument(&self.unit.params[param].name),
                    }
                }
            };
            args.push(text);
        }
        let text = format!("{}({})", call.name, args.join(", "));
        match (call.role, call.result) {
            (Role::Test, Some(room)) => Some(format!("{} = {text};", self.unit.params[room].name)),
            (Role::Test, None) => Some(format!("{text};")),
            (Role::Ensure, _) => Some(format!("assert({text});")),
            (Role::Assume | Role::Prepare, _) => None,
        }
    }

    fn ctype(&self, object: &InputObject) -> Option<&'a CType> {
        self.types.types.types.get(object.ty.as_ref()?)
    }

    /// The value of an argument.
    fn argument(&self, name: &str) -> String {
        let Some(object) = self.input.get(name) else { return "0".to_owned() };
        match self.ctype(object).map(|ctype| &ctype.fields[..]) {
            Some([field]) => self.value(object, field, 0),
            Some(fields) => {
                let members: Vec<String> =
                    fields.iter().map(|field| format!("{} = {}", field.path, self.value(object, field, 0))).collect();
                format!("({}){{{}}}", object.ty.as_deref().unwrap_or("int"), members.join(", "))
            }
            None => "0".to_owned(),
        }
    }

    /// Declarations of the functions that stand in for pointers to functions: what they return is input.
    fn callbacks(&self) -> Vec<String> {
        let declared = self.callbacks.iter().map(|(_, ty, name)| {
            let declaration = ty.map_or_else(|| format!("void {name}()"), |ty| ty.replacen("(*)", name, 1));
            format!("{declaration}; /* generated: returns what the test says */")
        });
        declared.collect()
    }

    /// The objects that are pointed to: first all of them, then what is in them.
    fn objects(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut contents = Vec::new();
        for (name, variable) in &self.names {
            let object = self.input[name];
            let Some(ctype) = self.ctype(object).filter(|ctype| ctype.size > 0) else { continue };
            let count = object.bytes.len() as u32 / ctype.size;
            let ty = object.ty.as_deref().filter(|&ty| ty != "void").unwrap_or("unsigned char");
            // Room for the zero at the end of a string.
            let is_text = matches!(&ctype.fields[..], [field] if field.format == Format::Char);
            lines.push(format!("{ty} *{variable} = calloc({}, sizeof *{variable});", count + u32::from(is_text)));
            if is_text && count > 1 {
                contents.extend(text(variable, &object.bytes));
                continue;
            }
            for element in 0..count {
                for field in &ctype.fields {
                    let start = element * ctype.size;
                    let value = self.value(object, field, start);
                    if value != "0" && value != "NULL" {
                        let place = match (count, field.path.strip_prefix('.')) {
                            (1, Some(member)) => format!("{variable}->{member}"),
                            _ => format!("{variable}[{element}]{}", field.path),
                        };
                        contents.push(format!("{place} = {value};"));
                    }
                }
            }
        }
        lines.append(&mut contents);
        lines
    }

    /// A field of an object as an expression.
    fn value(&self, object: &InputObject, field: &Field, start: u32) -> String {
        let at = start + field.bit_offset / 8;
        if field.format == Format::Pointer {
            let reference = object.references.iter().find(|reference| reference.0 == at);
            return reference.map_or_else(
                || "NULL".to_owned(),
                |(_, target, beyond)| match (self.names.get(&**target), beyond) {
                    (Some(name), 0) => name.clone(),
                    (Some(name), _) => format!("(void *)((char *){name} + {beyond})"),
                    (None, _) if is_stub(target) => {
                        let ty = object.ty.as_deref().filter(|_| is_pointer_to_function(object));
                        let cast = if ty.is_none() { "(void *)" } else { "" };
                        self.callback(target, ty).map_or_else(|| "NULL".to_owned(), |name| format!("{cast}{name}"))
                    }
                    (None, _) => target.clone(),
                },
            );
        }
        let bit = |number: u32| {
            let place = 8 * start + field.bit_offset + number;
            object.bytes.get(place as usize / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
        };
        let n_bits = field.n_bits.clamp(1, 64);
        let value = (0..n_bits).fold(0u64, |value, number| value | u64::from(bit(number)) << number);
        let unused = 64 - n_bits;
        match &field.format {
            Format::Signed if (value << unused) as i64 == i64::MIN && n_bits == 64 => "INT64_MIN".to_owned(),
            Format::Signed => ((value << unused) as i64 >> unused).to_string(),
            Format::Float if n_bits == 32 => format!("{:?}", f32::from_bits(value as u32)),
            Format::Float => format!("{:?}", f64::from_bits(value)),
            Format::Enum(constants) => {
                let named = constants.iter().find(|(_, constant)| constant << unused >> unused == value);
                named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
            }
            _ if value > i32::MAX as u64 => format!("{value}u"),
            _ => value.to_string(),
        }
    }
}
