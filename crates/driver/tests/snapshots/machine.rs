//! A machine that follows integers from the input to every branch, and keeps snapshots on the way.

use spelunk_bv::{BinOp, CastOp, CmpOp, int};
use spelunk_ir::code::OpIdx;
use spelunk_libc::{Capture, Input, Library, Output, World};
use spelunk_vm::memory::{Memory, Word};
use spelunk_vm::{
    Access, Builtin, BuiltinRow, BuiltinTable, Carried, Flow, Located, Machine, Reversible, Slot, Snapshot, Stop, Tag,
    UndefId, Vm,
};

/// An operand: an expression, or what it is concretely.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Expr(Carried),
    Value(u64),
}

impl From<Slot> for Operand {
    fn from(slot: Slot) -> Self {
        if slot.tag.expr().is_some() { Self::Expr(slot.tag.expr()) } else { Self::Value(slot.val) }
    }
}

#[derive(Clone, Debug)]
enum Node {
    Input(usize),
    Binary(BinOp, u32, Operand, Operand),
    Compare(CmpOp, u32, Operand, Operand),
    Cast(CastOp, u32, u32, Operand),
    Select(Operand, Operand, Operand),
    /// Bytes of expressions, and where each goes.
    Join {
        plain: u64,
        bytes: Vec<(u32, Carried, u8)>,
    },
}

/// What the path depended on: where, and which way it went.
pub type Decision = (OpIdx, u64);

pub struct Follower {
    world: World,
    input: Vec<u64>,
    n_read: usize,
    pub path: Vec<Decision>,
    /// How long the path was after the last operation that decided something, and before it.
    n_noted: usize,
    operation: (u64, usize),
    nodes: Vec<Node>,
    /// Of all nodes, under the present input.
    values: Vec<u64>,
    pub snapshots: Vec<Snapshot<Self>>,
    /// Whether to take a snapshot of an operation that decides something.
    pub wants_snapshot: Box<dyn FnMut() -> bool>,
}

pub struct Saved {
    world: <World as Reversible>::Saved,
    n_read: usize,
    pub path: Vec<Decision>,
}

impl Follower {
    pub fn new() -> Self {
        let stdin = Input::Bytes { bytes: Vec::new(), position: 0 };
        let none = Node::Input(usize::MAX);
        Self {
            world: World::new(stdin, Output::Capture(Capture::default()), Output::Capture(Capture::default())),
            input: Vec::new(),
            n_read: 0,
            path: Vec::new(),
            n_noted: 0,
            operation: (0, 0),
            nodes: vec![none],
            values: vec![0],
            snapshots: Vec::new(),
            wants_snapshot: Box::new(|| false),
        }
    }

    pub fn set_input(&mut self, input: &[u64]) {
        self.input = input.to_vec();
        self.values.truncate(1);
        for i in 1..self.nodes.len() {
            let value = self.eval(&self.nodes[i]);
            self.values.push(value);
        }
    }

    pub fn output(&self) -> &[u8] {
        match &self.world.stdout {
            Output::Capture(capture) => capture,
            Output::Inherit => &[],
        }
    }

    fn mk(&mut self, node: Node) -> Carried {
        let value = self.eval(&node);
        self.nodes.push(node);
        self.values.push(value);
        Carried(self.nodes.len() as u32 - 1)
    }

    fn operand(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Expr(expr) => self.values[expr.0 as usize],
            Operand::Value(value) => value,
        }
    }

    fn eval(&self, node: &Node) -> u64 {
        let get = |operand: &Operand| self.operand(*operand);
        match node {
            Node::Input(i) => self.input.get(*i).copied().unwrap_or(0),
            Node::Binary(op, width, a, b) => int::binop(*op, *width, get(a), get(b)),
            Node::Compare(op, width, a, b) => u64::from(int::icmp(*op, *width, get(a), get(b))),
            Node::Cast(CastOp::SExt, from, to, a) => int::sext_to(*from, *to, get(a)),
            Node::Cast(CastOp::Trunc, _, to, a) => int::trunc(*to, get(a)),
            Node::Cast(op, ..) => unreachable!("{op:?} is not followed"),
            Node::Select(cond, then, other) => get(if get(cond) & 1 != 0 { then } else { other }),
            Node::Join { plain, bytes } => bytes.iter().fold(*plain, |word, &(at, expr, index)| {
                word | (self.values[expr.0 as usize] >> (8 * index) & 0xff) << (8 * at)
            }),
        }
    }
}

impl Reversible for Follower {
    type Saved = Saved;

