//! Panics of crates of older editions, whose `panic!` is another macro. Compiled, never run.

pub fn literal() {
    panic!("only text")
}
