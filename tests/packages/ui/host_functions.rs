// Function pointers and trait objects lead to the host's code: no kernel may call them.
use ptyx::prelude::*;

#[kernel]
fn apply<F: Fn(u32) -> u32>(f: F, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = f(*y);
    }
}

#[derive(Clone, Copy)]
struct Table {
    functions: [fn(u32) -> u32; 3],
}

#[kernel]
fn looks_up(table: Table, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = (table.functions[*y as usize % 3])(*y);
    }
}

#[kernel]
fn may_call(f: Option<fn(u32) -> u32>, mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = f.map_or(1, |f| f(*y));
    }
}

fn one(x: u32) -> u32 {
    x + 1
}

/// Fine: the kernel has its own copies of what it names itself.
#[kernel]
fn of_its_own(mut y: Disjoint<u32>) {
    let functions: [fn(u32) -> u32; 3] = [one, |x| x + 2, |x| x * 2];
    let object: &dyn Fn(u32) -> u32 = &|x| x + 3;
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = object((functions[*y as usize % 3])(*y));
    }
}

#[derive(Clone, Copy)]
struct Numbers([u32; 8]);

struct Scene<'a> {
    numbers: Numbers,
    shapes: [&'a dyn Fn(u32) -> u32; 3],
}

/// Fine: an argument lies beside them.
#[kernel]
fn beside_an_argument(numbers: Numbers, mut y: Disjoint<u32>) {
    let scene = Scene { numbers, shapes: [&one, &|x| x + 2, &|x| x * 2] };
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = scene.shapes[*y as usize % 3](scene.numbers.0[*y as usize % 8]);
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    let pointer: fn(u32) -> u32 = one;
    let object: &'static (dyn Fn(u32) -> u32 + Sync) = &one;
    let objects = [object; 3];
    launch!(apply<<<1, 8>>>(pointer, &mut y))?;
    launch!(apply<<<1, 8>>>(move |x| pointer(x), &mut y))?;
    launch!(apply<<<1, 8>>>(move |x| object(x), &mut y))?;
    launch!(apply<<<1, 8>>>(move |x| objects[x as usize % 3](x), &mut y))?;
    launch!(looks_up<<<1, 8>>>(Table { functions: [one; 3] }, &mut y))?;
    launch!(may_call<<<1, 8>>>(Some(pointer), &mut y))?;
    launch!(of_its_own<<<1, 8>>>(&mut y))?;
    launch!(beside_an_argument<<<1, 8>>>(Numbers([1; 8]), &mut y))?;
    // Fine: the function itself.
    launch!(apply<<<1, 8>>>(one, &mut y))
}
