// By value goes what many threads may have: what is not `Send` can't be passed safely.
use ptyx::prelude::*;
use std::cell::Cell;
use std::ptr::NonNull;

#[kernel]
fn takes<T: Copy>(value: T) {
    let _ = value;
}

/// # Safety
/// There are no rules.
#[kernel]
unsafe fn trusts<T: Copy>(value: T) {
    let _ = value;
}

#[derive(Clone, Copy)]
struct Counter(&'static Cell<u32>);

/// As `Rc` would be, were it `Copy`.
#[derive(Clone, Copy)]
struct Counted(NonNull<Cell<usize>>);

#[derive(Clone, Copy)]
struct Output {
    _first: *mut f32,
    _count: u32,
}

/// Who writes `unsafe impl` knows that threads may share it.
#[derive(Clone, Copy)]
struct Shareable(*mut f32);
unsafe impl Send for Shareable {}

fn generic<F: Fn(u32) -> u32 + Copy + 'static>(f: F) -> ptyx::Result<()> {
    launch!(takes<<<1, 1>>>(f))
}

fn main() -> ptyx::Result<()> {
    let cell: &'static Cell<u32> = Box::leak(Box::new(Cell::new(1)));
    let pointer = std::ptr::null_mut::<f32>();
    launch!(takes<<<1, 1>>>(Counter(cell)))?;
    launch!(takes<<<1, 1>>>(Counted(NonNull::dangling())))?;
    launch!(takes<<<1, 1>>>(Output { _first: pointer, _count: 1 }))?;
    launch!(takes<<<1, 1>>>([pointer; 2]))?;
    generic(|x| x)?;
    // Fine: an address is bytes like any other.
    launch!(takes<<<1, 1>>>(pointer))?;
    launch!(takes<<<1, 1>>>((pointer.cast_const(), NonNull::<u8>::dangling(), 1u32)))?;
    launch!(takes<<<1, 1>>>(Shareable(pointer)))?;
    launch!(unsafe trusts<<<1, 1>>>(Output { _first: pointer, _count: 1 }))?;
    launch!(unsafe trusts<<<1, 1>>>([pointer; 2]))?;
    // Not even an unsafe launch takes what is not `Copy`.
    launch!(unsafe trusts<<<1, 1>>>(vec![1]))
}
