//! Texts of a grammar (CESE): which template a text has is decided when it is looked at, what stands in its holes is input.
//!
//! A template is a number of the input, by the order of `spelunk_grammar`. Templates come in *chunks*, which are sorted by their texts, so
//! that those with a common beginning are neighbours. When the run looks at a byte for the first time, it is decided what the byte is
//! among the templates that are left: that the number lies between two others. So a snapshot from before serves all texts that begin in
//! the same way. Bytes of a text that belong to no hole are constants; those of holes are variables, of which it is granted that they are
//! a word of their token.
//!
//! Unlike in the paper's section 3.2.2, holes keep to the language of their token, and texts are not chosen before the run.

mod chunks;
mod holes;

pub use chunks::{MAX_TEMPLATES, Shown, Text};

use super::{Contradiction, Events, Maker, Spelt, Theory};
use crate::decision::DecisionKind;
use crate::graph::heap::NodeId;
use crate::input::{Input, InputEditor};
use crate::input_bytes::{Made, input_byte};
use crate::journal::{AnyJournal, Entries, Entry, Journal};
use crate::key::{Root, Series};
use crate::ledger::Bound;
use crate::machine::ConcolicMachine;
use crate::query::{Constraints, Level};
use chunks::{Chunk, Difference, Unit, as_number};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spelunk_expr::{ExprId, Model};
use spelunk_grammar::{Hole, Measure};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::Word;
use spelunk_vm::{Carried, Stop, Vm};
use std::ops::Range;
use std::sync::Arc;

/// The texts of a campaign, one for each input that has a grammar.
#[derive(Debug)]
pub struct Texts(pub Vec<Arc<Text>>);

impl Texts {
    /// Inputs whose texts show each production, as far as small ones do; the texts of parameters hang on other inputs.
    pub fn samples(&self) -> Vec<Input> {
        let is_whole = |text: &Arc<Text>| !matches!(text.key.root, Root::Param(_));
        if !self.0.iter().all(is_whole) {
            return Vec::new();
        }
        let sample = |sampled: usize, number: u64| {
            let mut input = InputEditor::new(&Input::new());
            for (at, text) in self.0.iter().enumerate() {
                text.put(if at == sampled { number } else { 0 }, &mut input);
            }
            input.finish()
        };
        let samples = |at: usize| self.0[at].samples().into_iter().map(move |number| (at, number));
        (0..self.0.len()).flat_map(samples).map(|(at, number)| sample(at, number)).collect()
    }
}

impl Maker for Texts {
    fn make(&self) -> Box<dyn Theory> {
        let texts = self.0.iter().map(|text| State::new(Arc::clone(text))).collect();
        Box::new(Grammars {
            texts,
            journal: Journal::default(),
            granted: FxHashSet::default(),
            site: OpIdx(0),
            asked_for: FxHashMap::default(),
        })
    }

    fn bounds(&self) -> Vec<Bound> {
        let of_text = |text: &Arc<Text>| {
            let templates = &text.templates;
            let max = templates.n_measures().saturating_sub(1) as u32;
            let size = match templates.symbolic.measure {
                Measure::Size => Bound::TextSize(max),
                Measure::Length => Bound::TextLength(max),
                Measure::Height => Bound::TextHeight(max),
            };
            let hole = templates.symbolic.cut_holes.map(|max| Bound::Hole(max as u32));
            templates.has_more.then_some(size).into_iter().chain(hole)
        };
        self.0.iter().flat_map(of_text).collect()
    }

    fn name(&self) -> &'static str {
        "texts"
    }
}

/// What a run has decided about a text.
#[derive(Clone, Copy, Debug)]
struct Decided {
    text: u8,
    /// The number of the chunk, and which of its templates are left.
    chunk: u32,
    first: u32,
    end: u32,
    /// How many bytes are decided.
    n_bytes: u32,
}

/// What a run has noted.
#[derive(Clone, Copy, Debug)]
enum Noted {
    Decided(Decided),
    /// The hole that begins at a byte of the input has a word; of holes of open length, each byte by itself.
    Granted(u32),
}

impl Entry for Noted {}

/// A text in a run.
struct State {
    text: Arc<Text>,
    chunk: Option<Arc<Chunk>>,
    decided: Option<Decided>,
    /// The last chunk that any run has come to.
    last_chunk: usize,
}

impl State {
    fn new(text: Arc<Text>) -> Self {
        Self { text, chunk: None, decided: None, last_chunk: 0 }
    }

    /// The number of the template, once the run has made it.
    fn made(&self, machine: &ConcolicMachine) -> Option<Made> {
        machine.inputs.of_node(machine.inputs.heap.find(&self.text.number_key)?)
    }

