//! How often each word of nine letters occurs in reads of DNA: a thread rolls along a read, two bits a letter, and adds
//! to a table of all words.

use crate::prelude::*;

/// The codes of A, C, G and T by the low bits of the letter, for which they differ; N has none.
const CODE: [i32; 8] = [-1, 0, -1, 1, 3, -1, -1, 2];

forms! {
    /// One thread a read. A word and its reverse complement are the same; the smaller number counts.
    #[kernel]
    pub fn kmer_count(reads: i32, start: &[i32], letters: &[u8], count: Atomics<u32>) {
        let read = (block::x() * block::dim_x() + thread::x()) as i32;
        if read >= reads {
            return;
        }
        let mask = (1 << 18) - 1;
        let (mut word, mut reverse, mut known) = (0, 0, 0);
        for i in at!(start, read)..at!(start, read + 1) {
            let code = at!(CODE, at!(letters, i) & 7);
            if code < 0 {
                known = 0;
                continue;
            }
            word = (word << 2 | code) & mask;
            reverse = reverse >> 2 | (3 - code) << 16;
            known += 1;
            if known >= 9 {
                bump!(count, word.min(reverse), 1);
            }
        }
    }
}

/// 2^19 reads of 80 to 150 letters.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let reads = run.size(1 << 19, 300);
    let mut start = vec![0i32];
    for length in run.below(71, reads) {
        start.push(start[start.len() - 1] + 80 + length);
    }
    let len = start[reads] as usize;
    let letters: Vec<u8> = run
        .below(200, len)
        .into_iter()
        .map(|x| if x == 0 { b'N' } else { b"ACGT"[x as usize % 4] })
        .collect();
    let mut want = vec![0u32; 1 << 18];
    let digit = |letter: &u8| b"ACGT".iter().position(|x| x == letter);
    for read in start.windows(2) {
        for word in letters[read[0] as usize..read[1] as usize].windows(9) {
            // From the front and from the back, and the weight of the next letter there.
            let numbers =
                word.iter().try_fold((0, 0, 1), |(forwards, backwards, weight), letter| {
                    let digit = digit(letter)?;
                    Some((4 * forwards + digit, backwards + weight * (3 - digit), 4 * weight))
                });
            if let Some((forwards, backwards, _)) = numbers {
                want[forwards.min(backwards)] += 1;
            }
        }
    }
    let count = Output::new(&vec![0; want.len()], want)?;
    let (start, letters) = (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&letters)?);
    compare!(
        run,
        [&count],
        kmer_count,
        reads.div_ceil(128),
        128,
        (reads as i32, &start, &letters, &mut *count.buffer())
    )
}
