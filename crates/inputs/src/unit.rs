//! From a request to a unit: what is called, and with what.

use crate::adjust;
use crate::error::UnitError;
use crate::functions::{Functions, named};
use crate::layouts::{Builder, STREAM};
use crate::passing;
use crate::placing::{Input, Places};
use crate::settings::{GlobalRequest, Setting};
use crate::shapes::HeapRequest;
use crate::stand_ins::{StandIn, hand_over};
use spelunk_concolic::graph::nest::Overlap;
use spelunk_concolic::graph::unit::{Call, Ends, Home, Param, Role, Step, Unit};
use spelunk_ir::debug::{CParam, CType, CTypeId, Encoding};
use spelunk_ir::model::FuncId;

/// What is to be tested.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub entry: String,
    /// Conditions on the input, by the names of functions.
    pub assume: Vec<String>,
    /// What must hold afterwards.
    pub ensure: Vec<String>,
    pub settings: Vec<Setting>,
    /// Variables of the program that are inputs.
    pub globals: Vec<GlobalRequest>,
    pub seed: u64,
    /// As many objects of one type may lie behind each other.
    pub max_nesting: Option<u32>,
    /// Where pointers may overlap.
    pub overlap: Overlap,
    /// The functions that are called one after another instead of the entry, and how many calls that makes.
    pub sequence: Vec<String>,
    pub length: u32,
    /// Whether it is a family that nobody has named: pointers are not null then, and nothing is called any more once a function has returned
    /// null for the structure.
    pub is_of_family: bool,
    pub heap: HeapRequest,
    /// A function that says of an input whether it is valid: paths are judged by it, and explored all the same.
    pub audit: Option<String>,
    /// Whether the structures that a sequence builds are to be learned from.
    pub learns: Option<LearnRequest>,
}

/// How the structure of a sequence is learned about.
#[derive(Clone, Debug, Default)]
pub struct LearnRequest {
    /// What rules call a parameter that points to it, unless it is what the functions call it.
    pub name: Option<String>,
}

/// What a `va_list` is made of.
const ARGUMENT_LIST: &str = "__va_list_tag";

