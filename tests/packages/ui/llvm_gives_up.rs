// LLVM may end the process over one kernel: it is named, and the others' mistakes are told, too.
// env: PTYX_TEST_GIVE_UP=scratch::given_up
use ptyx::prelude::*;

#[kernel]
fn given_up(n: u32) {
    assert!(n > 0);
}

#[kernel]
fn works(n: u32) {
    assert!(n > 1);
}

#[kernel]
fn sleeps(n: u64) {
    std::thread::sleep(std::time::Duration::from_secs(n));
}

fn main() -> ptyx::Result<()> {
    launch!(given_up<<<1, 8>>>(1))?;
    launch!(works<<<1, 8>>>(2))?;
    launch!(sleeps<<<1, 8>>>(1))
}
