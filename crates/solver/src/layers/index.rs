//! The conjuncts of a list of constraints and the groups that they form by sharing variables, kept up to date while the
//! list changes at its end.
//!
//! Groups are classes of a union-find over variables. Each class also holds its conjuncts, in a ring: two rings become
//! one by exchanging one link of each, and two again by exchanging the same links back. So everything that a constraint
//! adds can be taken away again in reverse order, and a list that shares a long beginning with the one before costs as
//! much as the ends in which they differ.

use spelunk_expr::{ExprId, ExprPool, Op, VarId, VarSetId};

use crate::stage::Context;

/// Number of a conjunct.
pub type AtomIdx = u32;

const NONE: u32 = u32::MAX;

#[derive(Default)]
pub struct Index {
    constraints: Vec<ExprId>,
    /// By constraint, how many atoms were there before it.
    starts: Vec<AtomIdx>,
    atoms: Vec<Atom>,
    classes: Classes,
    /// By expression, where it is among the atoms if it is there at all.
    atom_of: Vec<AtomIdx>,
    /// By set of variables, an atom that has it if there is one at all.
    atom_with: Vec<AtomIdx>,
    /// What is left to be taken apart of a constraint.
    parts: Vec<ExprId>,
}

struct Atom {
    expr: ExprId,
    vars: VarSetId,
    /// One of the variables; none if there are none.
    var: u32,
    /// The number of the constraint that it is a part of.
    constraint: u32,
    /// How many unions were made before it.
    n_unions: u32,
    /// The atom whose link was exchanged with that of this one; none if it was the first of its class.
    linked_to: AtomIdx,
}

impl Index {
    pub fn clear(&mut self) {
        *self = Index::default();
    }

    /// Makes this the index of a list of constraints.
    pub fn sync(&mut self, cx: &mut Context<'_>, constraints: &[ExprId]) {
        let n_common = common_prefix(&self.constraints, constraints);
        while self.constraints.len() > n_common {
            self.pop_constraint();
        }
        self.classes.reserve(cx.pool.n_vars());
        for &constraint in &constraints[n_common..] {
            self.push_constraint(cx, constraint);
        }
    }

    fn push_constraint(&mut self, cx: &mut Context<'_>, expr: ExprId) {
        self.constraints.push(expr);
        self.starts.push(self.atoms.len() as AtomIdx);
        self.parts.push(expr);
        while let Some(part) = self.parts.pop() {
            match conjuncts(cx.pool, part) {
                // The first one is taken first.
                Some((a, b)) => self.parts.extend([b, a]),
                None => self.push_atom(cx, part),
            }
        }
    }

    fn push_atom(&mut self, cx: &mut Context<'_>, expr: ExprId) {
        if expr == ExprId::TRUE || self.find(expr).is_some() {
            return;
        }
        let vars = cx.free_vars.of(cx.pool, expr);
        let n_unions = self.classes.unions.len() as u32;
        let at = self.atoms.len() as AtomIdx;
        let constraint = self.constraints.len() as u32 - 1;
        let mut atom = Atom { expr, vars, var: NONE, constraint, n_unions, linked_to: NONE };
        if let Some(same) = self.find_with(vars) {
            atom.var = self.atoms[same as usize].var;
        } else {
            let mut members = cx.free_vars.iter(vars);
            if let Some(first) = members.next() {
                atom.var = first.0;
                members.for_each(|var| self.classes.unite(first.0, var.0));
            }
        }
        self.classes.links.push(at);
        if atom.var != NONE {
            atom.linked_to = self.classes.link(atom.var, at);
        }
        put(&mut self.atom_of, expr.index(), at);
        put(&mut self.atom_with, vars.index(), at);
        self.atoms.push(atom);
    }

    fn pop_constraint(&mut self) {
        self.constraints.pop();
        let Some(start) = self.starts.pop() else { return };
        while self.atoms.len() > start as usize {
            let Some(atom) = self.atoms.pop() else { return };
            if atom.var != NONE {
                self.classes.unlink(atom.var, self.atoms.len() as AtomIdx, atom.linked_to);
            }
            self.classes.links.pop();
            while self.classes.unions.len() > atom.n_unions as usize {
                self.classes.divide();
            }
        }
    }

    /// Where an expression is among the atoms.
    pub fn find(&self, expr: ExprId) -> Option<AtomIdx> {
        let at = *self.atom_of.get(expr.index())?;
        self.atoms.get(at as usize).is_some_and(|atom| atom.expr == expr).then_some(at)
    }

    fn find_with(&self, vars: VarSetId) -> Option<AtomIdx> {
        let at = *self.atom_with.get(vars.index())?;
        self.atoms.get(at as usize).is_some_and(|atom| atom.vars == vars).then_some(at)
    }

    /// The atoms of all constraints from one on.
    pub fn atoms_from(&self, constraint: usize) -> std::ops::Range<AtomIdx> {
        let end = self.atoms.len() as AtomIdx;
        self.starts.get(constraint).copied().unwrap_or(end)..end
    }

    pub fn expr(&self, atom: AtomIdx) -> ExprId {
        self.atoms[atom as usize].expr
    }

    /// The constraint that an atom is a part of.
    pub fn constraint(&self, atom: AtomIdx) -> ExprId {
        self.constraints[self.atoms[atom as usize].constraint as usize]
    }

