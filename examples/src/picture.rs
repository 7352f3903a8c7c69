//! Pictures: PNG and JPEG files in, PNG files out.

use crate::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Cursor, Read, Seek, Write};
use std::path::Path;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::{colorspace::ColorSpace, options::DecoderOptions};

/// Most pixels that a picture may have, so that a damaged header can't ask for all memory.
const MAX_PIXELS: u64 = 1 << 28;

/// A colour picture, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and alpha (65535 is opaque), as stored: not premultiplied, no colour
    /// management. `width * height` of them.
    pub pixels: Vec<[u16; 4]>,
}

impl Picture {
    /// Reads a PNG or JPEG file, which its first bytes tell apart.
    ///
    /// PNGs may be grey, palette, colour, with alpha or a transparent colour, interlaced, of any
    /// depth; of an animation the first picture is taken. JPEGs may be grey, colour, CMYK or YCCK,
    /// baseline or progressive.
    ///
    /// # Errors
    /// The file can't be read, is neither, is damaged, or has more than 2^28 pixels; the message
    /// names it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)
            .map_err(|error| format!("can't read `{}`: {error}", path.display()))?;
        Self::decode(&bytes).map_err(|error| format!("`{}`: {error}", path.display()).into())
    }

    fn decode(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            decode_png(Cursor::new(bytes))
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            decode_jpeg(bytes)
        } else {
            Err("neither a PNG nor a JPEG".into())
        }
    }
}

fn check_size(width: u64, height: u64) -> Result<(), Error> {
    match width.checked_mul(height) {
        Some(0) => Err("the picture has no pixels".into()),
        Some(pixels) if pixels <= MAX_PIXELS => Ok(()),
        _ => Err(format!("{width} x {height} pixels are more than 2^28").into()),
    }
}

fn decode_png(file: impl Read + Seek) -> Result<Picture, Error> {
    let mut decoder =
        png::Decoder::new_with_limits(BufReader::new(file), png::Limits { bytes: 1 << 32 });
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let header = decoder.read_header_info()?;
    let (width, height) = (header.width as usize, header.height as usize);
    check_size(width as u64, height as u64)?;
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().ok_or("the picture does not fit memory")?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes)?;
    let (colour, depth) = reader.output_color_type();

    let sample: fn(&[u8]) -> u16 = match depth {
        png::BitDepth::Sixteen => |sample| u16::from_be_bytes([sample[0], sample[1]]),
        _ => |sample| u16::from(sample[0]) * 257,
    };
    let sample_len = if depth == png::BitDepth::Sixteen { 2 } else { 1 };
    let pixel = |pixel: &[u8]| -> [u16; 4] {
        let mut samples = pixel.chunks_exact(sample_len).map(sample);
        let mut next = || samples.next().unwrap_or(u16::MAX);
        match colour {
            png::ColorType::Grayscale | png::ColorType::GrayscaleAlpha => {
                let grey = next();
                [grey, grey, grey, next()]
            }
            _ => [next(), next(), next(), next()],
        }
    };
    let pixel_len = sample_len * colour.samples();
    let rows = bytes.chunks_exact(frame.line_size.max(1)).take(height);
    let pixels: Vec<_> =
        rows.flat_map(|row| row.chunks_exact(pixel_len).take(width).map(pixel)).collect();
    // An animation's first frame may be smaller than its canvas.
    if pixels.len() != width * height {
        return Err(
            format!("{} pixels where {width} x {height} are announced", pixels.len()).into()
        );
    }
    Ok(Picture { width, height, pixels })
}

fn decode_jpeg(bytes: &[u8]) -> Result<Picture, Error> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers()?;
    let info = decoder.info().ok_or("the JPEG has no header")?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    check_size(width as u64, height as u64)?;
    let bytes = decoder.decode()?;
    let widen = |sample: u8| u16::from(sample) * 257;
    let pixels: Vec<_> = bytes
        .chunks_exact(3)
        .map(|pixel| [widen(pixel[0]), widen(pixel[1]), widen(pixel[2]), u16::MAX])
        .collect();
    if pixels.len() != width * height {
        return Err(
            format!("{} pixels where {width} x {height} are announced", pixels.len()).into()
        );
    }
    Ok(Picture { width, height, pixels })
}

