//! The `%names` of one function: values and blocks, defined or only used so far.
//!
//! Values get their id at the first mention, with the type that the use states. Blocks get a provisional id at the
//! first mention and their final one, which is their place in the function, when they begin; `Body` translates.

use super::error::{Fault, Parsed};
use super::lexer::Name;
use crate::model::{BlockId, TypeId, ValueId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Default)]
enum Slot {
    #[default]
    Free,
    Value(ValueId),
    Block(u32),
}

#[derive(Default)]
pub(super) struct LocalScope<'a> {
    numbered: Vec<Slot>,
    named: FxHashMap<Name<'a>, Slot>,
    next_number: u32,
    /// Numbers from here on are refused: no file of this length has so many names.
    number_limit: u32,

    pub value_types: Vec<TypeId>,
    defined_values: Vec<bool>,
    early_values: Vec<(ValueId, usize)>,

    /// The final id of each provisional one.
    final_blocks: Vec<Option<BlockId>>,
    early_blocks: Vec<(u32, usize)>,
    n_blocks: u32,
}

/// What went wrong with a name, before the text of the name is known.
pub(super) enum Misuse {
    IsLabel,
    IsValue,
    HasType(TypeId),
}

impl<'a> LocalScope<'a> {
    /// Empties the scope for the next function, keeping its memory.
    pub fn clear(&mut self, number_limit: u32) {
        self.numbered.clear();
        self.named.clear();
        self.next_number = 0;
        self.number_limit = number_limit;
        self.value_types.clear();
        self.defined_values.clear();
        self.early_values.clear();
        self.final_blocks.clear();
        self.early_blocks.clear();
        self.n_blocks = 0;
    }

    fn slot(&mut self, name: Name<'a>) -> &mut Slot {
        match name {
            Name::Number(number) => {
                let index = number as usize;
                if index >= self.numbered.len() {
                    self.numbered.resize(index + 1, Slot::Free);
                }
                &mut self.numbered[index]
            }
            name => self.named.entry(name).or_default(),
        }
    }

    pub fn check_number(&self, name: &Name<'a>, at: usize) -> Parsed<()> {
        match *name {
            Name::Number(number) if number >= self.number_limit => Err(Fault::new(at, "this number is too large")),
            _ => Ok(()),
        }
    }

    fn mk_value(&mut self, ty: TypeId, defined: bool) -> ValueId {
        let value = ValueId::new(self.value_types.len());
        self.value_types.push(ty);
        self.defined_values.push(defined);
        value
    }

    /// The value that a use of `name` with type `ty` means.
    pub fn use_value(&mut self, name: Name<'a>, ty: TypeId, at: usize) -> Result<ValueId, Misuse> {
        let slot = *self.slot(name.clone());
        match slot {
            Slot::Value(value) => match self.value_types[value.index()] {
                known if known == ty => Ok(value),
                known => Err(Misuse::HasType(known)),
            },
            Slot::Block(_) => Err(Misuse::IsLabel),
            Slot::Free => {
                let value = self.mk_value(ty, false);
                *self.slot(name) = Slot::Value(value);
                self.early_values.push((value, at));
                Ok(value)
            }
        }
    }

    /// The next number if the definition at `at` has no name, otherwise its name, if that is still allowed.
    fn claim(&mut self, name: Option<Name<'a>>, at: usize) -> Parsed<Name<'a>> {
        let next = self.next_number;
        match name {
            None => {
                self.next_number += 1;
                Ok(Name::Number(next))
            }
            Some(Name::Number(number)) => {
                // Releases from 19 on allow gaps.
                if number < next {
                    return Err(Fault::new(at, format!("this should be number {next} or a later one")));
                }
                self.check_number(&Name::Number(number), at)?;
                self.next_number = number + 1;
                Ok(Name::Number(number))
            }
            Some(name) => Ok(name),
        }
    }

    /// Defines a parameter or result; without a name it takes the next number.
    pub fn define_value(&mut self, name: Option<Name<'a>>, ty: TypeId, at: usize) -> Parsed<Result<ValueId, Misuse>> {
        let name = self.claim(name, at)?;
        let slot = *self.slot(name.clone());
        Ok(match slot {
            Slot::Free => {
                let value = self.mk_value(ty, true);
                *self.slot(name) = Slot::Value(value);
                Ok(value)
            }
            Slot::Value(value) if std::mem::replace(&mut self.defined_values[value.index()], true) => {
                return Err(Fault::new(at, "this name is already defined"));
            }
            Slot::Value(value) => match self.value_types[value.index()] {
                known if known == ty => Ok(value),
                known => Err(Misuse::HasType(known)),
            },
            Slot::Block(_) => Err(Misuse::IsLabel),
        })
    }

    fn mk_block(&mut self) -> u32 {
        self.final_blocks.push(None);
        self.final_blocks.len() as u32 - 1
    }

    /// The provisional id of a block.
    pub fn use_block(&mut self, name: Name<'a>, at: usize) -> Result<BlockId, Misuse> {
        let slot = *self.slot(name.clone());
        match slot {
            Slot::Block(block) => Ok(BlockId(block)),
            Slot::Value(_) => Err(Misuse::IsValue),
            Slot::Free => {
                let block = self.mk_block();
                *self.slot(name) = Slot::Block(block);
                self.early_blocks.push((block, at));
                Ok(BlockId(block))
            }
        }
    }

    /// Begins a block; without a label it takes the next number. Returns its final id and the name it has.
    pub fn define_block(&mut self, label: Option<Name<'a>>, at: usize) -> Parsed<(BlockId, Name<'a>)> {
        let name = self.claim(label, at)?;
        let slot = *self.slot(name.clone());
        let block = match slot {
            Slot::Block(block) => block,
            Slot::Value(_) => return Err(Fault::new(at, "this name is already used for a value")),
            Slot::Free => self.mk_block(),
        };
        *self.slot(name.clone()) = Slot::Block(block);
        let id = BlockId(self.n_blocks);
        if self.final_blocks[block as usize].replace(id).is_some() {
            return Err(Fault::new(at, "this name is already defined"));
        }
        self.n_blocks += 1;
        Ok((id, name))
    }

    /// Where a value or block is used that the function never defines.
    pub fn first_undefined(&self) -> Option<(usize, &'static str)> {
        let values = self.early_values.iter().filter(|(value, _)| !self.defined_values[value.index()]);
        let blocks = self.early_blocks.iter().filter(|(block, _)| self.final_blocks[*block as usize].is_none());
        let value = values.map(|&(_, at)| (at, "value")).min();
        let block = blocks.map(|&(_, at)| (at, "block")).min();
        value.into_iter().chain(block).min()
    }

    /// The final id of a block that `use_block` returned; all blocks must have been defined.
    pub fn final_block(&self, provisional: BlockId) -> BlockId {
        self.final_blocks[provisional.index()].unwrap_or(provisional)
    }
}
