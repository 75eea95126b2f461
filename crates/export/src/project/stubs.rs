//! Functions that nobody defines, as C code in a unit of its own: each call returns what the test says.
//!
//! Debug info knows nothing of functions that are only declared, so what they return is spelled after the IR, as a type that
//! is returned in the same registers. What they take does not matter: whoever calls cleans up.

use std::fmt::Write;

use spelunk_concolic::harness::is_undefined;
use spelunk_ir::model::{Function, Program, Type, TypeId};
use spelunk_native::Subject;
use spelunk_native::runtime::{Replaced, replaced};

const HEAD: &str = "/* Functions that the program calls and nobody defines, and those that stand in for pointers to functions: each call\n \
                    * returns what the test says (spelunk_next…). Their types are those of the registers that results are in. */\n\n\
                    #include \"inputs.h\"\n";

/// The text of the unit; nothing if there are none.
pub fn stubs(subject: &Subject<'_>) -> Option<String> {
    let Subject { program, image, .. } = *subject;
    // A function is tested without a `main`.
    let names = image.externals.iter().map(|name| &**name).filter(|name| is_undefined(name) && *name != "main");
    let size = |name: &str| Some(subject.unit?.layouts.get(subject.unit?.result_of(name)?.layout).size);
    let undefined = names.filter_map(|name| stub(program, name, declaration(subject, name)?, size(name)));
    let stand_ins = stand_ins(subject);
    let functions =
        undefined.chain(stand_ins.iter().map(|name| stand_in(name))).chain(replaced(image).map(replacement));
    let functions: Vec<String> = functions.collect();
    (!functions.is_empty()).then(|| format!("{HEAD}{}", functions.concat()))
}

/// A function that gives inputs under the name that the program calls it by.
fn replacement(function: &Replaced) -> String {
    let Replaced { name, c: (result, params), .. } = function;
    let given = params.split(", ").filter_map(|param| param.rsplit([' ', '*']).next()).filter(|&param| param != "void");
    let call = format!("spelunk_{name}({})", given.collect::<Vec<_>>().join(", "));
    let returned = if *result == "void" { call } else { format!("return {call}") };
    format!(
        "\n{result} spelunk_{name}({params});\n{result} {name}({params});\n{result} {name}({params})\n{{\n  {returned};\n}}\n"
    )
}

/// The names of what stands in for pointers to functions.
pub fn stand_ins(subject: &Subject<'_>) -> Vec<String> {
    let Subject { program, image, .. } = *subject;
    let callees = subject.unit.into_iter().flat_map(|unit| unit.layouts.functions());
    let strange = callees.filter(|id| id.index() >= program.functions.len());
    let mut names: Vec<String> = strange.map(|id| image.functions[id.index()].name.to_string()).collect();
    names.sort();
    names
}

/// What a function is called in C that stands in for a pointer, such as `(*compare)`.
pub fn stand_in_name(name: &str) -> String {
    let word: String =
        name.chars().filter(|character| character.is_ascii_alphanumeric() || *character == '_').collect();
    format!("spelunk_stand_in_{word}")
}

/// Returns in the registers for integers and for floats at once: whoever calls looks at one of them.
fn stand_in(name: &str) -> String {
    let function = stand_in_name(name);
    format!(
        "\nstruct result_of_{function} {{ uint64_t word; double value; }};\n\
         struct result_of_{function} {function}(void);\n\
         struct result_of_{function} {function}(void)\n{{\n  struct result_of_{function} result = {{spelunk_stub_any(\"{name}\"), 0}};\n  \
         __builtin_memcpy(&result.value, &result.word, sizeof result.value);\n  return result;\n}}\n"
    )
}

/// As the user's code declares it: what only the library calls is no concern of theirs.
fn declaration<'p>(subject: &Subject<'p>, name: &str) -> Option<&'p Function> {
    let is_it = |function: &&Function| {
        let symbol = subject.program.symbol(function.symbol);
        &*symbol.name == name && symbol.module.index() < subject.recipe.sources.len()
    };
    subject.program.functions.iter().find(is_it)
}

