//! Elements in registers, several in one.

use super::element::Element;
use super::element::sealed::Registers;

/// Element `index` of a lane.
#[inline(always)]
pub(super) fn element<T: Element, G: Registers>(registers: G, index: u32) -> T::Value {
    let bits = registers.get(index / per_register::<T, G>());
    let bits = bits >> (index % per_register::<T, G>() * T::BITS);
    T::from_bits(bits & (u64::MAX >> (64 - T::BITS)))
}

/// How many elements a register has.
pub(super) const fn per_register<T: Element, G: Registers>() -> u32 {
    G::BITS / T::BITS
}

/// The registers of a lane whose elements are computed from their index.
#[inline(always)]
pub(super) fn pack<T: Element, G: Registers>(mut value: impl FnMut(u32) -> T::Value) -> G {
    let mut registers = G::ZERO;
    let mut index = 0;
    let mut register = 0;
    while register < G::COUNT {
        let mut bits = 0;
        let mut part = 0;
        while part < per_register::<T, G>() {
            bits |= T::to_bits(value(index)) << (part * T::BITS);
            index += 1;
            part += 1;
        }
        registers.set(register, bits);
        register += 1;
    }
    registers
}
