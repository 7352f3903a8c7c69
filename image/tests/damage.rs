//! Damaged images: whatever the bytes, decoding ends with an image whose indices are right, or with
//! an error, and never asks for much memory. `PTYX_SEED` repeats a run.

use ptyx_image::*;

/// Damaged images in a run.
const ROUNDS: u32 = 4000;

/// The header: magic, format, checksum and length of the payload.
const HEADER: usize = 24;

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn random() -> Random {
    Random(ptyx_test_support::seed() | 1)
}

/// An image with several of everything.
fn image(random: &mut Random) -> Image {
    let some = |random: &mut Random| 1 + random.below(4) as u32;
    let modules = some(random);
    let kernels: Vec<Kernel> = (0..some(random))
        .map(|number| Kernel {
            name: format!("a::k{number}"),
            entry: format!("k{number}"),
            args: vec![
                Layout { size: 8, align: 8, fingerprint: 0x0123_4567_89AB_CDEF };
                some(random) as usize
            ],
            params: vec![Param { arg: 0, offset: 4, size: 4, align: 4 }; some(random) as usize],
            knobs: KernelKnobs { threads: Some([number; 3]), ..KernelKnobs::default() },
            file: "src/lib.rs".into(),
            line: number,
            code: (0..some(random))
                .map(|_| {
                    let code = Code {
                        arch: Arch::BASE,
                        ptx_version: 63,
                        module: random.below(modules as usize) as u32,
                        directives_at: 3,
                        static_shared: 0,
                        moved_shared: 0,
                        limits: vec![Limit { arg: 0, offset: 0, less: 1, most: number }],
                        proved: Vec::new(),
                        proof: Some(Proof {
                            numbers: vec![
                                Number::Argument { arg: 0, offset: 4, size: 4 },
                                Number::Blocks(number as u8 % 3),
                                Number::Threads(2),
                            ],
                            quotients: vec![Quotient {
                                dividend: vec![Product { count: 3, factors: vec![1] }],
                                divisor: vec![Product { count: 1, factors: vec![2] }],
                            }],
                            levels: vec![vec![vec![Product { count: -1, factors: vec![0, 3] }]]],
                        }),
                        reports_panics: true,
                        prints: true,
                        asks_cooperative: true,
                        follows_pointers: false,
                        unknown_stack: false,
                        max_dims: MaxDims::ANY,
                        narrow_indices: true,
                        unchecked: false,
                    };
                    let proved = vec![Code { proof: None, ..code.clone() }];
                    Code { proved, ..code }
                })
                .collect(),
        })
        .collect();
    let roots = (0..some(random)).map(|number| Root {
        type_name: "a::k".into(),
        site: format!("a:{number}:2"),
        crate_id: 0x0123_4567_89AB_CDEF,
        instance: 0xFEDC_BA98_7654_3210,
        kernel: random.below(kernels.len()) as u32,
    });
    Image {
        roots: roots.collect(),
        modules: (0..modules)
            .map(|_| Module {
                ptx: ".version 6.3 \u{e9}".into(),
                debug_info: DebugInfo::Lines,
                llvm_ir: Some(Packed::new("define void @k()")),
                panics: sites(random),
                statics: statics(random),
            })
            .collect(),
        kernels,
        failed_targets: vec!["example `x`".into()],
        ..Image::default()
    }
}

/// Device statics with and without an initial value.
fn statics(random: &mut Random) -> Vec<Static> {
    (0..random.below(3))
        .map(|key| Static {
            key: key as u64,
            name: "a::COUNT".into(),
            kind: [StaticKind::Constant, StaticKind::Global][random.below(2)],
            variable: "count".into(),
            layout: Layout { size: 4, align: 4, fingerprint: random.next() },
            initial: (random.below(2) == 0).then(|| vec![1, 2, 3, 4]),
        })
        .collect()
}

