//! `mma.sync` (PTX ISA, section 9.7.14.5): the whole product at once, not lane by lane.

use super::fragment::{gather, gather_sums, scatter, scatter_sums};
use super::sum::{self, Adder, Factor, Format, Half};
use crate::exec::context::{Context, Flow, Lane};
use crate::exec::ops::rounding::{Round, canonical, f16_to_f64, to_f16};
use crate::exec::program::Inst;
use crate::ptx::form::Form;

/// Columns of B and of the sums.
pub(super) const COLUMNS: usize = 8;
/// Rows of A, at most.
pub(super) const MAX_ROWS: usize = 16;
/// Columns of A, at most; bits are counted in words.
const MAX_DEPTH: usize = 64;

/// The types of elements that have an `mma`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Element {
    F16,
    Bf16,
    Tf32,
    F64,
    S8,
    U8,
    S4,
    U4,
    B1,
    E4m3,
    E5m2,
    E3m2,
    E2m3,
    E2m1,
    F32,
    S32,
}

use Element::*;

/// Name, bits.
const ELEMENTS: &[(Element, &str, u32)] = &[
    (F16, "f16", 16),
    (Bf16, "bf16", 16),
    (Tf32, "tf32", 32),
    (F64, "f64", 64),
    (S8, "s8", 8),
    (U8, "u8", 8),
    (S4, "s4", 4),
    (U4, "u4", 4),
    (B1, "b1", 1),
    (E4m3, "e4m3", 8),
    (E5m2, "e5m2", 8),
    (E3m2, "e3m2", 6),
    (E2m3, "e2m3", 6),
    (E2m1, "e2m1", 4),
    (F32, "f32", 32),
    (S32, "s32", 32),
];

impl Element {
    pub(super) fn named(name: &str) -> Option<Element> {
        ELEMENTS.iter().find(|(_, known, _)| *known == name).map(|&(element, ..)| element)
    }

    /// The inverse of `as usize`.
    pub(super) fn numbered(number: usize) -> Element {
        ELEMENTS[number].0
    }

    pub(super) fn bits(self) -> u32 {
        ELEMENTS[self as usize].2
    }

    /// Bytes of a register that holds such elements.
    fn register(self) -> u32 {
        if self == F64 { 8 } else { 4 }
    }

    /// How many registers a matrix of so many elements takes.
    fn registers(self, elements: u32) -> u32 {
        elements * self.bits() / 32 / (8 * self.register())
    }

    /// The format of factors of floating-point products.
    pub(super) fn format(self) -> Option<Format> {
        let (exponent, stored, infinities) = match self {
            F16 => (5, 10, true),
            Bf16 => (8, 7, true),
            // The lower 13 bits of the 32 are not looked at.
            Tf32 => (8, 10, true),
            E4m3 => (4, 3, false),
            E5m2 => (5, 2, true),
            _ => return None,
        };
        Some(Format { exponent, stored, infinities })
    }
}

impl Element {
    /// Makes a number of the `part`-th field of a register.
    pub(super) fn integers(self) -> impl Fn(u32, usize) -> i32 {
        let bits = self.bits();
        let signed = matches!(self, S8 | S4);
        move |register, part| {
            let value = field(register, part, bits) as i32;
            if signed { value << (32 - bits) >> (32 - bits) } else { value }
        }
    }

    /// The same of floats.
    pub(super) fn floats(self) -> impl Fn(u32, usize) -> Factor {
        let (bits, format) = (self.bits(), self.format());
        move |register, part| {
            let bits = field(register, part, bits);
            let shift = if self == Tf32 { 13 } else { 0 };
            format.map_or(Factor::default(), |format| format.decode(bits >> shift))
        }
    }
}

/// What is done besides multiplying and adding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Variant {
    Plain,
    /// `.satfinite`
    Saturating,
    /// `.xor.popc`
    Xor,
    /// `.and.popc`
    And,
}

