//! Pointers of a test's input as C expressions: to objects, variables and functions.

use spelunk_concolic::graph::layout::{Layout, LayoutId, LeafKind, Target};
use spelunk_concolic::graph::unit::{Home, Unit};
use spelunk_ir::model::FuncId;

use super::graph::Graph;
use super::stubs::stand_in_name;

impl Graph<'_, '_> {
    /// What leads to a place in an object, or to a function, where a pointer to objects of a layout is expected.
    pub fn reference(&self, target: &str, at: u64, expected: Option<LayoutId>) -> Result<String, String> {
        if let Some(function) = target.strip_prefix('&') {
            return self.function(function);
        }
        let Some(object) = self.objects.get(target) else { return self.root(target, at) };
        let is_of_type = object.c_size.is_some() && expected == Some(object.layout_id);
        let (variable, size) = (&object.variable, u64::from(object.layout.size));
        Ok(match at {
            0 if is_of_type || object.c_size.is_none() => variable.clone(),
            0 => format!("(void *){variable}"),
            _ if is_of_type && at.is_multiple_of(size) => format!("&{variable}[{}]", at / size),
            _ => format!("(void *)((char *){variable} + {at})"),
        })
    }

    /// The same where any pointer will do.
    pub fn address(&self, target: &str, at: u64) -> Result<String, String> {
        match self.objects.get(target) {
            Some(object) => self.reference(target, at, Some(object.layout_id)),
            None => self.reference(target, at, None),
        }
    }

    /// The address of a parameter, which only a variable of the program has.
    fn root(&self, name: &str, at: u64) -> Result<String, String> {
        let param = self.unit.params.iter().find(|param| param.name == name);
        match param.map(|param| &param.home) {
            Some(Home::Global(variable)) if self.context.variable(variable).is_some() => Ok(match at {
                0 => format!("(void *)&{variable}"),
                _ => format!("(void *)((char *)&{variable} + {at})"),
            }),
            Some(_) => Err(format!("a pointer leads to the argument `{name}` itself")),
            None => Ok("NULL".to_owned()),
        }
    }

    fn function(&self, name: &str) -> Result<String, String> {
        let image = self.context.subject.image;
        let known = image.functions.iter().position(|function| *function.name == *name);
        let id =
            known.map(FuncId::new).ok_or_else(|| format!("a pointer leads to `{name}`, which the program lacks"))?;
        if id.index() >= self.context.subject.program.functions.len() {
            return Ok(format!("(void *){}", stand_in_name(name)));
        }
        match self.context.can_name_function(id) {
            true => Ok(self.context.callee(name)),
            false => Err(format!("a pointer leads to `{name}`, which is `static` in another source")),
        }
    }
}

/// The layout that a pointer of an object leads to.
pub fn pointee(unit: &Unit, layout: &Layout, offset: u32) -> Option<LayoutId> {
    let LeafKind::Pointer(kind) = layout.leaf_at(offset)?.kind else { return None };
    match unit.layouts.pointer(kind).target {
        Target::Objects { layout, .. }
        | Target::Counted { layout, .. }
        | Target::String { layout, .. }
        | Target::Inside { layout, .. } => Some(layout),
        Target::Nothing => None,
    }
}