    /// The group of an atom; none if it has no variables.
    pub fn group(&self, atom: AtomIdx) -> Option<GroupId> {
        let var = self.atoms[atom as usize].var;
        (var != NONE).then(|| GroupId(self.classes.find(var)))
    }

    /// Whether a variable belongs to a group.
    pub fn is_in_group(&self, group: GroupId, var: VarId) -> bool {
        var.index() < self.classes.nodes.len() && self.classes.find(var.0) == group.0
    }

    /// Adds the atoms of a group, in no order.
    pub fn members(&self, group: GroupId, out: &mut Vec<AtomIdx>) {
        let first = self.classes.nodes[group.0 as usize].ring;
        let mut at = first;
        while at != NONE {
            out.push(at);
            at = self.classes.links[at as usize];
            if at == first {
                break;
            }
        }
    }
}

/// A group, as long as the index is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupId(u32);

/// The two conditions that a condition is the conjunction of.
fn conjuncts(pool: &mut ExprPool, expr: ExprId) -> Option<(ExprId, ExprId)> {
    let node = pool.node(expr);
    match node.op() {
        Op::And => Some((node.arg(0), node.arg(1))),
        Op::Not => {
            let inner = pool.node(node.arg(0));
            (inner.op() == Op::Or).then(|| (pool.mk_not(inner.arg(0)), pool.mk_not(inner.arg(1))))
        }
        _ => None,
    }
}

/// How many of the first expressions are the same.
fn common_prefix(a: &[ExprId], b: &[ExprId]) -> usize {
    // Without a branch for each expression, chunks are compared many at a time.
    const CHUNK: usize = 64;
    let differs =
        |(a, b): &(&[ExprId], &[ExprId])| a.iter().zip(*b).fold(0, |bits, (a, b)| bits | a.raw() ^ b.raw()) != 0;
    let n_chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|chunks| !differs(chunks)).count();
    let start = n_chunks * CHUNK;
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

fn put(table: &mut Vec<u32>, at: usize, value: u32) {
    if table.len() <= at {
        // Twice as long, as it grows with a pool.
        table.resize((at + 1).next_power_of_two(), NONE);
    }
    table[at] = value;
}

/// Classes of variables with rings of atoms.
#[derive(Default)]
struct Classes {
    /// By variable.
    nodes: Vec<ClassNode>,
    /// The roots that were given a parent, in order.
    unions: Vec<u32>,
    /// By atom, the next one in its ring.
    links: Vec<AtomIdx>,
}

#[derive(Clone, Copy)]
struct ClassNode {
    parent: u32,
    /// Of a root: how many variables are in the class.
    size: u32,
    /// Of a root: an atom of the class.
    ring: AtomIdx,
    /// Of a variable that isn't a root: whether its class brought the ring to its parent's, which had none.
    gave_ring: bool,
}

impl Classes {
    fn reserve(&mut self, n_vars: usize) {
        for var in self.nodes.len()..n_vars {
            self.nodes.push(ClassNode { parent: var as u32, size: 1, ring: NONE, gave_ring: false });
        }
    }

    /// Paths are not shortened, as that could not be undone; they are logarithmic as small classes join large ones.
    fn find(&self, var: u32) -> u32 {
        let mut at = var;
        loop {
            let parent = self.nodes[at as usize].parent;
            if parent == at {
                return at;
            }
            at = parent;
        }
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let a_is_smaller = self.nodes[a as usize].size < self.nodes[b as usize].size;
        let (child, root) = if a_is_smaller { (a, b) } else { (b, a) };
        let (child_ring, root_ring) = (self.nodes[child as usize].ring, self.nodes[root as usize].ring);
        self.nodes[child as usize].parent = root;
        self.nodes[root as usize].size += self.nodes[child as usize].size;
        let gives_ring = root_ring == NONE;
        self.nodes[child as usize].gave_ring = gives_ring;
        if gives_ring {
            self.nodes[root as usize].ring = child_ring;
        } else if child_ring != NONE {
            self.links.swap(child_ring as usize, root_ring as usize);
        }
        self.unions.push(child);
    }

    /// Undoes the last union.
    fn divide(&mut self) {
        let Some(child) = self.unions.pop() else { return };
        let ClassNode { parent: root, size, ring: child_ring, gave_ring } = self.nodes[child as usize];
        self.nodes[child as usize].parent = child;
        self.nodes[root as usize].size -= size;
        if gave_ring {
            self.nodes[root as usize].ring = NONE;
        } else if child_ring != NONE {
            self.links.swap(child_ring as usize, self.nodes[root as usize].ring as usize);
        }
    }

    /// Puts an atom that is a ring of its own into that of a variable's class. Returns which link was exchanged.
    fn link(&mut self, var: u32, atom: AtomIdx) -> AtomIdx {
        let root = self.find(var) as usize;
        let ring = self.nodes[root].ring;
        if ring == NONE {
            self.nodes[root].ring = atom;
        } else {
            self.links.swap(ring as usize, atom as usize);
        }
        ring
    }

    fn unlink(&mut self, var: u32, atom: AtomIdx, linked_to: AtomIdx) {
        if linked_to == NONE {
            let root = self.find(var) as usize;
            self.nodes[root].ring = NONE;
        } else {
            self.links.swap(linked_to as usize, atom as usize);
        }
    }
}
