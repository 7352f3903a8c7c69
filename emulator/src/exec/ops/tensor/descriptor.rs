//! Where a matrix lies in shared memory: the descriptors of `wgmma` (PTX ISA, "Shared Memory Matrix Layout",
//! "Matrix Descriptor Format").
//!
//! A matrix is made of units of 16 bytes. Eight units that belong to neighbouring rows follow each other at a
//! fixed distance, the width of the swizzle; what lies between groups of eight, the descriptor says. Where
//! neighbours lie along M or N, the rows are those along K.

/// Bytes of a unit.
pub(super) const UNIT: u32 = 16;

/// A descriptor, taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Descriptor {
    /// The first address, in shared memory.
    start: u32,
    leading: u32,
    stride: u32,
    /// Bytes of a row: 16 without swizzle.
    width: u32,
}

impl Descriptor {
    /// Takes the 64 bits apart.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn read(bits: u64) -> Result<Descriptor, String> {
        let field = |from: u32| ((bits >> from & 0x3fff) << 4) as u32;
        if bits >> 49 & 7 != 0 {
            return Err(format!(
                "the descriptor {bits:#018x} has a base offset, which the emulated device does not know: align \
                 the matrix to 1024 bytes"
            ));
        }
        let width = [16, 128, 64, 32][(bits >> 62) as usize];
        Ok(Descriptor { start: field(0), leading: field(16), stride: field(32), width })
    }

    /// The address of a unit of a matrix whose neighbours lie along K: row `row`, half `half` of 32 bytes.
    pub(super) fn along_k(self, row: u32, half: u32) -> u32 {
        let across = if self.width == UNIT { self.leading } else { UNIT };
        self.place(row % 8 * self.width + row / 8 * self.stride + half * across)
    }

    /// The address of a unit of a matrix whose neighbours lie along M or N: 8 elements from number `8 * unit` on, at
    /// depth `k`.
    pub(super) fn across_k(self, unit: u32, k: u32) -> u32 {
        let row = k % 8 * self.width;
        if self.width == UNIT {
            return self.place(row + k / 8 * self.leading + unit * self.stride);
        }
        let units = self.width / UNIT;
        self.place(row + k / 8 * self.stride + unit / units * self.leading + unit % units * UNIT)
    }

    /// An address after the permutation, which is one of addresses: bits 4 to 6, as far as the width needs them, by
    /// bits 7 to 9.
    fn place(self, offset: u32) -> u32 {
        let address = self.start.wrapping_add(offset);
        let row = (address / 128) & (self.width / UNIT - 1);
        address ^ (row * UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(start: u64, leading: u64, stride: u64, mode: u64) -> Descriptor {
        Descriptor::read(start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62).unwrap()
    }

    #[test]
    fn rows_of_128_bytes() {
        let plain = descriptor(0x400, 16, 1024, 1);
        assert_eq!(plain.along_k(0, 1), 0x410);
        assert_eq!(plain.along_k(1, 0), 0x480 + 0x10);
        assert_eq!(plain.along_k(9, 1), 0x400 + 1024 + 128);
        // Further along K.
        let later = descriptor(0x420, 16, 1024, 1);
        assert_eq!(later.along_k(2, 1), 0x500 + (0x30 ^ 0x20));
        let other = descriptor(0x400, 4096, 1024, 1);
        assert_eq!(other.across_k(9, 3), 0x400 + 4096 + 3 * 128 + (0x10 ^ 0x30));
        assert_eq!(other.across_k(0, 8), 0x400 + 1024);
    }

    #[test]
    fn without_swizzle() {
        let plain = descriptor(0x410, 512, 128, 0);
        assert_eq!(plain.along_k(9, 1), 0x410 + 16 + 128 + 512);
        assert_eq!(plain.across_k(2, 9), 0x410 + 16 + 512 + 256);
    }

    #[test]
    fn base_offsets_are_refused() {
        assert!(Descriptor::read(1 << 50).is_err());
    }
}
