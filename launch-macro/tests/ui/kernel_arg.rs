//! What `derive(KernelArg)` refuses by itself.
use ptyx::KernelArg;

#[derive(KernelArg)]
struct NoTarget<'a> {
    x: &'a f32,
}

#[derive(KernelArg)]
#[kernel_arg]
struct NoName {}

#[derive(KernelArg)]
#[kernel_arg(A, B)]
struct TwoNames {}

#[derive(KernelArg)]
#[kernel_arg(A)]
enum NoStruct {
    A,
}
