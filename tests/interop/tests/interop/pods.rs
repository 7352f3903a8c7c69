//! Plain types of other crates, by `bytemuck` and `half`.

use bytemuck::{Pod, TransparentWrapper, Zeroable};
use half::{bf16, f16};
use ptyx::device;
use ptyx::prelude::*;
use ptyx_test_support::{Rng, rng};

/// As other crates have them: without `DeviceCopy`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Vertex {
    position: [f32; 3],
    color: [u8; 4],
}

#[kernel]
fn raise(mut vertices: Disjoint<device::Pod<Vertex>>, by: f32) {
    for i in thread::grid_stride(vertices.len()) {
        vertices[i].0.position[2] += by;
        vertices[i].0.color[3] ^= 0xff;
    }
}

#[kernel]
fn add<T: Num>(x: &[T], mut y: Disjoint<T>, twice: T) {
    for i in thread::grid_stride(y.len()) {
        y[i] = x[i.get()] + y[i] * twice;
    }
}

fn vertices(rng: &mut Rng, count: usize) -> Vec<Vertex> {
    let vertex = |_| {
        let mut number = || (rng.below(2000) as f32 - 1000.0) / 8.0;
        let position = [number(), number(), number()];
        Vertex { position, color: (rng.next_u64() as u32).to_le_bytes() }
    };
    (0..count).map(vertex).collect()
}

#[test]
fn kernels_use_plain_types_of_others() {
    let mut rng = rng();
    let host = vertices(&mut rng, 100);
    let mut buffer = DeviceBuffer::from_pods(&host).unwrap();
    launch!(raise<<<2, 32>>>(&mut buffer, 0.5)).unwrap();
    let expected: Vec<Vertex> = host
        .iter()
        .map(|vertex| {
            let ([x, y, z], [r, g, b, a]) = (vertex.position, vertex.color);
            Vertex { position: [x, y, z + 0.5], color: [r, g, b, 255 - a] }
        })
        .collect();
    assert_eq!(buffer.to_pods().unwrap(), expected);
    buffer.copy_from_pods(&host).unwrap();
    assert_eq!(device::Pod::peel_slice(&buffer.slice(3..5).to_vec().unwrap()), &host[3..5]);
    let error = buffer.copy_from_pods(&host[1..]).unwrap_err();
    assert!(matches!(error, ptyx::Error::Length { expected: 100, found: 99, .. }), "{error}");
}

#[test]
fn buffers_are_cast() {
    let mut rng = rng();
    let host = vertices(&mut rng, 10);
    let mut buffer = DeviceBuffer::from_pods(&host).unwrap();
    let bytes = buffer.reinterpret::<u8>().unwrap().to_vec().unwrap();
    assert_eq!(bytes, bytemuck::cast_slice::<Vertex, u8>(&host));
    // And back, from bytes that somebody else wrote.
    let raw = DeviceBuffer::from_slice(&bytes).unwrap();
    let cast = raw.reinterpret::<device::Pod<Vertex>>().unwrap();
    assert_eq!(device::Pod::peel_slice(&cast.slice(1..).to_vec().unwrap()), &host[1..]);
    let error = raw.slice(1..).reinterpret::<device::Pod<Vertex>>().unwrap_err();
    assert!(matches!(error, ptyx::Error::Reinterpret { bytes: 159, size: 16, .. }), "{error}");
    let error = raw.slice(2..18).reinterpret::<device::Pod<Vertex>>().unwrap_err();
    assert!(matches!(error, ptyx::Error::Reinterpret { start: 2, align: 4, .. }), "{error}");
    buffer.reinterpret_mut::<u32>().unwrap().fill(0).unwrap();
    assert_eq!(buffer.to_pods().unwrap(), [Vertex::zeroed(); 10]);
}

#[test]
fn half_floats_are_elements_and_arguments() {
    fn check<T: Num + DeviceCopy + PartialEq + std::fmt::Debug>(of: impl Fn(f32) -> T) {
        let mut rng = rng();
        // Small whole numbers: exact in both types.
        let mut numbers = || -> Vec<f32> { (0..50).map(|_| rng.below(16) as f32).collect() };
        let (x, y) = (numbers(), numbers());
        let to = |numbers: &[f32]| numbers.iter().map(|&number| of(number)).collect::<Vec<T>>();
        let device_x = DeviceBuffer::from_slice(&to(&x)).unwrap();
        let mut device_y = DeviceBuffer::from_slice(&to(&y)).unwrap();
        launch!(add<<<1, 64>>>(&device_x, &mut device_y, of(2.0))).unwrap();
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + 2.0 * y).collect();
        assert_eq!(device_y.to_vec().unwrap(), to(&expected));
    }
    check(f16::from_f32);
    check(bf16::from_f32);
    // And as bits.
    let buffer = DeviceBuffer::from_slice(&[f16::ONE, f16::NEG_INFINITY]).unwrap();
    assert_eq!(buffer.reinterpret::<u16>().unwrap().to_vec().unwrap(), [0x3c00, 0xfc00]);
}
