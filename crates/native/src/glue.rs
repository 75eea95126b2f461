//! The C code that calls a unit's functions.
//!
//! It stands behind the source that defines them, in one unit with it: so `static` functions can be called, and every type
//! that has a name is known. The tests themselves are no part of it: arguments are read from memory.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use spelunk_concolic::graph::unit::{Arg, Call, Home, Role, Step, Unit};
use spelunk_driver::is_c;
use spelunk_ir::code::Image;
use spelunk_ir::debug::{CType, CTypeId, DebugInfo, Subprogram};
use spelunk_ir::model::{FuncId, GlobalVar, Linkage, Program, Symbol};

use crate::error::NativeError;
use crate::ir_source;

/// The code that is generated for one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Glue {
    /// What comes behind a source, by the source's number.
    pub behind: BTreeMap<usize, String>,
    /// All calls, variables and functions in order, as the tables of the runtime.
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

/// What code is generated for: the sources are as the user gave them.
#[derive(Clone, Copy)]
pub struct Generating<'a> {
    pub program: &'a Program,
    pub image: &'a Image,
    pub sources: &'a [PathBuf],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    /// Code of ours can stand behind it, in one unit with it.
    C,
    /// Code of ours stands in a unit of its own, where only symbols are known.
    Ir,
}

impl Generating<'_> {
    fn language(&self, source: usize) -> Language {
        if self.sources.get(source).is_some_and(|path| is_c(path)) { Language::C } else { Language::Ir }
    }

    /// An error if code of ours can't name something.
    fn check_visible(&self, symbol: &Symbol) -> Result<(), NativeError> {
        let source = symbol.module.index();
        if self.language(source) == Language::C || symbol.linkage != Linkage::Internal {
            return Ok(());
        }
        let source_file = self.sources.get(source).cloned().unwrap_or_default();
        Err(NativeError::Hidden { name: symbol.name.to_string(), source_file })
    }
}

pub fn glue(generating: Generating<'_>, unit: Option<&Unit>) -> Result<Glue, NativeError> {
    let Generating { program, .. } = generating;
    let mut glue = Glue::default();
    let debug = DebugInfo::new(program);
    let mut rows = String::new();
    for (number, ((step_idx, step), call)) in unit.into_iter().flat_map(steps).enumerate() {
        let source = source_of(program, call.function);
        generating.check_visible(program.symbol(program.function(call.function).symbol))?;
        let code = glue.behind.entry(source).or_insert_with(|| PROLOGUE.to_owned());
        code.push_str(&function(&debug, call, number, generating.language(source))?);
        glue.table += &format!("long spelunk_call_{number}(void **params);\n");
        let (role, choice) = (role_number(call.role), step.choice.map_or(-1, |param| param as i64));
        rows += &format!("  {{{role}, {step_idx}, {choice}, spelunk_call_{number}}},\n");
    }
    let n_calls = unit.map_or(0, |unit| calls(unit).count());
    // An array has at least one element.
    rows += "  {0, 0, -1, 0},\n";
    write!(glue.table, "const struct spelunk_call spelunk_calls[] = {{\n{rows}}};\n").expect("a string grows");
    writeln!(glue.table, "const unsigned spelunk_n_calls = {n_calls};").expect("a string grows");
    glue.add_variables(generating, unit)?;
    glue.add_functions(generating, unit)?;
    Ok(glue)
}

impl Glue {
    /// Where those parameters are that are variables of the program.
    fn add_variables(&mut self, generating: Generating<'_>, unit: Option<&Unit>) -> Result<(), NativeError> {
        let program = generating.program;
        let mut places = Vec::new();
        for (number, param) in unit.into_iter().flat_map(|unit| &unit.params).enumerate() {
            let Home::Global(name) = &param.home else {
                places.push(None);
                continue;
            };
            let is_it =
                |variable: &&GlobalVar| *program.symbol(variable.symbol).name == **name && variable.init.is_some();
            let variable = program.globals.iter().find(is_it);
            let variable = variable.ok_or_else(|| NativeError::NoVariable { name: name.clone() })?;
            let symbol = program.symbol(variable.symbol);
            generating.check_visible(symbol)?;
            let function = format!("spelunk_variable_{number}");
            // What is inside of a function has a name for the assembler only, with a point in it.
            let is_named = !name.contains('.') && generating.language(symbol.module.index()) == Language::C;
            let spelling = if is_named { format!("&{name}") } else { self.declared(symbol, &function) };
            self.add_address(symbol.module.index(), &function, &spelling);
            places.push(Some(function));
        }
        self.add_table("spelunk_variables", &places);
        Ok(())
    }

