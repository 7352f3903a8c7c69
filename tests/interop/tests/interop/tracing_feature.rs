//! Driver calls as events and launches as spans, for a subscriber of the test's own.

use ptyx::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event as TraceEvent, Level, Metadata, Subscriber};

#[kernel]
fn double(mut numbers: Disjoint<u32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] *= 2;
    }
}

/// For one test alone.
#[kernel]
fn triple(mut numbers: Disjoint<u32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] *= 3;
    }
}

/// What happened: spans that begin, end, and events.
#[derive(Clone, Debug)]
struct Seen {
    what: &'static str,
    name: &'static str,
    target: String,
    level: Level,
    fields: HashMap<&'static str, String>,
}

#[derive(Clone, Default)]
struct Collector {
    seen: Arc<Mutex<Vec<Seen>>>,
    most: Option<Level>,
}

struct Fields(HashMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Collector {
    fn note(&self, what: &'static str, meta: &Metadata<'static>, fields: Fields) {
        let (name, target, level) = (meta.name(), meta.target().to_owned(), *meta.level());
        let seen = Seen { what, name, target, level, fields: fields.0 };
        self.seen.lock().unwrap().push(seen);
    }
}

impl Subscriber for Collector {
    fn enabled(&self, meta: &Metadata<'_>) -> bool {
        meta.target().starts_with("ptyx") && self.most.is_none_or(|most| *meta.level() <= most)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(HashMap::new());
        span.record(&mut fields);
        self.note("span", span.metadata(), fields);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {
        self.seen.lock().unwrap().push(Seen {
            what: "end",
            name: "",
            target: String::new(),
            level: Level::DEBUG,
            fields: HashMap::new(),
        });
    }

    fn event(&self, event: &TraceEvent<'_>) {
        let mut fields = Fields(HashMap::new());
        event.record(&mut fields);
        self.note("event", event.metadata(), fields);
    }
}

/// What happens in `work`, on this thread.
fn seen(most: Option<Level>, work: impl FnOnce()) -> Vec<Seen> {
    let collector = Collector { seen: Arc::default(), most };
    tracing::subscriber::with_default(collector.clone(), work);
    let seen = collector.seen.lock().unwrap();
    seen.clone()
}

fn launch_once(numbers: &mut DeviceBuffer<u32>) -> u32 {
    launch!(double<<<2, 32>>>(numbers)).unwrap();
    line!() - 1
}

#[test]
fn launches_are_spans_with_the_driver_s_calls_in_them() {
    let mut numbers = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    // The first launch assembles the kernel.
    let mut tripled = DeviceBuffer::from_slice(&[1u32; 3]).unwrap();
    let first = seen(None, || launch!(triple<<<1, 32>>>(&mut tripled)).unwrap());
    let assembling = first.iter().find(|seen| seen.name == "assemble").unwrap();
    assert!(assembling.fields["kernel"].ends_with("::triple"), "{assembling:?}");
    launch_once(&mut numbers);
    let mut line = 0;
    let warm = seen(None, || line = launch_once(&mut numbers));
    let kinds: Vec<(&str, &str)> = warm.iter().map(|seen| (seen.what, &*seen.target)).collect();
    assert_eq!(kinds, [("span", "ptyx"), ("event", "ptyx::driver"), ("end", "")], "{warm:#?}");
    let [span, call, _] = &warm[..] else { panic!() };
    assert_eq!((span.name, span.level), ("launch", Level::DEBUG));
    assert!(span.fields["kernel"].ends_with("::double"), "{span:?}");
    assert!(span.fields["place"].contains(&format!("tracing_feature.rs:{line}:")), "{span:?}");
    assert_eq!((&*span.fields["blocks"], &*span.fields["threads"]), ("[2, 1, 1]", "[32, 1, 1]"));
    assert_eq!((&*call.fields["function"], call.level), ("cuLaunchKernel", Level::TRACE));
    assert_eq!(call.fields["result"], "CUDA_SUCCESS");
    let arguments = &call.fields["arguments"];
    assert!(arguments.contains("grid_x=2, ") && arguments.contains("block_x=32, "), "{call:?}");
    assert!(call.fields["duration_us"].parse::<f64>().unwrap() > 0.0);
    assert_eq!(numbers.to_vec().unwrap(), [4, 8, 12]);
}

#[test]
fn a_subscriber_gets_only_what_it_wants() {
    let mut numbers = DeviceBuffer::from_slice(&[1u32; 3]).unwrap();
    launch_once(&mut numbers);
    let coarse = seen(Some(Level::DEBUG), || {
        launch_once(&mut numbers);
    });
    let kinds: Vec<&str> = coarse.iter().map(|seen| seen.what).collect();
    assert_eq!(kinds, ["span", "end"]);
    let none = seen(Some(Level::WARN), || {
        launch_once(&mut numbers);
    });
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn a_failed_call_says_what_failed() {
    let device = Device::current().unwrap();
    let failed = seen(None, || {
        device.attribute(-1).unwrap_err();
    });
    let calls = failed.iter().filter(|seen| seen.what == "event");
    let calls: Vec<_> =
        calls.map(|seen| (&*seen.fields["function"], &*seen.fields["result"])).collect();
    assert!(calls.contains(&("cuDeviceGetAttribute", "CUDA_ERROR_INVALID_VALUE")), "{calls:?}");
}

/// A launch of a module's function is a span, too, and a profile does not keep events away.
#[test]
fn launches_of_functions_in_a_profile() {
    const PTX: &str =
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry idle() { ret; }";
    let idle = ptyx::Module::from_ptx(PTX).unwrap().function("idle").unwrap();
    let mut profile = None;
    let seen = seen(None, || {
        // SAFETY: it does nothing.
        let launch = || unsafe { idle.launch(LaunchConfig::new().threads(64), ()) };
        profile = Some(ptyx::profile(launch).unwrap().1);
    });
    let span = seen.iter().find(|seen| seen.name == "launch").unwrap();
    assert_eq!((&*span.fields["kernel"], &*span.fields["threads"]), ("idle", "[64, 1, 1]"));
    let called = |name: &str| {
        let is_it = |seen: &&Seen| seen.fields.get("function").is_some_and(|known| known == name);
        seen.iter().filter(is_it).count()
    };
    assert_eq!(called("cuLaunchKernel"), 1);
    assert!(called("cuEventRecord") >= 2);
    assert_eq!(profile.unwrap().work()[0].name, "idle");
}
