//! Where elements lie: rows and columns of a number, strides, parts of slices, narrow parameters.

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

kernels! {
    /// Row and column of a thread's number.
    fn transposed(at, out, (w: usize, h: usize), [a]) {
        let i = at.x() as usize;
        if i < w * h {
            let (row, column) = (i / w, i % w);
            out.add(column * h + row, a[row * w + column]);
        }
    }
    |rng| {
        let (w, h) = (if rng.below(3) == 0 { wide_size(rng) } else { 1 + rng.below(5) }, wide_size(rng));
        let needed = w.wrapping_mul(h).min(9000) as i128;
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 1, (w, h), [len], out)
    };

    /// The same with signs.
    @proved fn transposed_i32(at, out, (w: i32, h: i32), [a]) {
        let i = at.x() as i32;
        if i < w * h {
            let (row, column) = (i / w, i % w);
            out.add((column * h + row) as usize, a[(row * w + column) as usize]);
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let needed = i128::from(w.wrapping_mul(h));
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 1, (w, h), [len], out)
    };

    /// Four axes from one number.
    fn four_axes(at, out, (n: i32, c: i32, h: i32, w: i32), [a]) {
        let i = at.x() as i32;
        if i < n * c * h * w {
            let x = i % w;
            let y = i / w % h;
            let k = i / (w * h) % c;
            let b = i / (w * h * c);
            out.add((((b * h + y) * w + x) * c + k) as usize, a[(((b * c + k) * h + y) * w + x) as usize]);
        }
    }
    |rng| {
        let (n, c, h, w) = (small(rng, 3), size(rng), small(rng, 3), 1 + small(rng, 2));
        let needed = i128::from(n) * i128::from(c) * i128::from(h) * i128::from(w);
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 1, (n, c, h, w), [len], out)
    };

    /// An offset and a stride, as BLAS has them.
    fn strided(at, out, (n: usize, offset: usize, stride: usize), [a]) {
        let i = at.x() as usize;
        if i < n {
            out.add(i, a[offset + i * stride]);
        }
    }
    |rng| {
        let (n, offset, stride) = (wide_size(rng), rng.below(5), wide_size(rng));
        let offset = if rng.below(8) == 0 { wide_size(rng) } else { offset };
        let needed = (n as i128 - 1) * (stride as i128 % (1 << 62)) + offset as i128 % (1 << 62) + 1;
        let (len, out) = (fits(rng, needed), fits(rng, n.min(5000) as i128));
        Launch::new(rng, 1, (n, offset, stride), [len], out)
    };

    /// The same of 32 bits, where strides below zero lead back.
    fn strided_i32(at, out, (n: i32, offset: i32, stride: i32), [a]) {
        let i = at.x() as i32;
        if i < n {
            out.add(i as usize, a[(offset + i * stride) as usize]);
        }
    }
    |rng| {
        let n = size(rng);
        let stride = if rng.below(4) == 0 { size(rng) } else { small(rng, 4) - 2 };
        let offset = if stride < 0 { n.min(100).wrapping_mul(-stride) } else { small(rng, 4) };
        let needed = i128::from(n) * i128::from(stride).max(0) + i128::from(offset) + 1;
        let (len, out) = (fits(rng, needed), fits(rng, n.into()));
        Launch::new(rng, 1, (n, offset, stride), [len], out)
    };

    /// A part of a slice.
    fn rows(at, out, (w: usize), [a]) {
        let i = at.x() as usize;
        let row = &a[i * w..(i + 1) * w];
        let mut sum = 0u32;
        for value in row {
            sum = sum.wrapping_add(*value);
        }
        out.add(i, sum);
    }
    |rng| {
        let w = if rng.below(3) == 0 { wide_size(rng) } else { rng.below(6) };
        let launch = Launch::new(rng, 1, (w,), [0], 0);
        let all = i128::from(launch.blocks[0] * launch.threads[0]);
        Launch { lens: [fits(rng, all * (w.min(2000) as i128))], out: fits(rng, all), ..launch }
    };

    /// A part of a slice, with indices into it.
    fn rows_indexed(at, out, (w: u32, h: u32), [a]) {
        let y = at.y();
        if y < h {
            let row = &a[(y * w) as usize..][..w as usize];
            let x = at.x();
            if x < w {
                out.add((y * w + x) as usize, row[(w - 1 - x) as usize]);
            }
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let needed = i128::from(w) * i128::from(h);
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 2, (w as u32, h as u32), [len], out)
    };

    /// Pairs, and the last one.
    @proved fn pairs(at, out, (n: usize), [a]) {
        let i = at.x() as usize;
        if 2 * i + 1 < n {
            out.add(i, a[2 * i] ^ a[2 * i + 1]);
        } else if i == n / 2 {
            out.add(i, a[n - 1]);
        }
    }
    |rng| {
        let n = wide_size(rng);
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, n.min(5000) as i128 / 2 + 1));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Powers of two.
    fn butterflies(at, out, (n: u32, k: u32), [a]) {
        let i = at.x();
        if i < n / 2 {
            let low = i & ((1 << (k & 31)) - 1);
            let j = ((i - low) << 1) | low;
            out.add(j as usize, a[j as usize]);
            out.add((j + (1 << (k & 31))) as usize, a[(j + (1 << (k & 31))) as usize]);
        }
    }
    |rng| {
        let n = if rng.below(3) == 0 { size(rng) } else { 1 << small(rng, 6) };
        let (k, len, out) = (small(rng, 4), fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n as u32, k as u32), [len], out)
    };

    /// Bins, and what lies in them.
    fn bins(at, out, (n: i32, bins: u32), [a]) {
        let i = at.x() as i32;
        if i < n {
            let bin = a[i as usize] % bins;
            out.add(bin as usize, 1);
        }
    }
    |rng| {
        let (n, bins) = (size(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, bins.into()));
        Launch::new(rng, 1, (n, bins as u32), [len], out)
    };

    /// Indices from memory.
    fn gathered(at, out, (n: u32, m: u32), [a, indices]) {
        let i = at.x();
        if i < n {
            let j = indices[i as usize] >> 28;
            if j < m {
                out.add(i as usize, a[j as usize]);
            }
        }
    }
    |rng| {
        let (n, m) = (size(rng), small(rng, 17));
        let lens = [fits(rng, m.min(16).into()), fits(rng, n.into())];
        let out = fits(rng, n.into());
        Launch::new(rng, 1, (n as u32, m as u32), lens, out)
    };

    /// Parameters of 8 and 16 bits without signs.
    fn narrow(at, out, (w: u8, h: u16, flip: bool), [a]) {
        let (x, y) = (at.x(), at.y());
        if x < u32::from(w) && y < u32::from(h) {
            let column = if flip { u32::from(w) - 1 - x } else { x };
            out.add((y * u32::from(w) + x) as usize, a[(y * u32::from(w) + column) as usize]);
        }
    }
    |rng| {
        let (w, h, flip) = (size(rng) as u8, size(rng) as u16, rng.below(2) == 0);
        let needed = i128::from(w) * i128::from(h);
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 2, (w, h, flip), [len], out)
    };

    /// The same with signs.
    fn narrow_signed(at, out, (w: i8, first: i16, step: i8), [a]) {
        let mut i = i32::from(first) + at.x() as i32;
        let mut sum = 0u32;
        while i < i32::from(w) && i > -4000 {
            sum = sum.wrapping_add(a[i as usize]);
            i += i32::from(step);
            if step == 0 {
                break;
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (w, first) = (size(rng) as i8, if rng.below(4) == 0 { size(rng) as i16 } else { small(rng, 3) as i16 });
        let step = if rng.below(4) == 0 { size(rng) as i8 } else { small(rng, 4) as i8 - 1 };
        let (len, out) = (fits(rng, w.into()), fits(rng, 24));
        Launch::new(rng, 1, (w, first, step), [len], out)
    };

    /// Parameters of 64 bits with signs.
    fn wide_signed(at, out, (n: i64, offset: i64), [a]) {
        let i = i64::from(at.x());
        if i < n {
            let j = i - offset;
            if j >= 0 {
                out.add(i as usize, a[j as usize]);
            }
        }
    }
    |rng| {
        let (n, offset) = (wide_size(rng) as i64, wide_size(rng) as i64);
        let (len, out) = (fits(rng, i128::from(n) - i128::from(offset)), fits(rng, n.into()));
        Launch::new(rng, 1, (n, offset), [len], out)
    };
}
