//! Addresses of the host, which programs hand to kernels by mistake.

/// The message about an address for which [`has`] is true.
pub(crate) const EXPLANATION: &str = "the host's memory, which no device sees: an argument of \
    the kernel holds what only the host can follow: a reference, a pointer or a \
    function pointer";

/// Whether this process has memory at `address`, by `/proc/self/maps` (proc_pid_maps(5)). The
/// emulated device's own addresses are numbers, which the process does not map.
pub(crate) fn has(address: u64) -> bool {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return false };
    maps.lines().any(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| u64::from_str_radix(text, 16).ok();
        range
            .and_then(|(start, end)| Some(number(start)?..number(end)?))
            .is_some_and(|range| range.contains(&address))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_memory_is_known() {
        let on_stack = 1u32;
        let on_heap = Box::new(2u32);
        assert!(has((&raw const on_stack).addr() as u64));
        assert!(has((&raw const *on_heap).addr() as u64));
        assert!(has(has as fn(u64) -> bool as usize as u64));
        assert!(!has(0x10) && !has(u64::MAX));
    }
}
