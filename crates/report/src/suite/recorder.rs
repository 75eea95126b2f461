//! Takes down how a campaign goes, for its profile.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustc_hash::FxHashMap;
use spelunk_concolic::Run;
use spelunk_explore::campaign::{Outcome, Progress};
use spelunk_explore::coverage::{self, Lines};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::{Cost, SiteCost};
use spelunk_ir::code::{Image, OpCode, OpIdx, Semantics, SwitchKind};
use spelunk_ir::model::MdId;

use super::profile::{BranchOutcome, Profile, Sample, Site, SourceText, SpentAt};
use super::test_case::VERSION;
use super::truth::{Code, Truth};
use crate::reporter::Reporter;

/// More samples than this are thinned out: every second one goes, and from then on as few are taken.
const MAX_SAMPLES: usize = 400;

#[derive(Debug)]
pub struct Recorder {
    /// By operation, whether a path has decided there.
    decides: Vec<bool>,
    tests: Vec<(u64, u64)>,
    samples: Vec<Sample>,
    /// The last sample, if it was left out.
    last: Option<Sample>,
    n_offered: usize,
    stride: usize,
}

/// What was reached at the time of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    pub lines: u64,
    pub branches: u64,
    pub bugs: u64,
}

impl Recorder {
    pub fn new(n_ops: usize) -> Self {
        let samples = vec![Sample::default()];
        Self { decides: vec![false; n_ops], tests: Vec::new(), samples, last: None, n_offered: 0, stride: 1 }
    }

    /// A path and the number of its test; zero if it has none.
    pub fn path(&mut self, run: &Run, test: u64, cost: Cost) {
        run.path.iter().for_each(|decision| self.decides[decision.site.index()] = true);
        if let Some(at) = (test as usize).checked_sub(1) {
            if self.tests.len() <= at {
                self.tests.resize(at + 1, (0, 0));
            }
            self.tests[at] = (cost.solver.as_micros() as u64, cost.run.as_micros() as u64);
        }
    }