    /// The same as an expression.
    fn number(&self, machine: &ConcolicMachine) -> Option<ExprId> {
        Some(machine.inputs.known(self.made(machine)?.first)?.0)
    }

    fn node(&self, machine: &ConcolicMachine) -> Option<NodeId> {
        machine.inputs.heap.find(&self.text.key)
    }
}

struct Grammars {
    texts: Vec<State>,
    journal: Journal<Noted>,
    /// What of the run's holes was granted.
    granted: FxHashSet<u32>,
    /// Where decisions are noted: a text is no matter of one operation.
    site: OpIdx,
    /// Of conditions on which template it is: the text, and the numbers, all of one chunk. Expressions come and go: whoever relies on one
    /// makes it again.
    asked_for: FxHashMap<ExprId, (usize, Range<u64>)>,
}

/// So many conditions are remembered.
const MAX_ASKED: usize = 1 << 16;

impl Theory for Grammars {
    fn name(&self) -> &'static str {
        "texts"
    }

    fn events(&self) -> Events {
        Events::BEGIN.and(Events::SPELLING).and(Events::QUERY).and(Events::COMPLETION).and(Events::LEFT)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, _machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.journal.clear();
        self.texts.iter_mut().for_each(|state| (state.chunk, state.decided) = (None, None));
        self.granted.clear();
        for &noted in entries.of::<Noted>() {
            self.journal.push(noted);
            match noted {
                Noted::Decided(decided) => self.texts[usize::from(decided.text)].decided = Some(decided),
                Noted::Granted(number) => self.granted.extend([number]),
            }
        }
        for state in &mut self.texts {
            state.chunk = state.decided.map(|decided| state.text.chunk(decided.chunk as usize));
        }
    }

    fn begin(&mut self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
        let start = vm.find_function("__rt_start").map(|function| vm.image().functions[function.index()].entry);
        self.site = start.unwrap_or(OpIdx(0));
        self.journal.clear();
        self.granted.clear();
        for number in 0..self.texts.len() {
            let steps = vm.steps();
            let label = self.texts[number].text.number_name();
            let made = vm.machine.make_input(Series::Area(&label), 8, steps);
            vm.machine.inputs.templates.insert(made.node);
            if !self.choose_chunk(&mut vm.machine, number as u8, made) {
                return Err(Stop::Infeasible);
            }
        }
        let steps = vm.steps();
        vm.machine.settle(steps);
        Ok(())
    }

    fn spell(&mut self, machine: &mut ConcolicMachine, word: &mut Word, n: u32) {
        for at in 0..n as usize {
            let Some(number) = input_byte(word.exprs[at].0) else { continue };
            let Some((idx, position)) = self.find(machine, number) else { continue };
            match self.look_at(machine, idx, position) {
                Unit::Fixed(byte) => {
                    debug_assert_eq!(byte, (word.val >> (8 * at)) as u8, "the input has the text of its template");
                    word.exprs[at] = (Carried::NONE, 0);
                }
                Unit::Hole(hole, place) => self.grant(machine, idx, hole, number - place),
                Unit::Open(hole, place) => {
                    if self.is_new(number) {
                        let tail = self.texts[idx].text.tail(hole);
                        holes::grant_open(machine, self.site, tail, place, number);
                    }
                }
            }
        }
    }

    fn spell_run(&mut self, machine: &mut ConcolicMachine, number: u32) -> Option<Spelt> {
        let (idx, position) = self.find(machine, number)?;
        Some(match self.look_at(machine, idx, position) {
            Unit::Fixed(_) => Spelt::Constant,
            Unit::Hole(hole, place) => {
                self.grant(machine, idx, hole, number - place);
                Spelt::Open(hole.len - place)
            }
            Unit::Open(hole, place) => Spelt::Open(self.texts[idx].text.tail(hole).max - place),
        })
    }

    fn ended(&mut self, machine: &mut ConcolicMachine) -> bool {
        for state in self.texts.iter().filter(|state| state.decided.is_some()) {
            if let Some(made) = state.made(machine) {
                state.text.note_run(as_number(machine.inputs.bytes(made)));
            }
        }
        true
    }

    /// Of texts that differ in size, the larger one counts.
    fn left(&mut self, machine: &mut ConcolicMachine, open: &[(Arc<Input>, Option<ExprId>)]) {
        // Alternatives that are about chunks say of themselves which ones they lead to.
        let mut leads: FxHashMap<ExprId, (usize, usize)> = FxHashMap::default();
        for (idx, state) in self.texts.iter().enumerate() {
            let Some(number) = state.number(machine) else { continue };
            for chunk in (0..state.last_chunk).filter(|&chunk| chunk + 1 < state.text.n_chunks()) {
                let within = mk_below(machine, number, state.text.chunk_end(chunk));
                leads.insert(within, (idx, chunk));
                leads.insert(machine.pool.mk_not(within), (idx, chunk + 1));
            }
        }
        for (input, cond) in open {
            let led = cond.and_then(|cond| leads.get(&cond));
            let mut least = 0;
            for (idx, state) in self.texts.iter().enumerate() {
                let of_input = || input.object(&state.text.number_key).map_or(0, |object| as_number(&object.bytes));
                let is_led = led.is_some_and(|led| led.0 == idx);
                let chunk = if is_led { led.map_or(0, |led| led.1) } else { state.text.chunk_of(of_input()) };
                least = least.max(state.text.measure_of_chunk(chunk));
                if is_led {
                    break;
                }
            }
            self.texts.iter().for_each(|state| state.text.note_open(least));
        }
    }

    /// Of several templates, the one that comes first; of other chunks, the next.
    fn constrain(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        _level: Level,
    ) -> Result<(), Contradiction> {
        let Some(&asked) = query.asked.last() else { return Ok(()) };
        let Some((idx, numbers)) = self.asked_for.get(&asked).cloned() else { return Ok(()) };
        let text = Arc::clone(&self.texts[idx].text);
        let Some(number) = self.texts[idx].number(machine) else { return Ok(()) };
        let is_chunk = |chunk: usize| chunk > 0 && text.numbers(chunk) == numbers;
        let made = match text.chunk_of(numbers.start) {
            chunk if is_chunk(chunk) => {
                let before = mk_below(machine, number, numbers.start);
                machine.pool.mk_not(before)
            }
            _ => mk_among(machine, number, &numbers),
        };
        if made == asked {
            let first = text.first_of(numbers.clone()).map_or(numbers, |(first, _)| first..first + 1);
            query.add(mk_among(machine, number, &first), false);
        }
        Ok(())
    }

    fn rank(&mut self, _machine: &mut ConcolicMachine, input: &Input, cond: ExprId) -> Option<u64> {
        let led = self.asked_for.get(&cond);
        let mut rank = 0;
        for (idx, state) in self.texts.iter().enumerate() {
            let numbers = match led {
                Some((text, numbers)) if *text == idx => numbers.clone(),
                _ => {
                    let number = as_number(&input.object(&state.text.number_key)?.bytes);
                    number..number + 1
                }
            };
            rank = rank.max(state.text.first_of(numbers)?.1.as_number());
        }
        Some(rank)
    }

    /// The text is that of the template, with words in its holes.
    fn complete(
        &mut self,
        _machine: &mut ConcolicMachine,
        _query: &Constraints<'_>,
        _changes: &Model,
        input: &mut InputEditor,
    ) {
        for state in &self.texts {
            let given = input.get(&state.text.number_key).map(|object| as_number(&object.bytes));
            state.text.put(given.unwrap_or(0), input);
        }
    }
}

