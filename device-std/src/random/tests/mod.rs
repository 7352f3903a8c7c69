//! The generators against published vectors and their own definitions; [`statistics`] has what is made of them.

mod statistics;

use super::*;
use std::format;
use std::string::String;
use std::vec::Vec;

/// The lines for these functions of the file `kat_vectors` that comes with Random123, the library of the paper's
/// authors: rounds, counter, key, result. The third counter and key are digits of π.
const PI: [u32; 8] = [
    0x243f_6a88,
    0x85a3_08d3,
    0x1319_8a2e,
    0x0370_7344,
    0xa409_3822,
    0x299f_31d0,
    0x082e_fa98,
    0xec4e_6c89,
];
const ONES: u32 = u32::MAX;

#[test]
fn known_answers_of_philox4x32_10() {
    let zeros = philox4x32([0; 4], [0; 2]);
    assert_eq!(zeros, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    let ones = philox4x32([ONES; 4], [ONES; 2]);
    assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    let pi = philox4x32([PI[0], PI[1], PI[2], PI[3]], [PI[4], PI[5]]);
    assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
}

#[test]
fn known_answers_of_threefry4x32_20() {
    let zeros = threefry4x32([0; 4], [0; 4]);
    assert_eq!(zeros, [0x9c6c_a96a, 0xe17e_ae66, 0xfc10_ecd4, 0x5256_a7d8]);
    let ones = threefry4x32([ONES; 4], [ONES; 4]);
    assert_eq!(ones, [0x2a88_1696, 0x5701_2287, 0xf6c7_446e, 0xa16a_6732]);
    let pi = threefry4x32([PI[0], PI[1], PI[2], PI[3]], [PI[4], PI[5], PI[6], PI[7]]);
    assert_eq!(pi, [0x59cd_1dbb, 0xb887_9579, 0x86b5_d00c, 0xac8b_6d84]);
}

#[test]
fn known_answers_of_threefry2x64_20() {
    assert_eq!(threefry2x64([0; 2], [0; 2]), [0xc2b6_e3a8_c2c6_9865, 0x6f81_ed42_f350_084d]);
    let ones = threefry2x64([u64::MAX; 2], [u64::MAX; 2]);
    assert_eq!(ones, [0xe02c_b7c4_d95d_277a, 0xd066_33d0_893b_8b68]);
    let word = |i: usize| u64::from(PI[i]) << 32 | u64::from(PI[i + 1]);
    let pi = threefry2x64([word(0), word(2)], [word(4), word(6)]);
    assert_eq!(pi, [0x263c_7d30_bb0f_0af1, 0x56be_8361_d331_1526]);
}

fn words<P: Permutation>(rng: &mut Generator<P>, n: usize) -> Vec<u32> {
    (0..n).map(|_| rng.next_u32()).collect()
}

/// NVIDIA's cuRAND guide and header: the key is the seed; a subsequence has 2^66 words and is the upper half of
/// the counter.
#[test]
fn philox_counts_as_curand_does() {
    let (seed, subsequence) = (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210u64);
    let key = [0x89ab_cdef, 0x0123_4567];
    let blocks: Vec<u32> =
        (0..3).flat_map(|block| philox4x32([block, 7, 0x7654_3210, 0xfedc_ba98], key)).collect();
    for offset in 0..5 {
        let mut rng = Philox4x32::at(seed, subsequence, (7u64 << 34) + offset);
        assert_eq!(words(&mut rng, 7), blocks[offset as usize..][..7], "offset {offset}");
    }
}

/// What cuRAND's own header (of version 10.4.5), compiled for the host, gives after `curand_init` with these three
/// numbers: six of `curand`, then the bits of `curand_uniform`, then `curand` after `skipahead(77)` and after
/// `skipahead_sequence(3)`.
#[test]
fn philox_gives_what_curand_gives() {
    let cases = [
        (
            [0, 0, 0],
            "6627e8d5 e169c58d bc57ac4c 9b00dbd8 f8e4cca4 5cb200db 3f31a575 63b55bfe 878e52d0",
        ),
        (
            [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, (7 << 34) + 2],
            "3e2918bb 8f6ca42d 47adc21a dc9af72b 2ed0a0d7 53c096a3 3f365e0b cfb2ddba 30e5935c",
        ),
        (
            [42, 5, 1],
            "68b79cb4 7b2228a5 df5aef1c 98712bb9 c696c1de 5845cbee 3ee94d74 73cfc917 226768d0",
        ),
        (
            [1, 2, u64::MAX - 2],
            "edfe1ddb 18ed465f 7fad7078 693a0411 14bf3611 e9b23a0a 3f007b23 18cc71d2 61c2a395",
        ),
    ];
    for ([seed, subsequence, offset], want) in cases {
        let mut rng = Philox4x32::at(seed, subsequence, offset);
        let mut got = words(&mut rng, 6);
        got.push(rng.open_closed::<f32>().to_bits());
        rng.skip(77);
        got.push(rng.next_u32());
        rng.skip_subsequences(3);
        got.push(rng.next_u32());
        let got: Vec<String> = got.iter().map(|word| format!("{word:08x}")).collect();
        assert_eq!(got.join(" "), want);
    }
}

/// Any mixture of skips and draws gives the words that drawing alone gives.
fn skipping_is_stepping<P: Permutation>() {
    let sequence = words(&mut Generator::<P>::at(11, 3, 0), 4000);
    let mut choices = Philox4x32::new(5);
    for _ in 0..200 {
        let mut rng = Generator::<P>::at(11, 3, 0);
        let mut place = 0;
        while place < 3900 {
            assert_eq!(rng.position(), place as u64);
            assert_eq!(Generator::<P>::at(11, 3, rng.position()).next_u32(), sequence[place]);
            match choices.below(4) {
                0 => assert_eq!(rng.next_u32x4(), sequence[place..][..4], "four at {place}"),
                1 => {
                    let n = choices.below(80) as usize;
                    rng.skip(n as u64);
                    place += n;
                    continue;
                }
                _ => {
                    assert_eq!(rng.next_u32(), sequence[place], "at {place}");
                    place += 1;
                    continue;
                }
            }
            place += 4;
        }
    }
}

/// Places in the sequence where a counter's word or half is full.
fn subsequences_follow_each_other<P: Permutation>() {
    for (block, subsequence) in [((1u64 << 32) - 1, 3), (u64::MAX, 3), (u64::MAX, u64::MAX)] {
        let start = || {
            let mut rng = Generator::<P>::at(11, subsequence, 0);
            (0..4).for_each(|_| rng.skip(block)); // 4 words a block
            rng
        };
        let mut rng = start();
        let drawn = words(&mut rng, 11);
        for n in 0..11 {
            let mut rng = start();
            rng.skip(n as u64);
            assert_eq!(words(&mut rng, 11 - n), drawn[n..], "{n} from block {block}");
        }
    }
    let mut rng = Generator::<P>::at(11, 3, 0);
    (0..4).for_each(|_| rng.skip(u64::MAX));
    rng.skip(4);
    assert_eq!(rng, Generator::at(11, 4, 0), "2^66 words are a subsequence");
    for drawn in 0..9 {
        let mut rng = Generator::<P>::at(11, u64::MAX, drawn);
        rng.skip_subsequences(3);
        assert_eq!(words(&mut rng, 9), words(&mut Generator::<P>::at(11, 2, drawn), 9));
    }
    // The last block of a subsequence, half drawn.
    let mut rng = Generator::<P>::at(11, 7, 0);
    (0..4).for_each(|_| rng.skip(u64::MAX));
    rng.skip(2);
    rng.skip_subsequences(1);
    let mut expected = Generator::<P>::at(11, 8, 0);
    (0..4).for_each(|_| expected.skip(u64::MAX));
    expected.skip(2);
    assert_eq!(words(&mut rng, 9), words(&mut expected, 9));
}

macro_rules! each_generator {
    ($($module:ident: $permutation:ident;)*) => {$(
        mod $module {
            #[test]
            fn skipping_is_stepping() {
                super::skipping_is_stepping::<super::$permutation>();
            }
            #[test]
            fn subsequences_follow_each_other() {
                super::subsequences_follow_each_other::<super::$permutation>();
            }
        }
    )*};
}

each_generator! {
    of_philox4x32: Philox;
    of_threefry4x32: Threefry32;
    of_threefry2x64: Threefry64;
}

/// Yields the given words, from the last to the first.
struct Script(Vec<u32>);

impl Random for Script {
    fn next_u32(&mut self) -> u32 {
        self.0.pop().expect("the script has a word left")
    }
}

/// `f` of these words, all of which it must draw.
fn scripted<T>(words: &[u32], f: impl FnOnce(&mut Script) -> T) -> T {
    let mut script = Script(words.iter().rev().copied().collect());
    let value = f(&mut script);
    assert!(script.0.is_empty(), "{} of {words:x?} are not drawn", script.0.len());
    value
}

#[test]
fn the_ends_of_the_floats() {
    let open_f32 = |word| scripted(&[word], |rng| rng.open_closed::<f32>());
    assert_eq!(open_f32(0), 2f32.powi(-33));
    assert_eq!(open_f32(1), 3.0 * 2f32.powi(-33));
    assert_eq!(open_f32(1 << 31), 0.5);
    assert_eq!(open_f32(ONES), 1.0);
    let uniform_f32 = |word| scripted(&[word], |rng| rng.uniform::<f32>());
    assert_eq!(uniform_f32(255), 0.0);
    assert_eq!(uniform_f32(ONES), 1.0 - 2f32.powi(-24));
    let both_f64 = |low, high| {
        (
            scripted(&[low, high], |rng| rng.uniform::<f64>()),
            scripted(&[low, high], |rng| rng.open_closed::<f64>()),
        )
    };
    assert_eq!(both_f64(0, 0), (0.0, 2f64.powi(-53)));
    assert_eq!(both_f64(ONES, ONES), (1.0 - 2f64.powi(-53), 1.0));
    assert_eq!(both_f64(0, 1 << 31), (0.5, 0.5 + 2f64.powi(-53)));
}

/// Where the logarithm is 0, where it is largest, and at each half of a turn.
#[test]
fn the_ends_of_the_normal_numbers() {
    let pair = |u, v| scripted(&[u, v], |rng| rng.normal2::<f32>());
    assert_eq!(pair(ONES, 0), [0.0, 0.0]);
    assert!((pair(0, ONES)[1] - 6.763_7).abs() < 1e-3, "{:?}", pair(0, ONES));
    assert!((pair(0, 1 << 31)[1] + 6.763_7).abs() < 1e-3, "{:?}", pair(0, 1 << 31));
    assert_eq!(scripted(&[ONES], |rng| rng.exponential(2.0f32)).to_bits(), 0);
    let largest = scripted(&[0, 0, ONES, ONES], |rng| rng.normal2::<f64>());
    assert!((largest[1] - 8.571_7).abs() < 1e-3, "{largest:?}");
    let normal = scripted(&[0, 0, ONES, ONES], |rng| rng.log_normal(0.0, 1.0f64));
    assert!((normal.ln() - largest[0]).abs() < 1e-12);
}

/// Sines and cosines that normal numbers are made with, against std's of the same angle.
#[test]
fn the_angles_of_normal_numbers() {
    let mut rng = Philox4x32::new(3);
    for _ in 0..20_000 {
        let turns: f64 = rng.open_closed();
        let radius = (-2.0f64).exp(); // of which the length is 2
        let (sine, cosine) = (turns * core::f64::consts::TAU).sin_cos();
        let [x, y] = float::normal_at(radius, turns);
        assert!((x - 2.0 * sine).abs() < 2e-15 && (y - 2.0 * cosine).abs() < 2e-15, "{turns}");
        let turns = turns as f32;
        let (sine, cosine) = (f64::from(turns) * core::f64::consts::TAU).sin_cos();
        let [x, y] = float::normal_at(radius as f32, turns).map(f64::from);
        assert!((x - 2.0 * sine).abs() < 5e-7 && (y - 2.0 * cosine).abs() < 5e-7, "{turns}");
    }
}

/// Which words are refused, and that the others are divided evenly: every word of a range for which 2^32 is not
/// a multiple, near each border.
#[test]
fn bounded_integers_refuse_as_few_words_as_possible() {
    // 2^32 mod 3 is 1: only the word 0 is refused.
    assert_eq!(scripted(&[0, 1], |rng| rng.below(3)), 0);
    assert_eq!(scripted(&[0x5555_5555], |rng| rng.below(3)), 0);
    assert_eq!(scripted(&[0x5555_5556], |rng| rng.below(3)), 1);
    assert_eq!(scripted(&[ONES], |rng| rng.below(3)), 2);
    // Of a power of two, none.
    assert_eq!(scripted(&[0], |rng| rng.below(1 << 31)), 0);
    assert_eq!(scripted(&[ONES], |rng| rng.below(1)), 0);
    assert_eq!(scripted(&[0, 0], |rng| rng.range(0..1u64 << 40)), 0);
    assert_eq!(scripted(&[0, 0, 1, 0], |rng| rng.range(0..3u64)), 0);
    assert_eq!(scripted(&[ONES, ONES], |rng| rng.range(0..u64::MAX)), u64::MAX - 1);
    assert_eq!(scripted(&[ONES], |rng| rng.range(i32::MIN..i32::MAX)), i32::MAX - 1);
    assert_eq!(scripted(&[ONES], |rng| rng.range(-128..127i8)), 126);
    assert_eq!(scripted(&[ONES, ONES], |rng| rng.range(i64::MIN..i64::MAX)), i64::MAX - 1);
}

#[test]
#[should_panic(expected = "the range is empty")]
fn an_empty_range() {
    Philox4x32::new(1).range(3..3);
}

#[test]
#[should_panic(expected = "no number below 0")]
fn below_nothing() {
    Philox4x32::new(1).below(0);
}

#[test]
fn poisson_of_impossible_means() {
    for mean in [-1e-300, f64::NAN, 1.1e9, f64::INFINITY] {
        let result = std::panic::catch_unwind(|| Philox4x32::new(1).poisson(mean));
        assert!(result.is_err(), "{mean}");
    }
}

#[test]
fn logarithms_of_factorials() {
    let mut want = 0.0;
    for n in 0..400 {
        want += f64::from(n.max(1)).ln();
        let got = poisson::ln_factorial(n.into());
        assert!((got - want).abs() < 1e-10 + 1e-14 * want, "{n}: {got}, not {want}");
    }
}
