//! Types of other crates as elements: the features of `ptyx`.

use core::fmt::Debug;
use glam::{Affine2, BVec3, BVec3A, BVec4A, DMat3, IVec2, Mat4, Quat, Vec3, Vec3A};
use half::{bf16, f16};
use nalgebra::{
    Affine2 as AffineOfPlane, DualQuaternion, Isometry3, Matrix2x3, Matrix3, Matrix4,
    Orthographic3, Perspective3, Point2, Projective3, Quaternion, Rotation2, Scale3, Similarity2,
    Similarity3, Transform3, Translation3, UnitDualQuaternion, UnitQuaternion, Vector2, Vector3,
    matrix, vector,
};
use num_complex::Complex;
use ptyx::device::Pod;
use ptyx::prelude::*;
use ptyx_crate_tests::rng;

/// Through shared memory, a shuffle and an argument.
#[kernel]
fn travels<T: DeviceCopy>(x: &[T], odd: T, mut y: Disjoint<T>) {
    let tile = shared!([T; 64]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    // SAFETY: each thread writes its own element, and reads another's behind the barrier.
    let value = unsafe {
        tile.at(t).write(x[i.get()]);
        block::sync();
        tile.at(63 - t).read()
    };
    let value = warp::shuffle_xor(warp::FULL, value, 5);
    y[i] = if t % 7 == 3 { odd } else { value };
}

pub(crate) fn check<T: DeviceCopy + Send + PartialEq + Debug>(values: &[T]) {
    let x: Vec<T> = (0..64).map(|i| values[i * 7 % values.len()]).collect();
    let odd = values[values.len() - 1];
    let device = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(64, values[0]).unwrap();
    launch!(travels::<T><<<1, 64>>>(&device, odd, &mut y)).unwrap();
    let want: Vec<T> = (0..64).map(|t| if t % 7 == 3 { odd } else { x[63 - (t ^ 5)] }).collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// Numbers as vectors and matrices of other crates, and these as numbers again.
#[test]
fn buffers_seen_as_types_of_other_crates() {
    let numbers: Vec<f32> = rng().vec(2 * 48, |rng| rng.below(1000) as f32);
    let mut buffer = DeviceBuffer::from_slice(&numbers).unwrap();
    let vectors = buffer.reinterpret::<Vec3>().unwrap().to_vec().unwrap();
    assert_eq!(vectors.iter().flat_map(|v| v.to_array()).collect::<Vec<_>>(), numbers);
    let quaternions = buffer.reinterpret::<Quat>().unwrap().to_vec().unwrap();
    assert_eq!(quaternions.iter().flat_map(|q| q.to_array()).collect::<Vec<_>>(), numbers);
    let matrices = buffer.reinterpret::<Mat4>().unwrap().to_vec().unwrap();
    assert_eq!(matrices.iter().flat_map(|m| m.to_cols_array()).collect::<Vec<_>>(), numbers);
    let columns = buffer.reinterpret::<Matrix2x3<f32>>().unwrap().to_vec().unwrap();
    assert_eq!(columns.iter().flatten().copied().collect::<Vec<_>>(), numbers);
    let points = buffer.reinterpret::<Point2<f32>>().unwrap().to_vec().unwrap();
    assert_eq!(points.iter().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>(), numbers);
    let mut complex = buffer.reinterpret_mut::<Complex<f32>>().unwrap();
    complex.fill(Complex::new(1.0, 2.0)).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1.0, 2.0].repeat(48));
    buffer.reinterpret_mut::<Vec3>().unwrap().fill(Vec3::X).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1.0, 0.0, 0.0].repeat(32));
}

