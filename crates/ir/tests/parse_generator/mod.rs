//! Makes legal LLVM assembly out of a list of numbers, which proptest knows how to shrink.

mod constants;
mod functions;

use std::fmt::{self, Display, Write};

/// The decisions of the generator. When the numbers run out, everything is the simplest it can be.
pub struct Choices<'a>(std::slice::Iter<'a, u32>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |&choice| choice as usize % limit.max(1))
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Ty {
    Scalar(&'static str),
    Vector(usize, &'static str),
    Array(usize, Box<Ty>),
    Struct { fields: Vec<Ty>, packed: bool },
}

const INTS: &[&str] = &["i32", "i1", "i7", "i8", "i16", "i64", "i65", "i128", "i200"];
const FLOATS: &[&str] = &["double", "float", "half", "x86_fp80", "fp128"];
const SCALARS: &[&str] = &["i32", "ptr", "i1", "i7", "i8", "i64", "i128", "float", "double", "x86_fp80"];

impl Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ty::Scalar(name) => f.write_str(name),
            Ty::Vector(length, element) => write!(f, "<{length} x {element}>"),
            Ty::Array(length, element) => write!(f, "[{length} x {element}]"),
            Ty::Struct { fields, packed } => {
                let fields = fields.iter().map(Ty::to_string).collect::<Vec<_>>().join(", ");
                if *packed { write!(f, "<{{ {fields} }}>") } else { write!(f, "{{ {fields} }}") }
            }
        }
    }
}

impl Ty {
    fn any(choices: &mut Choices, depth: usize) -> Self {
        match choices.below(if depth == 0 { 2 } else { 6 }) {
            1 => Self::Vector(1 + choices.below(4), choices.pick(SCALARS)),
            2 | 3 => Self::Array(choices.below(4), Box::new(Self::any(choices, depth - 1))),
            4 | 5 => {
                let fields = (0..choices.below(4)).map(|_| Self::any(choices, depth - 1)).collect();
                Self::Struct { fields, packed: choices.flip() }
            }
            _ => Self::Scalar(choices.pick(SCALARS)),
        }
    }

    /// A scalar of these names or a vector of them.
    fn of(choices: &mut Choices, names: &[&'static str]) -> Self {
        let name = choices.pick(names);
        if choices.below(4) == 3 { Self::Vector(1 + choices.below(4), name) } else { Self::Scalar(name) }
    }

    fn with_element(&self, element: &'static str) -> Self {
        match self {
            Self::Vector(length, _) => Self::Vector(*length, element),
            _ => Self::Scalar(element),
        }
    }
}

struct Signature {
    ret: Option<Ty>,
    params: Vec<Ty>,
}

/// A module with some types, globals, declarations and functions.
pub fn module(numbers: &[u32]) -> String {
    let mut generator = Generator::new(Choices(numbers.iter()));
    generator.module();
    generator.out
}

struct Generator<'a> {
    choices: Choices<'a>,
    out: String,
    n_globals: usize,
    functions: Vec<Signature>,
}

impl<'a> Generator<'a> {
    fn new(mut choices: Choices<'a>) -> Self {
        let n_globals = 1 + choices.below(4);
        let functions = (0..1 + choices.below(3)).map(|_| Signature {
            ret: choices.flip().then(|| Ty::any(&mut choices, 1)),
            params: (0..choices.below(4)).map(|_| Ty::any(&mut choices, 1)).collect(),
        });
        let functions = functions.collect();
        Self { choices, out: String::new(), n_globals, functions }
    }

    fn module(&mut self) {
        self.out
            .push_str("target triple = \"x86_64-pc-linux-gnu\"\ndeclare void @\"quoted \\22name\\22\"(...) noreturn\n");
        for global in 0..self.n_globals {
            let linkage = self.choices.pick(&["", "internal ", "private unnamed_addr ", "weak ", "thread_local "]);
            let kind = self.choices.pick(&["global", "constant"]);
            let ty = Ty::any(&mut self.choices, 3);
            let init = self.constant(&ty);
            let _ =
                writeln!(self.out, "@g{global} = {linkage}{kind} {ty} {init}, align {}", 1 << self.choices.below(5));
        }
        for function in 0..self.functions.len() {
            self.function(function);
        }
    }
}
