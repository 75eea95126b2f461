//! The functions of a program that can be tested.

use crate::error::UnitError;
use crate::guess::Room;
use crate::placing::{Input, Places};
use crate::settings::Setting;
use crate::stand_ins::StandIn;
use crate::stubs::Stubs;
use crate::unit::Request;
use crate::words;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::code::{FuncCode, Image, Origin, StaticKind, Target as Code};
use spelunk_ir::debug::{CParam, CType, CTypeId, DebugInfo, Subprogram};
use spelunk_ir::model::{Callee, ConstKind, FuncId, GlobalId, InstKind, Linkage, Operand, Program, Symbol, SymbolId};
use std::cell::OnceCell;

pub struct Functions<'p> {
    pub(crate) program: &'p Program,
    pub(crate) image: &'p Image,
    pub(crate) debug: DebugInfo<'p>,
    pub(crate) stubs: Stubs,
    statics: OnceCell<FxHashMap<&'p str, (usize, usize)>>,
    callers: OnceCell<FxHashMap<FuncId, Vec<FuncId>>>,
}

/// Whether settings are guessed where users say nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guess {
    On,
    #[default]
    Off,
}

/// A function that can be tested.
#[derive(Clone, Debug)]
pub struct Testable {
    /// If other files can't call it: the functions that these can call and that lead to it.
    pub internal: Option<Vec<String>>,
    /// As C declares them.
    pub params: String,
    /// What each of them is given: its name, and words.
    pub inputs: Vec<(String, String)>,
}

impl<'p> Functions<'p> {
    pub fn new(program: &'p Program, image: &'p Image) -> Self {
        let (debug, stubs) = (DebugInfo::new(program), Stubs::new(image));
        Self { program, image, debug, stubs, statics: OnceCell::new(), callers: OnceCell::new() }
    }

    /// The functions that stand in for pointers to functions in the units made so far. The image must have them behind its
    /// own functions when these units run.
    pub fn into_stubs(self) -> Vec<String> {
        self.stubs.into_names()
    }

    /// Whether the user's code has a function of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// Whether a setting is about a parameter of this function, or about a type.
    pub fn has_input(&self, name: &str, setting: &Setting) -> bool {
        let subprogram = self.find(name).and_then(|id| self.subprogram(id, name));
        subprogram.is_ok_and(|subprogram| {
            Places { functions: self, entry: name, inputs: &inputs_of(&subprogram) }.knows(setting)
        })
    }

    /// The user's functions, with what each is given.
    pub fn list(&self) -> Vec<(String, Result<Testable, UnitError>)> {
        self.list_of(usize::MAX, Guess::Off)
    }

    /// The same for those of the first sources.
    pub fn list_of(&self, n_sources: usize, guess: Guess) -> Vec<(String, Result<Testable, UnitError>)> {
        let source = |id: FuncId| self.program.symbol(self.program.function(id).symbol).module.index();
        let own = self.user_functions().filter(|(id, _)| source(*id) < n_sources);
        let names = own.map(|(_, code)| code.name.to_string());
        names
            .map(|name| {
                let unit = self.describe(&name, guess);
                (name, unit)
            })
            .collect()
    }

    fn describe(&self, name: &str, guess: Guess) -> Result<Testable, UnitError> {
        let mut request = Request { entry: name.to_owned(), ..Default::default() };
        let guessed = if guess == Guess::On { self.guesses(name, &[], Room::Usual) } else { Vec::new() };
        request.settings.clone_from(&guessed);
        let guessed = match self.compose(&request) {
            Ok(_) => guessed,
            Err(_) => Vec::new(),
        };
        request.settings.clone_from(&guessed);
        let mut inputs = words::inputs(&self.compose(&request)?, self.image);
        for setting in &guessed {
            let stand_in = format!("{} - ", setting.path);
            match inputs.iter_mut().find(|(name, _)| *name == setting.path || name.starts_with(&stand_in)) {
                Some((_, words)) => words.push_str(&format!(" (guessed: {setting})")),
                None => inputs.push((setting.path.clone(), format!("guessed: {setting}"))),
            }
        }
        let subprogram = self.subprogram(self.find(name)?, name)?;
        let params = named(&subprogram).into_iter().map(|(name, ty)| self.debug.declaration(ty, &name));
        let internal = self.internal(name);
        Ok(Testable { internal, params: params.collect::<Vec<_>>().join(", "), inputs })
    }

    /// If a function is `static`: which functions that are not lead to it, by calls or because they hand it to something else.
    pub fn internal(&self, name: &str) -> Option<Vec<String>> {
        let is_static = |id: FuncId| self.symbol(id).linkage == Linkage::Internal;
        let id = self.find(name).ok().filter(|&id| is_static(id))?;
        let (mut seen, mut waiting) = (FxHashSet::from_iter([id]), vec![id]);
        let mut found = Vec::new();
        while let Some(called) = waiting.pop() {
            for &caller in self.callers().get(&called).into_iter().flatten() {
                match is_static(caller) {
                    _ if !seen.insert(caller) => {}
                    true => waiting.push(caller),
                    false => found.push(self.symbol(caller).name.to_string()),
                }
            }
        }
        found.sort_unstable();
        Some(found)
    }

