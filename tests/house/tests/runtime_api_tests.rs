//! Everything to which the table of the CUDA runtime API (`host/src/runtime_api.rs`) links is exercised by a test.
//!
//! A test exercises a member of a type if it names it by its path, or calls a method of its name where the project has only
//! one function of this name. For all others, [`EXERCISED`] says which test does, and the check is that this test calls a
//! method of the name.

use ptyx_house_tests::calls::{Calls, Functions, Tests, Tokens};
use ptyx_house_tests::members::links;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// For members that share their names with other functions: a file, a test in it, the members that the test exercises.
const EXERCISED: &[(&str, &str, &[&str])] = &[
    ("host/tests/capture_modes.rs", "modes", &["CaptureMode::with"]),
    ("host/src/device_api/properties.rs", "each_is_what_the_driver_tells", &["Device::attribute"]),
    (
        "host/src/device_api/settings.rs",
        "available_memory_and_active_blocks_agree",
        &["Function::available_shared"],
    ),
    (
        "host/src/device_api/settings.rs",
        "banks_can_be_asked_for",
        &["Device::set_shared_banks", "Function::set_shared_banks"],
    ),
    ("host/src/event/tests.rs", "a_blocking_wait_waits", &["Event::is_done"]),
    (
        "host/src/event/tests.rs",
        "a_future_waits_for_the_point_where_the_event_was",
        &["Event::finished", "Stream::on_host"],
    ),
    ("host/src/graph/dot.rs", "each_node_and_each_edge_has_a_line", &["Graph::dot"]),
    ("host/src/graph/hand_tests.rs", "a_number_chooses_a_body", &["DeviceBuffer::fill"]),
    (
        "host/src/graph/hand_tests.rs",
        "each_kind_of_work_is_a_node",
        &["Graph::add_node", "Graph::kind"],
    ),
    ("host/src/graph/hand_tests.rs", "nodes_are_enabled_or_not", &["DeviceBuffer::zero_on"]),
    ("host/src/graph/tests.rs", "graphs_are_uploaded", &["GraphExec::upload"]),
    (
        "host/src/graph/tests.rs",
        "nodes_come_after_others_and_after_conflicting_ones",
        &["Graph::add", "Graph::nodes", "Graph::try_clone"],
    ),
    (
        "host/src/graph/tests.rs",
        "nothing_runs_before_the_launch_and_everything_in_each",
        &[
            "DeviceBuffer::copy_from_buffer_on",
            "DeviceBuffer::fill_on",
            "Graph::instantiate",
            "GraphExec::launch",
            "Stream::capture",
        ],
    ),
    (
        "host/src/graph/tests.rs",
        "other_streams_take_part_through_events_and_leave_at_the_end",
        &["Stream::is_captured", "Stream::wait"],
    ),
    (
        "host/src/graph/tests.rs",
        "updates_change_what_launches_do_or_say_why_not",
        &["GraphExec::update"],
    ),
    (
        "host/src/launch/function/tests.rs",
        "hints_and_options_reach_the_driver",
        &[
            "Function::attributes",
            "Function::set_cache_preference",
            "Function::set_shared_carveout",
        ],
    ),
    (
        "host/src/launch/tests/devices.rs",
        "two_devices_side_by_side",
        &[
            "Device::flags",
            "Device::limit",
            "Device::make_current",
            "Device::set_cache_preference",
            "Device::set_flags",
            "Device::set_limit",
            "Device::with",
        ],
    ),
    (
        "host/src/launch/tests/launching.rs",
        "kernels_say_what_they_prefer",
        &[
            "CompiledKernel::set_cache_preference",
            "CompiledKernel::set_shared_banks",
            "CompiledKernel::set_shared_carveout",
        ],
    ),
    (
        "host/src/memory/pool/reuse.rs",
        "flags_are_kept_apart_and_start_on",
        &["MemoryPool::set_reuse"],
    ),
    ("host/src/memory/pool/tests.rs", "pools_come_and_go", &["MemoryPool::make_current"]),
    (
        "host/src/memory/pool/tests.rs",
        "statistics_have_peaks_that_begin_again",
        &["MemoryPool::reset_peaks", "MemoryPool::trim"],
    ),
    ("host/src/memory/similar.rs", "shapes_agree_and_memory_is_apart", &["DeviceBuffer::similar"]),
    (
        "host/src/stream/tests.rs",
        "pinned_memory_of_earlier_work_can_be_used",
        &["DeviceBuffer::copy_to_pinned_on"],
    ),
    (
        "host/src/stream/tests.rs",
        "priorities_are_clamped_to_the_devices_range",
        &["Device::stream_priorities", "Stream::priority"],
    ),
    ("host/src/stream/tests.rs", "streams_say_whether_the_legacy_stream_waits", &["Stream::flags"]),
    (
        "host/src/texture/properties.rs",
        "arrays_are_described_as_they_were_made",
        &["CudaArray::info"],
    ),
    (
        "tests/devices/tests/devices/pools.rs",
        "pools_with_access_from_a_peer",
        &["MemoryPool::access", "MemoryPool::set_access"],
    ),
    (
        "tests/memory/tests/memory/arrays.rs",
        "boxes_of_arrays_of_all_dimensions",
        &["PitchedBuffer::part"],
    ),
    (
        "tests/memory/tests/memory/external.rs",
        "images_of_others_are_arrays",
        &["ExternalMemory::array"],
    ),
    (
        "tests/memory/tests/memory/managed.rs",
        "advice_and_prefetches",
        &["ManagedBuffer::attributes"],
    ),
    (
        "tests/memory/tests/memory/managed.rs",
        "attached_to_one_stream_or_the_host",
        &["ManagedBuffer::attach"],
    ),
    ("tests/memory/tests/memory/pinned.rs", "options_are_the_drivers", &["PinnedBuffer::options"]),
    (
        "tests/memory/tests/memory/pinned.rs",
        "raw_pointers_to_pinned_memory",
        &["PinnedBuffer::device_address"],
    ),
    (
        "tests/memory/tests/memory/pinned.rs",
        "vectors_are_pinned_and_given_back",
        &["PinnedBuffer::into_vec"],
    ),
    (
        "tests/memory/tests/memory/pitched.rs",
        "fills_of_boxes",
        &[
            "PitchedViewMut::fill",
            "PitchedViewMut::fill_on",
            "PitchedViewMut::zero",
            "PitchedViewMut::zero_on",
        ],
    ),
    (
        "tests/memory/tests/memory/pitched.rs",
        "uninitialised_arrays",
        &["PitchedView::copy_to_pinned_on", "PitchedViewMut::copy_from_pinned_on"],
    ),
    (
        "tests/memory/tests/memory/processes.rs",
        "another_process_uses_memory_and_an_event",
        &["DeviceBuffer::share", "Event::share"],
    ),
    (
        "tests/memory/tests/memory/processes.rs",
        "another_process_uses_memory_of_a_pool",
        &["MemoryPool::export"],
    ),
    (
        "tests/memory/tests/memory/reset.rs",
        "other_threads_go_on_with_the_new_one",
        &["Device::reset"],
    ),
    (
        "tests/memory/tests/memory/conversions.rs",
        "boxes_of_other_shapes_are_not_converted",
        &["DeviceView::part"],
    ),
    (
        "tests/tests/run/buffers.rs",
        "copies_both_ways",
        &[
            "DeviceBuffer::copy_from_buffer",
            "DeviceBuffer::copy_from_slice",
            "DeviceBuffer::copy_to_slice",
        ],
    ),
    ("tests/tests/run/buffers.rs", "device_properties", &["Device::attributes", "Device::name"]),
    ("tests/tests/run/buffers.rs", "pinned_memory", &["DeviceBuffer::copy_from_pinned_on"]),
    (
        "tests/tests/run/reflection.rs",
        "occupancy_depends_on_shared_memory",
        &[
            "CompiledKernel::active_blocks",
            "CompiledKernel::available_shared",
            "CompiledKernel::occupancy_fraction",
        ],
    ),
    (
        "tests/tests/run/streams.rs",
        "events_measure_and_order",
        &["Event::record", "Event::synchronize", "Stream::is_idle"],
    ),
    ("tests/tests/run/streams.rs", "streams_are_futures", &["Stream::finished"]),
    (
        "tests/textures/tests/textures/arrays.rs",
        "copies_of_all_shapes",
        &[
            "CudaArray::copy_from_buffer_on",
            "CudaArray::copy_from_slice",
            "CudaArray::copy_to_slice",
        ],
    ),
];

