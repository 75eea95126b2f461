//! What is explored: the whole program, or functions of it.

use crate::{EngineError, Plan};
use spelunk_concolic::graph::nest::Overlap;
use spelunk_concolic::graph::unit::{Aliasing, Unit};
use spelunk_driver::Loaded;
use spelunk_explore::program::ProgramFlow;
use spelunk_hex::Source;
use spelunk_inputs::settings::Setting;
use spelunk_inputs::{Family, Functions, Guess, HeapRequest, LearnRequest, Request, Room, UnitError};
use spelunk_report::suite::index::CALLS;
use spelunk_report::suite::{HeapSetup, UnitSetup};
use std::sync::Arc;

const MAIN: &str = "main";

/// What a sequence of calls is called.
const SEQUENCE: &str = "sequence";

/// So many of them are made one after another.
const LENGTH_OF_CALLS: u32 = 5;

/// Tests every function that can be tested.
const ALL: &str = "all";

/// What one campaign explores.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The function, or what a sequence or the whole program is called.
    pub entry: String,
    /// What is called, and what functions return that nobody defines; the whole program without it, or without calls in it.
    pub unit: Option<Arc<Unit>>,
    /// How it is tested, unless it is the whole program.
    pub setup: Option<UnitSetup>,
    /// If it is a `static` function: those that lead to it and are not.
    pub internal: Option<Vec<String>>,
    /// If it is calls of what makes a structure and works on it, one after another: its type.
    pub structure: Option<String>,
}

/// What a plan asks for. Nothing if it does not say, and there is no `main` but other functions.
pub(crate) fn choose(plan: &Plan, functions: &Functions<'_>) -> Result<Vec<Subject>, EngineError> {
    let UnitSetup { assume, ensure, params, globals, sequence, .. } = &plan.unit;
    let is_plain = assume.is_empty() && ensure.is_empty() && params.is_empty() && globals.is_empty();
    match plan.entry.as_deref() {
        None if !sequence.is_empty() => Ok(vec![subject(functions, SEQUENCE, &unit_of(plan))?]),
        None if functions.has(MAIN) => Ok(vec![whole_program(plan, functions)?]),
        None if functions.list().is_empty() => Err(EngineError::NoFunctions),
        None => Ok(Vec::new()),
        Some(MAIN) if is_plain => Ok(vec![whole_program(plan, functions)?]),
        Some(ALL) if !functions.has(ALL) => choose_all(plan, functions),
        Some(entries) if entries.contains(',') => choose_several(plan, functions, entries),
        Some(entry) => Ok(vec![subject(functions, entry, &unit_of(plan))?]),
    }
}

/// Every function that can be tested, each with what is said of its own inputs. One that is `static` is entered through its callers, if one
/// of these is tested.
fn choose_all(plan: &Plan, functions: &Functions<'_>) -> Result<Vec<Subject>, EngineError> {
    let n_tested = plan.compile.n_tested.unwrap_or(usize::MAX);
    let testable: Vec<(String, Option<Vec<String>>)> = functions
        .list_of(n_tested, Guess::Off)
        .into_iter()
        .filter_map(|(name, testable)| Some((name, testable.ok()?.internal)))
        .filter(|(name, _)| name != MAIN)
        .collect();
    let is_tested = |name: &String| testable.iter().any(|(other, internal)| other == name && internal.is_none());
    let is_entered = |internal: &Option<Vec<String>>| internal.iter().flatten().any(is_tested);
    let names: Vec<String> =
        testable.iter().filter(|(_, internal)| !is_entered(internal)).map(|(name, _)| name.clone()).collect();
    let alone = subjects(plan, functions, &names)?.into_iter().filter_map(Result::ok);
    // What calls show is known when findings of single functions are judged.
    let subjects: Vec<Subject> = together(plan, functions, &names).into_iter().chain(alone).collect();
    if subjects.is_empty() { Err(EngineError::NothingTestable) } else { Ok(subjects) }
}

