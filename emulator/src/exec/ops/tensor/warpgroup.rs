//! Products of 16 rows by all columns: a warp's part of a `wgmma`, which reads its matrices from shared memory.

use super::descriptor::UNIT;
use super::exact;
use super::factor::{Factor, Half};
use super::fragment::{place_of_sum, spread};
use super::mma::{Element, field};
use super::sum;
use crate::exec::ops::rounding::canonical;
use crate::exec::ops::span;
use crate::memory::Span;
use crate::ptx::form::Form;

use Element::*;

/// Rows of a warp.
pub(super) const ROWS: usize = 16;
/// Columns that are multiplied at a time.
const COLUMNS: usize = 8;
/// Bytes of a row of A, or column of B, that an instruction multiplies.
pub(super) const STEP: u32 = 32;

/// What the modifiers and constants of an instruction say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Product {
    pub(super) columns: u32,
    a: Element,
    b: Element,
    sum: Element,
    saturating: bool,
    /// A is in registers.
    pub(crate) in_registers: bool,
    /// The product is subtracted.
    pub(crate) negated: bool,
    /// A, and B, whose neighbours lie along M and N.
    pub(crate) across: [bool; 2],
}

impl Product {
    /// Reads modifiers that the table has let through: `.mma_async.sync.aligned.m64n8k16.f32.f16.f16`.
    pub(crate) fn read(form: &Form<'_>) -> Option<Product> {
        let words = form.words();
        let (columns, depth) = words.get(3)?.strip_prefix("m64n")?.split_once('k')?;
        let types: Vec<Element> = words.iter().filter_map(|word| Element::named(word)).collect();
        let [sum, a, b] = types[..] else { return None };
        let (columns, depth): (u32, u32) = (columns.parse().ok()?, depth.parse().ok()?);
        // Integers have fewer sizes.
        let multiple = if sum == S32 && columns > 24 { 16 } else { 8 };
        let exists = (8..=256).contains(&columns)
            && columns.is_multiple_of(multiple)
            && depth * a.bits() == STEP * 8;
        exists.then_some(Product {
            columns,
            a,
            b,
            sum,
            saturating: form.has("satfinite"),
            in_registers: false,
            negated: false,
            across: [false; 2],
        })
    }

    /// Registers of the sums.
    pub(crate) fn sums(self) -> u32 {
        self.columns * self.sum.bits() / 64
    }

    /// Whether it has constants that negate factors; and that say how matrices lie.
    pub(crate) fn constants(self) -> [bool; 2] {
        [self.sum != S32, matches!(self.a, F16 | Bf16)]
    }

    pub(crate) fn pack(self) -> i64 {
        let flags =
            [self.saturating, self.in_registers, self.negated, self.across[0], self.across[1]];
        let flags = flags.iter().rev().fold(0, |all, &flag| all << 1 | i64::from(flag));
        let elements = [self.a, self.b, self.sum];
        let elements = elements.iter().rev().fold(0, |all, &one| all << 8 | one as i64);
        flags << 40 | elements << 16 | i64::from(self.columns)
    }

    pub(super) fn unpack(bits: i64) -> Product {
        let element = |at: u32| Element::numbered((bits >> at & 0xff) as usize);
        let flag = |index: u32| bits >> (40 + index) & 1 == 1;
        Product {
            columns: (bits & 0xffff) as u32,
            a: element(16),
            b: element(24),
            sum: element(32),
            saturating: flag(0),
            in_registers: flag(1),
            negated: flag(2),
            across: [flag(3), flag(4)],
        }
    }
}

/// Where a factor is.
pub(super) enum Source {
    /// Registers of A.
    Registers(Vec<[u32; 32]>),
    /// Units in shared memory; their order depends on how the matrix lies.
    Units(Vec<u64>),
}

/// A product that has been started.
pub(crate) struct Work {
    pub(super) product: Product,
    pub(super) a: Source,
    pub(super) b: Source,
    /// Whether it is added to the sums, or replaces them.
    pub(super) adds: bool,
}

impl Work {
    pub(super) fn run(&self, shared: &Span, sums: &mut [[u32; 32]]) {
        let Product { a, b, sum, .. } = self.product;
        let count = self.product.columns as usize;
        // Single bits are read as whole words: `add_bits` takes 32 at a time.
        let [bits_of_a, bits_of_b] =
            [a, b].map(|element| if element == B1 { 32 } else { element.bits() });
        let rows_of_a = elements(&self.a, self.product.across[0], ROWS, bits_of_a, shared);
        let columns_of_b = elements(&self.b, self.product.across[1], count, bits_of_b, shared);
        if !self.adds {
            sums.fill([0; 32]);
        }
        if a == B1 {
            let depth = STEP as usize / 4;
            let add = |b: &[u32], tile: &mut [i32]| {
                exact::add_bits(&rows_of_a, b, depth, tile, false);
            };
            whole_tiles(&columns_of_b, depth, sums, add);
        } else if sum == S32 {
            let decode = |element: Element, bits: &[u32]| {
                let mut numbers = vec![0; bits.len()];
                element.integers(bits, &mut numbers);
                numbers
            };
            self.integers(&decode(a, &rows_of_a), &decode(b, &columns_of_b), sums);
        } else {
            let decode = |element: Element, bits: &[u32]| {
                let mut factors = vec![Factor::default(); bits.len()];
                element.floats(bits, &mut factors);
                factors
            };
            let mut factors_of_a = decode(a, &rows_of_a);
            if self.product.negated {
                factors_of_a.iter_mut().for_each(Factor::negate);
            }
            self.floats(&factors_of_a, &decode(b, &columns_of_b), sums);
        }
    }

