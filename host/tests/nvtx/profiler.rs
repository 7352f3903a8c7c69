//! A profiler for tests: it writes each event to standard error. Built by the test, by rustc alone.
//!
//! It has the layouts of NVTX in other words than Ptyx does: offsets and numbers as NVIDIA's headers have them.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

type Slots = *mut *mut *mut c_void;
type GetTable = extern "C" fn(c_uint, *mut Slots, *mut c_uint) -> c_int;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn InitializeInjectionNvtx2(
    export: extern "C" fn(u32) -> *const c_void,
) -> c_int {
    if std::env::var_os("PROFILER_REFUSES").is_some() {
        return 0;
    }
    assert!(export(0).is_null() && export(2).is_null() && export(77).is_null());
    unsafe {
        let version = export(3).cast::<u32>();
        assert_eq!((export(3).cast::<usize>().read(), version.add(2).read()), (24, 3));
        let callbacks = export(1).cast::<usize>();
        assert_eq!(callbacks.read(), 16);
        let get: GetTable = std::mem::transmute(callbacks.add(1).read());
        let mut sizes = Vec::new();
        for module in 0..9 {
            let (mut table, mut size) = (std::ptr::null_mut(), 0);
            match get(module, &mut table, &mut size) {
                0 => assert!(module == 0 || module > 6),
                _ => {
                    assert!(table.read().is_null() && table.add(size as usize).read().is_null());
                    sizes.push(size);
                }
            }
            let mut set = |id: usize, function: *mut c_void| table.add(id).read().write(function);
            match module {
                1 => {
                    set(1, mark as *mut c_void);
                    set(4, start as *mut c_void);
                    set(7, end as *mut c_void);
                    set(8, push as *mut c_void);
                    set(11, pop as *mut c_void);
                    set(14, name_thread as *mut c_void);
                }
                2 => set(5, name_stream as *mut c_void),
                5 => {
                    set(1, domain_mark as *mut c_void);
                    set(2, domain_start as *mut c_void);
                    set(3, domain_end as *mut c_void);
                    set(4, domain_push as *mut c_void);
                    set(5, domain_pop as *mut c_void);
                    set(12, domain_create as *mut c_void);
                }
                _ => {}
            }
        }
        assert_eq!(sizes, [16, 9, 15, 7, 16, 7]);
    }
    1
}

unsafe fn text(text: *const c_char) -> String {
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// An event: `nvtxEventAttributes_v2`, by offsets.
unsafe fn event(event: *const u8) -> String {
    unsafe {
        let word = |offset: usize| event.add(offset).cast::<u32>().read();
        assert_eq!((event.cast::<u16>().read(), event.add(2).cast::<u16>().read()), (3, 48));
        assert_eq!((word(20), word(32)), (0, 1));
        let message = text(event.add(40).cast::<*const c_char>().read());
        let mut shown = format!("`{message}`");
        if word(4) != 0 {
            shown += &format!(" category {}", word(4));
        }
        if word(8) != 0 {
            shown += &format!(" colour {:x}", word(12));
        }
        if word(16) != 0 {
            shown += &format!(" payload {}", event.add(24).cast::<u64>().read());
        }
        shown
    }
}

fn say(line: String) {
    eprintln!("nvtx: {line}");
}

static RANGES: AtomicU64 = AtomicU64::new(40);

unsafe extern "C" fn mark(e: *const u8) {
    say(format!("mark {}", unsafe { event(e) }));
}

unsafe extern "C" fn start(e: *const u8) -> u64 {
    let id = RANGES.fetch_add(1, Ordering::Relaxed);
    say(format!("start {id} {}", unsafe { event(e) }));
    id
}

unsafe extern "C" fn end(id: u64) {
    say(format!("end {id}"));
}

unsafe extern "C" fn push(e: *const u8) -> c_int {
    say(format!("push {}", unsafe { event(e) }));
    0
}

unsafe extern "C" fn pop() -> c_int {
    say("pop".to_owned());
    0
}

unsafe extern "C" fn name_thread(id: u32, name: *const c_char) {
    let own = std::fs::read_link("/proc/thread-self").unwrap();
    assert!(own.to_str().unwrap().ends_with(&format!("/{id}")));
    say(format!("thread `{}`", unsafe { text(name) }));
}

unsafe extern "C" fn name_stream(stream: *mut c_void, name: *const c_char) {
    assert!(!stream.is_null());
    say(format!("stream `{}`", unsafe { text(name) }));
}

unsafe extern "C" fn domain_create(name: *const c_char) -> *mut c_void {
    let name = unsafe { text(name) };
    say(format!("domain `{name}`"));
    Box::into_raw(Box::new(name)).cast()
}

unsafe fn of(domain: *mut c_void) -> &'static str {
    unsafe { &*domain.cast::<String>() }
}

unsafe extern "C" fn domain_mark(domain: *mut c_void, e: *const u8) {
    say(format!("{}: mark {}", unsafe { of(domain) }, unsafe { event(e) }));
}

unsafe extern "C" fn domain_start(domain: *mut c_void, e: *const u8) -> u64 {
    say(format!("{}: start {}", unsafe { of(domain) }, unsafe { event(e) }));
    7
}

unsafe extern "C" fn domain_end(domain: *mut c_void, id: u64) {
    say(format!("{}: end {id}", unsafe { of(domain) }));
}

unsafe extern "C" fn domain_push(domain: *mut c_void, e: *const u8) -> c_int {
    say(format!("{}: push {}", unsafe { of(domain) }, unsafe { event(e) }));
    0
}

unsafe extern "C" fn domain_pop(domain: *mut c_void) -> c_int {
    say(format!("{}: pop", unsafe { of(domain) }));
    0
}
