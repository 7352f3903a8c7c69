//! `async` blocks as state machines, polled by hand.

use crate::harness::{edgy, same};
use core::cell::Cell;
use core::future::{Future, poll_fn, ready};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

/// Pending so many times before it gives its value.
struct After(u32, u64);

impl Future for After {
    type Output = u64;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u64> {
        match self.0.checked_sub(1) {
            None => Poll::Ready(self.1),
            Some(rest) => {
                self.0 = rest;
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

/// Polls to the end; the value, and how often it was pending.
fn block_on<F: Future>(future: F) -> (F::Output, u64) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for pending in 0.. {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return (value, pending);
        }
    }
    unreachable!("the loop above has no end")
}

async fn product(a: u64, b: u64) -> u64 {
    let table = [a, b, a ^ b];
    let mut sum = 0u64;
    for x in table {
        // The table is kept across each wait.
        sum = sum.wrapping_add(After((x % 3) as u32, x).await).rotate_left(3);
    }
    sum ^ table[2]
}

async fn checked(a: u64, b: u64) -> Result<u64, u64> {
    let small = After(1, a).await.checked_sub(b).ok_or(b)?;
    Ok(product(small, ready(b).await).await)
}

fn futures(&[a, b]: &[u64; 2]) -> [u64; 7] {
    let (first, waits) = block_on(product(a, b));
    let (second, more) = block_on(checked(a, b));
    let log = Cell::new(0u64);
    let both = async {
        let add = async |x: u64| log.set(log.get().wrapping_mul(5) ^ After(2, x).await);
        add(a).await;
        add(b).await;
        let mut left = 3;
        poll_fn(|_| {
            left -= 1;
            if left == 0 { Poll::Ready(left) } else { Poll::Pending }
        })
        .await
    };
    let (third, waited) = block_on(both);
    [first, waits, second.unwrap_or_else(|e| !e), more, log.get(), third, waited]
}

#[test]
fn asynchronous_functions() {
    same(futures, |rng| [edgy(rng), edgy(rng)]);
}
