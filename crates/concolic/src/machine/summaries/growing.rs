//! Trying out all paths of a call, one after another: the tree of what they decide and come to.

use super::super::aside;
use super::effects::{self, Effect, Left, Writes};
use super::forcing::{Chosen, Forcing};
use super::{MAX_STEPS, Program, Summary};
use crate::ledger::LedgerEntry;
use spelunk_expr::{ExprId, ExprPool};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Limit, Slot, Stop, UndefId};

/// Behind some decisions.
pub(super) enum Node {
    Leaf(Leaf),
    /// A path that was not tried out, or can't be told.
    Open,
    Branch(ExprId, Box<(Node, Node)>),
}

/// Where a path has returned.
pub(super) struct Leaf {
    /// Nothing if the function returns nothing.
    result: Option<ExprId>,
    pub writes: Writes,
}

impl Node {
    /// In the order of `folded`.
    pub fn visit_leaves<'a>(&'a self, visit: &mut impl FnMut(&'a Leaf)) {
        match self {
            Self::Leaf(leaf) => visit(leaf),
            Self::Open => {}
            Self::Branch(_, ways) => {
                ways.0.visit_leaves(visit);
                ways.1.visit_leaves(visit);
            }
        }
    }

    /// *If this, then that, else …* over the leaves; open paths don't matter. Nothing if there are only these.
    pub fn folded(&self, pool: &mut ExprPool, value: &mut impl FnMut(&Leaf) -> ExprId) -> Option<ExprId> {
        match self {
            Self::Leaf(leaf) => Some(value(leaf)),
            Self::Open => None,
            Self::Branch(cond, ways) => match (ways.0.folded(pool, value), ways.1.folded(pool, value)) {
                (Some(then), Some(otherwise)) => Some(pool.mk_ite(*cond, then, otherwise)),
                (one, None) | (None, one) => one,
            },
        }
    }

    /// That an open path is taken.
    fn open(&self, pool: &mut ExprPool) -> ExprId {
        match self {
            Self::Leaf(_) => ExprId::FALSE,
            Self::Open => ExprId::TRUE,
            Self::Branch(cond, ways) => {
                let (then, otherwise) = (ways.0.open(pool), ways.1.open(pool));
                pool.mk_ite(*cond, then, otherwise)
            }
        }
    }
}

/// A path that was tried out.
struct Tried {
    chosen: Vec<Chosen>,
    leaf: Option<Leaf>,
}

/// A summary in the making. All of it happens aside.
pub(super) struct Growing<'a, 'p> {
    vm: &'a mut Program<'p>,
    function: FuncId,
    args: &'a [Slot],
    /// Of the result, if there is one.
    width: Option<u32>,
    ledger: Vec<LedgerEntry>,
    n_leaves: usize,
    is_too_large: bool,
}

impl<'a, 'p> Growing<'a, 'p> {
    pub fn new(vm: &'a mut Program<'p>, function: FuncId, args: &'a [Slot], width: Option<u32>) -> Self {
        Self { vm, function, args, width, ledger: Vec::new(), n_leaves: 0, is_too_large: false }
    }

    pub fn summary(mut self) -> Result<Option<Summary>, Stop> {
        let n_grouped = self.vm.machine.inputs.grouped.len();
        let tree = self.grow(&[])?;
        if self.is_too_large || self.n_leaves < 2 {
            return Ok(None);
        }
        let Some(effects) = effects::merged(self.vm, &tree) else { return Ok(None) };
        let pool = &mut self.vm.machine.pool;
        let open = tree.open(pool);
        let result = self.width.and_then(|_| tree.folded(pool, &mut |leaf| leaf.result.expect("each returns one")));
        // Where a variable says more than the value of its bytes, nothing can be told.
        let bytes = self.vm.machine.inputs.plain_since(n_grouped);
        Ok(bytes.map(|bytes| Summary { result, effects, open, bytes, ledger: self.ledger }))
    }

