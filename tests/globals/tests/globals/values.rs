//! Values of many types, of statics in many places.

use crate::library;
use ptyx::prelude::*;
use ptyx::{Constant, Global};
use ptyx_globals_tests::{SCALE, SEEN, factor, inner, scale_on};
use ptyx_test_support::rng;

/// A struct with padding, an enum, and types with values that are not valid.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Settings {
    flag: bool,
    weight: f64,
    kind: Kind,
    letter: Option<char>,
    pair: (u8, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(u8)]
enum Kind {
    First,
    Second(f32),
}

#[device_static]
static SETTINGS: Constant<Settings> = Constant::new(Settings {
    flag: true,
    weight: 0.5,
    kind: Kind::Second(2.5),
    letter: Some('x'),
    pair: (7, 70_000),
});

/// A static of the name of a library's.
#[device_static]
static SEEN_HERE: Global<[Atomic<u32>; 4]> = Global::new([const { Atomic::new(3) }; 4]);

/// Larger than constant memory, and not all zeros.
#[device_static]
static TABLE: Global<[u32; 20_000]> = Global::new({
    let mut table = [0; 20_000];
    table[19_999] = 5;
    table[1] = 6;
    table
});

/// Elements of threads, written without atomics.
#[device_static]
static STATES: Global<[u64; 64]> = Global::zeroed();

#[device_static]
static NOTHING: Constant<()> = Constant::new(());

/// A name in a function, of which another function has one, too.
fn local_a() -> u32 {
    #[device_static]
    static LOCAL: Constant<u32> = Constant::new(11);
    *LOCAL
}

fn local_b() -> u32 {
    #[device_static]
    static LOCAL: Constant<u32> = Constant::new(22);
    *LOCAL
}

/// Statics that one macro makes.
macro_rules! statics {
    ($($name:ident = $value:expr;)*) => {$(
        #[device_static]
        static $name: Constant<u64> = Constant::new($value);
    )*};
}
statics! { MADE_A = 33; MADE_B = 44; }

/// References in a table.
static BOTH: [&Constant<[f32; 4]>; 2] = [&SCALE, &inner::SCALE];

/// Any constant, by reference.
#[inline(never)]
fn sum_of(constants: [&Constant<[f32; 4]>; 2], at: usize) -> f32 {
    constants.iter().map(|constant| constant[at]).sum()
}

/// What a kernel saw.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Report {
    scale: f32,
    inner: f32,
    by_table: f32,
    sum: f32,
    settings: Settings,
    locals: [u32; 2],
    made: [u64; 2],
    table: [u32; 3],
    before: u64,
}

#[kernel]
fn report(mut reports: Disjoint<Report>) {
    let index = thread::index_1d();
    let i = index.get();
    if let Some(report) = reports.get_mut(index) {
        let () = *NOTHING;
        let at = i % 4;
        let table: &[u32] = &*TABLE;
        let states: *mut u64 = STATES.as_ptr().cast();
        // SAFETY: an element is used by one thread only, and the launch has as many as there are elements.
        let state = unsafe { &mut *states.add(i) };
        *report = Report {
            scale: factor(i),
            inner: inner::SCALE[at],
            by_table: BOTH[i / 4 % 2][at],
            sum: sum_of([&SCALE, &inner::SCALE], at),
            settings: *SETTINGS,
            locals: [local_a(), local_b()],
            made: [*MADE_A, *MADE_B],
            table: [table[1], table[19_999], table[i]],
            before: *state,
        };
        *state = *state * 3 + i as u64 + 1;
        SEEN.fetch_add(1);
        SEEN_HERE[at].fetch_max(i as u32);
    }
}

fn reports() -> Vec<Report> {
    let settings = *HOST_SETTINGS;
    let empty = Report {
        scale: 0.0,
        inner: 0.0,
        by_table: 0.0,
        sum: 0.0,
        settings,
        locals: [0; 2],
        made: [0; 2],
        table: [0; 3],
        before: 0,
    };
    let mut reports = DeviceBuffer::filled(64, empty).unwrap();
    launch!(report<<<2, 32>>>(&mut reports)).unwrap();
    reports.to_vec().unwrap()
}

/// What [`SETTINGS`] starts with.
const HOST_SETTINGS: &Settings = &Settings {
    flag: true,
    weight: 0.5,
    kind: Kind::Second(2.5),
    letter: Some('x'),
    pair: (7, 70_000),
};

