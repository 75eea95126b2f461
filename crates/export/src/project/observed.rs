//! What a run was seen to do, as expectations: results, objects and variables that have changed.

use spelunk_report::suite::test_case::{InputObject, Observed, Value};
use spelunk_report::suite::types::{Field, Format, Types};

use super::context::Context;
use super::framework::Check;
use super::graph::{Graph, behind_pointer};
use super::{field, literal};

/// Of larger objects only those fields are looked at that have changed.
const FEW_FIELDS: usize = 16;

pub struct Expectations<'a, 'p> {
    pub context: &'a Context<'p>,
    pub types: &'a Types,
    pub graph: &'a Graph<'a, 'p>,
    pub input: &'a [InputObject],
}

/// Where a value is.
enum At<'v> {
    /// In a variable of its type.
    Variable(&'v str),
    /// Behind a pointer to its first element.
    Pointer(&'v str),
}

impl Expectations<'_, '_> {
    /// What is expected of a result in a variable.
    pub fn result(&self, variable: &str, value: &Value) -> Vec<Check> {
        self.checks(&At::Variable(variable), value, None)
    }

    /// What is expected of everything else, behind declarations that this needs.
    pub fn others(&self, observed: &Observed, is_room: impl Fn(&str) -> bool) -> (Vec<String>, Vec<Check>) {
        let (mut declarations, mut checks) = (Vec::new(), Vec::new());
        for object in observed.objects.iter().filter(|object| !observed.freed.contains(&object.name)) {
            let before = self.input.iter().find(|before| before.name == object.name);
            match self.graph.object(&object.name) {
                Some(known) if self.graph.is_typed(&object.name) => {
                    checks.extend(self.checks(&At::Pointer(&known.variable), &object.value, before));
                }
                Some(known) => checks.extend(whole(&known.variable, &object.value)),
                None if is_room(&object.name) => {
                    checks.extend(self.checks(&At::Variable(&object.name), &object.value, before));
                }
                None => {}
            }
        }
        let inputs = observed.objects.iter().filter(|object| !is_room(&object.name));
        let inputs = inputs.filter(|object| self.graph.object(&object.name).is_none());
        for object in inputs.chain(&observed.globals) {
            let Some((_, declaration)) = self.context.variable(&object.name) else { continue };
            declarations.extend(declaration);
            checks.extend(self.checks(&At::Variable(&object.name), &object.value, None));
        }
        (declarations, checks)
    }

    fn checks(&self, at: &At<'_>, value: &Value, before: Option<&InputObject>) -> Vec<Check> {
        let Some(ctype) = value.ty.as_ref().and_then(|ty| self.types.types.get(ty)) else { return Vec::new() };
        let count = value.bytes.len() as u32 / ctype.size.max(1);
        if let (At::Pointer(variable), [Field { format: Format::Char, .. }], 2..) = (at, &ctype.fields[..], count) {
            return whole(variable, value).into_iter().collect();
        }
        let is_small = ctype.fields.len() * count as usize <= FEW_FIELDS;
        let mut checks = Vec::new();
        for element in 0..count {
            let start = (element * ctype.size) as usize;
            for field in &ctype.fields {
                let is_wanted = is_small || has_changed(value, before, start, field);
                if is_wanted && field::is_known(&value.known, start, field) {
                    let place = match at {
                        At::Variable(variable) => format!("{variable}{}", field.path),
                        At::Pointer(variable) => behind_pointer(variable, count, element, field),
                    };
                    checks.extend(self.check(place, value, start, field));
                }
            }
        }
        checks
    }

    fn check(&self, place: String, value: &Value, start: usize, field: &Field) -> Option<Check> {
        let bits = field::bits(&value.bytes, start, field);
        if field.format == Format::Pointer {
            return self.pointer(place, value, start, field);
        }
        if field.n_bits > 64 && field.format != Format::Float || field.format == Format::Bytes {
            let n_bytes = (field.n_bits as usize).div_ceil(8).min(16);
            return Some(Check::Bytes(format!("&{place}"), literal::string(&bits.to_le_bytes()[..n_bytes]), n_bytes));
        }
        let expected = field::value(field, bits);
        match field.format {
            Format::Float => {
                let is_number = match field.n_bits {
                    32 => !f32::from_bits(bits as u32).is_nan(),
                    64 => !f64::from_bits(bits as u64).is_nan(),
                    _ => true,
                };
                if is_number { Some(Check::Float(place, expected?)) } else { Some(Check::NotANumber(place)) }
            }
            Format::Unsigned => Some(Check::Unsigned(place, expected?)),
            // Whether characters have a sign is not for us to say.
            Format::Char if bits > 0x7f => Some(Check::Signed(format!("(unsigned char){place}"), bits.to_string())),
            _ => Some(Check::Signed(place, expected?)),
        }
    }

    fn pointer(&self, place: String, value: &Value, start: usize, field: &Field) -> Option<Check> {
        let offset = start as u32 + field.bit_offset / 8;
        let Some((_, target, at)) = value.references.iter().find(|reference| reference.0 == offset) else {
            return (field::bits(&value.bytes, start, field) == 0).then_some(Check::Null(place));
        };
        let address = match target.strip_prefix('&') {
            _ if target == "?" => None,
            Some(name) if self.context.variable(name).is_some_and(|(_, declaration)| declaration.is_none()) => {
                Some(if *at == 0 { format!("&{name}") } else { format!("(char *)&{name} + {at}") })
            }
            Some(_) => None,
            None if self.graph.object(target).is_some() => self.graph.address(target, *at).ok(),
            None => None,
        };
        Some(match address {
            Some(address) => Check::Pointer(place, address),
            None => Check::NotNull(place),
        })
    }
}

/// All bytes at once, if all are known and none is of a pointer.
fn whole(variable: &str, value: &Value) -> Option<Check> {
    let is_plain = value.known.is_empty() && value.references.is_empty() && !value.bytes.is_empty();
    is_plain.then(|| Check::Bytes(variable.to_owned(), literal::string(&value.bytes), value.bytes.len()))
}

fn has_changed(value: &Value, before: Option<&InputObject>, start: usize, field: &Field) -> bool {
    let Some(before) = before else { return true };
    let offset = start as u32 + field.bit_offset / 8;
    let reference = |references: &[(u32, String, u64)]| references.iter().find(|it| it.0 == offset).cloned();
    field::bits(&value.bytes, start, field) != field::bits(&before.bytes, start, field)
        || reference(&value.references) != reference(&before.references)
}
