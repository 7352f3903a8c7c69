//! DLPack: buffers as tensors and back, and tensors of a library of the test's own.

use half::{bf16, f16};
use num_complex::Complex;
use ptyx::Error;
use ptyx::dlpack::{DataType, Device, Element, ManagedTensor, RawManagedTensor, Tensor};
use ptyx::prelude::*;
use ptyx_test_support::rng;
use std::ffi::c_void;
use std::mem::{offset_of, size_of};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[kernel]
fn halve(mut numbers: Disjoint<f32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] *= 0.5;
    }
}

/// As in `dlpack.h`, on a machine of 64 bits.
#[test]
fn layouts_are_those_of_the_header() {
    assert_eq!((size_of::<Device>(), size_of::<DataType>()), (8, 4));
    let of_tensor = [
        offset_of!(Tensor, data),
        offset_of!(Tensor, device),
        offset_of!(Tensor, dimensions),
        offset_of!(Tensor, data_type),
        offset_of!(Tensor, shape),
        offset_of!(Tensor, strides),
        offset_of!(Tensor, byte_offset),
        size_of::<Tensor>(),
    ];
    assert_eq!(of_tensor, [0, 8, 16, 20, 24, 32, 40, 48]);
    assert_eq!(offset_of!(RawManagedTensor, manager), 48);
    assert_eq!((offset_of!(RawManagedTensor, deleter), size_of::<RawManagedTensor>()), (56, 64));
    let types = [f16::TYPE, bf16::TYPE, bool::TYPE, i8::TYPE, <Complex<f64>>::TYPE];
    let types = types.map(|DataType { code, bits, lanes }| (code, bits, lanes));
    assert_eq!(types, [(2, 16, 1), (4, 16, 1), (6, 8, 1), (0, 8, 1), (5, 128, 1)]);
}

#[test]
fn a_buffer_goes_out_and_comes_back() {
    let mut rng = rng();
    let host = rng.vec(60, |rng| rng.next_f32());
    let (stream, other) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut buffer = DeviceBuffer::from_slice(&host).unwrap();
    let address = buffer.device_address();
    other.sleep(Duration::from_micros(200)).unwrap();
    launch!(halve<<<1, 64, 0, &other>>>(&mut buffer)).unwrap();
    let tensor = buffer.into_dlpack_on(&[3, 4, 5], &stream).unwrap();
    assert_eq!((tensor.shape(), tensor.strides()), (&[3, 4, 5][..], Some(&[20, 5, 1][..])));
    let Tensor { data, device, data_type, byte_offset, dimensions, .. } = *tensor.tensor();
    assert_eq!((data.addr() as u64, byte_offset, dimensions), (address, 0, 3));
    let is_emulated = ptyx::Device::current().unwrap().is_emulated();
    let kind = if is_emulated { Device::EXTENSION } else { Device::CUDA };
    assert_eq!((device, data_type), (Device { kind, index: 0 }, f32::TYPE));
    // SAFETY: it is ready in the stream's order.
    let (mut back, shape) =
        unsafe { DeviceBuffer::<f32>::from_dlpack_on(tensor, &stream).unwrap() };
    assert_eq!((&shape[..], back.device_address()), (&[3, 4, 5][..], address));
    launch!(halve<<<1, 64>>>(&mut back)).unwrap();
    let expected: Vec<f32> = host.iter().map(|number| number * 0.25).collect();
    assert_eq!(back.to_vec().unwrap(), expected);
    // And again, as an empty shape.
    let one = DeviceBuffer::filled(1, true).unwrap().into_dlpack_on(&[], &stream).unwrap();
    assert_eq!((one.shape().len(), one.strides()), (0, Some(&[][..])));
    // SAFETY: as above.
    let (one, shape) = unsafe { DeviceBuffer::<bool>::from_dlpack_on(one, &stream).unwrap() };
    assert_eq!((one.to_vec().unwrap(), shape), (vec![true], vec![]));
}

#[test]
fn a_shape_must_fit() {
    let stream = Stream::new().unwrap();
    for shape in [&[5, 2][..], &[], &[usize::MAX, 2], &[0]] {
        let buffer = DeviceBuffer::<u8>::zeroed(12).unwrap();
        let error = buffer.into_dlpack_on(shape, &stream).unwrap_err();
        assert!(matches!(error, Error::Shape { len: 12, .. }), "{error}");
    }
    let empty = DeviceBuffer::<u8>::zeroed(0).unwrap().into_dlpack_on(&[3, 0], &stream).unwrap();
    // SAFETY: there is nothing.
    let (empty, shape) = unsafe { DeviceBuffer::<u8>::from_dlpack_on(empty, &stream).unwrap() };
    assert_eq!((empty.len(), shape), (0, vec![3, 0]));
}

/// A tensor as a library makes it.
struct Theirs {
    raw: RawManagedTensor,
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    _memory: DeviceBuffer<u32>,
    deleted: Arc<AtomicU32>,
}

unsafe extern "C" fn delete(raw: *mut RawManagedTensor) {
    // SAFETY: `theirs` made it.
    let theirs = unsafe { Box::from_raw((*raw).manager.cast::<Theirs>()) };
    theirs.deleted.fetch_add(1, Ordering::SeqCst);
}

