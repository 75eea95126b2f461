//! How the input of a test comes to the program.

use spelunk_concolic::program_inputs::Concrete;
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
        let asked = asked.into_iter().filter(|object| !object.is_given() && !test.is_template(object));
        Self {
            concrete: inputs.concrete(&test.input()),
            asked: asked.map(|object| Asked { name: object.label(), bytes: &object.bytes }).collect(),
            graph,
        }
    }
}
