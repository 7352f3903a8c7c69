//! The stiffness matrix of linear finite elements on triangles, added up by atomics: each triangle finds the places of
//! its nine numbers in the rows of a sparse matrix.

use crate::prelude::*;

/// A corner of triangles.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Point {
    x: f64,
    y: f64,
}

forms! {
    /// One thread a triangle; corner `c` of triangle `e` is `corner[c * triangles + e]`. Columns are in order.
    #[kernel]
    pub fn fem_assemble(
        triangles: i32,
        corner: &[i32],
        point: &[Point],
        offset: &[i32],
        column: &[i32],
        value: Atomics<f64>,
    ) {
        let e = (block::x() * block::dim_x() + thread::x()) as i32;
        if e >= triangles {
            return;
        }
        let mut node = [0i32; 3];
        let mut p = [(0.0f64, 0.0f64); 3];
        for c in 0..3 {
            let n = at!(corner, c * triangles + e);
            put!(node, c, n);
            let place = at!(point, n);
            put!(p, c, (place.x, place.y));
        }
        let area = 0.5 * ((p[1].0 - p[0].0) * (p[2].1 - p[0].1) - (p[2].0 - p[0].0) * (p[1].1 - p[0].1));
        let mut gradient = [(0.0f64, 0.0f64); 3];
        for c in 0..3 {
            let ((x1, y1), (x2, y2)) = (at!(p, (c + 1) % 3), at!(p, (c + 2) % 3));
            put!(gradient, c, ((y1 - y2) / (2.0 * area), (x2 - x1) / (2.0 * area)));
        }
        for a in 0..3 {
            let row = at!(node, a);
            let (ax, ay) = at!(gradient, a);
            for b in 0..3 {
                let wanted = at!(node, b);
                let mut low = at!(offset, row);
                let mut high = at!(offset, row + 1) - 1;
                while low < high {
                    let middle = (low + high) / 2;
                    if at!(column, middle) < wanted {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                let (bx, by) = at!(gradient, b);
                bump!(value, low, area * (ax * bx + ay * by));
            }
        }
    }
}

/// A square of 1024x1024 cells, two triangles each, whose inner corners are moved.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let cells = run.size(1024, 17);
    let side = cells + 1;
    let moved = run.between(-0.3, 0.3, 2 * side * side);
    let point: Vec<Point> = (0..side * side)
        .map(|i| Point {
            x: (i % side) as f64 + f64::from(moved[2 * i]),
            y: (i / side) as f64 + f64::from(moved[2 * i + 1]),
        })
        .collect();
    let mut elements: Vec<[usize; 3]> = (0..cells * cells)
        .flat_map(|i| {
            let first = i / cells * side + i % cells;
            [[first, first + 1, first + side + 1], [first, first + side + 1, first + side]]
        })
        .collect();
    // Meshes are rarely in order.
    for i in (1..elements.len()).rev() {
        let other = i - (run.rng.next_u64() % (i as u64 + 1)).min(500) as usize;
        elements.swap(i, other);
    }
    // A node's neighbours, and itself.
    let (mut offset, mut column) = (vec![0i32], Vec::new());
    for i in 0..side * side {
        let (x, y) = (i % side, i / side);
        for (dx, dy) in [(-1, -1), (0, -1), (-1, 0), (0, 0), (1, 0), (0, 1), (1, 1)] {
            let x = x.checked_add_signed(dx).filter(|x| *x < side);
            let y = y.checked_add_signed(dy).filter(|y| *y < side);
            column.extend(x.zip(y).map(|(x, y)| (y * side + x) as i32));
        }
        offset.push(column.len() as i32);
    }
    let mut want = vec![0.0f64; column.len()];
    for nodes in &elements {
        let p = nodes.map(|node| point[node]);
        // The side opposite of each corner.
        let sides: [[f64; 2]; 3] = std::array::from_fn(|c| {
            let (a, b) = (p[(c + 1) % 3], p[(c + 2) % 3]);
            [b.x - a.x, b.y - a.y]
        });
        let doubled = sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0];
        for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
            let row = offset[nodes[a]] as usize..offset[nodes[a] + 1] as usize;
            let place = row.clone().find(|k| column[*k] as usize == nodes[b]).ok_or("no place")?;
            let product = sides[a][0] * sides[b][0] + sides[a][1] * sides[b][1];
            want[place] += product / (2.0 * doubled);
        }
    }
    let triangles = elements.len();
    let corner: Vec<i32> =
        (0..3 * triangles).map(|i| elements[i % triangles][i / triangles] as i32).collect();
    let value = Output::new(&vec![0.0; want.len()], want)?.within(1e-10);
    let (corner, point) = (DeviceBuffer::from_slice(&corner)?, DeviceBuffer::from_slice(&point)?);
    let (offset, column) = (DeviceBuffer::from_slice(&offset)?, DeviceBuffer::from_slice(&column)?);
    compare!(
        run,
        [&value],
        fem_assemble,
        triangles.div_ceil(128),
        128,
        (triangles as i32, &corner, &point, &offset, &column, &mut *value.buffer())
    )
}
