//! What all tests of a project have in common: the source that they stand behind, and what can be named there.

use std::process::Command;

use rustc_hash::FxHashSet;
use spelunk_concolic::graph::unit::{Call, Role, Unit};
use spelunk_deadline::Deadline;
use spelunk_driver::{Accesses, Clang, Colour, Flags, Installed, is_c};
use spelunk_ir::debug::DebugInfo;
use spelunk_ir::model::{FuncId, GlobalId, Linkage, Program};
use spelunk_native::{Subject, source_of};

use super::types::Types;
use crate::ExportError;

pub struct Context<'a> {
    pub subject: &'a Subject<'a>,
    pub debug: DebugInfo<'a>,
    /// The number of the source that the tests stand behind; none if they run the whole program.
    pub source: Option<usize>,
    pub types: Types,
    pub macros: FxHashSet<String>,
    /// Everything that has a name in the program.
    pub names: FxHashSet<String>,
    pub clang: Clang,
    pub headers: Installed,
}

impl<'a> Context<'a> {
    pub fn new(subject: &'a Subject<'a>, deadline: &Deadline) -> Result<Self, ExportError> {
        if let Some(other) = subject.recipe.sources.iter().find(|source| !is_c(source)) {
            return Err(ExportError::NotC(other.clone()));
        }
        let program = subject.program;
        let debug = DebugInfo::new(program);
        let tested = subject.unit.and_then(|unit| unit.calls().find(|call| call.role == Role::Test));
        let source = tested.map(|call| source_of(program, call.function));
        let types = source.map_or_else(Types::default, |source| Types::of_source(program, &debug, source));
        let clang = Clang::find(subject.recipe.clang.as_deref())?.until(deadline);
        let headers = Installed::new(spelunk_concolic::harness::HEADERS)?;
        let mut context = Self {
            subject,
            debug,
            source,
            types,
            macros: FxHashSet::default(),
            names: FxHashSet::default(),
            clang,
            headers,
        };
        context.macros = context.read_macros();
        context.names = symbols(program).chain(context.macros.iter().cloned()).collect();
        Ok(context)
    }

    /// The compiler as a build file names it.
    pub fn compiler(&self) -> String {
        let program = self.clang.program();
        let name = program.file_name().filter(|_| self.subject.recipe.clang.is_none());
        name.map_or_else(|| program.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// Clang, with the flags that a source is compiled with.
    pub fn clang_for(&self, source: usize) -> Command {
        let recipe = self.subject.recipe;
        let path = &recipe.sources[source];
        let flags = Flags {
            colour: Colour::Never,
            user: &recipe.cflags,
            own: &recipe.file_flags,
            headers: self.headers.path(),
            accesses: Accesses::Untyped,
        };
        let mut command = Command::new(self.clang.program());
        command.args(flags.for_c(source, path)).arg("-w").current_dir(&recipe.directory);
        command
    }

    /// The macros that are defined at the end of the source. What can't be found out is left to the compiler.
    fn read_macros(&self) -> FxHashSet<String> {
        let Some(source) = self.source else { return FxHashSet::default() };
        let mut command = self.clang_for(source);
        let output = self.clang.run(command.args(["-E", "-dM"]).arg(&self.subject.recipe.sources[source]));
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let name = |line: &str| {
            let name = line.strip_prefix("#define ")?.split([' ', '(']).next()?;
            Some(name.to_owned())
        };
        text.lines().filter_map(name).collect()
    }

    /// The name of a function as it is called: parentheses keep a macro of the same name away.
    pub fn callee(&self, name: &str) -> String {
        if self.macros.contains(name) { format!("({name})") } else { name.to_owned() }
    }

    /// Whether the tests can name a function, after a declaration at most.
    pub fn can_name_function(&self, id: FuncId) -> bool {
        let program = self.subject.program;
        let symbol = program.symbol(program.function(id).symbol);
        self.source == Some(source_of(program, id)) || symbol.linkage != Linkage::Internal
    }

    /// Whether the program has a `main` of its own.
    pub fn has_main(&self) -> bool {
        let program = self.subject.program;
        let is_main = |number: usize| {
            let symbol = program.symbol(program.functions[number].symbol);
            &*symbol.name == "main" && symbol.module.index() < self.subject.recipe.sources.len()
        };
        (0..program.functions.len()).any(|number| is_main(number) && self.debug.function(FuncId::new(number)).is_some())
    }

    /// Declarations of functions and variables of other sources, which the tests' own may not have.
    pub fn declarations(&self, unit: &Unit) -> Vec<String> {
        let calls = unit.calls().filter(|call| call.role != Role::Prepare);
        let elsewhere = |id: FuncId| {
            let is_elsewhere = self.source != Some(source_of(self.subject.program, id)) && self.can_name_function(id);
            is_elsewhere.then(|| self.declaration(id)).flatten()
        };
        let pointed =
            unit.layouts.functions().into_iter().filter(|id| id.index() < self.subject.program.functions.len());
        let mut declarations: Vec<String> =
            calls.map(|call: &Call| call.function).chain(pointed).filter_map(elsewhere).collect();
        declarations.sort();
        declarations.dedup();
        declarations
    }

    fn declaration(&self, id: FuncId) -> Option<String> {
        let subprogram = self.debug.function(id)?;
        Some(format!("{};", self.debug.declaration(subprogram.ty, subprogram.name)))
    }

    /// A variable of the program, if the tests can name it: with the declaration that this may need.
    pub fn variable(&self, name: &str) -> Option<(GlobalId, Option<String>)> {
        let program = self.subject.program;
        let ids = (0..program.globals.len()).map(GlobalId::new);
        let mut named = ids.filter(|&id| {
            *program.symbol(program.global(id).symbol).name == *name && program.global(id).init.is_some()
        });
        let id = named.next()?;
        let symbol = program.symbol(program.global(id).symbol);
        let variable = self.debug.global_variable(id).filter(|variable| variable.function.is_none())?;
        match self.source == Some(symbol.module.index()) {
            true => Some((id, None)),
            false if symbol.linkage == Linkage::Internal => None,
            false => Some((id, Some(format!("extern {};", self.debug.declaration(variable.ty, name))))),
        }
    }
}

fn symbols(program: &Program) -> impl Iterator<Item = String> + '_ {
    let functions = program.functions.iter().map(|function| function.symbol);
    let globals = program.globals.iter().map(|global| global.symbol);
    functions.chain(globals).map(|symbol| program.symbol(symbol).name.to_string())
}
