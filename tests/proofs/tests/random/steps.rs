//! Loops that count down, indices that go on step by step, and values that are chosen.

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

kernels! {
    /// Down to zero, with signs.
    @proved fn down_i32(at, out, (n: i32), [a]) {
        let mut sum = at.x();
        let mut i = n - 1;
        while i >= 0 {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            i -= 1;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// A range, backwards.
    @proved fn reversed(at, out, (n: usize), [a]) {
        let mut sum = at.x();
        for i in (0..n).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(a[i]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = wide_size(rng);
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Rows and columns, backwards.
    fn reversed_rows(at, out, (w: i32, h: i32), [a]) {
        let mut sum = at.x();
        for y in (0..h).rev() {
            for x in (0..w).rev() {
                sum = sum.wrapping_mul(3).wrapping_add(a[(y * w + x) as usize]);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        // Not many rows: they may be empty.
        let (w, h) = (size(rng), small(rng, 12));
        let (len, out) = (fits(rng, i128::from(w) * i128::from(h)), fits(rng, 24));
        Launch::new(rng, 1, (w, h), [len], out)
    };

    /// From the thread's own element to the first.
    fn down_from_own(at, out, (n: u32), [a]) {
        let mut i = at.x();
        let mut sum = 0u32;
        if i < n {
            while i > 0 {
                sum = sum.wrapping_add(a[i as usize]);
                i -= 1;
            }
            out.add(at.x() as usize, sum);
        }
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n as u32,), [len], out)
    };

    /// Steps that may miss zero.
    fn down_by_two(at, out, (n: i32), [a]) {
        let mut sum = at.x();
        let mut i = n;
        while i > 0 {
            i -= 2;
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Steps that don't.
    fn down_by_four(at, out, (n: usize), [a]) {
        let mut sum = at.x();
        let mut i = n;
        while i >= 4 {
            i -= 4;
            sum = sum.wrapping_mul(3).wrapping_add(a[i + 3] ^ a[i]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = wide_size(rng);
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// To another parameter.
    fn down_to(at, out, (first: i32, last: i32), [a]) {
        let mut sum = at.x();
        let mut i = first;
        while i > last {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            i -= 1;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (first, last) = (size(rng), size(rng));
        let (len, out) = (fits(rng, i128::from(first) + 1), fits(rng, 24));
        Launch::new(rng, 1, (first, last), [len], out)
    };

    /// Plane by plane.
    @proved fn planes(at, out, (n: i32, plane: i32, depth: i32), [a]) {
        let own = at.x() as i32;
        if own < n {
            let mut index = own;
            let mut sum = 0u32;
            for _ in 0..depth {
                sum = sum.wrapping_mul(3).wrapping_add(a[index as usize]);
                index += plane;
            }
            out.add(own as usize, sum);
        }
    }
    |rng| {
        // Not many planes: they may all be the same.
        let (n, plane, depth) = (size(rng), size(rng), small(rng, 12));
        let last = i128::from(plane) * (i128::from(depth) - 1) + i128::from(n);
        let (len, out) = (fits(rng, last), fits(rng, n.into()));
        Launch::new(rng, 1, (n, plane, depth), [len], out)
    };

    /// The same of 64 bits, from some plane on, with another array that a loop's counter indexes.
    fn planes_usize(at, out, (n: usize, plane: usize, from: usize, to: usize), [a, b]) {
        let own = at.x() as usize;
        if own < n {
            let mut index = own;
            let mut sum = 0u32;
            let mut z = from;
            while z < to {
                sum = sum.wrapping_mul(3).wrapping_add(a[index] ^ b[z]);
                index = index.wrapping_add(plane);
                z += 1;
            }
            out.add(own, sum);
        }
    }
    |rng| {
        let (n, plane) = (wide_size(rng), wide_size(rng));
        let (from, to) = (wide_size(rng), wide_size(rng));
        let steps = to.saturating_sub(from).saturating_sub(1);
        let last = plane.saturating_mul(steps).saturating_add(n).min(9000) as i128;
        let lens = [fits(rng, last), fits(rng, to.min(5000) as i128)];
        let out = fits(rng, n.min(5000) as i128);
        Launch::new(rng, 1, (n, plane, from, to), lens, out)
    };

    /// A step that falls.
    fn slower(at, out, (n: i32, first: i32), [a]) {
        let mut index = 0i32;
        let mut step = first;
        let mut sum = at.x();
        for _ in 0..n {
            sum = sum.wrapping_mul(3).wrapping_add(a[index as usize]);
            index += step;
            step -= 1;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, first) = (size(rng), size(rng));
        let len = fits(rng, i128::from(first) * i128::from(n.clamp(0, 12)) + 1);
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n, first), [len], out)
    };

    /// `clamp`, which panics itself if there is nothing between its bounds.
    @proved fn clamped(at, out, (w: i32, h: i32, d: i32), [a]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x < w && y < h {
            let mut sum = 0u32;
            for k in -1..=1 {
                let sx = (x + d + k).clamp(0, w - 1);
                let sy = (y - d + k).clamp(0, h - 1);
                sum = sum.wrapping_mul(3).wrapping_add(a[(sy * w + sx) as usize]);
            }
            out.add((y * w + x) as usize, sum);
        }
    }
    |rng| {
        let (w, h, d) = (size(rng), size(rng), size(rng));
        let area = i128::from(w) * i128::from(h);
        let (len, out) = (fits(rng, area), fits(rng, area));
        Launch::new(rng, 2, (w, h, d), [len], out)
    };

    /// The same for what is clamped outside the guard.
    fn clamped_unguarded(at, out, (w: i32, low: i32), [a]) {
        let sx = (at.x() as i32 - 3).clamp(low, w - 1);
        out.add(at.x() as usize, a[sx as usize]);
    }
    |rng| {
        let (w, low) = (size(rng), small(rng, 3) - 1);
        let (len, out) = (fits(rng, w.into()), fits(rng, 24));
        Launch::new(rng, 1, (w, low), [len], out)
    };

    /// Chosen by branches.
    fn chosen(at, out, (n: i32, d: i32), [a]) {
        let x = at.x() as i32;
        if x < n {
            let right = if x + d > n - 1 { n - 1 } else { x + d };
            let left = if x - d < 0 { 0 } else { x - d };
            let sum = a[left as usize].wrapping_mul(3).wrapping_add(a[right as usize]);
            out.add(x as usize, sum ^ a[x as usize]);
        }
    }
    |rng| {
        let (n, d) = (size(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n, d), [len], out)
    };

    /// Differences that end at zero, and halves of what has a sign.
    fn saturated(at, out, (n: u32, d: u32, e: i32), [a]) {
        let x = at.x();
        if x < n {
            let before = x.saturating_sub(d);
            let middle = (x as i32 + e) >> 1;
            let sum = a[before as usize].wrapping_mul(3).wrapping_add(a[middle as usize]);
            out.add(x as usize, sum ^ a[x as usize] ^ a[(x.max(1) - 1) as usize]);
        }
    }
    |rng| {
        let (n, d, e) = (size(rng), size(rng), size(rng));
        let len = fits(rng, i128::from(n).max((i128::from(n) + i128::from(e)) / 2 + 1));
        let out = fits(rng, n.into());
        Launch::new(rng, 1, (n as u32, d as u32, e), [len], out)
    };

    /// An element for every 32, and one for every 5 in a row.
    @proved fn quotients(at, out, (n: i32, w: u32), [a, b, c]) {
        let x = at.x() as i32;
        if x < n {
            let (i, j) = (x / 32, x as u32 / 5);
            let sum = a[i as usize].wrapping_mul(3).wrapping_add(b[(j * 2 + 1) as usize]);
            out.add(x as usize, sum ^ c[((x as u32 + w) >> 1) as usize]);
        }
    }
    |rng| {
        let (n, w) = (size(rng), size(rng));
        let rows = (i128::from(n) - 1) / 5 + 1;
        let halves = (i128::from(n) + i128::from(w) - 1) / 2 + 1;
        let lens =
            [fits(rng, (i128::from(n) + 31) / 32), fits(rng, 2 * rows), fits(rng, halves)];
        let out = fits(rng, n.into());
        Launch::new(rng, 1, (n, w as u32), lens, out)
    };

    /// Words of numbers that are packed, in a loop over all.
    fn packed(at, out, (n: i32, bits: i32), [a]) {
        let mut i = at.x() as i32;
        while i < n {
            let first = i * bits;
            let mut value = a[(first >> 5) as usize] >> (first & 31);
            if (first & 31) + bits > 32 {
                value |= a[((first >> 5) + 1) as usize] << ((32 - (first & 31)) & 31);
            }
            out.add(i as usize, value);
            i += at.width() as i32;
        }
    }
    |rng| {
        let (n, bits) = (size(rng), small(rng, 33) - 1);
        let words = (i128::from(n) * i128::from(bits) + 31) / 32;
        let (len, out) = (fits(rng, words), fits(rng, n.into()));
        Launch::new(rng, 1, (n, bits), [len], out)
    };
}