    fn symbol(&self, id: FuncId) -> &'p Symbol {
        self.program.symbol(self.program.function(id).symbol)
    }

    /// By function, the user's functions that call it or take its address.
    fn callers(&self) -> &FxHashMap<FuncId, Vec<FuncId>> {
        self.callers.get_or_init(|| {
            let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
            let own = self.user_functions().filter(|(id, _)| id.index() < self.program.functions.len());
            let functions: FxHashMap<SymbolId, FuncId> =
                own.map(|(id, _)| (self.program.function(id).symbol, id)).collect();
            for (id, _) in self.user_functions().filter(|(id, _)| id.index() < self.program.functions.len()) {
                for inst in &self.program.function(id).insts {
                    if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                        callers.entry(callee).or_default().push(id);
                    }
                    inst.kind.for_each_operand(|operand| {
                        if let Operand::Const(constant) = operand
                            && let ConstKind::Symbol(symbol) = self.program.consts[constant].kind
                            && let Some(&taken) = functions.get(&symbol)
                        {
                            callers.entry(taken).or_default().push(id);
                        }
                    });
                }
            }
            callers
        })
    }

    pub(crate) fn user_functions(&self) -> impl Iterator<Item = (FuncId, &'p FuncCode)> + '_ {
        let functions = self.image.functions.iter().enumerate();
        let has_body = |code: &FuncCode| matches!(code.target, Code::Code);
        functions
            .filter(move |(_, code)| code.origin == Origin::User && has_body(code))
            .map(|(number, code)| (FuncId::new(number), code))
    }

    pub(crate) fn find(&self, name: &str) -> Result<FuncId, UnitError> {
        let found = self.user_functions().find(|(_, code)| &*code.name == name);
        found
            .map(|(id, _)| id)
            .ok_or_else(|| UnitError::NoFunction { name: name.to_owned(), suggestion: self.closest(name) })
    }

    fn closest(&self, name: &str) -> Option<String> {
        let is_close = |other: &&str| other.contains(name) || name.contains(*other);
        self.user_functions().map(|(_, code)| &*code.name).find(is_close).map(str::to_owned)
    }

    pub(crate) fn subprogram(&self, id: FuncId, name: &str) -> Result<Subprogram<'p>, UnitError> {
        self.debug.function(id).ok_or_else(|| UnitError::NoDebugInfo { name: name.to_owned() })
    }

    /// What tells types of arguments apart: qualifiers don't, neither of the argument nor of what it points to.
    pub(crate) fn type_key(&self, ty: CTypeId) -> String {
        let plain = self.debug.unqualified(ty);
        match self.debug.ctype(plain) {
            CType::Pointer { target } => format!("{} *", self.type_key(target)),
            _ => self.debug.type_name(plain),
        }
    }

    /// The user's functions that pointers of this type may point to, with their names.
    pub(crate) fn of_type(&self, pointer: CTypeId) -> impl Iterator<Item = (FuncId, &'p str)> + '_ {
        let wanted = match self.debug.ctype(self.debug.unqualified(pointer)) {
            CType::Pointer { target } => self.debug.ctype(self.debug.unqualified(target)),
            _ => CType::Unknown,
        };
        let fits = move |subprogram: &Subprogram<'p>| match &wanted {
            CType::Function { ret, params, varargs } => {
                let types = || subprogram.params.iter().map(|param| param.ty);
                *varargs == subprogram.varargs
                    && params.len() == subprogram.params.len()
                    && self.type_key(*ret) == self.type_key(subprogram.ret)
                    && params.iter().zip(types()).all(|(&wanted, ty)| self.type_key(wanted) == self.type_key(ty))
            }
            _ => false,
        };
        self.user_functions()
            .filter(move |(id, _)| self.debug.function(*id).is_some_and(|subprogram| fits(&subprogram)))
            .map(|(id, code)| (id, &*code.name))
    }

    /// The user's variables that can change, each with its number among the image's static objects.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'p str, usize, CTypeId)> + '_ {
        (0..self.program.globals.len()).filter_map(move |number| {
            let id = GlobalId::new(number);
            let variable = self.debug.global_variable(id)?;
            let symbol = &*self.program.symbol(self.program.global(id).symbol).name;
            let &(number, _) = self.statics().get(symbol)?;
            let can_change = matches!(self.image.statics[number].kind, StaticKind::Variable { constant: false, .. });
            (variable.fragment.is_none() && can_change).then_some((symbol, number, variable.ty))
        })
    }

    /// Whether no other object of the image has this name.
    pub(crate) fn is_unique(&self, name: &str) -> bool {
        self.statics().get(name).is_some_and(|&(_, count)| count == 1)
    }

    /// The image's static objects by name: the number of the first, and how many there are.
    fn statics(&self) -> &FxHashMap<&'p str, (usize, usize)> {
        self.statics.get_or_init(|| {
            let mut by_name: FxHashMap<&'p str, (usize, usize)> = FxHashMap::default();
            for (number, object) in self.image.statics.iter().enumerate() {
                by_name.entry(&object.name).or_insert((number, 0)).1 += 1;
            }
            by_name
        })
    }
}

/// The parameters of a function on its own, as inputs.
pub(crate) fn inputs_of(subprogram: &Subprogram<'_>) -> Vec<Input> {
    named(subprogram)
        .into_iter()
        .enumerate()
        .map(|(number, (name, ty))| Input { name, ty, number, stand_in: StandIn::Itself })
        .collect()
}

/// The parameters, each with a name.
pub(crate) fn named(subprogram: &Subprogram<'_>) -> Vec<(String, CTypeId)> {
    let name = |(number, param): (usize, &CParam<'_>)| {
        (param.name.map_or_else(|| format!("param{}", number + 1), str::to_owned), param.ty)
    };
    subprogram.params.iter().enumerate().map(name).collect()
}
