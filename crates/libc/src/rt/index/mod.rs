//! Which C file of the library defines which symbol, read off the sources (`tokens`, `macros`, `items`): part of the build script, so that
//! no start of the program has to read them.

mod items;
mod macros;
mod tokens;

use macros::{Defines, Macros};
use tokens::Source;

/// All symbols that the C files among these define for others, with the file of each, sorted.
pub fn index<'a>(sources: &[(&'a str, &str)]) -> Vec<(String, &'a str)> {
    let headers = sources.iter().filter(|(file, _)| file.ends_with(".h"));
    let headers = Defines::new(headers.flat_map(|(_, text)| Source::read(text).defines));
    let mut index = Vec::new();
    for &(file, text) in sources.iter().filter(|(file, _)| file.ends_with(".c")) {
        index.extend(definitions(text, &headers).into_iter().map(|symbol| (symbol, file)));
    }
    index.sort();
    index
}

/// The symbols that a C file defines for others.
fn definitions(text: &str, headers: &Defines) -> Vec<String> {
    let source = Source::read(text);
    let macros = Macros::new(headers, source.defines);
    items::definitions(macros.expand_top_level(source.tokens))
}
