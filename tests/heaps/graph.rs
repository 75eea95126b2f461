//! Complete heaps: those of tests, and all small ones.

use crate::types::Types;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Graph {
    /// By parameter.
    pub roots: Vec<Option<Target>>,
    pub objects: Vec<Object>,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub ty: usize,
    pub pointers: Vec<Option<Target>>,
    pub numbers: Vec<i64>,
}

/// An object, or one of the structs in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    pub object: usize,
    pub part: Option<usize>,
}

/// A pointer: a parameter, or one in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reference {
    Root(usize),
    In(usize, usize),
}

impl Graph {
    pub fn references(&self) -> impl Iterator<Item = Reference> + '_ {
        let roots = (0..self.roots.len()).map(Reference::Root);
        let of = |(object, it): (usize, &Object)| (0..it.pointers.len()).map(move |i| Reference::In(object, i));
        roots.chain(self.objects.iter().enumerate().flat_map(of))
    }

    fn reference(&self, number: usize) -> Option<Reference> {
        self.references().nth(number)
    }

    pub fn target(&self, reference: Reference) -> Option<Target> {
        match reference {
            Reference::Root(root) => self.roots[root],
            Reference::In(object, pointer) => self.objects[object].pointers[pointer],
        }
    }

    /// What a test is given.
    pub fn of_test(types: &Types, test: &Value) -> Self {
        let input = test["input"].as_array().expect("a list");
        let is_object = |it: &&Value| it["type"].as_str().is_some_and(|ty| types.find(ty).is_some());
        let objects: Vec<&Value> = input.iter().filter(is_object).collect();
        let target = |from: &Value, at: u32, ty: usize| {
            let all = from["references"].as_array()?;
            let found = all.iter().find(|it| it[0] == at)?;
            let object = objects.iter().position(|it| it["name"] == found[1]).expect("it is there");
            let of = types.find(objects[object]["type"].as_str()?)?;
            let at = u32::try_from(found[2].as_u64()?).ok()?;
            let part = types.types[of].part_at(of, at, ty).expect("pointers are typed");
            Some(Target { object, part })
        };
        let object = |it: &&Value| {
            let of = types.find(it["type"].as_str().expect("a type")).expect("one of ours");
            let ty = &types.types[of];
            let bytes = it["bytes"].as_str().expect("digits");
            let byte = |at: u32| u8::from_str_radix(&bytes[2 * at as usize..][..2], 16).expect("digits");
            let number = |at: u32| i64::from_le_bytes(std::array::from_fn(|i| byte(at + i as u32)));
            Object {
                ty: of,
                pointers: ty.pointers.iter().map(|pointer| target(it, pointer.at, pointer.to)).collect(),
                numbers: ty.numbers.iter().map(|&(at, _)| number(at)).collect(),
            }
        };
        let root = |&(name, ty): &(&str, usize)| {
            target(input.iter().find(|it| it["name"] == name).unwrap_or(&Value::Null), 0, ty)
        };
        Self { roots: types.roots.iter().map(root).collect(), objects: objects.iter().map(object).collect() }
    }
}

/// Heaps with at most so many objects of each type.
pub struct Small<'a> {
    pub types: &'a Types,
    pub max_of_type: usize,
    pub rng: fastrand::Rng,
}

impl Small<'_> {
    /// Visits all, if there are no more than so many; else so many of them.
    pub fn visit(&mut self, n: usize, mut f: impl FnMut(&Graph)) {
        let mut all = Vec::new();
        let empty = Graph { roots: vec![None; self.types.roots.len()], objects: Vec::new() };
        self.all_from(&mut empty.clone(), 0, n, &mut all);
        if all.len() < n {
            all.iter().for_each(f);
            return;
        }
        for _ in 0..n {
            let mut graph = empty.clone();
            let mut at = 0;
            while let Some(reference) = graph.reference(at) {
                let alternatives = self.alternatives(&graph, reference);
                let target = alternatives[self.rng.usize(..alternatives.len())];
                self.set(&mut graph, reference, target);
                at += 1;
            }
            f(&graph);
        }
    }

    /// With the pointers from this one on in all ways. They come in the order in which objects were made.
    fn all_from(&mut self, graph: &mut Graph, at: usize, n: usize, all: &mut Vec<Graph>) {
        let Some(reference) = graph.reference(at) else {
            all.push(graph.clone());
            return;
        };
        for target in self.alternatives(graph, reference) {
            if all.len() < n {
                let n_before = graph.objects.len();
                self.set(graph, reference, target);
                self.all_from(graph, at + 1, n, all);
                graph.objects.truncate(n_before);
                *graph.pointer(reference) = None;
            }
        }
    }

    fn alternatives(&self, graph: &Graph, reference: Reference) -> Vec<Option<Target>> {
        let to = self.pointee(graph, reference);
        let mut all = vec![None];
        for (object, it) in graph.objects.iter().enumerate() {
            let parts = self.types.types[it.ty].parts.iter().enumerate().filter(|(_, part)| part.ty == to);
            all.extend((it.ty == to).then_some(Some(Target { object, part: None })));
            all.extend(parts.map(|(part, _)| Some(Target { object, part: Some(part) })));
        }
        if graph.objects.iter().filter(|it| it.ty == to).count() < self.max_of_type {
            all.push(Some(Target { object: graph.objects.len(), part: None }));
        }
        all
    }

    fn pointee(&self, graph: &Graph, reference: Reference) -> usize {
        match reference {
            Reference::Root(root) => self.types.roots[root].1,
            Reference::In(object, pointer) => self.types.types[graph.objects[object].ty].pointers[pointer].to,
        }
    }

    fn set(&mut self, graph: &mut Graph, reference: Reference, target: Option<Target>) {
        if target.is_some_and(|it| it.object == graph.objects.len()) {
            let of = self.pointee(graph, reference);
            let ty = &self.types.types[of];
            let numbers = ty.numbers.iter().map(|_| self.rng.i64(0..3)).collect();
            graph.objects.push(Object { ty: of, pointers: vec![None; ty.pointers.len()], numbers });
        }
        *graph.pointer(reference) = target;
    }
}

impl Graph {
    fn pointer(&mut self, reference: Reference) -> &mut Option<Target> {
        match reference {
            Reference::Root(root) => &mut self.roots[root],
            Reference::In(object, pointer) => &mut self.objects[object].pointers[pointer],
        }
    }
}
