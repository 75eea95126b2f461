//! Choices that users make by name: an enum, its names and all there are of it from one list.

macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $enum { $($(#[$variant_doc])* $variant),+ }

        impl $enum {
            pub const ALL: &[$enum] = &[$($enum::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }

            pub fn from_name(name: &str) -> Option<$enum> {
                $enum::ALL.iter().copied().find(|item| item.name() == name)
            }
        }
    };
}

pub(crate) use named;
