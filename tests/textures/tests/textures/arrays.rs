//! Arrays: shapes, copies, and what is refused.

use ptyx::device::texture::{Cube, CubeLayered, D1, D1Layered, D2Layered, D3, Dimension};
use ptyx::prelude::*;
use ptyx::{AddressMode, CudaArray, Error, FilterMode, Texture, TextureOptions, TextureRule};
use ptyx_texture_tests::{Rng, rng};

fn round_trip<D: Dimension>(rng: &mut Rng, shape: D::Shape) -> ptyx::Result<()> {
    let len = shape.as_ref().iter().product();
    let texels = rng.vec(len, |rng| [rng.next_u32() as i16, rng.next_u32() as i16]);
    let mut array = CudaArray::<[i16; 2], D>::zeroed(shape)?;
    assert_eq!(array.to_vec()?, vec![[0; 2]; len]);
    array.copy_from_slice(&texels)?;
    assert_eq!(array.to_vec()?, texels);
    let mut copied = vec![[0; 2]; len];
    array.copy_to_slice(&mut copied)?;
    assert_eq!(copied, texels);
    let stream = Stream::new()?;
    let mut buffer = DeviceBuffer::<[i16; 2]>::zeroed(len + 4)?;
    array.copy_to_buffer_on(buffer.slice_mut(3..len + 3), &stream)?;
    assert_eq!(buffer.slice(3..len + 3).to_vec()?, texels);
    let mut second = CudaArray::<[i16; 2], D>::zeroed(shape)?;
    second.copy_from_buffer_on(buffer.slice(3..len + 3), &stream)?;
    drop(buffer);
    assert_eq!(second.to_vec()?, texels);
    assert_eq!(second.shape(), shape);
    Ok(())
}

#[test]
fn copies_of_all_shapes() -> ptyx::Result<()> {
    let mut rng = rng();
    let mut side = || 1 + rng.below(20);
    let (a, b, c) = (side(), side(), side());
    round_trip::<D1>(&mut rng, [a])?;
    round_trip::<ptyx::device::texture::D2>(&mut rng, [a, b])?;
    round_trip::<D3>(&mut rng, [a, b, c])?;
    round_trip::<D1Layered>(&mut rng, [a, b])?;
    round_trip::<D2Layered>(&mut rng, [a, b, c])?;
    round_trip::<Cube>(&mut rng, [6, a, a])?;
    round_trip::<CubeLayered>(&mut rng, [12, b, b])
}

fn rule<T>(result: ptyx::Result<T>) -> TextureRule {
    match result.err() {
        Some(Error::Texture(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn shapes_that_there_are_not() {
    assert!(matches!(
        rule(CudaArray::<f32>::zeroed([0, 4])),
        TextureRule::Size { dimension: 0, size: 0, .. }
    ));
    assert!(matches!(
        rule(CudaArray::<f32>::zeroed([4, 1 << 40])),
        TextureRule::Size { dimension: 1, .. }
    ));
    assert_eq!(rule(CudaArray::<f32, Cube>::zeroed([5, 4, 4])), TextureRule::Faces { faces: 5 });
    assert_eq!(
        rule(CudaArray::<f32, CubeLayered>::zeroed([16, 4, 4])),
        TextureRule::Faces { faces: 16 }
    );
    assert_eq!(
        rule(CudaArray::<f32, Cube>::zeroed([6, 4, 5])),
        TextureRule::Square { rows: 4, columns: 5 }
    );
    let lengths = CudaArray::<f32>::from_slice(&[0.0; 7], [2, 4]).err();
    assert!(matches!(lengths, Some(Error::Length { expected: 8, found: 7, .. })), "{lengths:?}");
}

#[test]
fn options_that_do_not_fit() -> ptyx::Result<()> {
    let floats = CudaArray::<f32>::zeroed([4, 4])?;
    let bytes = CudaArray::<u8>::zeroed([4, 4])?;
    let options = TextureOptions::new();
    for mode in [AddressMode::Wrap, AddressMode::Mirror] {
        let options = options.clone().address(mode);
        assert_eq!(rule(Texture::<f32>::with(&floats, &options)), TextureRule::Wrap);
        Texture::<f32>::with(&floats, &options.normalized(true))?;
    }
    let linear = options.clone().filter(FilterMode::Linear);
    assert_eq!(rule(Texture::<u8>::with(&bytes, &linear)), TextureRule::Filter);
    Texture::<f32>::with(&bytes, &linear)?;
    let srgb = options.clone().srgb(true);
    assert_eq!(rule(Texture::<f32>::with(&floats, &srgb)), TextureRule::Srgb);
    let steep = options.max_anisotropy(17);
    let found = rule(Texture::<f32>::with(&floats, &steep));
    assert_eq!(found, TextureRule::Anisotropy { most: 17 });
    Ok(())
}

#[test]
fn messages_say_what_to_do() {
    let message = CudaArray::<f32, Cube>::zeroed([6, 4, 5]).unwrap_err().to_string();
    assert!(message.contains("4 rows and 5 columns") && message.contains("square"), "{message}");
}
