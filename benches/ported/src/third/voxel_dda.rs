//! Rays through a grid of voxels, one voxel after another (Amanatides and Woo 1987), up to the first one that is
//! occupied.

use crate::prelude::*;

/// Where a ray begins, in voxels, and the reciprocals of its direction's components, which are not 0.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Ray {
    origin: [f32; 3],
    inverse: [f32; 3],
}

forms! {
    /// One thread a ray, which begins within the grid: which voxel it hits, or -1, and after how many steps.
    #[kernel]
    pub fn voxel_dda(
        rays: i32,
        size_x: i32,
        size_y: i32,
        size_z: i32,
        occupied: &[u8],
        ray: &[Ray],
        mut hit: Disjoint<i32>,
        mut steps: Disjoint<u16>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= rays {
            return;
        }
        let Ray { origin, inverse } = at!(ray, i);
        let mut x = origin[0].floor() as i32;
        let mut y = origin[1].floor() as i32;
        let mut z = origin[2].floor() as i32;
        let step_x = if inverse[0] < 0.0 { -1 } else { 1 };
        let step_y = if inverse[1] < 0.0 { -1 } else { 1 };
        let step_z = if inverse[2] < 0.0 { -1 } else { 1 };
        // When the ray enters the next voxel along each axis.
        let mut next_x = ((x + (step_x + 1) / 2) as f32 - origin[0]) * inverse[0];
        let mut next_y = ((y + (step_y + 1) / 2) as f32 - origin[1]) * inverse[1];
        let mut next_z = ((z + (step_z + 1) / 2) as f32 - origin[2]) * inverse[2];
        let mut found = -1;
        let mut count = 0;
        while x >= 0 && x < size_x && y >= 0 && y < size_y && z >= 0 && z < size_z {
            let voxel = (z * size_y + y) * size_x + x;
            if at!(occupied, voxel) != 0 {
                found = voxel;
                break;
            }
            count += 1;
            if next_x <= next_y && next_x <= next_z {
                x += step_x;
                next_x += inverse[0].abs();
            } else if next_y <= next_z {
                y += step_y;
                next_y += inverse[1].abs();
            } else {
                z += step_z;
                next_z += inverse[2].abs();
            }
        }
        own!(hit, own) = found;
        own!(steps, own) = count as u16;
    }
}

/// 2^20 rays, 512x512x256 voxels.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let rays = run.size(1 << 20, 500);
    let size = [run.size(512, 40), run.size(512, 33), run.size(256, 25)];
    let occupied: Vec<u8> =
        run.below(200, size.iter().product()).into_iter().map(|x| u8::from(x == 0)).collect();
    // Eighths of voxels, and whole reciprocals: all times are exact.
    let origin: [Vec<i32>; 3] = size.map(|size| run.below(8 * size, rays));
    let inverse: [Vec<i32>; 3] = size.map(|_| {
        let numbers = run.below(40, rays);
        numbers.into_iter().map(|x| if x < 20 { x - 20 } else { x - 19 }).collect()
    });
    let ray: Vec<Ray> = (0..rays)
        .map(|i| Ray {
            origin: std::array::from_fn(|k| origin[k][i] as f32 / 8.0),
            inverse: std::array::from_fn(|k| inverse[k][i] as f32),
        })
        .collect();
    let (mut hit, mut steps) = (Vec::with_capacity(rays), Vec::with_capacity(rays));
    for i in 0..rays {
        // How many borders along each axis the ray has crossed.
        let mut crossed = [0i32; 3];
        let found = loop {
            let place: [Option<usize>; 3] = std::array::from_fn(|k| {
                let at = origin[k][i].div_euclid(8) + crossed[k] * inverse[k][i].signum();
                usize::try_from(at).ok().filter(|at| *at < size[k])
            });
            let [Some(x), Some(y), Some(z)] = place else { break -1 };
            let voxel = (z * size[1] + y) * size[0] + x;
            if occupied[voxel] != 0 {
                break voxel as i32;
            }
            // The first axis of those whose next border comes first.
            let time = |k: usize| {
                let inside = origin[k][i].rem_euclid(8);
                let first = if inverse[k][i] < 0 { inside } else { 8 - inside };
                (first + 8 * crossed[k]) * inverse[k][i].abs()
            };
            crossed[(0..3).min_by_key(|k| time(*k)).unwrap_or(0)] += 1;
        };
        hit.push(found);
        steps.push(crossed.iter().sum::<i32>() as u16);
    }
    let hit = Output::new(&vec![-2; rays], hit)?;
    let steps = Output::new(&vec![u16::MAX; rays], steps)?;
    let (occupied, ray) = (DeviceBuffer::from_slice(&occupied)?, DeviceBuffer::from_slice(&ray)?);
    let [size_x, size_y, size_z] = size.map(|size| size as i32);
    compare!(
        run,
        [&hit, &steps],
        voxel_dda,
        rays.div_ceil(128),
        128,
        (
            rays as i32,
            size_x,
            size_y,
            size_z,
            &occupied,
            &ray,
            &mut *hit.buffer(),
            &mut *steps.buffer()
        )
    )
}
