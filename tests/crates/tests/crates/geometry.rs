//! `glam`, whose vectors are `__m128` on x86-64; `euclid`.

use euclid::default::{Box2D, Point2D, Rotation3D, Transform2D, Vector2D, Vector3D};
use glam::{
    Affine3A, DVec3, EulerRot, IVec3, Mat2, Mat3, Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
    Vec4Swizzles,
};
use ptyx_crate_tests::same_on_both;

same_on_both! {
    fn glam_vec3(x: [f32; 6]) -> [f32; 6] {
        let (a, b) = (Vec3::new(x[0], x[1], x[2]), Vec3A::new(x[3], x[4], x[5]));
        let c = a.cross(b.into()).normalize_or_zero() + a.lerp(b.into(), 0.3);
        [c.x, c.y, c.z, b.dot(a.into()), b.length(), b.reject_from(a.into()).y]
    }

    fn glam_vec4(x: [f32; 4]) -> [f32; 8] {
        let a = Vec4::from(x);
        let b = a.wzyx().max(Vec4::splat(0.1)).min(a.abs() * 2.0);
        let mask = a.cmplt(b);
        let c = Vec4::select(mask, a, b) + b.sqrt().floor() * a.recip().round() + a.signum().ceil();
        let small = [a.min_element(), b.max_element(), a.fract().element_sum(), mask.bitmask() as f32];
        let c = c.to_array();
        [c[0], c[1], c[2], c[3], small[0], small[1], small[2], small[3]]
    }

    within 1e-5 fn glam_mat4(x: [f32; 4]) -> [f32; 4] {
        let m = Mat4::from_rotation_x(x[0])
            * Mat4::from_translation(Vec3::new(x[1], x[2], x[3]))
            * Mat4::from_scale(Vec3::splat(1.5 + x[0]));
        let p = m.inverse().transform_point3(Vec3::new(x[3], x[0], x[1]));
        [p.x, p.y, p.z, m.determinant()]
    }

    within 1e-5 fn glam_quat(x: [f32; 4]) -> [f32; 4] {
        let q = Quat::from_rotation_y(x[0]) * Quat::from_euler(EulerRot::XYZ, x[1], x[2], x[3]);
        let q = q.slerp(Quat::from_rotation_z(x[2]), 0.4).normalize();
        let v = q * Vec3A::new(1.0, x[1], x[3]);
        [v.x, v.y, v.z, q.w]
    }

    within 1e-5 fn glam_mat3_affine(x: [f32; 6]) -> [f32; 6] {
        let axis = Vec3::new(x[0], 1.0, x[1]).normalize();
        let a = Affine3A::from_mat3(Mat3::from(Mat3A::from_axis_angle(axis, x[2])));
        let v = a.inverse().transform_vector3a(Vec3A::from_slice(&x[3..]));
        let t = Mat2::from_angle(x[3]) * Vec2::new(x[0], x[1]);
        [v.x, v.y, v.z, t.x, t.y, t.angle_to(Vec2::X)]
    }

    fn glam_other_types(x: ([f64; 3], [i32; 3])) -> (f64, i32) {
        let v = DVec3::from(x.0).normalize();
        let i = IVec3::from(x.1) % 1000;
        (v.dot(DVec3::ONE), i.dot(IVec3::new(i.z, i.x, i.y)) + i.abs().max_element())
    }

    within 1e-5 fn euclid_transforms(x: [f32; 4]) -> [f32; 5] {
        let p = Point2D::new(x[0], x[1]);
        let t = Transform2D::rotation(euclid::Angle::radians(x[2]))
            .then_translate(Vector2D::new(x[3], 1.0));
        let q = t.transform_point(p);
        let r = Rotation3D::around_x(euclid::Angle::degrees(x[3] * 90.0))
            .transform_vector3d(Vector3D::new(x[0], x[1], x[2]));
        [q.x, q.y, Box2D::from_points([p, q]).area(), r.y, r.z]
    }
}
