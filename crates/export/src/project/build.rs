//! What builds a project: a makefile, or a project for CMake. Both compile the same units with the same flags.

use std::fmt::Write;

use super::loops::{script_path, told_name};
use super::runner::Listed;
use super::sources::{Sources, Word};
use crate::Format;

/// What a project is built from.
pub struct Build<'a> {
    pub format: Format,
    pub compiler: String,
    pub sources: &'a Sources,
    /// The source that the tests include, and so is no unit of its own.
    pub included: Option<usize>,
    /// Units of ours in `support`.
    pub support: Vec<String>,
    /// The sources that are compiled with calls in their loops.
    pub told: &'a [usize],
    pub wraps_main: bool,
    pub finds_overflows: bool,
    pub suite: &'a str,
}

/// A library that tests are written with.
struct Library {
    name: &'static str,
    package: &'static str,
    debian: &'static str,
}

impl Build<'_> {
    /// Errors that the campaign has not looked for are none of the tests'.
    fn sanitizers(&self) -> Vec<&'static str> {
        let mut flags = vec!["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        flags.push("-fno-sanitize=alignment,pointer-overflow,shift-base,object-size,float-cast-overflow");
        if !self.finds_overflows {
            flags.push("-fno-sanitize=signed-integer-overflow");
        }
        flags
    }

    fn library(&self) -> Option<Library> {
        match self.format {
            Format::Cmocka => Some(Library { name: "CMocka", package: "cmocka", debian: "libcmocka-dev" }),
            Format::Check => Some(Library { name: "Check", package: "check", debian: "check" }),
            Format::Gtest => Some(Library { name: "GoogleTest", package: "gtest", debian: "libgtest-dev" }),
            _ => None,
        }
    }

    /// The sources that are units of their own.
    fn units(&self) -> impl Iterator<Item = (usize, &Word)> {
        self.sources.files.iter().enumerate().filter(|(number, _)| self.included != Some(*number))
    }

    /// How tests include a source.
    pub fn include(&self, number: usize) -> String {
        if self.told.contains(&number) { told_name(number) } else { self.sources.include(number) }
    }

    /// The directories of sources that are compiled elsewhere, for what they include.
    fn directories(&self) -> Vec<Word> {
        let directory = |&number: &usize| match &self.sources.files[number] {
            Word::Plain(path) => Word::Plain(parent(path).to_owned()),
            Word::InSources { before, path } => {
                Word::InSources { before: before.clone(), path: parent(path).to_owned() }
            }
        };
        self.told.iter().map(directory).collect()
    }

    pub fn makefile(&self) -> String {
        let words = |words: &[Word]| words.iter().map(|word| make_word(word, "$(SRC)")).collect::<Vec<_>>().join(" ");
        let mut text = format!(
            "# Builds the tests of {}; `make check` runs them. `make CC=gcc` takes another compiler.\n\n\
             # Where the program's sources are.\nSRC = {}\nCC = {}\n",
            self.suite,
            make_text(&self.sources.root.display().to_string()),
            make_text(&self.compiler),
        );
        if self.format == Format::Gtest {
            text.push_str("CXX = $(if $(findstring clang,$(CC)),$(subst clang,clang++,$(CC)),g++)\n");
        }
        write!(
            text,
            "CFLAGS = -g -Wall -Wextra\nSANITIZE = {}\n# The program's own.\nPROGRAM_FLAGS = {}\nLDLIBS = {}\n",
            self.sanitizers().join(" "),
            words(&self.sources.flags),
            std::iter::once(words(&self.sources.linker_flags))
                .chain(["-lm".to_owned()])
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
        )
        .expect("a string grows");
        if let Some(library) = self.library() {
            write!(
                text,
                "LIBRARY := $(shell pkg-config --libs {0} 2>/dev/null)\nifeq ($(LIBRARY),)\n\
                 $(error {1} was not found: install it and pkg-config (Debian: apt-get install {2} pkg-config))\nendif\n",
                library.package, library.name, library.debian
            )
            .expect("a string grows");
        }
        text.push_str(&self.rules());
        text
    }

    fn rules(&self) -> String {
        let mut objects = vec!["build/tests.o".to_owned()];
        let mut rules = String::new();
        let source = |number: usize| match self.told.contains(&number) {
            true => format!("build/{}", told_name(number)),
            false => make_path(&self.sources.files[number]),
        };
        let included = self.included.map(source);
        let tested = included.iter().flat_map(|path| ["tested.h", path]).collect::<Vec<_>>().join(" ");
        let mut rule = |object: String, needs: String, command: &str| {
            write!(rules, "\n{object}: {needs} | build\n\t{command} -c $< -o $@\n").expect("a string grows");
            objects.push(object);
        };
        let mut include = "-iquote support -iquote $(SRC) -idirafter include".to_owned();
        for directory in self.directories() {
            write!(include, " -iquote build -iquote {}", make_word(&directory, "$(SRC)")).expect("a string grows");
        }
        for (number, _) in self.units() {
            let command = format!("$(CC) -g $(SANITIZE) {}$(PROGRAM_FLAGS) {include}", self.own_make_flags(number));
            rule(format!("build/program{number}.o"), source(number), &command);
        }
        for unit in &self.support {
            rule(
                format!("build/{unit}.o"),
                format!("support/{unit}.c support/inputs.h"),
                "$(CC) $(CFLAGS) -fno-builtin",
            );
        }
        if self.format == Format::Gtest {
            let flags = "$(CXX) $(CFLAGS) $(SANITIZE) $(shell pkg-config --cflags gtest) -iquote support";
            rule("build/gtests.o".to_owned(), "gtests.cpp".to_owned(), flags);
        }
        let linker = if self.format == Format::Gtest { "$(CXX)" } else { "$(CC)" };
        let library = if self.library().is_some() { " $(LIBRARY)" } else { "" };
        let wrap = if self.wraps_main { " -Wl,--wrap=main" } else { "" };
        let tests = format!(
            "\nbuild/tests.o: tests.c support/spelunk_test.h {tested} | build\n\t\
             $(CC) $(CFLAGS) $(SANITIZE) {}$(PROGRAM_FLAGS) {include} -c $< -o $@\n",
            self.included.map(|number| self.own_make_flags(number)).unwrap_or_default()
        );
        for &number in self.told {
            let (script, path) = (script_path(number), make_path(&self.sources.files[number]));
            write!(rules, "\n{}: {path} {script} | build\n\tsed -f {script} '$<' > $@\n", source(number))
                .expect("a string grows");
        }
        format!(
            "\nOBJECTS = {}\n\ntests: $(OBJECTS)\n\t{linker} $(SANITIZE){wrap} $(OBJECTS){library} $(LDLIBS) -o $@\n{tests}{rules}\n\
             build:\n\tmkdir -p build\n\ncheck: tests\n\t./tests\n\nclean:\n\trm -rf build tests\n\n.PHONY: check clean\n",
            objects.join(" "),
        )
    }

    /// What one file has of its own, each with a space behind.
    fn own_make_flags(&self, number: usize) -> String {
        self.sources.own_flags(number).iter().map(|word| make_word(word, "$(SRC)") + " ").collect()
    }

    /// The same for CMake.
    fn own_cmake_flags(&self) -> String {
        let mut text = String::new();
        let tests = self.included.map(|number| (number, "tests.c".to_owned()));
        let units = self.units().map(|(number, _)| (number, self.cmake_source(number)));
        for (number, file) in units.chain(tests) {
            let flags: String =
                self.sources.own_flags(number).iter().map(|word| format!("\n  {}", cmake_word(word))).collect();
            if !flags.is_empty() {
                writeln!(text, "set_property(SOURCE {file} APPEND PROPERTY COMPILE_OPTIONS{flags})")
                    .expect("a string grows");
            }
        }
        text
    }

    pub fn cmake(&self, tests: &[Listed]) -> String {
        let words = |words: &[Word]| words.iter().map(|word| format!("\n  {}", cmake_word(word))).collect::<String>();
        let list = |flags: &[&str]| flags.iter().map(|flag| format!("\n  {flag}")).collect::<String>();
        let units: String = self.units().map(|(number, _)| format!("\n  {}", self.cmake_source(number))).collect();
        let support: String = self.support.iter().map(|unit| format!("\n  support/{unit}.c")).collect();
        let mut text = format!(
            "# Builds the tests of {suite}. To run them: cmake -B build && cmake --build build && ctest --test-dir build\n\
             cmake_minimum_required(VERSION 3.16)\n\
             if(NOT DEFINED CMAKE_C_COMPILER AND NOT DEFINED ENV{{CC}})\n  set(CMAKE_C_COMPILER {compiler})\nendif()\n\
             project(spelunk_tests C)\nenable_testing()\n\n\
             # Where the program's sources are.\nset(SRC {root})\n\
             set(SANITIZE{sanitize})\n# The program's own.\nset(PROGRAM_FLAGS{flags})\n\
             set(INCLUDE\n  \"SHELL:-iquote ${{CMAKE_CURRENT_SOURCE_DIR}}/support\"\n  \"SHELL:-iquote ${{SRC}}\"\n  \
             \"SHELL:-idirafter ${{CMAKE_CURRENT_SOURCE_DIR}}/include\"{told})\n\n",
            suite = self.suite,
            compiler = self.compiler,
            root = self.cmake_root(),
            sanitize = list(&self.sanitizers()),
            flags = words(&self.sources.flags),
            told = self
                .directories()
                .iter()
                .map(|directory| format!(
                    "\n  \"SHELL:-iquote ${{CMAKE_CURRENT_BINARY_DIR}}\"\n  \"SHELL:-iquote {}\"",
                    cmake_word(directory).trim_matches('"')
                ))
                .collect::<String>(),
        );
        for &number in self.told {
            let told = self.cmake_source(number);
            let (script, source) = (script_path(number), cmake_word(&self.sources.files[number]));
            writeln!(
                text,
                "add_custom_command(OUTPUT {told}\n  COMMAND sed -f ${{CMAKE_CURRENT_SOURCE_DIR}}/{script} {source} > {told}\n  \
                 DEPENDS ${{CMAKE_CURRENT_SOURCE_DIR}}/{script} {source})"
            )
            .expect("a string grows");
            if self.included == Some(number) {
                writeln!(text, "set_property(SOURCE tests.c APPEND PROPERTY OBJECT_DEPENDS {told})")
                    .expect("a string grows");
            }
        }
        let mut parts = vec!["$<TARGET_OBJECTS:support>"];
        if !units.is_empty() {
            write!(
                text,
                "add_library(program OBJECT{units})\n\
                 target_compile_options(program PRIVATE -g ${{SANITIZE}} ${{PROGRAM_FLAGS}} ${{INCLUDE}})\n\n"
            )
            .expect("a string grows");
            parts.push("$<TARGET_OBJECTS:program>");
        }
        text.push_str(&self.own_cmake_flags());
        let wrap = if self.wraps_main { " -Wl,--wrap=main" } else { "" };
        write!(
            text,
            "add_library(support OBJECT{support})\n\
             target_compile_options(support PRIVATE -g -Wall -Wextra -fno-builtin)\n\n\
             add_executable(tests tests.c {})\n\
             target_compile_options(tests PRIVATE -g -Wall -Wextra ${{SANITIZE}} ${{PROGRAM_FLAGS}} ${{INCLUDE}})\n\
             target_link_options(tests PRIVATE ${{SANITIZE}}{wrap})\n\
             target_link_libraries(tests PRIVATE{} m)\n\n",
            parts.join(" "),
            self.sources.linker_flags.iter().map(|word| format!(" {}", cmake_word(word))).collect::<String>(),
        )
        .expect("a string grows");
        for test in tests {
            writeln!(text, "add_test(NAME {0} COMMAND tests {0})", test.name).expect("a string grows");
        }
        text
    }

    fn cmake_source(&self, number: usize) -> String {
        match self.told.contains(&number) {
            true => format!("${{CMAKE_CURRENT_BINARY_DIR}}/{}", told_name(number)),
            false => cmake_word(&self.sources.files[number]),
        }
    }

    fn cmake_root(&self) -> String {
        let root = self.sources.root.display().to_string();
        if self.sources.root.is_absolute() {
            cmake_text(&root)
        } else {
            format!("\"${{CMAKE_CURRENT_SOURCE_DIR}}/{root}\"")
        }
    }
}

/// The directory of a file.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

/// As `make` and a shell read it.
fn make_word(word: &Word, root: &str) -> String {
    match word {
        Word::Plain(text) => make_text(text),
        Word::InSources { before, path } => format!("{before}{root}/{}", make_text(path)),
    }
}

/// A file that a rule needs.
fn make_path(word: &Word) -> String {
    let spaces = |text: &str| text.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ");
    match word {
        Word::Plain(text) => spaces(text),
        Word::InSources { path, .. } => format!("$(SRC)/{}", spaces(path)),
    }
}

fn make_text(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_=+./,:@%".contains(character);
    let text = text.replace('$', "$$");
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''").replace('#', "\\#")) }
}

fn cmake_word(word: &Word) -> String {
    match word {
        Word::Plain(text) => cmake_text(text),
        Word::InSources { before, path } => {
            let text = cmake_text(path);
            format!("\"{before}${{SRC}}/{}\"", text.trim_matches('"'))
        }
    }
}

fn cmake_text(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|character| {
            let needs = matches!(character, '"' | '\\' | '$' | ';');
            needs.then_some('\\').into_iter().chain([character])
        })
        .collect();
    format!("\"{escaped}\"")
}
