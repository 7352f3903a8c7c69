//! Which corners of each cell of a volume lie below a level, and how many vertices its surface has: the first step of
//! marching cubes, after the CUDA samples.

use crate::prelude::*;

forms! {
    /// One thread a cell; there is one less than samples along each axis.
    #[kernel]
    pub fn marching_cubes(
        cells_x: i32,
        cells_y: i32,
        cells_z: i32,
        level: f32,
        volume: &[f32],
        vertices: &[u8],
        mut case: Disjoint<u8>,
        mut count: Disjoint<i32>,
        occupied: Atomics<u32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= cells_x * cells_y * cells_z {
            return;
        }
        let x = i % cells_x;
        let y = i / cells_x % cells_y;
        let z = i / (cells_x * cells_y);
        let (row, plane) = (cells_x + 1, (cells_x + 1) * (cells_y + 1));
        let first = z * plane + y * row + x;
        let corners = [
            at!(volume, first),
            at!(volume, first + 1),
            at!(volume, first + row + 1),
            at!(volume, first + row),
            at!(volume, first + plane),
            at!(volume, first + plane + 1),
            at!(volume, first + plane + row + 1),
            at!(volume, first + plane + row),
        ];
        let mut below = 0u32;
        for k in 0..8 {
            if at!(corners, k) < level {
                below |= 1 << k;
            }
        }
        let n = at!(vertices, below) as i32;
        own!(case, own) = below as u8;
        own!(count, own) = n;
        let some = warp::ballot(warp::active_mask(), n > 0);
        if n > 0 && warp::mask_lt() & some == 0 {
            bump!(occupied, 0, some.count_ones());
        }
    }
}

/// 320x320x256 cells.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (x, y, z) = (run.size(320, 13), run.size(320, 11), run.size(256, 9));
    let (row, plane) = (x + 1, (x + 1) * (y + 1));
    let level = 0.6f32;
    let volume = run.floats(plane * (z + 1));
    // A table of random numbers does for this step; cells that are all above or below have no surface.
    let mut vertices: Vec<u8> = run.below(6, 256).into_iter().map(|n| 3 * n as u8).collect();
    (vertices[0], vertices[255]) = (0, 0);
    let mut case = vec![0u8; x * y * z];
    for (k, [dx, dy, dz]) in [[0, 0], [1, 0], [1, 1], [0, 1]]
        .into_iter()
        .cycle()
        .take(8)
        .enumerate()
        .map(|(k, [dx, dy])| (k, [dx, dy, k / 4]))
    {
        for (i, case) in case.iter_mut().enumerate() {
            let place = (i / (x * y) + dz) * plane + (i / x % y + dy) * row + i % x + dx;
            *case |= u8::from(volume[place] < level) << k;
        }
    }
    let count: Vec<i32> = case.iter().map(|case| i32::from(vertices[usize::from(*case)])).collect();
    let occupied = count.iter().filter(|n| **n > 0).count() as u32;
    let case = Output::new(&vec![0; case.len()], case)?;
    let count = Output::new(&vec![-1; count.len()], count)?;
    let occupied = Output::new(&[0], vec![occupied])?;
    let (volume, vertices) =
        (DeviceBuffer::from_slice(&volume)?, DeviceBuffer::from_slice(&vertices)?);
    compare!(
        run,
        [&case, &count, &occupied],
        marching_cubes,
        (x * y * z).div_ceil(128),
        128,
        (
            x as i32,
            y as i32,
            z as i32,
            level,
            &volume,
            &vertices,
            &mut *case.buffer(),
            &mut *count.buffer(),
            &mut *occupied.buffer()
        )
    )
}