/// Calls of the functions that make and work on one structure, for each structure that has such functions.
fn together(plan: &Plan, functions: &Functions<'_>, names: &[String]) -> Vec<Subject> {
    let UnitSetup { guesses, assume, ensure, .. } = &plan.unit;
    if !guesses || plan.has_targets() || !assume.is_empty() || !ensure.is_empty() {
        return Vec::new();
    }
    let calls = |Family { structure, functions: sequence }| {
        let is_about = |setting: &&String| {
            setting.parse().is_ok_and(|setting| sequence.iter().any(|name| functions.has_input(name, &setting)))
        };
        let params = plan.unit.params.iter().filter(is_about).cloned().collect();
        let name: String = structure.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let setup = UnitSetup { params, sequence, length: LENGTH_OF_CALLS, is_family: true, ..unit_of(plan) };
        let subject = subject(functions, &format!("{CALLS}{name}"), &setup).ok()?;
        Some(Subject { structure: Some(structure), ..subject })
    };
    functions.families(names).into_iter().filter_map(calls).collect()
}

/// The functions of a list, all of which must be testable.
fn choose_several(plan: &Plan, functions: &Functions<'_>, entries: &str) -> Result<Vec<Subject>, EngineError> {
    let mut names: Vec<String> = Vec::new();
    for name in entries.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(subjects(plan, functions, &names)?.into_iter().collect::<Result<_, _>>()?)
}

/// Each of these functions, with what is said of its own inputs.
fn subjects(
    plan: &Plan,
    functions: &Functions<'_>,
    names: &[String],
) -> Result<Vec<Result<Subject, UnitError>>, EngineError> {
    let settings =
        plan.unit.params.iter().map(|setting| setting.parse()).collect::<Result<Vec<Setting>, UnitError>>()?;
    let is_about = |name: &String, setting: &Setting| functions.has_input(name, setting);
    if let Some(setting) = settings.iter().find(|setting| !names.iter().any(|name| is_about(name, setting))) {
        return Err(EngineError::AboutNothing { setting: setting.to_string() });
    }
    let unit = unit_of(plan);
    let subject = |name: &String| {
        let params = settings.iter().filter(|setting| is_about(name, setting)).map(Setting::to_string).collect();
        subject(functions, name, &UnitSetup { params, ..unit.clone() })
    };
    Ok(names.iter().map(subject).collect())
}

fn whole_program(plan: &Plan, functions: &Functions<'_>) -> Result<Subject, UnitError> {
    // Tests of whole programs say nothing of their inputs but what these are: there is one way to make them again.
    let (seed, max_nesting, overlap) = (plan.unit.seed, Plan::usual_nesting(None), overlap(&plan.unit.heap)?);
    let aliasing = aliasing(&plan.unit.heap);
    let unit = functions.whole_program(Unit { seed, max_nesting, overlap, aliasing, ..Unit::default() })?;
    Ok(Subject { entry: MAIN.to_owned(), unit: unit.map(Arc::new), setup: None, internal: None, structure: None })
}

/// What a plan says of the inputs of functions.
fn unit_of(plan: &Plan) -> UnitSetup {
    UnitSetup { has_targets: plan.has_targets(), ..plan.unit.clone() }
}

/// How a function is tested.
fn subject(functions: &Functions<'_>, entry: &str, setup: &UnitSetup) -> Result<Subject, UnitError> {
    if let Some(guessed) = with_guesses(functions, entry, setup)? {
        // A guess that does not fit is none.
        if let Ok(subject) = subject(functions, entry, &guessed) {
            return Ok(subject);
        }
    }
    let setup = UnitSetup { guesses: false, has_targets: false, ..setup.clone() };
    let request = request(entry, &setup)?;
    let unit = if setup.sequence.is_empty() { functions.unit(&request)? } else { functions.sequence(&request)? };
    let internal = functions.internal(entry);
    Ok(Subject { entry: entry.to_owned(), unit: Some(Arc::new(unit)), setup: Some(setup), internal, structure: None })
}

