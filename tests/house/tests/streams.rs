//! Methods with and without a stream are pairs, as `docs/conventions.md` says.

use ptyx_house_tests::members::Members;
use std::path::{Path, PathBuf};

/// Only with a stream: it says after which work memory may be used, or what is mapped.
const ONLY_WITH: [&str; 14] = [
    "CudaArray::map_all_on",
    "CudaArray::map_tail_on",
    "CudaArray::map_tiles_on",
    "CudaArray::unmap_tail_on",
    "CudaArray::unmap_tiles_on",
    "DeviceBuffer::from_dlpack_on",
    "DeviceBuffer::from_raw_on",
    "DeviceBuffer::into_dlpack_on",
    "DeviceBuffer::lend_mut_on",
    "DeviceBuffer::lend_on",
    "DeviceBuffer::open_on",
    "DeviceSlice::lend_on",
    "DeviceSliceMut::lend_mut_on",
    "ExternalMemory::buffer_on",
];

/// Constructors that give no work to a stream, or whose stream comes with what they take.
const ONLY_WITHOUT: [&str; 11] = [
    "CudaArray::deferred",
    "CudaArray::deferred_for",
    "CudaArray::deferred_with_levels",
    "CudaArray::sparse",
    "CudaArray::sparse_for",
    "CudaArray::sparse_with_levels",
    "DeviceBuffer::from_cudarc",
    "GrowableBuffer::with_capacity",
    "GrowableBuffer::with_capacity_for",
    "ManagedBuffer::from_slice_with",
    "ManagedBuffer::zeroed_with",
];

/// Types that own device memory, and how the names of their constructors begin.
const MEMORY: [&str; 6] = [
    "CudaArray",
    "DeviceArray",
    "DeviceBuffer",
    "GrowableBuffer",
    "ManagedBuffer",
    "PitchedBuffer",
];
const CONSTRUCTORS: [&str; 9] = [
    "zeroed",
    "filled",
    "from_",
    "uninitialized",
    "similar",
    "try_clone",
    "sparse",
    "deferred",
    "with_capacity",
];
/// Not a constructor, though the name begins like one.
const OTHERS: [&str; 1] = ["CudaArray::sparse_properties"];

fn host() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../host/src")
}

fn add_folder(members: &mut Members, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_folder(members, &path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            members.add(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

fn members() -> Members {
    let mut members = Members::default();
    add_folder(&mut members, &host());
    members
}

/// Functions with a stream that have no sibling without, by name.
fn without_sibling(members: &Members) -> Vec<String> {
    let lacks = |&(of, name): &(&str, &str)| {
        name.strip_suffix("_on").is_some_and(|plain| !members.has(of, plain))
    };
    members.iter().filter(lacks).map(|(of, name)| format!("{of}::{name}")).collect()
}

/// Constructors without a stream.
fn constructors(members: &Members) -> impl Iterator<Item = (&str, &str)> {
    members.iter().filter(|(of, name)| {
        MEMORY.contains(of)
            && CONSTRUCTORS.iter().any(|start| name.starts_with(start))
            && !name.ends_with("_on")
            && !name.ends_with("_in")
            && !OTHERS.contains(&format!("{of}::{name}").as_str())
    })
}

#[test]
fn what_takes_a_stream_has_a_sibling_without() {
    assert_eq!(without_sibling(&members()), ONLY_WITH);
}

#[test]
fn constructors_have_a_sibling_with_a_stream() {
    let members = members();
    let lacks = |(of, name): &(&str, &str)| !members.has(of, &format!("{name}_on"));
    let lacking: Vec<String> =
        constructors(&members).filter(lacks).map(|(of, name)| format!("{of}::{name}")).collect();
    assert_eq!(lacking, ONLY_WITHOUT);
}

/// `constructors_with_streams` of `host` runs each of them; those of the features have tests of their own.
#[test]
fn constructors_with_a_stream_are_tested() {
    let of_features = ["DeviceBuffer::from_array_on", "DeviceBuffer::from_pods_on"];
    let members = members();
    let tests = std::fs::read_to_string(host().join("launch/tests/devices.rs")).unwrap();
    let untested: Vec<String> = constructors(&members)
        .map(|(of, name)| format!("{of}::{name}_on"))
        .filter(|name| {
            members.has(name.split_once("::").unwrap().0, &name[name.find("::").unwrap() + 2..])
        })
        .filter(|name| {
            !of_features.contains(&name.as_str()) && !tests.contains(&format!("\"{name}\""))
        })
        .collect();
    assert!(untested.is_empty(), "{}", untested.join(", "));
}

#[test]
fn functions_alone_are_found() {
    let mut members = Members::default();
    let text =
        "impl<T> DeviceBuffer<T> { pub fn fill_on() {} pub fn zero() {} pub fn zero_on() {} }";
    members.add(text).unwrap();
    assert_eq!(without_sibling(&members), ["DeviceBuffer::fill_on"]);
    assert_eq!(constructors(&members).count(), 0);
}
