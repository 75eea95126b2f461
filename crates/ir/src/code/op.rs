//! The table of operations of the dense code.
//!
//! One table, [`op_table!`](crate::op_table), from which the opcode enum, the decoder (what an opcode means) and the VM's dispatch
//! are derived. Steps to add an operation: add its row here, its arm in the VM's `step`, and emit it in `lower`.
//!
//! Every operation is 16 bytes. Integer operations come in six forms: operand width 32, 64 or N (in `aux`), second
//! operand in a register or (`…I`) a sign-extended 32-bit immediate. A value of width w is always kept zero-extended.

use spelunk_bv::{BinOp, CmpOp, FBinOp};

/// One pre-decoded instruction. `dst`, `a` and `b` are registers unless the operation says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Op {
    pub code: OpCode,
    pub aux: u16,
    pub dst: u32,
    pub a: u32,
    pub b: u32,
}

/// A register of a frame: where its first slot is, in bytes, so that the VM need not scale it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

/// Bytes of a slot: a word and its tag.
pub const SLOT_BYTES: u32 = 16;

impl Reg {
    /// The register that starts at the `n`th slot.
    pub fn at_slot(n: u32) -> Self {
        Self(n * SLOT_BYTES)
    }

    pub fn slot(self) -> usize {
        (self.0 / SLOT_BYTES) as usize
    }

    pub fn offset(self, slots: u32) -> Self {
        Self(self.0 + slots * SLOT_BYTES)
    }
}

