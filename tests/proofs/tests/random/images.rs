//! Images, volumes and what stands at their borders.

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

/// `a * b` elements, as whole numbers.
fn area(a: i32, b: i32) -> i128 {
    i128::from(a.max(0)) * i128::from(b.max(0))
}

kernels! {
    /// Coordinates of 32 bits with signs.
    fn image_i32(at, out, (w: i32, h: i32), [a]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x < w && y < h {
            let i = (y * w + x) as usize;
            out.add(i, a[i]);
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let (len, out) = (fits(rng, area(w, h)), fits(rng, area(w, h)));
        Launch::new(rng, 2, (w, h), [len], out)
    };

    /// Coordinates of 64 bits.
    fn image_usize(at, out, (w: usize, h: usize), [a]) {
        let (x, y) = (at.x() as usize, at.y() as usize);
        if x >= w || y >= h {
            return;
        }
        out.add(y * w + x, a[y * w + x]);
    }
    |rng| {
        let (w, h) = (wide_size(rng), wide_size(rng));
        let needed = (w as u128).saturating_mul(h as u128).min(10_000) as i128;
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 2, (w, h), [len], out)
    };

    /// Coordinates of 32 bits without signs, and rows with a pitch.
    fn image_pitched(at, out, (w: u32, h: u32, pitch: u32), [a]) {
        let (x, y) = (at.x(), at.y());
        if x < w && y < h {
            out.add((y * w + x) as usize, a[(y * pitch + x) as usize]);
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let pitch = if rng.below(6) == 0 { size(rng) } else { w.wrapping_add(small(rng, 3)) };
        let (len, out) = (fits(rng, area(pitch, h - 1) + i128::from(w)), fits(rng, area(w, h)));
        Launch::new(rng, 2, (w as u32, h as u32, pitch as u32), [len], out)
    };

    /// Three axes.
    fn volume(at, out, (w: i32, h: i32, d: i32), [a]) {
        let (x, y, z) = (at.x() as i32, at.y() as i32, at.z() as i32);
        if x < w && y < h && z < d {
            let i = ((z * h + y) * w + x) as usize;
            out.add(i, a[i]);
        }
    }
    |rng| {
        let (w, h, d) = (size(rng), size(rng), small(rng, 6));
        let needed = area(w, h) * i128::from(d);
        let (len, out) = (fits(rng, needed), fits(rng, needed));
        Launch::new(rng, 3, (w, h, d), [len], out)
    };

    /// A stencil whose threads near the ends do nothing.
    fn stencil(at, out, (n: i32, r: i32), [a]) {
        let i = at.x() as i32;
        if i >= r && i < n - r {
            let mut sum = 0u32;
            for d in -r..=r {
                sum = sum.wrapping_add(a[(i + d) as usize]);
            }
            out.add(i as usize, sum);
        }
    }
    |rng| {
        let (n, r) = (size(rng), if rng.below(8) == 0 { size(rng) } else { small(rng, 2) });
        let (len, out) = (fits(rng, n.into()), fits(rng, i128::from(n) - i128::from(r)));
        Launch::new(rng, 1, (n, r), [len], out)
    };

    /// Nine neighbours of what is not at the border.
    @proved fn inner(at, out, (w: usize, h: usize), [a]) {
        let (x, y) = (at.x() as usize, at.y() as usize);
        if x > 0 && y > 0 && x < w - 1 && y < h - 1 {
            let mut sum = 0u32;
            for dy in 0..3 {
                for dx in 0..3 {
                    sum = sum.wrapping_add(a[(y + dy - 1) * w + x + dx - 1]);
                }
            }
            out.add(y * w + x, sum);
        }
    }
    |rng| {
        let (w, h) = (wide_size(rng), wide_size(rng));
        let needed = (w as u128).saturating_mul(h as u128).min(10_000) as i128;
        let (len, out) = (fits(rng, needed), fits(rng, needed - w.min(5000) as i128));
        Launch::new(rng, 2, (w, h), [len], out)
    };

    /// A convolution that takes zeros behind the border.
    @proved fn padded(at, out, (w: i32, h: i32, r: i32), [a, k]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x >= w || y >= h {
            return;
        }
        let mut sum = 0u32;
        for dy in -r..=r {
            for dx in -r..=r {
                let (sx, sy) = (x + dx, y + dy);
                if sx >= 0 && sx < w && sy >= 0 && sy < h {
                    let weight = k[((dy + r) * (2 * r + 1) + dx + r) as usize];
                    sum = sum.wrapping_add(weight.wrapping_mul(a[(sy * w + sx) as usize]));
                }
            }
        }
        out.add((y * w + x) as usize, sum);
    }
    |rng| {
        let (w, h, r) = (size(rng), size(rng), small(rng, 3) - 1);
        let side = 2 * i128::from(r) + 1;
        let lens = [fits(rng, area(w, h)), fits(rng, side * side)];
        let out = fits(rng, area(w, h));
        Launch::new(rng, 2, (w, h, r), lens, out)
    };

    /// The border is repeated.
    fn clamped(at, out, (w: i32, h: i32, d: i32), [a]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x < w && y < h {
            let sx = (x + d).max(0).min(w - 1);
            let sy = (y - d).max(0).min(h - 1);
            out.add((y * w + x) as usize, a[(sy * w + sx) as usize]);
        }
    }
    |rng| {
        let (w, h, d) = (size(rng), size(rng), size(rng));
        let (len, out) = (fits(rng, area(w, h)), fits(rng, area(w, h)));
        Launch::new(rng, 2, (w, h, d), [len], out)
    };

    /// The image goes on at the other side.
    fn wrapped(at, out, (w: i32, h: i32, d: i32), [a]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x < w && y < h {
            let left = (x + w - d) % w;
            let below = if y + 1 == h { 0 } else { y + 1 };
            out.add((y * w + x) as usize, a[(below * w + left) as usize]);
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let d = if rng.below(4) == 0 { size(rng) } else { small(rng, w.clamp(0, 12) as usize) };
        let (len, out) = (fits(rng, area(w, h)), fits(rng, area(w, h)));
        Launch::new(rng, 2, (w, h, d), [len], out)
    };

    /// Places of windows with a stride and a padding.
    fn pooled(at, out, (w: i32, n: i32, k: i32, stride: i32, pad: i32), [a]) {
        let o = at.x() as i32;
        if o >= n {
            return;
        }
        let begin = (o * stride - pad).max(0);
        let end = (o * stride - pad + k).min(w);
        let mut most = 0;
        for i in begin..end {
            most = most.max(a[i as usize]);
        }
        out.add(o as usize, most);
    }
    |rng| {
        let (w, n, k) = (size(rng), size(rng), small(rng, 4));
        let stride = if rng.below(6) == 0 { size(rng) } else { small(rng, 3) };
        let (len, out) = (fits(rng, w.into()), fits(rng, n.into()));
        let pad = small(rng, 2);
        Launch::new(rng, 1, (w, n, k, stride, pad), [len], out)
    };

    /// A number without sign that has a constant subtracted.
    fn before(at, out, (n: u32), [a]) {
        let i = at.x();
        if i - 1 < n {
            out.add(i as usize, a[(i - 1) as usize]);
        }
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, i128::from(n) + 1));
        Launch::new(rng, 1, (n as u32,), [len], out)
    };

    /// A place that a float says.
    fn sampled(at, out, (n: i32, scale: i32), [a]) {
        let i = at.x() as i32;
        if i < n {
            let place = (i * scale) as f32 * 0.5 - 1.0;
            let j = place.max(0.0).min(n as f32 - 1.0) as i32;
            out.add(i as usize, a[j as usize]);
        }
    }
    |rng| {
        let (n, scale) = (size(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n, scale), [len], out)
    };
}
