//! Which files of a build are compiled: those that define what is tested, and what they need, function by function.

use crate::accepted::Accepted;
use crate::database::{Build, Entry};
use crate::error::ProjectError;
use crate::mentions::Mentions;
use crate::paths::{normal, short};
use crate::references::{Module, Strength};
use glob::Pattern;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_driver::{Clang, parallel};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAIN: &str = "main";

/// What is to be tested.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub scope: Scope,
    /// Functions that must be there beside: conditions, callbacks.
    pub also: Vec<String>,
    /// Files and patterns of files, as the user gave them.
    pub files: Vec<String>,
    /// Files of the build that are left alone.
    pub exclude: Vec<String>,
    /// Flags of the user's, which come after those of the build.
    pub cflags: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// The program, if one of the files has a `main`; all functions of these files otherwise.
    #[default]
    Program,
    /// The same, with everything that a linker would want.
    WholeProgram,
    /// These functions, which the files have if any are given.
    Functions(Vec<String>),
    /// All functions of the files.
    Files,
}

/// The files that are compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// From the current directory, those that were asked for first.
    pub sources: Vec<PathBuf>,
    /// Of each of them.
    pub flags: Vec<Vec<String>>,
    /// How many were asked for.
    pub n_asked: usize,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Build {
    /// Finds the files. Paths of the user's start at `directory`.
    pub fn select(&self, wanted: &Wanted, clang: &Clang, directory: &Path) -> Result<Selection, ProjectError> {
        let mut selecting = Selecting::new(self, wanted, clang, directory)?;
        let asked = selecting.asked(&wanted.files)?;
        let roots = selecting.roots(&asked)?;
        selecting.follow(roots, &asked)?;
        selecting.selection(&asked)
    }
}

/// A definition: the file's number, and the name.
type DefinedIn = (usize, String);

struct Selecting<'a> {
    build: &'a Build,
    wanted: &'a Wanted,
    clang: &'a Clang,
    directory: &'a Path,
    /// Those of the build that are not excluded, and files of the user's beside them.
    entries: Vec<Entry>,
    flags: Vec<Vec<String>>,
    mentions: Vec<OnceCell<Mentions>>,
    /// What was compiled, or what clang said.
    modules: FxHashMap<usize, Result<Module, Vec<u8>>>,
    /// In the order in which they were found.
    linked: Vec<usize>,
    notes: Vec<String>,
}

impl<'a> Selecting<'a> {
    fn new(build: &'a Build, wanted: &'a Wanted, clang: &'a Clang, directory: &'a Path) -> Result<Self, ProjectError> {
        let mut selecting = Self {
            build,
            wanted,
            clang,
            directory,
            entries: build.entries.clone(),
            flags: Vec::new(),
            mentions: Vec::new(),
            modules: FxHashMap::default(),
            linked: Vec::new(),
            notes: Vec::new(),
        };
        let mut excluded = FxHashSet::default();
        for pattern in &wanted.exclude {
            excluded.extend(selecting.matching(pattern)?);
        }
        let numbered = selecting.entries.into_iter().enumerate();
        selecting.entries = numbered.filter(|(number, _)| !excluded.contains(number)).map(|(_, entry)| entry).collect();
        selecting.add_others()?;
        let mut accepted = Accepted::new(clang);
        selecting.flags = selecting.entries.iter().map(|entry| accepted.of(&entry.flags)).collect::<Result<_, _>>()?;
        if !accepted.dropped.is_empty() {
            let dropped: Vec<_> = accepted.dropped.into_iter().collect();
            selecting.notes.push(format!(
                "clang does not know these flags of the build, which are left out: {}",
                dropped.join(" ")
            ));
        }
        selecting.mentions = selecting.entries.iter().map(|_| OnceCell::new()).collect();
        Ok(selecting)
    }

    /// Files of the user's that are not in the build are compiled like one that is near.
    fn add_others(&mut self) -> Result<(), ProjectError> {
        for given in &self.wanted.files {
            let path = normal(&self.directory.join(given));
            if !path.is_file() || self.entries.iter().any(|entry| entry.source == path) {
                continue;
            }
            let n_common = |entry: &&Entry| {
                entry.source.components().zip(path.components()).take_while(|(one, other)| one == other).count()
            };
            // Of those that are equally near, the first.
            let Some(near) = self.entries.iter().rev().max_by_key(n_common) else { continue };
            self.notes.push(format!("{given} is not in the build: compiled with the flags of {}", self.name_of(near)));
            let entry = Entry { source: path, ..near.clone() };
            self.entries.push(entry);
        }
        Ok(())
    }

