//! Constants of any type.

use super::{Generator, INTS, Ty};

impl Generator<'_> {
    pub(super) fn constant(&mut self, ty: &Ty) -> String {
        match self.choices.below(8) {
            6 => return "undef".to_owned(),
            7 => return "zeroinitializer".to_owned(),
            _ => {}
        }
        match ty {
            Ty::Scalar(name) => self.scalar(name),
            Ty::Vector(length, element) => {
                let element = Ty::Scalar(element);
                self.elements(std::iter::repeat_n(&element, *length), ["<", ">"])
            }
            Ty::Array(length, element) if **element == Ty::Scalar("i8") => {
                let text = ["a", "\\00", "\\22", "\\\\", "\\FF", "%"];
                format!("c\"{}\"", (0..*length).map(|_| self.choices.pick(&text)).collect::<String>())
            }
            Ty::Array(length, element) => self.elements(std::iter::repeat_n(&**element, *length), ["[", "]"]),
            Ty::Struct { fields, packed: false } => self.elements(fields.iter(), ["{ ", " }"]),
            Ty::Struct { fields, packed: true } => self.elements(fields.iter(), ["<{ ", " }>"]),
        }
    }

    fn elements<'t>(&mut self, types: impl Iterator<Item = &'t Ty>, [open, close]: [&str; 2]) -> String {
        let elements: Vec<_> = types.map(|ty| format!("{ty} {}", self.constant(ty))).collect();
        format!("{open}{}{close}", elements.join(", "))
    }

    fn scalar(&mut self, name: &str) -> String {
        match name {
            "i1" => self.choices.pick(&["true", "false"]).to_owned(),
            "ptr" => self.address(),
            "i64" if self.choices.below(4) == 3 => format!("ptrtoint (ptr {} to i64)", self.address()),
            _ if INTS.contains(&name) => {
                let digits = ["0", "1", "-1", "63", "-64", "42"];
                let wide = ["12345678901234567890123", "-9223372036854775809", "18446744073709551616"];
                let is_wide = matches!(name, "i128" | "i200");
                self.choices.pick(if is_wide { &wide } else { &digits }).to_owned()
            }
            "half" => self.choices.pick(&["0xH3C00", "0xH7E01", "-2.0"]).to_owned(),
            "float" => self.choices.pick(&["1.5", "0x36A0000000000000", "0x7FF0000000000000", "-0.0"]).to_owned(),
            "double" => {
                self.choices.pick(&["0.1e1", "0x3FB999999999999A", "0x7FF8000000000001", "1.0e+300"]).to_owned()
            }
            "x86_fp80" => self.choices.pick(&["0xK3FFF8000000000000000", "0xK7FFFC000000000000000"]).to_owned(),
            _ => self
                .choices
                .pick(&["0xL00000000000000003FFF000000000000", "0xL00000000000000007FFF800000000000"])
                .to_owned(),
        }
    }

    fn address(&mut self) -> String {
        let global = self.choices.below(self.n_globals);
        match self.choices.below(5) {
            0 => "null".to_owned(),
            1 => format!("getelementptr inbounds (i8, ptr @g{global}, i64 {})", 1 + self.choices.below(9)),
            2 => format!("@f{}", self.choices.below(self.functions.len())),
            3 => "inttoptr (i64 4096 to ptr)".to_owned(),
            _ => format!("@g{global}"),
        }
    }
}
