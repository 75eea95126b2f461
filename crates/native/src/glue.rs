//! The C code that calls a unit's functions.
//!
//! It stands behind the source that defines them, in one unit with it: so `static` functions can be called, and every type
//! that has a name is known. The tests themselves are no part of it: arguments are read from memory.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use spelunk_concolic::graph::unit::{Arg, Call, Place, Role, Step, Unit};
use spelunk_ir::code::Image;
use spelunk_ir::debug::{CType, CTypeId, DebugInfo, Subprogram};
use spelunk_ir::model::{FuncId, GlobalVar, Program};

use crate::error::NativeError;

/// The code that is generated for one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Glue {
    /// What comes behind a source, by the source's number.
    pub behind: BTreeMap<usize, String>,
    /// A unit of its own: all calls, variables and functions in order.
    pub table: String,
    /// The functions that pointers of the input may lead to, by name, in the order of the table.
    pub functions: Vec<String>,
}

/// The functions of a unit that are called by C code, in order. What runs before `main` does so by itself.
pub fn calls(unit: &Unit) -> impl Iterator<Item = &Call> {
    unit.calls().filter(|call| call.role != Role::Prepare)
}

/// The same with the steps that they are alternatives of.
fn steps(unit: &Unit) -> impl Iterator<Item = ((usize, &Step), &Call)> {
    let calls =
        unit.steps.iter().enumerate().flat_map(|(idx, step)| step.calls.iter().map(move |call| ((idx, step), call)));
    calls.filter(|(_, call)| call.role != Role::Prepare)
}

pub fn glue(program: &Program, image: &Image, unit: Option<&Unit>) -> Result<Glue, NativeError> {
    let mut glue = Glue::default();
    let debug = DebugInfo::new(program);
    let mut rows = String::new();
    let numbered = unit.into_iter().flat_map(|unit| steps(unit).map(move |(step, call)| (unit, step, call)));
    for (number, (unit, (step_idx, step), call)) in numbered.enumerate() {
        let code = glue.behind.entry(source_of(program, call.function)).or_insert_with(|| PROLOGUE.to_owned());
        code.push_str(&function(&debug, unit, call, number)?);
        glue.table += &format!("long spelunk_call_{number}(void **params);\n");
        let (role, choice) = (role_number(call.role), step.choice.map_or(-1, |param| param as i64));
        rows += &format!("  {{{role}, {step_idx}, {choice}, {}, spelunk_call_{number}}},\n", u8::from(call.is_last));
    }
    let n_calls = unit.map_or(0, |unit| calls(unit).count());
    // An array has at least one element.
    rows += "  {0, 0, -1, 0, 0},\n";
    write!(glue.table, "{TABLE_TYPE}const struct spelunk_call spelunk_calls[] = {{\n{rows}}};\n")
        .expect("a string grows");
    writeln!(glue.table, "const unsigned spelunk_n_calls = {n_calls};").expect("a string grows");
    glue.add_variables(program, unit)?;
    glue.add_functions(program, image, unit);
    Ok(glue)
}

impl Glue {
    /// Where those parameters are that are variables of the program.
    fn add_variables(&mut self, program: &Program, unit: Option<&Unit>) -> Result<(), NativeError> {
        let mut places = Vec::new();
        for (number, param) in unit.into_iter().flat_map(|unit| &unit.params).enumerate() {
            let Place::Global(name) = &param.place else {
                places.push(None);
                continue;
            };
            let is_it =
                |variable: &&GlobalVar| *program.symbol(variable.symbol).name == **name && variable.init.is_some();
            let variable = program.globals.iter().find(is_it);
            let variable = variable.ok_or_else(|| NativeError::NoVariable { name: name.clone() })?;
            let module = program.symbol(variable.symbol).module;
            let function = format!("spelunk_variable_{number}");
            // What is inside of a function has a name for the assembler only, with a point in it.
            let is_inside = name.contains('.');
            if is_inside {
                let code = self.behind.entry(module.index()).or_insert_with(|| PROLOGUE.to_owned());
                writeln!(code, "extern char spelunk_inner_{number} __asm__(\"{name}\");").expect("a string grows");
            }
            let spelling = if is_inside { format!("&spelunk_inner_{number}") } else { format!("&{name}") };
            self.add_address(module.index(), &function, &spelling);
            places.push(Some(function));
        }
        self.add_table("spelunk_variables", &places);
        Ok(())
    }

    /// Functions of the program are named where they are defined; those that stand in for others are no C.
    fn add_functions(&mut self, program: &Program, image: &Image, unit: Option<&Unit>) {
        let mut ids: Vec<FuncId> = unit.into_iter().flat_map(|unit| unit.layouts.functions()).collect();
        ids.sort_unstable_by_key(|id| id.index());
        let mut places = Vec::new();
        for (number, id) in ids.into_iter().enumerate() {
            let name = image.functions[id.index()].name.to_string();
            let function = format!("spelunk_function_{number}");
            if id.index() < program.functions.len() {
                self.add_address(source_of(program, id), &function, &format!("({name})"));
            }
            places.push(Some(function));
            self.functions.push(name);
        }
        self.add_table("spelunk_functions", &places);
    }

