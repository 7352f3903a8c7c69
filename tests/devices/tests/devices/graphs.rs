//! Graphs of several devices.

use crate::kernels::{THREADS, blocks, mix_on, mixed, step, step_on, stepped};
use crate::peers::are_linked;
use ptyx::prelude::*;
use ptyx::{CudaArray, Error, PitchedBuffer};
use ptyx_device_tests::{on_devices, rng};

/// A graph for each device, which work on buffers that are copied between them: ordered by the buffers alone.
#[test]
fn graphs_of_devices_take_turns() {
    on_devices("graphs::graphs_of_devices_take_turns", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let mut want = vec![3; 2000];
        let mut x = first.with(|| DeviceBuffer::filled(2000, 3u32))?;
        let mut y = second.with(|| DeviceBuffer::<u32>::zeroed(2000))?;
        let on_first = here.capture(|stream| step_on(stream, 3, 1, &mut x))?.instantiate()?;
        let on_second = there.capture(|stream| step_on(stream, 5, 2, &mut y))?.instantiate()?;
        for _ in 0..25 {
            on_first.launch(&here)?;
            y.copy_from_buffer_on(&x, &there)?;
            on_second.launch(&there)?;
            x.copy_from_buffer_on(&y, &here)?;
            stepped(3, 1, &mut want);
            stepped(5, 2, &mut want);
        }
        assert_eq!(x.to_vec()?, want);
        Ok(())
    });
}

/// Graphs copy from another device: each launch sees what was written there before it, and later writes wait for it.
#[test]
fn graphs_copy_from_other_devices() {
    on_devices("graphs::graphs_copy_from_other_devices", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let mut rng = rng();
        let numbers = rng.vec(2000, |rng| rng.next_u32());
        let mut x = first.with(|| DeviceBuffer::from_slice(&numbers))?;
        let mut y = second.with(|| DeviceBuffer::<u32>::zeroed(2000))?;
        let rows = first.with(|| PitchedBuffer::from_slice(&numbers, [40, 50]))?;
        let mut inner = second.with(|| PitchedBuffer::<u32>::zeroed([30, 40]))?;
        let captured = there.capture(|stream| {
            y.copy_from_buffer_on(&x, stream)?;
            inner.view_mut().copy_from_view_on(rows.part([5..35, 6..46])?, stream)?;
            step_on(stream, 5, 2, &mut y)
        })?;
        drop(rows);
        let mut z = second.with(|| DeviceBuffer::<u32>::zeroed(1000))?;
        let mut by_hand = second.with(ptyx::Graph::new)?;
        by_hand.add_node(&[], |stream| {
            z.as_slice_mut().copy_from_buffer_on(x.slice(500..1500), stream)
        })?;
        by_hand.add(&captured, &[])?;
        let (exec, other) = (captured.instantiate()?, by_hand.instantiate()?);
        drop((captured, by_hand));
        let mut want = numbers.clone();
        for round in 0..25 {
            step_on(&here, 3, round, &mut x)?;
            stepped(3, round, &mut want);
            if round % 2 == 0 {
                exec.launch(&there)?
            } else {
                other.launch(&there)?
            }
            if round % 5 == 0 {
                // Overwritten at once.
                let seen = want.clone();
                let new = rng.next_u32();
                x.fill_on(new, &here)?;
                want.fill(new);
                let mut stepped_once = seen.clone();
                stepped(5, 2, &mut stepped_once);
                assert_eq!(y.to_vec()?, stepped_once, "{round}");
                if round % 2 == 1 {
                    assert_eq!(z.to_vec()?, seen[500..1500], "{round}");
                }
            }
        }
        let expected: Vec<u32> =
            (5..35).flat_map(|row| numbers[row * 50 + 6..row * 50 + 46].to_vec()).collect();
        assert_eq!(inner.to_vec()?, expected);
        // The graphs keep the source.
        let last = x.to_vec()?;
        drop(x);
        other.launch(&there)?;
        assert_eq!(z.to_vec()?, last[500..1500]);
        Ok(())
    });
}

/// Kernels of a graph use memory of another device, even after their device has given up its access.
#[test]
fn kernels_of_graphs_use_memory_of_other_devices() {
    on_devices("graphs::kernels_of_graphs_use_memory_of_other_devices", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let mut x = first.with(|| DeviceBuffer::filled(2000, 3u32))?;
        let mut y = second.with(|| DeviceBuffer::filled(2000, 1u32))?;
        let captured = there.capture(|stream| {
            mix_on(stream, 7, &x, &mut y)?;
            step_on(stream, 5, 2, &mut x)
        })?;
        let exec = captured.instantiate()?;
        let (mut of_x, mut of_y) = (vec![3; 2000], vec![1; 2000]);
        for round in 0..25 {
            if round % 10 == 5 {
                second.disable_peer_access(first)?;
                ptyx::MemoryPool::of_device(first)?.set_access(second, false)?;
            }
            step_on(&here, 3, round, &mut x)?;
            stepped(3, round, &mut of_x);
            exec.launch(&there)?;
            mixed(7, &of_x, &mut of_y);
            stepped(5, 2, &mut of_x);
        }
        assert_eq!((x.to_vec()?, y.to_vec()?), (of_x.clone(), of_y.clone()));
        // A node of its own, and the memory that only the graph keeps.
        let mut graph = second.with(ptyx::Graph::new)?;
        graph.add_node(&[], |stream| mix_on(stream, 9, &x, &mut y))?;
        drop(x);
        graph.instantiate()?.launch(&there)?;
        mixed(9, &of_x, &mut of_y);
        assert_eq!(y.to_vec()?, of_y);
        Ok(())
    });
}