    fn depth(&self) -> usize {
        (STEP * 8 / self.product.a.bits()) as usize
    }

    fn floats(&self, a: &[Factor], b: &[Factor], sums: &mut [[u32; 32]]) {
        let depth = self.depth();
        let adder = match self.product.a {
            Tf32 => sum::Adder { block: 8, ..sum::Adder::FULL },
            E4m3 | E5m2 => sum::Adder::EIGHT_BITS,
            _ => sum::Adder::FULL,
        };
        let half = self.product.sum == F16;
        let registers = if half { 2 } else { 4 };
        for (b, sums) in b.chunks_exact(COLUMNS * depth).zip(sums.chunks_exact_mut(registers)) {
            if half {
                let mut tile = [Half(0.0); ROWS * COLUMNS];
                each_half(|place, register, lane, part| {
                    tile[place] = Half::from_bits(field(sums[register][lane], part, 16) as u16);
                });
                sum::multiply(a, b, depth, adder, &mut tile);
                each_half(|place, register, lane, part| {
                    let bits = u32::from(tile[place].to_bits());
                    let kept = sums[register][lane] & !(0xffff << (16 * part));
                    sums[register][lane] = kept | bits << (16 * part);
                });
            } else {
                let mut tile = [0f32; ROWS * COLUMNS];
                each_whole(|place, register, lane| {
                    tile[place] = f32::from_bits(sums[register][lane])
                });
                sum::multiply(a, b, depth, adder, &mut tile);
                each_whole(|place, register, lane| {
                    sums[register][lane] = canonical(tile[place]).to_bits();
                });
            }
        }
    }

    fn integers(&self, a: &[i32], b: &[i32], sums: &mut [[u32; 32]]) {
        let depth = self.depth();
        whole_tiles(b, depth, sums, |b, tile| {
            exact::add_integers(a, b, depth, tile, self.product.saturating);
        });
    }
}

/// Lets `add` add to integer sums, eight columns at a time.
fn whole_tiles<T>(b: &[T], depth: usize, sums: &mut [[u32; 32]], add: impl Fn(&[T], &mut [i32])) {
    for (b, sums) in b.chunks_exact(COLUMNS * depth).zip(sums.chunks_exact_mut(4)) {
        let mut tile = [0i32; ROWS * COLUMNS];
        each_whole(|place, register, lane| tile[place] = sums[register][lane] as i32);
        add(b, &mut tile);
        each_whole(|place, register, lane| sums[register][lane] = tile[place] as u32);
    }
}

/// Calls `f` with each place in a tile of 16 x 8 sums, and its register and lane.
fn each_whole(mut f: impl FnMut(usize, usize, usize)) {
    for register in 0..4 {
        for lane in 0..32 {
            f(place_of_sum(register, lane), register, lane);
        }
    }
}

/// The same for pairs of sums of 16 bits: place, register, lane, half.
fn each_half(mut f: impl FnMut(usize, usize, usize, usize)) {
    each_whole(|place, index, lane| f(place, index / 2, lane, index % 2));
}

/// The bits of the elements of a factor, row after row of A, or column after column of B.
fn elements(source: &Source, across: bool, rows: usize, bits: u32, shared: &Span) -> Vec<u32> {
    let depth = (STEP * 8 / bits) as usize;
    let per_unit = (UNIT * 8 / bits) as usize;
    let mut out = vec![0; rows * depth];
    match source {
        Source::Registers(registers) => {
            for (index, values) in registers.iter().enumerate() {
                spread(index, values, [ROWS, depth], bits, &mut out);
            }
        }
        Source::Units(units) => {
            for (index, &address) in units.iter().enumerate() {
                for word in 0..UNIT as usize / 4 {
                    // SAFETY: the unit was found in shared memory, aligned, when the product was started.
                    let content: u32 = unsafe { span::read(shared, address + 4 * word as u64) };
                    let per_word = per_unit / 4;
                    for part in 0..per_word.max(1) {
                        let number = word * per_word + part;
                        let place = if across {
                            let (k, unit) = (index / (rows / 8), index % (rows / 8));
                            (unit * per_unit + number) * depth + k
                        } else {
                            index * per_unit + number
                        };
                        out[place] = field(content, part, bits);
                    }
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_read_and_packed() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split('.').collect();
            Product::read(&Form::new(&words))
        };
        let product = read("mma_async.sync.aligned.m64n24k32.s32.s8.u8.satfinite").unwrap();
        let product =
            Product { in_registers: true, negated: true, across: [false, true], ..product };
        assert_eq!((product.columns, product.saturating, product.sums()), (24, true, 12));
        assert_eq!(Product::unpack(product.pack()), product);
        for wrong in ["m64n40k32.s32.s8.s8", "m64n12k16.f32.f16.f16", "m64n264k8.f32.tf32.tf32"] {
            assert!(read(&format!("mma_async.sync.aligned.{wrong}")).is_none(), "{wrong}");
        }
        let bits = read("mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc").unwrap();
        assert_eq!((bits.sums(), bits.constants()), (8, [false, false]));
        assert_eq!(read("mma_async.sync.aligned.m64n40k16.f16.f16.f16").unwrap().sums(), 10);
    }
}
