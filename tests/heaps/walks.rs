//! Random functions that walk over heaps, and what they do with a given one.

use crate::graph::{Graph, Target};
use crate::types::Types;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::fmt::Write;

const N_LOCALS: usize = 3;
const MAX_ROUNDS: usize = 3;

pub struct Walk {
    /// By variable: parameters first.
    types: Vec<usize>,
    body: Vec<Statement>,
}

enum Statement {
    /// `v = w->a;`
    Load {
        to: usize,
        from: usize,
        pointer: usize,
    },
    /// `if (w) v = &w->in;`
    Part {
        to: usize,
        from: usize,
        part: usize,
    },
    /// `v->a = w;`
    Store {
        to: usize,
        pointer: usize,
        from: usize,
    },
    /// `v->k = 1;`
    Set {
        to: usize,
        number: usize,
        value: i64,
    },
    /// `for (int i = 0; i < 3 && v; i++) v = v->a;`
    Loop {
        var: usize,
        pointer: usize,
    },
    If {
        cond: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
}

enum Condition {
    Is(usize),
    Same(usize, usize),
    Number(usize, usize, i64),
}

/// What a walk does: how it decides, and the number of the statement at which it meets null.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Behaviour {
    outcomes: Vec<bool>,
    pub failed_at: Option<usize>,
}

impl Walk {
    pub fn random(types: &Types, rng: &mut Rng) -> Self {
        let locals = (0..N_LOCALS).map(|_| rng.usize(..types.types.len()));
        let types_of = types.roots.iter().map(|root| root.1).chain(locals).collect();
        let mut walk = Self { types: types_of, body: Vec::new() };
        let mut known: Vec<usize> = (0..types.roots.len()).collect();
        let mut n_left = rng.usize(4..=9);
        walk.body = walk.block(types, rng, &mut known, &mut n_left, 0);
        walk
    }

    fn block(
        &self,
        types: &Types,
        rng: &mut Rng,
        known: &mut Vec<usize>,
        n_left: &mut usize,
        depth: usize,
    ) -> Vec<Statement> {
        let mut body = Vec::new();
        while *n_left > 0 && (depth == 0 || rng.u8(..3) > 0) {
            *n_left -= 1;
            body.extend(self.statement(types, rng, known, n_left, depth));
        }
        body
    }

    fn statement(
        &self,
        types: &Types,
        rng: &mut Rng,
        known: &mut Vec<usize>,
        n_left: &mut usize,
        depth: usize,
    ) -> Option<Statement> {
        let var = known[rng.usize(..known.len())];
        let ty = &types.types[self.types[var]];
        let pointer = rng.usize(..ty.pointers.len());
        let to = ty.pointers[pointer].to;
        let of_type = |all: &mut dyn Iterator<Item = usize>, ty: usize| {
            all.filter(|&it| self.types[it] == ty).collect::<Vec<_>>()
        };
        let locals = || types.roots.len()..self.types.len();
        match rng.u8(..12) {
            0..4 => {
                let local = *rng.choice(&of_type(&mut locals(), to))?;
                known.push(local);
                Some(Statement::Load { to: local, from: var, pointer })
            }
            4 => {
                let part = rng.choice(0..ty.parts.len())?;
                let local = *rng.choice(&of_type(&mut locals(), ty.parts[part].ty))?;
                known.push(local);
                Some(Statement::Part { to: local, from: var, part })
            }
            5 => {
                let from = *rng.choice(&of_type(&mut known.iter().copied(), to))?;
                Some(Statement::Store { to: var, pointer, from })
            }
            6 => {
                let number = rng.choice(0..ty.numbers.len())?;
                Some(Statement::Set { to: var, number, value: rng.i64(0..3) })
            }
            7 => (to == self.types[var]).then_some(Statement::Loop { var, pointer }),
            _ => {
                let others = of_type(&mut known.iter().copied().filter(|&it| it != var), self.types[var]);
                let cond = match rng.u8(..3) {
                    0 if !others.is_empty() => Condition::Same(var, others[rng.usize(..others.len())]),
                    1 if !ty.numbers.is_empty() => Condition::Number(var, rng.usize(..ty.numbers.len()), rng.i64(0..3)),
                    _ => Condition::Is(var),
                };
                let then = self.block(types, rng, known, n_left, depth + 1);
                let otherwise = self.block(types, rng, known, n_left, depth + 1);
                Some(Statement::If { cond, then, otherwise })
            }
        }
    }