impl Grammars {
    /// Decides which chunk the template is in; of files, also how long the text is. Says whether the input has such a text.
    fn choose_chunk(&mut self, machine: &mut ConcolicMachine, idx: u8, made: Made) -> bool {
        let state = &mut self.texts[usize::from(idx)];
        let text = Arc::clone(&state.text);
        let value = as_number(machine.inputs.bytes(made));
        let number = machine.group_object(made);
        if value >= text.n_numbers() {
            return false;
        }
        let is_one = mk_below(machine, number, text.n_numbers());
        machine.decide(self.site, DecisionKind::Granted, 0, is_one);
        let place = text.chunk_of(value);
        state.last_chunk = state.last_chunk.max(place);
        for chunk in 0..=place.min(text.n_chunks().saturating_sub(2)) {
            if chunk + 1 < text.n_chunks() {
                let within = mk_below(machine, number, text.chunk_end(chunk));
                let beyond = machine.pool.mk_not(within);
                self.asked_for.insert(beyond, (usize::from(idx), text.numbers(chunk + 1)));
                machine.decide_condition(self.site, DecisionKind::Branch, within, chunk == place);
            }
        }
        state.last_chunk = state.last_chunk.max(place + 1);
        let chunk = text.chunk(place);
        let (n_templates, at) = (chunk.templates.len(), (value - chunk.start) as usize);
        let object = machine.input.object(&text.key);
        let is_text = |template| text.is_text_of(template, object.map_or(&[][..], |object| &object.bytes));
        if !chunk.templates.get(at).is_some_and(is_text) {
            return false;
        }
        let kept = mk_below(machine, number, chunk.start + n_templates as u64);
        machine.decide(self.site, DecisionKind::Granted, 0, kept);
        state.chunk = Some(Arc::clone(&chunk));
        let decided = Decided { text: idx, chunk: place as u32, first: 0, end: n_templates as u32, n_bytes: 0 };
        self.note(decided);
        if text.is_file {
            self.decide_among(machine, usize::from(idx), at, Difference::LENGTH);
        }
        true
    }

