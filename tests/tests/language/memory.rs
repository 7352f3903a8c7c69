//! `MaybeUninit`, unions, cells, `Drop`, raw pointers, zero-sized types.

use crate::harness::{digest, edgy, same};
use core::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use core::mem::{self, ManuallyDrop, MaybeUninit};
use core::pin::pin;
use core::ptr::{self, NonNull};

/// A stack of at most `N` values, as crates without a heap have it.
struct Stack<T, const N: usize> {
    slots: [MaybeUninit<T>; N],
    length: usize,
}

impl<T, const N: usize> Stack<T, N> {
    const fn new() -> Self {
        Stack { slots: [const { MaybeUninit::uninit() }; N], length: 0 }
    }

    fn push(&mut self, value: T) -> Result<(), T> {
        match self.slots.get_mut(self.length) {
            Some(slot) => {
                slot.write(value);
                self.length += 1;
                Ok(())
            }
            None => Err(value),
        }
    }

    fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        // SAFETY: the slot below the length was written, and is not read again.
        Some(unsafe { self.slots[self.length].assume_init_read() })
    }

    fn as_slice(&self) -> &[T] {
        // SAFETY: the first `length` slots were written; `MaybeUninit<T>` is laid out as `T`.
        unsafe { &*(&raw const self.slots[..self.length] as *const [T]) }
    }
}

impl<T, const N: usize> Drop for Stack<T, N> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

/// Counts how many of it are dropped, and in which order.
struct Tracked<'a>(u64, &'a Cell<u64>);

impl Drop for Tracked<'_> {
    fn drop(&mut self) {
        self.1.set(self.1.get().wrapping_mul(31).wrapping_add(self.0));
    }
}

fn drops(x: &[u64; 8]) -> [u64; 4] {
    let order = Cell::new(1);
    let mut refused = 0;
    {
        let mut stack = Stack::<_, 5>::new();
        for &x in x {
            if x % 4 == 0 {
                drop(stack.pop());
            }
            if let Err(back) = stack.push(Tracked(x, &order)) {
                refused += 1;
                mem::forget(back);
            }
        }
        let _last = Tracked(7, &order);
        let kept = ManuallyDrop::new(Tracked(9, &order));
        let _moved = (kept.0 % 2 == 0).then(|| Tracked(11, &order));
        let [_a, b] = [Tracked(13, &order), Tracked(15, &order)];
        drop(b);
        refused += 10 * stack.as_slice().len() as u64;
    }
    [
        order.get(),
        refused,
        x.iter().copied().fold(0, u64::wrapping_add),
        mem::needs_drop::<Tracked>().into(),
    ]
}

#[test]
fn uninitialised_memory_and_drop_order() {
    same(drops, |rng| core::array::from_fn(|_| edgy(rng)));
}

#[derive(Clone, Copy)]
#[repr(C)]
union Number {
    float: f32,
    integer: u32,
    bytes: [u8; 4],
    halves: (u16, u16),
}

fn unions(&[a, b]: &[u64; 2]) -> [u64; 4] {
    let mut number = Number { integer: a as u32 };
    // SAFETY: every bit pattern is a value of each of the fields.
    unsafe {
        number.bytes[b as usize % 4] ^= 0x5a;
        let bits = number.float.to_bits();
        let Number { halves: (low, high) } = number;
        number.float = if number.float.is_nan() { 1.0 } else { -number.float };
        [bits.into(), low.into(), high.into(), number.integer.into()]
    }
}

#[test]
fn unions_share_their_bytes() {
    same(unions, |rng| [edgy(rng), edgy(rng)]);
}

struct Node<'a> {
    value: u64,
    next: Cell<Option<&'a Node<'a>>>,
}

