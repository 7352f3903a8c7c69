//! From coordinates to texels (CUDA C++ Programming Guide, "Texture Fetching").

use ptyx_driver_api::*;

/// What lies outside of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    Repeat,
    Clamp,
    Mirror,
    Border,
}

impl Wrap {
    /// The one of a number.
    pub(crate) fn of(mode: CUaddress_mode) -> Option<Wrap> {
        Some(match mode {
            CU_TR_ADDRESS_MODE_WRAP => Wrap::Repeat,
            CU_TR_ADDRESS_MODE_CLAMP => Wrap::Clamp,
            CU_TR_ADDRESS_MODE_MIRROR => Wrap::Mirror,
            CU_TR_ADDRESS_MODE_BORDER => Wrap::Border,
            _ => return None,
        })
    }

    /// The texel that stands for number `index` of `size`; `None` for the border.
    pub(crate) fn texel(self, index: i64, size: u32) -> Option<u32> {
        let size = i64::from(size);
        let found = match self {
            Wrap::Repeat => index.rem_euclid(size),
            Wrap::Clamp => index.clamp(0, size - 1),
            Wrap::Mirror => {
                let index = index.rem_euclid(2 * size);
                index.min(2 * size - 1 - index)
            }
            Wrap::Border if (0..size).contains(&index) => index,
            Wrap::Border => return None,
        };
        Some(found as u32)
    }
}

/// Steps from a texel to the next one: a weight is a fixed-point number with 8 bits behind the point.
pub(crate) const STEPS: i64 = 256;

/// The nearest texel to a coordinate that counts texels.
pub(crate) fn nearest(coordinate: f32) -> i64 {
    coordinate.floor() as i64
}

/// The first of the two texels next to a coordinate, and the second one's weight in steps.
pub(crate) fn neighbours(coordinate: f32) -> (i64, i64) {
    let fixed = ((f64::from(coordinate) - 0.5) * STEPS as f64).round();
    // What has no place among texels lies outside, on either side.
    let fixed = fixed.clamp(-1e15, 1e15) as i64;
    (fixed.div_euclid(STEPS), fixed.rem_euclid(STEPS))
}

/// The face of a cube in a direction, and the place there, each from 0 to 1 (CUDA C++ Programming Guide, "Cubemap
/// Textures").
pub(crate) fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, major, s, t) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, ax, -z, -y) } else { (1, ax, z, -y) }
    } else if ay >= az {
        if y >= 0.0 { (2, ay, x, z) } else { (3, ay, x, -z) }
    } else if z >= 0.0 {
        (4, az, x, -y)
    } else {
        (5, az, -x, -y)
    };
    (face, [s, t].map(|place| (place / major + 1.0) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside() {
        let texels = |wrap: Wrap| [-4, -1, 0, 2, 3, 7].map(|index| wrap.texel(index, 3));
        assert_eq!(texels(Wrap::Repeat), [2, 2, 0, 2, 0, 1].map(Some));
        assert_eq!(texels(Wrap::Clamp), [0, 0, 0, 2, 2, 2].map(Some));
        assert_eq!(texels(Wrap::Mirror), [2, 0, 0, 2, 2, 1].map(Some));
        assert_eq!(texels(Wrap::Border), [None, None, Some(0), Some(2), None, None]);
    }

    #[test]
    fn weights() {
        assert_eq!(neighbours(0.5), (0, 0));
        assert_eq!(neighbours(1.0), (0, 128));
        assert_eq!(neighbours(0.25), (-1, 192));
        assert_eq!(neighbours(0.5 + 1.0 / 256.0), (0, 1));
        assert!(neighbours(f32::INFINITY).0 > 1 << 40);
        assert_eq!(nearest(f32::NAN), 0);
    }

    #[test]
    fn faces() {
        let middle = [0.5, 0.5];
        for (number, axis) in [(0, 0), (2, 1), (4, 2)] {
            let mut direction = [0.0; 3];
            direction[axis] = 2.0;
            assert_eq!(face(direction), (number, middle));
            direction[axis] = -2.0;
            assert_eq!(face(direction), (number + 1, middle));
        }
        assert_eq!(face([1.0, 1.0, -0.5]), (0, [0.75, 0.0]));
        assert_eq!(face([0.5, -0.25, 1.0]), (4, [0.75, 0.625]));
    }
}
