//! Sizes of arrays: from rows first to the driver's descriptors, with all rules checked.

use super::uses::ArrayUses;
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use ptyx_device::texture::{Dimension, Properties, Sizes, Texel, format, properties};

/// Width, height, and depth or layers: 1 for missing dimensions.
pub(super) fn extents<D: Dimension>(shape: &D::Shape) -> [usize; 3] {
    let Properties { has_rows, has_planes, is_layered, is_cube } = properties::<D>();
    let numbers = shape.as_ref();
    let width = numbers.last().copied().unwrap_or(1);
    let height = if has_rows { numbers[numbers.len() - 2] } else { 1 };
    let has_depth = has_planes || is_layered || is_cube;
    [width, height, if has_depth { numbers[0] } else { 1 }]
}

/// The size of a level.
pub(super) fn level_shape<D: Dimension>(shape: &D::Shape, level: usize) -> D::Shape {
    let Properties { has_rows, has_planes, .. } = properties::<D>();
    let mut shape = *shape;
    let halved = 1 + usize::from(has_rows) + usize::from(has_planes);
    for side in shape.as_mut().iter_mut().rev().take(halved) {
        *side = (*side >> level.min(usize::BITS as usize - 1)).max(1);
    }
    shape
}

/// The most levels that there can be.
pub(super) fn most_levels<D: Dimension>(shape: &D::Shape) -> usize {
    let Properties { has_planes, .. } = properties::<D>();
    let [width, height, depth] = extents::<D>(shape);
    let depth = if has_planes { depth } else { 1 };
    let longest = width.max(height).max(depth).max(1);
    longest.ilog2() as usize + 1
}

/// The sizes as they are passed to kernels; the driver has accepted them.
pub(super) fn sizes<D: Dimension>(shape: &D::Shape, levels: usize) -> Sizes {
    Sizes { extents: extents::<D>(shape).map(|extent| extent as u32), levels: levels as u32 }
}

/// The numbers of the attributes with the largest width, height and depth or layers.
fn limits(properties: Properties) -> [CUdevice_attribute; 3] {
    match properties {
        Properties { is_cube: true, is_layered: true, .. } => [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS,
        ],
        // The faces of a cube are counted by its own rule: this only must not be less.
        Properties { is_cube: true, .. } => [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH; 3],
        Properties { is_layered: true, has_rows: true, .. } => [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
        ],
        Properties { is_layered: true, .. } => [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
        ],
        Properties { has_planes: true, .. } => [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
        ],
        Properties { has_rows: true, .. } => [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
        ],
        _ => [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH; 3],
    }
}

/// An error unless a size is from 1 to an attribute of the device.
pub(super) fn check_size(
    context: &Context,
    dimension: usize,
    size: usize,
    attribute: CUdevice_attribute,
) -> Result<()> {
    let most = context.attribute(attribute)?.max(0) as usize;
    match (1..=most).contains(&size) {
        true => Ok(()),
        false => Err(Error::Texture(TextureRule::Size { dimension, size, most })),
    }
}

/// The driver's descriptor of an array, for these uses.
pub(super) fn descriptor<T: Texel, D: Dimension>(
    context: &Context,
    shape: &D::Shape,
    uses: ArrayUses,
) -> Result<CUarray3DDescriptor> {
    let known = properties::<D>();
    let [width, height, depth] = extents::<D>(shape);
    let rule = |rule| Err(Error::Texture(rule));
    if known.is_cube {
        if width != height {
            return rule(TextureRule::Square { rows: height, columns: width });
        }
        let fits = if known.is_layered { depth > 0 && depth.is_multiple_of(6) } else { depth == 6 };
        if !fits {
            return rule(TextureRule::Faces { faces: depth });
        }
    }
    let attributes = limits(known);
    let count = shape.as_ref().len();
    check_size(context, count - 1, width, attributes[0])?;
    if known.has_rows {
        check_size(context, count - 2, height, attributes[1])?;
    }
    let has_depth = known.has_planes || known.is_layered || known.is_cube;
    if known.has_planes || known.is_layered {
        check_size(context, 0, depth, attributes[2])?;
    }
    let mut flags = if uses.has_surfaces() { CUDA_ARRAY3D_SURFACE_LDST } else { 0 };
    if known.is_layered {
        flags |= CUDA_ARRAY3D_LAYERED;
    }
    if known.is_cube {
        flags |= CUDA_ARRAY3D_CUBEMAP;
    }
    if known.has_rows && !has_depth {
        let most = [
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT,
        ];
        let gathers = |size: usize, attribute| {
            context.attribute(attribute).is_ok_and(|most| size <= most.max(0) as usize)
        };
        if gathers(width, most[0]) && gathers(height, most[1]) {
            flags |= CUDA_ARRAY3D_TEXTURE_GATHER;
        }
    }
    let format = format::<T>();
    Ok(CUarray3DDescriptor {
        width,
        height: if known.has_rows { height } else { 0 },
        depth: if has_depth { depth } else { 0 },
        format: format.number,
        channels: format.channels,
        flags,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptyx_device::texture::{CubeLayered, D1, D1Layered, D2, D3};

    #[test]
    fn rows_come_first() {
        assert_eq!(extents::<D1>(&[5]), [5, 1, 1]);
        assert_eq!(extents::<D2>(&[4, 5]), [5, 4, 1]);
        assert_eq!(extents::<D3>(&[3, 4, 5]), [5, 4, 3]);
        assert_eq!(extents::<D1Layered>(&[3, 5]), [5, 1, 3]);
        assert_eq!(extents::<CubeLayered>(&[12, 4, 4]), [4, 4, 12]);
    }

    #[test]
    fn levels_halve_what_is_no_layer() {
        assert_eq!(level_shape::<D3>(&[3, 4, 5], 1), [1, 2, 2]);
        assert_eq!(level_shape::<D1Layered>(&[3, 5], 2), [3, 1]);
        assert_eq!(level_shape::<CubeLayered>(&[12, 4, 4], 1), [12, 2, 2]);
        assert_eq!(most_levels::<D1Layered>(&[64, 5]), 3);
        assert_eq!(most_levels::<D3>(&[64, 4, 5]), 7);
    }
}
