//! Loops.

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

kernels! {
    /// A product of matrices.
    @proved fn product(at, out, (m: i32, n: i32, k: i32), [a, b]) {
        let (row, column) = (at.y() as i32, at.x() as i32);
        if row < m && column < n {
            let mut sum = 0u32;
            for j in 0..k {
                let x = a[(row * k + j) as usize].wrapping_mul(b[(j * n + column) as usize]);
                sum = sum.wrapping_add(x);
            }
            out.add((row * n + column) as usize, sum);
        }
    }
    |rng| {
        let (m, n, k) = (size(rng), size(rng), size(rng));
        let area = |a: i32, b: i32| i128::from(a) * i128::from(b);
        let lens = [fits(rng, area(m, k)), fits(rng, area(k, n))];
        let out = fits(rng, area(m, n));
        Launch::new(rng, 2, (m, n, k), lens, out)
    };

    /// The same of 64 bits.
    @proved fn product_usize(at, out, (n: usize, k: usize), [a, b]) {
        let (row, column) = (at.y() as usize, at.x() as usize);
        if row < n && column < n {
            let mut sum = 0u32;
            for j in 0..k {
                sum = sum.wrapping_add(a[row * k + j].wrapping_mul(b[j * n + column]));
            }
            out.add(row * n + column, sum);
        }
    }
    |rng| {
        let (n, k) = (wide_size(rng), wide_size(rng));
        let area = |a: usize, b: usize| (a as u128).saturating_mul(b as u128).min(9000) as i128;
        let lens = [fits(rng, area(n, k)), fits(rng, area(k, n))];
        let out = fits(rng, area(n, n));
        Launch::new(rng, 2, (n, k), lens, out)
    };

    /// All threads of the launch together, step by step.
    @proved fn grid_stride(at, out, (n: usize), [a]) {
        let mut i = at.x() as usize;
        while i < n {
            out.add(i, a[i]);
            i += at.width() as usize;
        }
    }
    |rng| {
        let n = if rng.below(4) == 0 { wide_size(rng) } else { rng.below(60) };
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, n.min(5000) as i128));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// The same of 32 bits, with signs.
    fn grid_stride_i32(at, out, (n: i32), [a]) {
        let mut i = at.x() as i32;
        while i < n {
            out.add(i as usize, a[i as usize]);
            i += at.width() as i32;
        }
    }
    |rng| {
        let n = if rng.below(4) == 0 { size(rng) } else { small(rng, 60) };
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Steps that are a parameter.
    @proved fn stepped(at, out, (n: usize, step: usize), [a]) {
        for i in (at.x() as usize..n).step_by(step) {
            out.add(i, a[i]);
        }
    }
    |rng| {
        let (n, step) = (wide_size(rng), if rng.below(6) == 0 { wide_size(rng) } else { 1 + rng.below(4) });
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, n.min(5000) as i128));
        Launch::new(rng, 1, (n, step), [len], out)
    };

    /// Steps of `i32` that are a parameter: some are none, and never end but by a panic.
    fn stepped_i32(at, out, (n: i32, step: i32), [a]) {
        let mut i = at.x() as i32;
        let mut sum = 0u32;
        while i < n && sum & 63 != 1 {
            sum = sum.wrapping_add(a[i as usize] | 1);
            i += step;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, step) = (size(rng), if rng.below(3) == 0 { size(rng) } else { 1 + small(rng, 3) });
        let len = fits(rng, n.into());
        Launch::new(rng, 1, (n, step), [len], 24)
    };

    /// Downwards.
    fn reversed(at, out, (n: i32), [a]) {
        let i = at.x() as i32;
        if i < n {
            let mut sum = 0u32;
            for j in (0..=i).rev() {
                sum = sum.wrapping_mul(3).wrapping_add(a[j as usize]);
            }
            out.add((n - 1 - i) as usize, sum);
        }
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// The triangle of a matrix.
    @proved fn triangle(at, out, (n: usize), [a]) {
        let i = at.x() as usize;
        if i < n {
            for j in 0..=i {
                out.add(j * n + i, a[i * n + j]);
            }
        }
    }
    |rng| {
        let n = wide_size(rng);
        let needed = (n as u128).saturating_mul(n as u128).min(9000) as i128;
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// A packed triangle.
    @proved fn packed_triangle(at, out, (n: i32), [a]) {
        let i = at.x() as i32;
        if i < n {
            let mut sum = 0u32;
            let mut j = i;
            while j < n {
                sum = sum.wrapping_add(a[(j * (j + 1) / 2 + i) as usize]);
                j += 1;
            }
            out.add(i as usize, sum);
        }
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, i128::from(n) * (i128::from(n) + 1) / 2), fits(rng, n.into()));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Parts of the data, one for each thread.
    fn chunks(at, out, (n: u32, chunk: u32), [a]) {
        let begin = at.x() * chunk;
        let end = (begin + chunk).min(n);
        let mut sum = 0u32;
        for j in begin..end {
            sum = sum.wrapping_add(a[j as usize]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, chunk) = (size(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, 12));
        Launch::new(rng, 1, (n as u32, chunk as u32), [len], out)
    };

    /// Tiles, and what is in them.
    @proved fn tiles(at, out, (n: usize, tile: usize), [a]) {
        let mut sum = 0u32;
        for begin in (0..n).step_by(tile) {
            let j = begin + at.x() as usize;
            if j < n {
                sum = sum.wrapping_add(a[j]);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, tile) = (rng.below(40), if rng.below(4) == 0 { wide_size(rng) } else { 1 + rng.below(6) });
        let (len, out) = (fits(rng, n as i128), fits(rng, 12));
        Launch::new(rng, 1, (n, tile), [len], out)
    };

    /// Halves, as reductions take them.
    fn halves(at, out, (n: u32), [a]) {
        let i = at.x();
        let mut s = n / 2;
        let mut sum = 0u32;
        while s > 0 {
            if i < s {
                sum = sum.wrapping_add(a[i as usize] ^ a[(i + s) as usize]);
            }
            s >>= 1;
        }
        out.add(i as usize, sum);
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n as u32,), [len], out)
    };

    /// A search in what need not be sorted.
    fn search(at, out, (n: usize), [a, keys]) {
        let key = keys[at.x() as usize];
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if a[middle] < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        out.add(low, 1);
    }
    |rng| {
        let n = wide_size(rng);
        let lens = [fits(rng, n.min(5000) as i128), fits(rng, 24)];
        let out = fits(rng, n.min(5000) as i128 + 1);
        Launch::new(rng, 1, (n,), lens, out)
    };

    /// A loop that is left early, and whose counter is used behind it.
    fn found(at, out, (n: i32, limit: i32), [a]) {
        let i = at.x() as i32;
        let mut j = i;
        while j < n {
            if a[j as usize] as i32 > limit {
                break;
            }
            j += 1;
        }
        out.add(j as usize, 1 + i as u32);
    }
    |rng| {
        let (n, limit) = (size(rng), rng.next_u32() as i32);
        let (len, out) = (fits(rng, n.into()), fits(rng, i128::from(n) + 12));
        Launch::new(rng, 1, (n, limit), [len], out)
    };
}
