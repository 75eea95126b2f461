//! The functions of a program that can be tested.

use crate::adjust::{self, Inputs};
use crate::error::UnitError;
use crate::layouts::Builder;
use crate::passing;
use crate::settings::Setting;
use spelunk_concolic::graph::unit::{Call, Param, Role, Unit};
use spelunk_ir::code::{FuncCode, Image, Origin, Target as Code};
use spelunk_ir::debug::{CParam, CType, CTypeId, DebugInfo, Encoding, Subprogram};
use spelunk_ir::model::{FuncId, Program};

pub struct Functions<'p> {
    program: &'p Program,
    image: &'p Image,
    debug: DebugInfo<'p>,
}

/// What is to be tested.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub entry: String,
    /// Conditions on the input, by the names of functions.
    pub assume: Vec<String>,
    /// What must hold afterwards.
    pub ensure: Vec<String>,
    pub settings: Vec<Setting>,
    pub seed: u64,
}

impl<'p> Functions<'p> {
    pub fn new(program: &'p Program, image: &'p Image) -> Self {
        Self { program, image, debug: DebugInfo::new(program) }
    }

    /// Whether the user's code has a function of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// The user's functions, with what each is given.
    pub fn list(&self) -> Vec<(String, Result<String, UnitError>)> {
        let names = self.user_functions().map(|(_, code)| code.name.to_string());
        names
            .map(|name| {
                let unit = self.describe(&name);
                (name, unit)
            })
            .collect()
    }

    fn describe(&self, name: &str) -> Result<String, UnitError> {
        let request = Request { entry: name.to_owned(), ..Default::default() };
        self.unit(&request)?;
        let subprogram = self.subprogram(self.find(name)?, name)?;
        let params = named(&subprogram).into_iter().map(|(name, ty)| self.debug.declaration(ty, &name));
        Ok(params.collect::<Vec<_>>().join(", "))
    }

    fn user_functions(&self) -> impl Iterator<Item = (FuncId, &'p FuncCode)> + '_ {
        let functions = self.image.functions.iter().enumerate();
        let has_body = |code: &FuncCode| matches!(code.target, Code::Code);
        functions
            .filter(move |(_, code)| code.origin == Origin::User && has_body(code))
            .map(|(number, code)| (FuncId::new(number), code))
    }

    fn find(&self, name: &str) -> Result<FuncId, UnitError> {
        let found = self.user_functions().find(|(_, code)| &*code.name == name);
        found
            .map(|(id, _)| id)
            .ok_or_else(|| UnitError::NoFunction { name: name.to_owned(), suggestion: self.closest(name) })
    }

    fn closest(&self, name: &str) -> Option<String> {
        let is_close = |other: &&str| other.contains(name) || name.contains(*other);
        self.user_functions().map(|(_, code)| &*code.name).find(is_close).map(str::to_owned)
    }

    fn subprogram(&self, id: FuncId, name: &str) -> Result<Subprogram<'p>, UnitError> {
        self.debug.function(id).ok_or_else(|| UnitError::NoDebugInfo { name: name.to_owned() })
    }

    /// The unit that tests a function.
    pub fn unit(&self, request: &Request) -> Result<Unit, UnitError> {
        let name = || request.entry.clone();
        let entry = self.find(&request.entry)?;
        let subprogram = self.subprogram(entry, &request.entry)?;
        if subprogram.varargs {
            return Err(UnitError::VariableArguments { name: name() });
        }
        let params = named(&subprogram);
        for setting in &request.settings {
            if !params.iter().any(|(param, _)| *param == setting.param) {
                return Err(UnitError::NoParameter { name: name(), param: setting.param.clone() });
            }
        }
        let inputs = Inputs { debug: &self.debug, entry: &request.entry, settings: &request.settings, all: &params };
        let mut builder = Builder::new(&self.debug);
        let mut unit = Unit { seed: request.seed, ..Default::default() };
        for (param, ty) in &params {
            let unknown =
                || UnitError::UnknownSize { name: name(), param: param.clone(), ty: self.debug.type_name(*ty) };
            let layout = builder.layout(*ty).ok_or_else(unknown)?;
            let own = builder.layouts.get(layout).clone();
            let layout = builder.layouts.add(own);
            inputs.adjust(&mut builder, layout, param, *ty)?;
            unit.params.push(Param { name: param.clone(), layout });
        }
        unit.layouts = builder.layouts;
        adjust::limit_counts(&mut unit);
        for check in &request.assume {
            unit.calls.push(self.check(&unit, check, Role::Assume, &request.entry, &params)?);
        }
        unit.calls.push(self.call(&unit, entry, &request.entry, Role::Test, &(0..params.len()).collect::<Vec<_>>())?);
        for check in &request.ensure {
            unit.calls.push(self.check(&unit, check, Role::Ensure, &request.entry, &params)?);
        }
        let constructors = self.image.constructors.iter().map(|&function| Call {
            function,
            name: String::new(),
            role: Role::Prepare,
            args: Vec::new(),
            result_bits: 0,
        });
        unit.calls.splice(0..0, constructors);
        Ok(unit)
    }