    /// All paths that begin with these ways.
    fn grow(&mut self, ways: &[bool]) -> Result<Node, Stop> {
        let summaries = &mut self.vm.machine.summaries;
        self.is_too_large |= summaries.n_tries >= summaries.max_tries();
        if self.is_too_large {
            return Ok(Node::Open);
        }
        summaries.n_tries += 1;
        summaries.work.n_tried += 1;
        let Some(tried) = self.try_out(ways)? else { return Ok(Node::Open) };
        self.n_leaves += usize::from(tried.leaf.is_some());
        let mut node = tried.leaf.map_or(Node::Open, Node::Leaf);
        // From its end back to where it leaves the path that it was found by.
        for number in (ways.len()..tried.chosen.len()).rev() {
            let Chosen { cond, is_check } = tried.chosen[number];
            let otherwise = if is_check {
                Node::Open
            } else {
                let mut other: Vec<bool> = ways.to_vec();
                other.resize(number, true);
                other.push(false);
                self.grow(&other)?
            };
            node = Node::Branch(cond, Box::new((node, otherwise)));
        }
        Ok(node)
    }

    /// Tries out the path that takes these ways, and at further branches the one where the condition holds. Nothing if it can't be
    /// told what it depends on. What it has read is known to paths that are tried out later: a byte belongs to one variable.
    fn try_out(&mut self, ways: &[bool]) -> Result<Option<Tried>, Stop> {
        let (function, args, width) = (self.function, self.args, self.width);
        let machine = &self.vm.machine;
        let lengths = machine.lengths();
        let mut is_too_large = false;
        let tried = aside::try_out(self.vm, MAX_STEPS, |vm| {
            vm.machine.summaries.forcing = Some(Forcing::new(ways));
            let version = vm.memory.snapshot();
            let end = vm.call(function, args);
            let forcing = vm.machine.summaries.forcing.take().expect("whoever took it has put it back");
            let now = vm.machine.lengths();
            // Variables of objects that come into being with the path are gone with it.
            let bytes = vm.machine.inputs.plain_since(lengths.variables).filter(|_| now.made == lengths.made);
            let is_told = !forcing.is_lost && bytes.is_some();
            is_too_large = forcing.is_too_long;
            let left = match end {
                Err(stop @ Stop::Limit(Limit::Interrupted)) => return Err(stop),
                Err(Stop::Limit(_)) => {
                    is_too_large = true;
                    None
                }
                Ok(slots) if is_told => match (width, &slots[..]) {
                    (Some(width), [slot]) if slot.tag.undef() == UndefId::NONE => {
                        Some(Some(vm.machine.operand(width, *slot)))
                    }
                    (None, _) => Some(None),
                    _ => None,
                },
                _ => None,
            };
            let left = left.and_then(|result| Some((result, Left::since(&vm.memory, &version)?)));
            let bytes = bytes.unwrap_or_default();
            let adds_state = !now.adds_no_state(&lengths);
            Ok((left, forcing.chosen, bytes, vm.machine.ledger[lengths.ledger..].to_vec(), adds_state))
        });
        // However it has ended.
        self.vm.machine.summaries.forcing = None;
        self.is_too_large |= is_too_large;
        let (left, chosen, bytes, ledger, adds_state) = match tried {
            Ok((tried, _)) => tried,
            Err(stop @ Stop::Limit(Limit::Interrupted)) => return Err(stop),
            Err(Stop::Infeasible) => return Ok(None),
            // Something was done that can't be undone: nothing can be tried out any more.
            Err(_) => {
                self.is_too_large = true;
                return Ok(None);
            }
        };
        self.vm.machine.bind(&bytes);
        self.ledger.extend(ledger);
        let leaf = left.and_then(|(result, left)| {
            let writes = left.writes(&self.vm.memory)?;
            // Theories would have to be told of writes that they heard of.
            (writes.is_empty() || !adds_state).then_some(Leaf { result, writes })
        });
        Ok(Some(Tried { chosen, leaf }))
    }
}

impl Summary {
    /// What a call may leave that the input decides.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        let effects = self.effects.iter().filter_map(Effect::expr);
        self.result.into_iter().chain(effects).chain([self.open])
    }
}