    fn note(&mut self, decided: Decided) {
        self.journal.push(Noted::Decided(decided));
        self.texts[usize::from(decided.text)].decided = Some(decided);
    }

    /// Decides among templates that differ at a place, and before it do not; neighbours are alike.
    fn decide_among(&mut self, machine: &mut ConcolicMachine, idx: usize, present: usize, place: Difference) {
        let state = &self.texts[idx];
        let (Some(chunk), Some(decided)) = (state.chunk.clone(), state.decided) else { return };
        let text = Arc::clone(&state.text);
        let mut runs: SmallVec<[(u32, u32); 8]> = SmallVec::new();
        for at in decided.first..decided.end {
            match runs.last_mut() {
                Some(run) if chunk.is_alike(at as usize, place) => run.1 = at + 1,
                _ => runs.push((at, at + 1)),
            }
        }
        let &(first, end) =
            runs.iter().find(|run| (run.0..run.1).contains(&(present as u32))).expect("the template is left");
        let n_bytes = place.n_bytes();
        if runs.len() > 1 {
            let key = |at: u32| {
                let template = &chunk.templates[at as usize];
                match place {
                    Difference::LENGTH => template.bytes.len() as u64,
                    _ => text.unit(template, n_bytes as usize - 1).code(),
                }
            };
            let number = state.number(machine).expect("it was made at the start");
            if self.asked_for.len() > MAX_ASKED {
                self.asked_for.clear();
            }
            let alternatives: Arc<[(u64, ExprId)]> = runs
                .iter()
                .map(|&(first, end)| {
                    let numbers = chunk.start + u64::from(first)..chunk.start + u64::from(end);
                    let cond = mk_among(machine, number, &numbers);
                    self.asked_for.insert(cond, (idx, numbers));
                    (key(first), cond)
                })
                .collect();
            machine.choose(self.site, key(first), alternatives);
        }
        self.note(Decided { first, end, n_bytes, ..decided });
    }

    /// What the byte at a position is. All before it are decided first, so that the templates that are left stay neighbours.
    fn look_at(&mut self, machine: &mut ConcolicMachine, idx: usize, position: u32) -> Unit {
        let state = &self.texts[idx];
        let (text, chunk) = (Arc::clone(&state.text), state.chunk.clone().expect("there is a template"));
        let made = state.made(machine).expect("it was made at the start");
        let present = (as_number(machine.inputs.bytes(made)) - chunk.start) as usize;
        loop {
            let Decided { first, end, n_bytes, .. } = self.texts[idx].decided.expect("there is a template");
            if end - first == 1 || n_bytes > position {
                return text.unit(&chunk.templates[first as usize], position as usize);
            }
            self.decide_among(machine, idx, present, Difference::byte(n_bytes));
        }
    }

    /// That a hole has a word, once in a run.
    fn grant(&mut self, machine: &mut ConcolicMachine, idx: usize, hole: Hole, first: u32) {
        if self.is_new(first) {
            holes::grant(machine, self.site, &self.texts[idx].text, hole, first);
        }
    }

    /// Whether something is granted for the first time, which it is from now on.
    fn is_new(&mut self, number: u32) -> bool {
        let is_new = self.granted.insert(number);
        if is_new {
            self.journal.push(Noted::Granted(number));
        }
        is_new
    }

    /// The text that a byte of the input is part of, and its position.
    fn find(&self, machine: &ConcolicMachine, number: u32) -> Option<(usize, u32)> {
        let made = machine.inputs.holder(number);
        let is_of = |state: &State| state.decided.is_some() && state.node(machine) == Some(made.node);
        Some((self.texts.iter().position(is_of)?, number - made.first))
    }
}

/// That a number is one of some.
fn mk_among(machine: &mut ConcolicMachine, number: ExprId, numbers: &Range<u64>) -> ExprId {
    let below = mk_below(machine, number, numbers.end);
    let before = mk_below(machine, number, numbers.start);
    let behind = machine.pool.mk_not(before);
    machine.pool.mk_and(behind, below)
}

fn mk_below(machine: &mut ConcolicMachine, number: ExprId, end: u64) -> ExprId {
    let end = machine.pool.mk_const(64, end);
    machine.pool.mk_ult(number, end)
}
