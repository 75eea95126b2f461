//! What runs did, one beside the other.

use super::test_case::{Observed, ObservedObject, Value};

impl Observed {
    /// What is not as another run had it, in words.
    pub fn difference(&self, expected: &Observed) -> Option<String> {
        if self.returned.len() != expected.returned.len() {
            let (n, wanted) = (self.returned.len(), expected.returned.len());
            return Some(format!("{n} calls return a value instead of {wanted}"));
        }
        for (returned, wanted) in self.returned.iter().zip(&expected.returned) {
            if returned != wanted {
                let (value, wanted_value) = (&returned.value, &wanted.value);
                return Some(format!("`{}` returns {value} instead of {wanted_value}", returned.call));
            }
        }
        differing(&self.objects, &expected.objects)
            .or_else(|| differing(&self.globals, &expected.globals))
            .or_else(|| freed_otherwise(&self.freed, &expected.freed))
    }
}

fn differing(seen: &[ObservedObject], expected: &[ObservedObject]) -> Option<String> {
    let find = |all: &[ObservedObject], name: &str| all.iter().find(|it| it.name == name).cloned();
    for object in seen {
        match find(expected, &object.name) {
            None => return Some(format!("`{}` becomes {} instead of staying as it is", object.name, object.value)),
            Some(wanted) if wanted != *object => {
                return Some(format!("`{}` becomes {} instead of {}", object.name, object.value, wanted.value));
            }
            Some(_) => {}
        }
    }
    let missing = expected.iter().find(|wanted| find(seen, &wanted.name).is_none())?;
    Some(format!("`{}` stays as it is instead of becoming {}", missing.name, missing.value))
}

fn freed_otherwise(freed: &[String], expected: &[String]) -> Option<String> {
    let extra = freed.iter().find(|name| !expected.contains(name));
    let missing = expected.iter().find(|name| !freed.contains(name));
    extra.map(|name| format!("`{name}` is freed")).or_else(|| missing.map(|name| format!("`{name}` is not freed")))
}

impl std::fmt::Display for Value {
    /// The bytes in hexadecimal digits, lowest first, and what pointers lead to.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        self.references.iter().try_for_each(|(offset, target, at)| write!(f, " (at {offset}: {target} + {at})"))
    }
}
