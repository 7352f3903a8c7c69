//! Decompression of pages, each on its own: runs of bytes, and copies of what came before (Ziv, Lempel 1977), in the
//! format of LZ4 without its longer lengths and distances.

use crate::prelude::*;

forms! {
    /// One thread a page of `size` bytes. A sequence is a byte with two lengths, that many bytes, and the distance of
    /// what is copied, or 0.
    #[kernel]
    pub fn lz_decode(
        pages: i32,
        size: i32,
        first: &[i32],
        packed: &[u8],
        mut page: Parts<u8, (by::Thread, by::Whole), 2>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= pages {
            return;
        }
        let mut own = page.part();
        let mut from = at!(first, i);
        let end = at!(first, i + 1);
        let mut to = 0;
        while from < end && to < size {
            let lengths = at!(packed, from) as i32;
            from += 1;
            let mut run = lengths >> 4;
            while run > 0 {
                own!(own, [0, to as Ix as usize]) = at!(packed, from);
                from += 1;
                to += 1;
                run -= 1;
            }
            let distance = at!(packed, from) as i32;
            from += 1;
            if distance == 0 {
                continue;
            }
            for _ in 0..(lengths & 15) + 3 {
                let byte = own!(own, [0, (to - distance) as Ix as usize]);
                own!(own, [0, to as Ix as usize]) = byte;
                to += 1;
            }
        }
    }
}

/// Compresses a page greedily.
fn pack(page: &[u8], packed: &mut Vec<u8>) {
    let mut from = 0;
    while from < page.len() {
        let longest = |at: usize| {
            let of = |distance: usize| {
                let most = (page.len() - at).min(18);
                (0..most).take_while(|k| page[at + k] == page[at + k - distance]).count()
            };
            (1..=at.min(60)).map(|distance| (of(distance), distance)).max().unwrap_or((0, 0))
        };
        let mut run = 0;
        while run < 15 && from + run < page.len() && longest(from + run).0 < 3 {
            run += 1;
        }
        let (length, distance) = match longest(from + run) {
            (length, distance) if from + run < page.len() && length >= 3 => (length - 3, distance),
            _ => (0, 0),
        };
        packed.push((run << 4 | length) as u8);
        packed.extend(&page[from..from + run]);
        packed.push(distance as u8);
        from += run + if distance > 0 { length + 3 } else { 0 };
    }
}

/// 2^17 pages of 1024 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (pages, size) = (run.size(1 << 17, 100), run.size(1024, 200));
    // Numbers of two digits, and some repetitions: 512 different pages.
    let kinds = pages.min(512);
    let mut text: Vec<u8> =
        run.below(7, kinds * size).into_iter().map(|x| [0, 0, 1, 2, 3, 40, 41][x as usize]).collect();
    for page in text.chunks_mut(size) {
        let half = size / 2;
        page.copy_within(half - 50..half, half);
    }
    let mut kind_first = Vec::new();
    let mut kind_packed = Vec::new();
    for page in text.chunks(size) {
        kind_first.push(kind_packed.len());
        pack(page, &mut kind_packed);
    }
    kind_first.push(kind_packed.len());
    let (mut first, mut packed, mut want) = (vec![0i32], Vec::new(), Vec::new());
    for kind in run.below(kinds, pages).into_iter().map(|kind| kind as usize) {
        packed.extend(&kind_packed[kind_first[kind]..kind_first[kind + 1]]);
        first.push(packed.len() as i32);
        want.extend(&text[kind * size..][..size]);
    }
    let page = Output::new(&vec![255; want.len()], want)?;
    let (first, packed) = (DeviceBuffer::from_slice(&first)?, DeviceBuffer::from_slice(&packed)?);
    compare!(
        run,
        [&page],
        lz_decode,
        pages.div_ceil(64),
        64,
        (
            pages as i32,
            size as i32,
            &first,
            &packed,
            page.buffer().view_mut([pages, size]) => page.address()
        )
    )
}
