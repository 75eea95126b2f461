//! How the input of a test comes to the program.

use spelunk_concolic::program_inputs::Concrete;
use spelunk_native::is_given;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::InputObject;

#[derive(Debug)]
pub struct Given<'a> {
    /// Arguments, standard input and files, which are there from the start.
    pub concrete: Concrete,
    /// What the program asks for, in that order.
    pub asked: Vec<Asked<'a>>,
    /// Parameters of the function that is tested, and what they lead to.
    pub graph: Vec<&'a InputObject>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked<'a> {
    /// As the program says it: inputs of one name are not told apart.
    pub name: &'a str,
    pub bytes: &'a [u8],
}

impl<'a> Given<'a> {
    pub fn of(test: &'a TestCase) -> Self {
        let inputs = test.setup.inputs();
        let (graph, asked): (Vec<_>, Vec<_>) = test.input.iter().partition(|object| object.ty.is_some());
        let asked = asked.into_iter().filter(|object| !is_given(&inputs, &object.name));
        Self {
            concrete: inputs.concrete(&test.input()),
            asked: asked.map(|object| Asked { name: plain_name(&object.name), bytes: &object.bytes }).collect(),
            graph,
        }
    }
}

/// A name without the number that tells inputs of one name apart.
fn plain_name(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((plain, number)) if number.parse::<u32>().is_ok_and(|number| number >= 2) => plain,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_tell_inputs_apart_are_no_part_of_names() {
        assert_eq!(["n", "n#2", "n#13", "n#1", "#2", "a#b"].map(plain_name), ["n", "n", "n", "n#1", "", "a#b"]);
    }
}
