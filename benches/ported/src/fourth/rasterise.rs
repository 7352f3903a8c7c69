//! A rasteriser in software: which triangle is in front at each pixel, by an atomic minimum of depth and index.

use crate::prelude::*;

/// A corner of a triangle, in sixteenths of pixels, with 12 bits of depth.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Vertex {
    x: i32,
    y: i32,
    depth: i32,
}

/// Twice the signed area of the triangle of two corners and a place.
#[inline(always)]
fn edge(a: Vertex, b: Vertex, x: i32, y: i32) -> i32 {
    (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
}

forms! {
    /// One thread per triangle, of which only the front face counts. Pixels are sampled at their centres.
    #[kernel]
    pub fn rasterise(
        triangles: i32,
        width: i32,
        height: i32,
        vertex: &[Vertex],
        corner: &[i32],
        front: Atomics<u32>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= triangles {
            return;
        }
        let a = at!(vertex, at!(corner, 3 * i));
        let b = at!(vertex, at!(corner, 3 * i + 1));
        let c = at!(vertex, at!(corner, 3 * i + 2));
        let area = edge(a, b, c.x, c.y);
        if area <= 0 {
            return;
        }
        let left = (a.x.min(b.x).min(c.x) >> 4).max(0);
        let right = (a.x.max(b.x).max(c.x) >> 4).min(width - 1);
        let top = (a.y.min(b.y).min(c.y) >> 4).max(0);
        let bottom = (a.y.max(b.y).max(c.y) >> 4).min(height - 1);
        for y in top..=bottom {
            for x in left..=right {
                let (px, py) = (16 * x + 8, 16 * y + 8);
                let u = edge(b, c, px, py);
                let v = edge(c, a, px, py);
                let w = edge(a, b, px, py);
                if u >= 0 && v >= 0 && w >= 0 {
                    let depth = (u * a.depth + v * b.depth + w * c.depth) / area;
                    let key = (depth << 20 | i) as u32;
                    atom!(front, y * width + x).fetch_min(key);
                }
            }
        }
    }
}

/// 2^18 triangles of up to 24 pixels on 4096x3072.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let triangles = run.size(1 << 18, 200);
    let (width, height) = (run.size(4096, 90), run.size(3072, 60));
    let vertices = 3 * triangles;
    // Corners near a place that may be slightly outside the image.
    let (x, y) = (run.below(16 * width + 200, triangles), run.below(16 * height + 200, triangles));
    let near = run.below(16 * 24, 2 * vertices);
    let depth = run.below(1 << 12, vertices);
    let vertex: Vec<Vertex> = (0..vertices)
        .map(|k| Vertex {
            x: x[k / 3] - 250 + near[2 * k],
            y: y[k / 3] - 250 + near[2 * k + 1],
            depth: depth[k],
        })
        .collect();
    // Triangles in another order than their corners in memory.
    let mut corner: Vec<i32> = (0..vertices as i32).collect();
    let places = run.below(triangles, triangles);
    for (i, &j) in places.iter().enumerate() {
        (0..3).for_each(|k| corner.swap(3 * i + k, 3 * j as usize + k));
    }
    let mut want = vec![u32::MAX; width * height];
    for (i, corners) in corner.chunks(3).enumerate() {
        let points = [0, 1, 2].map(|k| {
            let vertex = vertex[corners[k] as usize];
            [vertex.x, vertex.y, vertex.depth].map(i64::from)
        });
        let cross = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| {
            a[0] * b[1] - a[1] * b[0] + b[0] * c[1] - b[1] * c[0] + c[0] * a[1] - c[1] * a[0]
        };
        let [a, b, c] = points.map(|p| [p[0], p[1]]);
        let area = cross(a, b, c);
        let range = |axis: usize, extent: usize| {
            let all = points.map(|p| p[axis]);
            let pixel = |x: i64| x.div_euclid(16);
            let (low, high) = (all.iter().min().unwrap(), all.iter().max().unwrap());
            pixel(*low).max(0)..(pixel(*high) + 1).min(extent as i64)
        };
        if area <= 0 {
            continue;
        }
        for y in range(1, height) {
            for x in range(0, width) {
                let p = [16 * x + 8, 16 * y + 8];
                let parts = [cross(p, b, c), cross(a, p, c), cross(a, b, p)];
                // Inside, the three parts have the triangle's area in all; outside, more.
                if parts.map(i64::abs).iter().sum::<i64>() == area {
                    let depth = (0..3).map(|k| parts[k] * points[k][2]).sum::<i64>() / area;
                    let pixel = &mut want[y as usize * width + x as usize];
                    *pixel = (*pixel).min((depth as u32) << 20 | i as u32);
                }
            }
        }
    }
    let front = Output::new(&vec![u32::MAX; width * height], want)?;
    let (vertex, corner) = (DeviceBuffer::from_slice(&vertex)?, DeviceBuffer::from_slice(&corner)?);
    compare!(
        run,
        [&front],
        rasterise,
        triangles.div_ceil(128),
        128,
        (
            triangles as i32,
            width as i32,
            height as i32,
            &vertex,
            &corner,
            &mut *front.buffer()
        )
    )
}