    fn add_address(&mut self, source: usize, function: &str, address: &str) {
        let code = self.behind.entry(source).or_insert_with(|| PROLOGUE.to_owned());
        writeln!(code, "void *{function}(void) {{ return (void *){address}; }}").expect("a string grows");
    }

    fn add_table(&mut self, table: &str, places: &[Option<String>]) {
        for place in places.iter().flatten() {
            writeln!(self.table, "void *{place}(void);").expect("a string grows");
        }
        let rows: String = places.iter().map(|place| format!("  {},\n", place.as_deref().unwrap_or("0"))).collect();
        writeln!(self.table, "void *(*const {table}[])(void) = {{\n{rows}  0,\n}};").expect("a string grows");
    }
}

/// The unit that holds a source and what comes behind it.
pub fn unit_text(source: &Path, behind: &str) -> String {
    let escaped = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("#include \"{escaped}\"\n{behind}")
}

/// The number of the source that a function is from.
pub fn source_of(program: &Program, function: FuncId) -> usize {
    program.symbol(program.function(function).symbol).module.index()
}

const PROLOGUE: &str = "void spelunk_keep_result(const void *result, __SIZE_TYPE__ size);\n";
const TABLE_TYPE: &str = "struct spelunk_call { int role, step, choice, is_last; long (*invoke)(void **params); };\n";

/// As the runtime's header has them.
fn role_number(role: Role) -> u32 {
    match role {
        Role::Prepare => 0,
        Role::Assume => 1,
        Role::Test => 2,
        Role::Ensure => 3,
    }
}

fn function(debug: &DebugInfo<'_>, unit: &Unit, call: &Call, number: usize) -> Result<String, NativeError> {
    let subprogram =
        debug.function(call.function).ok_or_else(|| NativeError::Arguments { function: call.name.clone() })?;
    let mut text = format!("long spelunk_call_{number}(void **params) {{\n");
    let mut args = Vec::new();
    for (position, (param, ty)) in arguments(call, &subprogram)?.into_iter().enumerate() {
        if is_address_of_room(debug, unit, call, param, ty) {
            args.push(format!("params[{param}]"));
            continue;
        }
        let declaration = named(debug, &call.name, ty, "value")?;
        // A member may be `const`; a variable that is filled later may not.
        writeln!(text, "  struct {{ {declaration}; }} a{position};").expect("a string grows");
        writeln!(text, "  __builtin_memcpy(&a{position}, params[{param}], sizeof a{position});")
            .expect("a string grows");
        args.push(format!("a{position}.value"));
    }
    // The parentheses keep a macro of the same name away.
    let expression = format!("({})({})", call.name, args.join(", "));
    let is_void = matches!(debug.ctype(debug.unqualified(subprogram.ret)), CType::Void);
    text += &match (is_void, call.role) {
        (true, _) => format!("  (void)params;\n  {expression};\n  return 1;\n}}\n"),
        (false, Role::Test) => format!(
            "  (void)params;\n  __typeof__({expression}) result = {expression};\n  \
             spelunk_keep_result((const void *)&result, sizeof result);\n{}  return 1;\n}}\n",
            call.result.map(store_result).unwrap_or_default()
        ),
        (false, _) => format!("  (void)params;\n  return !!{expression};\n}}\n"),
    };
    Ok(text)
}

/// Later calls find the result where they look for it.
fn store_result(room: usize) -> String {
    format!("  __builtin_memcpy(params[{room}], (const void *)&result, sizeof result < 8 ? sizeof result : 8);\n")
}

/// Whether an argument leads to what all calls work on, instead of being a copy of it.
fn is_address_of_room(debug: &DebugInfo<'_>, unit: &Unit, call: &Call, param: usize, ty: CTypeId) -> bool {
    let is_room = matches!(unit.params[param].place, Place::Room(_));
    let is_address = call.args.contains(&Arg::Address { param });
    is_room && is_address && matches!(debug.ctype(debug.unqualified(ty)), CType::Pointer { .. })
}

/// For each argument the number of the unit's parameter that it is, and its type.
pub fn arguments(call: &Call, subprogram: &Subprogram<'_>) -> Result<Vec<(usize, CTypeId)>, NativeError> {
    let mut params: Vec<usize> = call
        .args
        .iter()
        .filter_map(|arg| match *arg {
            Arg::Word { param, .. } | Arg::Address { param } => Some(param),
            Arg::Room { .. } => None,
        })
        .collect();
    // An argument in several words.
    params.dedup();
    if params.len() != subprogram.params.len() {
        return Err(NativeError::Arguments { function: call.name.clone() });
    }
    Ok(params.into_iter().zip(subprogram.params.iter().map(|param| param.ty)).collect())
}

/// A declaration, if C has a name for the type.
pub fn named(debug: &DebugInfo<'_>, function: &str, ty: CTypeId, name: &str) -> Result<String, NativeError> {
    let declaration = debug.declaration(ty, name);
    if ["<", "[*]", "__vector"].iter().any(|sign| declaration.contains(sign)) {
        return Err(NativeError::NoName { function: function.to_owned(), ty: debug.type_name(ty) });
    }
    Ok(declaration)
}
