//! Loops that tests never leave: LLVM IR in which the head of each such loop tells the runtime of every visit (`runtime/heads.c`),
//! with the addresses of the variables that the tests' sets of states speak of; and the sets as C.
//!
//! A head is known by its function and the line and column of an instruction of it: native code has the same ones as the VM.
//! Where no loop has such an instruction, or more than one, nothing is counted.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use spelunk_report::suite::test_case::{End, LoopSet, Place, SetVariable};
use spelunk_vm::BugKind;

use crate::encode::Numbered;
use crate::ir_text::{self, Body};

/// Variables that a head may tell of, as the runtime has it.
const MOST_VARIABLES: usize = 64;

/// What conditions of sets are written with.
pub const PRELUDE: &str = "\
#define UNUSED __attribute__((unused))
static uint64_t bytes(const unsigned char *from, unsigned n) {
  uint64_t value = 0;
  for (unsigned i = 0; i < n; i++)
    value |= (uint64_t)from[i] << 8 * i;
  return value;
}
static UNUSED float to_float(uint64_t bits) { return (union { uint32_t bits; float value; }){(uint32_t)bits}.value; }
static UNUSED double to_double(uint64_t bits) { return (union { uint64_t bits; double value; }){bits}.value; }
static UNUSED uint64_t of_float(float value) { return (union { float value; uint32_t bits; }){value}.bits; }
static UNUSED uint64_t of_double(double value) { return (union { double value; uint64_t bits; }){value}.bits; }
";

/// The heads of loops, and what the sets of tests there speak of.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    heads: BTreeMap<Place, Vec<SetVariable>>,
    /// By test: its head, and the set.
    tests: Vec<(u64, Place, Option<LoopSet>)>,
}

