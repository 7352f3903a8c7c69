//! Streams and memory of `cudarc`, on a GPU: it knows no emulated device.

use cudarc::driver::CudaContext;
use ptyx::prelude::*;

#[kernel]
fn scale(mut numbers: Disjoint<f32>, by: f32) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] *= by;
    }
}

#[test]
fn memory_and_streams_of_cudarc() -> Result<(), Box<dyn std::error::Error>> {
    if Device::current()?.is_emulated() {
        return Ok(());
    }
    let theirs = CudaContext::new(Device::current()?.index() as usize)?.new_stream()?;
    let stream = Stream::from_cudarc(&theirs)?;
    assert_eq!(stream.raw(), theirs.cu_stream().cast());
    let numbers: Vec<f32> = (0..100_000).map(|i| i as f32).collect();
    let (mut buffer, same) = DeviceBuffer::from_cudarc(theirs.clone_htod(&numbers)?)?;
    launch!(scale<<<64, 256, 0, &same>>>(&mut buffer, 2.0))?;
    let doubled: Vec<f32> = numbers.iter().map(|number| 2.0 * number).collect();
    assert_eq!(buffer.to_vec()?, doubled);
    let copy = buffer.as_slice().lend_to_cudarc(&theirs, |view| theirs.clone_dtoh(&view))??;
    assert_eq!(copy, doubled);
    // Work of ours on another stream, then of theirs, then of ours again.
    let other = Stream::new()?;
    let mut own = DeviceBuffer::filled(numbers.len(), 1.0f32)?;
    launch!(scale<<<64, 256, 0, &other>>>(&mut own, 3.0))?;
    own.slice_mut(..10)
        .lend_mut_to_cudarc(&theirs, |mut view| theirs.memset_zeros(&mut view))??;
    launch!(scale<<<64, 256, 0, &other>>>(&mut own, 5.0))?;
    let expected: Vec<f32> = (0..numbers.len()).map(|i| if i < 10 { 0.0 } else { 15.0 }).collect();
    assert_eq!(own.to_vec()?, expected);
    Ok(())
}
