//! Products of matrices of integers, bits and `f64`, which round as ordinary instructions do. `a` has the rows of A, `b` the
//! columns of B, each of `depth` elements; sums are in rows of eight.

/// Columns of B and of the sums.
const COLUMNS: usize = 8;
/// Elements of a row, at most.
const MAX_DEPTH: usize = 64;

/// The columns of B side by side, as rows of A meet them.
#[inline(always)]
fn side_by_side<V: Copy + Default>(b: &[V], depth: usize) -> [[V; COLUMNS]; MAX_DEPTH] {
    let mut columns = [[V::default(); COLUMNS]; MAX_DEPTH];
    for column in 0..COLUMNS {
        let b = &b[column * depth..][..depth];
        for k in 0..depth.min(MAX_DEPTH) {
            columns[k][column] = b[k];
        }
    }
    columns
}

vectorised! {
    /// Adds products of integers, each of at most 16 bits.
    pub(super) fn add_integers(a: &[i32], b: &[i32], depth: usize, sums: &mut [i32], saturating: bool) {
        let columns = side_by_side(b, depth);
        for (row, sums) in sums.chunks_exact_mut(COLUMNS).enumerate() {
            let a = &a[row * depth..][..depth];
            // At most 64 products: they do not overflow.
            let mut products = [0i32; COLUMNS];
            for k in 0..depth.min(MAX_DEPTH) {
                for column in 0..COLUMNS {
                    products[column] = products[column].wrapping_add(a[k].wrapping_mul(columns[k][column]));
                }
            }
            for column in 0..COLUMNS {
                sums[column] = match saturating {
                    true => sums[column].saturating_add(products[column]),
                    false => sums[column].wrapping_add(products[column]),
                };
            }
        }
    }
}

vectorised! {
    /// Adds products of `f64`, one after another: each sum is rounded once, to the nearest (`fma`).
    pub(super) fn add_doubles(a: &[f64], b: &[f64], depth: usize, sums: &mut [f64]) {
        let columns = side_by_side(b, depth);
        for (row, sums) in sums.chunks_exact_mut(COLUMNS).enumerate() {
            let a = &a[row * depth..][..depth];
            for k in 0..depth.min(MAX_DEPTH) {
                for column in 0..COLUMNS {
                    sums[column] = a[k].mul_add(columns[k][column], sums[column]);
                }
            }
        }
    }
}

vectorised! {
    /// Adds the number of bits that are 1 in both factors, or, with `xor`, in exactly one of them. Elements are words of
    /// 32 bits.
    pub(super) fn add_bits(a: &[u32], b: &[u32], depth: usize, sums: &mut [i32], xor: bool) {
        let columns = side_by_side(b, depth);
        for (row, sums) in sums.chunks_exact_mut(COLUMNS).enumerate() {
            let a = &a[row * depth..][..depth];
            for k in 0..depth.min(MAX_DEPTH) {
                for column in 0..COLUMNS {
                    let b = columns[k][column];
                    let bits = if xor { a[k] ^ b } else { a[k] & b };
                    sums[column] = sums[column].wrapping_add(bits.count_ones() as i32);
                }
            }
        }
    }
}
