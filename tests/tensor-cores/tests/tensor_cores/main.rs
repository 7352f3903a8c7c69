//! Tensor cores on the device, against products computed on the host.

mod products;
