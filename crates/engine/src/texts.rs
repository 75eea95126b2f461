//! Grammars of inputs: files become templates, and these a theory.

use crate::{EngineError, Plan, Subject};
use spelunk_concolic::theories::texts::{MAX_TEMPLATES, Text, Texts};
use spelunk_concolic::{ObjectKey, Root};
use spelunk_explore::campaign::Outcome;
use spelunk_explore::ledger::Loss;
use spelunk_grammar::model::{LexAction, LexRule};
use spelunk_grammar::read::{bison, ebnf, flex};
use spelunk_grammar::{Choices, Diagnostic, Grammar, Lexer, Measure, Severity, Source, SymbolicGrammar, Templates};
use spelunk_report::suite::summary::{Ratio, TextSummary};
use spelunk_report::suite::{TextInput, TextSetup};
use std::sync::Arc;

/// The grammar of an input, with the templates that the user wants.
pub fn templates(setup: &TextSetup) -> Result<Templates, Diagnostic> {
    let (grammar, lexer) = read(setup)?;
    let choices = Choices {
        measure: Measure::ALL.into_iter().find(|it| it.name() == setup.measure).unwrap_or_default(),
        hole_max: setup.hole_max as usize,
        hole_max_of: setup.hole_max_of.iter().map(|(token, max)| (token.clone(), *max as usize)).collect(),
        holes: setup.holes.clone(),
        fixed: setup.fixed.clone(),
        merges: !setup.split_holes,
    };
    let max = setup.max.map(|max| max as usize);
    Ok(Templates::new(SymbolicGrammar::new(grammar, &lexer, &choices)?, max))
}

fn read(setup: &TextSetup) -> Result<(Grammar, Lexer), Diagnostic> {
    let source = |(name, text): &'_ (String, String)| -> (String, String) { (name.clone(), text.clone()) };
    let (name, text) = source(&setup.grammar);
    let grammar = Source { name: &name, text: &text };
    let is_yacc = name.ends_with(".y") || name.ends_with(".yy") || name.ends_with(".ypp");
    let (grammar, mut lexer) = if is_yacc {
        (bison::read(grammar)?, Lexer { is_longest_match: true, ..Lexer::default() })
    } else {
        ebnf::read(grammar)?
    };
    if let Some((name, text)) = &setup.lexer {
        let own = std::mem::take(&mut lexer.rules);
        lexer = flex::read(Source { name, text })?;
        lexer.rules.extend(own);
    }
    let said = setup.tokens.iter().map(|said| token(said)).collect::<Result<Vec<_>, _>>()?;
    lexer.rules.splice(0..0, said);
    Ok((grammar, lexer))
}

/// `NAME=PATTERN`.
fn token(said: &str) -> Result<LexRule, Diagnostic> {
    let wrong = |message: String| Diagnostic::new(Severity::Error, message);
    let (name, pattern) = said.split_once('=').ok_or_else(|| wrong(format!("`{said}` is not NAME=PATTERN")))?;
    let text = format!("token : /{}/ ;\ns : token ;", pattern.replace('/', "\\/"));
    let (_, lexer) = ebnf::read(Source { name: "--token", text: &text })?;
    let rule = lexer.rules.into_iter().next().expect("it has one");
    Ok(LexRule { action: LexAction::Token(vec![name.to_owned()]), ..rule })
}

/// What a campaign has done with texts.
pub(crate) fn summary(texts: &Texts, outcome: &Outcome) -> Vec<TextSummary> {
    let is_lost = |loss| {
        matches!(loss, Loss::SolverUnknown | Loss::Divergence | Loss::Internal | Loss::Unsupported | Loss::Limit)
    };
    let is_known = outcome.is_accounted && !outcome.ledger.entries().iter().any(|entry| is_lost(entry.loss));
    let of_text = |text: &Arc<Text>| {
        let templates = &text.templates;
        let has_any = |measure: &usize| templates.of_measure(*measure).end > 0;
        let complete_up_to = text.complete_up_to().filter(|measure| is_known && has_any(measure));
        let last = complete_up_to.map(|measure| templates.of_measure(measure).end);
        TextSummary {
            input: text.name.clone(),
            measure: templates.symbolic.measure.name().to_owned(),
            complete_up_to,
            templates: last.unwrap_or(0),
            productions: Ratio { covered: text.n_covered() as u64, total: templates.n_productions() as u64 },
        }
    };
    texts.0.iter().map(of_text).collect()
}