impl Heads {
    pub fn of(tests: &[Numbered<'_>]) -> Self {
        let mut all = Self::default();
        for (number, test) in tests {
            let End::Bug { bug, place, .. } = &test.end else { continue };
            if *bug != BugKind::EndlessLoop.slug() {
                continue;
            }
            let variables = all.heads.entry(place.clone()).or_default();
            for variable in test.stays_in.iter().flat_map(|set| &set.variables) {
                if !variables.iter().any(|other| is_same(other, variable)) {
                    variables.push(variable.clone());
                }
            }
            all.tests.push((*number, place.clone(), test.stays_in.clone()));
        }
        all.heads.values_mut().for_each(|variables| variables.truncate(MOST_VARIABLES));
        all
    }

    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Where the loops start, and the variables that are told of there.
    pub fn places(&self) -> impl Iterator<Item = (&Place, &[SetVariable])> {
        self.heads.iter().map(|(place, variables)| (place, &variables[..]))
    }

    /// Tests with a set, the heads of their loops, and a function of C `set_N` that says whether a state is in it.
    pub fn sets(&self) -> impl Iterator<Item = (u64, &Place, &LoopSet, String)> {
        let with_set = self.tests.iter().filter_map(|(test, place, set)| Some((*test, place, set.as_ref()?)));
        with_set.map(|(test, place, set)| (test, place, set, set_function(test, set, &self.heads[place])))
    }

    /// The text of a module whose heads tell of visits.
    pub fn told(&self, text: &str) -> String {
        let mut module = ir_text::Module::of(text);
        let mut found: Vec<(usize, bool)> = Vec::new();
        for (number, (place, variables)) in self.heads.iter().enumerate() {
            for body in module.bodies.iter_mut().filter(|body| body.function == place.function) {
                let Some(head) = body.head_at(&module.locations, (place.line, place.column)) else { continue };
                let addresses: Option<Vec<String>> =
                    variables.iter().map(|variable| address(body, &module.variables, text, variable)).collect();
                found.push((number, addresses.is_some()));
                let addresses = addresses.unwrap_or_default();
                let given: String = addresses.iter().map(|address| format!(", ptr {address}")).collect();
                let n_given = addresses.len();
                body.insert_at(
                    head,
                    format!("  call void (i32, i32, ...) @spelunk_head(i32 {number}, i32 {n_given}{given})"),
                );
                for block in body.entries_of(head) {
                    body.insert_before_end(block, format!("  call void @spelunk_loop_entered(i32 {number})"));
                }
            }
        }
        if found.is_empty() {
            return text.to_owned();
        }
        let mut told = module.text();
        told += "declare void @spelunk_head(i32, i32, ...)\ndeclare void @spelunk_loop_entered(i32)\n";
        for (idx, &(number, has_variables)) in found.iter().enumerate() {
            if !found[..idx].iter().any(|&(other, _)| other == number) {
                writeln!(told, "@spelunk_has_head_{number} = weak_odr constant i8 {}", u8::from(has_variables))
                    .expect("a string grows");
            }
        }
        told
    }

    /// The tests and their sets, as C for the runtime.
    pub fn table(&self) -> String {
        let mut text = format!("#include \"replay.h\"\n\n{PRELUDE}");
        let mut rows = String::new();
        for (test, place, set) in &self.tests {
            let number = self.heads.keys().position(|other| other == place).expect("a head of each test");
            let (function, every) = match set {
                Some(set) => {
                    text += &set_function(*test, set, &self.heads[place]);
                    (format!("set_{test}"), set.every)
                }
                None => ("0".to_owned(), 1),
            };
            writeln!(rows, "  {{{test}, {number}, {every}, {function}, spelunk_has_head_{number}}},")
                .expect("a string grows");
        }
        for number in 0..self.heads.len() {
            writeln!(text, "extern const char spelunk_has_head_{number}[] __attribute__((weak));")
                .expect("a string grows");
        }
        format!(
            "{text}\nconst struct spelunk_endless spelunk_endless[] = {{\n{rows}  {{0}},\n}};\n\
             const unsigned spelunk_n_endless = {};\n",
            self.tests.len()
        )
    }
}

fn is_same(a: &SetVariable, b: &SetVariable) -> bool {
    (&a.name, a.line) == (&b.name, b.line)
}

fn set_function(test: u64, set: &LoopSet, given: &[SetVariable]) -> String {
    let declared: Vec<String> = set
        .variables
        .iter()
        .map(|variable| {
            let at = given.iter().position(|other| is_same(other, variable)).unwrap_or_default();
            let SetVariable { offset, bytes, .. } = variable;
            format!("  const uint64_t {} = bytes(variables[{at}] + {offset}, {bytes});\n", variable.alias)
        })
        .collect();
    format!(
        "\nstatic int set_{test}(const unsigned char *const *variables) {{\n{}  return {};\n}}\n",
        declared.concat(),
        set.condition
    )
}

/// A variable of a function, or of the module.
fn address(
    body: &Body<'_>,
    declared: &HashMap<&str, (&str, u32)>,
    text: &str,
    variable: &SetVariable,
) -> Option<String> {
    let SetVariable { name, line, .. } = variable;
    match line {
        Some(line) => {
            let is_it = |it: &&(&str, &str)| declared.get(it.1) == Some(&(name.as_str(), *line));
            let mut found = body.declared.iter().filter(is_it);
            let (address, _) = found.next()?;
            found.next().is_none().then(|| (*address).to_owned())
        }
        None => {
            let start = format!("@{name} = ");
            text.lines().any(|line| line.starts_with(&start)).then(|| format!("@{name}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "\
@count = global i32 0, align 4
define dso_local i32 @f(i32 noundef %0) #0 !dbg !8 {
  %2 = alloca i32, align 4
    #dbg_declare(ptr %2, !12, !DIExpression(), !13)
  br label %3, !dbg !14

3:                                                ; preds = %6, %1
  %4 = load i32, ptr %2, align 4, !dbg !15
  %5 = icmp eq i32 %4, 0, !dbg !16
  br i1 %5, label %7, label %6, !dbg !14

6:                                                ; preds = %3
  br label %3, !dbg !14, !llvm.loop !18

7:                                                ; preds = %3
  ret i32 0, !dbg !16
}

!12 = !DILocalVariable(name: \"n\", arg: 1, scope: !8, file: !1, line: 2, type: !11)
!13 = !DILocation(line: 2, column: 9, scope: !8)
!14 = !DILocation(line: 3, column: 3, scope: !8)
!15 = !DILocation(line: 3, column: 10, scope: !8)
!16 = !DILocation(line: 3, column: 12, scope: !8)
";

    fn variable(name: &str, line: Option<u32>) -> SetVariable {
        SetVariable { alias: name.to_owned(), name: name.to_owned(), line, offset: 0, bytes: 4 }
    }

    fn told(module: &str, (line, column): (u32, u32), variables: Vec<SetVariable>) -> String {
        let place = Place { file: String::new(), line, column, function: "f".to_owned() };
        Heads { heads: BTreeMap::from([(place, variables)]), tests: Vec::new() }.told(module)
    }

    /// The lines that are added, but for declarations, for a loop at a place.
    fn added(place: (u32, u32), variables: Vec<SetVariable>) -> Vec<String> {
        let told = told(MODULE, place, variables);
        let is_new = |line: &&str| !MODULE.contains(line) && !line.starts_with("declare");
        told.lines().filter(is_new).map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn heads_tell_of_visits() {
        let entered = "call void @spelunk_loop_entered(i32 0)";
        let expected = |given: &str, has_variables: u8| {
            [
                entered.to_owned(),
                format!("call void (i32, i32, ...) @spelunk_head(i32 0, i32 {given})"),
                format!("@spelunk_has_head_0 = weak_odr constant i8 {has_variables}"),
            ]
        };
        let both = vec![variable("n", Some(2)), variable("count", None)];
        assert_eq!(added((3, 12), both), expected("2, ptr %2, ptr @count", 1));
        assert_eq!(added((3, 10), vec![variable("n", Some(7))]), expected("0", 0));
        assert!(added((9, 9), Vec::new()).is_empty());
        // The first block may have a label.
        let labelled = MODULE.replace("  %2 = alloca", "entry:\n  %2 = alloca");
        assert_eq!(told(&labelled, (3, 12), Vec::new()).matches("call void").count(), 2);
    }

    #[test]
    fn what_is_added_comes_first_in_the_head_and_last_before_it() {
        let told = told(MODULE, (3, 12), Vec::new());
        let at = |text: &str| told.lines().position(|line| line.contains(text)).expect(text);
        assert_eq!(at("@spelunk_loop_entered(i32 0)") + 1, at("br label %3, !dbg !14"));
        assert_eq!(at("@spelunk_head(i32 0") + 1, at("%4 = load"));
    }
}