/// What the modifiers of an `mma` say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Product {
    pub(super) rows: u32,
    pub(super) depth: u32,
    pub(super) a: Element,
    pub(super) b: Element,
    pub(super) sum: Element,
    variant: Variant,
}

impl Product {
    /// Reads modifiers that the table has let through: `.sync.aligned.m16n8k16.row.col` and the types.
    pub(crate) fn read(form: &Form<'_>) -> Option<Product> {
        let words = form.words();
        let shape = words
            .iter()
            .find_map(|word| word.strip_prefix('m').filter(|rest| rest.contains('n')))?;
        let (rows, rest) = shape.split_once('n')?;
        let (_, depth) = rest.split_once('k')?;
        let types: Vec<Element> = words.iter().filter_map(|word| Element::named(word)).collect();
        let [sum, a, b, _] = types[..] else { return None };
        let variant = match (form.has("satfinite"), form.has("xor"), form.has("and")) {
            (true, ..) => Variant::Saturating,
            (_, true, _) => Variant::Xor,
            (.., true) => Variant::And,
            _ => Variant::Plain,
        };
        Some(Product { rows: rows.parse().ok()?, depth: depth.parse().ok()?, a, b, sum, variant })
    }

    /// Numbers and sizes in bytes of the registers of an operand: `d`, `a`, `b`, `c`.
    pub(crate) fn operands(self) -> [(u32, u32); 4] {
        let columns = COLUMNS as u32;
        let of = |element: Element, elements| (element.registers(elements), element.register());
        let sums = of(self.sum, self.rows * columns);
        [sums, of(self.a, self.rows * self.depth), of(self.b, self.depth * columns), sums]
    }

    /// The same of `mma.sp`: half of A is there.
    pub(crate) fn sparse_operands(self) -> [(u32, u32); 4] {
        let [sums, (a, size), b, _] = self.operands();
        [sums, (a / 2, size), b, sums]
    }

    /// How many selectors `mma.sp` has: as many as lanes of four without which the metadata fit.
    pub(crate) fn selectors(self) -> u32 {
        // Four bits for a group of two numbers of 32 bits, of eight numbers of 4 bits, or of four others.
        let group = match self.a.bits() {
            32 => 2,
            4 => 8,
            _ => 4,
        };
        64 / (self.rows * self.depth / group / 4)
    }

    /// The semantic function's copy, packed into an instruction.
    pub(crate) fn pack(self) -> i64 {
        let bytes = [
            self.rows as u8,
            (self.depth / 4) as u8,
            self.a as u8,
            self.b as u8,
            self.sum as u8,
            self.variant as u8,
        ];
        bytes.iter().rev().fold(0, |all, &byte| all << 8 | i64::from(byte))
    }

    pub(super) fn unpack(bits: i64) -> Product {
        let byte = |index: u32| (bits >> (8 * index) & 0xff) as u32;
        let element = |index| Element::numbered(byte(index) as usize);
        let variant = match byte(5) {
            0 => Variant::Plain,
            1 => Variant::Saturating,
            2 => Variant::Xor,
            _ => Variant::And,
        };
        let (rows, depth) = (byte(0), byte(1) * 4);
        Product { rows, depth, a: element(2), b: element(3), sum: element(4), variant }
    }
}

/// `mma.sync d, a, b, c`: the registers of all operands are list `x`, `b` is the constant of a full mask.
pub(crate) fn mma(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let product = Product::unpack(inst.imm);
    context.warp_wide(inst.b, mask, |context| {
        let list = &context.function().lists[inst.x as usize][..];
        let [d, a, b, _] = product.operands().map(|(count, _)| count as usize);
        let (d, rest) = list.split_at(d);
        let (a, rest) = rest.split_at(a);
        let (b, c) = rest.split_at(b);
        let registers = Registers { d, a, b, c };
        match product.sum {
            F64 => doubles(context, product, &registers),
            S32 if product.a == B1 => bits(context, product, &registers),
            S32 => integers(context, product, &registers),
            _ => floats(context, product, &registers),
        }
        Ok(())
    })
}

