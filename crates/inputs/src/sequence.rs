//! Sequences of calls: functions that work on one structure, called in any order with any arguments.
//!
//! The structure is what most of the functions take a pointer to as their first parameter. It is a variable of its type or,
//! if one of the functions returns such a pointer or takes the address of one, a pointer that is null at first. What comes
//! first is what the user says, or what makes a structure without taking one; else it is guessed from the names of functions,
//! as is what ends a structure's life.
//!
//! If a function takes two structures, as `splice(a, b)` does, there are two, and each call is made on either: all of them are built
//! by calls, and none is made up. Where rules describe heaps (`--hex`), the second is an input that keeps them.

use crate::adjust;
use crate::error::UnitError;
use crate::functions::{Functions, inputs_of, named};
use crate::layouts::Builder;
use crate::placing::{Anchor, Input, Placed, Places};
use crate::settings::Setting;
use crate::stand_ins::StandIn;
use crate::unit::{LearnRequest, Request};
use rustc_hash::FxHashMap;
use spelunk_concolic::graph::layout::{Field, Format, Layout, LayoutId, Leaf, LeafKind};
use spelunk_concolic::graph::shapes::{Learning, TypeTable};
use spelunk_concolic::graph::unit::{Arg, Call, Content, Ends, Failure, Home, Param, Role, Step, Unit};
use spelunk_ir::debug::{CType, CTypeId, Encoding, Subprogram};
use spelunk_ir::model::FuncId;
use std::ops::Range;
use std::sync::Arc;

/// The number of the structure among the parameters; if there are two, the other follows.
const STRUCTURE: usize = 0;

/// What the structure is called, and the other.
const DEFAULT_NAME: &str = "s";
const OTHER_NAME: &str = "s2";

/// Parts of names of functions that are called first, and once.
pub(crate) const BEGINNINGS: [&str; 7] = ["init", "new", "create", "make", "alloc", "open", "setup"];

/// Those of them that are said of a structure that is there already.
const FILLINGS: [&str; 2] = ["init", "setup"];

/// Parts of names of functions after which nothing is called, if they take only the structure.
const ENDS: [&str; 5] = ["destroy", "free", "dispose", "fini", "close"];

/// A function of the sequence.
pub(crate) struct Member<'p> {
    function: FuncId,
    pub name: String,
    pub subprogram: Subprogram<'p>,
}

/// What the functions work on.
struct Structure {
    /// The type, without a pointer to it.
    ty: CTypeId,
    key: String,
    /// Whether the variable is a pointer to it.
    is_pointer: bool,
}

/// How a parameter takes the structure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    Pointer,
    PointerToPointer,
}

/// Whether a call makes a structure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    First,
    Later,
}

/// A unit in the making.
struct Composer<'a, 'p> {
    functions: &'a Functions<'p>,
    request: &'a Request,
    structure: Structure,
    /// How many structures there are, one or two.
    n_rooms: usize,
    builder: Builder<'a, 'p>,
    unit: Unit,
}

/// The inputs of a step, by name and type.
type Slots = FxHashMap<(String, String), usize>;

