use super::*;

/// The interpreter of `control.cu`.
fn interpret(code: &[u8], input: i32, thread: i32) -> i32 {
    let (mut a, mut b, mut steps, mut pc) = (input, 1i32, 0, 0i32);
    while pc < code.len() as i32 && steps < 500 {
        match code[pc as usize] {
            0 => a = a.wrapping_add(b),
            1 => b ^= a,
            2 => a = a.wrapping_mul(3).wrapping_add(1),
            3 => pc += a & 1,
            4 => b = b.rotate_left(1),
            5 => a = a.wrapping_sub(thread),
            6 => {
                pc -= if b % 7 == 0 { 3 } else { 0 };
                pc = pc.max(-1);
            }
            7 => std::mem::swap(&mut a, &mut b),
            8 => a = b.count_ones() as i32 - a.leading_zeros() as i32,
            9 if steps > 300 => break,
            9 => {}
            10 => {
                a ^= 0x5bd1e995;
                b = b.wrapping_add(steps);
            }
            _ => b = !b,
        }
        pc += 1;
        steps += 1;
    }
    a.wrapping_mul(31).wrapping_add(b)
}

#[test]
fn tables_of_targets() {
    let (module, mut random) = (module!("control"), Random::new());
    for _ in 0..8 {
        let code: Vec<u8> = random.ints(100, 0, 12).iter().map(|&op| op as u8).collect();
        let values = random.ints(64, -1000, 1000);
        let (program, input) = (Buffer::new(&code), Buffer::new(&values));
        let out = Buffer::new(&[0i32; 64]);
        module.run("interpreter", 1, 64, args![program, 100i32, input, out]);
        assert_rows("interpreter", &out.values(), 64, |_, at| {
            interpret(&code, values[at], at as i32)
        });
    }
}

#[test]
fn loops_of_different_length() {
    let (module, mut random) = (module!("control"), Random::new());
    let values: Vec<u32> = random.ints(96, 1, 100_000).iter().map(|&value| value as u32).collect();
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0u32; 96]));
    module.run("collatz", 1, 96, args![input, out]);
    assert_rows("collatz", &out.values(), 96, |_, at| {
        let (mut n, mut steps) = (u64::from(values[at]), 0);
        while n != 1 && steps <= 1000 {
            n = if n & 1 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    });
}

#[test]
fn a_lock() {
    let module = module!("control");
    let out = Buffer::new(&[0i32]);
    module.run("spin", 3, 64, args![out]);
    module.run("guarded_value", 1, 1, args![out]);
    assert_eq!(out.values(), [192]);
}

#[test]
fn inline_ptx() {
    let (module, mut random) = (module!("control"), Random::new());
    let (mut a, b) = (random.words(64), random.words(64));
    a[5] = 0;
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0u32; 64 * 6]));
    module.run("inline_ptx", 1, 64, args![in_a, in_b, out, 64i32]);
    assert_rows("inline_ptx", &out.values(), 64, |row, at| {
        let (x, y) = (a[at], b[at]);
        let both = u64::from(y) << 32 | u64::from(x);
        match row {
            0 => x & y | !x & x.wrapping_mul(y),
            1 => {
                if x < y {
                    17
                } else {
                    23
                }
            }
            2 => x.wrapping_add(y) ^ u32::from(x.checked_add(y).is_none()) << 16,
            3 => (both >> 20) as u32,
            4 => (both >> (at % 4 * 8)) as u32,
            _ => {
                if x == 0 {
                    u32::MAX
                } else {
                    x.leading_zeros()
                }
            }
        }
    });
}

#[test]
fn time_passes() {
    let module = module!("control");
    let out = Buffer::new(&[0i64; 2]);
    module.run("time_passes", 1, 1, args![out]);
    assert_eq!(out.values(), [1, 1]);
}

#[test]
fn barriers_that_count() {
    let (module, mut random) = (module!("control"), Random::new());
    let values = random.ints(128, -1000, 2000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 128]));
    module.run("barriers", 1, 128, args![input, out]);
    let count = values.iter().filter(|&&value| value > 0).count() as i32;
    let all = i32::from(values.iter().all(|&value| value < 1000));
    let any = i32::from(values.contains(&5));
    assert_rows("barriers", &out.values(), 128, |_, at| {
        let (start, i) = (count * 10000 + all * 1000 + any * 100, at as i32);
        match i {
            64.. => start,
            _ if i % 2 == 1 => start + (0..i % 7).sum::<i32>() + (i | 31),
            _ => start - 1 + (i | 31),
        }
    });
}