/// Places that may panic, in one file.
fn sites(random: &mut Random) -> panic::Panics {
    let mut panics = panic::Panics::default();
    for line in 1..=1 + random.below(4) as u32 {
        let (index, len) = (panic::Word::Recorded(0), panic::Word::Constant(random.next()));
        let message = match random.below(2) {
            0 => panic::Message::Bounds { index, len },
            _ => panic::Message::Parts(vec![len, index]),
        };
        let file = panics.file("src/lib.rs".into());
        panics.sites.push(panic::Site { file, line, column: 5, message });
        panics.prints.push(vec![index, len]);
    }
    panics
}

/// Changes, inserts, removes or doubles bytes of the payload; then the header is right again, so that
/// the damage gets past the checksum.
fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut payload = bytes[HEADER..].to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(payload.len());
        match random.below(6) {
            0 => payload.truncate(at),
            1 => payload.insert(at, random.next() as u8),
            // The largest of the numbers of variable length that lengths and indices are written as.
            2 => drop(payload.splice(at..at, [0xff, 0xff, 0xff, 0xff, 0x0f])),
            3 => drop(payload.splice(at..at, [0xff; 9].into_iter().chain([1]))),
            4 => {
                let tail = payload[at..].to_vec();
                payload.extend(tail);
            }
            _ => {
                if let Some(byte) = payload.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    let mut damaged = bytes[..12].to_vec();
    damaged.extend(crc32fast::hash(&payload).to_le_bytes());
    damaged.extend((payload.len() as u64).to_le_bytes());
    damaged.extend(payload);
    damaged
}

/// Everything that a reader may rely on.
fn assert_sound(image: &Image) {
    for root in &image.roots {
        assert!((root.kernel as usize) < image.kernels.len());
    }
    for kernel in &image.kernels {
        assert!(!kernel.code.is_empty());
        for code in &kernel.code {
            let levels = code.proof.as_ref().map_or(0, |proof| proof.levels.len());
            assert_eq!(code.proved.len(), levels);
            assert!(code.proved.iter().all(|proved| proved.proof.is_none()));
        }
        for code in kernel.all_code() {
            let ptx = &image.modules[code.module as usize].ptx;
            assert!(ptx.split_at_checked(code.directives_at as usize).is_some());
        }
        for param in &kernel.params {
            let size = kernel.args[param.arg as usize].size;
            assert!(u64::from(param.offset) + u64::from(param.size) <= u64::from(size));
        }
        for layout in &kernel.args {
            assert!(layout.align.is_power_of_two(), "{layout:?}");
        }
        for param in &kernel.params {
            assert!(param.align.is_power_of_two(), "{param:?}");
        }
    }
    for module in &image.modules {
        let _ = module.llvm_ir.as_ref().map(Packed::unpack);
    }
}

#[test]
fn damaged_payloads_are_errors_or_sound() {
    let mut random = random();
    let whole: Vec<Vec<u8>> = (0..16).map(|_| image(&mut random).encode().unwrap()).collect();
    let mut taken = 0;
    for round in 0..ROUNDS {
        let bytes = damage(&whole[random.below(whole.len())], &mut random);
        if let Ok(image) = Image::decode(&bytes) {
            taken += 1;
            assert_sound(&image);
            let again = image.encode().unwrap();
            assert_eq!(Image::decode(&again), Ok(image), "round {round}");
        }
    }
    println!("{taken} of {ROUNDS} damaged images were taken");
    assert!(taken > 0, "no damage gets past the checksum: the test tests nothing");
}

#[test]
fn random_bytes_are_errors() {
    let mut random = random();
    for _ in 0..ROUNDS {
        let mut bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
        if random.below(2) == 0 && bytes.len() >= HEADER {
            bytes[..8].copy_from_slice(&MAGIC);
            bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        }
        assert!(Image::decode(&bytes).is_err());
        let _ = encoded_len(&bytes);
    }
}
