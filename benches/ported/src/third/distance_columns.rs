//! The distance of each pixel from the nearest object in its column, the first phase of a distance transform
//! (Meijster, Roerdink, Hesselink 2000): down the column, then up.

use crate::prelude::*;

forms! {
    /// One thread a column. Where the column has no object, the distance is `height`.
    #[kernel]
    pub fn distance_columns(
        width: i32,
        height: i32,
        mask: &[u8],
        mut distance: Parts<u16, (by::Whole, by::Thread), 2>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        if x >= width {
            return;
        }
        let mut own = distance.part();
        let mut last = height;
        for y in 0..height {
            last = if at!(mask, y * width + x) != 0 { 0 } else { (last + 1).min(height) };
            own!(own, [y as Ix as usize, 0]) = last as u16;
        }
        let mut y = height - 2;
        while y >= 0 {
            last = (last + 1).min(own!(own, [y as Ix as usize, 0]) as i32);
            own!(own, [y as Ix as usize, 0]) = last as u16;
            y -= 1;
        }
    }
}

/// 32000x2048.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(32000, 300), run.size(2048, 70));
    let mask: Vec<u8> =
        run.below(50, w * h).into_iter().map(|x| if x == 0 { 255 } else { 0 }).collect();
    let mut want = vec![h as u16; w * h];
    let mut queue = Vec::new();
    for x in 0..w {
        // From the objects outwards.
        queue.extend((0..h).filter(|y| mask[y * w + x] != 0).map(|y| (y, 0u16)));
        let mut next = 0;
        while let Some(&(y, distance)) = queue.get(next) {
            next += 1;
            if want[y * w + x] == h as u16 {
                want[y * w + x] = distance;
                queue.extend(y.checked_sub(1).map(|y| (y, distance + 1)));
                queue.extend((y + 1 < h).then_some((y + 1, distance + 1)));
            }
        }
        queue.clear();
    }
    let distance = Output::new(&vec![u16::MAX; w * h], want)?;
    let mask = DeviceBuffer::from_slice(&mask)?;
    compare!(
        run,
        [&distance],
        distance_columns,
        w.div_ceil(64),
        64,
        (w as i32, h as i32, &mask, distance.buffer().view_mut([h, w]) => distance.address())
    )
}
