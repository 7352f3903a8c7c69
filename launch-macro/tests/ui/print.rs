//! Mistakes in formats.
use ptyx::println;

fn mistakes(x: f32) {
    println!(x);
    println!("{}");
    println!("{} {}", x);
    println!("{:b} {:^5} }", 1, 2);
    println!("{0} {2}", x, x);
    println!("plain", x);
    println!("{name} {}", name = x);
    println!("{a}", a = 1, 2);
    println!(concat!("a", "b"));
    println!("{x:.*}");
}
