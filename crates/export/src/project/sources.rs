//! Where the program's sources are for those who build the tests, and the flags that they are compiled with.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use spelunk_native::is_for_linker;
use spelunk_report::suite::Recipe;

use super::context::Context;
use crate::ExportError;

/// Flags that a path follows, directly or as the next argument.
const PATH_FLAGS: &[&str] = &["-idirafter", "-include", "-iquote", "-isystem", "-I", "-L"];

/// The directory of copies, in the project.
const COPIES: &str = "sources";

/// A word of a build file: what comes after the directory of the sources, or all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    Plain(String),
    /// `before`, the directory, `/path`.
    InSources {
        before: String,
        path: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The directory that they are relative to: from the project if they were copied.
    pub root: PathBuf,
    /// In the recipe's order.
    pub files: Vec<Word>,
    /// For the compiler.
    pub flags: Vec<Word>,
    pub linker_flags: Vec<Word>,
    /// What each file has of its own for the compiler, before these.
    pub file_flags: Vec<Vec<Word>>,
    /// The same directory before anything was copied.
    original: PathBuf,
}

impl Sources {
    pub fn new(recipe: &Recipe, original: PathBuf, is_copied: bool) -> Self {
        let root = if is_copied { PathBuf::from(COPIES) } else { original.clone() };
        let mut sources = Self {
            root,
            files: Vec::new(),
            flags: Vec::new(),
            linker_flags: Vec::new(),
            file_flags: Vec::new(),
            original,
        };
        sources.files = recipe.sources.iter().map(|source| sources.word("", &recipe.directory.join(source))).collect();
        sources.flags = sources.flags_of(recipe, &recipe.cflags, |flag| !is_for_linker(flag));
        sources.linker_flags = sources.flags_of(recipe, &recipe.cflags, is_for_linker);
        let own = recipe.file_flags.iter();
        sources.file_flags = own.map(|flags| sources.flags_of(recipe, flags, |_| true)).collect();
        sources
    }

    fn flags_of(&self, recipe: &Recipe, flags: &[String], is_wanted: impl Fn(&str) -> bool) -> Vec<Word> {
        let mut words = Vec::new();
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let found = self.flag(&recipe.directory, flag, &mut flags);
            words.extend(found.into_iter().filter(|_| is_wanted(flag)));
        }
        words
    }

    /// What a file has of its own.
    pub fn own_flags(&self, number: usize) -> &[Word] {
        self.file_flags.get(number).map_or(&[], Vec::as_slice)
    }

    fn word(&self, before: &str, path: &Path) -> Word {
        let path = normal(path);
        match path.strip_prefix(&self.original) {
            Ok(path) => Word::InSources { before: before.to_owned(), path: path.display().to_string() },
            Err(_) => Word::Plain(format!("{before}{}", path.display())),
        }
    }

    fn flag<'f>(&self, directory: &Path, flag: &str, rest: &mut impl Iterator<Item = &'f String>) -> Vec<Word> {
        let plain = || Word::Plain(flag.to_owned());
        let Some(name) = PATH_FLAGS.iter().find(|name| flag.starts_with(**name)) else { return vec![plain()] };
        match &flag[name.len()..] {
            "" => {
                std::iter::once(plain()).chain(rest.next().map(|path| self.word("", &directory.join(path)))).collect()
            }
            path => vec![self.word(name, &directory.join(path))],
        }
    }

    /// How a source is included by code that looks for it in the root.
    pub fn include(&self, number: usize) -> String {
        let path = match &self.files[number] {
            Word::Plain(path) | Word::InSources { path, .. } => path,
        };
        path.replace('\\', "\\\\").replace('"', "\\\"")
    }
}

/// Copies the sources and the headers of theirs into a project, and says what directory they are from.
pub fn copy(context: &Context<'_>, project: &Path) -> Result<PathBuf, ExportError> {
    let directory = normal(&context.subject.recipe.directory);
    let mut files = BTreeSet::new();
    for number in 0..context.subject.recipe.sources.len() {
        let source = &context.subject.recipe.sources[number];
        files.insert(normal(&directory.join(source)));
        let output = context.clang.run(context.clang_for(number).arg("-MM").arg(source))?;
        let rule = String::from_utf8_lossy(&output.stdout).into_owned();
        files.extend(prerequisites(&rule).iter().map(|file| normal(&directory.join(file))));
    }
    let root = files.iter().fold(directory, |root, file| common(&root, file));
    for file in &files {
        let Ok(path) = file.strip_prefix(&root) else { continue };
        let to = project.join(COPIES).join(path);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ExportError::Io { path, source }
        };
        let parent = to.parent().unwrap_or(project);
        fs::create_dir_all(parent).map_err(failed(parent))?;
        fs::copy(file, &to).map_err(failed(&to))?;
    }
    Ok(root)
}

/// The files behind the colon of a rule for `make`.
fn prerequisites(rule: &str) -> Vec<String> {
    let Some((_, files)) = rule.split_once(": ") else { return Vec::new() };
    let mut found = vec![String::new()];
    let mut characters = files.chars().peekable();
    while let Some(character) = characters.next() {
        let last = found.last_mut().expect("there is one");
        match character {
            '\\' if characters.peek() == Some(&' ') => last.extend(characters.next()),
            '\\' if characters.peek() == Some(&'\n') => {}
            '$' if characters.peek() == Some(&'$') => last.extend(characters.next()),
            _ if character.is_whitespace() => found.push(String::new()),
            _ => last.push(character),
        }
    }
    found.retain(|file| !file.is_empty());
    found
}

/// The innermost directory that both are in.
fn common(directory: &Path, file: &Path) -> PathBuf {
    let parts = directory.components().zip(file.components());
    parts.take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
}

/// Without `.` and `..`, as far as the text alone says.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if result.file_name().is_some() => _ = result.pop(),
            _ => result.push(part),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_sources() {
        let recipe = Recipe {
            directory: "/home/u/p".into(),
            sources: vec!["src/a.c".into(), "/else/b.c".into(), "../p/c.c".into()],
            cflags: ["-Iinc", "-I", "/usr/x", "-DN=1", "-Llib", "-lz"].map(str::to_owned).into(),
            ..Recipe::default()
        };
        let sources = Sources::new(&recipe, "/home/u/p".into(), false);
        let inside = |before: &str, path: &str| Word::InSources { before: before.to_owned(), path: path.to_owned() };
        let plain = |text: &str| Word::Plain(text.to_owned());
        assert_eq!(sources.files, [inside("", "src/a.c"), plain("/else/b.c"), inside("", "c.c")]);
        assert_eq!(sources.flags, [inside("-I", "inc"), plain("-I"), plain("/usr/x"), plain("-DN=1")]);
        assert_eq!(sources.linker_flags, [inside("-L", "lib"), plain("-lz")]);
        assert_eq!(sources.root, Path::new("/home/u/p"));
    }

    #[test]
    fn rules_name_files() {
        assert_eq!(prerequisites("a.o: a.c my\\ b.h \\\n  inc/c.h\n"), ["a.c", "my b.h", "inc/c.h"]);
        assert_eq!(common(Path::new("/a/b"), Path::new("/a/c/d.h")), Path::new("/a"));
    }
}