impl<'p> Functions<'p> {
    /// The unit that calls functions one after another.
    pub fn sequence(&self, request: &Request) -> Result<Unit, UnitError> {
        let (first, names) = split_first(&request.sequence);
        let members = names.iter().map(|name| self.member(name)).collect::<Result<Vec<_>, _>>()?;
        let mut composer = Composer {
            functions: self,
            request,
            structure: self.structure(&members)?,
            n_rooms: 1,
            builder: Builder::new(self, &self.stubs, self.settings_of_members(request, &members)?, Vec::new()),
            unit: Unit {
                seed: request.seed,
                max_nesting: request.max_nesting,
                overlap: request.overlap,
                aliasing: request.heap.aliasing,
                steps: self.constructors().collect(),
                ..Default::default()
            },
        };
        let first = first.or_else(|| composer.first(&members));
        composer.structure.is_pointer &= !first.is_some_and(|first| composer.is_filled(&members, first));
        if request.heap.is_eager() && composer.takes_two(&members) {
            composer.n_rooms = 2;
        }
        composer.add_rooms(first.is_some())?;
        // Each structure is made before anything else.
        let n_made = if first.is_some() { composer.n_rooms } else { 0 };
        for number in 0..request.length as usize {
            let is_choice = |(place, _): &(usize, &Member<'p>)| match first {
                Some(first) if number < n_made => *place == first,
                Some(first) => *place != first || members.len() == 1,
                None => true,
            };
            let possible: Vec<&Member<'p>> = members.iter().enumerate().filter(is_choice).map(|(_, it)| it).collect();
            // Structures that are not made yet keep no conditions.
            let n_ready = |n_calls: usize| if n_made > 0 { n_calls.min(n_made) } else { composer.n_rooms };
            let (before, after) = (n_ready(number), n_ready(number + 1));
            if number > 0 {
                composer.add_checks(&request.assume, Role::Assume, before)?;
            }
            let rooms = if number < n_made { number..number + 1 } else { 0..composer.n_rooms };
            let order = if number < n_made { Order::First } else { Order::Later };
            composer.add_step(number, &possible, rooms, order)?;
            composer.add_checks(&request.ensure, Role::Ensure, after)?;
        }
        if let Some(learns) = &request.learns {
            composer.unit.learning = composer.learning(&members, learns)?.map(Arc::new);
        }
        let Composer { mut unit, mut builder, .. } = composer;
        unit.results = self.results(&mut builder);
        if let Some(problem) = builder.problem {
            return Err(problem);
        }
        let containers = self.containers(&mut builder, &unit, request);
        unit.layouts = builder.layouts;
        adjust::limit_counts(&mut unit, &builder.limits);
        self.add_observables(&mut unit);
        self.add_shapes(&mut unit, request, &[], &containers)?;
        Ok(unit)
    }

    pub(crate) fn member(&self, name: &str) -> Result<Member<'p>, UnitError> {
        let function = self.find(name)?;
        let subprogram = self.subprogram(function, name)?;
        if subprogram.varargs {
            return Err(UnitError::VariableArguments { name: name.to_owned() });
        }
        Ok(Member { function, name: name.to_owned(), subprogram })
    }

    /// What is said of members of structures. Each setting is about a parameter of some function, or about a type.
    fn settings_of_members(&self, request: &Request, members: &[Member<'p>]) -> Result<Vec<Placed>, UnitError> {
        let mut found = Vec::new();
        for setting in &request.settings {
            let mut is_known = false;
            for member in members {
                let inputs = inputs_of(&member.subprogram);
                let places = Places { functions: self, entry: &member.name, inputs: &inputs };
                if places.knows(setting) {
                    is_known = true;
                    let placed = places.place_all(std::slice::from_ref(setting))?;
                    found.extend(placed.into_iter().filter(|it| matches!(it.anchor, Anchor::Record(_))).take(1));
                    break;
                }
            }
            if !is_known {
                return Err(UnitError::NoParameter { name: "the sequence".to_owned(), param: setting.path.clone() });
            }
        }
        Ok(found)
    }

    /// The record behind one or two pointers.
    pub(crate) fn record_behind(&self, ty: CTypeId) -> Option<(CTypeId, Depth)> {
        let behind = |ty: CTypeId| match self.debug.ctype(self.debug.unqualified(ty)) {
            CType::Pointer { target } => Some(self.debug.complete(self.debug.unqualified(target))),
            _ => None,
        };
        let is_record = |ty: CTypeId| matches!(self.debug.ctype(ty), CType::Record { .. });
        let target = behind(ty)?;
        if is_record(target) {
            return Some((target, Depth::Pointer));
        }
        behind(target).filter(|&inner| is_record(inner)).map(|inner| (inner, Depth::PointerToPointer))
    }

    /// What most of the functions work on.
    fn structure(&self, members: &[Member<'_>]) -> Result<Structure, UnitError> {
        let taken = |member: &Member<'_>| {
            let types =
                member.subprogram.params.first().map(|param| param.ty).into_iter().chain([member.subprogram.ret]);
            types.filter_map(|ty| self.record_behind(ty)).map(|(ty, _)| ty).next()
        };
        let mut counts: Vec<(String, CTypeId, usize)> = Vec::new();
        for ty in members.iter().filter_map(taken) {
            let key = self.type_key(ty);
            match counts.iter_mut().find(|(other, ..)| *other == key) {
                Some((_, _, count)) => *count += 1,
                None => counts.push((key, ty, 1)),
            }
        }
        let most = counts.iter().map(|&(.., count)| count).max().ok_or(UnitError::NoStructure)?;
        let (key, ty, _) = counts.into_iter().find(|&(.., count)| count == most).ok_or(UnitError::NoStructure)?;
        let is_it = |ty: CTypeId, depth: Depth| {
            self.record_behind(ty).is_some_and(|(record, found)| found == depth && self.type_key(record) == key)
        };
        let is_pointer = members.iter().any(|member| {
            let mut params = member.subprogram.params.iter();
            is_it(member.subprogram.ret, Depth::Pointer) || params.any(|it| is_it(it.ty, Depth::PointerToPointer))
        });
        Ok(Structure { ty, key, is_pointer })
    }
}

