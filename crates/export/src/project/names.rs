//! What local variables of tests are called: after the objects of the input, and nothing else in the program.

use rustc_hash::FxHashSet;

/// Longer names are shortened to the type of the object.
const MAX_LEN: usize = 24;

const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "state",
    "status",
];

/// Hands out names that are not taken.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    /// Of the program: functions, variables and macros.
    program: &'a FxHashSet<String>,
    taken: FxHashSet<String>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a FxHashSet<String>) -> Self {
        Self { program, taken: FxHashSet::default() }
    }

    /// A name for an object, which the input calls `*list->next` say, of a type.
    pub fn add(&mut self, object: &str, ty: &str) -> String {
        let mut name = words(object);
        if name.len() > MAX_LEN || name.is_empty() {
            name = words(ty.trim_start_matches("struct ").trim_start_matches("union "));
        }
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            name.insert_str(0, "object");
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| !self.is_taken(name)).expect("numbers don't end");
        self.taken.insert(free.clone());
        free
    }

    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name) || self.program.contains(name) || KEYWORDS.contains(&name)
    }
}

/// Letters and digits, with one underscore for whatever is between.
fn words(text: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_input_and_are_new() {
        let program = FxHashSet::from_iter(["list".to_owned()]);
        let mut names = Names::new(&program);
        assert_eq!(names.add("*list", "struct node"), "list_2");
        assert_eq!(names.add("*list->next", "struct node"), "list_next");
        assert_eq!(names.add("*int", "int"), "int_2");
        assert_eq!(names.add("*a[0]", "char"), "a_0");
        assert_eq!(names.add("*list->next->next->next->next", "struct node"), "list_next_next_next_next");
        assert_eq!(names.add("*list->next->next->next->next->next", "struct node"), "node");
        assert_eq!(names.add("*list->next->next->next->next->next->next", "struct node"), "node_2");
    }
}
