//! Functions that nobody defines, as LLVM IR: each call returns what the test says, as in the VM. Variables that nobody
//! defines are zeros, as there.
//!
//! Debug info need not know functions that are only declared, so C could not spell what they return; the IR can. What they
//! take does not matter: whoever calls cleans up. A result of which the unit knows the type is one object of the test's
//! graph, pointers included; others are asked for part by part.

use std::fmt::Write;

use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::harness::is_undefined;
use spelunk_driver::{definitions_of_variables, undefined_variables};
use spelunk_ir::code::Image;
use spelunk_ir::model::{Function, Program, Type, TypeId};
use spelunk_libc::UNSUPPORTED;

use crate::runtime::{Replaced, opening, replaced};

const DECLARATIONS: &str = "\
declare void @spelunk_stub_number(ptr, i32)
declare void @spelunk_stub_pointer(ptr)
declare void @spelunk_stub_object(ptr)
declare void @spelunk_stub_area(ptr, i64)
declare i64 @spelunk_stub_any(ptr)
declare void @spelunk_stop(i32)
";

/// The text of a module that defines them all; nothing if there are none. Of the functions that pointers may lead to, those
/// stand in for others that are no functions of the program; they are numbered as the generated table has them.
pub fn stubs(program: &Program, image: &Image, unit: Option<&Unit>, callees: &[String]) -> Option<String> {
    let size = |name: &str| Some(unit?.layouts.get(unit?.result_of(name)?.layout).size);
    let undefined = undefined(image).filter_map(|name| stub(program, name, declaration(program, name)?, size(name)));
    let is_stand_in = |(_, name): &(usize, &String)| name.starts_with("(*");
    let stand_ins = callees.iter().enumerate().filter(is_stand_in).map(|(number, name)| stand_in(number, name));
    let variables = definitions_of_variables(program, &undefined_variables(program));
    let replaced = replaced(image).chain(opening(image)).map(replacement);
    let unsupported = unsupported(image).map(ending);
    let stubs: String = undefined.chain(stand_ins).chain([variables]).chain(replaced).chain(unsupported).collect();
    (!stubs.is_empty()).then(|| format!("{DECLARATIONS}{stubs}"))
}

/// The functions that nobody defines.
pub fn undefined(image: &Image) -> impl Iterator<Item = &str> {
    image.externals.iter().map(|name| &**name).filter(|name| is_undefined(name))
}

/// A function that stands in for a pointer returns in the registers for integers and for floats at once, as a result of two
/// parts does: whoever calls it looks at one of them.
fn stand_in(number: usize, name: &str) -> String {
    let len = name.len() + 1;
    format!(
        "@spelunk_name_{number} = private constant [{len} x i8] c\"{name}\\00\"\n\
         define {{ i64, double }} @spelunk_stand_in_{number}() sanitize_memory {{\n  \
         %word = call i64 @spelunk_stub_any(ptr @spelunk_name_{number})\n  %float = bitcast i64 %word to double\n  \
         %half = insertvalue {{ i64, double }} undef, i64 %word, 0\n  \
         %both = insertvalue {{ i64, double }} %half, double %float, 1\n  ret {{ i64, double }} %both\n}}\n\
         define ptr @spelunk_function_{number}() sanitize_memory {{\n  ret ptr @spelunk_stand_in_{number}\n}}\n"
    )
}

/// The functions of the C library that the program calls and gets from us.
pub fn in_place_of_library(image: &Image) -> Vec<String> {
    replaced(image)
        .chain(opening(image))
        .map(|function| function.name)
        .chain(unsupported(image))
        .map(str::to_owned)
        .collect()
}

fn unsupported(image: &Image) -> impl Iterator<Item = &str> {
    image.externals.iter().map(|name| &**name).filter(|name| UNSUPPORTED.contains(name))
}

/// A function that gives inputs under the name that the program calls it by.
fn replacement(function: &Replaced) -> String {
    let Replaced { name, ir: (result, params), .. } = function;
    let types =
        params.split(", ").map(|param| param.split(' ').next().unwrap_or_default()).collect::<Vec<_>>().join(", ");
    let (value, returned) = if *result == "void" { ("", "void") } else { ("%value = ", &*format!("{result} %value")) };
    format!(
        "declare {result} @spelunk_{name}({types})\ndefine {result} @{name}({params}) sanitize_memory {{\n  \
         {value}call {result} @spelunk_{name}({params})\n  ret {returned}\n}}\n"
    )
}