    /// As C, a statement a line; gives the lines of statements.
    pub fn print(&self, types: &Types, name: &str, text: &mut String) -> Vec<usize> {
        _ = writeln!(text, "long {name}({}) {{", types.parameters());
        for (var, &ty) in self.types.iter().enumerate().skip(types.roots.len()) {
            _ = writeln!(text, "{} *v{var} = 0;", types.types[ty].name);
        }
        *text += "long r = 1;\n";
        let mut lines = Vec::new();
        self.print_block(types, &self.body, text, &mut lines);
        *text += "return r;\n}\n";
        lines
    }

    fn print_block(&self, types: &Types, body: &[Statement], text: &mut String, lines: &mut Vec<usize>) {
        let name = |var: usize| types.roots.get(var).map_or_else(|| format!("v{var}"), |root| root.0.to_owned());
        let ty = |var: usize| &types.types[self.types[var]];
        let member = |steps: &[String]| steps.concat().split_off(1);
        for statement in body {
            lines.push(text.lines().count() + 1);
            match *statement {
                Statement::Load { to, from, pointer } => {
                    let member = member(&ty(from).pointers[pointer].steps);
                    _ = writeln!(text, "{} = {}->{member};", name(to), name(from));
                }
                Statement::Part { to, from, part } => {
                    let member = member(&ty(from).parts[part].steps);
                    _ = writeln!(text, "if ({0}) {1} = &{0}->{member}, r = 3 * r + 1;", name(from), name(to));
                }
                Statement::Store { to, pointer, from } => {
                    let member = member(&ty(to).pointers[pointer].steps);
                    _ = writeln!(text, "{}->{member} = {};", name(to), name(from));
                }
                Statement::Set { to, number, value } => {
                    let member = member(&ty(to).numbers[number].1);
                    _ = writeln!(text, "{}->{member} = {value};", name(to));
                }
                Statement::Loop { var, pointer } => {
                    let member = member(&ty(var).pointers[pointer].steps);
                    let var = name(var);
                    _ = writeln!(
                        text,
                        "for (int i = 0; i < {MAX_ROUNDS} && {var}; i++) {var} = {var}->{member}, r = 3 * r + 2;"
                    );
                }
                Statement::If { ref cond, ref then, ref otherwise } => {
                    let cond = match *cond {
                        Condition::Is(var) => name(var),
                        Condition::Same(one, other) => format!("{} == {}", name(one), name(other)),
                        Condition::Number(var, number, value) => {
                            format!("{}->{} == {value}", name(var), member(&ty(var).numbers[number].1))
                        }
                    };
                    _ = writeln!(text, "if ({cond}) {{ r = 3 * r + 1;");
                    self.print_block(types, then, text, lines);
                    *text += "} else { r = 3 * r;\n";
                    self.print_block(types, otherwise, text, lines);
                    *text += "}\n";
                }
            }
        }
    }

    /// What it does with a heap, and whether it comes to a struct in an object before it comes to the object: such heaps are left out.
    pub fn walk(&self, types: &Types, graph: &Graph) -> (Behaviour, bool) {
        let mut vars = graph.roots.clone();
        vars.resize(self.types.len(), None);
        let (did, met) = (Behaviour::default(), BTreeSet::new());
        let mut visit = Visit { types, walk: self, graph: graph.clone(), vars, met, is_inside_first: false, did };
        let mut number = 0;
        _ = visit.block(&self.body, &mut number);
        (visit.did, visit.is_inside_first)
    }
}

struct Visit<'a> {
    types: &'a Types,
    walk: &'a Walk,
    graph: Graph,
    vars: Vec<Option<Target>>,
    met: BTreeSet<usize>,
    is_inside_first: bool,
    did: Behaviour,
}

