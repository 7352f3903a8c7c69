//! Copies between devices.

use ptyx::prelude::*;
use ptyx::{CudaArray, Error, PinnedBuffer, PitchedBuffer};
use ptyx_memory_tests::{alone_with, rng};

/// Copies to and fro between two devices, on streams of both.
fn to_and_fro() -> ptyx::Result<()> {
    let mut rng = rng();
    let [first, second] = [Device::get(0)?, Device::get(1)?];
    let [here, there] = [first.with(Stream::new)?, second.with(Stream::new)?];
    for _ in 0..20 {
        let len = 1 + rng.below(1000);
        let numbers = rng.vec(len, |rng| rng.next_u32());
        let mut source = first.with(|| DeviceBuffer::from_slice(&numbers))?;
        let mut copy = second.with(|| DeviceBuffer::<u32>::zeroed(len))?;
        let mut back = first.with(|| DeviceBuffer::<u32>::zeroed(len))?;
        copy.copy_from_buffer_on(&source, &there)?;
        back.copy_from_buffer_on(&copy, &here)?;
        // After the copies have read them.
        source.fill_on(0, &here)?;
        copy.fill_on(1, &there)?;
        drop((source, copy));
        assert_eq!(back.to_vec()?, numbers);

        let (rows, columns) = (2 + rng.below(9), 2 + rng.below(9));
        let numbers = rng.vec(rows * columns, |rng| rng.next_u32() as u8);
        let source = first.with(|| PitchedBuffer::from_slice(&numbers, [rows, columns]))?;
        let mut copy = second.with(|| PitchedBuffer::<u8>::zeroed([rows - 1, columns - 1]))?;
        copy.view_mut().copy_from_view_on(source.part([1..rows, 1..columns])?, &there)?;
        drop(source);
        let lines = numbers.chunks(columns).skip(1);
        let inner: Vec<u8> = lines.flat_map(|row| row[1..].to_vec()).collect();
        assert_eq!(copy.to_vec()?, inner);

        // Arrays, to and fro; the source is overwritten and freed after the copies have read it.
        let mut source = first.with(|| CudaArray::<u8>::from_slice(&numbers, [rows, columns]))?;
        let mut copy = second.with(|| CudaArray::<u8>::zeroed([rows, columns]))?;
        let mut back = first.with(|| CudaArray::<u8>::zeroed([rows - 1, columns - 1]))?;
        copy.copy_part_from_array_on([0, 0], &source, [0..rows, 0..columns], &there)?;
        let zeros = first.with(|| PinnedBuffer::<u8>::zeroed(rows * columns))?;
        source.copy_part_from_pinned_on([0, 0], zeros.view([rows, columns])?, &here)?;
        back.copy_part_from_array_on([0, 0], &copy, [1..rows, 1..columns], &here)?;
        let wrong = copy.copy_part_from_array_on([0, 0], &source, [0..1, 0..1], &here);
        assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
        drop(copy);
        assert_eq!(back.to_vec()?, inner);
        assert!(source.to_vec()?.iter().all(|&number| number == 0));
    }
    let source = first.with(|| DeviceBuffer::filled(4, 1u32))?;
    let mut copy = second.with(|| DeviceBuffer::<u32>::zeroed(4))?;
    let wrong = copy.copy_from_buffer_on(&source, &here);
    assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
    Ok(())
}

#[test]
fn copies_between_devices() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("devices::copies_between_devices", &variables, || to_and_fro().unwrap());
}

#[test]
fn copies_between_devices_that_run_late() {
    let variables =
        [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2"), ("PTYX_EMULATOR_ASYNC", "1")];
    alone_with("devices::copies_between_devices_that_run_late", &variables, || {
        to_and_fro().unwrap();
    });
}

/// Each random program of the other tests, with work that runs late.
#[test]
fn boxes_that_are_copied_late() {
    let variables = [("PTYX_EMULATOR_ASYNC", "1")];
    let program = std::env::current_exe().unwrap();
    for name in [
        "arrays::boxes_of_arrays_of_all_dimensions",
        "pitched::random_copies_of_boxes",
        "kernels::kernels_and_copies_on_several_streams",
        "pinned::the_host_and_kernels_take_turns",
        "pinned::scopes_end_when_nothing_uses_the_slice",
        "pinned::raw_pointers_to_pinned_memory",
        "managed::the_host_and_kernels_take_turns",
        "managed::raw_pointers_to_managed_memory",
        "managed::attached_to_one_stream_or_the_host",
        "growable::a_buffer_grows_and_shrinks_like_a_vector",
        "processes::another_process_uses_memory_and_an_event",
        "processes::another_process_uses_memory_of_a_pool",
    ] {
        let output = std::process::Command::new(&program)
            .args(["--exact", name, "--nocapture"])
            .envs(variables)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}