    fn name_of(&self, entry: &Entry) -> String {
        short(&entry.source, self.directory).display().to_string()
    }

    fn name(&self, file: usize) -> String {
        self.name_of(&self.entries[file])
    }

    /// The numbers of the files that a pattern means.
    fn matching(&self, pattern: &str) -> Result<Vec<usize>, ProjectError> {
        let read = |text: &str| {
            Pattern::new(text)
                .map_err(|error| ProjectError::Pattern { pattern: pattern.to_owned(), message: error.to_string() })
        };
        let whole = read(&normal(&self.directory.join(pattern)).display().to_string())?;
        let numbers = |is_meant: &dyn Fn(&Path) -> bool| -> Vec<usize> {
            (0..self.entries.len()).filter(|&number| is_meant(&self.entries[number].source)).collect()
        };
        let found = numbers(&|path| whole.matches_path(path));
        if !found.is_empty() || pattern.contains('/') {
            return Ok(found);
        }
        let name = read(pattern)?;
        Ok(numbers(&|path| path.file_name().is_some_and(|file| name.matches(&file.to_string_lossy()))))
    }

    /// The files that the user named, in that order.
    fn asked(&self, files: &[String]) -> Result<Vec<usize>, ProjectError> {
        let mut asked = Vec::new();
        for pattern in files {
            let found = self.matching(pattern)?;
            if found.is_empty() {
                let name = Path::new(pattern).file_name().map(|name| name.to_string_lossy().into_owned());
                let similar = self.matching(&name.unwrap_or_default()).unwrap_or_default();
                let similar_to = similar.iter().take(5).map(|&number| self.name(number)).collect();
                let path = self.build.path.clone();
                return Err(ProjectError::NoMatch { pattern: pattern.clone(), path, similar_to });
            }
            let found: Vec<usize> = found.into_iter().filter(|number| !asked.contains(number)).collect();
            asked.extend(found);
        }
        Ok(asked)
    }

    /// Where to begin.
    fn roots(&mut self, asked: &[usize]) -> Result<Vec<DefinedIn>, ProjectError> {
        let mut roots = Vec::new();
        match &self.wanted.scope {
            Scope::Functions(names) => {
                for name in names {
                    roots.push((self.definer(name, asked, "--entry")?, name.clone()));
                }
            }
            Scope::Program | Scope::WholeProgram => {
                let found = self.definers(MAIN, asked, Strength::Weak)?;
                match (&found[..], asked) {
                    ([], [_, ..]) if self.wanted.scope == Scope::Program => roots = self.all_of(asked)?,
                    _ => roots.push((self.definer(MAIN, asked, "")?, MAIN.to_owned())),
                }
            }
            Scope::Files if asked.is_empty() => roots = self.all_of(&(0..self.entries.len()).collect::<Vec<_>>())?,
            Scope::Files => roots = self.all_of(asked)?,
        }
        for name in &self.wanted.also {
            if let [file] = self.definers(name, &[], Strength::Weak)?[..] {
                roots.push((file, name.clone()));
            }
        }
        Ok(roots)
    }

    fn all_of(&mut self, files: &[usize]) -> Result<Vec<DefinedIn>, ProjectError> {
        self.compile(files)?;
        let mut roots = Vec::new();
        for &file in files {
            let mut names: Vec<String> = self.module(file)?.functions().map(str::to_owned).collect();
            names.sort_unstable();
            self.link(file);
            roots.extend(names.into_iter().map(|name| (file, name)));
        }
        Ok(roots)
    }

    /// The one file that defines a function of the user's, among those that were asked for if any were.
    fn definer(&mut self, name: &str, asked: &[usize], option: &str) -> Result<usize, ProjectError> {
        let mut found = self.definers(name, asked, Strength::Weak)?;
        if found.is_empty() {
            found = self.definers(name, asked, Strength::Internal)?;
        }
        let path = self.build.path.clone();
        match found[..] {
            [file] => Ok(file),
            [] => {
                let refused = self.modules.iter().filter(|(_, module)| module.is_err()).map(|(&file, _)| file);
                let mut refused: Vec<usize> = refused.collect();
                refused.sort_unstable();
                if let [only] = refused[..] {
                    self.module(only)?;
                }
                let not_compiled = refused.into_iter().map(|file| self.name(file)).collect();
                Err(ProjectError::NoDefinition { name: name.to_owned(), path, not_compiled })
            }
            _ => {
                let candidates = found.iter().map(|&file| self.name(file)).collect();
                let example = if option.is_empty() { String::new() } else { format!("{option} {name}") };
                Err(ProjectError::Ambiguous { name: name.to_owned(), example, path, candidates })
            }
        }
    }

