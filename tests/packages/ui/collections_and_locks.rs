// std's maps, locks and channels.
use ptyx::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, mpsc};

static TOTAL: Mutex<u32> = Mutex::new(0);
static FIRST: OnceLock<u32> = OnceLock::new();

#[kernel]
fn counts(words: &[u32], mut y: Disjoint<u32>) {
    let mut seen = HashMap::new();
    for word in words {
        *seen.entry(*word).or_insert(0) += 1;
    }
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = seen.len() as u32;
    }
}

#[kernel]
fn adds(n: u32) {
    *TOTAL.lock().unwrap() += n;
}

#[kernel]
fn once(n: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = *FIRST.get_or_init(|| n);
    }
}

#[kernel]
fn sends(n: u32) {
    let (sender, receiver) = mpsc::channel();
    sender.send(n).unwrap();
    assert_eq!(receiver.recv(), Ok(n));
}

fn main() -> ptyx::Result<()> {
    let words = DeviceBuffer::from_slice(&[1u32, 2, 1])?;
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    launch!(counts<<<1, 8>>>(&words, &mut y))?;
    launch!(adds<<<1, 8>>>(1))?;
    launch!(once<<<1, 8>>>(1, &mut y))?;
    launch!(sends<<<1, 8>>>(1))
}
