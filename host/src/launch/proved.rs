//! The answers to the questions that kernels ask the host about their launch (see [`Proof`]), remembered by each thread.

use core::cell::Cell;
use core::ptr::from_ref;
use ptyx_image::{Number, Proof};

/// The most numbers of a proof whose answers are remembered.
const MAX_NUMBERS: usize = 8;

/// Rows of a thread's table; a power of two.
const ROWS: usize = 64;

/// The numbers of a proof, and how many of its levels hold for them.
struct Row {
    /// The proof's address, which lives as long as the process; 0 in a row that is not used.
    proof: Cell<usize>,
    numbers: [Cell<u64>; MAX_NUMBERS],
    level: Cell<u32>,
}

impl Row {
    const fn unused() -> Row {
        Row {
            proof: Cell::new(0),
            numbers: [const { Cell::new(0) }; MAX_NUMBERS],
            level: Cell::new(0),
        }
    }
}

thread_local! {
    static KNOWN: [Row; ROWS] = const { [const { Row::unused() }; ROWS] };
}

/// How many levels of a proof hold of a launch.
///
/// Launches in a loop mostly have the same lengths and shapes. Comparing those with earlier ones takes less than half the time
/// that the sums take (`docs/performance.md`).
///
/// # Safety
/// `args` has a pointer to each argument of the proof's kernel.
#[inline]
pub(super) unsafe fn level(
    proof: &'static Proof,
    grid: &[u32; 3],
    block: &[u32; 3],
    args: &[*const u8],
) -> u32 {
    // SAFETY: the caller's promise.
    let value = |number: &Number| unsafe { value(number, grid, block, args) };
    if proof.numbers.len() > MAX_NUMBERS {
        return proof.level(value);
    }
    let own = from_ref(proof).addr();
    // Without iterator adapters: where they are not inlined, they take longer than all else here.
    let (mut numbers, mut mixed, mut count) = ([0; MAX_NUMBERS], own as u64, 0);
    for number in &proof.numbers {
        numbers[count % MAX_NUMBERS] = value(number);
        mixed = mixed.rotate_left(9) ^ numbers[count % MAX_NUMBERS];
        count += 1;
    }
    let row = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize % ROWS;
    KNOWN.with(|known| {
        let row = &known[row];
        let mut same = row.proof.get() == own;
        for (at, number) in numbers.iter().enumerate() {
            same &= *number == row.numbers[at].get();
        }
        match same {
            true => row.level.get(),
            false => find_out(proof, numbers, row),
        }
    })
}

/// Calculates how many levels hold for numbers that are not in the row, and puts them there.
#[cold]
fn find_out(proof: &'static Proof, numbers: [u64; MAX_NUMBERS], row: &Row) -> u32 {
    let mut rest = numbers.iter();
    let level = proof.level_for(|| rest.next().copied().unwrap_or(0));
    row.proof.set(from_ref(proof).addr());
    row.numbers.iter().zip(numbers).for_each(|(place, number)| place.set(number));
    row.level.set(level);
    level
}

/// # Safety
/// `args` has a pointer to each argument of the kernel whose number it is.
#[inline]
unsafe fn value(number: &Number, grid: &[u32; 3], block: &[u32; 3], args: &[*const u8]) -> u64 {
    match *number {
        Number::Argument { arg, offset, size } => {
            let place = args[arg as usize].wrapping_add(offset as usize);
            // SAFETY: the number lies inside its argument, as the image has been checked for.
            unsafe {
                match size {
                    1 => place.read().into(),
                    2 => place.cast::<u16>().read_unaligned().into(),
                    4 => place.cast::<u32>().read_unaligned().into(),
                    _ => place.cast::<u64>().read_unaligned(),
                }
            }
        }
        Number::Blocks(axis) => grid[usize::from(axis)].into(),
        Number::Threads(axis) => block[usize::from(axis)].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptyx_image::Product;

    fn leaked(numbers: Vec<Number>) -> &'static Proof {
        let product = |count, factors: &[u8]| Product { count, factors: factors.to_vec() };
        // The first number is at least the product of the others.
        let others: Vec<u8> = (1..numbers.len() as u8).collect();
        let levels = vec![vec![vec![product(1, &[0]), product(-1, &others)]]];
        Box::leak(Box::new(Proof { numbers, quotients: Vec::new(), levels }))
    }

    fn check(proof: &'static Proof, len: u64, blocks: u32, threads: u32, expected: bool) {
        let args = [(&raw const len).cast::<u8>()];
        // SAFETY: the proofs are about one argument of 8 bytes.
        let level = unsafe { level(proof, &[blocks, 1, 1], &[threads, 1, 1], &args) };
        assert_eq!(level, expected.into(), "{len} {blocks} {threads}");
    }

    #[test]
    fn answers_are_those_of_the_proof_however_often() {
        let len = Number::Argument { arg: 0, offset: 0, size: 8 };
        let few = leaked(vec![len, Number::Blocks(0), Number::Threads(0)]);
        let alike = leaked(vec![len, Number::Blocks(0), Number::Threads(0)]);
        let less = leaked(vec![len, Number::Blocks(0)]);
        let many = [vec![len, Number::Blocks(0), Number::Threads(0)], vec![Number::Blocks(1); 9]];
        let many = leaked(many.concat());
        for _ in 0..3 {
            for len in 0..40 {
                for (blocks, threads) in [(1, 1), (2, 8), (8, 2), (4, 7)] {
                    let product = u64::from(blocks * threads);
                    check(few, len, blocks, threads, len >= product);
                    check(alike, len, blocks, threads, len >= product);
                    check(many, len, blocks, threads, len >= product);
                    check(less, len, blocks, threads, len >= blocks.into());
                }
            }
            check(few, 1 << 63, 1, 1, false);
            check(few, u64::MAX >> 1, u32::MAX, 1 << 31, true);
        }
        // Another thread has a table of its own.
        std::thread::spawn(move || check(few, 5, 2, 2, true)).join().unwrap();
    }
}