    fn save(&mut self) -> Option<Saved> {
        let path = self.path[..self.operation.1].to_vec();
        Some(Saved { world: self.world.save()?, n_read: self.n_read, path })
    }

    fn restore(&mut self, saved: &Saved) {
        self.world.restore(&saved.world);
        self.n_read = saved.n_read;
        self.path.clone_from(&saved.path);
        self.n_noted = self.path.len();
        self.operation = (0, self.path.len());
    }
}

impl Machine for Follower {
    type Env = World;

    fn env(&mut self) -> &mut World {
        &mut self.world
    }

    fn binary(&mut self, op: BinOp, width: u32, a: Slot, b: Slot) -> Carried {
        self.mk(Node::Binary(op, width, a.into(), b.into()))
    }

    fn compare(&mut self, op: CmpOp, width: u32, a: Slot, b: Slot) -> Carried {
        self.mk(Node::Compare(op, width, a.into(), b.into()))
    }

    fn cast(&mut self, op: CastOp, from: u32, to: u32, a: Slot) -> Carried {
        match op {
            CastOp::SExt | CastOp::Trunc => self.mk(Node::Cast(op, from, to, a.into())),
            _ => Carried::NONE,
        }
    }

    fn select(&mut self, cond: Slot, then: Slot, other: Slot) -> Carried {
        self.mk(Node::Select(cond.into(), then.into(), other.into()))
    }

    fn join(&mut self, word: &Word, n: u32) -> Carried {
        let carried = (0..n).zip(word.exprs).filter(|(_, (expr, _))| expr.is_some());
        let bytes: Vec<(u32, Carried, u8)> = carried.map(|(at, (expr, index))| (at, expr, index)).collect();
        let plain = bytes.iter().fold(word.val, |plain, &(at, ..)| plain & !(0xff << (8 * at)));
        self.mk(Node::Join { plain, bytes })
    }

    fn branch(&mut self, site: OpIdx, cond: Slot) -> Result<bool, Stop> {
        self.path.push((site, cond.val & 1));
        Ok(cond.val & 1 == 1)
    }

    fn switch(&mut self, site: OpIdx, _table: u32, _value: Slot, target: OpIdx) -> Result<OpIdx, Stop> {
        self.path.push((site, u64::from(target.0)));
        Ok(target)
    }

    fn concretise(&mut self, _memory: &mut Memory, site: OpIdx, value: Slot) -> Result<u64, Stop> {
        self.path.push((site, value.val));
        Ok(value.val)
    }

    fn access(&mut self, _memory: &Memory, access: Access) -> Located {
        self.path.push((access.site, access.addr.val));
        Located::AsIs
    }

    fn read(&mut self, memory: &Memory, access: Access) -> Result<Carried, Stop> {
        match memory.load_word(access.addr.val, access.len as u32) {
            Ok(word) if word.has_expr() => Ok(self.join(&word, access.len as u32)),
            _ => Ok(Carried::NONE),
        }
    }

    fn after_decision(vm: &mut Vm<'_, Self>) -> Result<(), Stop> {
        let steps = vm.steps();
        let machine = &mut vm.machine;
        let is_first = machine.operation.0 != steps;
        if is_first {
            machine.operation = (steps, machine.n_noted);
        }
        machine.n_noted = machine.path.len();
        if is_first && (machine.wants_snapshot)() {
            let snapshot = vm.snapshot().expect("these programs do nothing that can't be undone");
            vm.machine.snapshots.push(snapshot);
        }
        Ok(())
    }

    fn slot_value(&mut self, expr: Carried) -> u64 {
        self.values[expr.0 as usize]
    }

    fn byte_value(&mut self, expr: Carried, index: u8) -> u8 {
        (self.values[expr.0 as usize] >> (8 * index)) as u8
    }
}

/// The library, and `input()`, which returns one 32-bit number after another.
pub struct Functions;

impl BuiltinTable<Follower> for Functions {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<Follower>> {
        if name == "input" { Some(BuiltinRow::from(next_input as Builtin<Follower>)) } else { Library.lookup(name) }
    }
}

fn next_input(vm: &mut Vm<'_, Follower>, _args: &[Slot]) -> Result<Flow, Stop> {
    let machine = &mut vm.machine;
    let expr = machine.mk(Node::Input(machine.n_read));
    machine.n_read += 1;
    let val = machine.values[expr.0 as usize];
    Ok(Flow::slot(Slot { val, tag: Tag::new(expr, UndefId::NONE) }))
}
