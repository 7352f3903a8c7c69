//! The macros of Ptyx: `#[kernel]`, `launch!`, `cuda!`.
