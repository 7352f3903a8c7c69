//! Masks of lanes: a member's rank is the number of members below it.

/// The position of the set bit that has `n` set bits below it; there must be one.
#[inline(always)]
pub(super) fn nth_set(mask: u32, n: u32) -> u32 {
    let (mut rest, mut n, mut position) = (mask, n, 0u32);
    for width in [16, 8, 4, 2, 1] {
        let low = (rest & ((1 << width) - 1)).count_ones();
        if n >= low {
            n = n.wrapping_sub(low);
            rest >>= width;
            position |= width;
        }
    }
    position
}

/// The bits of `bits` at the set bits of `mask`, moved together at the low end.
///
/// Each bit moves down by the number of clear bits of the mask below it, one binary digit of that number
/// at a time.
#[inline(always)]
pub(super) fn gather(bits: u32, mask: u32) -> u32 {
    let (mut bits, mut mask) = (bits & mask, mask);
    // A bit here counts: it has a clear bit of the mask just below.
    let mut gaps = !mask << 1;
    for digit in 0..5 {
        // Whether the number of gaps at or below is odd.
        let mut odd = gaps;
        for shift in [1, 2, 4, 8, 16] {
            odd ^= odd << shift;
        }
        let moved = odd & mask;
        let moving = bits & moved;
        mask = (mask ^ moved) | (moved >> (1u32 << digit));
        bits = (bits ^ moving) | (moving >> (1u32 << digit));
        gaps &= !odd;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Masks with every density.
    fn masks() -> impl Iterator<Item = u32> {
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        let random = (0..300).map(move |i| match i % 3 {
            0 => next(),
            1 => next() & next() & next(),
            _ => next() | next() | next(),
        });
        [0, 1, u32::MAX, 1 << 31, 0x5555_5555, 0xffff_0000].into_iter().chain(random)
    }

    fn members(mask: u32) -> impl Iterator<Item = u32> {
        (0..32).filter(move |lane| mask >> lane & 1 == 1)
    }

    #[test]
    fn set_bits_by_rank() {
        for mask in masks() {
            for (n, lane) in members(mask).enumerate() {
                assert_eq!(nth_set(mask, n as u32), lane, "{mask:#x}, {n}");
            }
        }
    }

    #[test]
    fn gathered_bits() {
        for mask in masks() {
            for bits in masks().take(50) {
                let want = members(mask)
                    .enumerate()
                    .fold(0, |all, (rank, lane)| all | (bits >> lane & 1) << rank);
                assert_eq!(gather(bits, mask), want, "{bits:#x} of {mask:#x}");
            }
        }
    }
}