/// The registers of the operands.
pub(super) struct Registers<'l> {
    pub(super) d: &'l [u32],
    pub(super) a: &'l [u32],
    pub(super) b: &'l [u32],
    pub(super) c: &'l [u32],
}

/// The rows of A, and the columns of B, one after another.
pub(super) struct Factors<V> {
    pub(super) a: [V; MAX_ROWS * MAX_DEPTH],
    pub(super) b: [V; COLUMNS * MAX_DEPTH],
    rows: usize,
    depth: usize,
}

impl<V: Copy + Default> Factors<V> {
    pub(super) fn empty(rows: usize, depth: usize) -> Self {
        let (a, b) = ([V::default(); MAX_ROWS * MAX_DEPTH], [V::default(); COLUMNS * MAX_DEPTH]);
        Factors { a, b, rows, depth }
    }

    fn gather<R: Lane>(
        context: &Context<'_>,
        product: Product,
        registers: &Registers<'_>,
        split_a: impl Fn(R, usize) -> V,
        split_b: impl Fn(R, usize) -> V,
    ) -> Self {
        // Bits are gathered as words.
        let unit = if product.a == B1 { 32 } else { 1 };
        let (rows, depth) = (product.rows as usize, product.depth as usize / unit);
        let mut all = Factors::empty(rows, depth);
        gather(context, registers.a, rows, depth, &mut all.a, split_a);
        gather(context, registers.b, COLUMNS, depth, &mut all.b, split_b);
        all
    }

    /// Replaces each sum by what `dot` makes of it, its row of A and its column of B.
    fn multiply<S: Copy>(&self, sums: &mut [S], dot: impl Fn(S, &[V], &[V]) -> S) {
        for row in 0..self.rows {
            let a = &self.a[row * self.depth..][..self.depth];
            for column in 0..COLUMNS {
                let b = &self.b[column * self.depth..][..self.depth];
                let sum = &mut sums[row * COLUMNS + column];
                *sum = dot(*sum, a, b);
            }
        }
    }
}

impl Factors<i32> {
    /// Adds the products, which are exact.
    pub(super) fn add_integers(&self, sums: &mut [i32], product: Product) {
        let saturating = product.variant == Variant::Saturating;
        self.multiply(sums, |sum, a, b| {
            // At most 64 products of 16 bits.
            let products: i32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            if saturating { sum.saturating_add(products) } else { sum.wrapping_add(products) }
        });
    }
}

impl Factors<Factor> {
    /// Adds the products as compute capability 9.0 does (found by probes on an H200: docs/tensor-cores.md).
    pub(super) fn multiply_floats<S: sum::Sum>(&mut self, sums: &mut [S], element: Element) {
        let (depth, rows) = (self.depth, self.rows);
        let multiply = |factors: &Self, block: usize, sums: &mut [S]| {
            let adder = Adder { block, ..Adder::FULL };
            let (a, b) = (&factors.a[..rows * depth], &factors.b[..COLUMNS * depth]);
            sum::multiply(a, b, depth, adder, sums);
        };
        match element {
            Tf32 => multiply(self, 8, sums),
            // There are no such tensor cores: two products of `f16` from zero, then an addition. The first
            // has the lower halves of all registers.
            E4m3 | E5m2 => {
                lower_halves_first(&mut self.a[..rows * depth], depth);
                lower_halves_first(&mut self.b[..COLUMNS * depth], depth);
                let mut products = [S::ZERO; MAX_ROWS * COLUMNS];
                let products = &mut products[..sums.len()];
                multiply(self, depth / 2, products);
                for (sum, product) in sums.iter_mut().zip(products) {
                    *sum = sum.plus(*product);
                }
            }
            _ => multiply(self, 16, sums),
        }
    }
}

