use ptyx::prelude::*;

macro_rules! kernels {
    ($($name:ident $type:ident;)*) => {
        $(
            #[kernel]
            fn $name(x: &[$type], rounds: u32, mut totals: Disjoint<$type>) {
                let block = group::block().sized::<256>();
                let (i, mut total) = (thread::index_1d(), 0 as $type);
                let mut value = x[i.get()];
                #[unroll(never)]
                for _ in 0..rounds {
                    total += block.inclusive_scan(value, |a, b| a + b);
                    value = value / (2 as $type) + (3 as $type);
                }
                totals[i] = total;
            }
        )*

        #[test]
        fn all() {
            $({
                let x: Vec<$type> = (0..512).map(|i| ((i * 7919) % 256) as $type).collect();
                let dx = DeviceBuffer::from_slice(&x).unwrap();
                let mut totals = DeviceBuffer::zeroed(512).unwrap();
                launch!($name<<<2, 256>>>(&dx, 5, &mut totals)).unwrap();
                for (x, got) in x.chunks(256).zip(totals.to_vec().unwrap().chunks(256)) {
                    let mut sum = 0 as $type;
                    for (&first, &got) in x.iter().zip(got) {
                        let mut x = first;
                        for _ in 0..5 {
                            sum += x;
                            x = x / (2 as $type) + (3 as $type);
                        }
                        assert!((got as f64 - sum as f64).abs() <= 1e-4 * sum as f64, "{got} {sum}");
                    }
                }
            })*
        }
    };
}

kernels! {
    block_scan_u32 u32;
    block_scan_f32 f32;
    block_scan_f64 f64;
}