/// Names of methods that types of the standard library or of other crates also have.
const OF_OTHERS: [&str; 4] = ["dot", "into_vec", "kind", "name"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Calls `read` with the path from the root and the text of each source file.
fn for_each_file(folder: &Path, read: &mut impl FnMut(&str, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                for_each_file(&path, read);
            }
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            read(path.strip_prefix(root()).unwrap().to_str().unwrap(), &text);
        }
    }
}

/// Whether a file consists of tests, or of what they share.
fn is_of_tests(path: &str) -> bool {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    parts[0] == "tests" || parts.iter().any(|part| *part == "tests" || part.ends_with("_tests"))
}

/// Read once, since that takes seconds.
static SOURCES: LazyLock<Sources> = LazyLock::new(Sources::read);

struct Sources {
    functions: Functions,
    /// By file.
    tests: BTreeMap<String, Tests>,
    /// What all tests call together.
    all: Calls,
}

impl Sources {
    fn read() -> Self {
        let (mut functions, mut tests) = (Functions::default(), BTreeMap::new());
        let mut all = Calls::default();
        for folder in ["host", "tests", "examples", "device-std", "emulator", "image"] {
            for_each_file(&root().join(folder), &mut |path, text| {
                // Sources of tests for refused code need not be Rust.
                let Ok(tokens) = Tokens::of(text) else { return };
                let found = Tests::of(&tokens, is_of_tests(path));
                functions.add(&tokens);
                // This package calls nothing of Ptyx.
                if !path.starts_with("tests/house/") {
                    all.extend(&found.all);
                    tests.insert(path.to_owned(), found);
                }
            });
        }
        Sources { functions, tests, all }
    }

