//! Changes of tensor maps (PTX ISA, "Data Movement and Conversion Instructions: tensormap.replace",
//! "tensormap.cp_fenceproxy").

use super::copy::space_of;
use super::memory::Addresses;
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::program::Inst;
use crate::exec::tensor_map::{ALIGNMENT, DIMENSIONS, Mode, SIZE, TensorMap, Words};
use crate::memory::{SHARED_WINDOW, WINDOW_SIZE, relaxed};

/// The fields, by the names of their modifiers.
pub(crate) const FIELDS: [&str; 10] = [
    "global_address",
    "global_stride",
    "rank",
    "box_dim",
    "global_dim",
    "element_stride",
    "elemtype",
    "interleave_layout",
    "swizzle_mode",
    "fill_mode",
];

/// The driver's numbers of the types that `.elemtype` numbers otherwise.
const ELEMENTS: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12];
/// Bytes of a swizzled row, by the numbers of `.swizzle_mode`.
const SWIZZLES: [u32; 4] = [16, 32, 64, 128];
/// Bytes of a slice of channels, by the numbers of `.interleave_layout`.
const SLICES: [u32; 3] = [0, 16, 32];

/// What an instruction changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Index into [`FIELDS`].
    pub(crate) field: usize,
    /// Which dimension, if there is a value for each.
    pub(crate) dimension: usize,
}

impl Change {
    pub(crate) fn pack(self) -> i64 {
        self.field as i64 | (self.dimension as i64) << 8
    }

    fn unpack(bits: i64) -> Change {
        Change { field: (bits & 0xff) as usize, dimension: (bits >> 8) as usize }
    }

    /// Changes the map; in words, if it can't be.
    pub(crate) fn apply(self, map: &mut TensorMap, value: u64) -> Result<(), String> {
        let Change { field, dimension } = self;
        let name = FIELDS[field];
        let wrong = || Err(format!("{value} is not a valid `.{name}` of a tensor map"));
        let number = value as usize;
        match name {
            "global_address" if value.is_multiple_of(16) => map.address = value,
            // In bytes; NVIDIA's assembler drops four bits.
            "global_stride" if value.is_multiple_of(16) => map.strides[dimension + 1] = value,
            "rank" if number < DIMENSIONS => map.rank = number + 1,
            "global_dim" if (1..=1 << 32).contains(&value) => map.sizes[dimension] = value,
            "box_dim" if (1..=256).contains(&value) => match &mut map.mode {
                Mode::Tiled { sides } => sides[dimension] = value as u32,
                Mode::Im2col { .. } => return Err("the tensor map is not a tiled one".to_owned()),
            },
            "element_stride" if (1..=8).contains(&value) => map.steps[dimension] = value as u32,
            "elemtype" if number < ELEMENTS.len() => {
                map.element = ELEMENTS[number];
                map.strides[0] = map.ty().size().into();
            }
            "interleave_layout" if number < SLICES.len() => map.slice = SLICES[number],
            "swizzle_mode" if number < SWIZZLES.len() => map.swizzle = SWIZZLES[number],
            "fill_mode" if value < 2 => map.fills_nan = value == 1,
            _ => return wrong(),
        }
        Ok(())
    }
}

impl Context<'_> {
    /// Where the bytes of a map are.
    fn map_bytes(&mut self, address: u64, write: bool) -> Result<*mut u8, FaultKind> {
        let (size, space) = (SIZE as u32, space_of(address));
        if !address.is_multiple_of(ALIGNMENT) {
            let size = ALIGNMENT as u32;
            return Err(FaultKind::Misaligned { address, size, space, write });
        }
        let span = self.find(address, SIZE as u64, write);
        let span = span.ok_or(FaultKind::Access { address, size, space, write })?;
        Ok(span.data.wrapping_add((address - span.base) as usize))
    }
}

