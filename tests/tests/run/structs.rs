//! K5: structs and arrays with buffers inside, which a launch converts field by field.

use ptyx::launch::LaunchConfig;
use ptyx::prelude::*;
use ptyx::{DeviceSlice, DeviceView};
use ptyx_tests::rng;

/// Plain data, passed by value inside of the others.
#[derive(Clone, Copy)]
struct Settings {
    factor: u64,
    shift: u8,
}

/// What the kernels take.
struct TableView<'a, T> {
    input: &'a [T],
    output: Disjoint<'a, T>,
    settings: Settings,
    counts: Counts<'a>,
    more: (&'a [u32], u64),
}

struct Counts<'a>(Atomics<'a, u32>, Array<'a, u32, 2>);

/// What the host passes.
#[derive(KernelArg)]
#[kernel_arg(TableView<'a, T>)]
struct Table<'a, T: DeviceCopy = u64>
where
    T: PartialEq,
{
    input: &'a DeviceBuffer<T>,
    pub(crate) output: &'a mut DeviceBuffer<T>,
    settings: Settings,
    counts: HostCounts<'a>,
    more: (DeviceSlice<'a, u32>, u64),
}

#[derive(KernelArg)]
#[kernel_arg(Counts<'a>)]
struct HostCounts<'a>(&'a mut DeviceBuffer<u32>, pub(crate) DeviceView<'a, u32, 2>);

#[kernel]
fn fill(mut table: TableView<'_, u64>) {
    let i = thread::index_1d();
    if let Some(y) = table.output.get_mut(i) {
        let Settings { factor, shift } = table.settings;
        let (more, by) = table.more;
        *y = ((table.input[i.get()] * factor) >> shift) + u64::from(more[i.get()]) * by;
        let Counts(counts, square) = &table.counts;
        counts.first().unwrap().fetch_add(square[[1, 0]]);
    }
}

#[test]
fn structs_convert_field_by_field() {
    let mut rng = rng();
    let x = rng.vec(300, |rng| rng.next_u64() >> 32);
    let more = rng.vec(301, |rng| rng.next_u32());
    let (factor, by) = (rng.next_u64() >> 40, rng.next_u64() >> 40);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let device_more = DeviceBuffer::from_slice(&more).unwrap();
    let square = DeviceBuffer::from_slice(&[1u32, 2, 3, 4]).unwrap();
    let mut y = DeviceBuffer::zeroed(300).unwrap();
    let mut count = DeviceBuffer::zeroed(1).unwrap();
    let table = Table {
        input: &device_x,
        output: &mut y,
        settings: Settings { factor, shift: 3 },
        counts: HostCounts(&mut count, square.view([2, 2])),
        more: (device_more.slice(1..), by),
    };
    launch!(fill<<<3, 128>>>(table)).unwrap();
    let want = x.iter().zip(&more[1..]);
    let want = want.map(|(x, more)| ((x * factor) >> 3) + u64::from(*more) * by);
    assert_eq!(y.to_vec().unwrap(), want.collect::<Vec<_>>());
    assert_eq!(count.to_vec().unwrap(), [900]);
}

/// Two kernels' structs for one of the host's.
struct Read<'a> {
    data: &'a [u32],
}

struct Add<'a> {
    data: Atomics<'a, u32>,
}

#[derive(KernelArg)]
#[kernel_arg(Read<'a>)]
struct Shared<'a> {
    data: &'a DeviceBuffer<u32>,
}

#[derive(KernelArg)]
#[kernel_arg(Add<'a>)]
#[kernel_arg(Write<'a>)]
struct Exclusive<'a> {
    data: &'a mut DeviceBuffer<u32>,
}

struct Write<'a> {
    data: Disjoint<'a, u32>,
}

#[kernel]
fn add(to: Add<'_>, from: Read<'_>) {
    let i = thread::index_1d().get();
    to.data.get(i).unwrap().fetch_add(from.data[i]);
}

#[kernel]
fn double(mut to: Write<'_>) {
    to.data[thread::index_1d()] *= 2;
}

/// What one stream does with a struct's buffers, another one waits for.
#[test]
fn fields_are_ordered_between_streams() {
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut a = DeviceBuffer::from_slice(&[1u32; 64]).unwrap();
    let mut b = DeviceBuffer::from_slice(&[1u32; 64]).unwrap();
    for _ in 0..10 {
        launch!(double<<<1, 64, 0, &first>>>(Exclusive { data: &mut a })).unwrap();
        launch!(add<<<1, 64, 0, &second>>>(Exclusive { data: &mut b }, Shared { data: &a }))
            .unwrap();
    }
    let want = 1 + (1..=10).map(|n| 1 << n).sum::<u32>();
    assert_eq!(b.to_vec().unwrap(), [want; 64]);
}

#[kernel]
fn several(inputs: [&[u32]; 3], [mut a, mut b]: [Write; 2], factors: [u32; 3]) {
    let i = thread::index_1d();
    let products = inputs.iter().zip(factors).map(|(input, factor)| input[i.get()] * factor);
    a.data[i] = products.sum();
    b.data[i] = inputs[i.get() % 3][0];
}

#[test]
fn arrays_of_buffers_and_of_structs() {
    let inputs = [[1u32, 2, 3], [10, 20, 30], [100, 200, 300]];
    let inputs = inputs.map(|input| DeviceBuffer::from_slice(&input).unwrap());
    let [mut a, mut b] = [0; 2].map(|_| DeviceBuffer::zeroed(3).unwrap());
    let outputs = [Exclusive { data: &mut a }, Exclusive { data: &mut b }];
    launch!(several<<<1, 3>>>(inputs.each_ref(), outputs, [1, 2, 3])).unwrap();
    assert_eq!(a.to_vec().unwrap(), [321, 642, 963]);
    assert_eq!(b.to_vec().unwrap(), [1, 10, 100]);
}

/// A prepared kernel takes them, too.
#[test]
fn prepared_with_a_struct() {
    let mut a = DeviceBuffer::from_slice(&[3u32; 8]).unwrap();
    let prepared = ptyx::compile!(double(Exclusive { data: &mut a })).unwrap();
    for times in [6, 12] {
        let args = args!(Exclusive { data: &mut a });
        prepared.launch(LaunchConfig::new().threads(8), args).unwrap();
        assert_eq!(a.to_vec().unwrap(), [times; 8]);
    }
}