    /// Whether a method of this name can only be that of Ptyx.
    fn is_only(&self, name: &str) -> bool {
        self.functions.count(name) == 1 && !OF_OTHERS.contains(&name)
    }

    /// Why the check does not accept a link, if it does not.
    fn missing(&self, link: &str, exercised: &[(&str, &str, &[&str])]) -> Option<String> {
        let (of, name) = link.rsplit_once("::").unwrap_or(("", link));
        let named = exercised.iter().find(|(.., members)| members.contains(&link));
        if self.all.has_path(of, name)
            || !of.is_empty() && self.is_only(name) && self.all.has_method(name)
        {
            return named
                .map(|_| format!("{link}: leave it out of the list, which it does not need"));
        }
        let Some((file, test, _)) = named else {
            return Some(format!("{link}: no test exercises it, as far as names tell"));
        };
        let calls = self.tests.get(*file).and_then(|tests| tests.reached(test));
        match calls {
            None => Some(format!("{link}: {file} has no test `{test}`")),
            Some(calls) if !calls.has_method(name) => {
                Some(format!("{link}: `{test}` in {file} reaches no call of `{name}`"))
            }
            Some(_) => None,
        }
    }
}

#[test]
fn what_the_table_names_is_exercised() {
    let text = std::fs::read_to_string(root().join("host/src/runtime_api.rs")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("//! | `"));
    let mut found: Vec<String> = rows.flat_map(links).collect();
    found.sort();
    found.dedup();
    assert!(found.len() > 155, "{}", found.len());
    let mut wrong: Vec<String> =
        found.iter().filter_map(|link| SOURCES.missing(link, EXERCISED)).collect();
    let listed = EXERCISED.iter().flat_map(|(.., members)| *members);
    let unknown = listed.filter(|link| !found.iter().any(|known| known == *link));
    wrong.extend(unknown.map(|link| format!("{link}: no row links to it")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The check finds what no test calls, and entries of the list that are superfluous or false.
#[test]
fn what_is_not_exercised_is_found() {
    let (file, test) = ("host/src/graph/dot.rs", "each_node_and_each_edge_has_a_line");
    for (link, exercised, why) in [
        ("profiler_stop", &[][..], None),
        ("Graph::dot", &[], Some("no test exercises it")),
        ("Graph::never_called", &[], Some("no test exercises it")),
        ("never_called", &[], Some("no test exercises it")),
        ("Graph::dot", &[(file, test, &["Graph::dot"][..])], None),
        ("Graph::dot", &[(file, "other", &["Graph::dot"])], Some("has no test `other`")),
        ("Graph::dot", &[("host/src/none.rs", test, &["Graph::dot"])], Some("has no test")),
        ("Graph::launch", &[(file, test, &["Graph::launch"])], Some("no call of `launch`")),
        ("Stream::new", &[(file, test, &["Stream::new"])], Some("does not need")),
    ] {
        let missing = SOURCES.missing(link, exercised);
        let is_right = match (&missing, why) {
            (None, None) => true,
            (Some(found), Some(why)) => found.contains(why),
            _ => false,
        };
        assert!(is_right, "{link}: {missing:?}");
    }
}
