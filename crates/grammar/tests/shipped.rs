//! The grammars of `examples/grammars`: each text has one derivation, and the first ones are what one would expect.

use spelunk_grammar::read::ebnf;
use spelunk_grammar::{Choices, Source, SymbolicGrammar, Templates};
use std::path::Path;

fn templates(name: &str) -> Templates {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/grammars").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let (grammar, lexer) = ebnf::read(Source { name, text: &text }).unwrap_or_else(|error| panic!("{error}"));
    let symbolic = SymbolicGrammar::new(grammar, &lexer, &Choices { hole_max: 1, ..Choices::default() });
    Templates::new(symbolic.unwrap_or_else(|error| panic!("{error}")), Some(30))
}

#[test]
fn no_text_has_two_derivations() {
    for (name, first) in [
        ("arithmetic.g", "‹0›"),
        ("clike.g", "int ‹a›(){}"),
        ("csv.g", "\\r\\n"),
        ("ftp.g", "CWD\\r\\n"),
        ("http.g", "‹GET› ‹/› HTTP/1.‹0›\\r\\n\\r\\n"),
        ("ini.g", ""),
        ("json.g", "‹\"\"›"),
        ("sexp.g", "‹a›"),
        ("url.g", "http://‹a›"),
    ] {
        let templates = templates(name);
        assert!(!templates.symbolic.may_repeat, "{name} is ambiguous");
        assert_eq!(templates.lints(), [], "{name}");
        let measure = (0..templates.n_measures()).find(|&m| !templates.of_measure(m).is_empty()).unwrap();
        let mut shown = None;
        templates.each(templates.of_measure(measure), |_, _, template| {
            shown = Some(template.marked(&template.fill(&templates.symbolic, &[])));
            false
        });
        assert_eq!(shown.as_deref(), Some(first), "{name}");
    }
}
