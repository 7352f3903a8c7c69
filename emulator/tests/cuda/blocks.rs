use super::*;

#[test]
fn sorting() {
    let (module, mut random) = (module!("blocks"), Random::new());
    let keys = random.words(512);
    let (input, out) = (Buffer::new(&keys), Buffer::new(&[0u32; 512]));
    let values = Buffer::new(&[0i32; 512]);
    module.run("sort", 1, 128, args![input, out, values]);
    let mut want: Vec<(u32, i32)> = keys.into_iter().zip(0..).collect();
    want.sort();
    let got: Vec<(u32, i32)> = out.values().into_iter().zip(values.values()).collect();
    assert_eq!(got, want);
}

#[test]
fn scanning() {
    let (module, mut random) = (module!("blocks"), Random::new());
    let values = random.ints(512, -1000, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 512]));
    let total = Buffer::new(&[0i32]);
    module.run("scan", 1, 128, args![input, out, total]);
    assert_rows("scan", &out.values(), 512, |_, at| values[..at].iter().sum());
    assert_eq!(total.values(), [values.iter().sum::<i32>()]);
}

#[test]
fn reducing() {
    let (module, mut random) = (module!("blocks"), Random::new());
    let values = random.ints(192, -50, 50);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 2]));
    module.run("reduce", 1, 192, args![input, out]);
    let most = *values.iter().max().unwrap();
    let first = values.iter().position(|&value| value == most).unwrap();
    assert_eq!(out.values(), [most, first as i32]);
}
