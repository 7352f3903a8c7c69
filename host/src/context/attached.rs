//! What a module keeps for each context, without the context knowing about it.

use super::Context;
use std::sync::OnceLock;

/// A value for each context, made at first use. It lives as long as the process, as contexts do.
///
/// A list: a process has as many contexts as devices, and looking one up takes no lock.
pub(crate) struct Attached<T: 'static>(OnceLock<&'static Node<T>>);

struct Node<T: 'static> {
    /// The id of the value's context.
    context: u64,
    value: T,
    next: Attached<T>,
}

impl<T: Default> Attached<T> {
    /// No values yet.
    pub(crate) const fn new() -> Attached<T> {
        Attached(OnceLock::new())
    }

    /// The value of `context`.
    #[inline]
    pub(crate) fn of(&'static self, context: &Context) -> &'static T {
        let mut list = self;
        loop {
            let node = *list.0.get_or_init(|| {
                let (context, value) = (context.id, T::default());
                Box::leak(Box::new(Node { context, value, next: Attached::new() }))
            });
            if node.context == context.id {
                return &node.value;
            }
            list = &node.next;
        }
    }
}
