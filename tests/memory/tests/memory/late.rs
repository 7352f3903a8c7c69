//! Other tests once more, with work that runs late.

/// Each random program of the other tests, with work that runs late.
#[test]
fn boxes_that_are_copied_late() {
    let variables = [("PTYX_EMULATOR_ASYNC", "1")];
    let program = std::env::current_exe().unwrap();
    let zero = [
        "kernels::kernels_and_copies_on_several_streams",
        "pinned::the_host_and_kernels_take_turns",
        "pinned::scopes_end_when_nothing_uses_the_slice",
        "pinned::raw_pointers_to_pinned_memory",
    ];
    let one =
        ["pitched::random_copies_of_boxes", "growable::a_buffer_grows_and_shrinks_like_a_vector"];
    let two = [
        "arrays::boxes_of_arrays_of_all_dimensions",
        "managed::the_host_and_kernels_take_turns",
        "managed::raw_pointers_to_managed_memory",
        "managed::attached_to_one_stream_or_the_host",
        "processes::another_process_uses_memory_and_an_event",
        "processes::another_process_uses_memory_of_a_pool",
        "processes::another_process_maps_a_growable_buffer",
    ];
    // Those that are compiled.
    let zero = zero.iter().filter(|_| cfg!(part = "0"));
    let one = one.iter().filter(|_| cfg!(part = "1"));
    let two = two.iter().filter(|_| cfg!(part = "2"));
    for name in zero.chain(one).chain(two) {
        let output = std::process::Command::new(&program)
            .args(["--exact", name, "--nocapture"])
            .envs(variables)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}
