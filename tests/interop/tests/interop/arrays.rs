//! Arrays of `ndarray`.

use ndarray::{Array1, Array2, Array3, Axis, array, s};
use ptyx::Error;
use ptyx::prelude::*;
use ptyx_test_support::rng;

#[kernel]
fn transpose(from: Array<f32, 2>, mut to: DisjointArray<f32, 2>) {
    let place = thread::index_2d();
    let (row, column) = (place.y() as usize, place.x() as usize);
    if let Some(element) = to.get_mut(place) {
        *element = from[[column, row]];
    }
}

#[test]
fn an_array_goes_to_a_kernel_and_back() {
    let mut rng = rng();
    let matrix = Array2::from_shape_fn((20, 33), |_| rng.below(1000) as f32);
    let from = DeviceBuffer::from_array(&matrix).unwrap();
    let mut to = DeviceBuffer::<f32>::zeroed(matrix.len()).unwrap();
    launch!(transpose<<<(2, 3), (16, 16)>>>(from.view([20, 33]), to.view_mut([33, 20]))).unwrap();
    assert_eq!(to.view([33, 20]).to_array().unwrap(), matrix.t());
    assert_eq!(from.view([20, 33]).to_array().unwrap(), matrix);
}

#[test]
fn elements_are_in_the_order_of_the_indices() {
    let mut rng = rng();
    let array = Array3::from_shape_fn((3, 4, 5), |_| rng.next_u64());
    let mut reversed = array.clone();
    reversed.invert_axis(Axis(1));
    let part = array.slice(s![.., ..;2, 1..4]);
    // In its own order, in another, with gaps, backwards.
    let buffer = |array: &ndarray::ArrayView3<'_, u64>| DeviceBuffer::from_array(array).unwrap();
    for view in [array.view(), array.view().permuted_axes([2, 0, 1]), part, reversed.view()] {
        let (a, b, c) = view.dim();
        let buffer = buffer(&view);
        assert_eq!(buffer.to_vec().unwrap(), view.iter().copied().collect::<Vec<_>>());
        assert_eq!(buffer.view([a, b, c]).to_array().unwrap(), view);
    }
    let mut flat = DeviceBuffer::<u64>::zeroed(60).unwrap();
    flat.copy_from_array(&array.t()).unwrap();
    assert_eq!(flat.view([5, 4, 3]).to_array().unwrap(), array.t());
    flat.copy_from_array(&Array1::from_iter(array.iter().copied())).unwrap();
    assert_eq!(flat.view([3, 4, 5]).to_array().unwrap(), array);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let mut buffer = DeviceBuffer::from_array(&array![[1, 2], [3, 4]]).unwrap();
    let error = buffer.view([2, 3]).to_array().unwrap_err();
    assert!(matches!(error, Error::Shape { len: 4, .. }), "{error}");
    let error = buffer.copy_from_array(&array![1, 2, 3]).unwrap_err();
    assert!(matches!(error, Error::Length { expected: 4, found: 3, .. }), "{error}");
    let empty = DeviceBuffer::from_array(&Array2::<f32>::zeros((0, 7))).unwrap();
    assert_eq!(empty.view([0, 7]).to_array().unwrap().dim(), (0, 7));
}
