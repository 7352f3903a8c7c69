//! `mma.sync` of compute capability 12.0 (PTX ISA, "Block Scaling for mma.sync"): floats of 8, 6 and 4 bits, of which
//! blocks can have a scale; also with a sparse A.
//!
//! How this hardware rounds is not known. Here the whole sum is computed in `f64` and rounded once: to `f32` towards zero,
//! to `f16` to the nearest.

use super::factor::Sum;
use super::fragment::{gather, gather_sums, scatter, scatter_sums};
use super::mma::{COLUMNS, Element, MAX_ROWS, Product, field};
use super::sparse::Places;
use crate::exec::context::{Context, Flow};
use crate::exec::ops::rounding::{Round, canonical, f16_to_f64, to_f16};
use crate::exec::program::Inst;
use crate::ptx::form::Form;

/// The types of scales.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// `.ue8m0`
    Power,
    /// `.ue4m3`
    Float,
}

/// How many scales a row of A and a column of B has, and of which type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scaling {
    pub(crate) count: usize,
    scale: Scale,
    /// Whether A is sparse: `mma.sp`.
    pub(crate) is_sparse: bool,
}

impl Scaling {
    /// Reads modifiers that the table has let through.
    pub(crate) fn read(form: &Form<'_>) -> Scaling {
        let count = match () {
            () if !form.has("block_scale") => 0,
            () if form.has("kind::mxf8f6f4") => 1,
            () if form.has("scale_vec::4X") => 4,
            () => 2,
        };
        let scale = if form.has("ue4m3") { Scale::Float } else { Scale::Power };
        Scaling { count, scale, is_sparse: form.has("sp::ordered_metadata") }
    }

    pub(crate) fn pack(self) -> i64 {
        let [scale, sparse] = [self.scale == Scale::Float, self.is_sparse].map(i64::from);
        self.count as i64 | scale << 3 | sparse << 4
    }

    fn unpack(bits: i64) -> Scaling {
        let scale = if bits >> 3 & 1 == 1 { Scale::Float } else { Scale::Power };
        Scaling { count: (bits & 7) as usize, scale, is_sparse: bits >> 4 & 1 == 1 }
    }

    fn value(self, bits: u32) -> f64 {
        match self.scale {
            Scale::Power if bits == 255 => f64::NAN,
            Scale::Power => 2f64.powi(bits as i32 - 127),
            Scale::Float => number(Element::E4m3, bits & 0x7f),
        }
    }
}

/// Numbers and sizes in bytes of the registers of an operand: `d`, `a`, `b`, `c`.
pub(crate) fn operands(product: Product, scaling: Scaling) -> [(u32, u32); 4] {
    let sums = if product.sum == Element::F16 { (2, 4) } else { (4, 4) };
    [sums, (4, 4), (if scaling.is_sparse { 4 } else { 2 }, 4), sums]
}

/// The number that some bits stand for.
fn number(element: Element, bits: u32) -> f64 {
    let (exponent, stored) = match element {
        Element::E4m3 => (4, 3),
        Element::E5m2 => (5, 2),
        Element::E3m2 => (3, 2),
        Element::E2m3 => (2, 3),
        _ => (2, 1),
    };
    let biased = bits >> stored & ((1 << exponent) - 1);
    let fraction = bits & ((1 << stored) - 1);
    let magnitude = match (element, biased, fraction) {
        (Element::E4m3, 15, 7) => f64::NAN,
        (Element::E5m2, 31, 0) => f64::INFINITY,
        (Element::E5m2, 31, _) => f64::NAN,
        _ => {
            let hidden = if biased == 0 { 0 } else { 1 << stored };
            let bias = (1 << (exponent - 1)) - 1;
            f64::from(fraction | hidden) * 2f64.powi(biased.max(1) as i32 - bias - stored)
        }
    };
    if bits >> (stored as u32 + exponent) & 1 == 1 { -magnitude } else { magnitude }
}