/// Calls `$callback!` with the whole table. Sections:
/// `binary` and `checked` (signed overflow is an error): `BinOp function: six forms`;
/// `compare`: `CmpOp: six forms that set a bit / six forms that jump to `dst` if true, else go on`;
/// `float`: `FBinOp: 32-bit form, 64-bit form`;
/// `memory`: `bytes: load store`, at a plus the immediate b, then at a + b · aux for a 64-bit index b, then for a signed
/// 32-bit one; a store takes its value from `dst`; `plain`: one row each, with what its fields mean.
#[macro_export]
macro_rules! op_table {
    ($callback:path) => {
        $callback! {
            binary {
                Add: Add32 Add32I Add64 Add64I AddN AddNI;
                Sub: Sub32 Sub32I Sub64 Sub64I SubN SubNI;
                Mul: Mul32 Mul32I Mul64 Mul64I MulN MulNI;
                UDiv: UDiv32 UDiv32I UDiv64 UDiv64I UDivN UDivNI;
                SDiv: SDiv32 SDiv32I SDiv64 SDiv64I SDivN SDivNI;
                URem: URem32 URem32I URem64 URem64I URemN URemNI;
                SRem: SRem32 SRem32I SRem64 SRem64I SRemN SRemNI;
                Shl: Shl32 Shl32I Shl64 Shl64I ShlN ShlNI;
                LShr: LShr32 LShr32I LShr64 LShr64I LShrN LShrNI;
                AShr: AShr32 AShr32I AShr64 AShr64I AShrN AShrNI;
                And: And32 And32I And64 And64I AndN AndNI;
                Or: Or32 Or32I Or64 Or64I OrN OrNI;
                Xor: Xor32 Xor32I Xor64 Xor64I XorN XorNI;
            }
            checked {
                Add: AddS32 AddS32I AddS64 AddS64I AddSN AddSNI;
                Sub: SubS32 SubS32I SubS64 SubS64I SubSN SubSNI;
                Mul: MulS32 MulS32I MulS64 MulS64I MulSN MulSNI;
            }
            compare {
                Eq: Eq32 Eq32I Eq64 Eq64I EqN EqNI / BrEq32 BrEq32I BrEq64 BrEq64I BrEqN BrEqNI;
                Ne: Ne32 Ne32I Ne64 Ne64I NeN NeNI / BrNe32 BrNe32I BrNe64 BrNe64I BrNeN BrNeNI;
                Ugt: Ugt32 Ugt32I Ugt64 Ugt64I UgtN UgtNI / BrUgt32 BrUgt32I BrUgt64 BrUgt64I BrUgtN BrUgtNI;
                Uge: Uge32 Uge32I Uge64 Uge64I UgeN UgeNI / BrUge32 BrUge32I BrUge64 BrUge64I BrUgeN BrUgeNI;
                Ult: Ult32 Ult32I Ult64 Ult64I UltN UltNI / BrUlt32 BrUlt32I BrUlt64 BrUlt64I BrUltN BrUltNI;
                Ule: Ule32 Ule32I Ule64 Ule64I UleN UleNI / BrUle32 BrUle32I BrUle64 BrUle64I BrUleN BrUleNI;
                Sgt: Sgt32 Sgt32I Sgt64 Sgt64I SgtN SgtNI / BrSgt32 BrSgt32I BrSgt64 BrSgt64I BrSgtN BrSgtNI;
                Sge: Sge32 Sge32I Sge64 Sge64I SgeN SgeNI / BrSge32 BrSge32I BrSge64 BrSge64I BrSgeN BrSgeNI;
                Slt: Slt32 Slt32I Slt64 Slt64I SltN SltNI / BrSlt32 BrSlt32I BrSlt64 BrSlt64I BrSltN BrSltNI;
                Sle: Sle32 Sle32I Sle64 Sle64I SleN SleNI / BrSle32 BrSle32I BrSle64 BrSle64I BrSleN BrSleNI;
            }
            float {
                FAdd: FAdd32 FAdd64;
                FSub: FSub32 FSub64;
                FMul: FMul32 FMul64;
                FDiv: FDiv32 FDiv64;
            }
            memory {
                1: Load8 Store8 / Load8X Store8X / Load8I Store8I;
                2: Load16 Store16 / Load16X Store16X / Load16I Store16I;
                4: Load32 Store32 / Load32X Store32X / Load32I Store32I;
                8: Load64 Store64 / Load64X Store64X / Load64I Store64I;
            }
            plain {
                /// dst ← a, one slot.
                Mov;
                /// dst… ← a…, `b` slots.
                MovN;
                /// dst ← the 64-bit immediate `b:a`.
                Const;
                /// `b` slots of `aux` bits each, from dst on, become uninitialised.
                Undef;
                /// dst ← a from width `aux` to width `b`. There is no zero extension: values are kept extended.
                SExt;
                Trunc;
                /// dst ← a compared with b as floats; `aux` is the `FCmpOp`.
                FCmp32;
                FCmp64;
                /// Conversions dst ← a, of the frequent kinds; all others are `Slow`.
                I32ToF64;
                I64ToF64;
                F64ToI32;
                F64ToI64;
                F32ToF64;
                F64ToF32;
                /// dst ← a if the bit in the `Ext` that follows is set, else b.
                Select;
                /// Operands of the operation before; never executed.
                Ext;
                /// Nothing but to note whether bit a is set; only if bit b is set (`aux` 1) or clear (2), if `aux` is not 0.
                Observe;
                /// dst ← a + b · aux, a pointer and a 64-bit index.
                Gep;
                /// dst ← a + sext32(b) · aux.
                GepI32;
                /// dst ← a new stack object of `b` bytes, aligned to `1 << aux`.
                Alloca;
                /// dst ← a new stack object of a · b bytes, aligned to `1 << aux`.
                AllocaDyn;
                /// The pointer in dst ← a private copy of the `b` bytes it points to, aligned to `1 << aux`.
                ByvalCopy;
                /// Go to operation `dst`.
                Jump;
                /// Go to operation `dst` if bit a is set (`BrIf`) or clear (`BrIfNot`).
                BrIf;
                BrIfNot;
                /// Switch on a, table `b`, width `aux`.
                Switch;
                /// Go to the block whose address is a; targets in table `b`.
                IndirectBr;
                /// dst… ← call function `a`. The arguments of all calls stand just above the frame.
                Call;
                /// dst… ← call function `a` as call site `b` says: with variable arguments, or where something else may serve the call.
                CallVar;
                /// dst… ← call the function that register a points to, as call site `b` says.
                CallIndirect;
                /// dst… ← call library function `a` as call site `b` says.
                CallExternal;
                /// Return `aux` slots from a on.
                Ret;
                /// Everything else: entry `a` of the table of slow operations.
                Slow;
                /// Ask the machine, then do what the image has in this place. In no image.
                Note;
            }
        }
    };
}

/// How a load or store finds its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addressing {
    /// A register and an immediate.
    Offset,
    /// A register and a scaled 64-bit index.
    Index64,
    /// A register and a scaled signed 32-bit index.
    Index32,
}

/// Where the second operand of an integer operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Register,
    Immediate,
}

/// What an opcode of one of the regular families means, for the paths that are not hot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Binary {
        op: BinOp,
        width: u32,
        form: Form,
    },
    /// As `Binary`, but signed overflow is an error.
    Checked {
        op: BinOp,
        width: u32,
        form: Form,
    },
    Compare {
        op: CmpOp,
        width: u32,
        form: Form,
    },
    Branch {
        op: CmpOp,
        width: u32,
        form: Form,
    },
    Float {
        op: FBinOp,
        width: u32,
    },
    Load {
        bytes: u32,
        addressing: Addressing,
    },
    Store {
        bytes: u32,
        addressing: Addressing,
    },
    Other,
}