/// The same with what is guessed of the inputs, as settings like the user's.
fn with_guesses(functions: &Functions<'_>, entry: &str, setup: &UnitSetup) -> Result<Option<UnitSetup>, UnitError> {
    if !setup.guesses {
        return Ok(None);
    }
    let said = request(entry, setup)?.settings;
    let room = if setup.has_targets { Room::ForTargets } else { Room::Usual };
    let called = setup.sequence.iter().flat_map(|name| name.split(':')).filter(|name| !name.is_empty());
    let mut guessed: Vec<String> = match setup.sequence.is_empty() {
        true => functions.guesses(entry, &said, room).iter().map(Setting::to_string).collect(),
        false => called.flat_map(|name| functions.guesses_of_call(name, &said, room)).collect(),
    };
    guessed.sort();
    guessed.dedup();
    let params = setup.params.iter().chain(&guessed).cloned().collect();
    Ok(Some(UnitSetup { params, guessed, guesses: false, ..setup.clone() }))
}

/// A sequence whose structures are learned from.
pub(crate) fn learned_from(
    functions: &Functions<'_>,
    setup: &UnitSetup,
    learns: &LearnRequest,
) -> Result<Subject, UnitError> {
    let request = Request { learns: Some(learns.clone()), ..request(SEQUENCE, setup)? };
    let unit = functions.sequence(&request)?;
    let (entry, unit, setup) = (SEQUENCE.to_owned(), Some(Arc::new(unit)), Some(setup.clone()));
    Ok(Subject { entry, unit, setup, internal: None, structure: None })
}

fn request(entry: &str, setup: &UnitSetup) -> Result<Request, UnitError> {
    let settings = setup.params.iter().map(|setting| setting.parse()).collect::<Result<Vec<Setting>, UnitError>>()?;
    let is_of = |function: &String| {
        *function == entry || setup.sequence.iter().any(|name| name.split(':').any(|name| name == function))
    };
    if let Some(other) = settings.iter().find(|it| it.function.as_ref().is_some_and(|function| !is_of(function))) {
        return Err(UnitError::OtherFunction { setting: other.to_string() });
    }
    Ok(Request {
        entry: entry.to_owned(),
        assume: setup.assume.clone(),
        ensure: setup.ensure.clone(),
        settings,
        globals: setup.globals.iter().map(|global| global.parse()).collect::<Result<_, UnitError>>()?,
        seed: setup.seed,
        max_nesting: setup.nesting,
        overlap: overlap(&setup.heap)?,
        sequence: setup.sequence.clone(),
        length: setup.length,
        is_of_family: setup.is_family,
        heap: heap_request(&setup.heap)?,
        audit: setup.heap.audit.clone(),
        learns: None,
    })
}

/// Where pointers may overlap.
fn overlap(setup: &HeapSetup) -> Result<Overlap, UnitError> {
    let text = Some(setup.overlap.as_str()).filter(|text| !text.is_empty());
    text.map_or(Ok(Overlap::default()), |text| text.parse().map_err(UnitError::Overlap))
}

fn aliasing(setup: &HeapSetup) -> Aliasing {
    if setup.maps { Aliasing::Solved } else { Aliasing::Decided }
}

fn heap_request(setup: &HeapSetup) -> Result<HeapRequest, UnitError> {
    let source = |(name, text): &(String, String)| Source { name: name.clone(), text: text.clone(), first_line: 1 };
    Ok(HeapRequest {
        is_lazy: setup.lazy,
        aliasing: aliasing(setup),
        rules: setup.rules.iter().map(source).collect(),
        limits: setup.objects.iter().map(|limit| limit.parse()).collect::<Result<_, UnitError>>()?,
    })
}

/// The control flow of what is explored: of a unit, whatever its calls may reach.
pub fn flow<'l>(loaded: &'l Loaded, unit: Option<&Unit>) -> ProgramFlow<'l> {
    let Some(unit) = unit.filter(|unit| !unit.is_whole_program()) else { return ProgramFlow::new(&loaded.image) };
    // Pointers of the input may lead to functions whose address the program never takes.
    let given = unit.layouts.functions().into_iter().filter(|id| id.index() < loaded.program.functions.len());
    let called: Vec<_> = unit.calls().map(|call| call.function).chain(given).collect();
    ProgramFlow::within(&loaded.image, &called)
}
