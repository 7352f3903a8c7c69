//! `mma.sync` (PTX ISA, section 9.7.14.5): the whole product at once, not lane by lane.

use super::exact;
use super::factor::{self, Factor, Format, Half, Sum};
use super::fragment::{
    gather, gather_fields, gather_halves, gather_sums, scatter_halves, scatter_sums,
};
use super::sum::{self, Adder};
use crate::exec::context::{Context, Flow};
use crate::exec::ops::rounding::canonical;
use crate::exec::program::Inst;
use crate::ptx::form::Form;

/// Columns of B and of the sums.
pub(super) const COLUMNS: usize = 8;
/// Rows of A, at most.
pub(super) const MAX_ROWS: usize = 16;

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
    /// Decodes the bits of such elements as integers.
    pub(super) fn integers(self, fields: &[u32], out: &mut [i32]) {
        let shift = if matches!(self, S8 | S4) { 32 - self.bits() } else { 0 };
        for at in 0..fields.len().min(out.len()) {
            out[at] = (fields[at] as i32) << shift >> shift;
        }
    }

    /// The same for floats.
    pub(super) fn floats(self, fields: &[u32], out: &mut [Factor]) {
        let shift = if self == Tf32 { 13 } else { 0 };
        if let Some(format) = self.format() {
            factor::decode(format, shift, fields, out);
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

/// The most elements of a factor, integers and floats: 16 rows of A, or 8 columns of B, which are twice as long in
/// `mma.sp`.
pub(super) const MOST_INTEGERS: usize = MAX_ROWS * 64;
pub(super) const MOST_FLOATS: usize = MAX_ROWS * 32;

/// The rows of A or the columns of B, one after another, as integers.
pub(super) fn gather_integers<'o>(
    context: &Context<'_>,
    element: Element,
    registers: &[u32],
    size: [usize; 2],
    out: &'o mut [i32; MOST_INTEGERS],
) -> &'o [i32] {
    let (mut fields, count) = ([0; MOST_INTEGERS], size[0] * size[1]);
    gather_fields(context, registers, size, element.bits(), &mut fields[..count]);
    element.integers(&fields[..count], out);
    &out[..count]
}

/// The same for floats.
pub(super) fn gather_floats<'o>(
    context: &Context<'_>,
    element: Element,
    registers: &[u32],
    size: [usize; 2],
    out: &'o mut [Factor; MOST_FLOATS],
) -> &'o mut [Factor] {
    let (mut fields, count) = ([0; MOST_FLOATS], size[0] * size[1]);
    gather_fields(context, registers, size, element.bits(), &mut fields[..count]);
    element.floats(&fields[..count], out);
    &mut out[..count]
}

impl Product {
    pub(super) fn is_saturating(self) -> bool {
        self.variant == Variant::Saturating
    }

    /// Adds products of floats as compute capability 9.0 does (found by probes on an H200: docs/tensor-cores.md). `a` and
    /// `b` have rows of `depth` elements, which this may reorder.
    pub(super) fn multiply_floats<S: Sum>(
        self,
        a: &mut [Factor],
        b: &mut [Factor],
        depth: usize,
        sums: &mut [S],
    ) {
        let multiply = |a: &[Factor], b: &[Factor], block: usize, sums: &mut [S]| {
            sum::multiply(a, b, depth, Adder { block, ..Adder::FULL }, sums);
        };
        match self.a {
            Tf32 => multiply(a, b, 8, sums),
            // There are no such tensor cores: two products of `f16` from zero, then an addition. The first
            // has the lower halves of all registers.
            E4m3 | E5m2 => {
                lower_halves_first(a, depth);
                lower_halves_first(b, depth);
                let mut products = [S::of(0.0); MAX_ROWS * COLUMNS];
                let products = &mut products[..sums.len()];
                multiply(a, b, depth / 2, products);
                for at in 0..sums.len() {
                    sums[at] = sums[at].plus(products[at]);
                }
            }
            _ => multiply(a, b, 16, sums),
        }
    }
}

/// Moves the first two of four elements in front of the others, in each row of `depth`.
fn lower_halves_first(rows: &mut [Factor], depth: usize) {
    let half = depth / 2;
    let mut upper = [Factor::default(); MOST_FLOATS / MAX_ROWS / 2];
    for row in rows.chunks_exact_mut(depth) {
        for at in 0..half {
            // The first two of each four.
            let from = at / 2 * 4 + at % 2;
            upper[at] = row[from + 2];
            row[at] = row[from];
        }
        row[half..].copy_from_slice(&upper[..half]);
    }
}

/// Element `part` of a register, as an unsigned number.
pub(super) fn field(register: u32, part: usize, bits: u32) -> u32 {
    register >> (part as u32 * bits) & (u32::MAX >> (32 - bits))
}

fn floats(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let (rows, depth) = (product.rows as usize, product.depth as usize);
    let [mut a, mut b] = [[Factor::default(); MOST_FLOATS]; 2];
    let a = gather_floats(context, product.a, registers.a, [rows, depth], &mut a);
    let b = gather_floats(context, product.b, registers.b, [COLUMNS, depth], &mut b);
    if product.sum == F16 {
        let mut sums = [Half(0.0); MAX_ROWS * COLUMNS];
        gather_halves(context, registers.c, &mut sums);
        product.multiply_floats(a, b, depth, &mut sums[..rows * COLUMNS]);
        scatter_halves(context, registers.d, &sums);
    } else {
        let mut sums = [0f32; MAX_ROWS * COLUMNS];
        gather_sums(context, registers.c, &mut sums);
        product.multiply_floats(a, b, depth, &mut sums[..rows * COLUMNS]);
        sums.iter_mut().for_each(|sum| *sum = canonical(*sum));
        scatter_sums(context, registers.d, &sums);
    }
}

fn doubles(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let (rows, depth) = (product.rows as usize, product.depth as usize);
    let (mut a, mut b) = ([0f64; MAX_ROWS * 16], [0f64; COLUMNS * 16]);
    gather(context, registers.a, rows, depth, &mut a, |register, _| register);
    gather(context, registers.b, COLUMNS, depth, &mut b, |register, _| register);
    let mut sums = [0f64; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    let (a, b) = (&a[..rows * depth], &b[..COLUMNS * depth]);
    exact::add_doubles(a, b, depth, &mut sums[..rows * COLUMNS]);
    scatter_sums(context, registers.d, &sums);
}

fn integers(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    let (rows, depth) = (product.rows as usize, product.depth as usize);
    let [mut a, mut b] = [[0; MOST_INTEGERS]; 2];
    let a = gather_integers(context, product.a, registers.a, [rows, depth], &mut a);
    let b = gather_integers(context, product.b, registers.b, [COLUMNS, depth], &mut b);
    let mut sums = [0; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    exact::add_integers(a, b, depth, &mut sums[..rows * COLUMNS], product.is_saturating());
    scatter_sums(context, registers.d, &sums);
}

fn bits(context: &mut Context<'_>, product: Product, registers: &Registers<'_>) {
    // As words.
    let (rows, depth) = (product.rows as usize, product.depth as usize / 32);
    let (mut a, mut b) = ([0; MAX_ROWS * 8], [0; COLUMNS * 8]);
    let (a, b) = (&mut a[..rows * depth], &mut b[..COLUMNS * depth]);
    gather_fields(context, registers.a, [rows, depth], 32, a);
    gather_fields(context, registers.b, [COLUMNS, depth], 32, b);
    let mut sums = [0; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    let xor = product.variant == Variant::Xor;
    exact::add_bits(a, b, depth, &mut sums[..rows * COLUMNS], xor);
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