impl Functions<'_> {
    /// The unit that tests a function.
    pub fn unit(&self, request: &Request) -> Result<Unit, UnitError> {
        let mut unit = self.compose(request)?;
        self.add_observables(&mut unit);
        Ok(unit)
    }

    /// The same without what is looked at afterwards.
    pub(crate) fn compose(&self, request: &Request) -> Result<Unit, UnitError> {
        let name = || request.entry.clone();
        let entry = self.find(&request.entry)?;
        let subprogram = self.subprogram(entry, &request.entry)?;
        if subprogram.varargs {
            return Err(UnitError::VariableArguments { name: name() });
        }
        let params = named(&subprogram);
        for (param, ty) in &params {
            if self.is_stream(*ty) && !request.settings.iter().any(|setting| setting.path == *param) {
                return Err(UnitError::Stream { name: name(), param: param.clone() });
            }
            if self.record_behind(*ty).is_some_and(|(record, _)| self.debug.type_name(record).ends_with(ARGUMENT_LIST))
            {
                return Err(UnitError::ArgumentList { name: name(), param: param.clone() });
            }
        }
        let mut globals = self.chosen_globals(&request.globals)?;
        // A parameter hides a variable of the same name.
        for (name, ..) in &mut globals {
            if params.iter().any(|(param, _)| param == name) {
                name.insert_str(0, "::");
            }
        }
        let names = params.iter().cloned().chain(globals.iter().map(|(name, _, ty)| (name.clone(), *ty)));
        let input = |(number, (name, ty))| Input { name, ty, number, stand_in: StandIn::Itself };
        let mut inputs: Vec<Input> = names.enumerate().map(input).collect();
        let of_globals = request.globals.iter().flat_map(|global| &global.setting);
        let settings: Vec<Setting> = request.settings.iter().chain(of_globals).cloned().collect();
        let settings = self.stand_ins(&mut inputs[..params.len()], &settings)?;
        let placed = Places { functions: self, entry: &request.entry, inputs: &inputs }.place_all(&settings)?;
        let mut builder = Builder::new(self, &self.stubs, placed.clone(), inputs.clone());
        let &Request { seed, max_nesting, overlap, .. } = request;
        let mut unit = Unit { seed, max_nesting, overlap, aliasing: request.heap.aliasing, ..Default::default() };
        for input in &inputs {
            let unknown = || UnitError::UnknownSize {
                name: name(),
                param: input.name.clone(),
                ty: self.debug.type_name(input.ty),
            };
            let layout = match builder.stand_in(input) {
                Some(layout) => layout,
                None => {
                    let layout = builder.layout(input.ty).ok_or_else(unknown)?;
                    let own = builder.layouts.get(layout).clone();
                    let layout = builder.layouts.add(own);
                    builder.adjust_input(layout, input, &placed)?;
                    layout
                }
            };
            let home = match input.number.checked_sub(params.len()) {
                None => Home::Argument,
                Some(global) => Home::Global(globals[global].1.clone()),
            };
            unit.params.push(Param { name: input.told(&inputs), layout, home });
        }
        unit.results = self.results(&mut builder);
        if let Some(problem) = builder.problem {
            return Err(problem);
        }
        let containers = self.containers(&mut builder, &unit, request);
        unit.layouts = builder.layouts;
        adjust::limit_counts(&mut unit, &builder.limits);
        unit.steps = self.constructors().collect();
        for check in &request.assume {
            unit.steps.push(Step::one(self.check(&unit, check, Role::Assume, &request.entry, &params)?));
        }
        let numbers: Vec<usize> = (0..params.len()).collect();
        unit.steps.push(Step::one(self.call(&unit, entry, &request.entry, Role::Test, &numbers)?));
        for check in &request.ensure {
            unit.steps.push(Step::one(self.check(&unit, check, Role::Ensure, &request.entry, &params)?));
        }
        unit.audit = request
            .audit
            .as_ref()
            .map(|check| self.check(&unit, check, Role::Assume, &request.entry, &params))
            .transpose()?;
        self.add_shapes(&mut unit, request, &params, &containers)?;
        let stand_in = inputs.iter().find(|input| input.stand_in != StandIn::Itself);
        if let Some(input) = stand_in.filter(|_| unit.shapes.is_some()) {
            let reason = "end:p and array:*n do not go together with --heap lazy and --hex";
            return Err(UnitError::Setting { setting: input.told(&inputs), reason });
        }
        hand_over(&mut unit, &inputs);
        Ok(unit)
    }

    pub(crate) fn is_stream(&self, ty: CTypeId) -> bool {
        let CType::Pointer { target } = self.debug.ctype(self.debug.unqualified(ty)) else { return false };
        let target = self.debug.complete(self.debug.unqualified(target));
        matches!(self.debug.ctype(target), CType::Record { name: Some(STREAM), .. })
    }

    /// What runs before everything else.
    pub(crate) fn constructors(&self) -> impl Iterator<Item = Step> + '_ {
        let call = |function| Call {
            function,
            name: String::new(),
            role: Role::Prepare,
            args: Vec::new(),
            result_bits: 0,
            returns: None,
            result: None,
            ends: Ends::Never,
        };
        self.image.constructors.iter().map(move |&function| Step::one(call(function)))
    }

    /// The variables that are inputs: how inputs call them, their names in the program, and their types.
    fn chosen_globals(&self, requests: &[GlobalRequest]) -> Result<Vec<(String, String, CTypeId)>, UnitError> {
        let all: Vec<(&str, usize, CTypeId)> = self.variables().collect();
        let names: Vec<&str> = all.iter().map(|&(name, ..)| name).collect();
        let mut chosen: Vec<(String, String, CTypeId)> = Vec::new();
        for request in requests {
            let meant = request.chosen(&names);
            if meant.is_empty() && !request.is_for_all() {
                return Err(UnitError::NoGlobal { name: request.to_string() });
            }
            for &(symbol, _, ty) in all.iter().filter(|(symbol, ..)| meant.contains(symbol)) {
                if !chosen.iter().any(|(_, known, _)| known == symbol) {
                    chosen.push((symbol.to_owned(), symbol.to_owned(), ty));
                }
            }
        }
        Ok(chosen)
    }

    /// A call of a condition with those of the parameters that have the types it takes.
    pub(crate) fn check(
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

    /// A function that takes so many pointers and returns a condition.
    pub(crate) fn condition(&self, name: &str, n_params: usize) -> Result<(FuncId, u32), UnitError> {
        let function = self.find(name)?;
        let subprogram = self.subprogram(function, name)?;
        let is_pointer =
            |param: &CParam| matches!(self.debug.ctype(self.debug.unqualified(param.ty)), CType::Pointer { .. });
        if subprogram.params.len() != n_params || !subprogram.params.iter().all(is_pointer) {
            return Err(UnitError::NoCompanion { name: name.to_owned(), n_params });
        }
        match self.result_bits(subprogram.ret) {
            0 => Err(UnitError::NoCondition { check: name.to_owned() }),
            bits => Ok((function, bits)),
        }
    }

    fn call(&self, unit: &Unit, function: FuncId, name: &str, role: Role, params: &[usize]) -> Result<Call, UnitError> {
        let sizes: Vec<(usize, u32)> =
            params.iter().map(|&number| (number, unit.layouts.get(unit.params[number].layout).size)).collect();
        self.call_with(function, name, role, &sizes)
    }

    /// A call with parameters of these numbers and sizes.
    pub(crate) fn call_with(
        &self,
        function: FuncId,
        name: &str,
        role: Role,
        sizes: &[(usize, u32)],
    ) -> Result<Call, UnitError> {
        let code = &self.image.functions[function.index()];
        let subprogram = self.subprogram(function, name)?;
        let first = self.program.function(function).params.first();
        let returns = first.filter(|param| param.attrs.sret.is_some());
        let returns = returns.and_then(|_| self.debug.size_of(subprogram.ret)).map(|size| size as u32);
        let params = named(&subprogram);
        let args = passing::args(code, returns, sizes).map_err(|number| {
            let place = sizes.iter().position(|&(other, _)| other == number).unwrap_or(number);
            let param = params.get(place).map(|(param, _)| param.clone()).unwrap_or_default();
            UnitError::Passing { name: name.to_owned(), param }
        })?;
        Ok(Call {
            function,
            name: name.to_owned(),
            role,
            args,
            result_bits: self.result_bits(subprogram.ret),
            returns: None,
            result: None,
            ends: Ends::Never,
        })
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