/// Leaves out what no campaign comes to, or this one shall not; says so.
fn cut(templates: &mut Templates, setup: &TextSetup, name: &str) -> Result<Option<Diagnostic>, Diagnostic> {
    let all = templates.len();
    let is_cut = templates.cut(setup.max_templates.unwrap_or(MAX_TEMPLATES).min(MAX_TEMPLATES));
    let (measure, n) = (templates.symbolic.measure.name(), templates.len());
    if n > MAX_TEMPLATES {
        let message = format!(
            "the smallest texts of {name} have {n} templates, and {MAX_TEMPLATES} are the most: leave more tokens as holes"
        );
        return Err(Diagnostic::new(Severity::Error, message));
    }
    let largest = templates.n_measures().saturating_sub(1);
    let message = match (setup.max, setup.max_templates) {
        _ if !is_cut => return Ok(None),
        (Some(max), _) => format!(
            "there are {all} templates or more for {name} up to {measure} {max}, and {MAX_TEMPLATES} are the most: only texts up to {measure} {largest} are explored"
        ),
        (None, Some(_)) => format!(
            "without a bound, only texts of {name} up to {measure} {largest} are explored ({n} templates): --max-{measure} sets another bound, with --time texts become larger until the time is up"
        ),
        // Texts become larger until the time is up: it will be before these.
        (None, None) => return Ok(None),
    };
    Ok(Some(Diagnostic::new(Severity::Note, message)))
}

/// The theory of the texts of a plan, and what to tell the user about it.
pub(crate) fn of_plan(plan: &Plan, subjects: &[Subject]) -> Result<(Texts, Vec<Diagnostic>), EngineError> {
    let mut notes = Vec::new();
    let mut text = |setup: &TextSetup| {
        let (key, name) = match &setup.input {
            TextInput::Stdin => (ObjectKey::of_root(Root::Stdin), "stdin".to_owned()),
            TextInput::Arg(number) => (ObjectKey::of_root(Root::Arg(*number)), format!("arg{number}")),
            TextInput::File(number) => {
                let name = plan.setup.symbolic_files.get(*number as usize).map(|file| file.0.clone());
                (ObjectKey::of_root(Root::File(*number)), name.unwrap_or_default())
            }
            TextInput::Param(name) => {
                let params = subjects
                    .iter()
                    .filter_map(|subject| subject.unit.as_ref())
                    .flat_map(|unit| (0..).zip(&unit.params));
                let number = params.filter(|(_, param)| *param.name == **name).map(|(number, _)| number).next();
                let missing = || EngineError::AboutNothing { setting: format!("{name}=grammar:{}", setup.grammar.0) };
                (ObjectKey::of_root(Root::Param(number.ok_or_else(missing)?)).behind(0), format!("*{name}"))
            }
        };
        let mut templates = templates(setup).map_err(EngineError::Grammar)?;
        if let Some(cut) = cut(&mut templates, setup, &name).map_err(EngineError::Grammar)? {
            notes.push(cut);
        }
        let mut text = Text::new(key, name, templates);
        text.is_file = setup.input.as_file().is_some();
        text.is_free = setup.free_holes;
        if let TextInput::Arg(number) = setup.input {
            text.max_len = plan.setup.inputs().arg_len(number) as usize;
        }
        Ok::<_, EngineError>(Arc::new(text))
    };
    let texts = plan.setup.texts.iter().map(&mut text).collect::<Result<_, _>>()?;
    Ok((Texts(texts), notes))
}
