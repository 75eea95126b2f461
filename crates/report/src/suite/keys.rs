//! Keys of objects, in runs and in files.

use super::test_case::{InputObject, ObjectKey, Root, TestCase};
use spelunk_concolic as run;

/// A key as a file has it.
pub fn written(key: &run::ObjectKey) -> Option<ObjectKey> {
    let root = match &key.root {
        run::Root::Param(number) => Root::Param(*number),
        run::Root::Result(function, number) => Root::Result(function.to_string(), *number),
        run::Root::Arg(number) => Root::Arg(*number),
        run::Root::ArgCount => Root::ArgCount(()),
        run::Root::Stdin => Root::Stdin(()),
        run::Root::File(number) => Root::File(*number),
        run::Root::Area(label, number) => Root::Area(label.to_string(), *number),
        run::Root::Uninitialised(number) => Root::Uninitialised(*number),
        run::Root::Named(_) => return None,
    };
    Some(ObjectKey { root, through: key.through.clone(), spare: key.spare })
}

/// The key of an object in a file. One that has none is known by its name.
pub fn read(object: &InputObject) -> run::ObjectKey {
    let Some(key) = &object.key else {
        return run::ObjectKey::of_root(run::Root::Named(object.name.as_str().into()));
    };
    let root = match &key.root {
        Root::Param(number) => run::Root::Param(*number),
        Root::Result(function, number) => run::Root::Result(function.as_str().into(), *number),
        Root::Arg(number) => run::Root::Arg(*number),
        Root::ArgCount(()) => run::Root::ArgCount,
        Root::Stdin(()) => run::Root::Stdin,
        Root::File(number) => run::Root::File(*number),
        Root::Area(label, number) => run::Root::Area(label.as_str().into(), *number),
        Root::Uninitialised(number) => run::Root::Uninitialised(*number),
    };
    run::ObjectKey { root, through: key.through.clone(), spare: key.spare }
}

impl TestCase {
    /// Gives keys to what a file has names for alone, if that is what the program is started with.
    pub(crate) fn complete_keys(&mut self) {
        let inputs = self.setup.inputs();
        let (_, n_args) = inputs.n_args();
        let args = (0..n_args).map(run::Root::Arg).chain([run::Root::ArgCount, run::Root::Stdin]);
        let files = (0..inputs.files.len() as u32).map(run::Root::File);
        for root in args.chain(files) {
            let name = inputs.name_of(&root);
            let key = || written(&run::ObjectKey::of_root(root.clone()));
            let unknown = self.input.iter_mut().filter(|object| object.key.is_none());
            unknown.filter(|object| Some(&object.name) == name.as_ref()).for_each(|object| object.key = key());
        }
    }
}
