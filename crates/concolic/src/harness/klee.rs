//! KLEE's functions. Hints about its search (merging, forking, preferences) have no meaning here and do nothing.

use super::{Answer, Program, assume, inputs, slots, text, words};
use crate::key::Series;
use crate::machine::ConcolicMachine;
use spelunk_vm::{BugKind, Builtin, Flow, Slot, Stop};

pub fn find(name: &str) -> Option<Builtin<ConcolicMachine>> {
    Some(match name {
        "klee_make_symbolic" => make_symbolic,
        "klee_assume" => assume_word,
        "klee_assert" => assert_word,
        "klee_assert_fail" => assert_fail,
        "klee_range" => range,
        "klee_choose" => choose,
        "klee_int" => int,
        "klee_is_symbolic" => is_symbolic,
        "klee_get_valuef" | "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell" | "klee_get_value_i32"
        | "klee_get_value_i64" => get_value,
        "klee_get_obj_size" => object_size,
        "klee_get_errno" => errno,
        "klee_check_memory_access" => check_access,
        "klee_silent_exit" => |_, _| Err(Stop::Infeasible),
        "klee_report_error" => report_error,
        "klee_abort" => |vm, _| vm.bug(BugKind::Abort, "klee_abort"),
        "klee_define_fixed_object" => |vm, _| vm.unsupported("an object at an address that the program chooses"),
        "klee_is_replay" => |_, _| Ok(Flow::value(0)),
        "klee_prefer_cex"
        | "klee_posix_prefer_cex"
        | "klee_print_expr"
        | "klee_print_range"
        | "klee_warning"
        | "klee_warning_once"
        | "klee_open_merge"
        | "klee_close_merge"
        | "klee_merge"
        | "klee_set_forking"
        | "klee_stack_trace"
        | "klee_mark_global" => |_, _| Ok(Flow::VOID),
        _ => return None,
    })
}

/// `(area, size, name)`
pub(super) fn make_symbolic(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [area, len, name] = words(vm, args)?;
    let name = super::name(vm, name)?;
    inputs::make_area(vm, area, len, Series::Area(&name))?;
    Ok(Flow::VOID)
}

fn assume_word(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    assume(vm, condition, 64)?;
    Ok(Flow::VOID)
}

/// A macro of the header; programs that don't include it call a function.
fn assert_word(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    super::assert(vm, condition, 32, "klee_assert")?;
    Ok(Flow::VOID)
}

/// `(expression, file, line, function)`: where the assertions of KLEE's own header end.
fn assert_fail(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [expression, _file, _line, _function] = words(vm, args)?;
    let expression = text(vm, expression)?;
    vm.bug(BugKind::Assert, format!("assertion `{expression}` failed"))
}

/// `(begin, end, name)`: a number from `begin` on and below `end`.
pub(super) fn range(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [begin, end, name] = words(vm, args)?;
    let (begin, end) = (begin as i32, end as i32);
    if begin >= end {
        return vm.bug(BugKind::ReportedError, format!("no number is from {begin} on and below {end}"));
    }
    let name = super::name(vm, name)?;
    let number = inputs::make_number(vm, 32, Series::Area(&name));
    super::assume_in_range(vm, number, 32, u64::from(begin as u32), u64::from((end - 1) as u32))?;
    Ok(Flow::slot(number))
}

/// A number below the argument.
fn choose(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [n] = words(vm, args)?;
    if n == 0 {
        return vm.bug(BugKind::ReportedError, "there is nothing to choose from");
    }
    let number = inputs::make_number(vm, 64, Series::Area("klee_choose"));
    super::assume_in_range(vm, number, 64, 0, n - 1)?;
    Ok(Flow::slot(number))
}

fn int(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = super::name(vm, name)?;
    Ok(Flow::slot(inputs::make_number(vm, 32, Series::Area(&name))))
}

fn is_symbolic(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [value] = slots(vm, args)?;
    Ok(Flow::value(u64::from(value.tag.expr().is_some())))
}

/// A value of this run. KLEE leaves the path free to have others, which would make the rest of the path depend on more
/// than its decisions; so here the value is decided on.
fn get_value(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [value] = words(vm, args)?;
    Ok(Flow::value(value))
}

/// Zero where the program has nothing that could set it.
fn errno(vm: &mut Program<'_>, _args: &[Slot]) -> Answer {
    let Some(addr) = vm.static_address("error_number") else { return Ok(Flow::value(0)) };
    let value = vm.checked(vm.memory.load_word(addr, 4), "read")?;
    Ok(Flow::value(value.val))
}

fn object_size(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [addr] = words(vm, args)?;
    let (object, _) = vm.checked(vm.memory.resolve(addr, 0), "size query")?;
    Ok(Flow::value(vm.memory.object(object).size()))
}

/// `(area, size)`
fn check_access(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [area, len] = words(vm, args)?;
    vm.checked(vm.memory.resolve(area, len), "access")?;
    Ok(Flow::VOID)
}

/// `(file, line, message, suffix)`
fn report_error(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [_file, _line, message, _suffix] = words(vm, args)?;
    let message = text(vm, message)?;
    vm.bug(BugKind::ReportedError, message)
}
