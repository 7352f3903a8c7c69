//! [`Block`].

use std::marker::PhantomData;

use super::table::BlockRef;
use super::{Builder, Context, Value, api};

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Block<'c>(BlockRef, PhantomData<&'c Context>);

impl<'c> Block<'c> {
    pub(super) fn new(raw: BlockRef) -> Self {
        Block(raw, PhantomData)
    }

    pub(super) fn raw(self) -> BlockRef {
        self.0
    }

    /// The block's last instruction.
    pub(crate) fn terminator(self) -> Option<Value<'c>> {
        // SAFETY: live handle.
        Value::optional(unsafe { (api().LLVMGetBasicBlockTerminator)(self.0) })
    }

    /// The blocks that may run next.
    pub(crate) fn successors(self) -> Vec<Block<'c>> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        // SAFETY: live handle of a terminator, indices in range.
        unsafe {
            (0..(api().LLVMGetNumSuccessors)(terminator.raw()))
                .map(|i| Block::new((api().LLVMGetSuccessor)(terminator.raw(), i)))
                .collect()
        }
    }

    /// Makes the block's terminator branch to `new` wherever it branched to `old`, whose phis are not
    /// changed.
    pub(crate) fn redirect(self, old: Block<'c>, new: Block<'c>) {
        let Some(terminator) = self.terminator() else { return };
        for (i, successor) in (0..).zip(self.successors()) {
            if successor == old {
                // SAFETY: live handles, an index in range.
                unsafe { (api().LLVMSetSuccessor)(terminator.raw(), i, new.0) };
            }
        }
    }

    /// The block's instructions.
    pub(crate) fn instructions(self) -> Vec<Value<'c>> {
        // SAFETY: live handle; null for an empty block.
        let first = Value::optional(unsafe { (api().LLVMGetFirstInstruction)(self.0) });
        std::iter::successors(first, |instruction| instruction.next_instruction()).collect()
    }

    /// A new block before this one.
    pub(crate) fn insert_before(self, context: &'c Context) -> Block<'c> {
        // SAFETY: live handles, C string.
        Block::new(unsafe {
            (api().LLVMInsertBasicBlockInContext)(context.raw(), self.0, c"start".as_ptr())
        })
    }

    /// Moves what is before `instruction` into a new block, which jumps to this one.
    pub(crate) fn split_before(self, context: &'c Context, instruction: Value<'c>) -> Block<'c> {
        let head = self.insert_before(context);
        // Phis of the successors name this block, and stay right: it is still their predecessor.
        for block in self.function().blocks() {
            block.redirect(self, head);
        }
        let builder = Builder::at_end(context, head);
        for moved in self.instructions().into_iter().take_while(|one| *one != instruction) {
            moved.take_out();
            builder.insert_copy(moved);
        }
        builder.jump(self);
        head
    }

    pub(crate) fn name(self) -> String {
        self.as_value().name()
    }

    pub(crate) fn set_name(self, name: &str) {
        self.as_value().set_name(name);
    }

    fn as_value(self) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMBasicBlockAsValue)(self.0) })
    }

    /// Removes the block, which has no predecessors and whose values are unused.
    pub(crate) fn delete(self) {
        // SAFETY: live handle; not used again.
        unsafe { (api().LLVMDeleteBasicBlock)(self.0) }
    }

    /// The function that holds the block.
    pub(crate) fn function(self) -> Value<'c> {
        // SAFETY: live handle.
        Value::new(unsafe { (api().LLVMGetBasicBlockParent)(self.0) })
    }
}
