//! Nodes that run a graph, or one of several, by a number on the device.

use super::{Graph, GraphNode};
use crate::context::OwnKernel;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::DeviceBuffer;
use crate::memory::tracker::Access;
use crate::stream::Stream;
use core::ffi::{CStr, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// One thread, which tells the driver the number (CUDA C++ Programming Guide, "Conditional Graph Nodes").
const PTX: &CStr = c"
.version 6.3
.target sm_70
.address_size 64
.extern .func cudaGraphSetConditional (.param .b64 condition, .param .b32 value);
.visible .entry ptyx_set_condition(.param .u64 condition, .param .u64 number)
{
    .reg .b32 %value;
    .reg .b64 %condition, %address;
    ld.param.u64 %condition, [condition];
    ld.param.u64 %address, [number];
    cvta.to.global.u64 %address, %address;
    ld.global.u32 %value, [%address];
    {
        .param .b64 first;
        .param .b32 second;
        st.param.b64 [first], %condition;
        st.param.b32 [second], %value;
        call.uni cudaGraphSetConditional, (first, second);
    }
    ret;
}
";

/// Makes a condition what a number on the device is.
fn set(condition: u64, number: &DeviceBuffer<u32>, stream: &Stream) -> Result<()> {
    static KERNEL: OwnKernel = OwnKernel::new(PTX, c"ptyx_set_condition");
    let context = stream.context();
    let kernel = KERNEL.of(context)?;
    let entry = stream.enter();
    let one = number.slice(..1);
    one.order(&entry, Access::Read)?;
    let (mut condition, mut address) = (condition, one.address());
    let mut params = [(&raw mut condition).cast::<c_void>(), (&raw mut address).cast::<c_void>()];
    context.bind()?;
    // SAFETY: the kernel takes two numbers of 64 bits, which are read during the call, and reads the number there, which
    // is ordered on the stream.
    unsafe {
        context.driver.cuLaunchKernel(
            kernel,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            stream.handle(),
            params.as_mut_ptr(),
            null_mut(),
        )
    }?;
    Ok(())
}

/// The most graphs of a switch: more take the driver's memory and time, and say little.
const MAX_BODIES: u32 = 1 << 16;

impl Graph {
    /// Adds a node that runs a graph if a number on the device is not 0: the first one of `condition`, when the node's turn
    /// has come ([`cuGraphAddNode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html), a conditional node).
    ///
    /// `body` adds the nodes that run: kernels, copies, fills, graphs of these, other conditional nodes. It comes after
    /// `after`, and after nodes that use the same memory in a way that conflicts. The driver can't copy a graph with such
    /// nodes, so it can't be cloned or added to another one, and it has one [`GraphExec`](crate::GraphExec) at a time:
    /// see [`Graph::instantiate`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let (mut flag, mut number) = (DeviceBuffer::<u32>::zeroed(1)?, DeviceBuffer::<u32>::zeroed(1)?);
    /// let mut graph = Graph::new()?;
    /// graph.add_if(&flag, &[], |body| {
    ///     body.add_node(&[], |stream| number.fill_on(5, stream))?;
    ///     Ok(())
    /// })?;
    /// let (exec, stream) = (graph.instantiate()?, Stream::new()?);
    /// exec.launch(&stream)?;
    /// assert_eq!(number.to_vec()?, [0]);
    /// flag.fill(1)?;
    /// exec.launch(&stream)?;
    /// assert_eq!(number.to_vec()?, [5]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The closure's, after which the graph can no longer be used; [`Error::Graph`] for nodes of another graph, and for
    /// functions of the host and events in the body; [`Error::Length`] for an empty buffer; [`Error::WrongDevice`];
    /// [`Error::Driver`] with a driver before CUDA 12.3.
    #[doc(alias = "cudaGraphConditionalHandleCreate")]
    pub fn add_if(
        &mut self,
        condition: &DeviceBuffer<u32>,
        after: &[GraphNode],
        body: impl FnOnce(&mut Graph) -> Result<()>,
    ) -> Result<GraphNode> {
        let mut body = Some(body);
        let part = self.begin_conditional(CU_GRAPH_COND_TYPE_IF, 1, condition, after)?;
        self.complete(part, |graph, _, _| body.take().map_or(Ok(()), |body| body(graph)))
    }

    /// Like [`Graph::add_if`], with a second body that runs if the number is 0.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, Error, Graph, Stream};
    /// let (flag, mut number) = (DeviceBuffer::<u32>::zeroed(1)?, DeviceBuffer::<u32>::zeroed(1)?);
    /// let mut graph = Graph::new()?;
    /// let added = graph.add_if_else(&flag, &[], |body, holds| {
    ///     let value = if holds { 5 } else { 6 };
    ///     body.add_node(&[], |stream| number.fill_on(value, stream)).map(drop)
    /// });
    /// match added {
    ///     // A driver before CUDA 12.8.
    ///     Err(Error::Driver { .. }) if !Device::current()?.is_emulated() => return Ok(()),
    ///     added => added?,
    /// };
    /// graph.instantiate()?.launch(&Stream::new()?)?;
    /// assert_eq!(number.to_vec()?, [6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// `body` is called twice: with `true` for the body that runs if the number is not 0, then with `false` for the other.
    ///
    /// # Errors
    /// As [`Graph::add_if`]; [`Error::Driver`] with a driver before CUDA 12.8.
    pub fn add_if_else(
        &mut self,
        condition: &DeviceBuffer<u32>,
        after: &[GraphNode],
        mut body: impl FnMut(&mut Graph, bool) -> Result<()>,
    ) -> Result<GraphNode> {
        let part = self.begin_conditional(CU_GRAPH_COND_TYPE_IF, 2, condition, after)?;
        self.complete(part, |graph, number, _| body(graph, number == 0))
    }

    /// Adds a node that runs one of `count` graphs: the one whose number, from 0, is the first number of `condition` when the
    /// node's turn has come; none if there is no such graph. Otherwise like [`Graph::add_if`].
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, Error, Graph, Stream};
    /// let (mut which, mut number) = (DeviceBuffer::<u32>::zeroed(1)?, DeviceBuffer::<u32>::zeroed(1)?);
    /// let mut graph = Graph::new()?;
    /// let added = graph.add_switch(&which, 3, &[], |body, case| {
    ///     body.add_node(&[], |stream| number.fill_on(10 + case, stream)).map(drop)
    /// });
    /// match added {
    ///     // A driver before CUDA 12.8.
    ///     Err(Error::Driver { .. }) if !Device::current()?.is_emulated() => return Ok(()),
    ///     added => added?,
    /// };
    /// let (exec, stream) = (graph.instantiate()?, Stream::new()?);
    /// for (value, wanted) in [(2, 12), (0, 10), (7, 10)] {
    ///     which.fill(value)?;
    ///     exec.launch(&stream)?;
    ///     assert_eq!(number.to_vec()?, [wanted]);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// `body` is called with the number of each graph, and adds its nodes.
    ///
    /// # Errors
    /// As [`Graph::add_if`]; [`Error::Length`] for no graphs, [`Error::Graph`] for more than 65536; [`Error::Driver`] with a
    /// driver before CUDA 12.8.
    pub fn add_switch(
        &mut self,
        condition: &DeviceBuffer<u32>,
        count: u32,
        after: &[GraphNode],
        mut body: impl FnMut(&mut Graph, u32) -> Result<()>,
    ) -> Result<GraphNode> {
        if count == 0 {
            return Err(Error::Length { what: "the graphs of a switch", expected: 1, found: 0 });
        }
        if count > MAX_BODIES {
            return Err(Error::Graph { reason: "a switch has at most 65536 graphs" });
        }
        let part = self.begin_conditional(CU_GRAPH_COND_TYPE_SWITCH, count, condition, after)?;
        self.complete(part, |graph, number, _| body(graph, number))
    }

    /// Like [`Graph::add_if`], but repeats the body as long as the number is not 0. The body gets the buffer, too, and must
    /// eventually set the number to 0: the device reads it before each iteration, when all of the body's nodes are done. The
    /// same restrictions apply to the graph.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let (mut now, mut next) = (DeviceBuffer::filled(1, 1u32)?, DeviceBuffer::filled(1, 1u32)?);
    /// let zero = DeviceBuffer::<u32>::zeroed(1)?;
    /// let mut graph = Graph::new()?;
    /// graph.add_while(&mut now, &[], |body, now| {
    ///     body.add_node(&[], |stream| now.copy_from_buffer_on(&next, stream))?;
    ///     body.add_node(&[], |stream| next.copy_from_buffer_on(&zero, stream))?;
    ///     Ok(())
    /// })?;
    /// graph.instantiate()?.launch(&Stream::new()?)?; // two rounds
    /// assert_eq!((now.to_vec()?, next.to_vec()?), (vec![0], vec![0]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Graph::add_if`].
    pub fn add_while(
        &mut self,
        condition: &mut DeviceBuffer<u32>,
        after: &[GraphNode],
        body: impl FnOnce(&mut Graph, &mut DeviceBuffer<u32>) -> Result<()>,
    ) -> Result<GraphNode> {
        let mut body = Some(body);
        let part = self.begin_conditional(CU_GRAPH_COND_TYPE_WHILE, 1, condition, after)?;
        self.complete(part, |graph, _, number| {
            body.take().map_or(Ok(()), |body| body(graph, condition))?;
            graph.add_node(&[], |stream| set(number, condition, stream)).map(|_| ())
        })
    }

    /// The node, with `count` empty bodies.
    fn begin_conditional(
        &mut self,
        kind: CUgraphConditionalNodeType,
        count: u32,
        number: &DeviceBuffer<u32>,
        after: &[GraphNode],
    ) -> Result<Begun> {
        if number.is_empty() {
            return Err(Error::Length { what: "the condition", expected: 1, found: 0 });
        }
        let mut after = self.handles(after)?;
        self.expect_open()?;
        let (driver, context) = (self.context.driver, self.context.raw());
        let (alone, mut condition) = (self.alone()?, 0);
        // SAFETY: the place is valid, the graph alive.
        unsafe {
            driver.cuGraphConditionalHandleCreate(&mut condition, self.handle, context, 0, 0)
        }?;
        drop(alone);
        // A condition without a node can't be launched.
        self.is_single = true;
        let first = self.begin_broken(|graph| {
            let earlier: Vec<GraphNode> = after.iter().map(|&node| graph.node(node)).collect();
            graph.add_node(&earlier, |stream| set(condition, number, stream))
        })?;
        after.push(first.handle);
        let member =
            CUconditionalNodeParams { condition, kind, count, bodies: null_mut(), context };
        let mut params = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_CONDITIONAL, member);
        self.begin_broken(|graph| {
            // SAFETY: the condition is the graph's, and has no node yet; the bodies will be kept.
            let node = unsafe { graph.insert(after, &mut params, Vec::new()) }?;
            // SAFETY: the driver has written the list, which has as many graphs.
            let bodies = unsafe {
                let list = params.member::<CUconditionalNodeParams>().bodies;
                core::slice::from_raw_parts(list, count as usize).to_vec()
            };
            Ok(Begun { node, bodies, condition })
        })
    }

    /// Does one step of several: if it fails, the graph can no longer be used.
    fn begin_broken<T>(&mut self, part: impl FnOnce(&mut Graph) -> Result<T>) -> Result<T> {
        let done = part(self);
        self.is_broken |= done.is_err();
        done
    }

    /// Lets a closure add nodes to each body, of which it is told the number, and the condition.
    fn complete(
        &mut self,
        begun: Begun,
        mut fill: impl FnMut(&mut Graph, u32, u64) -> Result<()>,
    ) -> Result<GraphNode> {
        let Begun { node, bodies, condition } = begun;
        // Until everything is done: the closure may also panic.
        let was_broken = core::mem::replace(&mut self.is_broken, true);
        let mut contents = Vec::new();
        for (number, &handle) in (0..).zip(&bodies) {
            let finished = Arc::new(AtomicBool::new(false));
            let mut body = self.body_of(handle, finished.clone());
            let id = body.id;
            let filled = fill(&mut body, number, condition);
            finished.store(true, Ordering::Release);
            filled?;
            if body.id != id {
                return Err(Error::Graph {
                    reason: "the body of a conditional node was exchanged for another graph",
                });
            }
            body.expect_whole()?;
            contents.append(&mut body.contents);
        }
        // The node is the last one; what it uses is known only now.
        let mut own = self.added.pop().ok_or(Error::DevicePass)?;
        let after = self.after_conflicts(own.after.clone(), &contents)?;
        let more: Vec<CUgraphNode> =
            after.iter().copied().filter(|node| !own.after.contains(node)).collect();
        let alone = self.alone()?;
        let nodes = vec![node; more.len()];
        let (driver, count) = (self.context.driver, more.len());
        if count > 0 {
            // SAFETY: both lists have as many nodes, which are of this graph; the later ones come after the earlier ones.
            unsafe {
                driver.cuGraphAddDependencies(self.handle, more.as_ptr(), nodes.as_ptr(), count)
            }?;
        }
        drop(alone);
        (own.after, own.contents) = (after, contents.clone());
        self.added.push(own);
        self.contents.extend(contents);
        self.is_broken = was_broken;
        Ok(self.node(node))
    }

    /// A node's body, which belongs to the driver's graph that this is a part of.
    fn body_of(&self, handle: CUgraph, finished: Arc<AtomicBool>) -> Graph {
        Graph {
            context: self.context,
            handle,
            id: super::next_id(),
            contents: Vec::new(),
            captured: Vec::new(),
            owner: self.owner.clone(),
            added: Vec::new(),
            recorder: self.recorder.clone(),
            body: Some(finished),
            calls_host: false,
            is_single: true,
            is_broken: false,
        }
    }
}

/// A conditional node whose bodies are empty.
struct Begun {
    node: CUgraphNode,
    bodies: Vec<CUgraph>,
    condition: u64,
}
