//! Memory that a graph allocates and frees itself.

use super::{Graph, GraphNode, NO_BODY_MEMORY};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuffer, OfGraph};
use crate::stream::Collected;
use core::ptr::null;
use ptyx_device::DeviceCopy;
use std::sync::Arc;

impl Graph {
    /// Adds nodes that work with memory which each launch allocates before them and frees after them
    /// (`CU_GRAPH_NODE_TYPE_MEM_ALLOC` and `_MEM_FREE`, [Graph Memory Nodes](https://docs.nvidia.com/cuda/cuda-c-programming-guide/#graph-memory-nodes)).
    /// The driver lets graphs, and parts of a graph that don't run at the same time, share such memory.
    ///
    /// The closure adds the nodes; the buffer, of `len` zeros, can be used only in these. It comes after `after`. The driver
    /// can't copy such a graph, so it can't be cloned or added to another one, and it has one [`GraphExec`](crate::GraphExec)
    /// at a time: see [`Graph::instantiate`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let (input, mut output) = (DeviceBuffer::filled(100, 7u32)?, DeviceBuffer::<u32>::zeroed(100)?);
    /// let mut graph = Graph::new()?;
    /// graph.with_scratch(100, &[], |graph, scratch| {
    ///     graph.add_node(&[], |stream| scratch.copy_from_buffer_on(&input, stream))?;
    ///     graph.add_node(&[], |stream| output.copy_from_buffer_on(&*scratch, stream))
    /// })?;
    /// graph.instantiate()?.launch(&Stream::new()?)?;
    /// assert_eq!(output.to_vec()?, [7; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The closure's, after which the graph can no longer be used; [`Error::Graph`] for nodes of another graph, and in the
    /// body of a conditional node; [`Error::Length`] for no elements or too many; [`Error::Driver`] with a driver before
    /// CUDA 12.2. Other uses of the buffer are [`Error::Graph`].
    #[doc(alias = "cudaGraphAddMemAllocNode")]
    #[doc(alias = "cudaGraphAddMemFreeNode")]
    pub fn with_scratch<T: DeviceCopy, R>(
        &mut self,
        len: usize,
        after: &[GraphNode],
        nodes: impl FnOnce(&mut Graph, &mut DeviceBuffer<T>) -> Result<R>,
    ) -> Result<R> {
        let after = self.handles(after)?;
        self.expect_open()?;
        if self.body.is_some() {
            return Err(NO_BODY_MEMORY);
        }
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes > 0);
        let Some(bytes) = bytes else {
            return Err(Error::Length { what: "memory of a graph", expected: 1, found: len });
        };
        let location = CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: self.context.device };
        let member = CUmemAllocNodeParams {
            pool: CUmemPoolProps {
                kind: CU_MEM_ALLOCATION_TYPE_PINNED,
                handle_types: 0,
                location,
                security: null(),
                max_size: 0,
                reserved: [0; 56],
            },
            access: null(),
            count: 0,
            bytes,
            address: 0,
        };
        let mut params = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_MEM_ALLOC, member);
        // Until everything is done: the closure may also panic.
        let was_broken = core::mem::replace(&mut self.is_broken, true);
        self.is_single = true;
        // SAFETY: the parameters are complete, and need nothing that is kept.
        let allocation = unsafe { self.insert(after, &mut params, Vec::new()) };
        if allocation.is_err() {
            self.is_broken = was_broken;
        }
        allocation?;
        // SAFETY: the driver has written the address.
        let address = unsafe { params.member::<CUmemAllocNodeParams>() }.address;
        let id = self.id;
        let life = Arc::new(OfGraph::of(self.owner.id));
        let mut buffer = DeviceBuffer::<T>::of_graph(self.context, address, len, life.clone());
        // All nodes that use the memory come after its allocation, and before its end.
        let whole = vec![Arc::new(Collected::of_use(buffer.key(), 0..bytes))];
        if let Some(allocation) = self.added.last_mut() {
            allocation.contents.clone_from(&whole);
        }
        let done = self
            .add_node(&[], |stream| buffer.as_slice_mut().zero_on(stream))
            .and_then(|_| nodes(self, &mut buffer));
        life.end();
        let done = done?;
        if self.id != id {
            return Err(Error::Graph {
                reason: "the graph was exchanged for another one in the closure of `Graph::with_scratch`",
            });
        }
        let after = self.after_conflicts(Vec::new(), &whole)?;
        let mut params = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_MEM_FREE, address);
        // SAFETY: the graph allocates the memory, and nothing uses it after these nodes.
        unsafe { self.insert(after, &mut params, whole) }?;
        self.is_broken = was_broken;
        Ok(done)
    }
}