    /// The files that define a name at least so strongly; the strongest of them only. Files whose text looks like it are
    /// compiled first, and others that have the name if none of those defines it.
    fn definers(&mut self, name: &str, among: &[usize], least: Strength) -> Result<Vec<usize>, ProjectError> {
        let all: Vec<usize> = if among.is_empty() { (0..self.entries.len()).collect() } else { among.to_vec() };
        let likely: Vec<usize> = all.iter().copied().filter(|&it| self.mentions(it).seems_to_define(name)).collect();
        let found = self.those_that_define(name, &likely, least)?;
        if !found.is_empty() || is_of_library(name) {
            return Ok(found);
        }
        let others: Vec<usize> =
            all.into_iter().filter(|it| !likely.contains(it) && self.mentions(*it).has(name)).collect();
        self.those_that_define(name, &others, least)
    }

    fn those_that_define(&mut self, name: &str, files: &[usize], least: Strength) -> Result<Vec<usize>, ProjectError> {
        self.compile(files)?;
        let strength = |file: &usize| self.modules[file].as_ref().ok()?.strength(name).filter(|it| *it >= least);
        let best = files.iter().filter_map(strength).max();
        Ok(files.iter().copied().filter(|file| best.is_some() && strength(file) == best).collect())
    }

    fn mentions(&self, file: usize) -> &Mentions {
        self.mentions[file].get_or_init(|| Mentions::read(&self.entries[file].source))
    }

    /// Compiles those that were not yet.
    fn compile(&mut self, files: &[usize]) -> Result<(), ProjectError> {
        let missing: Vec<usize> = files.iter().copied().filter(|file| !self.modules.contains_key(file)).collect();
        let outputs = parallel::map(&missing, |&file| {
            let mut command = Command::new(self.clang.program());
            command.args(["-S", "-emit-llvm", "-O0", "-g0", "-o", "-", "-fno-color-diagnostics"]);
            command.args(spelunk_driver::OLD_C).args(&self.flags[file]).args(&self.wanted.cflags).arg("-w");
            let output = self.clang.run(command.arg(&self.entries[file].source))?;
            Ok::<_, ProjectError>(match output.status.success() {
                true => Ok(Module::read(&String::from_utf8_lossy(&output.stdout))),
                false => Err(output.stderr),
            })
        });
        for (file, output) in missing.into_iter().zip(outputs) {
            self.modules.insert(file, output?);
        }
        Ok(())
    }

    /// What a file defines that has to compile.
    fn module(&self, file: usize) -> Result<&Module, ProjectError> {
        self.modules[&file].as_ref().map_err(|diagnostics| {
            let source_name = self.name(file);
            match missing_header(&String::from_utf8_lossy(diagnostics)) {
                Some(header) => ProjectError::NoHeader { source_name, header, diagnostics: diagnostics.clone() },
                None => ProjectError::Compile { source_name, diagnostics: diagnostics.clone() },
            }
        })
    }

    fn link(&mut self, file: usize) {
        if !self.linked.contains(&file) {
            self.linked.push(file);
        }
    }