/// Writes a grey (one byte a pixel) or colour (three) picture of eight bits a sample.
///
/// # Errors
/// The file can't be written; the message names it.
///
/// # Panics
/// `samples` is neither `width * height` nor three times that.
pub fn write_png(
    path: impl AsRef<Path>,
    width: usize,
    height: usize,
    samples: &[u8],
) -> Result<(), Error> {
    let path = path.as_ref();
    let colour = if samples.len() == width * height {
        png::ColorType::Grayscale
    } else {
        assert_eq!(samples.len(), 3 * width * height, "three samples a pixel");
        png::ColorType::Rgb
    };
    let write = || -> Result<(), Error> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut encoder =
            png::Encoder::new(&mut file, u32::try_from(width)?, u32::try_from(height)?);
        encoder.set_color(colour);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(samples)?;
        writer.finish()?;
        Ok(file.flush()?)
    };
    write().map_err(|error| format!("can't write `{}`: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_of(colour: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 2);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == png::ColorType::Indexed {
            encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
            encoder.set_trns(vec![0]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        file
    }

    #[test]
    fn every_kind_of_png_is_read() {
        use png::{BitDepth::*, ColorType::*};
        let pixels = |file: Vec<u8>| Picture::decode(&file).unwrap().pixels;
        let wide = |v: [u16; 4]| v.map(|x| x * 257);

        let grey = pixels(png_of(Grayscale, Eight, &[0, 1, 2, 255]));
        assert_eq!(grey[1], wide([1, 1, 1, 255]));
        let bits = pixels(png_of(Grayscale, One, &[0b0100_0000, 0b1000_0000]));
        assert_eq!(bits.iter().map(|p| p[0]).collect::<Vec<_>>(), [0, 65535, 65535, 0]);
        let deep = pixels(png_of(Grayscale, Sixteen, &[0x12, 0x34, 0, 0, 0, 0, 0xff, 0xff]));
        assert_eq!(deep[0], [0x1234, 0x1234, 0x1234, 65535]);
        let alpha = pixels(png_of(GrayscaleAlpha, Eight, &[9, 8, 0, 0, 0, 0, 0, 0]));
        assert_eq!(alpha[0], wide([9, 9, 9, 8]));
        let palette = pixels(png_of(Indexed, Four, &[0x01, 0x10]));
        assert_eq!(palette[0], wide([10, 20, 30, 0]));
        assert_eq!(palette[1], wide([40, 50, 60, 255]));
        let colour = pixels(png_of(Rgb, Eight, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
        assert_eq!(colour[3], wide([10, 11, 12, 255]));
        let mut data = vec![0; 32];
        data[..8].copy_from_slice(&[0, 1, 0, 2, 0, 3, 0, 4]);
        assert_eq!(pixels(png_of(Rgba, Sixteen, &data))[0], [1, 2, 3, 4]);
    }

    #[test]
    fn damaged_files_are_errors() {
        let whole = png_of(png::ColorType::Rgb, png::BitDepth::Eight, &[7; 12]);
        for len in 0..whole.len() - 12 {
            assert!(Picture::decode(&whole[..len]).is_err(), "{len} bytes");
        }
        let error = Picture::decode(b"GIF89a").unwrap_err().to_string();
        assert_eq!(error, "neither a PNG nor a JPEG");
        assert!(Picture::decode(b"\xff\xd8\xff\xe0").is_err());
        let error = Picture::read("no/such.png").unwrap_err().to_string();
        assert!(error.starts_with("can't read `no/such.png`: "), "{error}");
    }
}