    /// A call of a condition with those of the parameters that have the types it takes.
    fn check(
        &self,
        unit: &Unit,
        check: &str,
        role: Role,
        entry: &str,
        params: &[(String, CTypeId)],
    ) -> Result<Call, UnitError> {
        let function = self.find(check)?;
        let subprogram = self.subprogram(function, check)?;
        let mut is_used = vec![false; params.len()];
        let mut matched = Vec::new();
        for CParam { ty, .. } in &subprogram.params {
            let spelled = self.type_key(*ty);
            let fits = |number: &usize| !is_used[*number] && self.type_key(params[*number].1) == spelled;
            let Some(number) = (0..params.len()).find(fits) else {
                let ty = self.debug.type_name(*ty);
                return Err(UnitError::NoArgument { name: entry.to_owned(), check: check.to_owned(), ty });
            };
            is_used[number] = true;
            matched.push(number);
        }
        let call = self.call(unit, function, check, role, &matched)?;
        if call.result_bits == 0 {
            return Err(UnitError::NoCondition { check: check.to_owned() });
        }
        Ok(call)
    }

    /// What tells types of arguments apart: qualifiers don't, neither of the argument nor of what it points to.
    fn type_key(&self, ty: CTypeId) -> String {
        let plain = self.debug.unqualified(ty);
        match self.debug.ctype(plain) {
            CType::Pointer { target } => format!("{} *", self.type_key(target)),
            _ => self.debug.type_name(plain),
        }
    }

    fn call(&self, unit: &Unit, function: FuncId, name: &str, role: Role, params: &[usize]) -> Result<Call, UnitError> {
        let code = &self.image.functions[function.index()];
        let subprogram = self.subprogram(function, name)?;
        let first = self.program.function(function).params.first();
        let returns = first.filter(|param| param.attrs.sret.is_some());
        let returns = returns.and_then(|_| self.debug.size_of(subprogram.ret)).map(|size| size as u32);
        let sizes: Vec<(usize, u32)> =
            params.iter().map(|&number| (number, unit.layouts.get(unit.params[number].layout).size)).collect();
        let args = passing::args(code, returns, &sizes).map_err(|number| UnitError::Passing {
            name: name.to_owned(),
            param: unit.params.get(number).map(|param| param.name.clone()).unwrap_or_default(),
        })?;
        Ok(Call { function, name: name.to_owned(), role, args, result_bits: self.result_bits(subprogram.ret) })
    }

    /// How many bits of a result are a condition; none if it is no number or pointer.
    fn result_bits(&self, ty: CTypeId) -> u32 {
        match self.debug.ctype(self.debug.unqualified(ty)) {
            CType::Base { encoding: Encoding::Boolean, .. } => 1,
            CType::Base { encoding: Encoding::Float | Encoding::ComplexFloat, .. } => 0,
            CType::Base { size, .. } => 8 * size.min(8) as u32,
            CType::Enum { size, .. } => 8 * size.unwrap_or(4).min(8) as u32,
            CType::Pointer { .. } => 64,
            _ => 0,
        }
    }
}

/// The parameters, each with a name.
fn named(subprogram: &Subprogram<'_>) -> Vec<(String, CTypeId)> {
    let name = |(number, param): (usize, &CParam<'_>)| {
        (param.name.map_or_else(|| format!("param{}", number + 1), str::to_owned), param.ty)
    };
    subprogram.params.iter().enumerate().map(name).collect()
}
