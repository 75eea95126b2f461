//! Counts and templates of grammars that are known by hand.

use spelunk_grammar::read::{bison, ebnf, flex};
use spelunk_grammar::{Choices, Grammar, Lexer, Measure, Source, SymbolicGrammar, Templates};
use std::collections::HashSet;

const CALC: &str = r#"
%token LETTER NUMBER
%left '|'
%left '&'
%left '+' '-'
%left '*' '/' '%'
%right UMINUS
%%
e: '(' e ')' | e '*' e | e '/' e { $$ = $1 / $3; } | e '%' e | e '+' e | e '-' e
 | e '|' e | e '&' e | '-' e %prec UMINUS | LETTER { $$ = vars[$1]; } | NUMBER ;
"#;
const CALC_LEXER: &str =
    "%%\n[a-zA-Z] { return LETTER; }\n[0-9] { return NUMBER; }\n[-+*/%()|&] { return yytext[0]; }\n";

fn yacc(grammar: &str, lexer: &str) -> (Grammar, Lexer) {
    let (grammar, lexer) = (Source { name: "t.y", text: grammar }, Source { name: "t.l", text: lexer });
    (bison::read(grammar).unwrap(), flex::read(lexer).unwrap())
}

fn templates((grammar, lexer): (Grammar, Lexer), measure: Measure, max: usize) -> Templates {
    let choices = Choices { measure, ..Choices::default() };
    Templates::new(SymbolicGrammar::new(grammar, &lexer, &choices).unwrap(), Some(max))
}

fn counts(templates: &Templates) -> Vec<u64> {
    (1..templates.n_measures()).map(|m| templates.of_measure(m)).map(|range| range.end - range.start).collect()
}

/// All templates of a measure, with their holes marked.
fn shown(templates: &Templates, measure: usize) -> Vec<String> {
    let mut all = Vec::new();
    templates.each(templates.of_measure(measure), |_, _, template| {
        all.push(template.marked(&template.fill(&templates.symbolic, &[])));
        true
    });
    all.sort();
    all
}

fn own(text: &str) -> (Grammar, Lexer) {
    ebnf::read(Source { name: "t.g", text }).unwrap()
}

#[test]
fn simple_calc_by_length() {
    let calc = templates(yacc(CALC, CALC_LEXER), Measure::Length, 10);
    assert_eq!(counts(&calc), [1, 1, 9, 17, 96, 246, 1147, 3479, 14804, 49566]);
    let texts: Vec<u128> = calc.texts().into_iter().skip(1).take(8).collect();
    assert_eq!(texts, [62, 62, 27032, 54002, 11_839_830, 35_384_516, 5_209_201_250, 20_671_803_222]);
    assert_eq!(calc.symbolic.merged, [["LETTER", "NUMBER"]]);
    for length in 1..=6 {
        let all = shown(&calc, length);
        assert_eq!(all.len(), all.iter().collect::<HashSet<_>>().len(), "each once");
        assert_eq!(all.len() as u64, counts(&calc)[length - 1]);
    }
}

#[test]
fn simple_calc_by_size_and_by_height() {
    let by_size = templates(yacc(CALC, CALC_LEXER), Measure::Size, 7);
    assert_eq!(counts(&by_size), [1, 2, 11, 43, 191, 865, 3977]);
    // By the trees that the parser builds: `a+b+c+d` is no text of height 3.
    let by_height = templates(yacc(CALC, CALC_LEXER), Measure::Height, 3);
    assert_eq!(counts(&by_height), [1, 9, 316]);
}

/// The same language without precedence, in our own format: nothing is resolved, so that each text has all its derivations.
#[test]
fn ambiguous_grammars_give_each_text_once() {
    let text = r#"e : "(" e ")" | e "*" e | e "/" e | e "%" e | e "+" e | e "-" e | e "|" e | e "&" e | "-" e | /[a-zA-Z0-9]/ ;"#;
    let calc = templates(own(text), Measure::Length, 6);
    assert_eq!(counts(&calc), [1, 1, 9, 24, 166, 652], "derivations");
    let distinct: Vec<usize> = (1..=6).map(|length| shown(&calc, length).len()).collect();
    assert_eq!(distinct, [1, 1, 9, 17, 96, 246]);
    let by_size = templates(own(text), Measure::Size, 5);
    let distinct: Vec<usize> = (1..=5).map(|size| shown(&by_size, size).len()).collect();
    assert_eq!(distinct, [1, 2, 11, 43, 191]);
    let by_height = templates(own(text), Measure::Height, 3);
    assert_eq!(counts(&by_height).iter().sum::<u64>(), 721);
    assert_eq!((1..=3).map(|height| shown(&by_height, height).len()).sum::<usize>(), 665);
}

