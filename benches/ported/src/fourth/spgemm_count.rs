//! How many elements each row of a product of sparse matrices has: a block collects its columns in a hash table in
//! shared memory.

use crate::prelude::*;

forms! {
    /// One block of 64 threads per row, whose products fill fewer than 1024 slots of the table.
    #[kernel]
    pub fn spgemm_count(
        a_start: &[i32],
        a_column: &[i32],
        b_start: &[i32],
        b_column: &[i32],
        mut count: Parts<i32, by::BlockLeader>,
    ) {
        let table = shared!([i32; 1024]).atomics(-1);
        let total = shared!([i32; 1]).atomics(0);
        let row = block::x() as i32;
        let t = thread::x() as i32;
        let mut found = 0;
        for k in at!(a_start, row)..at!(a_start, row + 1) {
            let middle = at!(a_column, k);
            let mut e = at!(b_start, middle) + t;
            while e < at!(b_start, middle + 1) {
                let column = at!(b_column, e);
                let mut place = column.wrapping_mul(107) & 1023;
                loop {
                    match atom!(table, place).compare_exchange(-1, column) {
                        Ok(_) => {
                            found += 1;
                            break;
                        }
                        Err(other) if other == column => break,
                        Err(_) => place = (place + 1) & 1023,
                    }
                }
                e += block::dim_x() as i32;
            }
        }
        bump!(total, 0, found);
        block::sync();
        if t == 0 {
            *count.own().unwrap() = value!(total, 0);
        }
    }
}

/// The square of a matrix of 2^16 rows with 8 to 24 elements each.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let rows = run.size(1 << 16, 300);
    let mut matrix = |rows: usize, columns: usize| {
        let mut start = vec![0i32];
        let mut column = Vec::new();
        for length in run.below(17, rows) {
            // Near the diagonal and anywhere, so that some columns occur twice.
            let row = start.len() - 1;
            for (k, far) in run.below(columns, length as usize + 8).into_iter().enumerate() {
                let near = (row + 3 * k) % columns;
                column.push(if k % 2 == 0 { near as i32 } else { far });
            }
            start.push(column.len() as i32);
        }
        (start, column)
    };
    let (a_start, a_column) = matrix(rows, rows);
    let (b_start, b_column) = matrix(rows, rows);
    let mut want = Vec::with_capacity(rows);
    for row in a_start.windows(2) {
        let mut columns = Vec::new();
        for middle in &a_column[row[0] as usize..row[1] as usize] {
            let middle = *middle as usize;
            let range = b_start[middle] as usize..b_start[middle + 1] as usize;
            columns.extend_from_slice(&b_column[range]);
        }
        columns.sort_unstable();
        columns.dedup();
        want.push(columns.len() as i32);
    }
    let count = Output::new(&vec![-1; rows], want)?;
    let (a_start, a_column) =
        (DeviceBuffer::from_slice(&a_start)?, DeviceBuffer::from_slice(&a_column)?);
    let (b_start, b_column) =
        (DeviceBuffer::from_slice(&b_start)?, DeviceBuffer::from_slice(&b_column)?);
    compare!(
        run,
        [&count],
        spgemm_count,
        rows,
        64,
        (&a_start, &a_column, &b_start, &b_column, &mut *count.buffer())
    )
}
