//! Who defines and who refers to what, in the textual LLVM IR of one file. Read line by line: nothing else of it matters here.

use rustc_hash::{FxHashMap, FxHashSet};

/// How a name is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// For this file alone.
    Internal,
    /// Gives way to others.
    Weak,
    Strong,
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub strength: Strength,
    pub is_function: bool,
    /// Names that it refers to.
    pub uses: FxHashSet<String>,
}

/// What one file defines.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub definitions: FxHashMap<String, Definition>,
    /// What runs before `main`.
    pub constructors: FxHashSet<String>,
}

impl Module {
    pub fn read(text: &str) -> Self {
        let mut module = Self::default();
        let mut function: Option<(String, Definition)> = None;
        for line in text.lines() {
            if let Some((_, definition)) = &mut function {
                definition.uses.extend(names(line));
                if line == "}" {
                    module.definitions.extend(function.take());
                }
            } else if line.starts_with("define ") {
                let mut found = names(line);
                let name = found.next().unwrap_or_default();
                // A function may have a personality or other constants of its own.
                function =
                    Some((name, Definition { strength: strength(line), is_function: true, uses: found.collect() }));
            } else if line.starts_with('@') {
                module.read_global(line);
            }
        }
        module
    }

    fn read_global(&mut self, line: &str) {
        let mut found = names(line);
        let name = found.next().unwrap_or_default();
        if name == "llvm.global_ctors" {
            self.constructors.extend(found);
            return;
        }
        let kind = line.split_once(" = ").map_or("", |(_, kind)| kind);
        let is_declared = kind.split(' ').take(4).any(|word| word == "external" || word == "extern_weak");
        if !is_declared && !name.starts_with("llvm.") {
            let is_function = kind.split(' ').any(|word| word == "alias" || word == "ifunc");
            let definition = Definition { strength: strength(line), is_function, uses: found.collect() };
            self.definitions.insert(name, definition);
        }
    }

    pub fn strength(&self, name: &str) -> Option<Strength> {
        self.definitions.get(name).map(|definition| definition.strength)
    }

    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().filter(|(_, definition)| definition.is_function).map(|(name, _)| name.as_str())
    }
}

fn strength(line: &str) -> Strength {
    let head = line.split(['(', '{']).next().unwrap_or_default();
    let mut words = head.split(' ');
    let is_weak = |word: &str| {
        matches!(word, "weak" | "weak_odr" | "linkonce" | "linkonce_odr" | "common" | "available_externally")
    };
    match words.find_map(|word| match word {
        "internal" | "private" => Some(Strength::Internal),
        word if is_weak(word) => Some(Strength::Weak),
        _ => None,
    }) {
        Some(strength) => strength,
        None => Strength::Strong,
    }
}

/// The names of a line, in their order, without those of intrinsics. What stands in strings is none.
fn names(line: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(['@', '"'])?;
            let is_name = rest.as_bytes()[at] == b'@';
            rest = &rest[at + 1..];
            if !is_name {
                rest = rest.split_once('"')?.1;
                continue;
            }
            let name = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let (name, behind) = quoted.split_once('"')?;
                    rest = behind;
                    name.strip_prefix("\\01").unwrap_or(name)
                }
                None => {
                    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "_.$-".contains(sign);
                    let end = rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
                    let name = &rest[..end];
                    rest = &rest[end..];
                    name
                }
            };
            if !name.is_empty() && (!name.starts_with("llvm.") || name == "llvm.global_ctors") {
                return Some(name.to_owned());
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
@t = dso_local global [2 x ptr] [ptr @g, ptr @h], align 16
@v = external global i32, align 4
@.str = private unnamed_addr constant [8 x i8] c"a@none\0A\00", align 1
@c = common global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
@other = alias i32 (i32), ptr @f
declare i32 @g(i32 noundef) #0
define internal i32 @h(i32 noundef %0) #1 {
  ret i32 %0
}
define dso_local i32 @f(i32 noundef %0) #1 {
  call void @llvm.memset.p0.i64(ptr %1, i8 0, i64 8, i1 false)
  %6 = load ptr, ptr @t, align 8
  call void @"odd name"(ptr @.str)
}
define weak i32 @w() {
}
"#;

    #[test]
    fn definitions_and_what_they_use() {
        let module = Module::read(TEXT);
        assert_eq!(module.strength("h"), Some(Strength::Internal));
        assert_eq!(module.strength("f"), Some(Strength::Strong));
        assert_eq!((module.strength("w"), module.strength("c")), (Some(Strength::Weak), Some(Strength::Weak)));
        assert_eq!((module.strength("g"), module.strength("v")), (None, None));
        let uses = |name: &str| {
            let mut uses: Vec<&str> = module.definitions[name].uses.iter().map(String::as_str).collect();
            uses.sort_unstable();
            uses
        };
        assert_eq!(uses("f"), [".str", "odd name", "t"]);
        assert_eq!(uses("t"), ["g", "h"]);
        assert_eq!(uses(".str"), [""; 0]);
        assert_eq!(uses("other"), ["f"]);
        assert!(module.constructors.contains("start"));
    }
}
