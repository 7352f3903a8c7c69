//! The probe side of a hash join: keys are looked up in a table with open addressing, slot after slot.

use crate::prelude::*;

/// A slot of the table. Key 0 means that it is free.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Slot {
    key: u32,
    value: u32,
}

/// The last steps of MurmurHash3.
#[inline(always)]
fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x85eb_ca6b);
    x ^= x >> 13;
    x = x.wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

forms! {
    /// A grid-stride loop over keys; `mask` is the number of slots less one. Keys that are not there have value 0.
    #[kernel]
    pub fn hash_probe(keys: i32, mask: u32, table: &[Slot], key: &[u32], mut value: Disjoint<u32>) {
        for own in thread::grid_stride(keys as usize) {
            let wanted = at!(key, own.get());
            let mut place = mix(wanted) & mask;
            let mut found = 0;
            loop {
                let slot = at!(table, place);
                if slot.key == wanted {
                    found = slot.value;
                    break;
                }
                if slot.key == 0 {
                    break;
                }
                place = (place + 1) & mask;
            }
            own!(value, own) = found;
        }
    }
}

/// 2^22 keys, of which about half are there, in 2^24 slots, of which about half are free.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (keys, slots) = (run.size(1 << 22, 1000), run.size(1 << 24, 1 << 10));
    let stored = slots / 2;
    // Keys are an odd number times 1, 2, 3, .., so that they differ; the stored ones are the first.
    let odd = run.rng.next_u64() as u32 | 1;
    let mut table = vec![Slot { key: 0, value: 0 }; slots];
    for i in 1..=stored as u32 {
        let key = i.wrapping_mul(odd);
        let mut place = mix(key) as usize % slots;
        while table[place].key != 0 {
            place = (place + 1) % slots;
        }
        table[place] = Slot { key, value: i };
    }
    let numbers: Vec<u32> = run.below(2 * stored, keys).into_iter().map(|x| x as u32 + 1).collect();
    let key: Vec<u32> = numbers.iter().map(|i| i.wrapping_mul(odd)).collect();
    let want = numbers.into_iter().map(|i| if i as usize <= stored { i } else { 0 }).collect();
    let value = Output::new(&vec![u32::MAX; keys], want)?;
    let (table, key) = (DeviceBuffer::from_slice(&table)?, DeviceBuffer::from_slice(&key)?);
    compare!(
        run,
        [&value],
        hash_probe,
        keys.div_ceil(4 * 256),
        256,
        (keys as i32, slots as u32 - 1, &table, &key, &mut *value.buffer())
    )
}
