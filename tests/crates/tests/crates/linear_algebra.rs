//! `nalgebra`: vectors, matrices and decompositions of sizes known at compile time.

use nalgebra::{
    Isometry3, Matrix3, Matrix4, Point3, Rotation2, SMatrix, Translation3, UnitQuaternion, Vector2,
    Vector3, Vector4,
};
use ptyx_crate_tests::same_on_both;

same_on_both! {
    fn products(x: [f32; 6]) -> [f32; 6] {
        let m = SMatrix::<f32, 3, 5>::from_fn(|i, j| x[(2 * i + j) % 6]);
        let v = SMatrix::<f32, 5, 1>::from_fn(|i, _| x[i]);
        let p = m * v;
        let q = (m * m.transpose()).column_sum();
        [p.x, p.y, p.z, q.x, q.y, q.norm()]
    }

    fn inverse(x: [f64; 4]) -> [f64; 5] {
        let m = Matrix3::new(x[0], x[1], x[2], x[3], 2.0, x[0], x[1], x[2], 3.0);
        let v = Vector3::new(x[0], x[1], x[2]);
        match m.try_inverse() {
            Some(inverse) => {
                let w = inverse * v;
                [w.x, w.y, w.z, m.determinant(), v.cross(&w).x]
            }
            None => [0.0; 5],
        }
    }

    within 1e-12 fn decompositions(x: [f64; 4]) -> [f64; 5] {
        let a = Matrix4::from_fn(|i, j| x[(i + j) % 4] * (1.0 + i as f64));
        let positive = a * a.transpose() + Matrix4::identity() * 4.0;
        let b = Vector4::from(x);
        let c = positive.cholesky().map_or(b, |cholesky| cholesky.solve(&b));
        let l = positive.lu().solve(&b).unwrap_or(b);
        let r = positive.qr().r();
        [c[0], l[1], r[(0, 0)].abs(), r[(2, 3)], c.dot(&l)]
    }

    within 1e-9 fn eigenvalues(x: [f64; 4]) -> [f64; 4] {
        let a = Matrix3::new(x[0], x[1], x[2], x[1], x[3], 0.5, x[2], 0.5, 2.0);
        let eigen = a.symmetric_eigen();
        let singular = a.svd(true, true).singular_values;
        [eigen.eigenvalues.sum(), singular[0], singular[1], singular[2]]
    }

    within 1e-5 fn transforms(x: [f32; 4]) -> [f32; 5] {
        let q = UnitQuaternion::from_euler_angles(x[0], x[1], x[2]);
        let isometry = Isometry3::from_parts(Translation3::new(x[0], x[1], x[2]), q);
        let p = isometry.inverse() * Point3::new(x[3], 1.0, x[0]);
        let r = Rotation2::new(x[1]) * Vector2::new(x[2], x[3]);
        [p.x, p.y, p.z, r.x, r.y]
    }
}
