//! The kernels by which devices convert numbers: one for each pair of types, assembled at first use.

use super::DeviceNumber;
use crate::context::{Attached, Context};
use crate::driver::types::*;
use crate::error::Result;
use crate::stream::Stream;
use core::ffi::c_void;
use sealed::Number;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

pub(super) mod sealed {
    /// What PTX calls a type, and which kind of numbers it has.
    pub trait Number {
        /// As in `ld.global.u8`.
        const NAME: &'static str;
        /// For integers, whether they have a sign; `None` for floats.
        const INTEGER: Option<bool>;
    }
}

macro_rules! numbers {
    ($($ty:ty: $name:literal, $integer:expr;)*) => {$(
        impl Number for $ty {
            const NAME: &'static str = $name;
            const INTEGER: Option<bool> = $integer;
        }
    )*};
}
numbers! {
    u8: "u8", Some(false);
    u16: "u16", Some(false);
    u32: "u32", Some(false);
    u64: "u64", Some(false);
    usize: "u64", Some(false);
    i8: "s8", Some(true);
    i16: "s16", Some(true);
    i32: "s32", Some(true);
    i64: "s64", Some(true);
    isize: "s64", Some(true);
    f32: "f32", None;
    f64: "f64", None;
}
#[cfg(feature = "half")]
numbers! {
    half::f16: "f16", None;
}

/// Threads per block.
const THREADS: u32 = 256;

/// A type of numbers, as a value, so that a program with many pairs of types has the code here once.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    name: &'static str,
    integer: Option<bool>,
    size: usize,
}

impl Kind {
    pub(super) fn of<T: DeviceNumber>() -> Kind {
        Kind { name: T::NAME, integer: T::INTEGER, size: size_of::<T>() }
    }
}

/// The type of the registers that hold the numbers. For integers, it has at least 32 bits: loads extend, stores truncate.
fn register(kind: Kind) -> &'static str {
    match (kind.integer, kind.size) {
        (Some(false), 8) => "u64",
        (Some(true), 8) => "s64",
        (Some(false), _) => "u32",
        (Some(true), _) => "s32",
        (None, 8) => "f64",
        (None, 4) => "f32",
        (None, _) => "b16",
    }
}

/// The instructions that convert `%source` to `%result` (PTX ISA, section 9.7.9: `cvt`).
fn conversion(to_kind: Kind, from_kind: Kind) -> String {
    let (to, from) = (register(to_kind), register(from_kind));
    let (to_size, from_size) = (to_kind.size, from_kind.size);
    match (to_kind.integer, from_kind.integer) {
        (None, None) if to_kind.name == from_kind.name => format!("mov.{to} %result, %source;"),
        // A wider float represents every number of a narrower one.
        (None, None) if to_size > from_size => {
            format!("cvt.{}.{} %result, %source;", to_kind.name, from_kind.name)
        }
        (None, _) => {
            let from = if from_kind.integer.is_some() { from } else { from_kind.name };
            format!("cvt.rn.{}.{from} %result, %source;", to_kind.name)
        }
        (Some(_), Some(_)) if to_size.max(4) == from_size.max(4) => {
            format!("mov.b{} %result, %source;", 8 * to_size.max(4))
        }
        (Some(_), Some(_)) => format!("cvt.{to}.{from} %result, %source;"),
        (Some(is_signed), None) => {
            // From a float to an integer, `cvt` saturates. What it makes of NaN depends on the types.
            let (widen, float, number) = match from_size {
                8 => ("", "f64", "%source"),
                4 => ("", "f32", "%source"),
                _ => ("cvt.f32.f16 %single, %source;\n    ", "f32", "%single"),
            };
            let bits = 8 * to_size.max(4);
            // Limits the result to the range of 8 and 16 bits.
            let clamp = match (to_size, is_signed) {
                (1, true) => {
                    "\n    max.s32 %result, %result, -128;\n    min.s32 %result, %result, 127;"
                }
                (2, true) => {
                    "\n    max.s32 %result, %result, -32768;\n    min.s32 %result, %result, 32767;"
                }
                (1, false) => "\n    min.u32 %result, %result, 255;",
                (2, false) => "\n    min.u32 %result, %result, 65535;",
                _ => "",
            };
            format!(
                "{widen}cvt.rzi.{to}.{float} %result, {number};
    setp.nan.{float} %none, {number}, {number};
    selp.b{bits} %result, 0, %result, %none;{clamp}"
            )
        }
    }
}