/// A tensor whose memory is `0..24`, changed by `change`.
fn theirs(
    shape: &[i64],
    strides: Option<&[i64]>,
    change: impl FnOnce(&mut Tensor),
) -> (ManagedTensor, Arc<AtomicU32>) {
    let memory = DeviceBuffer::from_slice(&(0..24).collect::<Vec<u32>>()).unwrap();
    let is_emulated = ptyx::Device::current().unwrap().is_emulated();
    let kind = if is_emulated { Device::EXTENSION } else { Device::CUDA };
    let tensor = Tensor {
        data: memory.device_address() as *mut c_void,
        device: Device { kind, index: 0 },
        dimensions: shape.len() as i32,
        data_type: u32::TYPE,
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };
    let raw = RawManagedTensor { tensor, manager: std::ptr::null_mut(), deleter: Some(delete) };
    let deleted = Arc::new(AtomicU32::new(0));
    let (shape, strides) = (shape.to_vec(), strides.map(<[i64]>::to_vec));
    let theirs = Theirs { raw, shape, strides, _memory: memory, deleted: deleted.clone() };
    let made = Box::into_raw(Box::new(theirs));
    // SAFETY: nobody else has it; the tensor is deleted once.
    let tensor = unsafe {
        (*made).raw.manager = made.cast();
        (*made).raw.tensor.shape = (*made).shape.as_mut_ptr();
        if let Some(strides) = &mut (*made).strides {
            (*made).raw.tensor.strides = strides.as_mut_ptr();
        }
        change(&mut (*made).raw.tensor);
        ManagedTensor::from_raw(&raw mut (*made).raw).unwrap()
    };
    (tensor, deleted)
}

/// Imports it as a buffer of `u32`.
fn import(tensor: ManagedTensor) -> ptyx::Result<(Vec<u32>, Vec<usize>)> {
    let stream = Stream::new()?;
    // SAFETY: the memory is initialised and used by nobody else.
    let (buffer, shape) = unsafe { DeviceBuffer::<u32>::from_dlpack_on(tensor, &stream)? };
    Ok((buffer.to_vec()?, shape))
}

#[test]
fn tensors_of_others_are_buffers() {
    let all: Vec<u32> = (0..24).collect();
    let check = |(tensor, deleted): (ManagedTensor, Arc<AtomicU32>), expected: &[u32]| {
        let shape: Vec<usize> = tensor.shape().iter().map(|&extent| extent as usize).collect();
        assert_eq!(import(tensor).unwrap(), (expected.to_vec(), shape));
        assert_eq!(deleted.load(Ordering::SeqCst), 1);
    };
    check(theirs(&[24], None, |_| {}), &all);
    check(theirs(&[2, 3, 4], Some(&[12, 4, 1]), |_| {}), &all);
    // What is never a step can be anything.
    check(theirs(&[1, 24, 1], Some(&[-7, 1, 99]), |_| {}), &all);
    check(theirs(&[4, 0], Some(&[5, 6]), |_| {}), &[]);
    check(theirs(&[], None, |_| {}), &[0]);
    check(theirs(&[2, 2], None, |tensor| tensor.byte_offset = 80), &all[20..]);
}

#[test]
fn tensors_that_cannot_be_buffers_are_refused_and_deleted() {
    let check = |(tensor, deleted): (ManagedTensor, Arc<AtomicU32>), part: &str| {
        let error = import(tensor).unwrap_err();
        assert!(error.to_string().contains(part), "no `{part}` in {error}");
        assert_eq!(deleted.load(Ordering::SeqCst), 1);
    };
    check(theirs(&[4, 6], Some(&[1, 4]), |_| {}), "copy it to one whose last dimension is fastest");
    check(theirs(&[4, 3], Some(&[6, 1]), |_| {}), "without gaps");
    check(theirs(&[4, -1], None, |_| {}), "has the shape [4, -1]");
    check(theirs(&[1 << 40, 1 << 40], None, |_| {}), "do not fit in the address space");
    let is_cpu = |tensor: &mut Tensor| tensor.device.kind = 1;
    check(theirs(&[24], None, is_cpu), "is on Device { kind: 1, index: 0 }");
    check(theirs(&[24], None, |tensor| tensor.device.index = 3), "index: 3 }, but the stream on");
    let is_float = |tensor: &mut Tensor| tensor.data_type = f32::TYPE;
    check(theirs(&[24], None, is_float), "not `u32`");
    check(theirs(&[12], None, |tensor| tensor.data_type.lanes = 2), "lanes: 2 }, not `u32`");
    check(theirs(&[5], None, |tensor| tensor.byte_offset = 2), "is no place for `u32`");
    let no_shape = |tensor: &mut Tensor| tensor.shape = std::ptr::null_mut();
    check(theirs(&[5], None, no_shape), "a tensor of 1 dimensions has no shape");
    check(theirs(&[5], None, |tensor| tensor.dimensions = -1), "of -1 dimensions");
}

/// A tensor is deleted on whatever thread, after the work of its stream.
#[test]
fn a_tensor_is_freed_in_the_order_of_its_stream() {
    for _ in 0..20 {
        let stream = Stream::new().unwrap();
        let tensor = DeviceBuffer::filled(1000, 3u32).unwrap();
        let address = tensor.device_address();
        let tensor = tensor.into_dlpack_on(&[1000], &stream).unwrap();
        // Their work: a copy, late, of which Ptyx knows nothing as it is of memory that is given away.
        // SAFETY: the tensor's memory, until the tensor is deleted.
        let view = unsafe { DeviceBuffer::<u32>::from_raw_on(address, 1000, &stream, ()).unwrap() };
        let mut copy = DeviceBuffer::<u32>::zeroed_on(1000, &stream).unwrap();
        stream.sleep(Duration::from_micros(300)).unwrap();
        copy.copy_from_buffer_on(&view, &stream).unwrap();
        std::thread::spawn(move || drop(tensor)).join().unwrap();
        // The memory may be used for this, but not before the copy is done.
        let later = DeviceBuffer::filled(1000, 9u32).unwrap();
        assert_eq!(copy.to_vec().unwrap(), [3; 1000]);
        assert_eq!(later.to_vec().unwrap(), [9; 1000]);
        drop(view);
    }
}