/// Moves the first two of four elements in front of the others, in each row of `depth`.
fn lower_halves_first(rows: &mut [Factor], depth: usize) {
    let mut upper = Vec::with_capacity(depth / 2);
    for row in rows.chunks_exact_mut(depth) {
        upper.clear();
        for from in (0..depth).step_by(4) {
            upper.extend_from_slice(&row[from + 2..from + 4]);
            row.copy_within(from..from + 2, from / 2);
        }
        row[depth / 2..].copy_from_slice(&upper);
    }
}

/// Element `part` of a register, as an unsigned number.
pub(super) fn field(register: u32, part: usize, bits: u32) -> u32 {
    register >> (part as u32 * bits) & (u32::MAX >> (32 - bits))
}

fn floats(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let [split_a, split_b] = [product.a, product.b].map(Element::floats);
    let mut factors = Factors::gather(context, product, registers, split_a, split_b);
    let count = factors.rows * COLUMNS;
    if product.sum == F16 {
        let mut sums = [Half(0.0); MAX_ROWS * COLUMNS];
        gather(context, registers.c, factors.rows, COLUMNS, &mut sums, |register: u32, part| {
            Half(f16_to_f64(field(register, part, 16) as u16))
        });
        factors.multiply_floats(&mut sums[..count], product.a);
        scatter(context, registers.d, factors.rows, COLUMNS, &sums, |pair| {
            let bits = |half: Half| u32::from(to_f16(half.0, Round::Nearest));
            bits(pair[0]) | bits(pair[1]) << 16
        });
    } else {
        let mut sums = [0f32; MAX_ROWS * COLUMNS];
        gather_sums(context, registers.c, &mut sums);
        factors.multiply_floats(&mut sums[..count], product.a);
        sums = sums.map(canonical);
        scatter_sums(context, registers.d, &sums);
    }
}

/// Each product and sum is rounded once, to the nearest, one after another.
fn doubles(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let one = |register: f64, _: usize| register;
    let factors = Factors::gather(context, product, registers, one, one);
    let mut sums = [0f64; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    factors.multiply(&mut sums[..factors.rows * COLUMNS], |sum, a, b| {
        a.iter().zip(b).fold(sum, |sum, (a, b)| a.mul_add(*b, sum))
    });
    scatter_sums(context, registers.d, &sums);
}

fn integers(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let [split_a, split_b] = [product.a, product.b].map(Element::integers);
    let factors = Factors::gather(context, product, registers, split_a, split_b);
    let mut sums = [0i32; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    factors.add_integers(&mut sums[..factors.rows * COLUMNS], product);
    scatter_sums(context, registers.d, &sums);
}

fn bits(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let one = |register: u32, _: usize| register;
    let factors = Factors::gather(context, product, registers, one, one);
    let mut sums = [0i32; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    let xor = product.variant == Variant::Xor;
    factors.multiply(&mut sums[..factors.rows * COLUMNS], |sum, a, b| {
        let combined = a.iter().zip(b).map(|(a, b)| if xor { a ^ b } else { a & b });
        let ones: u32 = combined.map(u32::count_ones).sum();
        sum.wrapping_add(ones as i32)
    });
    scatter_sums(context, registers.d, &sums);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_read_and_packed() {
        let words: Vec<&str> =
            "sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc".split('.').collect();
        let product = Product::read(&Form::new(&words)).unwrap();
        assert_eq!((product.rows, product.depth, product.variant), (16, 256, Variant::And));
        assert_eq!(product.operands(), [(4, 4), (4, 4), (2, 4), (4, 4)]);
        assert_eq!(Product::unpack(product.pack()), product);
        let words: Vec<&str> = "sync.aligned.m16n8k16.row.col.f64.f64.f64.f64".split('.').collect();
        let product = Product::read(&Form::new(&words)).unwrap();
        assert_eq!(product.operands(), [(4, 8), (8, 8), (4, 8), (4, 8)]);
    }

    #[test]
    fn elements_are_numbered_in_order() {
        for (index, (element, ..)) in ELEMENTS.iter().enumerate() {
            assert_eq!(*element as usize, index);
        }
    }
}
