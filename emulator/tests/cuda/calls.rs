use super::*;

fn fibonacci(n: i32) -> i32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn ackermann(m: i32, n: i32) -> i32 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[test]
fn recursion() {
    let module = module!("calls");
    let out = Buffer::new(&[0i32; 64]);
    module.run("recursion", 1, 64, args![out]);
    assert_rows("recursion", &out.values(), 64, |_, at| {
        let at = at as i32;
        fibonacci(at % 12) * 1000 + ackermann(at % 3, at % 4)
    });
}

/// With optimisation and without, where everything is called and lies in local memory.
#[test]
fn structures() {
    for module in [module!("calls"), module!("calls_debug")] {
        let out = Buffer::new(&[0f64; 40]);
        module.run("structures", 1, 40, args![out]);
        assert_rows("structures", &out.values(), 40, |_, at| {
            let i = at as i32;
            let x = f64::from(i);
            let by = i & 3;
            let wide = if i & 1 == 1 { i * -10 * i } else { -10 * i - i };
            let ints = (i + by) + (2 * i - i) + 9 * i;
            let reals = (x * 0.5 / 2.0 + 3.0 * x) + (x + 2.0 * x + 3.0 * x + 1.5);
            f64::from(ints) + reals + f64::from(wide) + x + 4.0 * x + f64::from(5 + i)
        });
    }
}

#[test]
fn pointers_to_functions() {
    for module in [module!("calls"), module!("calls_debug")] {
        let mut random = Random::new();
        let which = random.ints(64, 0, 4);
        let (input, out) = (Buffer::new(&which), Buffer::new(&[0i32; 64]));
        module.run("pointers", 1, 64, args![input, out]);
        assert_rows("pointers", &out.values(), 64, |_, at| {
            let i = at as i32;
            let value = [i + 7, i - 7, i * 7, i + 7][which[at] as usize];
            if i % 2 == 1 { value - 100 } else { value }
        });
    }
}

#[test]
fn virtual_functions() {
    for module in [module!("calls"), module!("calls_debug")] {
        let out = Buffer::new(&[0f32; 64]);
        module.run("virtuals", 1, 64, args![out]);
        assert_rows("virtuals", &out.values(), 64, |_, at| {
            let size = at as f32;
            match at % 3 {
                0 => 3.0 * size * size,
                1 => size * 2.0 + 4000.0,
                _ => size * size + 0.5 + 4000.0,
            }
        });
    }
}

#[test]
fn lambdas() {
    for module in [module!("calls"), module!("calls_debug")] {
        let out = Buffer::new(&[0i32; 64]);
        module.run("lambdas", 1, 64, args![out]);
        assert_rows("lambdas", &out.values(), 64, |_, at| {
            let i = at as i32;
            (0..i).map(|b| b * (i % 5)).sum::<i32>() + (0..20).fold(0, |a, b| a ^ b)
        });
    }
}