fn cells(x: &[u64; 6]) -> [u64; 5] {
    // A ring of nodes that point to each other.
    let nodes = x.map(|value| Node { value, next: Cell::new(None) });
    for (i, node) in nodes.iter().enumerate() {
        node.next.set(Some(&nodes[(i + 1 + x[i] as usize % 5) % 6]));
    }
    let mut walked = 0u64;
    let mut node = &nodes[0];
    for _ in 0..10 {
        walked = walked.rotate_left(5) ^ node.value;
        if let Some(next) = node.next.get() {
            node = next;
        }
    }
    let shared = RefCell::new([0u64; 3]);
    for &x in x {
        let held = (x % 3 == 0).then(|| shared.borrow());
        if let Ok(mut array) = shared.try_borrow_mut() {
            array[x as usize % 3] = x;
        }
        drop(held);
    }
    let once = OnceCell::new();
    let first = *once.get_or_init(|| x[2]);
    let second = *once.get_or_init(|| x[3]);
    let raw = UnsafeCell::new(x[4]);
    // SAFETY: nothing else points into the cell.
    unsafe { *raw.get() ^= 1 };
    [walked, digest(shared.into_inner()), first, second, raw.into_inner()]
}

#[test]
fn interior_mutability() {
    same(cells, |rng| core::array::from_fn(|_| edgy(rng)));
}

fn pointers(x: &[u64; 5]) -> [u64; 8] {
    let mut y = *x;
    let start = y.as_mut_ptr();
    let mut sum = 0u64;
    // SAFETY: every access stays inside `y`, and each is done before the next one starts.
    unsafe {
        ptr::swap(start, start.add(4));
        start.add(1).write_unaligned(start.add(2).read());
        sum = sum.wrapping_add(start.cast::<u16>().add(3).read().into());
        sum = sum.wrapping_add(start.cast::<u8>().add(5).cast::<u32>().read_unaligned().into());
        ptr::copy(start, start.add(1), 3);
        start.add(3).write_volatile(start.add(3).read_volatile() ^ 1);
        let end = start.add(5);
        sum = sum.wrapping_add(end.offset_from(start) as u64);
        let middle = NonNull::new_unchecked(start.add(2));
        sum ^= middle.read();
    }
    let null: *const u64 = ptr::null();
    // SAFETY: every bit pattern is a value of both types, of one size.
    let words = unsafe { mem::transmute::<[u64; 5], [[u32; 2]; 5]>(y) };
    let mut a = x[0];
    let b = mem::replace(&mut a, x[1]);
    let c = mem::take(&mut a);
    let pinned = pin!(c);
    [
        sum,
        digest(y),
        digest(words),
        null.is_null().into(),
        a ^ b ^ *pinned,
        // SAFETY: the pointer came from a reference and is aligned.
        u64::from(unsafe { x.as_ptr().add(1).as_ref() } == Some(&x[1])),
        start.is_aligned().into(),
        (ptr::eq(&x[0], x.as_ptr()) as u64)
            + 2 * (x.as_ptr_range().contains(&&raw const x[4]) as u64),
    ]
}

#[test]
fn raw_pointers() {
    same(pointers, |rng| core::array::from_fn(|_| edgy(rng)));
}

#[repr(C, packed(2))]
#[derive(Clone, Copy)]
struct Packed {
    byte: u8,
    word: u64,
    half: u16,
}

#[repr(align(32))]
#[derive(Clone, Copy, PartialEq)]
struct Aligned([u8; 3]);

struct Empty;

fn layouts(&[a, b]: &[u64; 2]) -> [u64; 8] {
    let mut packed = Packed { byte: a as u8, word: b, half: a as u16 };
    packed.word = packed.word.wrapping_add(packed.half.into());
    let word = packed.word;
    let many = [Aligned([a as u8, b as u8, 3]); 3];
    let index = b as usize % 3;
    let empties = [const { Empty }; 9];
    let optional: Option<&Packed> = (a % 2 == 0).then_some(&packed);
    [
        word,
        packed.byte.into(),
        size_of::<Packed>() as u64,
        (&raw const many[index] as u64) % 32,
        many[index].0[a as usize % 3].into(),
        size_of_val(&empties) as u64 + empties.iter().count() as u64,
        size_of_val(&optional) as u64 + u64::from(optional.is_some()),
        mem::offset_of!(Packed, half) as u64,
    ]
}

#[test]
fn packed_aligned_and_empty_types() {
    same(layouts, |rng| [edgy(rng), edgy(rng)]);
}