#[test]
fn sums_and_differences() {
    let sums = templates(own(r#"exp : num | exp "+" exp | exp "-" exp ; num : /[0-9]/ ;"#), Measure::Length, 5);
    assert_eq!(shown(&sums, 3), ["‹0›+‹0›", "‹0›-‹0›"]);
    assert_eq!(sums.texts()[1] + sums.texts()[3], 210);
    assert_eq!((counts(&sums)[4], shown(&sums, 5).len()), (8, 4));
}

#[test]
fn templates_are_found_by_number() {
    let calc = templates(yacc(CALC, CALC_LEXER), Measure::Size, 5);
    for measure in 1..=5 {
        calc.each(calc.of_measure(measure), |number, cursor, _| {
            let found = calc.cursor(number).unwrap();
            assert_eq!((found.leaves(), found.steps()), (cursor.leaves(), cursor.steps()), "number {number}");
            true
        });
    }
}

#[test]
fn the_longest_match_is_respected() {
    // Without blanks, two minus signs are one token.
    let grammar = "%token ID DEC\n%%\ne: ID | '-' e | DEC ;";
    let lexer = "%%\n\"--\" return DEC;\n[a-z] return ID;\n\"-\" return *yytext;\n";
    let all = templates(yacc(grammar, lexer), Measure::Length, 4);
    assert_eq!(shown(&all, 2), ["--", "-‹a›"]);
    assert_eq!(shown(&all, 3), Vec::<String>::new());
    let blanks = templates(yacc(grammar, &format!("{lexer}[ \\n] ;\n")), Measure::Length, 4);
    assert_eq!(shown(&blanks, 3), ["- --", "- -‹a›"]);
    // Keywords are no identifiers, and stand apart from them.
    let words = "%token IF ID\n%%\ns: IF ID ;";
    let words = templates(yacc(words, "%%\nif return IF;\n[a-z]+ return ID;\n\" \" ;\n"), Measure::Length, 4);
    assert_eq!(shown(&words, 4), ["if ‹aa›"]);
    assert_eq!(words.texts()[4], 675);
}

#[test]
fn the_dangling_else_belongs_to_the_inner_if() {
    let grammar = "%%\ns: 'i' s | 'i' s 'e' s | 'x' ;";
    let all = templates(yacc(grammar, "%%\n. return yytext[0];\n"), Measure::Length, 5);
    assert_eq!(counts(&all), [1, 1, 1, 2, 3]);
    assert_eq!(shown(&all, 5), ["iiiix", "iixex", "ixeix"]);
}

#[test]
fn lexers_return_tokens_with_a_prefix() {
    let grammar = "%define api.token.prefix {TOK_}\n%token <n> NUM \"number\"\n NAME ;\n%token IF \"if\" ;\n%%\ns: \"if\" e ; e: NUM | NAME ;";
    let lexer = "%%\nif return TOK_IF;\n[0-9] return TOK_NUM;\n[a-z]+ return TOK_NAME;\n\" \" continue;\n";
    let all = templates(yacc(grammar, lexer), Measure::Length, 3);
    assert_eq!(all.symbolic.merged, [["NUM", "NAME"]]);
    assert_eq!(counts(&all), [0, 0, 1]);
    assert!(shown(&all, 3)[0].starts_with("if ‹"), "{:?}", shown(&all, 3));
}

#[test]
fn holes_are_what_the_user_says() {
    let text = r#"s : SIGN NUM ; SIGN : "+" | "-" ; NUM : /[0-9]+/ ;"#;
    let with = |choices: Choices| {
        let (grammar, lexer) = own(text);
        let choices = Choices { measure: Measure::Length, ..choices };
        Templates::new(SymbolicGrammar::new(grammar, &lexer, &choices).unwrap(), Some(7))
    };
    assert_eq!(counts(&with(Choices::default())), [0, 2, 2, 2, 2, 0, 0], "words of up to four digits");
    let longer = Choices { hole_max_of: vec![("NUM".into(), 6)], ..Choices::default() };
    assert_eq!(counts(&with(longer)), [0, 2, 2, 2, 2, 2, 2]);
    let fixed = Choices { fixed: vec!["NUM".into()], hole_max: 1, ..Choices::default() };
    assert_eq!(counts(&with(fixed)), [0, 20, 0, 0, 0, 0, 0]);
}

#[test]
fn grammars_with_cycles_and_without_texts() {
    let cyclic = templates(own(r#"a : a | b | "x" ; b : a | "y" ;"#), Measure::Length, 3);
    assert_eq!(shown(&cyclic, 1), ["x", "y"]);
    assert_eq!(cyclic.lints().len(), 2);
    let entered = templates(own(r#"s : "z" b | a ; a : b | "x" ; b : a | "y" ;"#), Measure::Length, 3);
    assert_eq!(shown(&entered, 2), ["zx", "zy"], "wherever a cycle is entered");
    let (grammar, lexer) = own(r#"a : "x" a ;"#);
    let error = SymbolicGrammar::new(grammar, &lexer, &Choices::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("error: `a` derives no text: each of its derivations needs `a` again"),
        "{error}"
    );
    let empty = templates(own(r#"a : | a b ; b : | "x" ; c : "y" ;"#), Measure::Length, 3);
    assert_eq!((shown(&empty, 0), shown(&empty, 3)), (vec![String::new()], vec!["xxx".to_owned()]));
    assert!(empty.lints().iter().any(|it| it.message == "rule `c` is never used"));
    let unused = templates(own("a : B ; B : /x|y/ ; C : /z/ ;"), Measure::Length, 3);
    assert_eq!(unused.lints().iter().map(|it| &it.message[..]).collect::<Vec<_>>(), ["token `C` is never used"]);
    // The empty word is no word of a token.
    let stars = templates(own("b : a ; a : /x*/ ;"), Measure::Length, 2);
    assert_eq!(counts(&stars), [1, 1]);
    assert_eq!(shown(&stars, 0), Vec::<String>::new());
    let (grammar, lexer) = own("b : a ; a : /x{0}/ ;");
    let error = SymbolicGrammar::new(grammar, &lexer, &Choices::default()).unwrap_err();
    assert!(error.to_string().contains("`b` derives no text"), "{error}");
}
