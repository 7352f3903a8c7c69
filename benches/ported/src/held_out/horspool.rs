//! How often a word occurs in parts of a text, by Horspool's algorithm (1980): a table in shared memory says how far
//! the word may move on.

use crate::prelude::*;

forms! {
    /// One thread `length` places of the text. A word of at most 64 letters may reach into the next part.
    #[kernel]
    pub fn horspool(
        text_length: i32,
        word_length: i32,
        length: i32,
        text: &[u8],
        word: &[u8],
        shift: &[i32],
        mut count: Disjoint<i32>,
    ) {
        let shifts = cells!([i32; 256], 0);
        let letters = cells!([i32; 64], 0);
        let own = thread::index_1d();
        let i = own.get() as i32;
        let t = thread::x() as i32;
        for k in (t..256).step_by(block::dim_x() as usize) {
            set!(shifts, k, at!(shift, k));
        }
        if t < word_length {
            set!(letters, t, at!(word, t) as i32);
        }
        block::sync();
        let mut place = i * length;
        if place >= text_length {
            return;
        }
        let end = (place + length).min(text_length - word_length + 1);
        let mut found = 0;
        while place < end {
            let mut k = word_length - 1;
            while k >= 0 && at!(text, place + k) as i32 == get!(letters, k) {
                k -= 1;
            }
            if k < 0 {
                found += 1;
            }
            let last = at!(text, place + word_length - 1);
            place += get!(shifts, last);
        }
        own!(count, own) = found;
    }
}

/// 2^27 letters in parts of 256, a word of eight letters.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, m, length) = (run.size((1 << 27) - 100, 20_000), run.size(8, 3), run.size(256, 50));
    let letters = |x: Vec<i32>| x.into_iter().map(|x| b'a' + x as u8).collect::<Vec<u8>>();
    let (text, word) = (letters(run.below(4, n)), letters(run.below(4, m)));
    let mut shift = vec![m as i32; 256];
    for (k, letter) in word[..m - 1].iter().enumerate() {
        shift[usize::from(*letter)] = (m - 1 - k) as i32;
    }
    let parts = n.div_ceil(length);
    let mut want = vec![0i32; parts];
    for (place, _) in text.windows(m).enumerate().filter(|(_, window)| *window == word) {
        want[place / length] += 1;
    }
    let count = Output::new(&vec![-1; parts], want)?;
    let (text, word) = (DeviceBuffer::from_slice(&text)?, DeviceBuffer::from_slice(&word)?);
    let shift = DeviceBuffer::from_slice(&shift)?;
    compare!(
        run,
        [&count],
        horspool,
        parts.div_ceil(128),
        128,
        (n as i32, m as i32, length as i32, &text, &word, &shift, &mut *count.buffer())
    )
}
