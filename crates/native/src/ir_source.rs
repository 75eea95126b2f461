//! Sources that are LLVM IR: no C can stand behind them, and clang instruments only functions that ask for it.

use std::fmt::Write;

use spelunk_ir::debug::{CType, CTypeId, DebugInfo, Subprogram};

use crate::error::NativeError;

/// The text with every function asking for a sanitizer. Those without a group of attributes, which clang always writes, stay
/// as they are.
pub fn instrumented(text: &str, attribute: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.split_once('{').filter(|(start, _)| start.starts_with("attributes #")) {
            Some((start, rest)) => write!(all, "{start}{{ {attribute}{rest}").expect("a string grows"),
            None => all.push_str(line),
        }
    }
    all
}

/// What makes a function known to C under a name of ours. Pointers lead to nothing that has a name there.
pub fn declaration(
    debug: &DebugInfo<'_>,
    subprogram: &Subprogram<'_>,
    symbol: &str,
    name: &str,
) -> Result<String, NativeError> {
    let params = subprogram.params.iter().map(|param| passed(debug, symbol, param.ty));
    let params = params.collect::<Result<Vec<_>, _>>()?.join(", ");
    let params = if params.is_empty() { "void" } else { &params };
    let result = passed(debug, symbol, subprogram.ret)?;
    Ok(format!("{result} {name}({params}) __asm__(\"{symbol}\");\n"))
}

/// How a value of a type is passed.
pub fn passed(debug: &DebugInfo<'_>, function: &str, ty: CTypeId) -> Result<String, NativeError> {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Void => Ok("void".to_owned()),
        CType::Base { name, .. } => Ok(name.to_owned()),
        CType::Pointer { .. } => Ok("void *".to_owned()),
        CType::Enum { .. } => Ok("int".to_owned()),
        _ => Err(NativeError::NoName { function: function.to_owned(), ty: debug.type_name(ty) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_attributes_asks_for_the_sanitizer() {
        let text = "define i32 @f() #0 {\n  ret i32 0\n}\nattributes #0 = { noinline }\n";
        let expected = "define i32 @f() #0 {\n  ret i32 0\n}\nattributes #0 = { sanitize_address noinline }\n";
        assert_eq!(instrumented(text, "sanitize_address"), expected);
    }
}
