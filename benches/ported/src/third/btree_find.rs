//! Keys in a B+ tree, after Rodinia's b+tree: a block looks for one key, and each of its threads compares it with one
//! key of a node.

use crate::prelude::*;

/// A node. The keys below child `k` are from `keys[k]` on, and less than `keys[k + 1]`. Children of leaves are records.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Node {
    keys: [i32; 129],
    children: [i32; 128],
}

forms! {
    /// 128 threads a block. Keys that are not there have record -1.
    #[kernel]
    pub fn btree_find(
        levels: i32,
        root: i32,
        tree: &[Node],
        key: &[i32],
        record: &[i32],
        mut found: Parts<i32, by::BlockLeader>,
    ) {
        let next = cells!([i32; 1], 0);
        let answer = cells!([i32; 1], -1);
        let t = thread::x() as i32;
        let wanted = at!(key, block::x());
        let mut node = root;
        if t == 0 {
            set!(answer, 0, -1);
        }
        block::sync();
        for _ in 1..levels {
            let here = &at!(tree, node);
            if at!(here.keys, t) <= wanted && wanted < at!(here.keys, t + 1) {
                set!(next, 0, at!(here.children, t));
            }
            block::sync();
            node = get!(next, 0);
            block::sync();
        }
        let leaf = &at!(tree, node);
        if at!(leaf.keys, t) == wanted {
            set!(answer, 0, at!(record, at!(leaf.children, t)));
        }
        block::sync();
        if let Some(found) = found.own() {
            *found = get!(answer, 0);
        }
    }
}

/// 2^17 keys in a tree of four levels with eight million keys.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (count, queries) = (run.size(1 << 23, 20_000), run.size(1 << 17, 50));
    let steps = run.below(3, count);
    let mut last = 10;
    let sorted: Vec<i32> = steps
        .into_iter()
        .map(|step| {
            last += 1 + step;
            last
        })
        .collect();
    let record = run.below(1 << 30, count);
    // What is in a node of the level below: its first key and its number.
    let mut below: Vec<(i32, i32)> = sorted.iter().copied().zip(0..).collect();
    let (mut tree, mut levels) = (Vec::<Node>::new(), 0);
    while below.len() > 1 {
        let mut own = Vec::new();
        // Not all nodes are full.
        for part in below.chunks(100) {
            let mut node = Node { keys: [i32::MAX; 129], children: [-1; 128] };
            for (k, &(key, child)) in part.iter().enumerate() {
                (node.keys[k], node.children[k]) = (key, child);
            }
            own.push((node.keys[0], tree.len() as i32));
            tree.push(node);
        }
        // Of inner nodes, the first has all that is less, too.
        if levels > 0 {
            let first = tree.len() - own.len();
            tree[first].keys[0] = i32::MIN;
        }
        below = own;
        levels += 1;
    }
    let key = run.below(last as usize + 20, queries);
    let want =
        key.iter().map(|key| sorted.binary_search(key).map_or(-1, |place| record[place])).collect();
    let found = Output::new(&vec![-2; queries], want)?;
    let root = tree.len() as i32 - 1;
    let (tree, key) = (DeviceBuffer::from_slice(&tree)?, DeviceBuffer::from_slice(&key)?);
    let record = DeviceBuffer::from_slice(&record)?;
    compare!(
        run,
        [&found],
        btree_find,
        queries,
        128,
        (levels, root, &tree, &key, &record, &mut *found.buffer())
    )
}