#[test]
fn element_types_of_other_crates() {
    check(&[f16::from_f32(1.5), f16::MAX]);
    check(&[bf16::from_f32(1.5), bf16::MIN]);
    check(&[Complex::new(1.0f32, 2.0), Complex::new(-1.0, 0.5)]);
    check(&[Some(Complex::new(1u64, 2)), None]);
    check(&[Vec3::X, Vec3::Y]);
    check(&[Vec3A::X, Vec3A::Z]);
    check(&[Quat::from_rotation_x(1.0), Quat::IDENTITY]);
    check(&[Mat4::IDENTITY, Mat4::from_rotation_y(1.0)]);
    check(&[DMat3::IDENTITY, DMat3::ZERO]);
    check(&[Affine2::IDENTITY]);
    check(&[IVec2::new(1, -2), IVec2::ONE]);
    check(&[BVec3::new(true, false, true), BVec3::FALSE]);
    check(&[vector![1.0f32, 2.0, 3.0], Vector3::zeros()]);
    check(&[matrix![1.0f64, 2.0, 3.0; 4.0, 5.0, 6.0], Matrix2x3::zeros()]);
    check(&[Point2::new(1u32, 2), Point2::origin()]);
    check(&[Rotation2::new(1.0f32), Rotation2::identity()]);
    check(&[UnitQuaternion::from_euler_angles(1.0f32, 2.0, 3.0), UnitQuaternion::identity()]);
    check(&[Isometry3::from_parts(
        Translation3::new(1.0f32, 2.0, 3.0),
        UnitQuaternion::identity(),
    )]);
    check(&[Pod([1u8, 2, 3]), Pod([4, 5, 6])]);
}

#[test]
fn masks_and_projections_of_other_crates() {
    check(&[BVec3A::new(true, false, true), BVec3A::FALSE]);
    check(&[BVec4A::new(true, false, true, true), BVec4A::TRUE]);
    check(&[
        Similarity3::new(vector![1.0f32, 2.0, 3.0], vector![0.1, 0.2, 0.3], 4.0),
        Similarity3::identity(),
    ]);
    check(&[Similarity2::new(Vector2::new(1.0f64, 2.0), 0.5, 3.0)]);
    check(&[Scale3::new(1.0f32, 2.0, 3.0), Scale3::identity()]);
    let quaternion = Quaternion::new(1.0f32, 2.0, 3.0, 4.0);
    check(&[DualQuaternion::from_real_and_dual(quaternion, quaternion * 2.0)]);
    check(&[UnitDualQuaternion::<f64>::identity()]);
    check(&[Perspective3::new(1.5f32, 1.0, 0.1, 100.0)]);
    check(&[Orthographic3::new(1.0f64, 10.0, 2.0, 20.0, 0.1, 1000.0)]);
    check(&[AffineOfPlane::from_matrix_unchecked(Matrix3::new(
        1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0, 1.0,
    ))]);
    check(&[Projective3::from_matrix_unchecked(Matrix4::<f64>::new_scaling(2.0))]);
    check(&[Transform3::from_matrix_unchecked(Matrix4::<f32>::new_scaling(3.0))]);
}

/// What a kernel computes with them is what the host does.
#[kernel]
fn transforms(
    similarity: Similarity3<f32>,
    projective: Projective3<f32>,
    x: &[Vector3<f32>],
    mut y: Disjoint<[Vector3<f32>; 2]>,
) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        let x = x[thread::index_1d().get()];
        let affine = projective.matrix() * x.push(1.0);
        *y = [similarity.transform_point(&x.into()).coords, affine.xyz()];
    }
}

#[test]
fn kernels_transform_points() {
    let similarity = Similarity3::new(vector![1.0f32, 2.0, 3.0], vector![0.1, 0.2, 0.3], 4.0);
    let projective = Projective3::from_matrix_unchecked(similarity.to_homogeneous());
    let x = rng().vec(64, |rng| Vector3::from_fn(|_, _| rng.next_f64() as f32));
    let mut y = DeviceBuffer::filled(64, [Vector3::zeros(); 2]).unwrap();
    let on_device = DeviceBuffer::from_slice(&x).unwrap();
    launch!(transforms<<<2, 32>>>(similarity, projective, &on_device, &mut y)).unwrap();
    for (x, got) in x.iter().zip(y.to_vec().unwrap()) {
        let want = similarity.transform_point(&(*x).into()).coords;
        assert!((got[0] - want).norm() < 1e-4 && (got[1] - want).norm() < 1e-4, "{x}: {got:?}");
    }
}
