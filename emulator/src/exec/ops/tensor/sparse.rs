//! `mma.sp` (PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction with sparse matrix A").
//!
//! The product is that of the elements of A that are there with those elements of B that they meet: a dense product of
//! half the depth, whose right factor differs from row to row. Sums of floats are rounded as those of such a dense
//! product. No probe has shown that yet.
//!
//! Which lane has which metadata is in figures of the manual only. Here a register has 32 bits for
//! - one row and eight groups, of elements of 4 and 8 bits: lanes 0 and 2 of four have the upper row of the two that
//!   four lanes hold, lanes 1 and 3 the lower one, and lanes 2 and 3 the second half of the columns;
//! - two rows and four groups each, of wider elements: the upper row in the lower half.

use super::exact;
use super::factor::{Factor, Half, Sum};
use super::fragment::{gather_halves, gather_sums, scatter_halves, scatter_sums};
use super::mma::{
    COLUMNS, Element, MAX_ROWS, MOST_FLOATS, MOST_INTEGERS, Product, Registers, gather_floats,
    gather_integers,
};
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::ops::rounding::canonical;
use crate::exec::program::Inst;

/// What is wrong, and the lane whose fault it is.
pub(super) type Wrong = (FaultKind, u32);

/// Where the metadata of a matrix are.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// Elements of a group.
    group: usize,
    /// Groups of a row.
    groups: usize,
    by_rows: bool,
    selector: usize,
    /// Whether indices must rise.
    ordered: bool,
}

impl Places {
    fn of(product: Product, selector: usize, ordered: bool) -> Places {
        let group = match product.a.bits() {
            32 => 2,
            4 => 8,
            _ => 4,
        };
        let groups = product.depth as usize / group;
        Places { group, groups, by_rows: product.a.bits() <= 8, selector, ordered }
    }

    /// The places for numbers of at most 8 bits, with ordered indices and a selector of 0.
    pub(super) fn of_bytes(depth: usize, group: usize) -> Places {
        Places { group, groups: depth / group, by_rows: true, selector: 0, ordered: true }
    }

    /// Lane and lowest bit of a group's metadata.
    fn place(self, row: usize, group: usize) -> (usize, usize) {
        let (lane, half) = (row % 8 * 4, row / 8);
        // The lanes of four that have metadata: all, or those that the selector names.
        let (lanes, own, bit) = match self.by_rows {
            true => (self.groups / 4, half + group / 8 * 2, group % 8 * 4),
            false => (self.groups / 4, group / 4, half * 16 + group % 4 * 4),
        };
        (lane + self.selector * lanes + own, bit)
    }

    /// The columns of a row's elements, in order.
    pub(super) fn columns(self, metadata: &[u32; 32], row: usize) -> Result<Vec<usize>, Wrong> {
        let mut columns = Vec::with_capacity(self.groups * self.group / 2);
        for group in 0..self.groups {
            let (lane, bit) = self.place(row, group);
            let bits = metadata[lane] >> bit & 15;
            let (low, high) = ((bits & 3) as usize, (bits >> 2) as usize);
            let allowed = match self.group {
                2 => bits == 0b0100 || bits == 0b1110,
                _ if self.ordered => low < high,
                _ => low != high,
            };
            if !allowed {
                let text = format!(
                    "the metadata of row {row}, columns {} to {}, is {bits:#06b}: no valid pair of positions",
                    group * self.group,
                    (group + 1) * self.group - 1
                );
                return Err((FaultKind::Product(text), lane as u32));
            }
            let first = group * self.group;
            match self.group {
                2 => columns.push(first + low / 2),
                4 => columns.extend([first + low, first + high]),
                _ => columns
                    .extend([low, high].iter().flat_map(|at| [first + 2 * at, first + 2 * at + 1])),
            }
        }
        Ok(columns)
    }
}

/// `mma.sp d, a, b, c, metadata, selector`: the registers of all operands are list `x`, `b` is the constant of a full
/// mask, `c` the selector, and its highest bit whether the metadata are ordered.
pub(crate) fn sparse(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let product = Product::unpack(inst.imm);
    let (selector, ordered) = ((inst.c & 3) as usize, inst.c >> 31 == 1);
    context.warp_wide(inst.b, mask, |context| {
        let list = &context.function().lists[inst.x as usize][..];
        let [d, a, b, c] = product.sparse_operands().map(|(count, _)| count as usize);
        let (d, rest) = list.split_at(d);
        let (a, rest) = rest.split_at(a);
        let (b, rest) = rest.split_at(b);
        let (c, rest) = rest.split_at(c);
        let metadata = context.load::<u32>(rest[0]);
        let places = Places::of(product, selector, ordered);
        let columns: Vec<Vec<usize>> = (0..product.rows as usize)
            .map(|row| places.columns(&metadata, row))
            .collect::<Result<_, _>>()?;
        let registers = Registers { d, a, b, c };
        match product.sum {
            Element::S32 => integers(context, product, &registers, &columns),
            _ => floats(context, product, &registers, &columns),
        }
        Ok(())
    })
}

