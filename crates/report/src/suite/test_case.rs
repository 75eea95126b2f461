//! One test as a file: what the program is given, what it decides, and how it ends.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Of the files written; readers refuse others.
pub const VERSION: u32 = 1;

/// The limit of a path that was put aside and not followed to its end.
pub const PUT_ASIDE: &str = "put aside";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestCase {
    pub version: u32,
    /// The function that is called.
    pub entry: String,
    /// How that function is tested, unless it is the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitSetup>,
    #[serde(default)]
    pub setup: Setup,
    /// The calls as C code, if they are a sequence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<String>,
    /// In the order in which the program makes them.
    pub input: Vec<InputObject>,
    /// Those of them that are texts of a grammar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextShown>,
    /// After how many steps a sequence of calls was over, the last one perhaps under way, if there are more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// What of the input was memory that the program had not initialised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uninitialised: Vec<Unset>,
    pub decisions: Vec<Decision>,
    pub end: End,
    /// If it ends in a loop that is never left: states that it stays in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stays_in: Option<LoopSet>,
    /// If it ends in a bug: functions without a definition whose results led there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made_up: Vec<String>,
    /// If it ends in an access past the end of an object of which nobody has said how large it is: that object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_size: Option<String>,
    /// What the run got to know that this machine has said, in words: files, and where it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_machine: Vec<OfMachine>,
    pub instructions: u64,
    /// What the calls of a unit did, if all of them have returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}

/// How the program is started, in all tests of a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// Arguments that are the same in all runs, without the program's name.
    pub args: Vec<String>,
    /// Arguments from the input: the fewest, the most, and how long each can be.
    pub symbolic_args: Vec<(u32, u32, u32)>,
    /// Bytes of standard input from the input.
    pub symbolic_stdin: Option<u32>,
    /// Files from the input, with their sizes.
    pub symbolic_files: Vec<(String, u32)>,
    /// Whether paths end at calls of functions that nobody defines, which otherwise return an input.
    #[serde(default)]
    pub no_stubs: bool,
    /// Whether values that were not initialised are input, and not errors.
    #[serde(default)]
    pub uninitialised_input: bool,
    /// Whether the library looks for the end of a string byte by byte.
    #[serde(default)]
    pub bytewise_strings: bool,
    /// Whether loops over strings are done at once.
    #[serde(default)]
    pub loops_at_once: bool,
    /// Bytes that a run may use.
    #[serde(default)]
    pub max_memory: Option<u64>,
    /// Operations after which a run is ended.
    #[serde(default)]
    pub max_steps: Option<u64>,
    /// Inputs that are texts of a grammar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextSetup>,
}

/// An input that is a text of a grammar, with all that the user has said of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TextSetup {
    pub input: TextInput,
    /// The name of the file, and the text.
    pub grammar: (String, String),
    pub lexer: Option<(String, String)>,
    /// `NAME=PATTERN` each.
    pub tokens: Vec<String>,
    /// `size`, `length` or `height`, and the largest.
    pub measure: String,
    pub max: Option<u64>,
    /// Without a largest: the largest with at most so many templates, if the campaign is to end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_templates: Option<u64>,
    /// The longest word of holes, and of those of some tokens.
    pub hole_max: u64,
    pub hole_max_of: Vec<(String, u64)>,
    pub holes: Vec<String>,
    pub fixed: Vec<String>,
    pub split_holes: bool,
    pub free_holes: bool,
}

/// A text of a grammar, for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TextShown {
    /// The name of the input.
    pub input: String,
    /// The name of the input that says which template it has: nothing that the program is given.
    pub number: String,
    /// With its holes marked: `‹1›+‹x›`.
    pub text: String,
    /// Productions and how deep they are in the derivation, from the top left on.
    pub derivation: Vec<(u32, String)>,
}

/// Which input is a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextInput {
    #[default]
    Stdin,
    /// By its number among the arguments that are input.
    Arg(u32),
    /// By its number among the files that are input.
    File(u32),
    /// What a parameter of the function under test leads to.
    Param(String),
}

