//! What is explored: the whole program, or functions of it.

use super::args::RunArgs;
use crate::exit;
use spelunk_concolic::graph::unit::Unit;
use spelunk_driver::Loaded;
use spelunk_explore::program::ProgramFlow;
use spelunk_inputs::settings::Setting;
use spelunk_inputs::{Functions, Request, UnitError};
use spelunk_report::suite::UnitSetup;
use std::sync::Arc;

const MAIN: &str = "main";

/// What a sequence of calls is called.
const SEQUENCE: &str = "sequence";

/// Tests every function that can be tested.
const ALL: &str = "all";

pub struct Subject {
    pub entry: String,
    /// What is called; the whole program without it.
    pub unit: Option<Arc<Unit>>,
    pub setup: Option<UnitSetup>,
}

/// What the user asks for. Without a request and without `main` the functions are listed, and there is nothing to do.
pub fn choose(args: &RunArgs, loaded: &mut Loaded) -> Result<Vec<Subject>, u8> {
    let functions = Functions::new(&loaded.program, &loaded.image);
    let chosen = choose_among(args, &functions);
    let stubs = functions.into_stubs();
    stubs.iter().for_each(|name| loaded.image.add_undefined(name));
    chosen
}

fn choose_among(args: &RunArgs, functions: &Functions<'_>) -> Result<Vec<Subject>, u8> {
    let is_plain = args.assume.is_empty() && args.ensure.is_empty() && args.param.is_empty() && args.global.is_empty();
    let choose_one = |entry: &str| {
        subject(functions, entry, &setup(args)).map(|subject| vec![subject]).map_err(|error| {
            anstream::eprintln!("error: {error}");
            exit::USAGE
        })
    };
    match args.entry.as_deref() {
        None if !args.sequence.is_empty() => choose_one(SEQUENCE),
        None if !functions.has(MAIN) => list(functions).map(|()| Vec::new()),
        None => Ok(vec![whole_program()]),
        Some(MAIN) if is_plain => Ok(vec![whole_program()]),
        Some(ALL) if !functions.has(ALL) => choose_all(args, functions),
        Some(entry) => choose_one(entry),
    }
}

/// Every function that can be tested, each with what is said of its own inputs.
fn choose_all(args: &RunArgs, functions: &Functions<'_>) -> Result<Vec<Subject>, u8> {
    let testable = functions.list().into_iter().filter(|(name, inputs)| inputs.is_ok() && name != MAIN);
    let names: Vec<String> = testable.map(|(name, _)| name).collect();
    let is_about = |name: &String, setting: &Setting| functions.has_input(name, setting);
    if let Some(setting) = args.param.iter().find(|setting| !names.iter().any(|name| is_about(name, setting))) {
        anstream::eprintln!("error: `{setting}` is about no parameter of any function");
        return Err(exit::USAGE);
    }
    let subject = |name: &String| {
        let params = args.param.iter().filter(|setting| is_about(name, setting)).map(Setting::to_string).collect();
        subject(functions, name, &UnitSetup { params, ..setup(args) }).ok()
    };
    let subjects: Vec<Subject> = names.iter().filter_map(subject).collect();
    if subjects.is_empty() {
        anstream::eprintln!("error: there is no function that could be tested");
        return Err(exit::USAGE);
    }
    Ok(subjects)
}

fn whole_program() -> Subject {
    Subject { entry: MAIN.to_owned(), unit: None, setup: None }
}

fn setup(args: &RunArgs) -> UnitSetup {
    UnitSetup {
        assume: args.assume.clone(),
        ensure: args.ensure.clone(),
        params: args.param.iter().map(|setting| setting.to_string()).collect(),
        sequence: args.sequence.clone(),
        length: if args.sequence.is_empty() { 0 } else { args.length },
        globals: args.global.iter().map(|global| global.to_string()).collect(),
        seed: args.seed,
        nesting: args.nesting(),
    }
}

/// How a function is tested.
pub fn subject(functions: &Functions<'_>, entry: &str, setup: &UnitSetup) -> Result<Subject, UnitError> {
    let settings = setup.params.iter().map(|setting| setting.parse()).collect::<Result<_, UnitError>>()?;
    let request = Request {
        entry: entry.to_owned(),
        assume: setup.assume.clone(),
        ensure: setup.ensure.clone(),
        settings,
        globals: setup.globals.iter().map(|global| global.parse()).collect::<Result<_, UnitError>>()?,
        seed: setup.seed,
        max_nesting: setup.nesting,
        sequence: setup.sequence.clone(),
        length: setup.length,
    };
    let unit = if setup.sequence.is_empty() { functions.unit(&request)? } else { functions.sequence(&request)? };
    Ok(Subject { entry: entry.to_owned(), unit: Some(Arc::new(unit)), setup: Some(setup.clone()) })
}

/// The control flow of what is explored: of a unit, whatever its calls may reach.
pub fn flow<'l>(loaded: &'l Loaded, unit: Option<&Unit>) -> ProgramFlow<'l> {
    let Some(unit) = unit else { return ProgramFlow::new(&loaded.image) };
    // Pointers of the input may lead to functions whose address the program never takes.
    let given = unit.layouts.functions().into_iter().filter(|id| id.index() < loaded.program.functions.len());
    let called: Vec<_> = unit.calls().map(|call| call.function).chain(given).collect();
    ProgramFlow::within(&loaded.image, &called)
}

/// Says which functions there are. It is an error if there are none.
fn list(functions: &Functions<'_>) -> Result<(), u8> {
    let listed = functions.list();
    if listed.is_empty() {
        anstream::eprintln!("error: there is neither a `main` nor any other function in the program");
        return Err(exit::USAGE);
    }
    anstream::println!("There is no `main`. Choose a function with --entry, or test each with --entry all:");
    for (name, inputs) in listed {
        match inputs {
            Ok(testable) => {
                anstream::println!("  {name}({})", testable.params);
                let width = testable.inputs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
                for (name, words) in &testable.inputs {
                    anstream::println!("      {name:width$}  {words}");
                }
            }
            Err(error) => anstream::println!("  {name}: can't be tested: {error}"),
        }
    }
    Ok(())
}