/// The elements of B by which a row of A is multiplied, as the columns of a dense product of half the depth.
fn met<'o, V: Copy>(b: &[V], depth: usize, columns: &[usize], out: &'o mut [V]) -> &'o mut [V] {
    let out = &mut out[..COLUMNS * columns.len()];
    for (to, from) in out.chunks_exact_mut(columns.len()).zip(b.chunks_exact(depth)) {
        for (element, &column) in to.iter_mut().zip(columns) {
            *element = from[column];
        }
    }
    out
}

fn integers(
    context: &mut Context<'_>,
    product: Product,
    registers: &Registers<'_>,
    columns: &[Vec<usize>],
) {
    let (rows, depth) = (product.rows as usize, product.depth as usize);
    let [mut a, mut b, mut own] = [[0; MOST_INTEGERS]; 3];
    let a = gather_integers(context, product.a, registers.a, [rows, depth / 2], &mut a);
    let b = gather_integers(context, product.b, registers.b, [COLUMNS, depth], &mut b);
    let mut sums = [0; MAX_ROWS * COLUMNS];
    gather_sums(context, registers.c, &mut sums);
    let saturating = product.is_saturating();
    let rows = a.chunks_exact(depth / 2).zip(columns).zip(sums.chunks_exact_mut(COLUMNS));
    for ((a, columns), sums) in rows {
        exact::add_integers(a, met(b, depth, columns, &mut own), depth / 2, sums, saturating);
    }
    scatter_sums(context, registers.d, &sums);
}

fn floats(
    context: &mut Context<'_>,
    product: Product,
    registers: &Registers<'_>,
    columns: &[Vec<usize>],
) {
    if product.sum == Element::F16 {
        let mut sums = [Half(0.0); MAX_ROWS * COLUMNS];
        gather_halves(context, registers.c, &mut sums);
        multiply(context, product, registers, columns, &mut sums);
        scatter_halves(context, registers.d, &sums);
    } else {
        let mut sums = [0f32; MAX_ROWS * COLUMNS];
        gather_sums(context, registers.c, &mut sums);
        multiply(context, product, registers, columns, &mut sums);
        sums.iter_mut().for_each(|sum| *sum = canonical(*sum));
        scatter_sums(context, registers.d, &sums);
    }
}

/// Adds the products of floats.
fn multiply<S: Sum>(
    context: &Context<'_>,
    product: Product,
    registers: &Registers<'_>,
    columns: &[Vec<usize>],
    sums: &mut [S],
) {
    let (rows, depth) = (product.rows as usize, product.depth as usize);
    let [mut a, mut b, mut own] = [[Factor::default(); MOST_FLOATS]; 3];
    let a = gather_floats(context, product.a, registers.a, [rows, depth / 2], &mut a);
    let b = gather_floats(context, product.b, registers.b, [COLUMNS, depth], &mut b);
    let rows = a.chunks_exact_mut(depth / 2).zip(columns).zip(sums.chunks_exact_mut(COLUMNS));
    for ((a, columns), sums) in rows {
        product.multiply_floats(a, met(b, depth, columns, &mut own), depth / 2, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(group: usize, groups: usize, by_rows: bool, selector: usize) -> Places {
        Places { group, groups, by_rows, selector, ordered: true }
    }

    #[test]
    fn each_bit_belongs_to_one_group() {
        for (groups, by_rows, selectors) in
            [(4, false, 4), (8, false, 2), (8, true, 2), (16, true, 1)]
        {
            let mut seen = std::collections::HashSet::new();
            for selector in 0..selectors {
                for (row, group) in (0..16).flat_map(|row| (0..groups).map(move |at| (row, at))) {
                    let (lane, bit) = places(4, groups, by_rows, selector).place(row, group);
                    assert!(lane / 4 == row % 8 && bit <= 28 && bit % 4 == 0);
                    assert!(seen.insert((lane, bit)), "{groups} {by_rows} {row} {group}");
                }
            }
            assert_eq!(seen.len(), 32 * 8);
        }
    }

    #[test]
    fn columns_of_groups() {
        let metadata = [0b1001_1101_0100_1110; 32];
        let of = |group| places(group, 4, false, 0).columns(&metadata, 0).ok();
        assert_eq!(of(4), Some(vec![2, 3, 4, 5, 9, 11, 13, 14]));
        assert_eq!(of(2), None, "0b1101 means nothing");
        assert_eq!(of(8).unwrap()[..4], [4, 5, 6, 7]);
        let both = [0b1110_0100_0100_1110; 32];
        assert_eq!(places(2, 4, false, 3).columns(&both, 1).ok(), Some(vec![1, 2, 4, 7]));
        assert!(places(4, 4, false, 0).columns(&[0; 32], 0).is_err());
        let mut falling = places(4, 4, false, 0);
        assert!(falling.columns(&[0x1111; 32], 0).is_err());
        falling.ordered = false;
        assert_eq!(falling.columns(&[0x1111; 32], 0).unwrap()[..2], [1, 0]);
    }
}
