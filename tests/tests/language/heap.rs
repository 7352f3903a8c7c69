//! `Box`, `Vec`, `String`, `Rc`, `BTreeMap` and what else takes memory from the device's heap.

use crate::harness::{digest, edgy, same_on_heap};
use crate::strings::{as_str, text};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::rc::{Rc, Weak};
use std::sync::Arc;

type Input = ([i32; 24], usize);

fn input(rng: &mut ptyx_tests::Rng) -> Input {
    let mut numbers = [0; 24];
    numbers.fill_with(|| edgy(rng) as i32 >> rng.below(32));
    (numbers, rng.below(25))
}

fn vectors((x, n): &Input) -> [u64; 14] {
    let mut pushed = Vec::new();
    for (i, &x) in x[..*n].iter().enumerate() {
        pushed.push((x, i as u8));
        if x % 3 == 0 {
            pushed.insert(i / 2, (x, 255));
        }
    }
    let popped = pushed.pop();
    let mut extended: Vec<i32> = x.iter().copied().filter(|x| x % 2 == 0).collect();
    extended.extend_from_slice(&x[*n..]);
    extended.extend(x.iter().map(|x| x >> 1));
    let drained: Vec<i32> = extended.drain(..*n).collect();
    let mut sorted = x.to_vec();
    sorted.sort_by_key(|x| x % 8);
    let mut unique = sorted.clone();
    unique.sort();
    unique.dedup();
    unique.retain(|x| *x != 0);
    let split = extended.split_off(extended.len() / 2);
    let joined = [&split[..], &drained].concat();
    let rows: Vec<Vec<i32>> = (0..*n % 6).map(|i| vec![x[i]; i]).collect();
    let boxed: Box<[i32]> = x[..*n].into();
    let words: Vec<String> = x[..n / 3].iter().map(|x| x.to_string()).collect();
    let mut shrunk: Vec<i32> = Vec::with_capacity(50);
    shrunk.extend(x.iter().take(*n));
    shrunk.shrink_to_fit();
    let fallible: Result<Vec<u8>, _> = x[..*n].iter().map(|&x| u8::try_from(x & 0x1ff)).collect();
    let (even, odd): (Vec<i32>, Vec<i32>) = x.iter().partition(|x| *x % 2 == 0);
    [
        digest(&pushed),
        digest(popped),
        digest(&extended),
        digest(drained),
        digest(sorted),
        digest(unique),
        digest(joined),
        digest(&rows) ^ rows.concat().len() as u64,
        digest(boxed),
        digest(words.join("/")),
        digest(&shrunk) + (shrunk.capacity() >= shrunk.len()) as u64,
        fallible.map_or(1, digest),
        even.len() as u64 * 100 + odd.len() as u64,
        digest(vec![[*n as u8; 3]; *n].iter().rev().collect::<Vec<_>>()),
    ]
}

#[test]
fn vectors_grow_and_shrink() {
    same_on_heap(vectors, input);
}

trait Shape {
    fn area(&self) -> i64;
    fn boxed_clone(&self) -> Box<dyn Shape>;
}
#[derive(Clone)]
struct Square(i32);
#[derive(Clone)]
struct Union(Vec<Rc<dyn Shape>>);

impl Shape for Square {
    fn area(&self) -> i64 {
        i64::from(self.0) * i64::from(self.0)
    }
    fn boxed_clone(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }
}

impl Shape for Union {
    fn area(&self) -> i64 {
        self.0.iter().map(|shape| shape.area()).fold(0, i64::wrapping_add)
    }
    fn boxed_clone(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }
}

/// A tree of boxes.
enum Tree {
    Leaf,
    Node(Box<Tree>, i32, Box<Tree>),
}

impl Tree {
    fn insert(self, value: i32) -> Tree {
        match self {
            Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), value, Box::new(Tree::Leaf)),
            Tree::Node(left, v, right) if value < v => {
                Tree::Node(Box::new(left.insert(value)), v, right)
            }
            Tree::Node(left, v, right) => Tree::Node(left, v, Box::new(right.insert(value))),
        }
    }

    fn walk(&self, visit: &mut dyn FnMut(i32)) {
        if let Tree::Node(left, value, right) = self {
            left.walk(visit);
            visit(*value);
            right.walk(visit);
        }
    }
}

