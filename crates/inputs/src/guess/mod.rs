//! Guesses of what inputs are that belong together: how many elements a pointer leads to, which pointer is the end of what another leads
//! to, which pointers are only for results, and which lead to more than their types say. They are settings like those of users, who see them and can change them.
//!
//! `usage` looks at what the code does; names decide only where they are plain, for numbers that follow a pointer to characters,
//! numbers or bytes. Where two numbers come into question, there is no guess.

mod casts;
mod ends;
mod members;
mod usage;

use crate::functions::{Functions, named};
use crate::settings::{Setting, What};
use spelunk_ir::debug::{CType, CTypeId, Subprogram};
use spelunk_ir::model::FuncId;
use std::collections::{BTreeMap, BTreeSet};
use usage::{ParamPart, Usage};

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
    "cap",
    "capacity",
];

/// The same if the pointer has an index that is computed: these names may mean anything else too.
const COUNTS_OF_INDEXED: &[&str] = &["n", "cnt", "nr"];

/// What pointers may be called in the names of numbers, whatever they are called themselves: `value, buffer_length`.
const BUFFERS: &[&str] =
    &["buf", "buffer", "data", "str", "string", "text", "src", "source", "dst", "dest", "input", "output"];

/// What a name may have behind that of the pointer, and before it.
const ENDINGS: &[&str] =
    &["_len", "_length", "_size", "_count", "_num", "_n", "len", "length", "size", "_sz", "sz", "count"];
const BEGINNINGS: &[&str] = &["n_", "num_", "len_", "nr_", "n"];

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
    ("snprintf", &[0], 1),
    ("vsnprintf", &[0], 1),
    ("strncpy", &[0], 2),
    ("strftime", &[0], 1),
    ("fgets", &[0], 1),
    ("getcwd", &[0], 1),
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

/// Numbers that say how many elements are worth having: fewer are there anyway, and more are too many to be explored.
const LIMITS: std::ops::RangeInclusive<u64> = 9..=512;

/// As many bytes where something is to be reached: most of a text is behind its first word.
const FOR_TARGETS: u64 = 64;

/// A number up to this may be that of a header, behind which comes what counts.
const MOST_DOUBLED: u64 = 64;

/// How far calls are followed.
const MAX_DEPTH: usize = 4;

impl<'p> Functions<'p> {
    /// What is guessed of the parameters of a function, and of members of structures, where nothing is said.
    pub fn guesses(&self, name: &str, said: &[Setting], room: Room) -> Vec<Setting> {
        let Ok(id) = self.find(name) else { return Vec::new() };
        let Some(subprogram) = self.debug.function(id) else { return Vec::new() };
        let guessing = Guessing { functions: self, said, room };
        let (cast, of_cast_members) = guessing.of_casts(id, &subprogram);
        let mut texts = guessing.of_params(id, &subprogram, &cast);
        texts.extend(guessing.of_members(&subprogram));
        texts.extend(of_cast_members);
        texts.iter().filter_map(|text| text.parse().ok()).collect()
    }
}

impl Functions<'_> {
    /// The same for one call of a sequence, as settings for that function alone where they are about its parameters.
    pub fn guesses_of_call(&self, name: &str, said: &[Setting], room: Room) -> Vec<String> {
        let is_param = |setting: &Setting| !setting.path.contains('.');
        let text =
            |setting: Setting| if is_param(&setting) { format!("{name}:{setting}") } else { setting.to_string() };
        self.guesses(name, said, room).into_iter().filter(|guess| !guess.needs_stand_in()).map(text).collect()
    }
}

struct Guessing<'a, 'p> {
    functions: &'a Functions<'p>,
    said: &'a [Setting],
    room: Room,
}

/// How many bytes a buffer has at most, where the code does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// Few: all paths are to be explored.
    Usual,
    /// More: some line is to be reached.
    ForTargets,
}

/// A parameter, as C has it.
type Named = (String, CTypeId);

/// What says how many elements there are: a parameter, or what it points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Counter {
    Param(usize),
    Pointee(usize),
}

impl Counter {
    fn of(place: ParamPart) -> Option<Self> {
        match place {
            ParamPart::Param(param) => Some(Self::Param(param)),
            ParamPart::Pointee(param) => Some(Self::Pointee(param)),
            ParamPart::Member(..) => None,
        }
    }

    /// The same, seen from a caller.
    fn passed(self, args: &[Option<ParamPart>]) -> Option<Self> {
        match self {
            Self::Param(param) => Self::of((*args.get(param)?)?),
            Self::Pointee(param) => match (*args.get(param)?)? {
                ParamPart::Param(param) => Some(Self::Pointee(param)),
                _ => None,
            },
        }
    }

