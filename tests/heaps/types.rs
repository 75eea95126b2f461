//! Small struct types that point to each other and contain each other.

use fastrand::Rng;
use std::fmt::Write;

pub struct Types {
    pub types: Vec<Type>,
    /// The parameters of all functions: pointers to these types.
    pub roots: Vec<(&'static str, usize)>,
}

pub struct Type {
    pub name: String,
    pub size: u32,
    text: String,
    pub numbers: Vec<(u32, Steps)>,
    pub pointers: Vec<Pointer>,
    /// Structs in it.
    pub parts: Vec<Part>,
}

/// `.in.a`.
pub type Steps = Vec<String>;

#[derive(Clone)]
pub struct Pointer {
    pub at: u32,
    pub steps: Steps,
    pub to: usize,
}

#[derive(Clone)]
pub struct Part {
    pub at: u32,
    pub steps: Steps,
    pub ty: usize,
}

impl Types {
    /// All of them can be reached from the parameters.
    pub fn random(rng: &mut Rng) -> Self {
        loop {
            let types = Self::any(rng);
            if types.are_reached() {
                return types;
            }
        }
    }

    fn are_reached(&self) -> bool {
        let mut reached: Vec<usize> = self.roots.iter().map(|root| root.1).collect();
        for _ in &self.types {
            let more = reached.iter().flat_map(|&ty| self.types[ty].pointers.iter().map(|pointer| pointer.to));
            reached.extend(more.collect::<Vec<_>>());
        }
        (0..self.types.len()).all(|ty| reached.contains(&ty))
    }

    fn any(rng: &mut Rng) -> Self {
        let n_types = rng.usize(1..=3);
        let mut types = Vec::new();
        for number in 0..n_types {
            let ty = loop {
                let ty = Type::random(rng, number, n_types, &types);
                if types.iter().all(|other: &Type| other.size != ty.size) {
                    break ty;
                }
            };
            types.push(ty);
        }
        let names = ["x", "y"].into_iter().take(rng.usize(1..=2));
        let roots = names.map(|name| (name, rng.usize(..n_types))).collect();
        Self { types, roots }
    }

    pub fn declarations(&self) -> String {
        let forward = self.types.iter().map(|ty| format!("{};\n", ty.name));
        let bodies = self.types.iter().map(|ty| format!("{} {{{}}};\n", ty.name, ty.text));
        forward.chain(bodies).collect()
    }

    pub fn parameters(&self) -> String {
        let all = self.roots.iter().map(|&(name, ty)| format!("{} *{name}", self.types[ty].name));
        all.collect::<Vec<_>>().join(", ")
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.types.iter().position(|ty| ty.name == name)
    }
}

impl Type {
    fn random(rng: &mut Rng, number: usize, n_types: usize, before: &[Type]) -> Self {
        let name = format!("struct t{number}");
        let (numbers, pointers, parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut ty = Self { name, size: 0, text: String::new(), numbers, pointers, parts };
        // Without the number, a struct inside may have the address of the one around it.
        if number == 0 || rng.u8(..4) > 0 {
            ty.text += " long k;";
            ty.numbers.push((0, vec![".k".into()]));
            ty.size += 8;
        }
        if !before.is_empty() && rng.bool() {
            let inner = rng.usize(..before.len());
            ty.embed(inner, &before[inner]);
        }
        for member in ["a", "b"].into_iter().take(rng.usize(1..=2)) {
            let to = rng.usize(..n_types);
            _ = write!(ty.text, " struct t{to} *{member};");
            ty.pointers.push(Pointer { at: ty.size, steps: vec![format!(".{member}")], to });
            ty.size += 8;
        }
        ty
    }

    fn embed(&mut self, ty: usize, inner: &Type) {
        let (start, whole) = (self.size, vec![".in".to_owned()]);
        let within = |steps: &Steps| [&whole[..], &steps[..]].concat();
        _ = write!(self.text, " {} in;", inner.name);
        self.numbers.extend(inner.numbers.iter().map(|(at, steps)| (start + at, within(steps))));
        let pointer = |it: &Pointer| Pointer { at: start + it.at, steps: within(&it.steps), to: it.to };
        self.pointers.extend(inner.pointers.iter().map(pointer));
        self.parts.push(Part { at: start, steps: whole.clone(), ty });
        let part = |it: &Part| Part { at: start + it.at, steps: within(&it.steps), ty: it.ty };
        self.parts.extend(inner.parts.iter().map(part));
        self.size += inner.size;
    }

    /// What a pointer to `inner` leads to so far behind the start of such an object: the whole, or a part.
    pub fn part_at(&self, own: usize, at: u32, inner: usize) -> Option<Option<usize>> {
        if (own, 0) == (inner, at) {
            return Some(None);
        }
        self.parts.iter().position(|part| (part.at, part.ty) == (at, inner)).map(Some)
    }
}
