//! Bisections, two indices that go on in turn, and neighbours on both sides.

use ptyx::prelude::*;

use super::harness::{At, Launch, Out, fits, kernels, size, small, wide_size};

kernels! {
    /// Where the first element is that is not below a number, if they are sorted: they are not.
    @proved fn lower_bound(at, out, (n: usize), [a]) {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if a[middle] < at.x().wrapping_mul(0x1234_5678) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        out.add(at.x() as usize, low as u32);
    }
    |rng| {
        let n = wide_size(rng);
        let (len, out) = (fits(rng, n.min(5000) as i128), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// With signs, and half of the sum.
    @proved fn lower_bound_i32(at, out, (n: i32), [a]) {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = (low + high) / 2;
            if a[middle as usize] < at.x().wrapping_mul(0x1234_5678) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        out.add(at.x() as usize, low as u32);
    }
    |rng| {
        let n = size(rng);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// From a place of its own on.
    fn lower_bound_from(at, out, (first: i32, n: i32), [a]) {
        let (mut low, mut high) = (first + at.x() as i32, n);
        while low < high {
            let middle = (low + high) >> 1;
            if a[middle as usize] & 1 == 0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        out.add(at.x() as usize, low as u32);
    }
    |rng| {
        let (first, n) = (size(rng), size(rng));
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (first, n), [len], out)
    };

    /// The bin of a number between borders, of which there is one more.
    @proved fn bin(at, out, (bins: i32), [edges, a]) {
        let (mut low, mut high) = (0, bins);
        while high > low + 1 {
            let middle = (low + high) / 2;
            if edges[middle as usize] > at.x().wrapping_mul(0x1234_5678) {
                high = middle;
            } else {
                low = middle;
            }
        }
        out.add(at.x() as usize, a[low as usize]);
    }
    |rng| {
        let bins = size(rng);
        let lens = [fits(rng, bins.into()), fits(rng, bins.into())];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (bins,), lens, out)
    };

    /// The same by the distance, and with the end, which is never asked for.
    fn gap(at, out, (bins: u32), [edges]) {
        let (mut low, mut high) = (0, bins);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if edges[middle as usize] > at.x().wrapping_mul(0x1234_5678) {
                high = middle;
            } else {
                low = middle;
            }
        }
        out.add(at.x() as usize, edges[high as usize]);
    }
    |rng| {
        let bins = size(rng).max(0) as u32;
        let (len, out) = (fits(rng, i128::from(bins) + 1), fits(rng, 24));
        Launch::new(rng, 1, (bins,), [len], out)
    };

    /// It may step over the end.
    fn too_far(at, out, (n: usize), [a]) {
        let (mut low, mut high) = (0, n);
        let mut rounds = 0;
        while low != high && rounds < 20 {
            let middle = low + high.wrapping_sub(low) / 2;
            if a[middle] < at.x().wrapping_mul(0x1234_5678) {
                low = middle + 2;
            } else {
                high = middle;
            }
            rounds += 1;
        }
        out.add(at.x() as usize, low as u32);
    }
    |rng| {
        let n = wide_size(rng);
        let (len, out) = (fits(rng, n.min(5000) as i128 + 1), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };

    /// Neither end is a bound. What is proved of one needs what is proved of the other, again and again.
    fn between(at, out, (n: i32, m: i32), [a]) {
        let (mut low, mut high) = (i64::from(m), i64::from(n));
        let (mut rounds, mut sum) = (0, at.x());
        while low != high && rounds < 60 {
            let middle = (low + high) >> 1;
            sum = sum.wrapping_mul(3).wrapping_add(a[(middle + 1) as usize]);
            if sum & 32 == 0 {
                low = middle;
            } else {
                high = middle;
            }
            rounds += 1;
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, m) = (size(rng), small(rng, 12));
        let (len, out) = (fits(rng, i128::from(n.max(m)) + 2), fits(rng, 24));
        Launch::new(rng, 1, (n, m), [len], out)
    };

    /// Two arrays in turn.
    @proved fn merged(at, out, (n: i32, m: i32), [a, b]) {
        let (mut i, mut j) = (0, 0);
        let mut sum = at.x();
        while i < n && j < m {
            if a[i as usize] <= b[j as usize] ^ at.x() {
                sum = sum.wrapping_mul(3).wrapping_add(1);
                i += 1;
            } else {
                j += 1;
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, m) = (size(rng), size(rng));
        let lens = [fits(rng, n.into()), fits(rng, m.into())];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n, m), lens, out)
    };

    /// What each of them goes on by is another one.
    fn leap_frog(at, out, (n: i32, rounds: i32), [a]) {
        let (mut i, mut j) = (0, n);
        let mut sum = at.x();
        for _ in 0..rounds {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            (i, j) = (j, i + 1);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, rounds) = (size(rng), small(rng, 6));
        let (len, out) = (fits(rng, i128::from(n) + i128::from(rounds) / 2), fits(rng, 24));
        Launch::new(rng, 1, (n, rounds), [len], out)
    };

    /// A search that ends early, and its place.
    fn search(at, out, (n: i32), [a, b]) {
        let mut found = n - 1;
        for k in 0..n {
            if a[k as usize] & 7 == at.x() & 7 {
                found = k;
                break;
            }
        }
        out.add(at.x() as usize, b[found as usize]);
    }
    |rng| {
        let n = size(rng);
        let lens = [fits(rng, n.into()), fits(rng, n.into())];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (n,), lens, out)
    };

    /// Neighbours on both sides and their weights.
    @proved fn neighbours(at, out, (w: i32, h: i32, d: i32), [a, weight]) {
        let (x, y) = (at.x() as i32, at.y() as i32);
        if x > 0 && y > 0 && x < w - 1 && y < h - 1 {
            let mut sum = 0u32;
            for z in 1..d - 1 {
                for dz in -1..=1 {
                    for dy in -1..=1 {
                        let k = (dz + 1) * 3 + dy + 1;
                        let i = ((z + dz) * h + y + dy) * w + x;
                        sum = sum.wrapping_mul(3).wrapping_add(a[i as usize] ^ weight[k as usize]);
                    }
                }
            }
            out.add((y * w + x) as usize, sum);
        }
    }
    |rng| {
        let (w, h, d) = (size(rng), size(rng), small(rng, 6));
        let area = i128::from(w) * i128::from(h);
        let lens = [fits(rng, area * i128::from(d)), fits(rng, 9)];
        let out = fits(rng, area);
        Launch::new(rng, 2, (w, h, d), lens, out)
    };

    /// Further away than the guard says.
    fn far_neighbours(at, out, (n: i32, guard: i32), [a]) {
        let x = at.x() as i32;
        if x >= guard && x < n - 3 {
            let mut sum = 0u32;
            let mut d = -3;
            while d <= 3 {
                sum = sum.wrapping_mul(3).wrapping_add(a[(x + d) as usize]);
                d += 2;
            }
            out.add(x as usize, sum);
        }
    }
    |rng| {
        let (n, guard) = (size(rng), small(rng, 4));
        let (len, out) = (fits(rng, n.into()), fits(rng, n.into()));
        Launch::new(rng, 1, (n, guard), [len], out)
    };

    /// Cells around one that was loaded, first and last included.
    fn cells(at, out, (w: i32, h: i32), [place, a]) {
        let i = at.x() as usize;
        if i < place.len() {
            let (cx, cy) = (place[i] as i32 >> 28, place[i] as i32 & 15);
            let mut sum = 0u32;
            for y in (cy - 1).max(0)..=(cy + 1).min(h - 1) {
                for x in (cx - 1).max(0)..=(cx + 1).min(w - 1) {
                    sum = sum.wrapping_mul(3).wrapping_add(a[(y * w + x) as usize]);
                }
            }
            out.add(i, sum);
        }
    }
    |rng| {
        let (w, h) = (size(rng), size(rng));
        let places = fits(rng, 24);
        let lens = [places, fits(rng, i128::from(w) * i128::from(h))];
        let out = fits(rng, 24);
        Launch::new(rng, 1, (w, h), lens, out)
    };

    /// Taps that would read left of the row are left out, and those that lie between two elements.
    @proved fn taps(at, out, (n: i32, taps: i32, padding: i32, stride: i32), [a]) {
        let x = at.x() as i32;
        let mut sum = 0u32;
        for k in 0..taps {
            let from = x + padding - k;
            if from < 0 || from % stride != 0 || from / stride >= n {
                continue;
            }
            sum = sum.wrapping_mul(3).wrapping_add(a[(from / stride) as usize]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (n, taps, padding) = (size(rng), small(rng, 5), size(rng));
        let stride = small(rng, 4);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n, taps, padding, stride), [len], out)
    };

    /// A few rounds with a stride, from the thread's own place on.
    @proved fn rounds(at, out, (first: u32), [a]) {
        let mut sum = first;
        for i in ((at.x() & 3) as i32..16).step_by(4) {
            sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (len, out) = (fits(rng, 16), fits(rng, 24));
        let first = size(rng) as u32;
        Launch::new(rng, 1, (first,), [len], out)
    };

    /// Mirrored at both ends of a row.
    @proved fn mirrored(at, out, (w: i32, d: i32), [a]) {
        let mut sum = 0u32;
        for k in 0..5 {
            let mut x = at.x() as i32 + k - d;
            if x < 0 {
                x = -x;
            }
            if x >= w {
                x = 2 * (w - 1) - x;
            }
            if x >= 0 {
                sum = sum.wrapping_mul(3).wrapping_add(a[x as usize]);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let (w, d) = (size(rng), size(rng));
        let (len, out) = (fits(rng, w.into()), fits(rng, 24));
        Launch::new(rng, 1, (w, d), [len], out)
    };

    /// A part of an image.
    @proved fn region(at, out, (x0: i32, y0: i32, w: i32, h: i32, rows: i32), [a]) {
        let x = at.x() as i32;
        let mut sum = 0u32;
        for k in 0..rows {
            let y = at.y() as i32 + k;
            if x >= x0 && y >= y0 && x < x0 + w && y < y0 + h {
                let i = (y - y0) * w + x - x0;
                sum = sum.wrapping_mul(3).wrapping_add(a[i as usize]);
            }
        }
        out.add((at.y() * at.width() + at.x()) as usize, sum);
    }
    |rng| {
        let place = |rng: &mut _| if small(rng, 4) == 0 { size(rng) } else { small(rng, 3) };
        let (x0, y0, w, h) = (place(rng), place(rng), size(rng), size(rng));
        let len = fits(rng, i128::from(w) * i128::from(h));
        let (rows, out) = (small(rng, 5), fits(rng, 24 * 24));
        Launch::new(rng, 2, (x0, y0, w, h, rows), [len], out)
    };

    /// Tiles of four, of which the last one is not full.
    @proved fn tiles(at, out, (n: i32), [a]) {
        let own = (at.x() & 3) as i32;
        let mut sum = 0u32;
        for m in 0..(n + 3) / 4 {
            let x = m * 4 + own;
            if x < n {
                sum = sum.wrapping_mul(3).wrapping_add(a[x as usize]);
            }
        }
        out.add(at.x() as usize, sum);
    }
    |rng| {
        let n = size(rng).min(1 << 14);
        let (len, out) = (fits(rng, n.into()), fits(rng, 24));
        Launch::new(rng, 1, (n,), [len], out)
    };
}