/// What is called besides the function, and what the user said of its parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct UnitSetup {
    pub assume: Vec<String>,
    pub ensure: Vec<String>,
    /// `NAME=SETTING` each.
    pub params: Vec<String>,
    /// Those of them that nobody said: guessed from names and code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guessed: Vec<String>,
    /// Whether more of them are to be guessed; never in what is stored.
    #[serde(skip)]
    pub guesses: bool,
    /// Whether something is to be reached, for which guessed buffers are larger; never in what is stored.
    #[serde(skip)]
    pub has_targets: bool,
    /// Variables of the program that are inputs, as `NAME` or `NAME=SETTING`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<String>,
    /// Functions that are called one after another instead of the entry, and how many calls that makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub length: u32,
    /// Whether nobody has named these functions: they make and work on one structure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_family: bool,
    pub seed: u64,
    /// As many objects of one type may lie behind each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nesting: Option<u32>,
    #[serde(default, skip_serializing_if = "HeapSetup::is_usual")]
    pub heap: HeapSetup,
}

/// How pointers to records are decided.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HeapSetup {
    pub lazy: bool,
    /// Whether the solver says which pointers are one, and not the path.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub maps: bool,
    /// Specifications in HEX, whole: the name of the file, and the text.
    pub rules: Vec<(String, String)>,
    /// `TYPE=N` each.
    pub objects: Vec<String>,
    /// A function that says of an input whether it is valid.
    pub audit: Option<String>,
    /// Where pointers may overlap; as usual if it is empty.
    pub overlap: String,
}

impl HeapSetup {
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

fn is_zero<T: Copy + Into<u64>>(number: &T) -> bool {
    (*number).into() == 0
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputObject {
    pub name: String,
    /// Which object it is: names are for people, and unique in a test. Files of earlier versions have keys for objects of graphs
    /// alone; people who write tests may leave them out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ObjectKey>,
    /// Its C type, or that of its elements, as `types.json` has it.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// Where it was in the run, if pointers may lead to it: numbers that were made from addresses are among the bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub address: u64,
    #[serde(with = "hex_bytes")]
    pub bytes: Vec<u8>,
    /// Pointers in it, whose bytes are zero: `[offset, object, bytes from the object's start]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<(u32, String, u64)>,
    /// The offsets of pointers in it that the path does not depend on: any others that are valid would do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<u32>,
}

/// Where an object comes from, and if pointers lead to it, the offset of each in the object before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectKey {
    #[serde(flatten)]
    pub root: Root,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<u32>,
    /// Which of several that are alike.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spare: u32,
}

/// What no pointer leads to. Numbers tell apart what the program made one after another under one label.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// A parameter of the unit.
    Param(u32),
    /// What a function returned that nobody defines.
    Result(String, u32),
    /// An argument of the program.
    Arg(u32),
    /// How many arguments there are beyond the least number.
    ArgCount(()),
    Stdin(()),
    /// A file of [`Setup::symbolic_files`].
    File(u32),
    /// What the program asked for.
    Area(String, u32),
    /// What was read before it was written.
    Uninitialised(u32),
}

impl TestCase {
    /// Whether an object only says which template a text has.
    pub fn is_template(&self, object: &InputObject) -> bool {
        self.texts.iter().any(|text| text.number == object.name)
    }

    /// The objects that are text, by their names.
    pub fn texts(&self) -> BTreeSet<String> {
        self.input.iter().filter(|object| object.is_text()).map(|object| object.name.clone()).collect()
    }
}

impl InputObject {
    /// Whether it is text: several characters of C, an argument, or what is read if most of it can be read by people.
    fn is_text(&self) -> bool {
        let is_printed = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        match self.key.as_ref().map(|key| &key.root) {
            Some(Root::Arg(_)) => true,
            Some(Root::Stdin(()) | Root::File(_)) => {
                let (printed, others): (Vec<u8>, Vec<u8>) =
                    self.bytes.iter().filter(|byte| **byte != 0).partition(|byte| is_printed(byte));
                printed.len() > others.len()
            }
            _ => self.ty.as_deref() == Some("char") && self.bytes.len() > 1,
        }
    }