/// A kernel's text: one thread for each number.
fn text(to: Kind, from: Kind) -> String {
    let (to_register, from_register) = (register(to), register(from));
    let (to_size, from_size) = (to.size, from.size);
    // There are no loads and stores of `f16`.
    let access = |name: &'static str| if name == "f16" { "b16" } else { name };
    let (load, store, convert) = (access(from.name), access(to.name), conversion(to, from));
    format!(
        ".version 6.3
.target sm_70
.address_size 64
.visible .entry ptyx_convert(.param .u64 to, .param .u64 from, .param .u64 count)
{{
    .reg .pred %over, %none;
    .reg .b32 %block, %size, %thread;
    .reg .b64 %number, %count, %offset, %to, %from;
    .reg .f32 %single;
    .reg .{from_register} %source;
    .reg .{to_register} %result;
    mov.u32 %block, %ctaid.x;
    mov.u32 %size, %ntid.x;
    mov.u32 %thread, %tid.x;
    mul.wide.u32 %number, %block, %size;
    cvt.u64.u32 %offset, %thread;
    add.u64 %number, %number, %offset;
    ld.param.u64 %count, [count];
    setp.ge.u64 %over, %number, %count;
    @%over ret;
    ld.param.u64 %to, [to];
    ld.param.u64 %from, [from];
    mul.lo.u64 %offset, %number, {from_size};
    add.u64 %from, %from, %offset;
    mul.lo.u64 %offset, %number, {to_size};
    add.u64 %to, %to, %offset;
    ld.global.{load} %source, [%from];
    {convert}
    st.global.{store} [%to], %result;
    ret;
}}
"
    )
}

/// The kernels of a context, by the names of their types.
type Kernels = Mutex<Vec<([&'static str; 2], CUfunction)>>;

/// The kernel that converts numbers, assembled at first use. Its module is never unloaded.
pub(super) fn kernel(context: &'static Context, to: Kind, from: Kind) -> Result<CUfunction> {
    static KERNELS: Attached<Kernels> = Attached::new();
    let mut kernels = KERNELS.of(context).lock().unwrap_or_else(PoisonError::into_inner);
    let names = [to.name, from.name];
    if let Some((_, kernel)) = kernels.iter().find(|(known, _)| *known == names) {
        return Ok(*kernel);
    }
    context.bind()?;
    let (mut module, mut found) = (CUmodule::NULL, CUfunction::NULL);
    let image = CString::new(text(to, from)).unwrap_or_default();
    let (none, nothing) = (core::ptr::null_mut(), core::ptr::null_mut());
    let _relaxed = context.driver.relaxed();
    // SAFETY: the places are valid, the texts end with NUL, and there are no options.
    unsafe {
        let image = image.as_ptr().cast::<c_void>();
        context.driver.cuModuleLoadDataEx(&mut module, image, 0, none, nothing)?;
        context.driver.cuModuleGetFunction(&mut found, module, c"ptyx_convert".as_ptr())?;
    }
    kernels.push((names, found));
    Ok(found)
}

/// How many blocks convert `len` numbers, if a grid can have that many.
pub(super) fn blocks(len: usize) -> Option<u32> {
    i32::try_from(len.div_ceil(THREADS as usize)).ok().map(i32::unsigned_abs)
}

/// Converts `len` numbers at the address `from`, with this many blocks, at least one.
///
/// # Safety
/// The kernel is what [`kernel`] returns for the types of the numbers at these addresses. At each, there are `len` numbers, which
/// nothing else uses at the same time.
pub(super) unsafe fn launch(
    kernel: CUfunction,
    blocks: u32,
    stream: &Stream,
    [to, from]: [u64; 2],
    len: usize,
) -> Result<()> {
    let context = stream.context();
    context.bind()?;
    let mut numbers = [to, from, len as u64];
    let mut params = numbers.each_mut().map(|number| core::ptr::from_mut(number).cast());
    // SAFETY: the kernel takes three numbers of 64 bits, which are read during the call. The caller promises the rest.
    unsafe {
        context.driver.cuLaunchKernel(
            kernel,
            blocks,
            1,
            1,
            THREADS,
            1,
            1,
            0,
            stream.handle(),
            params.as_mut_ptr(),
            core::ptr::null_mut(),
        )
    }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of all kernels.
    fn texts() -> Vec<String> {
        macro_rules! each {
            ($($to:ty)*; $all:tt) => { [$(each!(@ $to; $all)),*].concat() };
            (@ $to:ty; [$($from:ty)*]) => { vec![$(text(Kind::of::<$to>(), Kind::of::<$from>())),*] };
        }
        #[cfg(feature = "half")]
        let halves = [
            each!(half::f16; [u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 half::f16]),
            each!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64; [half::f16]),
        ]
        .concat();
        #[cfg(not(feature = "half"))]
        let halves = Vec::new();
        let all =
            each!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64; [u8 u16 u32 u64 i8 i16 i32 i64 f32 f64]);
        [all, halves].concat()
    }

    #[test]
    fn every_kernel_is_assembled() {
        for text in texts() {
            let module = crate::Module::from_ptx(&text);
            let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(module.function("ptyx_convert").is_ok());
        }
    }
}
