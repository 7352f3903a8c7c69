//! D11: arrays of several dimensions.

use ptyx::prelude::*;
use ptyx_tests::rng;

#[kernel]
fn transpose(x: Array<u32, 2>, mut y: DisjointArray<u32, 2>) {
    let i = thread::index_2d();
    if let Some(y) = y.get_mut(i) {
        *y = x[[i.x(), i.y()]];
    }
}

#[test]
fn two_dimensions() {
    let mut rng = rng();
    let (h, w) = (1 + rng.below(90), 1 + rng.below(90));
    let x = rng.vec(h * w, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(h * w).unwrap();
    let blocks = (h.div_ceil(8), w.div_ceil(8));
    let (from, to) = (device_x.view([h, w]), y.view_mut([w, h]));
    launch!(transpose<<<blocks, (8, 8)>>>(from, to)).unwrap();
    let want: Vec<u32> = (0..h * w).map(|i| x[i % h * w + i / h]).collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// A mean over the neighbours of each inner cell; the outer ones keep their values.
#[kernel]
fn stencil(x: Array<f32, 3>, mut y: DisjointArray<f32, 3>) {
    let i = thread::index_3d();
    let [d, h, w] = x.shape();
    if let Some(y) = y.get_mut(i) {
        let [z, r, c] = i.get();
        let inner = z > 0 && r > 0 && c > 0 && z + 1 < d && r + 1 < h && c + 1 < w;
        *y = if inner {
            (x[[z - 1, r, c]]
                + x[[z + 1, r, c]]
                + x[[z, r - 1, c]]
                + x[[z, r + 1, c]]
                + x[[z, r, c - 1]]
                + x[[z, r, c + 1]])
                / 6.0
        } else {
            x[[z, r, c]]
        };
    }
}

#[test]
fn three_dimensions() {
    let mut rng = rng();
    let [d, h, w] = [3 + rng.below(6), 3 + rng.below(12), 3 + rng.below(20)];
    let x = rng.vec(d * h * w, |rng| rng.next_f32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(x.len(), f32::NAN).unwrap();
    let blocks = (w.div_ceil(8), h.div_ceil(4), d.div_ceil(2));
    launch!(stencil<<<blocks, (8, 4, 2)>>>(device_x.view([d, h, w]), y.view_mut([d, h, w])))
        .unwrap();
    let at = |z: usize, r: usize, c: usize| x[(z * h + r) * w + c];
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let (z, r, c) = (i / w / h, i / w % h, i % w);
        let inner = z > 0 && r > 0 && c > 0 && z + 1 < d && r + 1 < h && c + 1 < w;
        let want = if inner {
            (at(z - 1, r, c)
                + at(z + 1, r, c)
                + at(z, r - 1, c)
                + at(z, r + 1, c)
                + at(z, r, c - 1)
                + at(z, r, c + 1))
                / 6.0
        } else {
            at(z, r, c)
        };
        assert!((got - want).abs() <= 1e-6, "{z} {r} {c}: {got} {want}");
    }
}

#[test]
fn shapes_must_fit() {
    let x = DeviceBuffer::from_slice(&[0u32; 12]).unwrap();
    let mut y = DeviceBuffer::zeroed(12).unwrap();
    let error = launch!(transpose<<<1, (4, 3)>>>(x.view([3, 5]), y.view_mut([4, 3]))).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("[3, 5]") && error.contains("12"), "{error}");
}