/// `tensormap.replace [a], b`
pub(crate) fn replace(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let change = Change::unpack(inst.imm);
    let (at, values): (Addresses, [u64; 32]) = (context.load(inst.a), context.load(inst.b));
    context.each_lane(mask, |context, lane| {
        let place = context.map_bytes(at[lane as usize], true)?;
        let mut words: Words = [0; SIZE / 8];
        // SAFETY: so many bytes were found there, for reading and writing.
        unsafe { relaxed::copy(words.as_mut_ptr().cast(), place, SIZE) };
        let map = TensorMap::decode(&words);
        let mut map = map.ok_or_else(|| {
            FaultKind::TensorMap(
                "`tensormap.replace` of bytes that are not a tensor map".to_owned(),
            )
        })?;
        change.apply(&mut map, values[lane as usize]).map_err(FaultKind::TensorMap)?;
        // SAFETY: as above.
        unsafe { relaxed::copy(place, map.encode().as_ptr().cast(), SIZE) };
        Ok(())
    })
}

/// `tensormap.cp_fenceproxy [a], [b], 128`: the warp copies a map from shared to global memory.
pub(crate) fn copy(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.warp_wide(inst.c, mask, |context| {
        let (to, from): (Addresses, Addresses) = (context.load(inst.a), context.load(inst.b));
        let lane = (0..32).find(|&lane| to[lane] != to[0] || from[lane] != from[0]);
        if let Some(lane) = lane {
            let text = "the lanes of the warp give different addresses";
            return Err((FaultKind::TensorMap(text.to_owned()), lane as u32));
        }
        if from[0].wrapping_sub(SHARED_WINDOW) >= WINDOW_SIZE {
            let text = "`tensormap.cp_fenceproxy` copies from shared memory only";
            return Err((FaultKind::TensorMap(text.to_owned()), 0));
        }
        let from = context.map_bytes(from[0], false).map_err(|kind| (kind, 0))?;
        let to = context.map_bytes(to[0], true).map_err(|kind| (kind, 0))?;
        // SAFETY: so many bytes were found in both places, which are in different state spaces.
        unsafe { relaxed::copy(to, from, SIZE) };
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_take_their_values_and_no_others() {
        let mut map = TensorMap {
            element: 1,
            rank: 2,
            address: 0x1000,
            sizes: [8, 3, 0, 0, 0],
            strides: [2, 16, 0, 0, 0],
            mode: Mode::Tiled { sides: [8, 2, 0, 0, 0] },
            steps: [1; 5],
            swizzle: 16,
            fills_nan: false,
            slice: 0,
        };
        let mut change = |name: &str, dimension, value| {
            let field = FIELDS.iter().position(|known| *known == name).unwrap();
            let change = Change { field, dimension };
            assert_eq!(Change::unpack(change.pack()), change);
            change.apply(&mut map, value).is_ok()
        };
        for (name, dimension, value) in [
            ("global_address", 0, 0x2010),
            ("global_stride", 0, 64),
            ("rank", 0, 2),
            ("box_dim", 1, 256),
            ("global_dim", 2, 1 << 32),
            ("element_stride", 1, 8),
            ("elemtype", 0, 9),
            ("swizzle_mode", 0, 3),
            ("fill_mode", 0, 1),
            ("interleave_layout", 0, 2),
        ] {
            assert!(change(name, dimension, value), "{name}");
        }
        for (name, value) in [
            ("global_address", 8),
            ("global_stride", 4),
            ("rank", 5),
            ("box_dim", 257),
            ("global_dim", 0),
            ("element_stride", 9),
            ("elemtype", 13),
            ("swizzle_mode", 4),
            ("fill_mode", 2),
            ("interleave_layout", 3),
        ] {
            assert!(!change(name, 0, value), "{name}");
        }
        assert_eq!((map.address, map.strides[..2].to_vec(), map.rank), (0x2010, vec![8, 64], 3));
        assert_eq!(map.mode, Mode::Tiled { sides: [8, 256, 0, 0, 0] });
        assert_eq!((map.sizes[2], map.steps[1], map.swizzle), (1 << 32, 8, 128));
        assert_eq!(map.slice, 32);
        assert!(map.fills_nan && map.ty() == crate::ptx::types::Type::F64);
    }
}