fn boxes((x, n): &Input) -> [i64; 5] {
    let square: Rc<dyn Shape> = Rc::new(Square(x[0]));
    let union = Union(vec![square.clone(), Rc::new(Square(x[1])), square]);
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(*n as i32)), union.boxed_clone()];
    let area = shapes.iter().map(|shape| shape.boxed_clone().area()).fold(0, i64::wrapping_add);

    let tree = x[..*n].iter().fold(Tree::Leaf, |tree, &x| tree.insert(x));
    let mut walked = Vec::new();
    tree.walk(&mut |x| walked.push(x));

    let mut adders: Vec<Box<dyn Fn(i64) -> i64>> = Vec::new();
    for &x in &x[..*n] {
        let table = vec![i64::from(x); 3];
        adders.push(Box::new(move |y| y.wrapping_mul(3) ^ table[2]));
    }
    let added = adders.iter().fold(1, |y, add| add(y));
    let once: Box<dyn FnOnce() -> i64> = Box::new(move || walked.len() as i64);
    let large = Box::new([[*n as u64; 20]; 5]);
    [
        area,
        once(),
        added,
        i64::from(tree_is_sorted(&tree)),
        large.iter().flatten().sum::<u64>() as i64,
    ]
}

fn tree_is_sorted(tree: &Tree) -> bool {
    let mut last = i32::MIN;
    let mut sorted = true;
    tree.walk(&mut |x| {
        sorted &= last <= x;
        last = x;
    });
    sorted
}

#[test]
fn boxes_and_trait_objects() {
    same_on_heap(boxes, input);
}

/// Counts, cycles and shared state.
struct Node {
    value: i64,
    children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Weak<Node>>,
}

fn counted((x, n): &Input) -> [i64; 6] {
    let node = |value: i32| {
        Rc::new(Node {
            value: value.into(),
            children: RefCell::default(),
            parent: RefCell::default(),
        })
    };
    let root = node(x[0]);
    for &x in &x[..*n] {
        let child = node(x);
        *child.parent.borrow_mut() = Rc::downgrade(&root);
        root.children.borrow_mut().push(child);
    }
    let sum: i64 = root.children.borrow().iter().map(|child| child.value).sum();
    let up = root.children.borrow().first().and_then(|c| c.parent.borrow().upgrade());
    let strong = Rc::strong_count(&root) as i64;
    let weak = Rc::weak_count(&root) as i64;
    drop(up);

    let shared: Arc<[i32]> = x[..*n].into();
    let second = Arc::clone(&shared);
    let mut last = Arc::new(x[1]);
    *Arc::make_mut(&mut last) ^= 1;
    let unwrapped = Arc::try_unwrap(last).unwrap_or(-1);
    let text: Rc<str> = "shared".into();
    [
        sum,
        strong,
        weak,
        second.len() as i64 + shared.len() as i64,
        unwrapped.into(),
        text.len() as i64,
    ]
}

#[test]
fn reference_counts() {
    same_on_heap(counted, input);
}

fn collections((x, n): &Input) -> [u64; 8] {
    let mut map = BTreeMap::new();
    for (i, &x) in x.iter().enumerate() {
        *map.entry(x % 10).or_insert(0u64) += i as u64;
    }
    let removed = map.remove(&(x[0] % 10));
    let range: u64 = map.range(-3..=4).map(|(_, v)| v).sum();
    let set: BTreeSet<i32> = x[..*n].iter().copied().collect();
    let other: BTreeSet<i32> = x[n / 2..].iter().copied().collect();
    let mut queue: VecDeque<i32> = x[..*n].iter().copied().collect();
    queue.rotate_left(n / 2);
    queue.push_front(5);
    let back = queue.pop_back();
    let mut heap: BinaryHeap<i32> = x.iter().copied().collect();
    let largest = [heap.pop(), heap.pop(), heap.pop()];
    [
        digest(&map),
        digest(removed),
        range,
        digest(set.intersection(&other).collect::<Vec<_>>()),
        digest(set.union(&other).count()),
        digest((queue, back)),
        digest(largest),
        digest(heap.into_sorted_vec()),
    ]
}

