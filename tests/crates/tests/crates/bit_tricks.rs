//! `bytemuck`, `zerocopy`, `bitflags`, `subtle`: bits reinterpreted as other types.

use bitflags::bitflags;
use bytemuck::{Pod, Zeroable};
use ptyx_crate_tests::same_on_both;
use subtle::{ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};

/// Plain bytes, as users declare them.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Packet {
    word: u32,
    halves: [u16; 2],
}

bitflags! {
    #[derive(Clone, Copy)]
    struct Flags: u32 {
        const A = 1;
        const B = 2;
        const C = 4;
    }
}

same_on_both! {
    fn bytes(x: u64) -> (u32, u32, u64, u32, bool) {
        let packet: Packet = bytemuck::cast(x);
        let bytes: [u8; 8] = bytemuck::cast(packet);
        let words = bytemuck::pod_align_to::<u8, u16>(&bytes).1;
        (
            packet.word ^ u32::from(packet.halves[1]),
            bytemuck::pod_read_unaligned::<u32>(&bytes[1..5]),
            *bytemuck::from_bytes::<u64>(bytemuck::bytes_of(&x)),
            words.len() as u32 / 3,
            bytemuck::try_cast_slice::<u8, Packet>(&bytes[1..]).is_err(),
        )
    }

    fn flags(x: u32) -> (u32, bool, u32, u32) {
        let flags = Flags::from_bits_truncate(x);
        let count = flags.iter().count() as u32;
        ((flags | Flags::A).bits(), flags.contains(Flags::B), (flags ^ Flags::all()).bits(), count)
    }

    // Goes through an optimisation barrier.
    fn constant_time(x: (u32, u32, [u8; 4])) -> (u32, bool, u8) {
        let (a, b, bytes) = x;
        let choice = (a % 4).ct_eq(&(b % 4)) | (a & 1).ct_eq(&1);
        let selected = u32::conditional_select(&a, &b, choice);
        (selected, a.ct_gt(&b).into(), bytes.ct_eq(&[1, 2, 3, bytes[3]]).unwrap_u8())
    }
}
