//! Functions: a random graph of blocks, instructions over values that are surely defined, and a `phi` here and there.

use super::{FLOATS, Generator, INTS, Ty};
use std::fmt::Write;

/// A function while it is written.
struct Body {
    /// Values of the parameters and the entry block, which every block may use.
    everywhere: Vec<(Ty, String)>,
    /// Values of the current block.
    here: Vec<(Ty, String)>,
    next_number: usize,
    next_name: usize,
}

enum Terminator {
    Return,
    Jump(usize),
    Branch(usize, usize),
    Switch(usize, Vec<usize>),
    Unreachable,
}

impl Terminator {
    fn targets(&self) -> Vec<usize> {
        match self {
            Self::Return | Self::Unreachable => vec![],
            Self::Jump(target) => vec![*target],
            Self::Branch(then, other) => vec![*then, *other],
            Self::Switch(default, cases) => [*default].into_iter().chain(cases.iter().copied()).collect(),
        }
    }
}

impl Generator<'_> {
    pub(super) fn function(&mut self, index: usize) {
        let ret = self.functions[index].ret.clone();
        let params = self.functions[index].params.clone();
        let mut body = Body { everywhere: vec![], here: vec![], next_number: 0, next_name: 0 };
        let names: Vec<_> = params.iter().map(|ty| format!("{ty} {}", self.name(&mut body, ty))).collect();
        body.everywhere = std::mem::take(&mut body.here);
        let ret_text = ret.as_ref().map_or("void".to_owned(), Ty::to_string);
        let _ = writeln!(self.out, "define {ret_text} @f{index}({}) {{", names.join(", "));
        let n_blocks = 1 + self.choices.below(5);
        let terminators: Vec<_> = (0..n_blocks).map(|_| self.terminator(n_blocks)).collect();
        for (block, terminator) in terminators.iter().enumerate() {
            let _ = writeln!(self.out, "block{block}:");
            self.phis(&mut body, block, &terminators);
            for _ in 0..self.choices.below(8) {
                self.instruction(&mut body);
            }
            self.finish_block(&mut body, terminator, ret.as_ref());
            let values = std::mem::take(&mut body.here);
            if block == 0 {
                body.everywhere.extend(values);
            }
        }
        self.out.push_str("}\n");
    }

    /// A fresh name for a value of this type, numbered or spelled out.
    fn name(&mut self, body: &mut Body, ty: &Ty) -> String {
        let name = if self.choices.flip() {
            body.next_number += 1;
            format!("%{}", body.next_number - 1)
        } else {
            body.next_name += 1;
            self.choices.pick(&["%v.", "%\"odd name ", "%_"]).to_owned() + &body.next_name.to_string()
        };
        let name = if name.contains('"') { name + "\"" } else { name };
        body.here.push((ty.clone(), name.clone()));
        name
    }

    fn terminator(&mut self, n_blocks: usize) -> Terminator {
        if n_blocks == 1 {
            return Terminator::Return;
        }
        // Nothing may jump to the entry.
        let mut target = || 1 + self.choices.below(n_blocks - 1);
        let [a, b, c] = [target(), target(), target()];
        match self.choices.below(6) {
            0 => Terminator::Return,
            1 => Terminator::Unreachable,
            2 => Terminator::Switch(a, vec![b, c]),
            3 => Terminator::Jump(a),
            _ => Terminator::Branch(a, b),
        }
    }

    fn phis(&mut self, body: &mut Body, block: usize, terminators: &[Terminator]) {
        let edges: Vec<_> = terminators
            .iter()
            .enumerate()
            .flat_map(|(from, terminator)| terminator.targets().into_iter().map(move |to| (from, to)))
            .filter_map(|(from, to)| (to == block).then_some(from))
            .collect();
        if edges.is_empty() || !self.choices.flip() {
            return;
        }
        let ty = Ty::any(&mut self.choices, 1);
        let mut incoming = Vec::new();
        let mut previous = None;
        for &from in &edges {
            // Several edges from one block must bring one value.
            let value = match &previous {
                Some((block, value)) if *block == from => String::clone(value),
                _ => self.constant(&ty),
            };
            incoming.push(format!("[ {value}, %block{from} ]"));
            previous = Some((from, value));
        }
        let name = self.name(body, &ty);
        let _ = writeln!(self.out, "  {name} = phi {ty} {}", incoming.join(", "));
    }

    fn finish_block(&mut self, body: &mut Body, terminator: &Terminator, ret: Option<&Ty>) {
        let text = match (terminator, ret) {
            (Terminator::Return, None) => "ret void".to_owned(),
            (Terminator::Return, Some(ty)) => format!("ret {ty} {}", self.value(body, ty)),
            (Terminator::Unreachable, _) => "unreachable".to_owned(),
            (Terminator::Jump(target), _) => format!("br label %block{target}"),
            (Terminator::Branch(then, other), _) => {
                let cond = self.value(body, &Ty::Scalar("i1"));
                format!("br i1 {cond}, label %block{then}, label %block{other}")
            }
            (Terminator::Switch(default, cases), _) => {
                let value = self.value(body, &Ty::Scalar("i32"));
                let cases: Vec<_> =
                    cases.iter().enumerate().map(|(case, block)| format!("i32 {case}, label %block{block}")).collect();
                format!("switch i32 {value}, label %block{default} [ {} ]", cases.join(" "))
            }
        };
        let _ = writeln!(self.out, "  {text}");
    }

    /// A value of this type that may be used here.
    fn value(&mut self, body: &Body, ty: &Ty) -> String {
        let candidates: Vec<_> =
            body.everywhere.iter().chain(&body.here).filter(|(candidate, _)| candidate == ty).collect();
        if candidates.is_empty() || self.choices.below(4) == 3 {
            return self.constant(ty);
        }
        candidates[self.choices.below(candidates.len())].1.clone()
    }

    fn instruction(&mut self, body: &mut Body) {
        let (ty, text) = match self.choices.below(4) {
            0 => self.arithmetic(body),
            1 => self.memory(body),
            2 => self.part(body),
            _ => self.other(body),
        };
        match ty {
            Some(ty) => {
                let name = self.name(body, &ty);
                let _ = writeln!(self.out, "  {name} = {text}");
            }
            None => drop(writeln!(self.out, "  {text}")),
        }
    }

    fn arithmetic(&mut self, body: &Body) -> (Option<Ty>, String) {
        const BINARY: &[&str] = &[
            "add",
            "add nsw",
            "add nuw nsw",
            "sub",
            "mul nuw",
            "udiv exact",
            "sdiv",
            "urem",
            "srem",
            "shl nsw",
            "lshr exact",
            "ashr",
            "and",
            "or",
            "xor",
        ];
        let ints = Ty::of(&mut self.choices, INTS);
        let floats = Ty::of(&mut self.choices, FLOATS);
        match self.choices.below(7) {
            0 => {
                let op = self.choices.pick(BINARY);
                let text = format!("{op} {ints} {}, {}", self.value(body, &ints), self.value(body, &ints));
                (Some(ints), text)
            }
            1 => {
                let op = self.choices.pick(&["fadd", "fsub nnan", "fmul fast", "fdiv", "frem"]);
                let text = format!("{op} {floats} {}, {}", self.value(body, &floats), self.value(body, &floats));
                (Some(floats), text)
            }
            2 => {
                let text = format!("fneg {floats} {}", self.value(body, &floats));
                (Some(floats), text)
            }
            3 => {
                let op = self.choices.pick(&["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]);
                let text = format!("icmp {op} {ints} {}, {}", self.value(body, &ints), self.value(body, &ints));
                (Some(ints.with_element("i1")), text)
            }
            4 => {
                let op = self.choices.pick(&["oeq", "ogt", "one", "ord", "uno", "ueq", "ult", "true", "false"]);
                let text = format!("fcmp {op} {floats} {}, {}", self.value(body, &floats), self.value(body, &floats));
                (Some(floats.with_element("i1")), text)
            }
            _ => self.cast(body, &ints, &floats),
        }
    }

    fn cast(&mut self, body: &Body, ints: &Ty, floats: &Ty) -> (Option<Ty>, String) {
        let pointers = ints.with_element("ptr");
        let wide = ints.with_element("i256");
        let bit = ints.with_element("i1");
        let from_bits = floats.with_element("i32");
        let (op, from, to) = match self.choices.below(8) {
            0 => ("zext", ints.clone(), wide),
            1 => ("sext", ints.clone(), wide),
            2 => ("trunc", wide, bit),
            3 => ("ptrtoint", pointers, ints.clone()),
            4 => ("inttoptr", ints.clone(), pointers),
            5 => ("fptosi", floats.clone(), from_bits),
            6 => ("uitofp", from_bits, floats.clone()),
            _ => ("bitcast", Ty::Scalar("double"), Ty::Vector(2, "i32")),
        };
        let text = format!("{op} {from} {} to {to}", self.wide_value(body, &from));
        (Some(to), text)
    }

    /// Like `value`, for the one type that constants do not know.
    fn wide_value(&mut self, body: &Body, ty: &Ty) -> String {
        if *ty == ty.with_element("i256") { "zeroinitializer".to_owned() } else { self.value(body, ty) }
    }

    fn memory(&mut self, body: &Body) -> (Option<Ty>, String) {
        let pointer = Ty::Scalar("ptr");
        let address = self.value(body, &pointer);
        let ty = Ty::any(&mut self.choices, 2);
        match self.choices.below(7) {
            0 => (Some(pointer), format!("alloca {ty}, i64 {}, align 8", 1 + self.choices.below(3))),
            1 => {
                let volatile = self.choices.pick(&["", "volatile "]);
                (Some(ty.clone()), format!("load {volatile}{ty}, ptr {address}, align {}", 1 << self.choices.below(4)))
            }
            2 => (None, format!("store {ty} {}, ptr {address}, align 1", self.value(body, &ty))),
            3 => {
                let index = self.value(body, &Ty::Scalar("i64"));
                let flags = self.choices.pick(&["", "inbounds "]);
                (
                    Some(pointer),
                    format!("getelementptr {flags}{{ i8, [4 x {ty}] }}, ptr {address}, i64 1, i32 1, i64 {index}"),
                )
            }
            4 => {
                let value = self.value(body, &Ty::Scalar("i32"));
                let op = self.choices.pick(&["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "umin"]);
                (Some(Ty::Scalar("i32")), format!("atomicrmw {op} ptr {address}, i32 {value} seq_cst"))
            }
            5 => {
                let pair = Ty::Struct { fields: vec![Ty::Scalar("i64"), Ty::Scalar("i1")], packed: false };
                let [old, new] = [(); 2].map(|()| self.value(body, &Ty::Scalar("i64")));
                (Some(pair), format!("cmpxchg ptr {address}, i64 {old}, i64 {new} seq_cst seq_cst"))
            }
            _ => (None, "fence seq_cst".to_owned()),
        }
    }

    fn part(&mut self, body: &Body) -> (Option<Ty>, String) {
        let element = Ty::any(&mut self.choices, 1);
        let fields = vec![Ty::Scalar("i8"), Ty::Array(2, Box::new(element.clone()))];
        let aggregate = Ty::Struct { fields, packed: self.choices.flip() };
        let whole = self.value(body, &aggregate);
        let scalar = self.choices.pick(INTS);
        let vector = Ty::Vector(4, scalar);
        let lanes = self.value(body, &vector);
        let index = self.value(body, &Ty::Scalar("i32"));
        match self.choices.below(5) {
            0 => (Some(element), format!("extractvalue {aggregate} {whole}, 1, {}", self.choices.below(2))),
            1 => {
                let value = self.value(body, &element);
                let text = format!("insertvalue {aggregate} {whole}, {element} {value}, 1, 0");
                (Some(aggregate), text)
            }
            2 => (Some(Ty::Scalar(scalar)), format!("extractelement {vector} {lanes}, i32 {index}")),
            3 => {
                let value = self.value(body, &Ty::Scalar(scalar));
                let text = format!("insertelement {vector} {lanes}, {scalar} {value}, i32 {index}");
                (Some(vector), text)
            }
            _ => {
                let other = self.value(body, &vector);
                let mask = self.choices.pick(&["<i32 0, i32 7>", "<i32 poison, i32 3>", "zeroinitializer", "poison"]);
                let text = format!("shufflevector {vector} {lanes}, {vector} {other}, <2 x i32> {mask}");
                (Some(Ty::Vector(2, scalar)), text)
            }
        }
    }

    fn other(&mut self, body: &Body) -> (Option<Ty>, String) {
        let ty = Ty::any(&mut self.choices, 2);
        match self.choices.below(5) {
            0 => {
                let cond = self.value(body, &Ty::Scalar("i1"));
                let text = format!("select i1 {cond}, {ty} {}, {ty} {}", self.value(body, &ty), self.value(body, &ty));
                (Some(ty), text)
            }
            1 => {
                let text = format!("freeze {ty} {}", self.value(body, &ty));
                (Some(ty), text)
            }
            2 => {
                let args = format!("i32 {}, ptr @g0", self.value(body, &Ty::Scalar("i32")));
                (None, format!("tail call void (...) @\"quoted \\22name\\22\"({args}) nounwind"))
            }
            3 => {
                let callee = self.value(body, &Ty::Scalar("ptr"));
                (Some(Ty::Scalar("i8")), format!("call fastcc zeroext i8 {callee}(ptr byval({ty}) align 8 @g0)"))
            }
            _ => {
                let index = self.choices.below(self.functions.len());
                let ret = self.functions[index].ret.clone();
                let params = self.functions[index].params.clone();
                let args: Vec<_> = params.iter().map(|ty| format!("{ty} {}", self.value(body, ty))).collect();
                let ret_text = ret.as_ref().map_or("void".to_owned(), Ty::to_string);
                (ret, format!("call {ret_text} @f{index}({})", args.join(", ")))
            }
        }
    }
}
