//! Empty: only this package's dependencies count (`Cargo.toml`).