macro_rules! define_ops {
    (
        binary { $($bin:ident: $b32:ident $b32i:ident $b64:ident $b64i:ident $bn:ident $bni:ident;)* }
        checked { $($chk:ident: $k32:ident $k32i:ident $k64:ident $k64i:ident $kn:ident $kni:ident;)* }
        compare { $($cmp:ident: $c32:ident $c32i:ident $c64:ident $c64i:ident $cn:ident $cni:ident
                          / $j32:ident $j32i:ident $j64:ident $j64i:ident $jn:ident $jni:ident;)* }
        float { $($fop:ident: $f32:ident $f64:ident;)* }
        memory { $($size:literal: $load:ident $store:ident / $loadx:ident $storex:ident / $loadi:ident $storei:ident;)* }
        plain { $($(#[$doc:meta])* $plain:ident;)* }
    ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        pub enum OpCode {
            $($b32, $b32i, $b64, $b64i, $bn, $bni,)*
            $($k32, $k32i, $k64, $k64i, $kn, $kni,)*
            $($c32, $c32i, $c64, $c64i, $cn, $cni, $j32, $j32i, $j64, $j64i, $jn, $jni,)*
            $($f32, $f64,)*
            $($load, $store, $loadx, $storex, $loadi, $storei,)*
            $($(#[$doc])* $plain,)*
        }

        impl Op {
            /// What this operation means, if it belongs to one of the regular families.
            pub fn meaning(&self) -> Meaning {
                use Form::{Immediate, Register};
                let aux = u32::from(self.aux);
                match self.code {
                    $(
                        OpCode::$b32 => Meaning::Binary { op: BinOp::$bin, width: 32, form: Register },
                        OpCode::$b32i => Meaning::Binary { op: BinOp::$bin, width: 32, form: Immediate },
                        OpCode::$b64 => Meaning::Binary { op: BinOp::$bin, width: 64, form: Register },
                        OpCode::$b64i => Meaning::Binary { op: BinOp::$bin, width: 64, form: Immediate },
                        OpCode::$bn => Meaning::Binary { op: BinOp::$bin, width: aux, form: Register },
                        OpCode::$bni => Meaning::Binary { op: BinOp::$bin, width: aux, form: Immediate },
                    )*
                    $(
                        OpCode::$k32 => Meaning::Checked { op: BinOp::$chk, width: 32, form: Register },
                        OpCode::$k32i => Meaning::Checked { op: BinOp::$chk, width: 32, form: Immediate },
                        OpCode::$k64 => Meaning::Checked { op: BinOp::$chk, width: 64, form: Register },
                        OpCode::$k64i => Meaning::Checked { op: BinOp::$chk, width: 64, form: Immediate },
                        OpCode::$kn => Meaning::Checked { op: BinOp::$chk, width: aux, form: Register },
                        OpCode::$kni => Meaning::Checked { op: BinOp::$chk, width: aux, form: Immediate },
                    )*
                    $(
                        OpCode::$c32 => Meaning::Compare { op: CmpOp::$cmp, width: 32, form: Register },
                        OpCode::$c32i => Meaning::Compare { op: CmpOp::$cmp, width: 32, form: Immediate },
                        OpCode::$c64 => Meaning::Compare { op: CmpOp::$cmp, width: 64, form: Register },
                        OpCode::$c64i => Meaning::Compare { op: CmpOp::$cmp, width: 64, form: Immediate },
                        OpCode::$cn => Meaning::Compare { op: CmpOp::$cmp, width: aux, form: Register },
                        OpCode::$cni => Meaning::Compare { op: CmpOp::$cmp, width: aux, form: Immediate },
                        OpCode::$j32 => Meaning::Branch { op: CmpOp::$cmp, width: 32, form: Register },
                        OpCode::$j32i => Meaning::Branch { op: CmpOp::$cmp, width: 32, form: Immediate },
                        OpCode::$j64 => Meaning::Branch { op: CmpOp::$cmp, width: 64, form: Register },
                        OpCode::$j64i => Meaning::Branch { op: CmpOp::$cmp, width: 64, form: Immediate },
                        OpCode::$jn => Meaning::Branch { op: CmpOp::$cmp, width: aux, form: Register },
                        OpCode::$jni => Meaning::Branch { op: CmpOp::$cmp, width: aux, form: Immediate },
                    )*
                    $(
                        OpCode::$f32 => Meaning::Float { op: FBinOp::$fop, width: 32 },
                        OpCode::$f64 => Meaning::Float { op: FBinOp::$fop, width: 64 },
                    )*
                    $(
                        OpCode::$load => Meaning::Load { bytes: $size, addressing: Addressing::Offset },
                        OpCode::$store => Meaning::Store { bytes: $size, addressing: Addressing::Offset },
                        OpCode::$loadx => Meaning::Load { bytes: $size, addressing: Addressing::Index64 },
                        OpCode::$storex => Meaning::Store { bytes: $size, addressing: Addressing::Index64 },
                        OpCode::$loadi => Meaning::Load { bytes: $size, addressing: Addressing::Index32 },
                        OpCode::$storei => Meaning::Store { bytes: $size, addressing: Addressing::Index32 },
                    )*
                    _ => Meaning::Other,
                }
            }
        }

        impl OpCode {
            /// The opcode of an integer operation; width classes other than 32 and 64 carry the width in `aux`.
            pub fn binary(op: BinOp, width: u32, form: Form) -> Self {
                match op {
                    $(BinOp::$bin => pick(width, form, [Self::$b32, Self::$b32i, Self::$b64, Self::$b64i, Self::$bn, Self::$bni]),)*
                }
            }

            /// As `binary` with a check for signed overflow; `None` for operations that cannot overflow.
            pub fn checked(op: BinOp, width: u32, form: Form) -> Option<Self> {
                match op {
                    $(BinOp::$chk => Some(pick(width, form, [Self::$k32, Self::$k32i, Self::$k64, Self::$k64i, Self::$kn, Self::$kni])),)*
                    _ => None,
                }
            }

            pub fn compare(op: CmpOp, width: u32, form: Form) -> Self {
                match op {
                    $(CmpOp::$cmp => pick(width, form, [Self::$c32, Self::$c32i, Self::$c64, Self::$c64i, Self::$cn, Self::$cni]),)*
                }
            }

            pub fn branch(op: CmpOp, width: u32, form: Form) -> Self {
                match op {
                    $(CmpOp::$cmp => pick(width, form, [Self::$j32, Self::$j32i, Self::$j64, Self::$j64i, Self::$jn, Self::$jni]),)*
                }
            }

            /// `None` for operations and widths that have no opcode of their own.
            pub fn float(op: FBinOp, width: u32) -> Option<Self> {
                match (op, width) {
                    $((FBinOp::$fop, 32) => Some(Self::$f32), (FBinOp::$fop, 64) => Some(Self::$f64),)*
                    _ => None,
                }
            }

            /// The load of that many bytes, if there is one.
            pub fn load(bytes: u64, addressing: Addressing) -> Option<Self> {
                match bytes {
                    $($size => Some(match addressing {
                        Addressing::Offset => Self::$load,
                        Addressing::Index64 => Self::$loadx,
                        Addressing::Index32 => Self::$loadi,
                    }),)*
                    _ => None,
                }
            }

            /// The store of that many bytes, if there is one.
            pub fn store(bytes: u64, addressing: Addressing) -> Option<Self> {
                match bytes {
                    $($size => Some(match addressing {
                        Addressing::Offset => Self::$store,
                        Addressing::Index64 => Self::$storex,
                        Addressing::Index32 => Self::$storei,
                    }),)*
                    _ => None,
                }
            }

            /// Whether a load or store has an immediate offset.
            pub fn has_offset(self) -> bool {
                matches!(self, $(Self::$load | Self::$store)|*)
            }

            /// Whether the index of an address is a signed 32-bit register.
            pub fn has_narrow_index(self) -> bool {
                matches!(self, Self::GepI32 $(| Self::$loadi | Self::$storei)*)
            }
        }
    };
}

crate::op_table!(define_ops);

fn pick(width: u32, form: Form, forms: [OpCode; 6]) -> OpCode {
    let class = match width {
        32 => 0,
        64 => 2,
        _ => 4,
    };
    forms[class + usize::from(form == Form::Immediate)]
}

impl Op {
    /// An operation with its three operands.
    pub fn new(code: OpCode, dst: u32, a: u32, b: u32) -> Self {
        Self { code, aux: 0, dst, a, b }
    }

    pub fn with_aux(self, aux: u16) -> Self {
        Self { aux, ..self }
    }

    /// The immediate in `b`, as a value of `width` bits.
    pub fn immediate(&self, width: u32) -> u64 {
        spelunk_bv::int::trunc(width, self.b as i32 as i64 as u64)
    }

    /// The 64-bit immediate of `Const`.
    pub fn wide_immediate(&self) -> u64 {
        u64::from(self.a) | u64::from(self.b) << 32
    }

    /// Whether `value` survives the way through a 32-bit immediate of `width` bits.
    pub fn fits_immediate(width: u32, value: u64) -> bool {
        spelunk_bv::int::trunc(width, value as i32 as i64 as u64) == value
    }
}
