// A device function that the host calls: a panic that says so, at the place of the call.
use ptyx::prelude::*;
use std::panic::catch_unwind;

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        let line = panic.location().map_or(0, |place| place.line());
        println!("line {line}: {}", panic.payload_as_str().unwrap_or_default());
    }));
    let calls: [fn(); 5] = [
        || _ = thread::index_1d(),
        || _ = thread::x(),
        || block::sync(),
        || _ = grid::threads(),
        || _ = warp::all(warp::FULL, true),
    ];
    for call in calls {
        assert!(catch_unwind(call).is_err());
    }
}