    fn param(self) -> usize {
        match self {
            Self::Param(param) | Self::Pointee(param) => param,
        }
    }
}

impl<'p> Guessing<'_, 'p> {
    fn usage(&self, id: FuncId, n_params: usize) -> Option<Usage> {
        let function = self.functions.program.function(id);
        let first = function.params.len().checked_sub(n_params)?;
        let is_result = first == 0 || first == 1 && function.params[0].attrs.sret.is_some();
        (is_result && !function.blocks.is_empty()).then(|| usage::usage(self.functions.program, function, first))
    }

    fn of_params(&self, id: FuncId, subprogram: &Subprogram<'p>, cast: &BTreeMap<usize, String>) -> Vec<String> {
        let params = named(subprogram);
        let Some(usage) = self.usage(id, params.len()) else { return Vec::new() };
        let counted = self.counted(id, params.len(), 0);
        let is_string = |number: usize| self.is_string(&usage, number);
        let ends = self.ends(id, &params, &usage);
        let mut texts: Vec<String> =
            ends.iter().map(|(&end, &start)| format!("{}=end:{}", params[end].0, params[start].0)).collect();
        for (number, (name, ty)) in params.iter().enumerate() {
            let Some(target) = self.target(*ty) else { continue };
            let is_end = ends.iter().any(|(&end, &start)| end == number || start == number);
            if is_end || self.is_said(name) || is_string(number) {
                continue;
            }
            let used = counted.iter().filter(|(pointer, _)| *pointer == number).map(|&(_, count)| count);
            let used: Vec<Counter> = used.filter(|&count| self.can_count(id, count, &params, &usage)).collect();
            let by_name = || {
                let next = [Counter::Param(number + 1), Counter::Pointee(number + 1)];
                next.into_iter().find(|&next| self.are_named(id, &params, &usage, number, next, target))
            };
            // What is called after the pointer says more than what the code compares.
            let own = Counter::Param(number + 1);
            let is_own = params.get(number + 1).is_some_and(|(count, _)| is_named_after(count, name));
            let count = match used[..] {
                _ if is_own && self.are_named(id, &params, &usage, number, own, target) => Some(own),
                [only] => Some(only),
                [] => by_name(),
                // Of several, only a name can tell.
                _ => by_name().filter(|next| used.contains(next)),
            };
            match count {
                Some(Counter::Param(count)) => {
                    let is_buffer = matches!(self.size(target), None | Some(0 | 1));
                    let room = (self.room == Room::ForTargets && is_buffer).then_some(FOR_TARGETS);
                    let limit = limit(&usage, count).max(room);
                    let limit = limit.map_or_else(String::new, |limit| format!("<={limit}"));
                    texts.push(format!("{name}={}:{}{limit}", self.kind(target), params[count].0));
                }
                Some(Counter::Pointee(count)) => {
                    texts.push(format!("{name}={}:*{}", self.kind(target), params[count].0))
                }
                None if self.is_result(&usage, number, target) => texts.push(format!("{name}=nonnull")),
                None => texts.extend(cast.get(&number).map(|target| format!("{name}={target}"))),
            }
        }
        texts
    }

    /// Pointers and numbers that belong together, by what the function and those that it calls do.
    fn counted(&self, id: FuncId, n_params: usize, depth: usize) -> BTreeSet<(usize, Counter)> {
        let mut found = BTreeSet::new();
        let Some(usage) = self.usage(id, n_params) else { return found };
        for &(pointer, count) in &usage.counted {
            if let (ParamPart::Param(pointer), Some(count)) = (pointer, Counter::of(count)) {
                found.insert((pointer, count));
            }
        }
        for (call, (callee, args)) in usage.calls.iter().enumerate().filter(|_| depth < MAX_DEPTH) {
            let param = |number: &usize| match args.get(*number) {
                Some(Some(ParamPart::Param(param))) if !usage.shifted.contains(&(call, *number)) => Some(*param),
                _ => None,
            };
            let name = self.symbol(*callee);
            if let Some((_, pointers, count)) = LIBRARY.iter().find(|(known, ..)| *known == name) {
                let count = Counter::Param(*count);
                let pairs = pointers.iter().filter_map(|pointer| Some((param(pointer)?, count.passed(args)?)));
                found.extend(pairs.filter(|&(pointer, _)| self.counts_bytes(id, pointer)));
            } else if *callee != id {
                let inner = self.counted(*callee, args.len(), depth + 1);
                found.extend(inner.iter().filter_map(|(pointer, count)| Some((param(pointer)?, count.passed(args)?))));
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
        self.string_places(usage).any(|place| place == ParamPart::Param(number))
    }

    /// What goes where strings are expected.
    fn string_places(&self, usage: &Usage) -> impl Iterator<Item = ParamPart> {
        usage.calls.iter().flat_map(move |(callee, args)| {
            let name = self.symbol(*callee);
            let places = STRINGS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, places)| places);
            places.iter().filter_map(|&place| *args.get(place)?)
        })
    }

    /// Whether a pointer to a pointer is there to hand something back: written through, and never compared with null.
    fn is_result(&self, usage: &Usage, number: usize, target: CTypeId) -> bool {
        let is_pointer = self.target(target).is_some();
        is_pointer && usage.written.contains(&number) && !usage.null_checked.contains(&number)
    }

    /// Whether it is a number that nothing else is said of, and that is given: one behind a pointer may be for a result.
    fn can_count(&self, id: FuncId, count: Counter, params: &[Named], usage: &Usage) -> bool {
        let Some((name, ty)) = params.get(count.param()) else { return false };
        match count {
            Counter::Param(_) => self.is_number(*ty) && !self.is_taken(name),
            Counter::Pointee(param) => {
                let is_said = self.said.iter().any(|setting| setting.path.trim_start_matches('*') == *name);
                let is_number = self.target(*ty).is_some_and(|target| self.is_number(target));
                is_number && !is_said && !usage.null_checked.contains(&param) && self.reads(id, params.len(), param, 0)
            }
        }
    }

    /// Whether names alone say that a number counts what the pointer before it leads to.
    fn are_named(
        &self,
        id: FuncId,
        params: &[Named],
        usage: &Usage,
        pointer: usize,
        count: Counter,
        target: CTypeId,
    ) -> bool {
        let Some((name, _)) = params.get(count.param()) else { return false };
        let is_indexed = usage.indexed.contains(&ParamPart::Param(pointer)) && matches!(count, Counter::Param(_));
        // What the code compares an index with says more than such a name.
        let may_be_short = is_indexed && !usage.counted.iter().any(|(of, _)| *of == ParamPart::Param(pointer));
        let is_count = is_count_of(name, &params[pointer].0)
            || may_be_short && COUNTS_OF_INDEXED.contains(&name.to_ascii_lowercase().as_str());
        is_count && self.is_plain(target) && self.can_count(id, count, params, usage)
    }

    /// Whether a function looks at what a parameter points to before it is written: otherwise it is for a result.
    fn reads(&self, id: FuncId, n_params: usize, param: usize, depth: usize) -> bool {
        let Some(usage) = self.usage(id, n_params) else { return false };
        let mut passed = usage.passed_first.iter().filter(|(it, callee, _)| *it == param && *callee != id);
        let n_params = |callee: FuncId| self.functions.program.function(callee).params.len();
        usage.read_first.contains(&param)
            || depth < MAX_DEPTH
                && passed.any(|&(_, callee, number)| self.reads(callee, n_params(callee), number, depth + 1))
    }

    /// Characters, numbers, or bytes of no type.
    fn is_plain(&self, target: CTypeId) -> bool {
        matches!(self.size(target), None | Some(0)) || self.is_number(target)
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

/// How many elements there may be where the code compares their number with one that is larger than usual: what asks for a header of 12 bytes is
/// given more than that.
fn limit(usage: &Usage, count: usize) -> Option<u64> {
    let of_count = usage.limits.iter().filter(|(param, limit)| *param == count && LIMITS.contains(limit));
    of_count.map(|&(_, limit)| limit.max(2 * limit.min(MOST_DOUBLED))).max()
}

fn is_count_of(count: &str, pointer: &str) -> bool {
    let lower = count.to_ascii_lowercase();
    let is_buffer = |buffer: &&str| lower.strip_prefix(*buffer).is_some_and(|rest| ENDINGS.contains(&rest));
    is_named_after(count, pointer) || BUFFERS.iter().any(is_buffer) || COUNTS.contains(&lower.as_str())
}

fn is_named_after(count: &str, pointer: &str) -> bool {
    let (count, pointer) = (count.to_ascii_lowercase(), pointer.to_ascii_lowercase());
    let behind = count.strip_prefix(pointer.as_str()).is_some_and(|rest| ENDINGS.contains(&rest));
    behind || count.strip_suffix(pointer.as_str()).is_some_and(|rest| BEGINNINGS.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count() {
        for (count, pointer) in [
            ("len", "s"),
            ("buf_len", "buf"),
            ("n_items", "items"),
            ("nitems", "items"),
            ("dataSize", "data"),
            ("buffer_length", "value"),
        ] {
            assert!(is_count_of(count, pointer), "{count} of {pointer}");
        }
        for (count, pointer) in [("n", "s"), ("key", "s"), ("index", "items"), ("limit", "buf"), ("font_size", "name")]
        {
            assert!(!is_count_of(count, pointer), "{count} of {pointer}");
        }
    }
}