    /// Follows references from definition to definition, through as many files as it takes.
    fn follow(&mut self, roots: Vec<DefinedIn>, asked: &[usize]) -> Result<(), ProjectError> {
        let mut seen: FxHashSet<DefinedIn> = FxHashSet::default();
        let mut open = roots;
        let mut resolved: FxHashMap<String, Option<usize>> = FxHashMap::default();
        while !open.is_empty() {
            let mut needs: Vec<(String, usize)> = Vec::new();
            while let Some((file, name)) = open.pop() {
                if !seen.insert((file, name.clone())) {
                    continue;
                }
                let is_new = !self.linked.contains(&file);
                self.link(file);
                let module = self.module(file)?;
                let mut uses: Vec<&String> =
                    module.definitions.get(&name).map_or_else(Vec::new, |it| it.uses.iter().collect());
                if is_new {
                    uses.extend(&module.constructors);
                    if self.wanted.scope == Scope::WholeProgram {
                        uses.extend(module.definitions.keys());
                    }
                }
                uses.sort_unstable();
                for used in uses {
                    match module.definitions.contains_key(used) {
                        true => open.push((file, used.clone())),
                        false => needs.push((used.clone(), file)),
                    }
                }
            }
            needs.retain(|(name, _)| !resolved.contains_key(name));
            let likely = |file: &usize| needs.iter().any(|(name, _)| self.mentions(*file).seems_to_define(name));
            // All at once, since that is faster.
            let likely: Vec<usize> = (0..self.entries.len()).filter(likely).collect();
            self.compile(&likely)?;
            for (name, needed_by) in needs {
                // A name may be needed twice.
                if resolved.contains_key(&name) {
                    continue;
                }
                let found = self.resolve(&name, needed_by, asked)?;
                open.extend(found.map(|file| (file, name.clone())));
                resolved.insert(name, found);
            }
        }
        Ok(())
    }

    /// The file that a name is taken from; none if the build has none.
    fn resolve(&mut self, name: &str, needed_by: usize, asked: &[usize]) -> Result<Option<usize>, ProjectError> {
        let found = self.definers(name, &[], Strength::Weak)?;
        let group = &self.entries[needed_by].group;
        let has_no_main = |file: &usize| self.modules[file].as_ref().is_ok_and(|it| it.strength(MAIN).is_none());
        let preferences: [&dyn Fn(&usize) -> bool; 4] = [
            &|file| asked.contains(file),
            &|file| self.linked.contains(file),
            &|file| group.is_some() && self.entries[*file].group == *group,
            &has_no_main,
        ];
        let mut left = found;
        for prefers in preferences {
            let preferred: Vec<usize> = left.iter().copied().filter(prefers).collect();
            if !preferred.is_empty() {
                left = preferred;
            }
        }
        match left[..] {
            [] => Ok(None),
            [file] => Ok(Some(file)),
            _ => Err(ProjectError::AmbiguousNeed {
                name: name.to_owned(),
                needed_by: self.name(needed_by),
                path: self.build.path.clone(),
                candidates: left.iter().map(|&file| self.name(file)).collect(),
            }),
        }
    }

    fn selection(mut self, asked: &[usize]) -> Result<Selection, ProjectError> {
        // What was asked for comes first, whether a reference leads there or not.
        let is_asked = |file: &usize| asked.contains(file);
        let n_asked = match (&self.wanted.scope, asked) {
            (Scope::Files, []) => self.entries.len(),
            _ => asked.len(),
        };
        let rest = self.linked.iter().copied().filter(|file| !is_asked(file));
        let files: Vec<usize> = match self.wanted.scope {
            // The file with the function is the first, so that a `static` one of the name is found there.
            Scope::Functions(_) => {
                let mut files = self.linked.clone();
                files.extend(asked.iter().filter(|file| !self.linked.contains(file)));
                files
            }
            _ => asked.iter().copied().chain(rest).collect(),
        };
        let others: Vec<String> =
            files.iter().filter(|&&file| self.entries[file].has_others).map(|&file| self.name(file)).collect();
        let mut notes = std::mem::take(&mut self.notes);
        if !others.is_empty() {
            notes.push(format!(
                "the build compiles more than once, with different flags, of which the first are used: {}",
                others.join(", ")
            ));
        }
        Ok(Selection {
            sources: files.iter().map(|&file| short(&self.entries[file].source, self.directory)).collect(),
            flags: files.iter().map(|&file| self.flags[file].clone()).map(with_silence).collect(),
            n_asked,
            notes,
        })
    }
}

/// Warnings are the build's business.
fn with_silence(mut flags: Vec<String>) -> Vec<String> {
    flags.push("-w".to_owned());
    flags
}

/// Whether our own library has it, so that only a definition that is easily seen takes its place.
fn is_of_library(name: &str) -> bool {
    spelunk_libc::is_known(name) || spelunk_libc::rt_file_defining(name).is_some()
}

/// The header that clang did not find.
fn missing_header(diagnostics: &str) -> Option<String> {
    let line = diagnostics.lines().find(|line| line.ends_with("file not found"))?;
    line.split('\'').nth(1).map(str::to_owned)
}
