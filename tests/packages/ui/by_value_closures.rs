// What a closure captures is held to the same: all of it is `Send`, or the launch does not compile.
use ptyx::prelude::*;
use std::cell::Cell;
use std::thread::LocalKey;

thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });

#[kernel]
fn calls<F: Fn() -> u32>(f: F) {
    assert_eq!(f(), 1);
}

fn main() -> ptyx::Result<()> {
    let cell: &'static Cell<u32> = Box::leak(Box::new(Cell::new(1)));
    let pointer: *const u32 = cell.as_ptr();
    let shared: &'static dyn Fn() -> u32 = &|| 1;
    launch!(calls<<<1, 1>>>(move || cell.get()))?;
    launch!(calls<<<1, 1>>>(move || unsafe { *pointer }))?;
    launch!(calls<<<1, 1>>>(move || shared()))?;
    // Fine: captures nothing, and the device's code has no thread-local variables.
    let key: &'static LocalKey<Cell<u32>> = &COUNT;
    let _ = key;
    launch!(calls<<<1, 1>>>(|| 1))
}
