fn main() {
    let b = ptyx_program_generator::Batch::from_environment(|n| std::env::var(n).ok(), 3).unwrap();
    println!("{}", b.source());
}
