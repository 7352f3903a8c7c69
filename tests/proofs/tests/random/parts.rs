//! Rows and columns of a number that guards ask for, and loops whose ends are near those of their types.
// Guards are written as users write them.
#![allow(clippy::int_plus_one)]

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, axis, fits, kernels, size, small, wide_size};

/// `a * b` elements, as whole numbers.
fn area(a: i32, b: i32) -> i128 {
    i128::from(a.max(0)) * i128::from(b.max(0))
}

/// A divisor: mostly a small one, sometimes zero, negative or huge.
fn divisor(rng: &mut ptyx_proof_tests::Rng) -> i32 {
    if rng.below(5) == 0 { size(rng) } else { 1 + small(rng, 4) }
}

/// Extents of which the launch's threads reach the last row, mostly.
fn inner_extents(rng: &mut ptyx_proof_tests::Rng) -> (i32, i32) {
    match rng.below(4) {
        0 => (divisor(rng), size(rng)),
        _ => (3 + small(rng, 1), 3 + small(rng, 2)),
    }
}

/// A divisor that is not zero, of which a loop would not end.
fn step(rng: &mut ptyx_proof_tests::Rng) -> i32 {
    match divisor(rng) {
        0 => 1,
        step => step,
    }
}

kernels! {
    /// Neighbours on all sides of a number whose row and column are not at the border.
    @proved fn inner_of_number(at, out, (w: i32, h: i32), [a]) {
        let i = at.x() as i32;
        let (x, y) = (i % w, i / w);
        if x > 0 && x < w - 1 && y > 0 && y < h - 1 {
            let sum = a[(i - 1) as usize].wrapping_add(a[(i + 1) as usize]);
            let more = a[(i - w) as usize].wrapping_mul(3).wrapping_add(a[(i + w) as usize]);
            out.add(i as usize, sum ^ more);
        }
    }
    |rng| {
        let (w, h) = inner_extents(rng);
        let (len, out) = (fits(rng, area(w, h) - 1), fits(rng, area(w, h) - i128::from(w) - 1));
        Launch::new(rng, 1, (w, h), [len], out)
    };

    /// The same without signs.
    @proved fn inner_of_number_u32(at, out, (w: u32, h: u32), [a]) {
        let i = at.x();
        let (x, y) = (i % w, i / w);
        if x > 0 && x + 1 < w && y > 0 && y + 1 < h {
            let sum = a[(i - 1) as usize].wrapping_add(a[(i + 1) as usize]);
            let more = a[(i - w) as usize].wrapping_mul(3).wrapping_add(a[(i + w) as usize]);
            out.add(i as usize, sum ^ more);
        }
    }
    |rng| {
        let (w, h) = inner_extents(rng);
        let (len, out) = (fits(rng, area(w, h) - 1), fits(rng, area(w, h) - i128::from(w) - 1));
        Launch::new(rng, 1, (w as u32, h as u32), [len], out)
    };

    /// Only the row is asked for, of a number that may be below zero.
    fn row_of_moved_number(at, out, (w: i32, h: i32, d: i32), [a]) {
        let i = at.x() as i32 - d;
        let y = i / w;
        if y < h {
            let sum = (0..3).fold(0u32, |sum, _| sum.wrapping_mul(3).wrapping_add(a[i as usize]));
            out.add(i as usize, sum ^ a[(i % w) as usize]);
        }
    }
    |rng| {
        let (w, h) = (divisor(rng), size(rng));
        let d = if rng.below(3) == 0 { size(rng) } else { 0 };
        let (len, out) = (fits(rng, area(w, h)), fits(rng, area(w, h).min(24)));
        Launch::new(rng, 1, (w, h, d), [len], out)
    };

    /// Only the column is asked for.
    fn column_of_number(at, out, (w: i32, d: i32), [a]) {
        let i = at.x() as i32 - d;
        let x = i % w;
        if x >= 1 {
            out.add(x as usize, a[(i - 1) as usize] ^ a[(x - 1) as usize] ^ a[(i / w) as usize]);
        }
    }
    |rng| {
        let w = divisor(rng);
        let d = if rng.below(3) == 0 { size(rng) } else { 0 };
        let (len, out) = (fits(rng, 24), fits(rng, w.into()));
        Launch::new(rng, 1, (w, d), [len], out)
    };

    /// Three coordinates of a number, step by step through all of them.
    fn three_axes(at, out, (w: i32, h: i32, d: i32), [a]) {
        let mut i = at.x() as i32;
        while i < w * h * d {
            let (x, y, z) = (i % w, i / w % h, i / (w * h));
            out.add(i as usize, a[((z * h + y) * w + x) as usize] ^ a[((x * h + y) * d + z) as usize]);
            i += at.width() as i32;
        }
    }
    |rng| {
        let (w, h, d) = (divisor(rng), divisor(rng), size(rng).min(40));
        let needed = area(w, h) * i128::from(d.max(0));
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 1, (w, h, d), [len], out)
    };

    /// An element for each row, and one for every `d` columns.
    @proved fn groups(at, out, (n: u32, w: u32, d: u32), [a, b]) {
        let mut i = at.x();
        while i < n {
            let (row, column) = (i / w, i % w);
            out.add(i as usize, a[row as usize].wrapping_mul(3) ^ b[(column / d) as usize]);
            i += at.width();
        }
    }
    |rng| {
        let n = if rng.below(5) == 0 { size(rng) } else { small(rng, 40) };
        let (w, d) = (divisor(rng), divisor(rng));
        let rows = if w == 0 { 0 } else { (i128::from(n) - 1) / i128::from(w) + 1 };
        let columns = if d == 0 { 0 } else { (i128::from(w) - 1) / i128::from(d) + 1 };
        let (lens, out) = ([fits(rng, rows), fits(rng, columns)], fits(rng, n.into()));
        Launch::new(rng, 1, (n as u32, w as u32, d as u32), lens, out)
    };

    /// The same with signs: a quotient may be below zero.
    fn groups_i32(at, out, (n: i32, w: i32, d: i32), [a, b]) {
        let mut i = at.x() as i32;
        while i < n {
            let (row, column) = (i / w, i % w);
            out.add(i as usize, a[row as usize].wrapping_mul(3) ^ b[((column - 1) / d) as usize]);
            i += at.width() as i32;
        }
    }
    |rng| {
        let n = if rng.below(5) == 0 { size(rng) } else { small(rng, 40) };
        let (w, d) = (divisor(rng), divisor(rng));
        let rows = if w == 0 { 0 } else { (i128::from(n) - 1) / i128::from(w) + 1 };
        let columns = if d == 0 { 0 } else { (i128::from(w) - 2) / i128::from(d) + 1 };
        let (lens, out) = ([fits(rng, rows), fits(rng, columns)], fits(rng, n.into()));
        Launch::new(rng, 1, (n, w, d), lens, out)
    };

    /// Blocks of a matrix: a quotient is the end of a loop.
    @proved fn blocked(at, out, (n: i32, b: i32), [a]) {
        let own = at.x() as i32;
        if own < n {
            let mut sum = 0u32;
            for k in 0..n / b {
                sum = sum.wrapping_mul(3).wrapping_add(a[(k * b + own % b) as usize]);
            }
            out.add(own as usize, sum);
        }
    }
    |rng| {
        let (n, b) = (size(rng), divisor(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n, b), [len], out)
    };

    /// A stencil along a row of a number, with a guard for each side.
    fn sides(at, out, (w: i32, n: i32), [a]) {
        let i = at.x() as i32;
        if i < n {
            let x = i % w;
            let left = if x > 0 { a[(i - 1) as usize] } else { 1 };
            let right = if x + 1 < w { a[(i + 1) as usize] } else { 2 };
            let up = if i >= w { a[(i - w) as usize] } else { 3 };
            let down = if i + w < n { a[(i + w) as usize] } else { 4 };
            out.add(i as usize, left ^ right.wrapping_mul(3) ^ up.wrapping_mul(5) ^ down);
        }
    }
    |rng| {
        let (w, n) = (divisor(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (w, n), [len], out)
    };

    /// A size that a cast widens.
    @proved fn stride_to_widened(at, out, (n: i32), [a]) {
        let mut i = at.x() as usize;
        while i < n as usize {
            out.add(i, a[i]);
            i += at.width() as usize;
        }
    }
    |rng| {
        let n = if rng.below(3) == 0 { size(rng) } else { small(rng, 60) };
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// The same in steps that a cast widens, and that are at least one.
    @proved fn steps_of_widened(at, out, (n: i32, step: i32), [a]) {
        let mut sum = at.x();
        for i in (0..n as usize).step_by((step as usize).max(1)) {
            sum = sum.wrapping_mul(3).wrapping_add(a[i]);
        }
        out.add((n as usize) / (step.max(1) as usize) % 8, sum);
    }
    |rng| {
        let n = if rng.below(3) == 0 { size(rng) } else { small(rng, 60) };
        let step = divisor(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, 8));
        Launch::new(rng, 1, (n, step), [len], out)
    };

    /// Guards by sums, of a coordinate that may be below zero.
    fn moved_guards(at, out, (w: i32, d: i32), [a]) {
        let x = at.x() as i32 - d;
        let mut sum = 0u32;
        for k in 0..2 {
            if x + 1 < w {
                sum = sum.wrapping_mul(3).wrapping_add(a[(x + 1) as usize]);
            }
            if x - 1 >= 0 && x - 1 < w {
                sum = sum.wrapping_mul(3).wrapping_add(a[(x - 1) as usize] ^ k);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let w = size(rng);
        let d = if rng.below(3) == 0 { size(rng) } else { -small(rng, 2) };
        let (len, out) = (fits(rng, w.into()), fits(rng, 24));
        Launch::new(rng, 1, (w, d), [len], out)
    };

    /// The same without signs, where one less than nothing is much.
    @proved fn moved_guards_u32(at, out, (w: u32, d: u32), [a]) {
        let x = at.x().wrapping_sub(d);
        let mut sum = 0u32;
        for k in 0..2 {
            if x.wrapping_add(1) < w {
                sum = sum.wrapping_mul(3).wrapping_add(a[x.wrapping_add(1) as usize]);
                sum ^= a[x as usize];
            }
            if x.wrapping_sub(1) < w {
                sum = sum.wrapping_mul(3).wrapping_add(a[x.wrapping_sub(1) as usize] ^ k);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let w = size(rng);
        let d = if rng.below(3) == 0 { size(rng) } else { 0 };
        let (len, out) = (fits(rng, w.into()), fits(rng, 24));
        Launch::new(rng, 1, (w as u32, d as u32), [len], out)
    };

    /// A convolution with padding and strides.
    @proved fn convolution(at, out, (h: i32, w: i32, stride: i32, padding: i32, r: i32), [a, k]) {
        let (ox, oy) = (at.x() as i32, at.y() as i32);
        let (oh, ow) = ((h + 2 * padding - r) / stride + 1, (w + 2 * padding - r) / stride + 1);
        if ox >= ow || oy >= oh {
            return;
        }
        let mut sum = 0u32;
        for ky in 0..r {
            let y = oy * stride - padding + ky;
            if y < 0 || y >= h {
                continue;
            }
            for kx in 0..r {
                let x = ox * stride - padding + kx;
                if x >= 0 && x < w {
                    let weight = k[(ky * r + kx) as usize];
                    sum = sum.wrapping_add(weight.wrapping_mul(a[(y * w + x) as usize]));
                }
            }
        }
        out.add((oy * ow + ox) as usize, sum);
    }
    |rng| {
        let (h, w, stride) = (size(rng), size(rng), divisor(rng));
        let padding = if rng.below(6) == 0 { size(rng) } else { small(rng, 2) };
        let r = if rng.below(8) == 0 { size(rng).min(30) } else { 1 + small(rng, 2) };
        let of = |n: i32| {
            let by = i128::from(stride);
            let rest = i128::from(n) + 2 * i128::from(padding) - i128::from(r);
            if by == 0 { 0 } else { (rest / by + 1).max(0) }
        };
        let lens = [fits(rng, area(h, w)), fits(rng, area(r, r))];
        let out = fits(rng, of(h) * of(w));
        Launch::new(rng, 2, (h, w, stride, padding, r), lens, out)
    };

    /// A loop that asks, then steps, from a parameter on.
    @proved fn asks_before_it_steps(at, out, (first: i32, n: i32, step: i32), [a]) {
        let mut i = first;
        let mut sum = at.x();
        loop {
            if i >= n {
                break;
            }
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            i += step;
            if sum & 15 == 3 {
                break;
            }
        }
        out.add(at.x() as usize, sum);
        out.add((i - step) as usize, 1);
    }
    |rng| {
        let first = if rng.below(4) == 0 { size(rng) } else { small(rng, 3) };
        let (n, step) = (size(rng), step(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (first, n, step), [len], out)
    };

    /// Where it has stopped, an element is read once more.
    @proved fn reads_behind_a_loop(at, out, (n: i32, step: i32), [a, b]) {
        let mut i = at.x() as i32;
        let mut sum = 0u32;
        while i < n {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            i += step;
            if sum & 7 == 5 {
                break;
            }
        }
        out.add(at.x() as usize, sum ^ b[i as usize]);
    }
    |rng| {
        let (n, step) = (size(rng), step(rng));
        let behind = (i128::from(n) + i128::from(step)).max(24);
        let lens = [fits(rng, n.into()), fits(rng, behind)];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n, step), lens, out)
    };

    /// The thread's own element without a guard, beside what is guarded.
    @proved fn own_beside_guarded(at, out, (n: i32), [a, b]) {
        let own = at.x();
        let mut sum = b[own as usize];
        for i in 0..n {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize] ^ b[own as usize]);
        }
        out.add(own as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let ((blocks, threads), len) = (axis(rng), fits(rng, n.into()));
        let all = i128::from(blocks * threads);
        let (lens, out) = ([len, fits(rng, all)], fits(rng, all));
        let (blocks, threads) = ([blocks, 1, 1], [threads, 1, 1]);
        Launch { blocks, threads, params: (n,), lens, out }
    };

    /// A slice that must be longer than its size says, beside one that need not be.
    @proved fn header_beside_rows(at, out, (w: usize, h: usize), [a, b]) {
        let y = at.x() as usize;
        if y < h {
            let mut sum = a[0];
            for x in 0..w {
                sum = sum.wrapping_mul(3).wrapping_add(a[20 + y * w + x] ^ b[y * w + x]);
            }
            out.add(y, sum);
        }
    }
    |rng| {
        let (w, h) = (wide_size(rng), wide_size(rng));
        let needed = (w as u128).saturating_mul(h as u128).min(9000) as i128;
        let lens = [fits(rng, needed + 20), fits(rng, needed)];
        let out = fits(rng, h.min(5000) as i128);
        Launch::new(rng, 1, (w, h), lens, out)
    };

    /// Values that meet behind branches, from which a loop begins.
    fn begins_where_branches_meet(at, out, (n: i32, d: i32), [a]) {
        let x = at.x() as i32;
        let mut i = if x > d { x - d } else { d };
        let mut sum = 0u32;
        while i < n {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            i += 1;
        }
        out.add(x as usize, sum ^ n as u32);
    }
    |rng| {
        let n = size(rng);
        let d = if rng.below(3) == 0 { size(rng) } else { small(rng, 4) };
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n, d), [len], out)
    };

    /// A quotient that two iterations of a loop have different values of.
    fn quotient_of_last_iteration(at, out, (w: i32, h: i32, n: i32), [a]) {
        let mut last = at.x() as i32;
        let mut sum = 0u32;
        for k in 0..n {
            let i = at.x() as i32 + k * w;
            if i / w < h {
                sum = sum.wrapping_mul(3).wrapping_add(a[last as usize] ^ a[i as usize]);
            }
            last = i;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (w, h, n) = (divisor(rng), size(rng), size(rng).min(1000));
        let (len, out) = (fits(rng, area(w, h)), fits(rng, 24));
        Launch::new(rng, 1, (w, h, n), [len], out)
    };
}