#[test]
fn maps_sets_and_queues() {
    same_on_heap(collections, input);
}

/// A hasher of a fixed seed: random ones are the host's.
type Fixed = BuildHasherDefault<DefaultHasher>;

fn hashed((x, n): &Input) -> [u64; 5] {
    let mut counts: HashMap<i32, Vec<usize>, Fixed> = HashMap::default();
    for (i, x) in x.iter().enumerate() {
        counts.entry(x % 9).or_default().push(i);
    }
    let removed = counts.remove(&(x[0] % 9)).unwrap_or_default();
    counts.retain(|key, places| key % 2 == 0 || places.len() > 1);
    let mut pairs: Vec<_> = counts.iter().map(|(key, places)| (*key, places.len())).collect();
    pairs.sort_unstable();
    let words: HashSet<String, Fixed> = x[..*n].iter().map(|x| format!("w{}", x % 20)).collect();
    let known = (-20..20).filter(|x| words.contains(&format!("w{x}"))).count();
    [
        digest(pairs),
        digest(removed),
        words.len() as u64 * 100 + known as u64,
        counts.get(&2).map_or(0, digest),
        counts.values().flatten().sum::<usize>() as u64,
    ]
}

#[test]
fn hash_maps_of_a_fixed_seed() {
    same_on_heap(hashed, input);
}

/// Maps with std's own hasher, whose keys are random on the host: nothing here depends on an order.
fn hashed_at_random((x, n): &Input) -> [u64; 4] {
    let mut counts = HashMap::new();
    for x in x {
        *counts.entry(x % 9).or_insert(0u64) += 1;
    }
    let few: HashSet<i32> = x[..*n].iter().copied().collect();
    let from = HashMap::from([(1, x[0]), (2, x[1])]);
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort();
    [digest(&sorted), few.len() as u64, counts[&(x[5] % 9)], u64::from(from[&2] == x[1])]
}

#[test]
fn hash_maps_of_a_random_seed() {
    same_on_heap(hashed_at_random, input);
}

fn strings((input, x): &(crate::strings::Text, u64)) -> [u64; 8] {
    let text = as_str(input);
    let mut built = String::from("<");
    built.push_str(text);
    built.insert(1, 'ß');
    built += ">";
    let formatted = format!("{x:#x} {text:?} {:>12.3}", *x as f64 / 7.0);
    let replaced = text.replace('a', "bb").to_uppercase();
    let words: Vec<&str> = text.split_whitespace().rev().collect();
    let collected: String = text.chars().rev().filter(|c| !c.is_control()).collect();
    let lossy = String::from_utf8_lossy(&input.0[..input.1 / 2]);
    let borrowed = matches!(lossy, Cow::Borrowed(_));
    built.truncate(1);
    [
        digest(built),
        digest(formatted),
        digest(replaced),
        digest(words.join("+")),
        digest(collected),
        digest(&*lossy) + u64::from(borrowed),
        digest(text.to_lowercase().repeat(2)),
        digest(x.to_string().parse::<u64>().ok()),
    ]
}

#[test]
fn strings_and_format() {
    same_on_heap(strings, |rng| (text(rng), edgy(rng)));
}

/// Errors in boxes, from several sources, through `?`.
fn parse_sum(text: &str) -> Result<i64, Box<dyn std::error::Error>> {
    let mut sum = 0i64;
    for word in text.split(',') {
        let number: i32 = word.trim().parse()?;
        sum = sum.checked_add(number.into()).ok_or("overflow")?;
        if number < 0 {
            return Err(format!("{number} is negative").into());
        }
    }
    Ok(sum)
}

fn errors(x: &[i32; 4]) -> [u64; 2] {
    let text: Vec<String> = x.iter().map(|x| format!(" {}", x % 50)).collect();
    let whole = text.join(if x[0] % 3 == 0 { ";" } else { "," });
    match parse_sum(&whole) {
        Ok(sum) => [0, sum as u64],
        Err(error) => [1 + error.is::<std::num::ParseIntError>() as u64, digest(error.to_string())],
    }
}

#[test]
fn boxed_errors() {
    same_on_heap(errors, |rng| core::array::from_fn(|_| (edgy(rng) as i32).saturating_abs() - 9));
}
