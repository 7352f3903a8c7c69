//! Checksums of records by table lookups (CRC-32, byte by byte).

use crate::prelude::*;

forms! {
    /// One thread a record of `length` bytes.
    #[kernel]
    pub fn crc32(records: i32, length: i32, table: &[u32], data: &[u8], mut sums: Disjoint<u32>) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= records {
            return;
        }
        let mut sum = 0xffff_ffffu32;
        for k in 0..length {
            let byte = at!(data, i * length + k) as u32;
            sum = at!(table, (sum ^ byte) & 0xff) ^ (sum >> 8);
        }
        own!(sums, own) = !sum;
    }
}

/// 2^18 records of 256 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, length) = (run.size(1 << 18, 400), run.size(256, 37));
    let data: Vec<u8> = run.below(256, n * length).into_iter().map(|x| x as u8).collect();
    let step = |sum: u32| (sum >> 1) ^ (0xedb8_8320 * (sum & 1));
    let table: Vec<u32> = (0..256).map(|byte| (0..8).fold(byte, |sum, _| step(sum))).collect();
    let want = data.chunks(length).map(|record| {
        // Bit by bit, without the table.
        !record
            .iter()
            .fold(!0u32, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
    });
    let sums = Output::new(&vec![0; n], want.collect())?;
    let (table, data) = (DeviceBuffer::from_slice(&table)?, DeviceBuffer::from_slice(&data)?);
    compare!(
        run,
        [&sums],
        crc32,
        n.div_ceil(256),
        256,
        (n as i32, length as i32, &table, &data, &mut *sums.buffer())
    )
}