    /// Functions of the program are named where they are defined; those that stand in for others are no C.
    fn add_functions(&mut self, generating: Generating<'_>, unit: Option<&Unit>) -> Result<(), NativeError> {
        let Generating { program, image, .. } = generating;
        let mut ids: Vec<FuncId> = unit.into_iter().flat_map(|unit| unit.layouts.functions()).collect();
        ids.sort_unstable_by_key(|id| id.index());
        let mut places = Vec::new();
        for (number, id) in ids.into_iter().enumerate() {
            let name = image.functions[id.index()].name.to_string();
            let function = format!("spelunk_function_{number}");
            if id.index() < program.functions.len() {
                let symbol = program.symbol(program.function(id).symbol);
                generating.check_visible(symbol)?;
                let is_c = generating.language(symbol.module.index()) == Language::C;
                let spelling = if is_c { format!("({name})") } else { self.declared(symbol, &function) };
                self.add_address(symbol.module.index(), &function, &spelling);
            }
            places.push(Some(function));
            self.functions.push(name);
        }
        self.add_table("spelunk_functions", &places);
        Ok(())
    }

    /// The address of what C has no name for, by a name that is declared for it.
    fn declared(&mut self, symbol: &Symbol, function: &str) -> String {
        let code = self.behind.entry(symbol.module.index()).or_insert_with(|| PROLOGUE.to_owned());
        writeln!(code, "extern char {function}_symbol __asm__(\"{}\");", symbol.name).expect("a string grows");
        format!("&{function}_symbol")
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

/// As the runtime's header has them.
fn role_number(role: Role) -> u32 {
    match role {
        Role::Prepare => 0,
        Role::Assume => 1,
        Role::Test => 2,
        Role::Ensure => 3,
    }
}

fn function(debug: &DebugInfo<'_>, call: &Call, number: usize, language: Language) -> Result<String, NativeError> {
    let subprogram =
        debug.function(call.function).ok_or_else(|| NativeError::Arguments { function: call.name.clone() })?;
    // The parentheses keep a macro of the same name away.
    let (before, callee) = match language {
        Language::C => (String::new(), format!("({})", call.name)),
        Language::Ir => {
            let callee = format!("spelunk_callee_{number}");
            (ir_source::declaration(debug, &subprogram, &call.name, &callee)?, callee)
        }
    };
    let mut text = format!("{before}long spelunk_call_{number}(void **params) {{\n");
    let mut args = Vec::new();
    for (position, (param, ty)) in arguments(call, &subprogram)?.into_iter().enumerate() {
        if is_address(debug, call, param, ty) {
            args.push(format!("params[{param}]"));
            continue;
        }
        let declaration = match language {
            Language::C => named(debug, &call.name, ty, "value")?,
            Language::Ir => ir_source::passed(debug, &call.name, ty)? + " value",
        };
        if let Some((base, size)) = end_of(call, param) {
            args.push(format!("(void *)(*(char **)params[{base}] + *(long *)params[{param}] * {size})"));
            continue;
        }
        // A member may be `const`; a variable that is filled later may not.
        writeln!(text, "  struct {{ {declaration}; }} a{position};").expect("a string grows");
        writeln!(text, "  __builtin_memcpy(&a{position}, params[{param}], sizeof a{position});")
            .expect("a string grows");
        args.push(format!("a{position}.value"));
    }
    let expression = format!("{callee}({})", args.join(", "));
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

/// Whether an argument points to a parameter of the unit, instead of being a copy of it.
pub fn is_address(debug: &DebugInfo<'_>, call: &Call, param: usize, ty: CTypeId) -> bool {
    let is_passed = call.args.contains(&Arg::Address { param });
    is_passed && matches!(debug.ctype(debug.unqualified(ty)), CType::Pointer { .. })
}

/// If an argument is the end of what another parameter points to: that one, and the size of an element.
pub fn end_of(call: &Call, param: usize) -> Option<(usize, u32)> {
    call.args.iter().find_map(|arg| match *arg {
        Arg::End { param: own, base, unit } if own == param => Some((base, unit)),
        _ => None,
    })
}

/// For each argument the number of the unit's parameter that it is, and its type.
pub fn arguments(call: &Call, subprogram: &Subprogram<'_>) -> Result<Vec<(usize, CTypeId)>, NativeError> {
    let mut params: Vec<usize> = call
        .args
        .iter()
        .filter_map(|arg| match *arg {
            Arg::Word { param, .. } | Arg::Address { param } | Arg::End { param, .. } => Some(param),
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