#[test]
fn kernels_see_what_the_host_sets() {
    let _library = library();
    let mut rng = rng();
    let seen = SEEN.get().unwrap();
    let (scale, other) = (SCALE.get().unwrap(), inner::SCALE.get().unwrap());
    assert_eq!((scale, other), ([1.0, 2.0, 4.0, 8.0], [3.0, 5.0, 7.0, 9.0]));
    assert_eq!(SEEN_HERE.get().unwrap(), [3; 4]);
    for (i, got) in reports().into_iter().enumerate() {
        let want = Report {
            scale: scale[i % 4],
            inner: other[i % 4],
            by_table: [scale, other][i / 4 % 2][i % 4],
            sum: scale[i % 4] + other[i % 4],
            settings: *HOST_SETTINGS,
            locals: [11, 22],
            made: [33, 44],
            table: [6, 5, if i == 1 { 6 } else { 0 }],
            before: 0,
        };
        assert_eq!(got, want, "thread {i}");
    }
    assert_eq!(SEEN.get().unwrap(), seen + 64);
    assert_eq!(SEEN_HERE.get().unwrap(), [60, 61, 62, 63]);

    // Everything changes.
    let scale = [0; 4].map(|_| rng.next_f32());
    let settings = Settings {
        flag: false,
        weight: rng.next_f64(),
        kind: Kind::First,
        letter: None,
        pair: (rng.below(256) as u8, rng.next_u32()),
    };
    let mut table = [0; 20_000];
    table.fill_with(|| rng.next_u32());
    let states: [u64; 64] = core::array::from_fn(|_| rng.next_u64() >> 8);
    SCALE.set(&scale).unwrap();
    SETTINGS.set(&settings).unwrap();
    MADE_B.set(&u64::MAX).unwrap();
    TABLE.set(&table).unwrap();
    STATES.set(&states).unwrap();
    SEEN.set(&5).unwrap();
    NOTHING.set(&()).unwrap();
    for (i, got) in reports().into_iter().enumerate() {
        let want = Report {
            scale: scale[i % 4],
            inner: other[i % 4],
            by_table: [scale, other][i / 4 % 2][i % 4],
            sum: scale[i % 4] + other[i % 4],
            settings,
            locals: [11, 22],
            made: [33, u64::MAX],
            table: [table[1], table[19_999], table[i]],
            before: states[i],
        };
        assert_eq!(got, want, "thread {i}");
    }
    assert_eq!(SEEN.get().unwrap(), 69);
    assert_eq!((SCALE.get().unwrap(), SETTINGS.get().unwrap()), (scale, settings));
    assert!(TABLE.get().unwrap() == table);
    let advanced: [u64; 64] = core::array::from_fn(|i| states[i] * 3 + i as u64 + 1);
    assert_eq!(STATES.get().unwrap(), advanced);

    // A kernel of the library, whose module is loaded now.
    let x = rng.vec(100, |rng| rng.next_f32());
    let mut device_x = DeviceBuffer::from_slice(&x).unwrap();
    scale_on(&mut device_x, &Stream::default().unwrap()).unwrap();
    let want: Vec<f32> = x.iter().enumerate().map(|(i, x)| x * scale[i % 4]).collect();
    assert_eq!(device_x.to_vec().unwrap(), want);
    assert_eq!(SEEN.get().unwrap(), 169);
    SCALE.set(&[1.0, 2.0, 4.0, 8.0]).unwrap();
}

/// All of constant memory but 8 bytes, in which the module has its number for panics.
#[device_static]
static WHOLE: Constant<[u32; WHOLE_LEN]> = Constant::new([1; WHOLE_LEN]);

const WHOLE_LEN: usize = (64 << 10) / 4 - 2;

#[kernel]
fn sum_whole(mut y: Disjoint<u32>) {
    let index = thread::index_1d();
    if let Some(y) = y.get_mut(index) {
        let own = WHOLE[index.get()..].iter().step_by(32);
        *y = own.fold(0, |sum, x| sum.wrapping_add(*x));
    }
}

#[test]
fn a_constant_may_take_64_kib() {
    let mut rng = rng();
    for round in 0..2 {
        let values = WHOLE.get().unwrap();
        let mut y = DeviceBuffer::<u32>::zeroed(32).unwrap();
        launch!(sum_whole<<<1, 32>>>(&mut y)).unwrap();
        let own = |i: usize| values[i..].iter().step_by(32);
        let want: Vec<u32> =
            (0..32).map(|i| own(i).fold(0u32, |sum, x| sum.wrapping_add(*x))).collect();
        assert_eq!(y.to_vec().unwrap(), want, "round {round}");
        WHOLE.set(&core::array::from_fn(|_| rng.next_u32())).unwrap();
    }
}

/// A static that no kernel uses has a value, too; one without its attribute is an error.
#[test]
fn the_host_alone() {
    #[device_static]
    static UNUSED: Constant<u32> = Constant::new(5);
    #[device_static]
    static UNUSED_GLOBAL: Global<[f64; 3]> = Global::new([0.5, 1.5, 2.5]);
    static NAMELESS: Constant<u32> = Constant::new(5);
    assert_eq!((UNUSED.get().unwrap(), UNUSED_GLOBAL.get().unwrap()), (5, [0.5, 1.5, 2.5]));
    UNUSED.set(&6).unwrap();
    UNUSED_GLOBAL.set(&[1.0; 3]).unwrap();
    assert_eq!((UNUSED.get().unwrap(), UNUSED_GLOBAL.get().unwrap()), (6, [1.0; 3]));
    for error in [NAMELESS.set(&1).unwrap_err(), NAMELESS.get().unwrap_err()] {
        assert!(matches!(error, ptyx::Error::Static { .. }), "{error}");
        assert!(error.to_string().contains("#[device_static]"), "{error}");
    }
    let panic = std::panic::catch_unwind(|| *UNUSED).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("UNUSED") && text.contains("get"), "{text}");
}
