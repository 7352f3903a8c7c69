//! Matches strings with a finite automaton, as made from a regular expression: the longest prefix that it accepts.

use crate::prelude::*;

forms! {
    /// One thread per string. A byte has one of 16 classes; `table` has the next state for each of up to 64 states
    /// and each class. State 0 is the end. `accepts` is not 0 for accepting states.
    #[kernel]
    pub fn regex_dfa(
        strings: i32,
        states: i32,
        start: &[i32],
        text: &[u8],
        class: &[u8],
        table: &[u16],
        accepts: &[u8],
        mut length: Disjoint<i32>,
    ) {
        let classes = cells!([u8; 256], 0);
        let next = cells!([u16; 1024], 0);
        let t = thread::x() as i32;
        for k in (t..256).step_by(block::dim_x() as usize) {
            set!(classes, k, at!(class, k));
        }
        for k in (t..states * 16).step_by(block::dim_x() as usize) {
            set!(next, k, at!(table, k));
        }
        block::sync();
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= strings {
            return;
        }
        let first = at!(start, i);
        let end = at!(start, i + 1);
        let mut state = 1i32;
        let mut longest = -1;
        let mut at = first;
        while state != 0 {
            if at!(accepts, state) != 0 {
                longest = at - first;
            }
            if at == end {
                break;
            }
            let class = get!(classes, at!(text, at)) as i32;
            state = get!(next, state * 16 + class) as i32;
            at += 1;
        }
        own!(length, own) = longest;
    }
}

/// 2^20 strings of 40 to 160 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (strings, states) = (run.size(1 << 20, 500), 48);
    let mut start = vec![0i32];
    for length in run.below(121, strings) {
        start.push(start[start.len() - 1] + 40 + length);
    }
    let mut bytes = |below: usize, len: usize| -> Vec<u8> {
        run.below(below, len).into_iter().map(|x| x as u8).collect()
    };
    let text = bytes(256, start[strings] as usize);
    let class = bytes(16, 256);
    // One state in four accepts, and about one step in a hundred leads to the end.
    let accepts: Vec<u8> = bytes(4, states).into_iter().map(|x| u8::from(x == 0)).collect();
    let ends = bytes(100, states * 16);
    let table: Vec<u16> = bytes(states - 1, states * 16)
        .into_iter()
        .zip(ends)
        .map(|(state, ends)| if ends == 0 { 0 } else { u16::from(state) + 1 })
        .collect();
    let mut want = Vec::with_capacity(strings);
    for range in start.windows(2) {
        let text = &text[range[0] as usize..range[1] as usize];
        // The states after each prefix, up to the end.
        let after = text.iter().scan(1usize, |state, byte| {
            *state = table[*state * 16 + usize::from(class[usize::from(*byte)])] as usize;
            (*state != 0).then_some(*state)
        });
        let accepted = std::iter::once(1).chain(after).enumerate();
        let longest = accepted.filter(|(_, state)| accepts[*state] != 0).last();
        want.push(longest.map_or(-1, |(length, _)| length as i32));
    }
    let length = Output::new(&vec![-2; strings], want)?;
    let (start, text) = (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&text)?);
    let (class, table) = (DeviceBuffer::from_slice(&class)?, DeviceBuffer::from_slice(&table)?);
    let accepts = DeviceBuffer::from_slice(&accepts)?;
    compare!(
        run,
        [&length],
        regex_dfa,
        strings.div_ceil(256),
        256,
        (
            strings as i32,
            states as i32,
            &start,
            &text,
            &class,
            &table,
            &accepts,
            &mut *length.buffer()
        )
    )
}
