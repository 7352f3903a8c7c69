//! Tiles of tensors: what asynchronous copies between shared memory and several places of global memory move.

use crate::exec::ops::atomic::Update;
use crate::exec::tensor_map::Conversion;
use crate::memory::{UNWRITTEN, relaxed};

/// Consecutive bytes of a tile that lie together in global memory, too.
pub(crate) struct Run {
    /// Where in the tile.
    pub(crate) offset: u32,
    /// Where in global memory. It was found when the copy was issued, and the launch keeps the memory.
    pub(crate) place: *mut u8,
    pub(crate) bytes: u32,
}

/// A tile, and where its parts lie in global memory.
pub(crate) struct Tile {
    /// To shared memory, or else from it.
    pub(crate) is_loaded: bool,
    /// The tile's parts that the tensor has.
    pub(crate) runs: Vec<Run>,
    /// The others are NaN, not zero.
    pub(crate) fills_nan: bool,
    /// What becomes of elements that are loaded.
    pub(crate) conversion: Conversion,
    /// Bytes of an element, and what becomes of the one in global memory, if it is not replaced.
    pub(crate) update: Option<(u32, Update)>,
}

impl Tile {
    /// Reads the tile's elements in global memory.
    pub(super) fn gather(&self, words: &mut [u64]) {
        words.fill(if self.fills_nan { UNWRITTEN } else { 0 });
        let start: *mut u8 = words.as_mut_ptr().cast();
        for run in &self.runs {
            let to = start.wrapping_add(run.offset as usize);
            // SAFETY: the run lies inside the tile; its memory is there, as it says.
            unsafe { relaxed::copy(to, run.place, run.bytes as usize) };
        }
        if self.conversion != Conversion::default() {
            let convert = |bits: u64| u64::from(self.conversion.convert(bits as u32));
            for word in words {
                *word = convert(*word) | convert(*word >> 32) << 32;
            }
        }
    }

    /// Writes the tile's elements to global memory, or combines them with what is there.
    pub(super) fn scatter(&self, words: &[u64]) {
        let start: *const u8 = words.as_ptr().cast();
        for run in &self.runs {
            let from = start.wrapping_add(run.offset as usize);
            match self.update {
                // SAFETY: as above; the memory was found writable.
                None => unsafe { relaxed::copy(run.place, from, run.bytes as usize) },
                Some((size, update)) => {
                    for at in (0..run.bytes as usize).step_by(size as usize) {
                        // SAFETY: as above; elements are aligned on both sides.
                        unsafe { update(run.place.wrapping_add(at), from.wrapping_add(at)) };
                    }
                }
            }
        }
    }
}
