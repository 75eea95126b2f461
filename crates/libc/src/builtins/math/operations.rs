//! Shapes of math functions that are operations of the VM, or a choice between classes of numbers: their results carry the
//! expressions of their arguments. All other functions make them concrete.

use super::call::Errors;
use crate::builtins::{Answer, Host, set_errno};
use crate::errno::EDOM;
use smallvec::SmallVec;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, RoundOp, Signedness};
use spelunk_vm::{BugKind, Flow, Operation, Slot, Stop, Vm};

type Slots = SmallVec<[Slot; 2]>;

/// Classes of numbers, as LLVM's masks have them.
pub const SIGNALING: u32 = 1;
pub const NAN: u32 = 3;
pub const MINUS_INFINITY: u32 = 1 << 2;
pub const PLUS_INFINITY: u32 = 1 << 9;
pub const INFINITY: u32 = MINUS_INFINITY | PLUS_INFINITY;
pub const SUBNORMAL: u32 = 1 << 4 | 1 << 7;
pub const ZERO: u32 = 1 << 5 | 1 << 6;
pub const FINITE: u32 = SUBNORMAL | ZERO | 1 << 3 | 1 << 8;

/// The arguments, all of one kind.
fn reals<'a, M: Host, const N: usize>(
    vm: &mut Vm<'_, M>,
    args: &'a [Slot],
    kind: FloatKind,
) -> Result<[(u32, &'a [Slot]); N], Stop> {
    let n_slots = kind.n_limbs();
    if args.len() < N * n_slots {
        return vm.bug(BugKind::BadCall, format!("called with {} of {N} arguments", args.len() / n_slots));
    }
    args.iter().take(N * n_slots).try_for_each(|&arg| vm.check_defined(arg, "an argument"))?;
    Ok(std::array::from_fn(|i| (kind.bits(), &args[i * n_slots..(i + 1) * n_slots])))
}

fn returns(slots: &[Slot]) -> Flow {
    Flow::Return([slots[0], slots.get(1).copied().unwrap_or_default()])
}

/// Results that are NaNs although no argument is one are errors, unless there are none.
fn operation<M: Host, const N: usize>(
    vm: &mut Vm<'_, M>,
    args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    op: Operation,
) -> Answer {
    let args: [_; N] = reals(vm, args, kind)?;
    let result = vm.operate(op, args);
    if errors != Errors::None {
        let mut is_error = is_in(vm, kind, &result, NAN);
        for (_, arg) in args {
            let is_number = is_in(vm, kind, arg, !NAN);
            is_error = vm.operate(Operation::Binary(BinOp::And), [(1, &[is_error]), (1, &[is_number])])[0];
        }
        if vm.decide(is_error)? {
            set_errno(vm, EDOM)?;
        }
    }
    Ok(returns(&result))
}

macro_rules! operations {
    ($($name:ident $arity:literal;)*) => {
        $(pub fn $name<M: Host>(
            vm: &mut Vm<'_, M>,
            args: &[Slot],
            kind: FloatKind,
            errors: Errors,
            op: fn(FloatKind) -> Operation,
        ) -> Answer {
            operation::<M, $arity>(vm, args, kind, errors, op(kind))
        })*
    };
}

operations! {
    unary_operation 1;
    binary_operation 2;
    ternary_operation 3;
}

/// `fmax` and the like, which look at their second argument first.
pub fn extremum<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot], kind: FloatKind, op: fn(FloatKind) -> Operation) -> Answer {
    let [a, b] = reals(vm, args, kind)?;
    Ok(returns(&vm.operate(op(kind), [b, a])))
}

/// `lrint` and the like, whose result is a `long` in all variants.
pub fn rounded_integer<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot], kind: FloatKind, op: RoundOp) -> Answer {
    let arg: [_; 1] = reals(vm, args, kind)?;
    let rounded = vm.operate(Operation::Round(kind, op), arg);
    let to_long = Operation::ToInt { kind, sign: Signedness::Signed, to: 64 };
    Ok(returns(&vm.operate(to_long, [(kind.bits(), &rounded)])))
}

/// The number of the first class that the argument is in, or the last number.
pub fn class<M: Host>(
    vm: &mut Vm<'_, M>,
    args: &[Slot],
    kind: FloatKind,
    classes: &[(u32, i32)],
    otherwise: i32,
) -> Answer {
    let [(_, arg)] = reals(vm, args, kind)?;
    let number = |number: i32| Slot::plain(u64::from(number as u32));
    let mut result = number(otherwise);
    for &(mask, value) in classes.iter().rev() {
        let is_member = is_in(vm, kind, arg, mask);
        result = vm.operate(Operation::Select, [(1, &[is_member]), (32, &[number(value)]), (32, &[result])])[0];
    }
    Ok(Flow::slot(result))
}

/// `signbit`: that of a NaN counts too.
pub fn sign<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot], kind: FloatKind) -> Answer {
    let arg: [_; 1] = reals(vm, args, kind)?;
    Ok(returns(&vm.operate(Operation::Extract { low: kind.bits() - 1, width: 1 }, arg)))
}

fn is_in<M: Host>(vm: &mut Vm<'_, M>, kind: FloatKind, slots: &[Slot], mask: u32) -> Slot {
    let result: Slots = vm.operate(Operation::IsFpClass(kind, mask), [(kind.bits(), slots)]);
    result[0]
}