impl Member<'_> {
    pub(crate) fn has_word(&self, words: &[&str]) -> bool {
        let name = self.name.to_ascii_lowercase();
        words.iter().any(|word| name.contains(word))
    }
}

impl<'p> Composer<'_, 'p> {
    /// The function that is called first, and only then.
    fn first(&self, members: &[Member<'p>]) -> Option<usize> {
        let makes = |member: &Member<'p>| {
            let takes_it = member.subprogram.params.iter().any(|param| self.takes(param.ty).is_some());
            self.takes(member.subprogram.ret).is_some() && !takes_it
        };
        members.iter().position(makes).or_else(|| members.iter().position(|member| member.has_word(&BEGINNINGS)))
    }

    /// Whether the first function gets a structure that is there and fills it: then it is no pointer, which would be null.
    fn is_filled(&self, members: &[Member<'p>], first: usize) -> bool {
        let takes = |member: &Member<'p>, wanted: Depth| {
            member.subprogram.params.iter().any(|param| self.takes(param.ty) == Some(wanted))
        };
        let fills = |member: &Member<'p>| {
            let returns_it = self.takes(member.subprogram.ret) == Some(Depth::Pointer);
            takes(member, Depth::Pointer) && (!returns_it || member.has_word(&FILLINGS))
        };
        fills(&members[first]) && !members.iter().any(|member| takes(member, Depth::PointerToPointer))
    }

    /// Whether a function takes two of the structures.
    fn takes_two(&self, members: &[Member<'p>]) -> bool {
        let n_taken = |member: &Member<'p>| {
            member.subprogram.params.iter().filter(|param| self.takes(param.ty) == Some(Depth::Pointer)).count()
        };
        members.iter().any(|member| n_taken(member) == 2)
    }

    /// Adds the variables that the functions work on.
    fn add_rooms(&mut self, is_initialised: bool) -> Result<(), UnitError> {
        let structure = &self.structure;
        let unknown = || UnitError::UnknownSize {
            name: "the sequence".to_owned(),
            param: "the structure".to_owned(),
            ty: structure.key.clone(),
        };
        let layout = match structure.is_pointer {
            true => {
                let leaf = Leaf { offset: 0, n_bytes: 8, kind: LeafKind::Fixed(0), path: String::new() };
                let name = format!("{} *", structure.key);
                let leaves = vec![leaf];
                let layout = Layout { name, size: 8, align: 16, leaves, ..Layout::default() };
                self.builder.layouts.add(layout)
            }
            false => self.builder.layout(structure.ty).ok_or_else(unknown)?,
        };
        let content = if is_initialised && !structure.is_pointer { Content::Undefined } else { Content::Zero };
        for name in [DEFAULT_NAME, OTHER_NAME].into_iter().take(self.n_rooms) {
            self.unit.params.push(Param { name: name.to_owned(), layout, home: Home::Room(content) });
        }
        Ok(())
    }

    /// Adds a step that makes one of several calls, on one of these structures.
    fn add_step(
        &mut self,
        number: usize,
        possible: &[&Member<'p>],
        rooms: Range<usize>,
        order: Order,
    ) -> Result<(), UnitError> {
        let mut step = Step { choice: None, calls: Vec::new() };
        let mut slots = Slots::default();
        for (member, room) in possible.iter().flat_map(|member| rooms.clone().map(move |room| (member, room))) {
            let mut call = self.call(number, member, room, &mut slots)?;
            call.ends = self.ends(member, room, order);
            step.calls.push(call);
        }
        if step.calls.len() > 1 {
            step.choice = Some(self.unit.params.len());
            let layout = choice(&mut self.builder, step.calls.len());
            self.unit.params.push(Param { name: format!("call{}", number + 1), layout, home: Home::Optional });
        }
        self.unit.steps.push(step);
        Ok(())
    }

    /// When nothing is called after a function. Of two structures the other may live on, but nothing says so of a call that comes
    /// later.
    fn ends(&self, member: &Member<'p>, room: usize, order: Order) -> Ends {
        let Subprogram { params, ret, .. } = &member.subprogram;
        let returns_it = self.structure.is_pointer && self.takes(*ret) == Some(Depth::Pointer);
        // Whoever gets the pointer by value can't tell its owner that it leads elsewhere now.
        let gets_it = params.len() == 1 && self.takes(params[0].ty) == Some(Depth::Pointer);
        let debug = &self.functions.debug;
        let is_void = debug.ctype(debug.unqualified(*ret)) == CType::Void;
        match order {
            _ if params.len() == 1 && member.has_word(&ENDS) => Ends::Always,
            _ if returns_it && self.request.is_of_family => Ends::IfNull,
            Order::First if !returns_it && !is_void => Ends::IfFailed { room, failure: self.failure(*ret) },
            Order::Later if !returns_it && gets_it && self.structure.is_pointer => Ends::IfFreed(room),
            _ => Ends::Never,
        }
    }

    /// How a result of this type says that a structure could not be initialised.
    fn failure(&self, ty: CTypeId) -> Option<Failure> {
        let debug = &self.functions.debug;
        match debug.ctype(debug.unqualified(ty)) {
            CType::Base { encoding: Encoding::Boolean, .. } => Some(Failure::Zero(1)),
            CType::Base { encoding: Encoding::Signed, size, .. } if size <= 8 => {
                Some(Failure::Negative(8 * size as u32))
            }
            CType::Enum { base: Some(base), .. } => self.failure(base),
            _ if self.takes(ty) == Some(Depth::Pointer) => Some(Failure::Zero(64)),
            _ => None,
        }
    }

    fn add_checks(&mut self, checks: &[String], role: Role, n_rooms: usize) -> Result<(), UnitError> {
        for check in checks {
            for room in 0..n_rooms {
                let call = self.check(check, role, room)?;
                self.unit.steps.push(Step::one(call));
            }
        }
        Ok(())
    }

    /// How a parameter takes the structure, if it does.
    fn takes(&self, ty: CTypeId) -> Option<Depth> {
        let (record, depth) = self.functions.record_behind(ty)?;
        (self.functions.type_key(record) == self.structure.key).then_some(depth)
    }

    /// The call of a function in a step. Arguments of one name and type are shared by what may be called in it.
    fn call(&mut self, step: usize, member: &Member<'p>, room: usize, slots: &mut Slots) -> Result<Call, UnitError> {
        let params = named(&member.subprogram);
        let mut taken = Vec::new();
        let mut inputs = Vec::new();
        let mut added = Vec::new();
        for (param, ty) in &params {
            if let Some(depth) = self.takes(*ty).filter(|_| taken.len() < self.n_rooms) {
                let room = if taken.is_empty() { room } else { self.n_rooms - 1 - room };
                taken.push((room, depth));
                inputs.push(Input { name: param.clone(), ty: *ty, number: room, stand_in: StandIn::Itself });
                continue;
            }
            let key = (param.clone(), self.functions.type_key(*ty));
            let number = match slots.get(&key) {
                Some(&slot) => slot,
                None => {
                    let slot = self.add_slot(step, member, param, *ty)?;
                    added.push(slot);
                    slots.insert(key, slot);
                    slot
                }
            };
            inputs.push(Input { name: param.clone(), ty: *ty, number, stand_in: StandIn::Itself });
        }
        self.adjust_slots(member, &inputs, &added)?;
        let size = |number: usize| match number {
            room if room < self.n_rooms => 8,
            _ => self.builder.layouts.get(self.unit.params[number].layout).size,
        };
        let sizes: Vec<(usize, u32)> = inputs.iter().map(|input| (input.number, size(input.number))).collect();
        let mut call = self.functions.call_with(member.function, &member.name, Role::Test, &sizes)?;
        for (room, depth) in taken {
            hand_over(&mut call, &self.structure, room, depth);
        }
        let returns_it = self.takes(member.subprogram.ret) == Some(Depth::Pointer);
        call.result = (self.structure.is_pointer && returns_it).then_some(room);
        Ok(call)
    }

    /// Adds an input for an argument.
    fn add_slot(&mut self, step: usize, member: &Member<'p>, param: &str, ty: CTypeId) -> Result<usize, UnitError> {
        let functions = self.functions;
        let unknown = || UnitError::UnknownSize {
            name: member.name.clone(),
            param: param.to_owned(),
            ty: functions.debug.type_name(ty),
        };
        let layout = self.builder.layout(ty).ok_or_else(unknown)?;
        let own = self.builder.layouts.get(layout).clone();
        let layout = self.builder.layouts.add(own);
        let mut name = format!("call{}.{param}", step + 1);
        // Another function has a parameter of this name with another type.
        if self.unit.params.iter().any(|other| other.name == name) {
            name = format!("call{}.{}.{param}", step + 1, member.name);
        }
        self.unit.params.push(Param { name, layout, home: Home::Optional });
        Ok(self.unit.params.len() - 1)
    }

    /// Makes the arguments of a function that were added what is said of them.
    fn adjust_slots(&mut self, member: &Member<'p>, inputs: &[Input], added: &[usize]) -> Result<(), UnitError> {
        let functions = self.functions;
        let places = Places { functions, entry: &member.name, inputs };
        let is_about = |setting: &&Setting| places.knows(setting);
        let mut settings: Vec<Setting> = self.request.settings.iter().filter(is_about).cloned().collect();
        for input in inputs.iter().filter(|input| input.number >= self.n_rooms) {
            let is_open = !settings.iter().any(|setting| setting.path == input.name);
            let is_made = match self.request.is_of_family {
                // What null does is asked of each function by itself.
                true => matches!(functions.debug.ctype(functions.debug.unqualified(input.ty)), CType::Pointer { .. }),
                false => functions.record_behind(input.ty).is_some(),
            };
            if is_open && is_made {
                settings.extend(format!("{}=nonnull", input.name).parse::<Setting>());
            }
        }
        let placed = places.place_all(&settings)?;
        self.builder.inputs = inputs.iter().filter(|input| input.number >= self.n_rooms).cloned().collect();
        for input in inputs.iter().filter(|input| added.contains(&input.number)) {
            let layout = self.unit.params[input.number].layout;
            self.builder.adjust_input(layout, input, &placed)?;
        }
        self.builder.inputs.clear();
        Ok(())
    }

    /// What can be learned about the structure; nothing if no function says what a pointer to it is.
    fn learning(&self, members: &[Member<'p>], learns: &LearnRequest) -> Result<Option<Learning>, UnitError> {
        let functions = self.functions;
        let pointer = |ty: CTypeId| match (self.takes(ty)?, functions.debug.ctype(functions.debug.unqualified(ty))) {
            (Depth::PointerToPointer, CType::Pointer { target }) => Some(target),
            _ => Some(ty),
        };
        let taken = members.iter().flat_map(|member| named(&member.subprogram));
        let made = members.iter().map(|member| (DEFAULT_NAME.to_owned(), member.subprogram.ret));
        let Some((name, ty)) = taken.chain(made).find_map(|(name, ty)| Some((name, pointer(ty)?))) else {
            return Ok(None);
        };
        let settings = functions.settings_of_members(self.request, members)?;
        let mut builder = Builder::new(functions, &functions.stubs, settings, Vec::new());
        let Some(layout) = builder.layout(ty) else { return Ok(None) };
        let name = learns.name.clone().unwrap_or(name);
        let param = Param { name, layout, home: Home::Argument };
        let mut table = TypeTable::new(&builder.layouts, &[param], &[], &[]);
        functions.add_aliases(&mut table);
        Ok(Some(Learning { table, room: STRUCTURE, is_pointer: self.structure.is_pointer }))
    }

    /// A condition on the structure.
    fn check(&self, check: &str, role: Role, room: usize) -> Result<Call, UnitError> {
        let member = self.functions.member(check)?;
        let mut taken = None;
        for param in &member.subprogram.params {
            let Some(depth) = self.takes(param.ty).filter(|_| taken.is_none()) else {
                let ty = self.functions.debug.type_name(param.ty);
                return Err(UnitError::NoArgument { name: "the sequence".to_owned(), check: check.to_owned(), ty });
            };
            taken = Some(depth);
        }
        let sizes: Vec<(usize, u32)> = taken.iter().map(|_| (room, 8)).collect();
        let mut call = self.functions.call_with(member.function, check, role, &sizes)?;
        if call.result_bits == 0 {
            return Err(UnitError::NoCondition { check: check.to_owned() });
        }
        if let Some(depth) = taken {
            hand_over(&mut call, &self.structure, room, depth);
        }
        Ok(call)
    }
}

/// Lets a call have the structure where it expects it.
fn hand_over(call: &mut Call, structure: &Structure, room: usize, depth: Depth) {
    let is_value = structure.is_pointer && depth == Depth::Pointer;
    for arg in &mut call.args {
        if let Arg::Word { param, .. } = *arg
            && param == room
            && !is_value
        {
            *arg = Arg::Address { param: room };
        }
    }
}

/// The functions of a sequence, and the number of the one that is called first if a colon says so: `init:push,pop`.
fn split_first(sequence: &[String]) -> (Option<usize>, Vec<&str>) {
    let Some((first, second)) = sequence.first().and_then(|name| name.split_once(':')) else {
        return (None, sequence.iter().map(String::as_str).collect());
    };
    let others = [second].into_iter().filter(|name| !name.is_empty());
    (Some(0), [first].into_iter().chain(others).chain(sequence[1..].iter().map(String::as_str)).collect())
}

/// A number that says which of so many calls is made.
fn choice(builder: &mut Builder<'_, '_>, n_calls: usize) -> LayoutId {
    let kind = LeafKind::OneOf((0..n_calls as u64).collect());
    let leaf = Leaf { offset: 0, n_bytes: 1, kind, path: String::new() };
    let field = Field { path: String::new(), bit_offset: 0, n_bits: 8, format: Format::Unsigned };
    let name = format!("one of {n_calls} calls");
    builder.layouts.add(Layout {
        name,
        size: 1,
        align: 16,
        leaves: vec![leaf],
        fields: vec![field],
        ..Layout::default()
    })
}