/// The VM can't run what comes after a call of this function, and here nothing of it is to happen either.
fn ending(name: &str) -> String {
    format!("define void @{name}() {{\n  call void @spelunk_stop(i32 0)\n  unreachable\n}}\n")
}

fn declaration<'p>(program: &'p Program, name: &str) -> Option<&'p Function> {
    program.functions.iter().find(|function| &*program.symbol(function.symbol).name == name)
}

/// `size` is that of a result which is one object.
fn stub(program: &Program, name: &str, function: &Function, size: Option<u32>) -> Option<String> {
    let written = function.params.first().and_then(|param| param.attrs.sret);
    let layout = program.modules[program.symbol(function.symbol).module.index()].data_layout;
    let body = match (written, &program.types[function.ret]) {
        (Some(ty), _) => {
            let size = program.types.alloc_size(layout, ty)?;
            format!("  call void @spelunk_stub_area(ptr %0, i64 {size})\n  ret void\n")
        }
        (None, Type::Void) => "  ret void\n".to_owned(),
        (None, _) => {
            let ty = spell(program, function.ret)?;
            let mut body = format!("  %result = alloca {ty}, align 16\n");
            match size {
                Some(size) => {
                    writeln!(body, "  call void @spelunk_stub_area(ptr %result, i64 {size})").expect("a string grows")
                }
                None => {
                    let mut slots = Slots { program, body: &mut body, n_names: 0, pointers: Vec::new() };
                    slots.fill("%result", function.ret)?;
                    // All is decided before objects are made.
                    let pointers = slots.pointers;
                    for pointer in pointers {
                        writeln!(body, "  call void @spelunk_stub_object(ptr {pointer})").expect("a string grows");
                    }
                }
            }
            write!(body, "  %value = load {ty}, ptr %result\n  ret {ty} %value\n").expect("a string grows");
            body
        }
    };
    let ret = if written.is_some() { "void".to_owned() } else { spell(program, function.ret)? };
    let params = if written.is_some() { "ptr %0" } else { "" };
    Some(format!("define {ret} @\"{name}\"({params}) sanitize_memory {{\n{body}}}\n"))
}

/// Fills the scalars of a result one after another.
struct Slots<'a> {
    program: &'a Program,
    body: &'a mut String,
    n_names: usize,
    pointers: Vec<String>,
}

impl Slots<'_> {
    fn fill(&mut self, place: &str, ty: TypeId) -> Option<()> {
        match &self.program.types[ty] {
            Type::Ptr => {
                writeln!(self.body, "  call void @spelunk_stub_pointer(ptr {place})").expect("a string grows");
                self.pointers.push(place.to_owned());
            }
            Type::Struct { fields, .. } => {
                for (number, &field) in fields.iter().enumerate() {
                    let part = self.part(place, ty, number)?;
                    self.fill(&part, field)?;
                }
            }
            &Type::Array(elem, count) => {
                for number in 0..count as usize {
                    let part = self.part(place, ty, number)?;
                    self.fill(&part, elem)?;
                }
            }
            &Type::Vector(elem, count) => {
                for number in 0..count as usize {
                    let part = self.part(place, ty, number)?;
                    self.fill(&part, elem)?;
                }
            }
            _ => {
                let bits = self.program.types.bit_size(ty)?;
                writeln!(self.body, "  call void @spelunk_stub_number(ptr {place}, i32 {bits})")
                    .expect("a string grows");
            }
        }
        Some(())
    }

    fn part(&mut self, place: &str, ty: TypeId, number: usize) -> Option<String> {
        let name = format!("%part{}", self.n_names);
        self.n_names += 1;
        let ty = spell(self.program, ty)?;
        writeln!(self.body, "  {name} = getelementptr {ty}, ptr {place}, i32 0, i32 {number}").expect("a string grows");
        Some(name)
    }
}

/// A type as IR spells it.
fn spell(program: &Program, ty: TypeId) -> Option<String> {
    Some(match &program.types[ty] {
        Type::Void => "void".to_owned(),
        Type::Int(width) => format!("i{width}"),
        Type::Float(kind) => kind.name().to_owned(),
        Type::Ptr => "ptr".to_owned(),
        Type::Array(elem, count) => format!("[{count} x {}]", spell(program, *elem)?),
        Type::Vector(elem, count) => format!("<{count} x {}>", spell(program, *elem)?),
        Type::Struct { fields, packed } => {
            let fields: Vec<String> = fields.iter().map(|&field| spell(program, field)).collect::<Option<_>>()?;
            let fields = fields.join(", ");
            if *packed { format!("<{{ {fields} }}>") } else { format!("{{ {fields} }}") }
        }
        _ => return None,
    })
}