    /// Whether the program has it before it asks for anything.
    pub fn is_given(&self) -> bool {
        let root = self.key.as_ref().map(|key| &key.root);
        matches!(root, Some(Root::Arg(_) | Root::ArgCount(()) | Root::Stdin(()) | Root::File(_)))
    }

    /// What the program calls it: inputs of one label are not told apart.
    pub fn label(&self) -> &str {
        match self.key.as_ref().map(|key| (&key.root, key.through.is_empty())) {
            Some((Root::Area(label, _) | Root::Result(label, _), true)) => label,
            // With a star before the label.
            Some((Root::Result(label, _), false)) => self.name.get(..=label.len()).unwrap_or(&self.name),
            Some((Root::Uninitialised(_), _)) => "uninitialised",
            _ => &self.name,
        }
    }
}

/// A set of states at the head of a loop, which is where the test ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopSet {
    /// The rounds after which the state is in it again.
    pub every: u32,
    pub variables: Vec<SetVariable>,
    /// An expression of C over the variables, as unsigned numbers of 64 bits.
    pub condition: String,
}

/// Bytes of a variable, little-endian.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SetVariable {
    /// In the condition.
    pub alias: String,
    pub name: String,
    /// Where it is declared, if it is a local variable of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u32,
    pub bytes: u32,
}

/// An answer of the machine, or what was changed there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfMachine {
    pub what: String,
    #[serde(default)]
    pub kind: MachineKind,
}

/// Where and when it would be another one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MachineKind {
    /// On another machine.
    #[default]
    Machine,
    /// In another directory.
    Here,
    /// Each time.
    Changing,
    /// Something was changed in the directory of the program, or among temporary files.
    Near,
    /// Something was changed elsewhere.
    Far,
}

/// Where an input is that was not initialised.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unset {
    /// The object of the input.
    pub input: String,
    /// Where the memory was declared or allocated, and how many bytes are before it.
    #[serde(flatten)]
    pub place: Place,
    pub offset: u32,
}

/// What a run was seen to do, at its end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Observed {
    /// One for each call of a function under test that returned a value, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Returned>,
    /// Objects of the input, and what a sequence works on, that are not what they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObservedObject>,
    /// Other variables of the program that are not what they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<ObservedObject>,
    /// Objects of the input that the program has freed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub freed: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Returned {
    /// The function.
    pub call: String,
    #[serde(flatten)]
    pub value: Value,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObservedObject {
    pub name: String,
    #[serde(flatten)]
    pub value: Value,
}

/// Bytes that a run has left, as [`InputObject`] has them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    #[serde(with = "hex_bytes")]
    pub bytes: Vec<u8>,
    /// Which bits are initialised; the others are zero. Left out if all are.
    #[serde(with = "hex_bytes", default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<u8>,
    /// As of an input; besides, `&` and a name is also a variable of the program, and `?` something else that is not null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<(u32, String, u64)>,
}

/// Written as `[kind, operation, alternative]`: there may be thousands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision(pub String, pub u32, pub u64);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum End {
    Exited {
        status: i32,
    },
    Killed {
        signal: i32,
    },
    Bug {
        bug: String,
        message: String,
        #[serde(flatten)]
        place: Place,
    },
    Unsupported {
        what: String,
        #[serde(flatten)]
        place: Place,
    },
    /// A limit on the run ended it.
    Limit {
        what: String,
    },
    /// The harness excludes the input.
    Infeasible,
}

/// Where in the user's source; empty where there is no debug info.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    /// 0 if unknown.
    #[serde(default)]
    pub column: u32,
    pub function: String,
}

mod hex_bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let text: String = digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect();
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let digits = text.as_bytes();
        let pair = |pair: &[u8]| Some(value(pair[0])? << 4 | value(*pair.get(1)?)?);
        digits
            .chunks(2)
            .map(pair)
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(|| D::Error::custom("bytes are pairs of hexadecimal digits"))
    }

    fn value(digit: u8) -> Option<u8> {
        char::from(digit).to_digit(16).map(|value| value as u8)
    }
}