/// `mma d, a, b, c`: the registers of all operands are list `x`, `b` is the constant of a full mask. The register of a
/// sparse A's metadata and the registers of scales follow, if there are any. The bytes of `c` are the byte and thread
/// selectors of A's scales, and of B's.
pub(crate) fn scaled(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let (product, scaling) = (Product::unpack(inst.imm), Scaling::unpack(inst.imm >> 48));
    let places = inst.c.to_le_bytes().map(usize::from);
    context.warp_wide(inst.b, mask, |context| {
        let list = &context.function().lists[inst.x as usize][..];
        let [d, a, b, c] = operands(product, scaling).map(|(count, _)| count as usize);
        let (d, rest) = list.split_at(d);
        let (a, rest) = rest.split_at(a);
        let (b, rest) = rest.split_at(b);
        let (c, rest) = rest.split_at(c);
        let (of_places, of_scales) = rest.split_at(usize::from(scaling.is_sparse));
        let depth = product.depth as usize;
        // How many elements a row of A keeps, and in which columns.
        let kept = if scaling.is_sparse { depth / 2 } else { depth };
        let is_packed = kept == 64;
        let columns: Vec<Vec<usize>> = match of_places {
            [] => vec![(0..depth).collect(); MAX_ROWS],
            [metadata, ..] => {
                let places = Places::of_bytes(depth, if is_packed { 8 } else { 4 });
                let metadata = context.load::<u32>(*metadata);
                (0..MAX_ROWS).map(|row| places.columns(&metadata, row)).collect::<Result<_, _>>()?
            }
        };
        let factor = |element, registers: &[u32], rows, depth| {
            let mut out = vec![0.0; rows * depth];
            gather(context, registers, rows, depth, &mut out, split(element, is_packed));
            out
        };
        let (a, b) = (factor(product.a, a, MAX_ROWS, kept), factor(product.b, b, COLUMNS, depth));
        let registers: Vec<[u32; 32]> =
            of_scales.iter().map(|register| context.load::<u32>(*register)).collect();
        // Of four lanes, two neighbours have the scales of two rows of A, one those of a column of B.
        let [byte_a, thread_a, byte_b, thread_b] = places;
        let scale = |block: usize, row: usize, column: usize| match &registers[..] {
            [of_a, of_b] => {
                let of_a = of_a[row % 8 * 4 + 2 * thread_a + row / 8];
                let of_b = of_b[column * 4 + thread_b];
                scaling.value(field(of_a, byte_a + block, 8))
                    * scaling.value(field(of_b, byte_b + block, 8))
            }
            _ => 1.0,
        };
        let block = kept / scaling.count.max(1);
        let dot = |start: f64, at: usize| {
            let (row, column) = (at / COLUMNS, at % COLUMNS);
            let (a, b) = (&a[row * kept..][..kept], &b[column * depth..][..depth]);
            let blocks = a.chunks(block).zip(columns[row].chunks(block)).enumerate();
            blocks.fold(start, |sum, (number, (a, columns))| {
                let products: f64 = a.iter().zip(columns).map(|(a, &at)| a * b[at]).sum();
                sum + products * scale(number, row, column)
            })
        };
        if product.sum == Element::F16 {
            let mut sums = [0.0; MAX_ROWS * COLUMNS];
            gather(context, c, MAX_ROWS, COLUMNS, &mut sums, |register: u32, part| {
                f16_to_f64(field(register, part, 16) as u16)
            });
            let sums: Vec<f64> = sums.iter().enumerate().map(|(at, sum)| dot(*sum, at)).collect();
            scatter(context, d, MAX_ROWS, COLUMNS, &sums, |pair| {
                let bits = |exact: f64| u32::from(to_f16(exact, Round::Nearest));
                bits(pair[0]) | bits(pair[1]) << 16
            });
        } else {
            let mut sums = [0f32; MAX_ROWS * COLUMNS];
            gather_sums(context, c, &mut sums);
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum = canonical(<f32 as Sum>::round(dot((*sum).into(), at)));
            }
            scatter_sums(context, d, &sums);
        }
        Ok(())
    })
}

/// Decodes the `part`-th field of a register. Packed, there are eight of four bits; otherwise four, each in the lowest bits
/// of a byte, or, if it has four bits, in the middle.
fn split(element: Element, is_packed: bool) -> impl Fn(u32, usize) -> f64 {
    let (container, shift) = match (is_packed, element) {
        (true, _) => (4, 0),
        (_, Element::E2m1) => (8, 2),
        _ => (8, 0),
    };
    move |register, part| number(element, field(register, part, container) >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_scales() {
        // From the formats' definition (OCP Microscaling Formats specification).
        for (element, bits, want) in [
            (Element::E3m2, 0x1f, 28.0),
            (Element::E3m2, 0x21, -0.0625),
            (Element::E2m3, 0x1f, 7.5),
            (Element::E2m3, 0x01, 0.125),
            (Element::E2m1, 0x0f, -6.0),
            (Element::E2m1, 0x01, 0.5),
            (Element::E4m3, 0x7e, 448.0),
            (Element::E5m2, 0xfc, f64::NEG_INFINITY),
        ] {
            assert_eq!(number(element, bits), want, "{element:?} {bits:#x}");
        }
        let words = |text: &'static str| text.split('.').collect::<Vec<_>>();
        let all =
            words("m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3");
        let scaling = Scaling::read(&Form::new(&all));
        assert_eq!(scaling, Scaling { count: 4, scale: Scale::Float, is_sparse: false });
        let sparse = Scaling { is_sparse: true, ..scaling };
        assert_eq!([scaling, sparse].map(|one| Scaling::unpack(one.pack())), [scaling, sparse]);
        assert_eq!(scaling.value(0x7e), 448.0);
        let power = Scaling { count: 1, scale: Scale::Power, is_sparse: false };
        assert_eq!((power.value(0), power.value(254)), (2f64.powi(-127), 2f64.powi(127)));
        assert!(power.value(255).is_nan());
    }
}
