//! Guesses of what inputs are that belong together: how many elements a pointer leads to, and which pointers are only for
//! results. They are settings like those of users, who see them and can change them.
//!
//! `usage` looks at what the code does; names decide only where they are plain, for numbers that follow a pointer to characters,
//! numbers or bytes. Where two numbers come into question, there is no guess.

mod usage;

use crate::functions::{Functions, named};
use crate::settings::{Setting, What};
use rustc_hash::FxHashMap;
use spelunk_ir::debug::{CType, CTypeId, Subprogram};
use spelunk_ir::model::FuncId;
use std::collections::BTreeSet;
use usage::{Place, Usage};

/// What follows a pointer and says how many.
const COUNTS: &[&str] = &[
    "len",
    "length",
    "size",
    "sz",
    "count",
    "num",
    "nbytes",
    "nelem",
    "nelems",
    "nmemb",
    "n_elems",
    "num_elems",
    "buflen",
    "bufsize",
    "buf_len",
    "buf_size",
    "datalen",
    "data_len",
];

/// What a name may have behind that of the pointer, and before it.
const ENDINGS: &[&str] = &["_len", "_length", "_size", "_count", "_num", "_n", "len", "size", "_sz", "count"];
const BEGINNINGS: &[&str] = &["n_", "num_", "len_", "nr_", "n"];

/// What a structure has room for, where another number says how much of it is used.
const ROOMS: &[&str] = &["cap", "capacity", "alloc", "allocated", "max", "room", "limit", "avail"];

/// Functions of the library that take a pointer and a number of bytes.
const LIBRARY: &[(&str, &[usize], usize)] = &[
    ("memcpy", &[0, 1], 2),
    ("memmove", &[0, 1], 2),
    ("memset", &[0], 2),
    ("memcmp", &[0, 1], 2),
    ("memchr", &[0], 2),
    ("llvm.memcpy.p0.p0.i64", &[0, 1], 2),
    ("llvm.memmove.p0.p0.i64", &[0, 1], 2),
    ("llvm.memset.p0.i64", &[0], 2),
    ("write", &[1], 2),
    ("read", &[1], 2),
];

/// Functions of the library that take strings, by the numbers of those parameters: what goes there ends with a zero.
const STRINGS: &[(&str, &[usize])] = &[
    ("strlen", &[0]),
    ("strcmp", &[0, 1]),
    ("strcpy", &[1]),
    ("strcat", &[0, 1]),
    ("strchr", &[0]),
    ("strrchr", &[0]),
    ("strstr", &[0, 1]),
    ("strdup", &[0]),
    ("strtol", &[0]),
    ("strtoul", &[0]),
    ("strtod", &[0]),
    ("atoi", &[0]),
    ("puts", &[0]),
];

/// How far calls are followed.
const MAX_DEPTH: usize = 4;

impl<'p> Functions<'p> {
    /// What is guessed of the parameters of a function, and of members of structures, where nothing is said.
    pub fn guesses(&self, name: &str, said: &[Setting]) -> Vec<Setting> {
        let Ok(id) = self.find(name) else { return Vec::new() };
        let Some(subprogram) = self.debug.function(id) else { return Vec::new() };
        let guessing = Guessing { functions: self, said };
        let mut texts = guessing.of_params(id, &subprogram);
        texts.extend(guessing.of_members(&subprogram));
        texts.iter().filter_map(|text| text.parse().ok()).collect()
    }
}

impl Functions<'_> {
    /// The same for one call of a sequence, as settings for that function alone where they are about its parameters.
    pub fn guesses_of_call(&self, name: &str, said: &[Setting]) -> Vec<String> {
        let is_param = |setting: &Setting| !setting.path.contains('.');
        let text =
            |setting: Setting| if is_param(&setting) { format!("{name}:{setting}") } else { setting.to_string() };
        self.guesses(name, said).into_iter().map(text).collect()
    }
}

struct Guessing<'a, 'p> {
    functions: &'a Functions<'p>,
    said: &'a [Setting],
}

/// A parameter, as C has it.
type Named = (String, CTypeId);