/// `size` is that of a result which is one object of the test's graph, pointers included.
fn stub(program: &Program, name: &str, function: &Function, size: Option<u32>) -> Option<String> {
    let written = function.params.first().and_then(|param| param.attrs.sret);
    let layout = program.modules[program.symbol(function.symbol).module.index()].data_layout;
    if let Some(ty) = written {
        let size = program.types.alloc_size(layout, ty)?;
        return Some(format!(
            "\nvoid *{name}(void *result);\nvoid *{name}(void *result)\n{{\n  spelunk_stub_area(result, {size});\n  return result;\n}}\n"
        ));
    }
    if matches!(program.types[function.ret], Type::Void) {
        return Some(format!("\nvoid {name}(void);\nvoid {name}(void)\n{{\n}}\n"));
    }
    let members = members(program, function.ret, "value")?;
    let mut text = format!("\nstruct result_of_{name} {{ {members} }};\n");
    let returned = format!("struct result_of_{name}");
    write!(text, "{returned} {name}(void);\n{returned} {name}(void)\n{{\n  {returned} result;\n")
        .expect("a string grows");
    if let Some(size) = size {
        writeln!(text, "  spelunk_stub_area(&result.value, {size});").expect("a string grows");
    } else {
        let mut pointers = Vec::new();
        fill(program, function.ret, "result.value", &mut text, &mut pointers)?;
        // All is decided before objects are made.
        for pointer in pointers {
            writeln!(text, "  spelunk_stub_object(&{pointer});").expect("a string grows");
        }
    }
    text.push_str("  return result;\n}\n");
    Some(text)
}

/// Statements that fill the scalars of a result one after another.
fn fill(program: &Program, ty: TypeId, place: &str, text: &mut String, pointers: &mut Vec<String>) -> Option<()> {
    let parts: Vec<(String, TypeId)> = match &program.types[ty] {
        Type::Struct { fields, .. } => {
            fields.iter().enumerate().map(|(number, &field)| (format!("{place}.part{number}"), field)).collect()
        }
        &Type::Array(elem, count) => (0..count).map(|number| (format!("{place}[{number}]"), elem)).collect(),
        &Type::Vector(elem, count) => (0..count).map(|number| (format!("{place}.part{number}"), elem)).collect(),
        Type::Ptr => {
            writeln!(text, "  spelunk_stub_pointer(&{place});").expect("a string grows");
            pointers.push(place.to_owned());
            Vec::new()
        }
        _ => {
            let n_bits = program.types.bit_size(ty)?;
            writeln!(text, "  spelunk_stub_number(&{place}, {n_bits});").expect("a string grows");
            Vec::new()
        }
    };
    parts.into_iter().try_for_each(|(place, ty)| fill(program, ty, &place, text, pointers))
}

/// A declaration of a member of this type, by which a struct is returned as the type itself would be.
fn members(program: &Program, ty: TypeId, name: &str) -> Option<String> {
    Some(match &program.types[ty] {
        Type::Ptr => format!("void *{name};"),
        Type::Int(width) => match width {
            1 | 8 => format!("uint8_t {name};"),
            16 => format!("uint16_t {name};"),
            32 => format!("uint32_t {name};"),
            64 => format!("uint64_t {name};"),
            128 => format!("unsigned __int128 {name};"),
            _ => format!("uint8_t {name}[{}];", width.div_ceil(8)),
        },
        Type::Float(kind) => match kind.name() {
            "float" => format!("float {name};"),
            "double" => format!("double {name};"),
            "x86_fp80" => format!("long double {name};"),
            _ => return None,
        },
        Type::Struct { fields, packed: false } => {
            let parts =
                fields.iter().enumerate().map(|(number, &field)| members(program, field, &format!("part{number}")));
            format!("struct {{ {} }} {name};", parts.collect::<Option<Vec<_>>>()?.join(" "))
        }
        &Type::Vector(elem, count) => {
            let parts = (0..count).map(|number| members(program, elem, &format!("part{number}")));
            format!("struct {{ {} }} {name};", parts.collect::<Option<Vec<_>>>()?.join(" "))
        }
        &Type::Array(elem, count) => members(program, elem, &format!("{name}[{count}]"))?,
        _ => return None,
    })
}
