//! The unit tests of `src/quality/`: in the library, they would be a second program with all its kernels.

#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../src/quality/mod.rs"]
mod quality;

use ptyx_benches::Error;