    pub fn sample(&mut self, progress: &Progress, reached: Reached) {
        self.n_offered += 1;
        self.last = Some(sample(progress, reached));
        if !self.n_offered.is_multiple_of(self.stride) {
            return;
        }
        self.samples.extend(self.last.take());
        if self.samples.len() > MAX_SAMPLES {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Everything about a campaign that has ended.
    pub fn profile(
        &self,
        reporter: &Reporter<'_>,
        program: &ProgramFlow<'_>,
        lines: &Lines,
        outcome: &Outcome,
    ) -> Profile {
        let mut tables = Tables::new(reporter);
        for (path, lines) in lines.by_file(&program.flow, &outcome.marks) {
            let file = tables.file(path);
            tables.profile.files[file as usize].lines = lines.into_iter().collect();
        }
        let spent = outcome.spent.entries();
        let mut is_site = self.decides.clone();
        spent.iter().for_each(|&(op, _)| is_site[op.index()] = true);
        coverage::visit_branches(program, &outcome.marks, |op, outcome, is_covered| {
            is_site[op.index()] = true;
            let condition = |tables: &mut Tables<'_, '_>, holds: bool| {
                let holds = tables.condition_truth(program.image, op).of(holds).unwrap_or(holds);
                BranchOutcome(op.0, u32::from(holds), 0, is_covered, String::new())
            };
            let branch = match outcome {
                coverage::Outcome::False => condition(&mut tables, false),
                coverage::Outcome::True => condition(&mut tables, true),
                coverage::Outcome::Case(target) => {
                    let line = reporter.site(first_of_case(program.image, target)).line;
                    BranchOutcome(op.0, target.0, line, is_covered, case_text(program.image, op, target))
                }
                // Whatever another case says.
                coverage::Outcome::OtherCase(_) => return,
            };
            tables.profile.branches.push(branch);
        });
        for op in (0..).map(OpIdx).zip(&is_site).filter(|(_, is_site)| **is_site).map(|(op, _)| op) {
            let truth = tables.condition_truth(program.image, op);
            let is_flipped = coverage::is_flipped(program.image, op);
            tables.add_site(op, if is_flipped { truth.opposite() } else { truth });
        }
        Profile {
            version: VERSION,
            spent: spent.into_iter().map(spent_at).collect(),
            samples: self.samples.iter().chain(self.last.iter()).copied().collect(),
            tests: self.tests.clone(),
            ..tables.profile
        }
    }
}

/// The profile under way, and the numbers of what is in it.
struct Tables<'a, 'p> {
    reporter: &'a Reporter<'p>,
    profile: Profile,
    files: FxHashMap<String, u32>,
    functions: FxHashMap<String, u32>,
    /// By file, its text to look conditions up in.
    codes: FxHashMap<u32, Code>,
}

impl<'a, 'p> Tables<'a, 'p> {
    fn new(reporter: &'a Reporter<'p>) -> Self {
        Self {
            reporter,
            profile: Profile::default(),
            files: FxHashMap::default(),
            functions: FxHashMap::default(),
            codes: FxHashMap::default(),
        }
    }

    fn file(&mut self, path: &Path) -> u32 {
        let (path, full_path) = self.reporter.source_path(path);
        let path = path.display().to_string();
        let files = &mut self.profile.files;
        *self.files.entry(path).or_insert_with_key(|path| {
            let text = fs::read(&full_path).ok().map(|text| String::from_utf8_lossy(&text).into_owned());
            let full_path = full_path.display().to_string();
            files.push(SourceText { path: path.clone(), full_path, text, lines: Vec::new() });
            files.len() as u32 - 1
        })
    }

    /// How the condition that the source has is to that of a branch or an observed one.
    fn condition_truth(&mut self, image: &Image, op: OpIdx) -> Truth {
        if image.function_at(op).is_none_or(|function| function.semantics == Semantics::Optimised) {
            return Truth::Unknown;
        }
        let Some(tested) = image.tested(op) else { return Truth::Same };
        let Some(location) = self.reporter.debug().location(MdId(tested.loc)) else { return Truth::Unknown };
        let Some(path) = location.file.map(|file| file.path()) else { return Truth::Unknown };
        let file = self.file(&path);
        let text = self.profile.files[file as usize].text.as_deref().unwrap_or_default();
        let code = self.codes.entry(file).or_insert_with(|| Code::new(text));
        let callee = tested.callee.map(|id| &*image.functions[id.index()].name);
        code.truth(location.line, location.column, callee)
    }

    fn add_site(&mut self, op: OpIdx, truth: Truth) {
        let place = self.reporter.site(op);
        let file = (place.line != 0).then(|| self.file(Path::new(&place.file)));
        let functions = &mut self.profile.functions;
        let function = *self.functions.entry(place.function).or_insert_with_key(|name| {
            functions.push(name.clone());
            functions.len() as u32 - 1
        });
        self.profile.sites.push(Site { op: op.0, file, line: place.line, column: place.column, function, truth });
    }
}

/// The first operation of a case that the source has: jumps on the way there belong to the switch.
fn first_of_case(image: &Image, target: OpIdx) -> OpIdx {
    let next = |&op_idx: &OpIdx| {
        let op = image.ops.get(op_idx.index())?;
        (op.code == OpCode::Jump).then_some(OpIdx(op.dst))
    };
    // An endless loop that is empty is nothing but a jump.
    std::iter::successors(Some(target), next).take(4).last().unwrap_or(target)
}

/// The value of a case; a character also as one.
fn case_text(image: &Image, op: OpIdx, target: OpIdx) -> String {
    let op = image.op(op);
    if op.code != OpCode::Switch {
        return String::new();
    }
    let table = &image.switches[op.b as usize];
    let value = match &table.kind {
        _ if target == table.default => return "default".to_owned(),
        SwitchKind::Dense { low, targets } => (*low..).zip(targets).find(|case| *case.1 == target).map(|case| case.0),
        SwitchKind::Sparse(cases) => cases.iter().find(|case| case.1 == target).map(|case| case.0),
        SwitchKind::Wide(_) => None,
    };
    let Some(value) = value else { return String::new() };
    let unused = 64 - u32::from(op.aux).min(64);
    let signed = (value << unused).cast_signed() >> unused;
    match u8::try_from(signed) {
        Ok(byte) if byte.is_ascii_graphic() => format!("{signed} '{}'", char::from(byte)),
        _ => signed.to_string(),
    }
}

fn spent_at((op, spent): (OpIdx, SiteCost)) -> SpentAt {
    SpentAt {
        op: op.0,
        sat: spent.n_sat,
        unsat: spent.n_unsat,
        unknown: spent.n_unknown,
        solver_us: spent.cost.solver.as_micros() as u64,
        run_us: spent.cost.run.as_micros() as u64,
    }
}

fn sample(progress: &Progress, reached: Reached) -> Sample {
    let millis = |time: Duration| time.as_micros() as f64 / 1000.0;
    Sample {
        time_ms: millis(progress.time),
        paths: progress.n_paths,
        open: progress.n_open,
        lines: reached.lines,
        branches: reached.branches,
        bugs: reached.bugs,
        instructions: progress.instructions,
        solver_ms: millis(progress.solver_time),
        run_ms: millis(progress.run_time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_thinned_out_and_the_last_one_stays() {
        let mut recorder = Recorder::new(0);
        let n_offered = 10 * MAX_SAMPLES as u64 + 1;
        for n_paths in 1..=n_offered {
            let reached = Reached { lines: n_paths, branches: 0, bugs: 0 };
            recorder.sample(&Progress { n_paths, ..Default::default() }, reached);
        }
        let paths: Vec<u64> = recorder.samples.iter().chain(&recorder.last).map(|sample| sample.paths).collect();
        assert!(paths.len() <= MAX_SAMPLES + 1 && paths.len() > MAX_SAMPLES / 2, "{}", paths.len());
        assert_eq!((paths[0], *paths.last().unwrap()), (0, n_offered));
        assert!(paths.is_sorted());
    }
}