/// One thread launches a graph that copies from another device, while another thread writes the source there: no copy mixes
/// two values.
#[test]
fn copies_of_graphs_see_whole_values() {
    on_devices("graphs::copies_of_graphs_see_whole_values", |devices| {
        let [first, second] = [devices[0], devices[1]];
        let mut x = first.with(|| DeviceBuffer::<u32>::zeroed(5000))?;
        let there = second.with(Stream::new)?;
        let mut y = second.with(|| DeviceBuffer::<u32>::zeroed(5000))?;
        let graph = there.capture(|stream| y.copy_from_buffer_on(&x, stream))?;
        let exec = graph.instantiate()?;
        std::thread::scope(|scope| {
            let writes = scope.spawn(|| {
                first.make_current()?;
                let here = Stream::new()?;
                (1..200u32).try_for_each(|round| match round % 3 {
                    0 => x.copy_from_slice(&vec![round; 5000]),
                    _ => x.fill_on(round, &here),
                })
            });
            let launches = scope.spawn(|| {
                (0..200).try_for_each(|_| {
                    exec.launch(&there)?;
                    let found = y.to_vec()?;
                    assert!(found.iter().all(|value| *value == found[0]));
                    Ok::<_, ptyx::Error>(())
                })
            });
            launches.join().unwrap()?;
            writes.join().unwrap()
        })
    });
}

/// One thread launches a graph that changes a buffer, and others launch kernels of another device that change it, too. A
/// graph borrows nothing, so only Ptyx's locks keep them apart. `y = y + 1` in any order.
#[test]
fn a_graph_and_kernels_of_another_device() {
    on_devices("graphs::a_graph_and_kernels_of_another_device", |devices| {
        if !are_linked(devices)? {
            eprintln!("skipped: the devices can't use each other's memory");
            return Ok(());
        }
        let [first, second] = [devices[0], devices[1]];
        let here = first.with(Stream::new)?;
        let mut shared = first.with(|| DeviceBuffer::<u32>::zeroed(20_000))?;
        let exec = here.capture(|stream| step_on(stream, 1, 1, &mut shared))?.instantiate()?;
        let rounds = 200;
        std::thread::scope(|scope| {
            let graph = scope.spawn(|| (0..rounds).try_for_each(|_| exec.launch(&here)));
            let kernels = scope.spawn(|| {
                second.make_current()?;
                let there = Stream::new()?;
                for _ in 0..rounds {
                    step_on(&there, 1, 1, &mut shared)?;
                }
                Ok::<_, ptyx::Error>(())
            });
            graph.join().unwrap()?;
            kernels.join().unwrap()
        })?;
        let wrong = shared.to_vec()?.into_iter().find(|&sum| sum != 2 * rounds);
        assert_eq!(wrong, None, "of {}", 2 * rounds);
        Ok(())
    });
}

/// A graph on each device at once, from a thread each.
#[test]
fn graphs_on_all_devices_at_once() {
    on_devices("graphs::graphs_on_all_devices_at_once", |devices| {
        std::thread::scope(|scope| {
            let run = |device: &Device| {
                device.make_current()?;
                let stream = Stream::new()?;
                let (x, mut y) =
                    (DeviceBuffer::filled(1000, 2u32)?, DeviceBuffer::filled(1000, 1u32)?);
                let graph = stream.capture(|stream| {
                    mix_on(stream, 3, &x, &mut y)?;
                    launch!(step<<<blocks(1000), THREADS, 0, stream>>>(5, 1, &mut y))
                })?;
                let exec = graph.instantiate()?;
                let mut want = vec![1; 1000];
                for _ in 0..100 {
                    exec.launch(&stream)?;
                    mixed(3, &[2; 1000], &mut want);
                    stepped(5, 1, &mut want);
                }
                assert_eq!(y.to_vec()?, want);
                Ok(())
            };
            let threads: Vec<_> =
                devices.iter().map(|device| scope.spawn(move || run(device))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap())
        })
    });
}

/// What a capture can't take is refused before the driver spoils it: waits of another device's stream, copies of CUDA arrays
/// between devices. The capture goes on.
#[test]
fn refused_work_of_other_devices_spoils_no_capture() {
    on_devices("graphs::refused_work_of_other_devices_spoils_no_capture", |devices| {
        let [first, second] = [&devices[0], &devices[1]];
        let (here, there) = (first.with(Stream::new)?, second.with(Stream::new)?);
        let numbers = rng().vec(1000, |rng| rng.next_u32());
        let x = first.with(|| DeviceBuffer::from_slice(&numbers))?;
        let mut y = first.with(|| DeviceBuffer::<u32>::zeroed(1000))?;
        let mut texels = first.with(|| CudaArray::<u32>::zeroed([8, 8]))?;
        let others = second.with(|| CudaArray::<u32>::zeroed([8, 8]))?;
        let fork = first.with(Event::new)?;
        let graph = here.capture(|here| {
            fork.record(here)?;
            let waited = there.wait(&fork);
            let Err(error @ Error::WrongDevice { found: 1, expected: 0, .. }) = waited else {
                panic!("{waited:?}");
            };
            assert!(error.to_string().contains("take part in a capture"), "{error}");
            assert!(!there.is_captured());
            let copied = texels.copy_part_from_array_on([0, 0], &others, [0..8, 0..8], here);
            assert!(matches!(copied, Err(Error::Capture(_))), "{copied:?}");
            y.copy_from_buffer_on(&x, here)
        })?;
        graph.instantiate()?.launch(&here)?;
        assert_eq!(y.to_vec()?, numbers);
        // Both streams are as before.
        texels.copy_part_from_array_on([0, 0], &others, [0..8, 0..8], &here)?;
        there.synchronize()?;
        Ok(())
    });
}
