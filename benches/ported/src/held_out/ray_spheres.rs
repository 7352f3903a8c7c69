//! A picture of spheres, after CUDA by Example's ray tracer: rays are parallel, and each looks for the nearest sphere.

use crate::prelude::*;

/// A sphere and its colour.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Sphere {
    red: f32,
    green: f32,
    blue: f32,
    radius: f32,
    x: f32,
    y: f32,
    z: f32,
}

forms! {
    /// How far above the plane the ray at `(x, y)` hits a sphere, and how much that place faces the ray.
    #[inline(always)]
    fn hit(sphere: &Sphere, x: f32, y: f32) -> Option<(f32, f32)> {
        let (dx, dy) = (x - sphere.x, y - sphere.y);
        let square = sphere.radius * sphere.radius - dx * dx - dy * dy;
        if square > 0.0 {
            let dz = square.sqrt();
            Some((sphere.z + dz, dz / sphere.radius))
        } else {
            None
        }
    }

    /// One thread a pixel.
    #[kernel]
    pub fn ray_spheres(
        width: i32,
        height: i32,
        spheres: i32,
        sphere: &[Sphere],
        mut image: DisjointArray<[u8; 4], 2>,
    ) {
        let own = thread::index_2d();
        let (px, py) = (own.x() as i32, own.y() as i32);
        if px >= width || py >= height {
            return;
        }
        let (x, y) = ((px - width / 2) as f32, (py - height / 2) as f32);
        let (mut red, mut green, mut blue) = (0.0f32, 0.0f32, 0.0f32);
        let mut highest = f32::MIN;
        for i in 0..spheres {
            let sphere = at!(sphere, i);
            if let Some((z, facing)) = hit(&sphere, x, y)
                && z > highest
            {
                highest = z;
                red = sphere.red * facing;
                green = sphere.green * facing;
                blue = sphere.blue * facing;
            }
        }
        own!(image, own) = [(red * 255.0) as u8, (green * 255.0) as u8, (blue * 255.0) as u8, 255];
    }
}

/// 4096x4096, 100 spheres at whole coordinates.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h, spheres) = (run.size(4096, 70), run.size(4096, 50), run.size(100, 15));
    let colours = run.between(0.0, 1.0, 3 * spheres);
    let side = w as i32;
    let places = run.below(w, 3 * spheres);
    let radii = run.below(w / 8, spheres);
    let sphere: Vec<Sphere> = (0..spheres)
        .map(|i| Sphere {
            red: colours[3 * i],
            green: colours[3 * i + 1],
            blue: colours[3 * i + 2],
            radius: (radii[i] + 2) as f32,
            x: (places[3 * i] - side / 2) as f32,
            y: (places[3 * i + 1] - side / 2) as f32,
            z: (places[3 * i + 2] - side / 2) as f32,
        })
        .collect();
    let mut want = vec![[0u8, 0, 0, 255]; w * h];
    let mut highest = vec![f32::MIN; w * h];
    // Sphere by sphere, as a rasteriser does it. Squares are whole numbers.
    for sphere in &sphere {
        let radius = sphere.radius as i64;
        let (cx, cy) = (sphere.x as i64 + w as i64 / 2, sphere.y as i64 + h as i64 / 2);
        for y in (cy - radius).max(0)..(cy + radius + 1).min(h as i64) {
            for x in (cx - radius).max(0)..(cx + radius + 1).min(w as i64) {
                let square = radius * radius - (x - cx).pow(2) - (y - cy).pow(2);
                let i = y as usize * w + x as usize;
                let z = sphere.z + (square.max(0) as f32).sqrt();
                if square > 0 && z > highest[i] {
                    highest[i] = z;
                    let facing = (square as f32).sqrt() / sphere.radius;
                    let colour = [sphere.red, sphere.green, sphere.blue];
                    let [r, g, b] = colour.map(|colour| (colour * facing * 255.0) as u8);
                    want[i] = [r, g, b, 255];
                }
            }
        }
    }
    let image = Output::new(&vec![0; 4 * w * h], want.into_flattened())?;
    let sphere = DeviceBuffer::from_slice(&sphere)?;
    compare!(run, [&image], ray_spheres, (w.div_ceil(16), h.div_ceil(16)), (16, 16), (
        w as i32,
        h as i32,
        spheres as i32,
        &sphere,
        image.buffer().reinterpret_mut::<[u8; 4]>()?.view_mut([h, w]) => image.address()
    ))
}