impl<'p> Guessing<'_, 'p> {
    fn usage(&self, id: FuncId, n_params: usize) -> Option<Usage> {
        let function = self.functions.program.function(id);
        let first = function.params.len().checked_sub(n_params)?;
        let is_result = first == 0 || first == 1 && function.params[0].attrs.sret.is_some();
        (is_result && !function.blocks.is_empty()).then(|| usage::usage(self.functions.program, function, first))
    }

    fn of_params(&self, id: FuncId, subprogram: &Subprogram<'p>) -> Vec<String> {
        let params = named(subprogram);
        let Some(usage) = self.usage(id, params.len()) else { return Vec::new() };
        let counted = self.counted(id, params.len(), 0);
        let is_string = |number: usize| self.is_string(&usage, number);
        let mut texts = Vec::new();
        for (number, (name, ty)) in params.iter().enumerate() {
            let Some(target) = self.target(*ty) else { continue };
            if self.is_said(name) || is_string(number) {
                continue;
            }
            let used: BTreeSet<usize> =
                counted.iter().filter(|(pointer, _)| *pointer == number).map(|&(_, count)| count).collect();
            let is_count = |number: &usize| self.is_number(params[*number].1) && !self.is_taken(&params[*number].0);
            let used: Vec<usize> = used.into_iter().filter(is_count).collect();
            let by_name = || Some(number + 1).filter(|&next| self.are_named(&params, number, next, target));
            let count = match used[..] {
                [only] => Some(only),
                [] => by_name(),
                // Of several, only a name can tell.
                _ => by_name().filter(|next| used.contains(next)),
            };
            match count {
                Some(count) => texts.push(format!("{name}={}:{}", self.kind(target), params[count].0)),
                None if self.is_result(&usage, number, target) => texts.push(format!("{name}=nonnull")),
                None => {}
            }
        }
        texts
    }

    /// Pointers and numbers that belong together, by what the function and those that it calls do.
    fn counted(&self, id: FuncId, n_params: usize, depth: usize) -> BTreeSet<(usize, usize)> {
        let mut found = BTreeSet::new();
        let Some(usage) = self.usage(id, n_params) else { return found };
        for &(pointer, count) in &usage.counted {
            if let (Place::Param(pointer), Place::Param(count)) = (pointer, count) {
                found.insert((pointer, count));
            }
        }
        for (callee, args) in usage.calls.iter().filter(|_| depth < MAX_DEPTH) {
            let param = |number: &usize| match args.get(*number) {
                Some(Some(Place::Param(param))) => Some(*param),
                _ => None,
            };
            let name = self.symbol(*callee);
            if let Some((_, pointers, count)) = LIBRARY.iter().find(|(known, ..)| *known == name) {
                let pairs = pointers.iter().filter_map(|pointer| Some((param(pointer)?, param(count)?)));
                found.extend(pairs.filter(|&(pointer, _)| self.counts_bytes(id, pointer)));
            } else if *callee != id {
                let inner = self.counted(*callee, args.len(), depth + 1);
                found.extend(inner.iter().filter_map(|(pointer, count)| Some((param(pointer)?, param(count)?))));
            }
        }
        found
    }

    fn symbol(&self, id: FuncId) -> &'p str {
        &self.functions.program.symbol(self.functions.program.function(id).symbol).name
    }

    /// Whether a number of bytes is a number of what a parameter points to.
    fn counts_bytes(&self, id: FuncId, param: usize) -> bool {
        let subprogram = self.functions.debug.function(id);
        let ty = subprogram.and_then(|it| it.params.get(param).map(|param| param.ty));
        ty.and_then(|ty| self.target(ty)).is_some_and(|target| matches!(self.size(target), None | Some(0 | 1)))
    }

    /// Whether a parameter goes where strings are expected.
    fn is_string(&self, usage: &Usage, number: usize) -> bool {
        usage.calls.iter().any(|(callee, args)| {
            let name = self.symbol(*callee);
            let places = STRINGS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, places)| places);
            places.iter().any(|&place| args.get(place) == Some(&Some(Place::Param(number))))
        })
    }

    /// Whether a pointer to a pointer is there to hand something back: written through, and never compared with null.
    fn is_result(&self, usage: &Usage, number: usize, target: CTypeId) -> bool {
        let is_pointer = self.target(target).is_some();
        is_pointer && usage.written.contains(&number) && !usage.null_checked.contains(&number)
    }

    /// Whether names alone say that a number counts what the pointer before it leads to.
    fn are_named(&self, params: &[Named], pointer: usize, count: usize, target: CTypeId) -> bool {
        let Some((name, ty)) = params.get(count) else { return false };
        let is_plain = matches!(self.size(target), None | Some(0)) || self.is_number(target);
        is_plain && self.is_number(*ty) && !self.is_taken(name) && is_count_of(name, &params[pointer].0)
    }

    /// What is guessed of members, by what all functions do that take a pointer to the structure.
    fn of_members(&self, subprogram: &Subprogram<'p>) -> Vec<String> {
        let records: BTreeSet<String> = subprogram.params.iter().filter_map(|param| self.record(param.ty)).collect();
        if records.is_empty() {
            return Vec::new();
        }
        let mut found: FxHashMap<(String, String, &str), BTreeSet<String>> = FxHashMap::default();
        for (id, _) in self.functions.user_functions() {
            let Some(other) = self.functions.debug.function(id) else { continue };
            let Some(usage) = self.usage(id, other.params.len()) else { continue };
            for &(pointer, count) in &usage.counted {
                let (Place::Member(param, at), Place::Member(same, counter)) = (pointer, count) else { continue };
                let Some(record) = other.params.get(param).and_then(|param| self.record(param.ty)) else { continue };
                if param != same || !records.contains(&record) {
                    continue;
                }
                let (Some(pointer), Some(count)) = (self.member(&record, at), self.member(&record, counter)) else {
                    continue;
                };
                let Some(target) = self.target(pointer.1).filter(|_| self.is_number(count.1)) else { continue };
                found.entry((record, pointer.0, self.kind(target))).or_default().insert(count.0);
            }
        }
        let mut texts = Vec::new();
        for ((record, pointer, kind), counts) in found {
            let rooms: Vec<&String> = counts.iter().filter(|name| is_room(name)).collect();
            let count = match (&rooms[..], counts.len()) {
                ([room], _) => room,
                (_, 1) => counts.first().expect("there is one"),
                _ => continue,
            };
            let path = format!("{record}.{pointer}");
            let is_said = |setting: &Setting| setting.path.ends_with(&pointer) && setting.path != pointer;
            if !self.said.iter().any(is_said) {
                texts.push(format!("{path}={kind}:{count}"));
            }
        }
        texts.sort();
        texts
    }

    /// The name of the structure that a pointer leads to.
    fn record(&self, ty: CTypeId) -> Option<String> {
        let target = self.plain(self.target(ty)?);
        let CType::Record { .. } = self.functions.debug.ctype(target) else { return None };
        let name = self.functions.type_key(target);
        self.functions.debug.record_named(&name).map(|_| name)
    }

    /// The member of a structure at an offset, if it has a name.
    fn member(&self, record: &str, at: u64) -> Option<Named> {
        let CType::Record { members, .. } = self.functions.debug.ctype(self.functions.debug.record_named(record)?)
        else {
            return None;
        };
        let member = members.iter().find(|member| member.bit_offset == 8 * at && member.bit_width.is_none())?;
        Some((member.name?.to_owned(), member.ty))
    }

    fn plain(&self, ty: CTypeId) -> CTypeId {
        self.functions.debug.complete(self.functions.debug.unqualified(ty))
    }

    fn target(&self, ty: CTypeId) -> Option<CTypeId> {
        match self.functions.debug.ctype(self.plain(ty)) {
            CType::Pointer { target } => Some(target),
            _ => None,
        }
    }

    fn size(&self, ty: CTypeId) -> Option<u64> {
        self.functions.debug.size_of(ty)
    }

    fn is_number(&self, ty: CTypeId) -> bool {
        matches!(self.functions.debug.ctype(self.plain(ty)), CType::Base { size: 1..=8, .. })
    }

    /// How a setting says it: what has no size is bytes.
    fn kind(&self, target: CTypeId) -> &'static str {
        if matches!(self.size(target), None | Some(0)) { "bytes" } else { "array" }
    }

    fn is_said(&self, name: &str) -> bool {
        self.said.iter().any(|setting| setting.path == name)
    }

    /// Whether something else than a number is said of what would count.
    fn is_taken(&self, name: &str) -> bool {
        self.said.iter().any(|setting| setting.path == name && !matches!(setting.what, What::Fixed(1..)))
    }
}

fn is_count_of(count: &str, pointer: &str) -> bool {
    let (count, pointer) = (count.to_ascii_lowercase(), pointer.to_ascii_lowercase());
    let behind = count.strip_prefix(pointer.as_str()).is_some_and(|rest| ENDINGS.contains(&rest));
    let before = count.strip_suffix(pointer.as_str()).is_some_and(|rest| BEGINNINGS.contains(&rest));
    behind || before || COUNTS.contains(&count.as_str())
}

fn is_room(name: &str) -> bool {
    ROOMS.iter().any(|room| name.to_ascii_lowercase().contains(room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count() {
        for (count, pointer) in
            [("len", "s"), ("buf_len", "buf"), ("n_items", "items"), ("nitems", "items"), ("dataSize", "data")]
        {
            assert!(is_count_of(count, pointer), "{count} of {pointer}");
        }
        for (count, pointer) in [("n", "s"), ("key", "s"), ("index", "items"), ("limit", "buf")] {
            assert!(!is_count_of(count, pointer), "{count} of {pointer}");
        }
    }
}
