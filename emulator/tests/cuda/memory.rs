use super::*;

/// Bytes of a structure, whose fields are aligned to their sizes.
fn structure(fields: &[&[u8]], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields {
        out.resize(out.len().next_multiple_of(field.len()), 0);
        out.extend_from_slice(field);
    }
    out.resize(size, 0);
    out
}

fn point(x: f32, y: f32, tag: i16, weight: f64) -> Vec<u8> {
    let fields: [&[u8]; 4] =
        [&x.to_le_bytes(), &y.to_le_bytes(), &tag.to_le_bytes(), &weight.to_le_bytes()];
    structure(&fields, 24)
}

#[test]
fn constants() {
    let (module, mut random) = (module!("memory"), Random::new());
    let index = random.ints(64, 0, 8);
    let (input, out) = (Buffer::new(&index), Buffer::new(&[0f32; 64]));
    module.run("constants", 1, 64, args![input, out]);
    assert_rows("constants", &out.values(), 64, |_, at| (index[at] + 1) as f32 * 0.5 + 106.75);
}

#[test]
fn globals() {
    let module = module!("memory");
    let out = Buffer::new(&[0i32; 64]);
    module.run("globals", 1, 64, args![out]);
    let table = [[15, 25, 35], [45, 55, 65]];
    let (message, words) = (b"a string\0", [b"zero\0", b"one\0\0", b"two\0\0", b"three"]);
    assert_rows("globals", &out.values(), 64, |_, at| {
        let letters = i32::from(message[at % 9]) + i32::from(words[at % 4][at % 3]);
        40 + 64 + table[at % 2][at % 3] + letters
    });
}

#[test]
fn dynamic_shared_memory() {
    let (module, mut random) = (module!("memory"), Random::new());
    let values = random.ints(96, 0, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 96]));
    let args = args![input, out, 96i32];
    assert_eq!(module.try_run("dynamic_shared", (1, 96, 96 * 12), args), 0);
    assert_rows("dynamic", &out.values(), 96, |_, at| values[95 - at] + values[(at + 1) % 96] / 2);
}

#[test]
fn structures_by_value() {
    let (module, mut random) = (module!("memory"), Random::new());
    let values = random.ints(20, -100, 100);
    let mut big: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    big.extend(point(1.5, 2.5, 3, 4.0));
    big.extend(point(-1.0, 8.0, -3, 0.25));
    let out = Buffer::new(&[0i32; 32]);
    let other = point(0.0, 0.0, 4, 2.25);
    module.run("by_value", 1, 32, args![big, vec![0u8], other, b'x', 1u8, out]);
    assert_rows("by_value", &out.values(), 32, |_, at| {
        let values: i32 = (0..20).map(|i| values[i * at % 20]).sum();
        i32::from(b'x') + 1000 + values + 11 + 4 + 9
    });
}

#[test]
fn arrays_of_a_thread() {
    let (module, mut random) = (module!("memory"), Random::new());
    let values = random.ints(32, 0, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 64]));
    module.run("local_arrays", 1, 64, args![input, out]);
    assert_rows("local_arrays", &out.values(), 64, |_, at| {
        let mut stack: Vec<i32> = Vec::new();
        for i in 0..32 {
            let value = values[(i + at) % 32];
            while stack.last().is_some_and(|&top| top > value) {
                stack.pop();
            }
            stack.push(value);
        }
        let sum = stack.iter().fold(0i32, |sum, value| sum.wrapping_mul(31).wrapping_add(*value));
        sum ^ (u64::from_le_bytes([at as u8; 8]) >> 3) as i32
    });
}

#[test]
fn vectors() {
    let (module, mut random) = (module!("memory"), Random::new());
    let values: Vec<f32> = random.ints(256, -50, 50).iter().map(|&v| v as f32).collect();
    let small: Vec<i16> = random.ints(256, -100, 100).iter().map(|&v| v as i16).collect();
    let wide: Vec<i64> = random.ints(128, -1000, 1000).iter().map(|&v| v.into()).collect();
    let out = Buffer::new(&[0f32; 256]);
    let inputs = (Buffer::new(&values), Buffer::new(&small), Buffer::new(&wide));
    module.run("vectors", 1, 64, args![inputs.0, inputs.1, inputs.2, out]);
    assert_rows("vectors", &out.values(), 256, |_, index| {
        let (at, part) = (index / 4, index % 4);
        let (a, b) = (&values[at * 4..], &values[(63 - at) * 4..]);
        match part {
            0 => a[0] + b[3] * f32::from(small[at * 4]),
            1 => a[1] + b[2] * f32::from(small[at * 4 + 1]),
            2 => a[2] + (b[1] + (wide[at * 2] + wide[at * 2 + 1]) as f32),
            _ => values[at] + values[at + 1],
        }
    });
}

#[test]
fn spaces_of_addresses() {
    let module = module!("memory");
    for turn in 0..4 {
        let (input, out) = (Buffer::new(&[turn]), Buffer::new(&[0i32; 2]));
        module.run("spaces", 1, 2, args![input, out]);
        // Constants are in a space of their own on some architectures, and in global memory on others.
        for bits in out.values() {
            for (at, want) in [1, 2, 4].into_iter().enumerate() {
                let place = (4 + at as i32 - turn) % 4;
                assert_eq!(bits >> (12 - 4 * place) & 7, want, "{turn}: {bits:#x}");
            }
        }
    }
}

#[test]
fn the_heap() {
    let module = module!("memory");
    let out = Buffer::new(&[0i32; 64]);
    module.run("heap", 1, 64, args![out]);
    assert_rows("heap", &out.values(), 64, |_, at| {
        let at = at as i32;
        at + (0..=at).map(|i| i * i).sum::<i32>()
    });
}