/// It met null.
struct Null;

impl Visit<'_> {
    /// A variable that something depends on.
    fn used(&mut self, var: usize) -> Option<Target> {
        let target = self.vars[var];
        match target {
            Some(Target { object, part: None }) => _ = self.met.insert(object),
            Some(Target { object, part: Some(_) }) => self.is_inside_first |= !self.met.contains(&object),
            None => {}
        }
        target
    }

    /// The object that a variable leads to, and how far behind its start.
    fn followed(&mut self, var: usize, number: usize) -> Result<(usize, u32), Null> {
        let Some(Target { object, part }) = self.used(var) else {
            self.did.failed_at = Some(number);
            return Err(Null);
        };
        let ty = &self.types.types[self.graph.objects[object].ty];
        Ok((object, part.map_or(0, |part| ty.parts[part].at)))
    }

    fn pointer(&mut self, var: usize, pointer: usize, number: usize) -> Result<&mut Option<Target>, Null> {
        let (object, start) = self.followed(var, number)?;
        let at = start + self.types.types[self.walk.types[var]].pointers[pointer].at;
        let whole = &mut self.graph.objects[object];
        let found = self.types.types[whole.ty].pointers.iter().position(|it| it.at == at);
        Ok(&mut whole.pointers[found.expect("it is the same in the whole")])
    }

    fn number(&mut self, var: usize, which: usize, number: usize) -> Result<&mut i64, Null> {
        let (object, start) = self.followed(var, number)?;
        let at = start + self.types.types[self.walk.types[var]].numbers[which].0;
        let whole = &mut self.graph.objects[object];
        let found = self.types.types[whole.ty].numbers.iter().position(|it| it.0 == at);
        Ok(&mut whole.numbers[found.expect("it is the same in the whole")])
    }

    fn part(&self, place: Target, ty: usize, part: usize) -> Target {
        let whole = self.graph.objects[place.object].ty;
        let start = place.part.map_or(0, |it| self.types.types[whole].parts[it].at);
        let inner = &self.types.types[ty].parts[part];
        let part = self.types.types[whole].part_at(whole, start + inner.at, inner.ty);
        Target { object: place.object, part: part.expect("it is the same in the whole") }
    }

    fn decided(&mut self, outcome: bool) -> bool {
        self.did.outcomes.push(outcome);
        outcome
    }

    fn block(&mut self, body: &[Statement], next: &mut usize) -> Result<(), Null> {
        for statement in body {
            let number = *next;
            *next += 1;
            match *statement {
                Statement::Load { to, from, pointer } => self.vars[to] = *self.pointer(from, pointer, number)?,
                Statement::Part { to, from, part } => {
                    let place = self.used(from);
                    if self.decided(place.is_some()) {
                        self.vars[to] = place.map(|place| self.part(place, self.walk.types[from], part));
                    }
                }
                Statement::Store { to, pointer, from } => {
                    let value = self.vars[from];
                    *self.pointer(to, pointer, number)? = value;
                }
                Statement::Set { to, number: which, value } => *self.number(to, which, number)? = value,
                Statement::Loop { var, pointer } => {
                    for _ in 0..MAX_ROUNDS {
                        let is_there = self.used(var).is_some();
                        if !self.decided(is_there) {
                            break;
                        }
                        self.vars[var] = *self.pointer(var, pointer, number)?;
                    }
                }
                Statement::If { ref cond, ref then, ref otherwise } => {
                    let outcome = match *cond {
                        Condition::Is(var) => self.used(var).is_some(),
                        Condition::Same(one, other) => self.used(one) == self.used(other),
                        Condition::Number(var, which, value) => *self.number(var, which, number)? == value,
                    };
                    if self.decided(outcome) {
                        self.block(then, next)?;
                        count(otherwise, next);
                    } else {
                        count(then, next);
                        self.block(otherwise, next)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn count(body: &[Statement], n: &mut usize) {
    for statement in body {
        *n += 1;
        if let Statement::If { then, otherwise, .. } = statement {
            count(then, n);
            count(otherwise, n);
        }
    }
}
