//! Inputs of whole programs: arguments, standard input and files.
//!
//! Each is an object of the [`Input`] like those that harness functions make, only that it exists before the program
//! starts. How many arguments there are is one more ([`Root::ArgCount`]) if it may vary.

use crate::input::Input;
use crate::key::Root;
use crate::ledger::Bound;

/// Which inputs a program is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramInputs {
    /// Arguments behind the ones that are fixed.
    pub args: Vec<SymbolicArgs>,
    /// Standard input of so many bytes; nothing to read without it.
    pub stdin: Option<u32>,
    pub files: Vec<SymbolicFile>,
    /// Those of standard input and files that are as long as the input says: texts of a grammar.
    pub texts: Vec<Root>,
}

/// From `min` to `max` arguments of at most `max_len` bytes each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicArgs {
    pub min: u32,
    pub max: u32,
    pub max_len: u32,
}

impl SymbolicArgs {
    /// One argument.
    pub fn one(max_len: u32) -> Self {
        Self { min: 1, max: 1, max_len }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicFile {
    pub name: String,
    pub size: u32,
}

/// What the program is started with in a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Concrete {
    /// Arguments behind the fixed ones.
    pub args: Vec<Vec<u8>>,
    pub stdin: Option<Vec<u8>>,
    pub files: Vec<(String, Vec<u8>)>,
}

impl ProgramInputs {
    /// The fewest and the most symbolic arguments that there can be.
    pub fn n_args(&self) -> (u32, u32) {
        (self.args.iter().map(|args| args.min).sum(), self.args.iter().map(|args| args.max).sum())
    }

    /// The lengths of all arguments that there can be.
    pub(crate) fn arg_lens(&self) -> impl Iterator<Item = u32> + '_ {
        self.args.iter().flat_map(|args| (0..args.max).map(|_| args.max_len))
    }

    /// The most bytes of an argument, by number.
    pub fn arg_len(&self, number: u32) -> u32 {
        self.arg_lens().nth(number as usize).unwrap_or(0)
    }

    /// What people call one of them; nothing if it is none of them.
    pub fn name_of(&self, root: &Root) -> Option<String> {
        Some(match root {
            Root::Arg(number) => format!("arg{number}"),
            Root::ArgCount => "n_args".to_owned(),
            Root::Stdin => "stdin".to_owned(),
            Root::File(number) => self.files.get(*number as usize)?.name.clone(),
            _ => return None,
        })
    }

    /// How large all of that is at most.
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + '_ {
        let (min, max) = self.n_args();
        let given = self.args.iter().filter(|args| args.max > 0);
        let args = given.map(|args| Bound::Argument(args.max_len)).chain((min < max).then_some(Bound::Arguments(max)));
        let is_fixed = |root: Root| !self.texts.contains(&root);
        let files = (0..).zip(&self.files).filter(move |(number, _)| is_fixed(Root::File(*number)));
        let files = files.map(|(_, file)| Bound::File(file.size));
        args.chain(self.stdin.filter(|_| is_fixed(Root::Stdin)).map(Bound::Stdin)).chain(files)
    }

    /// What an input means.
    pub fn concrete(&self, input: &Input) -> Concrete {
        let whole = |root: Root, len: u32| {
            let mut bytes = input.of_root(&root).map_or_else(Vec::new, |object| object.bytes.clone());
            if !self.texts.contains(&root) {
                bytes.resize(len as usize, 0);
            }
            bytes
        };
        let (min, max) = self.n_args();
        let extra = u32::from(whole(Root::ArgCount, 1)[0]);
        let n_args = min + extra % (max - min + 1);
        let arg = |(number, len)| {
            let mut bytes = whole(Root::Arg(number), len);
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end);
            bytes
        };
        Concrete {
            args: (0..).zip(self.arg_lens().take(n_args as usize)).map(arg).collect(),
            stdin: self.stdin.map(|len| whole(Root::Stdin, len)),
            files: (0..).zip(&self.files).map(|(i, it)| (it.name.clone(), whole(Root::File(i), it.size))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_input_means() {
        let inputs = ProgramInputs {
            args: vec![SymbolicArgs { min: 1, max: 3, max_len: 4 }],
            stdin: Some(3),
            files: vec![SymbolicFile { name: "A".to_owned(), size: 2 }],
            texts: Vec::new(),
        };
        let objects: [(Root, &[u8]); 4] =
            [(Root::ArgCount, &[4]), (Root::Arg(0), b"ab\0d"), (Root::Stdin, &[7]), (Root::File(0), &[1, 2, 3])];
        let input = objects.into_iter().fold(Input::new(), |input, (root, bytes)| input.with_object(root, "", bytes));
        let concrete = inputs.concrete(&input);
        assert_eq!(concrete.args, [b"ab".to_vec(), b"".to_vec()]);
        assert_eq!(concrete.stdin, Some(vec![7, 0, 0]));
        assert_eq!(concrete.files, [("A".to_owned(), vec![1, 2])]);
        let inputs = ProgramInputs { texts: vec![Root::Stdin], ..inputs };
        assert_eq!(inputs.concrete(&input).stdin, Some(vec![7]), "as long as the input says");
    }
}
