//! A step of heat flow in a chip, after Rodinia's hotspot: 16x16 tiles in shared memory, of which the inner
//! 14x14 are written.

use crate::prelude::*;

/// The inner threads of a block of 16x16 own an element each.
type Inner = (
    by::Tile<by::BlockY, 14, by::Middle<by::ThreadInBlockY>>,
    by::Tile<by::BlockX, 14, by::Middle<by::ThreadInBlockX>>,
);

forms! {
    /// Blocks of 16x16 threads overlap by one element on each side.
    #[kernel]
    pub fn hotspot(
        width: i32,
        height: i32,
        step: f32,
        temp: &[f32],
        power: &[f32],
        mut out: Parts<f32, Inner, 2>,
    ) {
        let tile = cells!([[f32; 16]; 16], 0.0);
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let col = block::x() as i32 * 14 + tx - 1;
        let row = block::y() as i32 * 14 + ty - 1;
        let inside = col >= 0 && col < width && row >= 0 && row < height;
        let index = row * width + col;
        if inside {
            set!(tile, ty, tx, at!(temp, index));
        }
        block::sync();
        let mut own = out.part();
        let Some(out) = own.get_mut([0, 0]) else { return };
        let north = if row == 0 { ty } else { ty - 1 };
        let south = if row == height - 1 { ty } else { ty + 1 };
        let west = if col == 0 { tx } else { tx - 1 };
        let east = if col == width - 1 { tx } else { tx + 1 };
        let here = get!(tile, ty, tx);
        let vertical = get!(tile, north, tx) + get!(tile, south, tx) - 2.0 * here;
        let horizontal = get!(tile, ty, west) + get!(tile, ty, east) - 2.0 * here;
        let flow = vertical * 0.1 + horizontal * 0.2 + (80.0 - here) * 0.05;
        *out = here + step * (at!(power, index) + flow);
    }
}

/// 4096x4096.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(4096, 50), run.size(4096, 37));
    let (temp, power) = (run.between(70.0, 90.0, w * h), run.floats(w * h));
    let step = 0.3;
    let want = (0..w * h).map(|i| {
        let (row, col) = (i / w, i % w);
        let here = temp[i];
        let at = |row: usize, col: usize| temp[row.min(h - 1) * w + col.min(w - 1)];
        let vertical = at(row.saturating_sub(1), col) + at(row + 1, col) - 2.0 * here;
        let horizontal = at(row, col.saturating_sub(1)) + at(row, col + 1) - 2.0 * here;
        here + step * (power[i] + vertical * 0.1 + horizontal * 0.2 + (80.0 - here) * 0.05)
    });
    let out = Output::new(&vec![f32::NAN; w * h], want.collect())?.within(1e-5);
    let (temp, power) = (DeviceBuffer::from_slice(&temp)?, DeviceBuffer::from_slice(&power)?);
    let blocks = (w.div_ceil(14), h.div_ceil(14));
    compare!(
        run,
        [&out],
        hotspot,
        blocks,
        (16, 16),
        (w as i32, h as i32, step, &temp, &power, out.buffer().view_mut([h, w]) => out.address())
    )
}
